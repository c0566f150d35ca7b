import { expect, it } from 'vitest'
import { moved, type Placed } from './treeOrder'

const units = (...numbers: number[]): Placed[] => numbers.map((sortNo, at) => ({ id: at + 1, sortNo }))
const move = (numbers: number[], id: number, to: number) =>
  moved(units(...numbers), id, to).map(({ unit, sortNo }) => [unit.id, sortNo])
/** The ids in their new order, as the server sorts them. */
const order = (numbers: number[], id: number, to: number) => {
  const changes = new Map(moved(units(...numbers), id, to).map(({ unit, sortNo }) => [unit.id, sortNo]))
  return units(...numbers)
    .map((unit) => ({ id: unit.id, sortNo: changes.get(unit.id) ?? unit.sortNo }))
    .sort((a, b) => a.sortNo - b.sortNo || a.id - b.id)
    .map((unit) => unit.id)
}

it('writes one number where the neighbours leave room', () => {
  expect(move([10, 20, 30], 3, 1)).toEqual([[3, 15]])
  expect(move([10, 20, 30], 1, 2)).toEqual([[1, 40]])
  expect(move([10, 20, 30], 3, 0)).toEqual([[3, 4]])
})

it('numbers anew where there is none, and writes only what differs', () => {
  expect(order([0, 0, 0], 3, 0)).toEqual([3, 1, 2])
  expect(move([0, 0, 0], 3, 0)).toEqual([
    [3, 10],
    [1, 20],
    [2, 30],
  ])
  expect(order([9998, 9999], 1, 1)).toEqual([2, 1])
})

it('puts every unit at every place', () => {
  for (const numbers of [
    [0, 0, 0, 0],
    [10, 20, 30, 40],
    [1, 2, 3, 4],
    [0, 0, 5, 5],
    [9996, 9997, 9998, 9999],
  ]) {
    for (const id of [1, 2, 3, 4]) {
      for (const to of [0, 1, 2, 3]) {
        const wanted = [1, 2, 3, 4].filter((other) => other !== id)
        wanted.splice(to, 0, id)
        expect(order(numbers, id, to), `${numbers} ${id} to ${to}`).toEqual(wanted)
      }
    }
  }
})

it('leaves who stays', () => {
  expect(move([10, 20], 1, 0)).toEqual([])
  expect(move([10, 20], 7, 0)).toEqual([])
})
