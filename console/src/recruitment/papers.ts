/** 材料 of a person; a school's own file fields stand beside these, under their keys. */
export const paperKinds: readonly (readonly [kind: string, label: string])[] = [
  ['id_front', '证件人像面'],
  ['id_back', '证件国徽面'],
  ['diploma', '毕业证书'],
  ['other', '其他材料'],
]

/** The kind of which there may be several. */
export const OTHER = 'other'
