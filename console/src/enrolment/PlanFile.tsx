import { Alert, Descriptions } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useAllowed } from '@/api/identity'
import { useCall, useSchoolContext } from '@/api/schoolContext'
import { show } from '@/kit/columns'
import { FileLink } from '@/kit/FileLink'
import { formatNumber, formatPercent } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { fieldOf, labelOf } from '@/kit/labels'
import { Masked } from '@/kit/Masked'
import { Word } from '@/kit/Status'
import { usePlaces } from '@/kit/usePlaces'
import { historyOf } from '@/logs/RecordHistory'
import { paths } from '@/paths'
import { listStudents } from '@/student_status/api'
import { Admitted } from './Admitted'
import { listEnrollmentBatches, viewSiteEnrollment } from './api'
import { MajorTable } from './MajorTable'
import { useMajorNumbers } from './majorNumbers'
import { type PlanView, statusTones } from './planRules'
import { Reported } from './Reported'

const trail = historyOf(viewSiteEnrollment, 'site_enrollment')

const BatchOf = ({ plan }: { plan: PlanView }) => {
  const inSchool = useSchoolContext().area === 'school'
  const may = useAllowed()(listEnrollmentBatches)
  if (!inSchool || !may) return plan.batchName
  return (
    <Link className="overview-link" to={`${paths.enrollmentBatches}?open=${plan.batchId}`}>
      {plan.batchName}
    </Link>
  )
}

/** Who studies at the site, behind their number. */
const Students = ({ plan }: { plan: PlanView }) => {
  const places = usePlaces()
  const may = useAllowed()(listStudents)
  const count = formatNumber(plan.studentCount)
  if (!may) return count
  return (
    <Link className="overview-link" to={places('students', { siteId: plan.siteId })}>
      {count}
    </Link>
  )
}

/** Where the document's word does not fit. */
const labels: Partial<Record<keyof PlanView, string>> = { attachmentName: '附件' }

const Facts = ({ plan }: { plan: PlanView }) => {
  const call = useCall()
  const word = (name: keyof PlanView) => show(viewSiteEnrollment, name, plan[name], undefined)
  const facts: readonly (readonly [name: keyof PlanView, value: ReactNode])[] = [
    ['batchName', <BatchOf key="batch" plan={plan} />],
    ['siteName', `${plan.siteName} ${plan.siteCode}`],
    [
      'status',
      <Word key="status" tone={statusTones[plan.status]}>
        {labelOf(viewSiteEnrollment, 'status', plan.status)}
      </Word>,
    ],
    ['submittedAt', word('submittedAt')],
    ['majorCount', word('majorCount')],
    ['quotaApplied', word('quotaApplied')],
    ['quotaApproved', word('quotaApproved')],
    ['admitted', <Admitted key="admitted" count={plan.admitted} of={{ batchId: plan.batchId, siteId: plan.siteId }} />],
    ['reported', <Reported key="reported" count={plan.reported} of={{ batchId: plan.batchId, siteId: plan.siteId }} />],
    ['completionRate', formatPercent(plan.completionRate)],
    ['capacity', plan.capacity > 0 ? formatNumber(plan.capacity) : '未设'],
    ['studentCount', <Students key="students" plan={plan} />],
    ['contactName', word('contactName')],
    [
      'contactPhone',
      <Masked
        key="phone"
        entity="siteEnrollment"
        id={plan.id}
        field="contactPhone"
        label="联系电话"
        value={plan.contactPhone}
      />,
    ],
    [
      'attachmentName',
      <FileLink
        key="file"
        name={plan.attachmentName}
        address={async () => (await call(viewSiteEnrollment, { query: { id: plan.id } })).attachmentUrl}
      />,
    ],
    ['remark', word('remark')],
  ]
  return (
    <Descriptions
      column={2}
      labelStyle={{ width: 112 }}
      data={facts.map(([name, value]) => ({
        key: name,
        label: labels[name] ?? fieldOf(viewSiteEnrollment, name).label,
        value,
      }))}
    />
  )
}

const Lines = ({ plan }: { plan: PlanView }) => {
  const { batchId, siteId } = plan
  const numbers = useMajorNumbers(batchId)
  const of = (id: number) => {
    const majorId = numbers.get(id)
    return majorId === undefined ? undefined : { batchId, siteId, majorId }
  }
  return (
    <section aria-label="申报专业">
      <h3>申报专业</h3>
      <MajorTable
        rows={plan.lines}
        keyOf={({ id }) => id}
        empty="没有申报专业"
        columns={[
          { title: '计划数', width: 80, align: 'right', of: ({ quota }) => formatNumber(quota) },
          {
            title: '剩余计划',
            width: 90,
            align: 'right',
            of: ({ remaining }) => (remaining == null ? '—' : formatNumber(remaining)),
          },
          { title: '申报', width: 70, align: 'right', of: ({ quotaApplied }) => formatNumber(quotaApplied) },
          { title: '核定', width: 70, align: 'right', of: ({ quotaApproved }) => formatNumber(quotaApproved) || '—' },
          {
            title: '已录取',
            width: 80,
            align: 'right',
            of: ({ enrollmentMajorId, admitted }) => <Admitted count={admitted} of={of(enrollmentMajorId)} />,
          },
          {
            title: '已报到',
            width: 80,
            align: 'right',
            of: ({ enrollmentMajorId, reported }) => <Reported count={reported} of={of(enrollmentMajorId)} />,
          },
        ]}
      />
    </section>
  )
}

/** 查看: what a site declared, what it was granted, who did what. */
export const PlanFile = ({ id }: { id: number }) => {
  const call = useCall()
  const plan = useQuery({
    queryKey: [viewSiteEnrollment.path, id],
    queryFn: () => call(viewSiteEnrollment, { query: { id } }),
  })
  return (
    <Loaded query={plan} rows={8}>
      {(shown) => (
        <>
          {shown.status === 'rejected' && shown.reviewRemark && (
            <Alert className="form-lead" type="warning" content={`已退回：${shown.reviewRemark}`} />
          )}
          <Facts plan={shown} />
          <Lines plan={shown} />
          {trail(shown)}
        </>
      )}
    </Loaded>
  )
}
