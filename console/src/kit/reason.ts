/** How much is typed of why something is done. */
export interface LengthOfReason {
  /** So many characters it has at the least. */
  least: number
  /** It may be left out. */
  optional: boolean
}

/** Why what was typed is no reason; blanks around it do not count. */
export const reasonRefusal = (value: unknown, label: string, { least, optional }: LengthOfReason) => {
  const { length } = [...(typeof value === 'string' ? value.trim() : '')]
  if (length === 0) return optional ? undefined : `请填写${label}`
  return length < least ? `${label}至少${least}个字符` : undefined
}
