import { Descriptions } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useAllowed } from '@/api/identity'
import { useCall } from '@/api/schoolContext'
import { show } from '@/kit/columns'
import { Loaded } from '@/kit/Loaded'
import { fieldOf, labelOf } from '@/kit/labels'
import { Sections } from '@/kit/Sections'
import { Word } from '@/kit/Status'
import { usePlaces } from '@/kit/usePlaces'
import { Watermark } from '@/kit/Watermark'
import { listStudents } from '@/student_status/api'
import { viewChange } from './api'
import { Attachments, Compared, StuckAlert, Timeline } from './Compared'
import { mayRenumber, registerOf, type View } from './changeRules'
import { statusTones } from './tones'
import '@/kit/figures.css'
import './statusChange.css'

type Name = keyof View & string

/** One change in full. */
export const useChange = (id: number | undefined) => {
  const call = useCall()
  return useQuery({
    queryKey: [viewChange.path, id],
    queryFn: () => call(viewChange, { query: { id: id ?? 0 } }),
    enabled: id !== undefined,
  })
}

const Student = ({ change }: { change: View }) => {
  const places = usePlaces()
  const may = useAllowed()(listStudents)
  const words = [change.name, change.studentNo].filter(Boolean).join(' ')
  if (!may) return words
  return (
    <Link
      className="overview-link"
      to={places(registerOf(change), { keyword: change.studentNo ?? change.name, open: change.studentId })}
    >
      {words}
    </Link>
  )
}

/** What only some types have. */
const ofType = ({ type }: View): readonly Name[] => {
  if (type === 'suspension') return ['reasonCode', 'suspendFrom', 'suspendUntil', 'suspendMonths', 'suspendedMonths']
  if (type === 'return') return ['suspendMonths']
  if (type === 'dropout') return ['reasonCode']
  if (type === 'transfer_out') return ['targetSchoolName']
  return mayRenumber(type) ? ['renumber'] : []
}

const Facts = ({ change }: { change: View }) => {
  const fact = (name: Name, value?: ReactNode) => ({
    key: name,
    label: fieldOf(viewChange, name).label,
    value: value ?? show(viewChange, name, change[name], name === 'status' ? statusTones : undefined),
  })
  return (
    <Descriptions
      column={2}
      tableLayout="fixed"
      labelStyle={{ width: 112 }}
      data={[
        fact('changeNo'),
        fact('status'),
        { key: 'student', label: '学生', value: <Student key="student" change={change} /> },
        fact('type'),
        fact('batchName'),
        ...ofType(change).map((name) => fact(name)),
        fact('reason'),
        fact('effectiveOn'),
        fact('executedAt'),
        fact('source'),
        fact('applicantName'),
        fact('createdAt'),
        fact('filingNo'),
        fact('filedOn'),
        ...(change.waived ? [fact('waived')] : []),
      ]}
    />
  )
}

/** 学籍异动详情: what is changed, why, what proves it, and how it went. */
export const ChangeDetail = ({ id }: { id: number }) => (
  <Loaded query={useChange(id)} rows={8}>
    {(change) => (
      <div className="person-file">
        <p className="form-lead">
          <Word tone={statusTones[change.status]}>{labelOf(viewChange, 'status', change.status)}</Word>
          {change.overdue && <Word tone="bad">逾期未复学</Word>}
        </p>
        <StuckAlert change={change} />
        <Sections
          key={id}
          label="学籍异动详情"
          sections={[
            { title: '异动内容', content: <Compared change={change} /> },
            { title: '申请', content: <Facts change={change} /> },
            { title: '附件', content: <Attachments change={change} /> },
            { title: '办理过程', content: <Timeline change={change} /> },
          ]}
        />
        <Watermark />
      </div>
    )}
  </Loaded>
)
