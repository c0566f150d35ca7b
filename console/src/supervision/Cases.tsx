import { Button, Space } from '@arco-design/web-react'
import { IconNotification, IconPrinter, IconUserAdd } from '@arco-design/web-react/icon'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '@/api/errors'
import type { BodyOf, RowOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import { classes, grades, levels, majors, semesters, sites } from '@/basic_data/choices'
import { courses } from '@/course_opening/choices'
import { SemesterFilter } from '@/course_opening/SemesterFilter'
import { itemOf, step } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { DateFilter, EnumFilter, OptionFilter, TextFilter, YesNoFilter } from '@/kit/filters'
import { formatNumber, formatPercent } from '@/kit/format'
import type { Choice } from '@/kit/OptionSelect'
import { QueryTable } from '@/kit/QueryTable'
import { type Reasoned, ReasonForm } from '@/kit/ReasonForm'
import { Word } from '@/kit/Status'
import { useDrawer } from '@/kit/useDrawer'
import { filterOf } from '@/kit/useFileOf'
import { useQueryTable } from '@/kit/useQueryTable'
import { AllocationForm, type HandedOver } from './AllocationForm'
import {
  allocateSuperviseCases,
  changeSuperviseStatus,
  exportSuperviseCases,
  listSuperviseCases,
  printSuperviseSheets,
  remindSuperviseStudents,
  saveSuperviseCase,
  saveSuperviseContact,
  scanSuperviseCases,
  summarizeSuperviseCases,
} from './api'
import { CaseFile } from './CaseFile'
import { ContactForm } from './ContactForm'
import { managers } from './choices'
import { ManualForm } from './ManualForm'
import { type Printed, PrintSheets } from './PrintSheets'
import { RemindDialog, type Reminded } from './RemindDialog'
import { Scan } from './Scan'
import { type Case, can, levelTones, measureWords, statusTones } from './superviseRules'
import { kindWord } from './words'

/** So many flags stand in one line of a row; the others are counted, and named under the pointer and in the case. */
const TAGS = 2

const tagWords = ({ kind, count }: RowOf<typeof listSuperviseCases>['tags'][number]) =>
  count > 1 ? `${kindWord(kind)}×${count}` : kindWord(kind)

const columns = columnsOf(listSuperviseCases, [
  { field: 'name', width: 110, fixed: 'left' },
  { field: 'studentNo', under: 'name' },
  { field: 'level', width: 70, fixed: 'left', tones: levelTones },
  { field: 'status', width: 84, fixed: 'left', tones: statusTones },
  {
    field: 'tags',
    title: '预警项',
    width: 230,
    render: ({ tags }) => (
      <Space size={4}>
        {tags.slice(0, TAGS).map((tag) => (
          <span key={tag.kind} title={measureWords(tag)}>
            <Word tone="warning">{tagWords(tag)}</Word>
          </span>
        ))}
        {tags.length > TAGS && (
          <span title={tags.slice(TAGS).map(tagWords).join('、')}>
            <Word tone="warning">{`+${tags.length - TAGS}`}</Word>
          </span>
        )}
      </Space>
    ),
  },
  { field: 'averageProgress', title: '平均进度', width: 90, render: (row) => formatPercent(row.averageProgress) },
  { field: 'overdue', title: '作业逾期', width: 84 },
  {
    field: 'silentDays',
    title: '未登录天数',
    width: 100,
    render: ({ silentDays }) => (silentDays == null ? '从未登录' : formatNumber(silentDays)),
  },
  { field: 'managerName', title: '班主任', width: 100 },
  { field: 'lastContactAt', title: '最近联系', width: 160 },
  { field: 'contactResult', title: '联系结果', width: 110 },
  { field: 'nextContactOn', title: '下次联系', width: 110 },
  { field: 'className', title: '班级', width: 160 },
  { field: 'siteName', title: '站点', width: 140 },
  { field: 'majorName', title: '专业', width: 140 },
  { field: 'examineeNo', width: 150, hidden: true },
  { field: 'studyForm', width: 100, hidden: true },
  { field: 'gradeName', width: 90, hidden: true },
  { field: 'levelName', width: 90, hidden: true },
  { field: 'arrears', width: 70, hidden: true },
  { field: 'firstFlaggedAt', width: 160, hidden: true },
  { field: 'closedReason', width: 110, hidden: true },
])

type Filter = BodyOf<typeof listSuperviseCases>

/** The figures of the semester under the other filters, each leading to whom it counts. */
const Summary = ({ filter, onChoose }: { filter: Filter; onChoose: (values: Record<string, string>) => void }) => {
  const request = useRequest()
  const { level: _level, status: _status, live: _live, due: _due, ...others } = filter
  const body: BodyOf<typeof summarizeSuperviseCases> = others
  const { data, error, refetch } = useQuery({
    queryKey: [summarizeSuperviseCases.path, body],
    queryFn: ({ signal }) => request(summarizeSuperviseCases, { body }, { signal }),
    placeholderData: keepPreviousData,
  })
  if (error && !data) {
    return (
      <p className="form-hint">
        {messageOf(error)}
        <Button type="text" size="mini" onClick={() => refetch()}>
          重试
        </Button>
      </p>
    )
  }
  if (!data) return <ul className="supervise-cards" aria-busy />
  const figure = (label: string, value: number, values: Record<string, string>) => (
    <li>
      {label}
      <button type="button" className="overview-link" onClick={() => onChoose(values)}>
        {formatNumber(value)}
      </button>
    </li>
  )
  const flagged = data.red + data.orange + data.yellow
  return (
    <ul className="supervise-cards" aria-label="督学汇总">
      <li>
        在籍学生 <strong>{formatNumber(data.students)}</strong>
      </li>
      {figure('预警', flagged, { live: 'true' })}
      {figure('红', data.red, { live: 'true', level: 'red' })}
      {figure('橙', data.orange, { live: 'true', level: 'orange' })}
      {figure('黄', data.yellow, { live: 'true', level: 'yellow' })}
      <li>
        本周新增 <strong>{formatNumber(data.opened)}</strong>
      </li>
      <li>
        本周解除 <strong>{formatNumber(data.relieved)}</strong>
      </li>
      {figure('待联系', data.due, { due: 'true' })}
      <li title="有联系记录的案例÷待处理和跟进中的案例">
        联系率 <strong>{formatPercent(data.contactRate)}</strong>
      </li>
    </ul>
  )
}

/** 预警学生: a case of each student who falls behind. */
export const Cases = ({ semester }: { semester: Choice | undefined }) => {
  const table = useQueryTable(listSuperviseCases, { usual: { semesterId: semester?.code } })
  const [reminded, setReminded] = useState<Reminded>()
  const [printing, setPrinting] = useState<Printed>()
  const contact = useDrawer<Case>()
  const handing = useDrawer<HandedOver>()
  const manual = useDrawer<never>()
  const reason = useDrawer<Reasoned>()
  const filter = filterOf(table.body)
  // Where a figure leads, whoever is counted stands alone.
  const only = { level: undefined, status: undefined, live: undefined, due: undefined }
  return (
    <>
      <FilterBar table={table}>
        <TextFilter of={listSuperviseCases} field="keyword" label="姓名或号码" />
        <EnumFilter of={listSuperviseCases} field="level" />
        <EnumFilter of={listSuperviseCases} field="status" />
        <EnumFilter of={listSuperviseCases} field="kinds" />
        <OptionFilter of={listSuperviseCases} field="classId" {...classes} />
        <OptionFilter of={listSuperviseCases} field="managerId" {...managers} />
        <OptionFilter of={listSuperviseCases} field="siteId" {...sites} />
        <OptionFilter of={listSuperviseCases} field="courseId" {...courses} />
        <SemesterFilter of={listSuperviseCases} field="semesterId" {...semesters} usual={semester} />
        <OptionFilter of={listSuperviseCases} field="gradeId" {...grades} />
        <OptionFilter of={listSuperviseCases} field="levelId" {...levels} />
        <OptionFilter of={listSuperviseCases} field="majorId" {...majors} />
        <EnumFilter of={listSuperviseCases} field="studyForm" />
        <DateFilter of={listSuperviseCases} field="contactedBefore" />
        <YesNoFilter of={listSuperviseCases} field="uncontacted" />
        <YesNoFilter of={listSuperviseCases} field="arrears" />
        <YesNoFilter of={listSuperviseCases} field="live" />
        <YesNoFilter of={listSuperviseCases} field="due" />
      </FilterBar>
      <Summary filter={filter} onChoose={(values) => table.setFilters({ ...only, ...values })} />
      <QueryTable
        table={table}
        columns={columns}
        nameOf={({ name }) => name}
        file={(row) => <CaseFile id={row.id} />}
        actionsWidth={190}
        actions={(row) => [
          {
            label: '登记联系',
            do: saveSuperviseContact,
            disabled: can.contact(row),
            onClick: () => contact.open(row),
          },
          {
            label: '提醒',
            do: remindSuperviseStudents,
            disabled: can.remind(row),
            onClick: () => setReminded({ ids: [row.id], count: 1 }),
          },
          step(changeSuperviseStatus, {
            label: '跟进',
            with: { body: { items: [itemOf(row)], status: 'following' } },
            disabled: can.follow(row),
            done: '已转为跟进中',
          }),
          {
            label: '转交',
            do: allocateSuperviseCases,
            disabled: can.handOver(row),
            onClick: () => handing.open({ items: [itemOf(row)], name: row.name }),
          },
          {
            label: '关闭',
            do: changeSuperviseStatus,
            danger: true,
            disabled: can.close(row),
            onClick: () =>
              reason.open({
                do: changeSuperviseStatus,
                title: `关闭${row.name}的督学案例`,
                verb: '关闭',
                hint: '关闭后有新的预警时会自动重新打开。',
                body: { items: [itemOf(row)], status: 'closed' },
                done: '已关闭案例',
              }),
          },
        ]}
        bulk={[
          {
            label: '批量提醒',
            do: remindSuperviseStudents,
            open: (ids) => setReminded({ ids: [...ids], count: ids.length, done: table.clearSelection }),
            openAll: (asked, count) => setReminded({ filter: asked, count, done: table.clearSelection }),
          },
          {
            label: '批量转交',
            do: allocateSuperviseCases,
            open: () => handing.open({ items: table.tickedRows.map(itemOf), done: table.clearSelection }),
          },
          {
            label: '打印联系单',
            do: printSuperviseSheets,
            open: (ids) => setPrinting({ ids: [...ids], filter }),
          },
        ]}
        primary={
          <Space size={4}>
            <Can do={saveSuperviseCase}>
              <Button type="primary" icon={<IconUserAdd />} onClick={() => manual.open()}>
                人工关注
              </Button>
            </Can>
            <Can do={remindSuperviseStudents}>
              <Button
                icon={<IconNotification />}
                disabled={table.total === 0}
                title={table.total === 0 ? '没有可提醒的学生' : '提醒筛选出的全部学生'}
                onClick={() => setReminded({ filter, count: table.total })}
              >
                全部提醒
              </Button>
            </Can>
          </Space>
        }
        tools={
          <Space size={4}>
            <Can do={scanSuperviseCases}>
              <Scan filter={filter} />
            </Can>
            <Can do={printSuperviseSheets}>
              <Button
                icon={<IconPrinter />}
                disabled={table.total === 0}
                title={table.total === 0 ? '没有可打印的学生' : undefined}
                onClick={() => setPrinting({ filter })}
              >
                打印联系单
              </Button>
            </Can>
            <ExportButton do={exportSuperviseCases} table={table} />
          </Space>
        }
        empty="还没有落后的学生。每晚自动扫描，也可以点“重新扫描”。"
      />
      <ContactForm key={`contact-${contact.key}`} {...contact.props} />
      <AllocationForm key={`hand-${handing.key}`} {...handing.props} />
      <ManualForm key={`manual-${manual.key}`} {...manual.props} />
      <ReasonForm key={`reason-${reason.key}`} {...reason.props} />
      {reminded && <RemindDialog reminded={reminded} onClose={() => setReminded(undefined)} />}
      {printing && <PrintSheets printed={printing} onClose={() => setPrinting(undefined)} />}
    </>
  )
}
