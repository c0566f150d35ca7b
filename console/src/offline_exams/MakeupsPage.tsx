import { Empty, Form, InputNumber, Modal, Radio, Table } from '@arco-design/web-react'
import { useState } from 'react'
import { classes, grades, levels, majors, semesters, sites } from '@/basic_data/choices'
import { courses } from '@/course_opening/choices'
import { allBatches, batches, sessionsOf, setupsOf } from '@/exams/choices'
import { columnsOf } from '@/kit/columns'
import { DateTimeInput } from '@/kit/DateTimeInput'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { FormDrawer } from '@/kit/FormDrawer'
import { EnumFilter, OptionFilter, SelectFilter, TextFilter } from '@/kit/filters'
import { formAction } from '@/kit/formAction'
import { formatNumber, formatTenths } from '@/kit/format'
import { withZone } from '@/kit/moments'
import { OptionSelect } from '@/kit/OptionSelect'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { Word } from '@/kit/Status'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { exportMakeupCandidates, listMakeupCandidates, makeMakeupSetups } from './api'
import { linesOf, type Made, type Makeup } from './offlineRules'

const columns = columnsOf(listMakeupCandidates, [
  { field: 'name', width: 110, fixed: 'left' },
  { field: 'studentNo', under: 'name' },
  { field: 'kind', width: 84, fixed: 'left' },
  {
    field: 'arranged',
    width: 200,
    render: ({ arranged }) => (arranged ? <Word tone="good">已安排：{arranged}</Word> : <Word>未安排</Word>),
  },
  { field: 'courseName', title: '课程', width: 180 },
  { field: 'courseCode', under: 'courseName' },
  { field: 'className', title: '班级', width: 150 },
  { field: 'siteName', title: '站点', width: 130 },
  { field: 'credits', width: 66, render: ({ credits }) => formatTenths(credits) },
  { field: 'total', width: 80, render: ({ total }) => (typeof total === 'number' ? formatTenths(total) : '—') },
  { field: 'used', width: 100 },
  { field: 'left', width: 90 },
])

/** Where each course goes: a session, a time on the net, or a draft that is there. */
interface Place {
  sessionId?: number
  startsAt?: string
  endsAt?: string
  durationMinutes?: number
  setupId?: number
}

interface Wanted {
  rows: readonly Makeup[]
  batchId: number | undefined
  done: (made: Made) => void
}

interface Values {
  batchId?: number
  mode?: string
  places?: Record<string, Place>
}

interface PlacesProps {
  rows: readonly Makeup[]
  value?: Record<string, Place>
  onChange?: (places: Record<string, Place>) => void
}

type Line = ReturnType<typeof linesOf>[number]

/** One line a course: how many, in which session, or with which examination. */
const Places = ({ rows, value = {}, onChange }: PlacesProps) => {
  const { form } = Form.useFormContext()
  const batchId: number | undefined = Form.useWatch('batchId', form)
  const mode: string | undefined = Form.useWatch('mode', form)
  const nameOf = (courseId: number) => rows.find((row) => row.courseId === courseId)?.courseName ?? ''
  const keyOf = ({ courseId, semesterId }: Line) => `${courseId}-${semesterId}`
  const set = (line: Line, next: Place) => onChange?.({ ...value, [keyOf(line)]: { ...value[keyOf(line)], ...next } })
  return (
    <Table
      rowKey={keyOf}
      size="small"
      border={{ wrapper: true }}
      pagination={{ pageSize: 10, hideOnSinglePage: true }}
      data={linesOf(rows)}
      columns={[
        { title: '课程', render: (_: unknown, line: Line) => nameOf(line.courseId) },
        {
          title: '人数',
          width: 70,
          align: 'right',
          render: (_: unknown, line: Line) => formatNumber(line.selectionIds.length),
        },
        {
          title: '加入已有的草稿',
          width: 220,
          render: (_: unknown, line: Line) => (
            <OptionSelect
              label={`${nameOf(line.courseId)}加入的考试`}
              placeholder="新建"
              {...setupsOf(batchId)}
              value={value[keyOf(line)]?.setupId}
              onChange={(setupId) => set(line, { setupId })}
            />
          ),
        },
        ...(mode === 'offline'
          ? [
              {
                title: '场次',
                width: 200,
                render: (_: unknown, line: Line) => (
                  <OptionSelect
                    label={`${nameOf(line.courseId)}的场次`}
                    placeholder="以后安排"
                    {...sessionsOf(batchId)}
                    disabled={value[keyOf(line)]?.setupId !== undefined}
                    value={value[keyOf(line)]?.sessionId}
                    onChange={(sessionId) => set(line, { sessionId })}
                  />
                ),
              },
            ]
          : [
              {
                title: '开始时间',
                width: 200,
                render: (_: unknown, line: Line) => (
                  <DateTimeInput
                    aria-label={`${nameOf(line.courseId)}的开始时间`}
                    value={value[keyOf(line)]?.startsAt}
                    onChange={(startsAt) => set(line, { startsAt })}
                  />
                ),
              },
              {
                title: '结束时间',
                width: 200,
                render: (_: unknown, line: Line) => (
                  <DateTimeInput
                    aria-label={`${nameOf(line.courseId)}的结束时间`}
                    dayEnd
                    value={value[keyOf(line)]?.endsAt}
                    onChange={(endsAt) => set(line, { endsAt })}
                  />
                ),
              },
              {
                title: '时长（分钟）',
                width: 110,
                render: (_: unknown, line: Line) => (
                  <InputNumber
                    aria-label={`${nameOf(line.courseId)}的时长`}
                    min={10}
                    max={300}
                    precision={0}
                    hideControl
                    value={value[keyOf(line)]?.durationMinutes}
                    onChange={(durationMinutes) => set(line, { durationMinutes })}
                  />
                ),
              },
            ]),
      ]}
    />
  )
}

/** 生成补考安排 of those who were ticked, course by course. */
const MakeupForm = ({ record: wanted, ...drawer }: DrawerProps<Wanted>) => {
  const rows = wanted?.rows ?? []
  return (
    <FormDrawer<Values, Made>
      {...drawer}
      record={undefined}
      initial={{ batchId: wanted?.batchId, mode: 'offline', places: {} }}
      width={980}
      title={`为${formatNumber(rows.length)}人次生成补考安排`}
      okText="生成补考安排"
      action={() => {
        const save = formAction(makeMakeupSetups, '已生成补考安排')
        return {
          ...save,
          send: ({ places = {}, ...typed }: Values, request) => {
            const lines = linesOf(rows).map((line) => {
              const place = places[`${line.courseId}-${line.semesterId}`] ?? {}
              const { sessionId, startsAt, endsAt, durationMinutes, setupId } = place
              const online = typed.mode === 'online'
              const times = online ? withZone({ startsAt, endsAt }, ['startsAt', 'endsAt']) : {}
              return {
                ...line,
                ...times,
                durationMinutes: online ? durationMinutes : undefined,
                sessionId: online ? null : (sessionId ?? null),
                setupId: setupId ?? null,
              }
            })
            return save.send({ ...typed, rows: lines }, request)
          },
        }
      }}
      onSaved={(made) => wanted?.done(made)}
    >
      <p className="form-hint">
        每门课程生成一场考试的草稿，或加入已有的草稿；新建的线上考试填写开放时间和时长，试卷在考试安排中选择。本批次已安排的学生略过。
      </p>
      <Form.Item field="batchId" label="批次" required rules={[{ required: true, message: '请选择批次' }]}>
        <OptionSelect label="批次" {...batches} />
      </Form.Item>
      <Form.Item field="mode" label="考试方式">
        <Radio.Group
          options={[
            { value: 'offline', label: '线下' },
            { value: 'online', label: '线上' },
          ]}
        />
      </Form.Item>
      <Form.Item field="places" label="各课程的安排">
        <Places rows={rows} />
      </Form.Item>
    </FormDrawer>
  )
}

type MadeLine = Made['rows'][number]

/** What became of each course. */
const Outcome = ({ made, onClose }: { made: Made; onClose: () => void }) => (
  <Modal
    title="补考安排的结果"
    style={{ width: 640 }}
    visible
    hideCancel
    okText="知道了"
    onOk={onClose}
    onCancel={onClose}
  >
    <Table
      rowKey="courseId"
      size="small"
      pagination={{ pageSize: 10, hideOnSinglePage: true }}
      data={made.rows}
      noDataElement={<Empty description="没有可以安排的学生" />}
      columns={[
        { title: '已安排', width: 80, align: 'right', render: (_: unknown, row: MadeLine) => formatNumber(row.added) },
        {
          title: '说明',
          render: (_: unknown, row: MadeLine) =>
            row.why ?? (row.skipped.map(({ name, why }) => `${name}：${why}`).join('；') || '—'),
        },
      ]}
    />
  </Modal>
)

/** 补考安排: who must or may take a make-up, and into which batch they go (04 §4.4). */
export const MakeupsPage = () => {
  const table = useQueryTable(listMakeupCandidates)
  const form = useDrawer<Wanted>()
  const [made, setMade] = useState<Made>()
  const batchId = Number(table.filters.batchId) || undefined
  const done = (answer: Made) => {
    table.clearSelection()
    setMade(answer)
  }
  const free = table.tickedRows.filter(({ arranged }) => !arranged)
  return (
    <Page title="补考安排" help="已发布的不及格、缺考、缓考和违纪成绩；勾选后生成补考或毕业补考的考试。" personal>
      <FilterBar table={table}>
        <OptionFilter of={listMakeupCandidates} field="batchId" label="补考批次" {...allBatches} />
        <TextFilter of={listMakeupCandidates} field="keyword" label="姓名或学号" />
        <EnumFilter of={listMakeupCandidates} field="kind" />
        <OptionFilter of={listMakeupCandidates} field="originBatchId" {...allBatches} />
        <OptionFilter of={listMakeupCandidates} field="courseId" {...courses} />
        <OptionFilter of={listMakeupCandidates} field="semesterId" {...semesters} />
        <SelectFilter
          of={listMakeupCandidates}
          field="arranged"
          options={[
            { value: 'false', label: '未安排' },
            { value: 'true', label: '已安排' },
          ]}
        />
        <OptionFilter of={listMakeupCandidates} field="siteId" {...sites} />
        <OptionFilter of={listMakeupCandidates} field="classId" {...classes} />
        <OptionFilter of={listMakeupCandidates} field="gradeId" {...grades} />
        <OptionFilter of={listMakeupCandidates} field="levelId" {...levels} />
        <OptionFilter of={listMakeupCandidates} field="majorId" {...majors} />
        <SelectFilter
          of={listMakeupCandidates}
          field="exhausted"
          label="剩余次数"
          options={[
            { value: 'false', label: '还有次数的' },
            { value: 'true', label: '含没有次数的' },
          ]}
        />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={({ name, courseName }) => `${name}《${courseName}》`}
        tools={<ExportButton do={exportMakeupCandidates} table={table} />}
        bulk={[{ label: '生成补考安排', do: makeMakeupSetups, open: () => form.open({ rows: free, batchId, done }) }]}
        actions={(row) => [
          {
            label: '安排',
            do: makeMakeupSetups,
            disabled: row.arranged ? '本批次已安排' : row.left > 0 ? undefined : '没有剩余次数',
            onClick: () => form.open({ rows: [row], batchId, done }),
          },
        ]}
        empty="没有需要补考的学生。成绩发布后，未通过的在这里显示；选择补考批次后显示剩余次数和本批次状态。"
      />
      <MakeupForm key={`form-${form.key}`} {...form.props} />
      {made && <Outcome made={made} onClose={() => setMade(undefined)} />}
    </Page>
  )
}
