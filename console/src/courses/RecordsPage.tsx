import { Button } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useNavigate } from 'react-router'
import { listOptions } from '@/api/infra'
import type { RowOf } from '@/api/operation'
import { bulkStep, step } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { EnumFilter, OptionFilter, TextFilter } from '@/kit/filters'
import { formatSpan } from '@/kit/format'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { RichTextView } from '@/kit/RichTextView'
import { askRemoval } from '@/kit/steps'
import { undoBy } from '@/kit/undo'
import { useDrawer } from '@/kit/useDrawer'
import { usePlaces } from '@/kit/usePlaces'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import {
  changeCourseRecordStatus,
  copyCourseRecord,
  deleteCourseRecord,
  deleteCourseRecords,
  editCourseRecord,
  exportCourseRecords,
  importPlatformCourse,
  listChapters,
  listCourseRecords,
  saveCourseRecord,
  setDefaultCourseRecord,
  viewCourseRecord,
} from './api'
import { allCourseOptions } from './CourseSelect'
import { TakeOver } from './TakeOver'

const columns = columnsOf(listCourseRecords, [
  { field: 'name', width: 220, fixed: 'left' },
  { field: 'status', width: 90, fixed: 'left', tones: { draft: 'busy', published: 'good', off_shelf: 'quiet' } },
  { field: 'courseName', title: '课程', width: 190, render: (record) => `${record.courseCode} ${record.courseName}` },
  { field: 'lecturerName', width: 90 },
  { field: 'versionNo', title: '版本', width: 80, render: (record) => `第${record.versionNo}版` },
  { field: 'isDefault', width: 70 },
  {
    field: 'periodCount',
    title: '课时',
    width: 90,
    help: '就绪/全部；音视频转码完成即为就绪，文档、直播、链接总是就绪',
    render: (record) => `${record.readyCount} / ${record.periodCount}`,
  },
  {
    field: 'totalSeconds',
    title: '总时长',
    width: 110,
    render: (record) => (record.totalSeconds > 0 ? formatSpan(record.totalSeconds) : '—'),
  },
  'updatedAt',
  { field: 'source', hidden: true },
  {
    field: 'introduction',
    width: 260,
    hidden: true,
    render: ({ introduction }) => (introduction ? <RichTextView html={introduction} /> : '—'),
  },
])

/** A draft goes with its periods. */
const withPeriods = ({ status, periodCount }: RowOf<typeof listCourseRecords>) =>
  status === 'draft' && periodCount > 0 ? `其中的${periodCount}个课时一并删除。` : ''

/** What was on the shelf, or had been there, goes back; a draft that was put there is none any more. */
const turned = ({ id, status, version }: RowOf<typeof listCourseRecords>) =>
  status === 'draft' ? undefined : undoBy(changeCourseRecordStatus, { body: { id, status, version: version + 1 } })

/** 课程资源: recorded material, one set a lecturer and edition. */
export const RecordsPage = () => {
  const table = useQueryTable(listCourseRecords)
  const navigate = useNavigate()
  const places = usePlaces()
  const taking = useDrawer<undefined>()
  return (
    <Page title="课程资源" help="一门课程可有多套录播资源，其中一套为默认；章节属于课程，更换资源时不受影响。">
      <FilterBar table={table}>
        <OptionFilter
          of={listCourseRecords}
          field="courseId"
          options={listOptions}
          query={allCourseOptions('course')}
        />
        <TextFilter of={listCourseRecords} field="name" />
        <TextFilter of={listCourseRecords} field="lecturerName" />
        <EnumFilter of={listCourseRecords} field="source" />
        <EnumFilter of={listCourseRecords} field="status" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(record) => record.name}
        primary={
          <Can do={saveCourseRecord}>
            <Button type="primary" icon={<IconPlus />} onClick={() => navigate(places('courseRecordAdd'))}>
              新增资源
            </Button>
          </Can>
        }
        tools={
          <>
            <Can do={importPlatformCourse}>
              <Button onClick={() => taking.open()}>引用平台课程</Button>
            </Can>
            <ExportButton do={exportCourseRecords} table={table} />
          </>
        }
        bulk={[
          bulkStep(deleteCourseRecords, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('课程资源'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        detail={historyOf(viewCourseRecord, 'course_record')}
        actionsWidth={190}
        actions={(record) => [
          {
            label: '章节',
            do: listChapters,
            onClick: () => navigate(places('courseChapters', { courseId: record.courseId, recordId: record.id })),
          },
          {
            label: '编辑',
            do: editCourseRecord,
            onClick: () => navigate(places('courseRecordEdit', { id: record.id })),
          },
          record.status === 'published'
            ? step(changeCourseRecordStatus, {
                label: '下架',
                with: { body: { id: record.id, status: 'off_shelf', version: record.version } },
                confirm: { title: `下架“${record.name}”？`, content: '学员将不能再学习该资源。' },
                done: `已下架“${record.name}”`,
                undo: () => turned(record),
              })
            : step(changeCourseRecordStatus, {
                label: '上架',
                with: { body: { id: record.id, status: 'published', version: record.version } },
                disabled: record.periodCount === 0 ? '请先在“章节”中添加课时' : undefined,
                done: `已上架“${record.name}”`,
                undo: () => turned(record),
              }),
          step(setDefaultCourseRecord, {
            label: '设为默认',
            with: { body: { id: record.id } },
            disabled: record.isDefault ? '已是默认资源' : undefined,
            done: `已将“${record.name}”设为默认`,
          }),
          step(copyCourseRecord, {
            label: '复制为新版本',
            with: { body: { id: record.id } },
            confirm: { title: `复制“${record.name}”为新版本？`, content: '新版本为草稿，课时一并复制。' },
            done: `已复制“${record.name}”`,
          }),
          step(deleteCourseRecord, {
            label: '删除',
            danger: true,
            with: { query: { id: record.id } },
            confirm: {
              title: `确定删除“${record.name}”吗？`,
              content: `${withPeriods(record)}删除后不能恢复。`,
            },
            done: `已删除“${record.name}”`,
          }),
        ]}
        empty="还没有课程资源。点击“新增资源”，再到“章节”中添加课时。"
      />
      <TakeOver key={taking.key} {...taking.props} />
    </Page>
  )
}
