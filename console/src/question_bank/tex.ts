/**
 * Formulas as teachers type them in TeX, as MathML that browsers draw themselves. Only what school books need is known; of
 * anything else nothing comes, and the formula is shown as it was typed. Pure.
 */

export interface MathNode {
  tag: string
  text?: string
  attributes?: Readonly<Record<string, string>>
  children?: readonly MathNode[]
}

const paired = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(text.split(' ').map((pair) => [pair.slice(0, -2), pair.slice(-1)]))

const symbols = paired(
  'alpha=α beta=β gamma=γ delta=δ epsilon=ε zeta=ζ eta=η theta=θ lambda=λ mu=μ nu=ν xi=ξ pi=π rho=ρ sigma=σ tau=τ phi=φ chi=χ psi=ψ omega=ω Gamma=Γ Delta=Δ Theta=Θ Lambda=Λ Pi=Π Sigma=Σ Phi=Φ Psi=Ψ Omega=Ω infty=∞ partial=∂ nabla=∇ emptyset=∅ ell=ℓ',
)
const operators: Readonly<Record<string, string>> = {
  ...paired(
    'times=× div=÷ cdot=⋅ pm=± mp=∓ leq=≤ le=≤ geq=≥ ge=≥ neq=≠ ne=≠ approx=≈ equiv=≡ sim=∼ propto=∝ in=∈ notin=∉ subset=⊂ subseteq=⊆ cup=∪ cap=∩ to=→ rightarrow=→ leftarrow=← Rightarrow=⇒ Leftrightarrow=⇔ forall=∀ exists=∃ angle=∠ perp=⊥ parallel=∥ ldots=… cdots=⋯ circ=∘ prime=′ sum=∑ prod=∏ int=∫ iint=∬ oint=∮',
  ),
  '{': '{',
  '}': '}',
  '%': '%',
  '|': '∥',
}
/** Limits of these stand above and below. */
const LARGE = new Set(['∑', '∏', 'lim', 'max', 'min'])
const FUNCTIONS = new Set('sin cos tan cot sec csc arcsin arccos arctan ln lg log exp lim max min det gcd'.split(' '))
const accents: Readonly<Record<string, string>> = { hat: '^', bar: '¯', overline: '¯', vec: '→', dot: '˙', tilde: '~' }
const spaces: Readonly<Record<string, string>> = {
  ',': '0.17em',
  ';': '0.28em',
  ':': '0.22em',
  quad: '1em',
  qquad: '2em',
}
const fences: Readonly<Record<string, readonly [string, string]>> = {
  matrix: ['', ''],
  pmatrix: ['(', ')'],
  bmatrix: ['[', ']'],
  vmatrix: ['|', '|'],
  cases: ['{', ''],
}

class Unknown extends Error {}

/** What a table itself has, and nothing that every object has. */
const of = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined

/** The words of a text keep their spaces, so they are one token. */
const TOKENS = /\\(?:text|mathrm|operatorname)\s*\{[^{}]*\}|\\(?:begin|end)\{\w+\}|\\[a-zA-Z]+|\\.|\d+(?:\.\d+)?|\S/gu

const row = (children: readonly MathNode[]): MathNode =>
  children.length === 1 && children[0] ? children[0] : { tag: 'mrow', children }
const leaf = (tag: string, text: string): MathNode => ({ tag, text })

class Reader {
  private at = 0
  private readonly tokens: readonly string[]

  constructor(tex: string) {
    this.tokens = tex.match(TOKENS) ?? []
  }

  private peek() {
    return this.tokens[this.at]
  }

  private next() {
    const token = this.tokens[this.at]
    if (token === undefined) throw new Unknown()
    this.at += 1
    return token
  }

  private expect(token: string) {
    if (this.next() !== token) throw new Unknown()
  }

  whole() {
    const children = this.until(() => false)
    if (this.peek() !== undefined) throw new Unknown()
    return row(children)
  }

  private until(isEnd: (token: string) => boolean) {
    const children: MathNode[] = []
    for (let token = this.peek(); token !== undefined && !isEnd(token); token = this.peek())
      children.push(this.scripted())
    return children
  }

  private group(): MathNode {
    if (this.peek() !== '{') return this.atom()
    this.next()
    const children = this.until((token) => token === '}')
    this.expect('}')
    return row(children)
  }

  private scripted(): MathNode {
    const base = this.atom()
    let below: MathNode | undefined
    let above: MathNode | undefined
    for (let token = this.peek(); token === '^' || token === '_' || token === "'"; token = this.peek()) {
      this.next()
      if (token === '_') below = this.group()
      else above = token === '^' ? this.group() : leaf('mo', '′')
    }
    const large = LARGE.has(base.text ?? '')
    if (below && above) return { tag: large ? 'munderover' : 'msubsup', children: [base, below, above] }
    if (below) return { tag: large ? 'munder' : 'msub', children: [base, below] }
    return above ? { tag: large ? 'mover' : 'msup', children: [base, above] } : base
  }

  private atom(): MathNode {
    const token = this.next()
    if (token === '{') {
      this.at -= 1
      return this.group()
    }
    if (token.startsWith('\\')) return this.command(token)
    if (/^[\^_}&]/.test(token)) throw new Unknown()
    if (/^\d/.test(token)) return leaf('mn', token)
    if (/^\p{Script=Han}/u.test(token)) return leaf('mtext', token)
    return /^\p{L}/u.test(token) ? leaf('mi', token) : leaf('mo', token === '-' ? '−' : token)
  }

  private command(token: string): MathNode {
    const words = /^\\(?:text|mathrm|operatorname)\s*\{([^{}]*)\}$/.exec(token)?.[1]
    if (words !== undefined) return leaf('mtext', words)
    const table = /^\\begin\{(\w+)\}$/.exec(token)?.[1]
    if (table !== undefined) return this.table(table)
    const name = token.slice(1)
    const width = of(spaces, name)
    if (width) return { tag: 'mspace', attributes: { width } }
    if (name === ' ') return { tag: 'mspace', attributes: { width: '0.28em' } }
    if (FUNCTIONS.has(name)) return leaf(LARGE.has(name) ? 'mo' : 'mi', name)
    const symbol = of(symbols, name)
    if (symbol) return leaf('mi', symbol)
    const operator = of(operators, name)
    if (operator) return leaf('mo', operator)
    const accent = of(accents, name)
    if (accent) return { tag: 'mover', children: [this.group(), leaf('mo', accent)] }
    if (name === 'frac' || name === 'dfrac' || name === 'tfrac') {
      return { tag: 'mfrac', children: [this.group(), this.group()] }
    }
    if (name === 'sqrt') return this.root()
    if (name === 'left') return this.fenced()
    throw new Unknown()
  }

  private root(): MathNode {
    if (this.peek() !== '[') return { tag: 'msqrt', children: [this.group()] }
    this.next()
    const degree = row(this.until((token) => token === ']'))
    this.expect(']')
    return { tag: 'mroot', children: [this.group(), degree] }
  }

  private fence() {
    const token = this.next()
    if (token === '.') return []
    return [leaf('mo', token.startsWith('\\') ? (of(operators, token.slice(1)) ?? token.slice(1)) : token)]
  }

  private fenced(): MathNode {
    const open = this.fence()
    const children = this.until((token) => token === '\\right')
    this.expect('\\right')
    return { tag: 'mrow', children: [...open, ...children, ...this.fence()] }
  }

  private table(name: string): MathNode {
    const [open, close] = of(fences, name) ?? []
    if (open === undefined || close === undefined) throw new Unknown()
    const end = `\\end{${name}}`
    const rows: MathNode[][] = [[]]
    const isEnd = (token: string) => token === '&' || token === '\\\\' || token === end
    for (;;) {
      rows.at(-1)?.push({ tag: 'mtd', children: this.until(isEnd) })
      const token = this.next()
      if (token === end) break
      if (token === '\\\\') rows.push([])
    }
    const table = { tag: 'mtable', children: rows.map((children) => ({ tag: 'mtr', children })) }
    const fence = (text: string) => (text ? [leaf('mo', text)] : [])
    return { tag: 'mrow', children: [...fence(open), table, ...fence(close)] }
  }
}

/** A formula to be drawn; none when it holds what is not known here. */
export const mathOf = (tex: string): MathNode | undefined => {
  if (!tex.trim()) return undefined
  try {
    return new Reader(tex).whole()
  } catch (error) {
    // A RangeError is of one that is nested too deep.
    if (error instanceof Unknown || error instanceof RangeError) return undefined
    throw error
  }
}
