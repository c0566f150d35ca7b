const UPPER = 'ABCDEFGHJKLMNPQRSTUVWXYZ'
const LOWER = 'abcdefghijkmnpqrstuvwxyz'
const DIGITS = '23456789'
const SYMBOLS = '@#%*-_+='
/** Twelve characters of all four kinds, without those that are easily confused. */
const KINDS = [UPPER, UPPER, LOWER, LOWER, LOWER, LOWER, LOWER, DIGITS, DIGITS, DIGITS, SYMBOLS, SYMBOLS]

/** A whole number below `limit`, each equally likely. */
const below = (limit: number): number => {
  const [byte = 0] = crypto.getRandomValues(new Uint8Array(1))
  const BYTES = 256
  return byte < BYTES - (BYTES % limit) ? byte % limit : below(limit)
}

/** A password that satisfies the rules, for somebody who sets another's. */
export const generatePassword = () => {
  const left = KINDS.map((kind) => kind[below(kind.length)] ?? '')
  let text = ''
  while (left.length > 0) text += left.splice(below(left.length), 1).join('')
  return text
}
