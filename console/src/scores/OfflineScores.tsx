import { Space } from '@arco-design/web-react'
import { useNavigate } from 'react-router'
import type { RowOf } from '@/api/operation'
import { classes, grades, levels, majors, semesters, sites, teachers } from '@/basic_data/choices'
import { courses } from '@/course_opening/choices'
import { allBatches } from '@/exams/choices'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { EnumFilter, NumberFilter, OptionFilter, TextFilter, YesNoFilter } from '@/kit/filters'
import { points } from '@/kit/format'
import { ImportButton } from '@/kit/ImportWizard'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { useQueryTable } from '@/kit/useQueryTable'
import { paths } from '@/paths'
import {
  exportOfflineScores,
  fetchOfflineScoreImportTemplate,
  importOfflineScores,
  listOfflineScores,
  listScoreSheetRows,
} from './api'
import { markTones, sheetTones } from './scoreWords'

type Score = RowOf<typeof listOfflineScores>

const ON_PAPER: readonly Score['source'][] = ['offline_entry', 'import']

const columns = columnsOf(listOfflineScores, [
  { field: 'studentName', width: 110, fixed: 'left' },
  { field: 'studentNo', under: 'studentName' },
  { field: 'sheetStatus', title: '状态', width: 84, fixed: 'left', tones: sheetTones },
  { field: 'courseName', width: 180 },
  { field: 'className', width: 150 },
  { field: 'batchName', width: 170 },
  { field: 'round', title: '性质', width: 90 },
  { field: 'roomNo', width: 80 },
  { field: 'seatNo', width: 70 },
  {
    field: 'raw',
    width: 100,
    render: ({ raw, paperTotal }) =>
      raw === null || raw === undefined ? '—' : `${points(raw)} / ${points(paperTotal)}`,
  },
  { field: 'mark', title: '特殊情况', width: 90, tones: markTones },
  { field: 'sheetNo', width: 140 },
  { field: 'source', title: '来源', width: 80 },
  { field: 'enteredByName', width: 100 },
  { field: 'enteredAt', width: 170 },
])

const nameOf = ({ studentName, courseName }: Score) => `${studentName}《${courseName}》`

/** 线下成绩: what was written on paper, over all sheets. */
export const OfflineScores = () => {
  const table = useQueryTable(listOfflineScores)
  const navigate = useNavigate()
  return (
    <>
      <FilterBar table={table}>
        <OptionFilter of={listOfflineScores} field="batchId" {...allBatches} />
        <OptionFilter of={listOfflineScores} field="courseId" {...courses} />
        <OptionFilter of={listOfflineScores} field="classId" {...classes} />
        <TextFilter of={listOfflineScores} field="keyword" label="学号或姓名" />
        <EnumFilter of={listOfflineScores} field="round" label="性质" />
        <EnumFilter of={listOfflineScores} field="mark" label="特殊情况" />
        <EnumFilter of={listOfflineScores} field="sheetStatus" label="登记表状态" />
        <NumberFilter of={listOfflineScores} field="rawFrom" />
        <NumberFilter of={listOfflineScores} field="rawTo" />
        <OptionFilter of={listOfflineScores} field="semesterId" {...semesters} />
        <OptionFilter of={listOfflineScores} field="siteId" {...sites} />
        <OptionFilter of={listOfflineScores} field="gradeId" {...grades} />
        <OptionFilter of={listOfflineScores} field="levelId" {...levels} />
        <OptionFilter of={listOfflineScores} field="majorId" {...majors} />
        <OptionFilter of={listOfflineScores} field="teacherId" {...teachers} />
        <EnumFilter of={listOfflineScores} field="source" label="来源" only={ON_PAPER} />
        <YesNoFilter of={listOfflineScores} field="overdue" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={nameOf}
        tools={
          <Space size={4}>
            <ImportButton do={importOfflineScores} template={fetchOfflineScoreImportTemplate} what="线下成绩" />
            <ExportButton do={exportOfflineScores} table={table} />
          </Space>
        }
        actionsWidth={110}
        actions={(row) => [
          {
            label: '查看登记表',
            do: listScoreSheetRows,
            disabled: row.sheetId ? undefined : '没有登记表',
            onClick: () => navigate(`${paths.enteredScores}?sheetId=${row.sheetId}`),
          },
        ]}
        empty="还没有线下成绩。在登记表中录入，或导入卷面成绩。"
      />
    </>
  )
}

export const OfflineScoresPage = () => (
  <Page title="线下成绩" help="笔试、口试等线下考试录入和导入的卷面成绩；导入的成绩进入登记表。" personal>
    <OfflineScores />
  </Page>
)
