/** The numbers of a list with one of them moved to the place `to`. */
export const movedTo = (ids: readonly number[], id: number, to: number): number[] => {
  const from = ids.indexOf(id)
  return from < 0 ? [...ids] : ids.toSpliced(from, 1).toSpliced(to, 0, id)
}
