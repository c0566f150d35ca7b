import { listOptions } from '@/api/infra'
import { allCourseOptions } from '@/courses/CourseSelect'
import { columnsOf } from '@/kit/columns'
import { FilterBar } from '@/kit/FilterBar'
import { EnumFilter, OptionFilter, TextFilter } from '@/kit/filters'
import { QueryTable } from '@/kit/QueryTable'
import { useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { listPaperSnapshots, printPaper, viewPaperSnapshot } from './api'
import { PaperPreview, type Printed } from './PaperSheet'

const columns = columnsOf(listPaperSnapshots, [
  { field: 'paperName', title: '试卷', width: 240, fixed: 'left' },
  { field: 'paperCode', title: '编号', width: 160, under: 'paperName' },
  { field: 'courseName', title: '课程', width: 180 },
  { field: 'kind', width: 90 },
  { field: 'variant', title: '卷别', width: 80 },
  {
    field: 'paperVersion',
    title: '版本',
    width: 90,
    render: ({ paperVersion }) => (paperVersion ? `第${paperVersion}版` : '—'),
  },
  { field: 'questionCount', title: '题数', width: 80 },
  { field: 'totalScore', title: '总分', width: 80, render: ({ totalScore }) => totalScore.toFixed(1) },
  { field: 'createdAt', title: '定稿时间', width: 180 },
  {
    field: 'sha256',
    title: '内容摘要',
    width: 150,
    hidden: true,
    help: '内容相同的试卷摘要相同',
    render: ({ sha256 }) => <code>{sha256.slice(0, 12)}</code>,
  },
])

/** 使用记录: papers as they were frozen when they were used; nothing of them ever changes. */
export const SnapshotList = () => {
  const table = useQueryTable(listPaperSnapshots)
  const preview = useDrawer<Printed>()
  const { record, ...drawer } = preview.props
  return (
    <>
      <FilterBar table={table}>
        <TextFilter of={listPaperSnapshots} field="keyword" label="编号或名称" />
        <OptionFilter
          of={listPaperSnapshots}
          field="courseId"
          label="课程"
          options={listOptions}
          query={allCourseOptions('course')}
        />
        <EnumFilter of={listPaperSnapshots} field="kind" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={({ paperName }) => paperName}
        actionsWidth={160}
        actions={({ id, paperName }) => [
          {
            label: '查看快照',
            do: viewPaperSnapshot,
            onClick: () => preview.open({ snapshotId: id, name: paperName }),
          },
          { label: '打印', do: printPaper, onClick: () => preview.open({ snapshotId: id, name: paperName }) },
        ]}
        empty="还没有使用记录。发布作业、安排考试或打印已通过的试卷时，试卷在这里定稿。"
      />
      <PaperPreview key={preview.key} {...drawer} printed={record} />
    </>
  )
}
