import { Space } from '@arco-design/web-react'
import { useState } from 'react'
import { isOverAll, useSchoolContext } from '@/api/schoolContext'
import { classes, grades, majors, semesters, sites } from '@/basic_data/choices'
import { courses } from '@/course_opening/choices'
import { SemesterFilter } from '@/course_opening/SemesterFilter'
import { bulkStep, step } from '@/kit/actions'
import { columnsOf } from '@/kit/columns'
import { DateInput } from '@/kit/DateInput'
import { useDraft } from '@/kit/draft'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { Labelled, NumberFilter, OptionFilter, TextFilter } from '@/kit/filters'
import { formatNumber, formatPercent } from '@/kit/format'
import { ImportButton } from '@/kit/ImportWizard'
import type { Choice } from '@/kit/OptionSelect'
import { QueryTable } from '@/kit/QueryTable'
import { TabList } from '@/kit/TabList'
import { useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import {
  exportStudyProgress,
  fetchStudyProgressImportTemplate,
  importStudyProgress,
  listStudyProgress,
  remindStudents,
  resetStudyProgress,
  viewStudyProgress,
} from './api'
import { LearnerFigures } from './LearnerFigures'
import { LearnerFile } from './LearnerFile'
import { ResetForm } from './ResetForm'
import { can, nameOf, type Progress } from './studyRules'

const columns = columnsOf(listStudyProgress, [
  { field: 'name', width: 110, fixed: 'left' },
  { field: 'studentNo', under: 'name' },
  { field: 'courseName', title: '课程', width: 180 },
  { field: 'courseCode', under: 'courseName' },
  { field: 'progress', title: '进度(%)', width: 84, render: ({ progress }) => formatPercent(progress) },
  {
    field: 'finishedPeriods',
    title: '已完成课时',
    width: 100,
    help: '已完成的必修课时 / 必修课时',
    render: ({ finishedPeriods, totalPeriods }) => `${finishedPeriods} / ${totalPeriods}`,
  },
  { field: 'studyMinutes', title: '学习时长(分钟)', width: 120 },
  { field: 'loginDays', title: '学习天数', width: 90 },
  { field: 'lastAt', title: '最近学习', width: 170 },
  { field: 'siteName', width: 130 },
  { field: 'className', title: '班级', width: 160 },
  { field: 'gradeName', width: 84, hidden: true },
  { field: 'majorName', width: 140, hidden: true },
  { field: 'semesterName', title: '学期', width: 150, hidden: true },
  { field: 'finishedAt', width: 170, hidden: true },
  { field: 'importedProgress', width: 120, hidden: true },
])

const DAY_LENGTH = 'YYYY-MM-DD'.length

/** 最近学习早于: whoever did not study since the beginning of a day. */
const LastBefore = () => {
  const draft = useDraft()
  const day = draft.valueOf('lastBefore')?.slice(0, DAY_LENGTH)
  return (
    <Labelled label="最近学习早于" fields={['lastBefore']} words={day}>
      <DateInput
        aria-label="最近学习早于"
        allowClear
        value={day}
        onChange={(chosen) => draft.set({ lastBefore: chosen ? `${chosen}T00:00:00+08:00` : undefined }, true)}
      />
    </Labelled>
  )
}

const LIST = 'list'
const FIGURES = 'figures'
const views = [
  [LIST, '名单'],
  [FIGURES, '统计图'],
] as const

/** 学习监控: who studies which course how far. */
export const Learners = ({ semester }: { semester: Choice | undefined }) => {
  const table = useQueryTable(listStudyProgress, { usual: { semesterId: semester?.code } })
  const reset = useDrawer<Progress>()
  const [chosen, setView] = useState<string>(LIST)
  // The figures are one school's.
  const overAll = isOverAll(useSchoolContext())
  const view = overAll ? LIST : chosen
  return (
    <>
      <FilterBar table={table}>
        <SemesterFilter of={listStudyProgress} field="semesterId" {...semesters} usual={semester} />
        <TextFilter of={listStudyProgress} field="keyword" label="姓名或号码" />
        <OptionFilter of={listStudyProgress} field="courseId" {...courses} />
        <OptionFilter of={listStudyProgress} field="classId" {...classes} />
        <OptionFilter of={listStudyProgress} field="siteId" {...sites} />
        <OptionFilter of={listStudyProgress} field="gradeId" {...grades} />
        <OptionFilter of={listStudyProgress} field="majorId" {...majors} />
        <NumberFilter of={listStudyProgress} field="progressFrom" />
        <NumberFilter of={listStudyProgress} field="progressTo" />
        <LastBefore />
      </FilterBar>
      {!overAll && <TabList label="学习监控" tabs={views} value={view} onChange={setView} />}
      {view === FIGURES ? (
        <LearnerFigures body={table.body} />
      ) : (
        <QueryTable
          table={table}
          columns={columns}
          nameOf={nameOf}
          tools={
            <Space size={4}>
              <ImportButton do={importStudyProgress} template={fetchStudyProgressImportTemplate} what="学习进度" />
              <ExportButton do={exportStudyProgress} table={table} />
            </Space>
          }
          bulk={[
            bulkStep(remindStudents, {
              label: '督促学习',
              confirm: (count) => ({
                title: `督促选中的${formatNumber(count)}名学生？`,
                content: '向学生发送学习提醒；已完成的和今日已督促过的会保留并说明原因。',
              }),
              input: (ids) => ({ body: { selectionIds: [...ids] } }),
            }),
          ]}
          file={(row) => <LearnerFile id={row.id} />}
          actionsWidth={150}
          actions={(row) => [
            { label: '明细', do: viewStudyProgress, onClick: () => table.open(row) },
            step(remindStudents, {
              label: '督促',
              disabled: can.remind(row),
              with: { body: { selectionIds: [row.id] } },
              done: `已督促${nameOf(row)}`,
            }),
            {
              label: '重置',
              do: resetStudyProgress,
              danger: true,
              disabled: can.reset(row),
              onClick: () => reset.open(row),
            },
          ]}
          empty="没有符合条件的学生。开课后，名单上的学生在这里显示学习进度。"
        />
      )}
      <ResetForm key={`reset-${reset.key}`} {...reset.props} />
    </>
  )
}
