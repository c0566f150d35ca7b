import { Descriptions, Empty, Table } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAllowed } from '@/api/identity'
import { useRequest } from '@/api/schoolContext'
import { show } from '@/kit/columns'
import { formatTime } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { fieldOf, labelOf } from '@/kit/labels'
import { TabList } from '@/kit/TabList'
import { Watermark } from '@/kit/Watermark'
import { historyOf } from '@/logs/RecordHistory'
import { listMarking, listStudentHomework, viewSheet, viewStudentHomework } from './api'
import { score, type WorkView, workTones } from './homeworkRules'
import { SheetFile } from './SheetFile'
import { WhyScore } from './WhyScore'

const trail = historyOf(viewStudentHomework, 'homework_student')

const facts = [
  'studentNo',
  'name',
  'className',
  'siteName',
  'courseName',
  'title',
  'attemptsUsed',
  'extraAttempts',
  'extendedUntil',
  'exemptReason',
  'submittedAt',
  'late',
  'markedByName',
] as const

type Sheet = WorkView['sheets'][number]

const Sheets = ({ sheets }: { sheets: readonly Sheet[] }) => (
  <Table
    rowKey="id"
    size="small"
    border={{ wrapper: true }}
    pagination={false}
    data={[...sheets]}
    noDataElement={<Empty description="还没有作答" />}
    columns={[
      { title: '次数', width: 60, dataIndex: 'attemptNo' },
      {
        title: '状态',
        width: 84,
        render: (_: unknown, row: Sheet) => labelOf(listMarking, 'markState', row.markState),
      },
      { title: '开始时间', width: 160, render: (_: unknown, row: Sheet) => formatTime(row.startedAt) },
      { title: '提交时间', width: 160, render: (_: unknown, row: Sheet) => formatTime(row.submittedAt) },
      { title: '迟交', width: 60, render: (_: unknown, row: Sheet) => (row.late ? '是' : '否') },
      { title: '客观分', width: 80, align: 'right', render: (_: unknown, row: Sheet) => score(row.objectiveScore) },
      { title: '主观分', width: 80, align: 'right', render: (_: unknown, row: Sheet) => score(row.subjectiveScore) },
      { title: '得分', width: 80, align: 'right', render: (_: unknown, row: Sheet) => score(row.totalScore) },
      { title: '退回原因', render: (_: unknown, row: Sheet) => row.returnReason ?? '—' },
    ]}
  />
)

const Attempts = ({ sheets }: { sheets: readonly Sheet[] }) => {
  const seen = sheets.filter(({ markState }) => markState !== 'in_progress' && markState !== 'void')
  const [chosen, setChosen] = useState<string>()
  const id = chosen ?? String(seen.at(-1)?.id ?? '')
  if (seen.length === 0) return null
  return (
    <>
      <TabList
        label="答卷"
        tabs={seen.map((sheet) => [String(sheet.id), `第${sheet.attemptNo}次答卷`] as const)}
        value={id}
        onChange={setChosen}
      />
      <SheetFile key={id} id={Number(id)} />
    </>
  )
}

/** 查看答卷: a student's attempts at a homework, and what they come to. */
export const WorkFile = ({ id }: { id: number }) => {
  const request = useRequest()
  const maySee = useAllowed()(viewSheet)
  const query = useQuery({
    queryKey: [viewStudentHomework.path, id],
    queryFn: ({ signal }) => request(viewStudentHomework, { query: { homeworkStudentId: id } }, { signal }),
  })
  return (
    <Loaded query={query}>
      {(view) => (
        <>
          <Descriptions
            column={2}
            labelStyle={{ width: 110 }}
            data={[
              { key: 'state', label: '状态', value: show(listStudentHomework, 'state', view.state, workTones) },
              { key: 'score', label: '得分/总分', value: `${score(view.finalRaw)} / ${score(view.totalScore)}` },
              { key: 'finalScore', label: '折百分', value: score(view.finalScore) },
              { key: 'courseScore', label: '该课程作业成绩', value: score(view.courseScore) },
              ...facts.map((field) => ({
                key: field,
                label: fieldOf(listStudentHomework, field).label,
                value: show(listStudentHomework, field, view[field], undefined),
              })),
            ]}
          />
          <h3>作答记录</h3>
          <Sheets sheets={view.sheets} />
          {view.sheets.some(({ markState }) => markState === 'marked') && <WhyScore key={id} id={id} />}
          {maySee && <Attempts sheets={view.sheets} />}
          {trail(view)}
          <Watermark />
        </>
      )}
    </Loaded>
  )
}
