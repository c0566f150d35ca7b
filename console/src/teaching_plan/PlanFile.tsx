import { Alert, Descriptions, Table } from '@arco-design/web-react'
import { useCall } from '@/api/schoolContext'
import { show } from '@/kit/columns'
import { FileLink } from '@/kit/FileLink'
import { formatTime } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { fieldOf } from '@/kit/labels'
import { Word } from '@/kit/Status'
import { TabPanels } from '@/kit/TabList'
import { historyOf } from '@/logs/RecordHistory'
import { listTeachingPlans, viewTeachingPlan } from './api'
import { CheckView } from './CheckView'
import { statusWord } from './choices'
import { PlanDiff } from './PlanDiff'
import { PlanMatrix } from './PlanMatrix'
import { type PlanView, statusTones } from './planRules'
import { usePlan } from './usePlan'

const trail = historyOf(viewTeachingPlan, 'teaching_plan')

const facts = [
  'gradeName',
  'levelName',
  'majorName',
  'studyForm',
  'totalCredits',
  'minCompulsoryCredits',
  'minElectiveCredits',
  'termCount',
  'submittedByName',
  'submittedAt',
  'auditedByName',
  'auditedAt',
  'effectiveAt',
  'auditOpinion',
  'objective',
  'remark',
] as const

const Facts = ({ plan }: { plan: PlanView }) => {
  const call = useCall()
  return (
    <Descriptions
      column={2}
      labelStyle={{ width: 96 }}
      data={[
        {
          key: 'status',
          label: '状态',
          value: (
            <>
              <Word tone={statusTones[plan.status]}>{statusWord(plan.status)}</Word> V{plan.versionNo}
            </>
          ),
        },
        ...facts.map((field) => ({
          key: field,
          label: fieldOf(viewTeachingPlan, field).label,
          value: show(viewTeachingPlan, field, plan[field], undefined),
        })),
        {
          key: 'file',
          label: '附件',
          value: (
            <FileLink
              name={plan.fileName}
              address={async () => (await call(viewTeachingPlan, { query: { id: plan.id } })).fileUrl}
            />
          ),
        },
      ]}
    />
  )
}

/** 版本记录: all versions of the grade and major, the newest first. */
const Versions = ({ plan: { versions } }: { plan: PlanView }) => (
  <Table
    size="small"
    rowKey="id"
    border={{ wrapper: true }}
    pagination={false}
    data={[...versions].sort((a, b) => b.versionNo - a.versionNo)}
    scroll={{ x: 660 }}
    columns={[
      { title: '版本', dataIndex: 'versionNo', width: 60, render: (versionNo: number) => `V${versionNo}` },
      {
        title: '状态',
        dataIndex: 'status',
        width: 90,
        render: (status: PlanView['status']) => <Word tone={statusTones[status]}>{statusWord(status)}</Word>,
      },
      { title: '课程数', dataIndex: 'courseCount', width: 70 },
      { title: '提交人', dataIndex: 'submittedByName', width: 90, render: (name?: string | null) => name || '—' },
      { title: '审核人', dataIndex: 'auditedByName', width: 90, render: (name?: string | null) => name || '—' },
      { title: '审核意见', dataIndex: 'auditOpinion', render: (opinion?: string | null) => opinion || '—' },
      {
        title: '生效时间',
        dataIndex: 'effectiveAt',
        width: 160,
        render: (at?: string | null) => formatTime(at) || '—',
      },
    ]}
  />
)

/** Why a plan came back, where it did. */
export const Rejection = ({ plan }: { plan: Pick<PlanView, 'status' | 'auditOpinion'> }) =>
  plan.status === 'rejected' && plan.auditOpinion ? (
    <Alert className="form-lead" type="warning" content={`已退回：${plan.auditOpinion}`} />
  ) : null

/** 查看: the courses of a plan, what a check says, its versions and how they differ. */
export const PlanFile = ({ id }: { id: number }) => {
  const query = usePlan(id)
  return (
    <Loaded query={query}>
      {(content) => (
        <>
          <Rejection plan={content.plan} />
          <TabPanels
            label={listTeachingPlans.title}
            panels={[
              { title: '课程表', content: <PlanMatrix content={content} /> },
              { title: '校验', content: <CheckView check={content.check} /> },
              {
                title: '版本记录',
                content: (
                  <>
                    <Facts plan={content.plan} />
                    <Versions plan={content.plan} />
                    {trail(content.plan)}
                  </>
                ),
                late: true,
              },
              { title: '差异', content: <PlanDiff plan={content.plan} />, late: true },
            ]}
          />
        </>
      )}
    </Loaded>
  )
}
