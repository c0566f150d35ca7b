import { Button, Descriptions, Empty, Table } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { useAllowed } from '@/api/identity'
import { useRequest } from '@/api/schoolContext'
import { Can } from '@/kit/Can'
import { formatNumber, formatPercent, formatTime } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { labelOf } from '@/kit/labels'
import { type Reasoned, ReasonForm } from '@/kit/ReasonForm'
import { Word } from '@/kit/Status'
import { TabPanels } from '@/kit/TabList'
import { useAction } from '@/kit/useAction'
import { useDrawer } from '@/kit/useDrawer'
import { usePlaces } from '@/kit/usePlaces'
import { Watermark } from '@/kit/Watermark'
import { historyOf } from '@/logs/RecordHistory'
import { listLearningRecords, listLoginStatistics } from '@/statistics/api'
import { muteSuperviseFlag, viewSuperviseCase } from './api'
import { Files } from './Files'
import { can, type Detail, type Flag, levelTones, measureWords, statusTones } from './superviseRules'
import { channelWord, kindWord, levelWord } from './words'

const trail = historyOf(viewSuperviseCase, 'supervise_case')

const short = (at: string | null | undefined) => formatTime(at, 'YYYY-MM-DD HH:mm')

const State = ({ flag }: { flag: Flag }) => {
  if (flag.clearedAt) return <>{short(flag.clearedAt)}解除</>
  if (flag.muted) return <span title={flag.muteReason ?? ''}>{flag.mutedBy}已忽略</span>
  return <Word tone={levelTones[flag.level]}>{levelWord(flag.level)}</Word>
}

/** Ignored until the semester ends, and back. */
const Mute = ({ flag, onMute }: { flag: Flag; onMute: (flag: Flag) => void }) => {
  const back = useAction(muteSuperviseFlag, { done: '已取消忽略' })
  const refusal = can.mute(flag)
  if (refusal) return null
  return (
    <Can do={muteSuperviseFlag}>
      <Button
        type="text"
        size="mini"
        loading={back.isPending}
        onClick={() => (flag.muted ? back.mutate({ body: { flagId: flag.id, muted: false } }) : onMute(flag))}
      >
        {flag.muted ? '取消忽略' : '忽略'}
      </Button>
    </Can>
  )
}

const Flags = ({ flags }: { flags: readonly Flag[] }) => {
  const reason = useDrawer<Reasoned>()
  const mute = (flag: Flag) =>
    reason.open({
      do: muteSuperviseFlag,
      title: `忽略预警：${kindWord(flag.kind)}${flag.title}`,
      verb: '忽略',
      hint: '忽略至学期结束，可随时取消；忽略的预警不计入级别，也不提醒学生。',
      body: { flagId: flag.id, muted: true },
      done: '已忽略预警',
    })
  return (
    <>
      <Table
        rowKey="id"
        size="small"
        border={{ wrapper: true }}
        pagination={{ pageSize: 10, hideOnSinglePage: true }}
        data={[...flags]}
        noDataElement={<Empty description="没有预警" />}
        columns={[
          { title: '预警', width: 130, render: (_: unknown, flag: Flag) => kindWord(flag.kind) },
          { title: '对象', render: (_: unknown, flag: Flag) => flag.title || '学生' },
          { title: '情况', width: 170, render: (_: unknown, flag: Flag) => measureWords(flag) },
          { title: '开始', width: 140, render: (_: unknown, flag: Flag) => short(flag.since) },
          { title: '状态', width: 150, render: (_: unknown, flag: Flag) => <State flag={flag} /> },
          { title: '操作', width: 90, render: (_: unknown, flag: Flag) => <Mute flag={flag} onMute={mute} /> },
        ]}
      />
      <ReasonForm key={reason.key} {...reason.props} />
    </>
  )
}

type Course = Detail['courses'][number]

const Courses = ({ detail }: { detail: Detail }) => (
  <Table
    rowKey="courseId"
    size="small"
    border={{ wrapper: true }}
    pagination={{ pageSize: 20, hideOnSinglePage: true }}
    data={[...detail.courses]}
    noDataElement={<Empty description="本学期没有选课" />}
    columns={[
      { title: '课程', dataIndex: 'courseName' },
      { title: '进度', width: 90, align: 'right', render: (_: unknown, row: Course) => formatPercent(row.progress) },
      {
        title: '学习(分钟)',
        width: 110,
        align: 'right',
        render: (_: unknown, row: Course) => formatNumber(row.studyMinutes),
      },
      {
        title: '作业',
        width: 90,
        align: 'right',
        render: (_: unknown, row: Course) => `${row.homeworkHanded} / ${row.homeworkShould}`,
      },
      { title: '最近学习', width: 150, render: (_: unknown, row: Course) => short(row.lastAt) },
    ]}
  />
)

/** Something that was done, with its moment. */
const Line = ({ at, children }: { at: string; children: ReactNode }) => (
  <li>
    <time>{short(at)}</time>
    {children}
  </li>
)

/** What people did, the newest first. */
const Doings = ({ detail }: { detail: Detail }) => {
  const doings = [
    ...detail.contacts.map((contact) => ({
      at: contact.contactedAt,
      key: `contact${contact.id}`,
      told: (
        <>
          <strong>
            {contact.byName}
            {contact.wayName}联系：{contact.resultName}
          </strong>
          <p>
            {contact.content}
            {contact.reasonName && `（${contact.reasonName}）`}
            {contact.nextContactOn && `；下次联系 ${contact.nextContactOn}`}
          </p>
          <Files files={contact.files} />
        </>
      ),
    })),
    ...detail.reminders.map((reminder) => ({
      at: reminder.remindedAt,
      key: `remind${reminder.id}`,
      told: (
        <>
          <strong>
            {reminder.byName}提醒（{reminder.channels.map(channelWord).join('、')}）
          </strong>
          <p>{reminder.lines}</p>
        </>
      ),
    })),
    ...detail.transfers.map((transfer) => ({
      at: transfer.transferredAt,
      key: `transfer${transfer.transferredAt}`,
      told: (
        <>
          <strong>
            {transfer.byName}转交给{transfer.toName}
          </strong>
          {transfer.remark && <p>{transfer.remark}</p>}
        </>
      ),
    })),
  ].toSorted((one, other) => other.at.localeCompare(one.at))
  if (doings.length === 0) return <Empty description="还没有联系、提醒和转交" />
  return (
    <ol className="supervise-line" aria-label="跟进记录">
      {doings.map(({ at, key, told }) => (
        <Line key={key} at={at}>
          {told}
        </Line>
      ))}
    </ol>
  )
}

const Logins = ({ logins }: { logins: Detail['logins'] }) => (
  <Table
    rowKey="date"
    size="small"
    border={{ wrapper: true }}
    pagination={{ pageSize: 10, hideOnSinglePage: true }}
    data={[...logins]}
    noDataElement={<Empty description="近30天没有登录" />}
    columns={[
      { title: '日期', dataIndex: 'date' },
      { title: '登录次数', dataIndex: 'logins', align: 'right' },
      { title: '在线(分钟)', dataIndex: 'minutes', align: 'right' },
    ]}
  />
)

/** The figures behind the case, for whoever may see them. */
const Ways = ({ detail }: { detail: Detail }) => {
  const navigate = useNavigate()
  const places = usePlaces()
  const allowed = useAllowed()
  const keyword = detail.studentNo ?? undefined
  if (!keyword) return null
  return (
    <p className="supervise-ways">
      {allowed(listLearningRecords) && (
        <Button size="small" onClick={() => navigate(places('learningRecords', { keyword }))}>
          学习记录
        </Button>
      )}
      {allowed(listLoginStatistics) && (
        <Button size="small" onClick={() => navigate(places('loginStatistics', { tab: 'student', keyword }))}>
          登录统计
        </Button>
      )}
    </p>
  )
}

/** 详情: what a student is behind with, and what was done about it. */
export const CaseFile = ({ id }: { id: number }) => {
  const request = useRequest()
  const query = useQuery({
    queryKey: [viewSuperviseCase.path, id],
    queryFn: ({ signal }) => request(viewSuperviseCase, { query: { id } }, { signal }),
  })
  return (
    <Loaded query={query}>
      {(detail) => (
        <>
          <Descriptions
            column={2}
            labelStyle={{ width: 90 }}
            data={[
              {
                key: 'level',
                label: '级别',
                value: <Word tone={levelTones[detail.level]}>{levelWord(detail.level)}</Word>,
              },
              {
                key: 'status',
                label: '状态',
                value: (
                  <Word tone={statusTones[detail.status]}>{labelOf(viewSuperviseCase, 'status', detail.status)}</Word>
                ),
              },
              { key: 'class', label: '班级', value: detail.className ?? '未分班' },
              { key: 'manager', label: '班主任', value: detail.managerName ?? '未指定' },
              { key: 'first', label: '首次预警', value: short(detail.firstFlaggedAt) },
              { key: 'last', label: '最近联系', value: short(detail.lastContactAt) || '还没有联系' },
              { key: 'next', label: '下次联系', value: detail.nextContactOn ?? '—' },
              { key: 'remark', label: '备注', value: detail.remark ?? '—' },
            ]}
          />
          <Ways detail={detail} />
          <h3>预警</h3>
          <Flags flags={detail.flags} />
          <TabPanels
            label="案例资料"
            panels={[
              {
                title: `跟进记录 ${detail.contacts.length + detail.reminders.length + detail.transfers.length}`,
                content: <Doings detail={detail} />,
              },
              { title: '课程', content: <Courses detail={detail} /> },
              { title: '登录', content: <Logins logins={detail.logins} /> },
              { title: '操作日志', content: trail(detail), late: true },
            ]}
          />
          <Watermark />
        </>
      )}
    </Loaded>
  )
}
