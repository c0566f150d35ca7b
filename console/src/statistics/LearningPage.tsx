import { Descriptions, Empty, Space, Table } from '@arco-design/web-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { BodyOf, RowOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import { classes, grades, levels, majors, semesters, sites } from '@/basic_data/choices'
import { courses } from '@/course_opening/choices'
import { columnsOf, show } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { DateRangeFilter, EnumFilter, OptionFilter, SelectFilter, TextFilter, YesNoFilter } from '@/kit/filters'
import { formatPercent, formatSpan } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { fieldOf } from '@/kit/labels'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { SchoolFirst } from '@/kit/SchoolFirst'
import { TabList } from '@/kit/TabList'
import { filterOf } from '@/kit/useFileOf'
import { usePageTab } from '@/kit/usePageTab'
import { useQueryTable } from '@/kit/useQueryTable'
import { Watermark } from '@/kit/Watermark'
import {
  chartLearningRecords,
  exportLearningRecords,
  listLearningDays,
  listLearningRecords,
  viewLearningRecord,
} from './api'
import { RefreshFigures } from './RefreshFigures'
import { StatDrawings } from './StatFigures'

type Asked = BodyOf<typeof listLearningRecords>
type Detail = RowOf<typeof viewLearningRecord>

const devices = { pc: '电脑', mobile: '手机', tablet: '平板', mini_program: '小程序' }
const deviceWord = (device: string) => Object.entries(devices).find(([value]) => value === device)?.[1] ?? device

const columns = columnsOf(listLearningRecords, [
  { field: 'name', width: 110, fixed: 'left' },
  { field: 'studentNo', under: 'name' },
  { field: 'courseName', title: '课程', width: 170 },
  { field: 'periodTitle', title: '课时', width: 170 },
  { field: 'chapterTitle', title: '章节', width: 150 },
  { field: 'startedAt', title: '开始', width: 170 },
  { field: 'endedAt', title: '结束', width: 170 },
  { field: 'creditedSeconds', title: '计入时长', width: 110, render: (row) => formatSpan(row.creditedSeconds) },
  { field: 'rejectedSeconds', title: '拒计时长', width: 110, render: (row) => formatSpan(row.rejectedSeconds) },
  { field: 'progress', title: '课时进度', width: 90, render: ({ progress }) => formatPercent(progress) },
  { field: 'device', width: 80, render: ({ device }) => deviceWord(device) },
  { field: 'ip', title: 'IP', width: 140 },
  { field: 'siteName', title: '站点', width: 140 },
  { field: 'className', title: '班级', width: 160 },
])

const ofDays = columnsOf(listLearningDays, [
  { field: 'date', width: 120, fixed: 'left' },
  { field: 'name', width: 110 },
  { field: 'studentNo', under: 'name' },
  { field: 'courseName', title: '课程', width: 180 },
  { field: 'creditedSeconds', title: '计入时长', width: 110, render: (row) => formatSpan(row.creditedSeconds) },
  { field: 'rejectedSeconds', title: '拒计时长', width: 110, render: (row) => formatSpan(row.rejectedSeconds) },
  { field: 'sessions', width: 80 },
  { field: 'periodsFinished', width: 100 },
  { field: 'progress', title: '当日进度', width: 90, render: ({ progress }) => formatPercent(progress) },
  { field: 'siteName', title: '站点', width: 140, help: '学习当日所在的站点' },
  { field: 'className', title: '班级', width: 160, help: '学习当日所在的班级' },
])

const DAYS = 'days'
const CHARTS = 'charts'
const RECORDS = 'records'
const tabs = [
  [RECORDS, '学习记录'],
  [DAYS, '按天汇总'],
  [CHARTS, '统计图'],
] as const

const Filters = ({ table }: { table: Parameters<typeof FilterBar>[0]['table'] }) => (
  <FilterBar table={table}>
    <TextFilter of={listLearningRecords} field="keyword" label="姓名或号码" />
    <DateRangeFilter of={listLearningRecords} from="from" to="to" label="日期" />
    <OptionFilter of={listLearningRecords} field="courseId" {...courses} />
    <OptionFilter of={listLearningRecords} field="classId" {...classes} />
    <OptionFilter of={listLearningRecords} field="siteId" {...sites} />
    <OptionFilter of={listLearningRecords} field="semesterId" {...semesters} />
    <OptionFilter of={listLearningRecords} field="gradeId" {...grades} />
    <OptionFilter of={listLearningRecords} field="levelId" {...levels} />
    <OptionFilter of={listLearningRecords} field="majorId" {...majors} />
    <EnumFilter of={listLearningRecords} field="studyForm" />
    <SelectFilter
      of={listLearningRecords}
      field="device"
      options={Object.entries(devices).map(([value, label]) => ({ value, label }))}
    />
    <YesNoFilter of={listLearningRecords} field="abnormal" />
  </FilterBar>
)

const facts = [
  'studentNo',
  'className',
  'courseName',
  'chapterTitle',
  'periodTitle',
  'startedAt',
  'endedAt',
  'ip',
] as const

const Segments = ({ segments }: { segments: Detail['segments'] }) => (
  <Table
    rowKey="from"
    size="small"
    border={{ wrapper: true }}
    pagination={{ pageSize: 10, hideOnSinglePage: true }}
    data={[...segments]}
    noDataElement={<Empty description="该课时还没有已观看的片段" />}
    columns={[
      { title: '起点(秒或页)', dataIndex: 'from', align: 'right' },
      { title: '终点(秒或页)', dataIndex: 'to', align: 'right' },
    ]}
  />
)

/** A session, and what of its period was watched by now. */
const Session = ({ id }: { id: number }) => {
  const request = useRequest()
  const query = useQuery({
    queryKey: [viewLearningRecord.path, id],
    queryFn: ({ signal }) => request(viewLearningRecord, { query: { id } }, { signal }),
  })
  return (
    <Loaded query={query}>
      {(detail) => (
        <>
          <Descriptions
            column={2}
            labelStyle={{ width: 110 }}
            data={[
              ...facts.map((field) => ({
                key: field,
                label: fieldOf(viewLearningRecord, field).label,
                value: show(viewLearningRecord, field, detail[field], undefined),
              })),
              { key: 'credited', label: '计入时长', value: formatSpan(detail.creditedSeconds) },
              { key: 'rejected', label: '拒计时长', value: formatSpan(detail.rejectedSeconds) },
              { key: 'device', label: '设备', value: deviceWord(detail.device) },
              { key: 'progress', label: '课时进度', value: formatPercent(detail.progress) },
            ]}
          />
          <h3>已观看片段</h3>
          <Segments segments={detail.segments} />
          <p className="form-hint">拒计是播放器申报而超出服务器计时、或跳到未学部分的秒数。</p>
          <Watermark />
        </>
      )}
    </Loaded>
  )
}

const Records = () => {
  const table = useQueryTable(listLearningRecords)
  return (
    <>
      <Filters table={table} />
      <QueryTable
        table={table}
        columns={columns}
        nameOf={({ name, periodTitle }) => `${name} ${periodTitle}`}
        file={(row) => <Session id={row.id} />}
        actionsWidth={90}
        actions={(row) => [{ label: '明细', do: viewLearningRecord, onClick: () => table.open(row) }]}
        tools={
          <Space size={4}>
            <RefreshFigures screen="learning_records" told={undefined} />
            <ExportButton do={exportLearningRecords} table={table} />
          </Space>
        }
        empty="这段时间没有学习记录；默认显示最近7天。"
      />
    </>
  )
}

const Days = () => {
  const table = useQueryTable(listLearningDays)
  return (
    <>
      <Filters table={table} />
      <QueryTable
        // A selection stands on many days: here a row is named by its place.
        table={{ ...table, rows: table.rows.map((row, at) => ({ ...row, id: at + 1 })) }}
        columns={ofDays}
        nameOf={({ name, date }) => `${name} ${date}`}
        tools={<RefreshFigures screen="learning_records" told={undefined} />}
        empty="这段时间没有学习；默认显示最近7天。"
      />
    </>
  )
}

const Charts = () => {
  const table = useQueryTable(listLearningDays)
  const request = useRequest()
  const filter: Asked = filterOf(table.body)
  const query = useQuery({
    queryKey: [chartLearningRecords.path, filter],
    queryFn: ({ signal }) => request(chartLearningRecords, { body: filter }, { signal }),
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <Filters table={table} />
      <StatDrawings query={query} />
    </>
  )
}

/** 学习记录: who studied what and when, session by session (05 A5). Of one school. */
export const LearningPage = () => {
  const [asked, setTab] = usePageTab()
  const tab = tabs.find(([value]) => value === asked)?.[0] ?? RECORDS
  return (
    <SchoolFirst title="学习记录">
      <Page title="学习记录" help="学生每次学习的时间、计入与拒计的时长；一次最多查看92天。" personal>
        <div className="list-tabs">
          <TabList
            label="学习记录"
            tabs={tabs}
            value={tab}
            onChange={(next) => setTab(next === RECORDS ? undefined : next)}
          />
        </div>
        {tab === RECORDS && <Records />}
        {tab === DAYS && <Days />}
        {tab === CHARTS && <Charts />}
      </Page>
    </SchoolFirst>
  )
}
