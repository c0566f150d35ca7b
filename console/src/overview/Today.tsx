import dayjs from 'dayjs'
import { Link } from 'react-router'
import type { NeedySchool, SetupStep, Todo } from '@/api/types/overview'
import { formatNumber, formatTime } from '@/kit/format'
import { ProgressBar } from '@/kit/ProgressBar'

const DAY = 'MM月DD日'

/** 最早3天前 · 截止11月30日. */
const When = ({ todo: { oldest, deadline } }: { todo: Todo }) => {
  const days = oldest ? dayjs().diff(oldest, 'day') : undefined
  const soon = deadline ? dayjs(deadline).diff(dayjs(), 'day') : undefined
  return (
    <small>
      {days !== undefined && <span title={formatTime(oldest)}>{days > 0 ? `最早${days}天前` : '最早今天'}</span>}
      {deadline && (
        <span className={soon !== undefined && soon < 3 ? 'soon' : undefined} title={formatTime(deadline)}>
          {formatTime(deadline, DAY)}截止
        </span>
      )}
    </small>
  )
}

/** 待办: what waits for this person, what waits longest and what ends when; each leads to its list. */
export const Todos = ({ todos }: { todos: readonly Todo[] }) => {
  const open = todos.filter(({ count }) => count > 0)
  return (
    <section className="overview-today" aria-label="待办">
      <h2>待办</h2>
      {open.length === 0 && <p className="overview-small">没有等待您处理的事项。</p>}
      <ul className="overview-todos">
        {open.map((todo) => (
          <li key={todo.key}>
            <Link to={todo.link}>
              <strong>{formatNumber(todo.count)}</strong>
              <span>{todo.title}</span>
              <When todo={todo} />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** 建校步骤: what a new school still lacks, in the order in which one thing needs the other. */
export const Setup = ({ steps }: { steps: readonly SetupStep[] }) => {
  const done = steps.filter(({ count }) => count > 0).length
  const next = steps.find(({ count }) => count === 0)
  return (
    <section className="overview-setup" aria-label="建校步骤">
      <h2>
        建校步骤
        <small>
          已完成{done}项，共{steps.length}项
        </small>
      </h2>
      <p className="overview-small">层次、年级、学期、专业、课程等可请平台人员从其他院校复制，再在此补齐。</p>
      <ProgressBar label="建校进度" percent={Math.round((done / Math.max(1, steps.length)) * 100)} showText={false} />
      <ol>
        {steps.map((step) => (
          <li key={step.key} className={step.count > 0 ? 'done' : step === next ? 'next' : undefined}>
            <Link to={step.link}>{step.title}</Link>
            <span>{step.count > 0 ? formatNumber(step.count) : step === next ? '下一步' : '未设置'}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** 需要处理的院校, for operators. */
export const Schools = ({ schools }: { schools: readonly NeedySchool[] }) => (
  <section aria-label="需要处理的院校">
    <h2>需要处理的院校</h2>
    <ul className="overview-schools">
      {schools.map(({ id, name, reasons, link }) => (
        <li key={id}>
          <Link className="overview-link" to={link}>
            {name}
          </Link>
          <span>{reasons.join('，')}</span>
        </li>
      ))}
    </ul>
  </section>
)
