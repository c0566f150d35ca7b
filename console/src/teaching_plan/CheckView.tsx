import { Alert } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useRequest } from '@/api/schoolContext'
import { formatNumber, formatTenths } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { checkTeachingPlan } from './api'
import type { PlanCheck } from './planRules'

const Messages = ({ label, of }: { label: string; of: PlanCheck['errors'] }) => (
  <ul aria-label={label}>
    {of.map(({ message }) => (
      <li key={message}>{message}</li>
    ))}
  </ul>
)

const orNone = (number: number | null | undefined, unit = '') =>
  number == null ? '—' : `${formatTenths(number)}${unit}`

/** 校验: what keeps a plan from being handed in, what is worth a second look, and what it comes to (03 B1). */
export const CheckView = ({ check }: { check: PlanCheck }) => {
  const { errors, warnings, strict } = check
  const facts = [
    ['课程数', formatNumber(check.courseCount)],
    ['必修学分', formatTenths(check.compulsoryCredits)],
    ['选修学分', formatTenths(check.electiveCredits)],
    ['总学分', formatTenths(check.totalCredits)],
    ['总学时', formatTenths(check.totalHours)],
    ['线下学时', formatTenths(check.offlineHours)],
    ['线下比例', orNone(check.offlineRatio, '%')],
    ['每学分学时', orNone(check.hoursPerCredit)],
  ]
  return (
    <section aria-label="校验">
      {errors.length === 0 && warnings.length === 0 && (
        <Alert className="form-lead" type="success" content="没有发现问题，可以提交" />
      )}
      {errors.length > 0 && (
        <Alert
          className="form-lead"
          type="error"
          title={`${errors.length}个错误，解决后才能提交`}
          content={<Messages label="错误" of={errors} />}
        />
      )}
      {warnings.length > 0 && (
        <Alert
          className="form-lead"
          type="warning"
          title={`${warnings.length}条提醒${strict ? '，本校要求解决后才能提交' : '，仍可提交'}`}
          content={<Messages label="提醒" of={warnings} />}
        />
      )}
      <dl className="plan-facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className="form-hint">学时为必修课程的学时，加上各选修组按最低学分折算的学时。</p>
    </section>
  )
}

/** The same, asked for by itself: what an auditor looks at. */
export const CheckOf = ({ id }: { id: number }) => {
  const request = useRequest()
  const query = useQuery({
    queryKey: [checkTeachingPlan.path, id],
    queryFn: ({ signal }) => request(checkTeachingPlan, { query: { id } }, { signal }),
    staleTime: 0,
  })
  return (
    <Loaded query={query} rows={4}>
      {(check) => <CheckView check={check} />}
    </Loaded>
  )
}
