interface Whose {
  semesterName: string
  gradeName?: string | null
  majorName?: string | null
  termNo?: number | null
}

/** What a rule of selection is called: 2026年春季学期 2026级 会计学 第1学期. */
export const ruleName = ({ semesterName, gradeName, majorName, termNo }: Whose) =>
  [semesterName, gradeName, majorName, termNo && `第${termNo}学期`].filter(Boolean).join(' ')
