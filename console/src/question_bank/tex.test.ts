import { expect, it } from 'vitest'
import { type MathNode, mathOf } from './tex'

const written = (node: MathNode | undefined): string =>
  node === undefined
    ? '?'
    : `${node.tag}(${node.text ?? (node.children ?? []).map(written).join(' ')})`.replace(/^mspace\(\)$/, 'mspace')

it('reads what school books need', () => {
  expect(written(mathOf('x^2'))).toBe('msup(mi(x) mn(2))')
  expect(written(mathOf('\\frac{1}{2}'))).toBe('mfrac(mn(1) mn(2))')
  expect(written(mathOf('a_{i+1}^{2}'))).toBe('msubsup(mi(a) mrow(mi(i) mo(+) mn(1)) mn(2))')
  expect(written(mathOf('\\sqrt[3]{x}-1'))).toBe('mrow(mroot(mi(x) mn(3)) mo(−) mn(1))')
  expect(written(mathOf('\\sum_{i=1}^{n} i'))).toBe('mrow(munderover(mo(∑) mrow(mi(i) mo(=) mn(1)) mi(n)) mi(i))')
  expect(written(mathOf('\\left( \\alpha \\leq 1.5 \\right]'))).toBe('mrow(mo(() mi(α) mo(≤) mn(1.5) mo(]))')
  expect(written(mathOf('v=10 \\text{m/s 左右}'))).toBe('mrow(mi(v) mo(=) mn(10) mtext(m/s 左右))')
})

it('reads tables of numbers', () => {
  expect(written(mathOf('\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}'))).toBe(
    'mrow(mo(() mtable(mtr(mtd(mn(1)) mtd(mn(2))) mtr(mtd(mn(3)) mtd(mn(4)))) mo()))',
  )
})

it('answers nothing of what it does not know, nor of what is not closed', () => {
  expect(['', '\\unknown', '\\frac{1}', '{x', 'x}', 'x^', '\\begin{array}1\\end{array}'].map(mathOf)).toEqual(
    Array(7).fill(undefined),
  )
  expect(['\\constructor', '\\begin{constructor}1\\end{constructor}', '{'.repeat(100_000)].map(mathOf)).toEqual(
    Array(3).fill(undefined),
  )
})
