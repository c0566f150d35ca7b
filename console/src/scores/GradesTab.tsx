import { Button } from '@arco-design/web-react'
import { useNavigate } from 'react-router'
import { classes, grades, majors, sites } from '@/basic_data/choices'
import { exportGraduationScores, listGraduationScores } from '@/graduation_grades/api'
import { gradeTones } from '@/graduation_grades/gradeWords'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { EnumFilter, OptionFilter, TextFilter, YesNoFilter } from '@/kit/filters'
import { points } from '@/kit/format'
import { QueryTable } from '@/kit/QueryTable'
import { useQueryTable } from '@/kit/useQueryTable'

/** The kinds of scores that a thesis is made of. */
export type GradeKind = 'thesis' | 'review' | 'defense' | 'graduation_total'

const head = columnsOf(listGraduationScores, [
  { field: 'studentName', width: 110, fixed: 'left' },
  { field: 'studentNo', under: 'studentName' },
  { field: 'status', title: '状态', width: 84, fixed: 'left', tones: gradeTones },
  { field: 'title', width: 240 },
  { field: 'adviserName', width: 100 },
])

const parts: Record<GradeKind, typeof head> = {
  thesis: columnsOf(listGraduationScores, [
    { field: 'thesisScore', width: 90, render: ({ thesisScore }) => points(thesisScore) },
    { field: 'thesisComment', width: 220 },
    { field: 'thesisByName', width: 110 },
  ]),
  review: columnsOf(listGraduationScores, [
    { field: 'reviewScore', width: 90, render: ({ reviewScore }) => points(reviewScore) },
    { field: 'reviewerNames', width: 160 },
    { field: 'reviewOpinion', width: 120 },
    { field: 'reviewComment', width: 220 },
  ]),
  defense: columnsOf(listGraduationScores, [
    { field: 'defenseScore', width: 90, render: ({ defenseScore }) => points(defenseScore) },
    { field: 'defenseGroupName', width: 120 },
    { field: 'memberScores', width: 160 },
    { field: 'defenseResult', width: 100 },
    { field: 'defenseComment', width: 220 },
  ]),
  graduation_total: columnsOf(listGraduationScores, [
    { field: 'internshipScore', width: 90, render: ({ internshipScore }) => points(internshipScore) },
    { field: 'thesisScore', width: 90, render: ({ thesisScore }) => points(thesisScore) },
    { field: 'reviewScore', width: 90, render: ({ reviewScore }) => points(reviewScore) },
    { field: 'defenseScore', width: 90, render: ({ defenseScore }) => points(defenseScore) },
    { field: 'total', width: 80, render: ({ total }) => points(total) },
    { field: 'gradeWord', width: 90 },
    { field: 'veto', width: 160 },
  ]),
}

const tail = columnsOf(listGraduationScores, [
  { field: 'majorName', width: 150 },
  { field: 'className', width: 150 },
  { field: 'siteName', width: 140 },
  { field: 'semesterName', width: 150, hidden: true },
])

interface GradesTabProps {
  kind: GradeKind
  /** Where they are entered. */
  place: string
  label: string
}

/** 成绩明细 of theses, to be read: they are entered, reviewed and published in 毕业成绩. */
export const GradesTab = ({ kind, place, label }: GradesTabProps) => {
  const usual = kind === 'graduation_total' ? {} : { part: kind }
  const table = useQueryTable(listGraduationScores, { usual })
  const navigate = useNavigate()
  return (
    <>
      <FilterBar table={table}>
        <TextFilter of={listGraduationScores} field="keyword" label="学号、姓名或题目" />
        <YesNoFilter of={listGraduationScores} field="entered" />
        <EnumFilter of={listGraduationScores} field="status" label="状态" />
        <OptionFilter of={listGraduationScores} field="majorId" {...majors} />
        <OptionFilter of={listGraduationScores} field="gradeId" {...grades} />
        <OptionFilter of={listGraduationScores} field="classId" {...classes} />
        <OptionFilter of={listGraduationScores} field="siteId" {...sites} />
      </FilterBar>
      <QueryTable
        table={table}
        columns={[...head, ...parts[kind], ...tail]}
        nameOf={({ studentName }) => studentName}
        primary={<Button onClick={() => navigate(place)}>录入{label}</Button>}
        tools={<ExportButton do={exportGraduationScores} table={table} />}
        empty="没有毕业论文成绩。选了毕业论文课程的学生在这里列出。"
      />
    </>
  )
}
