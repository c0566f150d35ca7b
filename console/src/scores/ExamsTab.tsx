import { classes, grades, levels, majors, semesters, sites } from '@/basic_data/choices'
import { courses } from '@/course_opening/choices'
import { SemesterFilter } from '@/course_opening/SemesterFilter'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { EnumFilter, OptionFilter, TextFilter, YesNoFilter } from '@/kit/filters'
import { points } from '@/kit/format'
import type { Choice } from '@/kit/OptionSelect'
import { QueryTable } from '@/kit/QueryTable'
import { useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { explainAchievement, exportExamScores, listExamScores } from './api'
import { ExplainDrawer } from './Explain'
import { markTones } from './scoreWords'

const columns = columnsOf(listExamScores, [
  { field: 'studentName', width: 110, fixed: 'left' },
  { field: 'studentNo', under: 'studentName' },
  { field: 'round', title: '性质', width: 90 },
  { field: 'courseName', width: 180 },
  { field: 'courseCode', under: 'courseName' },
  { field: 'setupName', width: 180 },
  {
    field: 'raw',
    width: 100,
    render: ({ raw, paperTotal }) =>
      raw === null || raw === undefined ? '—' : `${points(raw)} / ${points(paperTotal)}`,
  },
  { field: 'value', width: 90, render: ({ value }) => points(value) },
  { field: 'mark', title: '特殊情况', width: 90, tones: markTones },
  { field: 'total', width: 90, render: ({ total }) => points(total) },
  { field: 'source', title: '来源', width: 80 },
  { field: 'published', width: 80 },
  { field: 'enteredByName', width: 100 },
  { field: 'enteredAt', width: 170 },
  { field: 'className', width: 150 },
  { field: 'siteName', width: 140 },
  { field: 'gradeName', width: 100, hidden: true },
  { field: 'majorName', width: 150, hidden: true },
  { field: 'semesterName', width: 150, hidden: true },
])

/** 成绩明细 of examinations: each round, and what it came to. */
export const ExamsTab = ({ semester }: { semester: Choice | undefined }) => {
  const table = useQueryTable(listExamScores, { usual: { semesterId: semester?.code } })
  const explained = useDrawer<{ id: number; name: string }>()
  return (
    <>
      <FilterBar table={table}>
        <SemesterFilter of={listExamScores} field="semesterId" {...semesters} usual={semester} />
        <TextFilter of={listExamScores} field="keyword" label="学号或姓名" />
        <OptionFilter of={listExamScores} field="courseId" {...courses} />
        <OptionFilter of={listExamScores} field="classId" {...classes} />
        <EnumFilter of={listExamScores} field="round" />
        <EnumFilter of={listExamScores} field="mark" />
        <EnumFilter of={listExamScores} field="source" label="来源" />
        <YesNoFilter of={listExamScores} field="published" />
        <OptionFilter of={listExamScores} field="siteId" {...sites} />
        <OptionFilter of={listExamScores} field="gradeId" {...grades} />
        <OptionFilter of={listExamScores} field="levelId" {...levels} />
        <OptionFilter of={listExamScores} field="majorId" {...majors} />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={({ studentName, courseName }) => `${studentName}《${courseName}》`}
        tools={<ExportButton do={exportExamScores} table={table} />}
        actionsWidth={100}
        actions={(row) => [
          {
            label: '计算说明',
            do: explainAchievement,
            onClick: () => explained.open({ id: row.courseScoreId, name: `${row.studentName}《${row.courseName}》` }),
          },
        ]}
        empty="没有考试成绩。考试结束、成绩录入后在这里查看。"
      />
      <ExplainDrawer key={explained.key} {...explained.props} />
    </>
  )
}
