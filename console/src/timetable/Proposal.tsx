import { Alert, Button, Modal, Result, Space, Table } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { ApiError } from '@/api/errors'
import { useRequest } from '@/api/schoolContext'
import { Can } from '@/kit/Can'
import { confirm } from '@/kit/confirm'
import { formatNumber } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { Word } from '@/kit/Status'
import { useAction } from '@/kit/useAction'
import { useEnumeration } from '@/settings/useEnumeration'
import { acceptArrangeProposal, viewArrangeProposal } from './api'
import { Conflicts } from './CheckedArrange'
import { conflictsIn, type Proposal, periodWords, weekdayWord } from './timetableRules'

type Placed = Proposal['placed'][number]
type Unplaced = Proposal['unplaced'][number]

const whenOf = ({ form }: Placed) => {
  const periods = periodWords(form.periodFrom, form.periodTo)
  return form.mode === 'weekly' && form.weekday
    ? `${form.weeks}周 ${weekdayWord(form.weekday)} ${periods}`
    : `${(form.dates ?? []).join('、')} ${periods}`
}

const PlacedTable = ({ placed }: { placed: readonly Placed[] }) => (
  <Table
    size="small"
    rowKey="key"
    border={{ wrapper: true }}
    pagination={{ pageSize: 20, hideOnSinglePage: true }}
    data={placed.map((each, key) => ({ ...each, key }))}
    noDataElement="没有排出任何课程"
    columns={[
      { title: '课程', dataIndex: 'courseName', width: 150 },
      { title: '班级', dataIndex: 'classNames', render: (names: string[]) => names.join('、') },
      { title: '教师', dataIndex: 'teacherName', width: 90 },
      { title: '时间', dataIndex: 'form', width: 220, render: (_: unknown, each: Placed) => whenOf(each) },
      { title: '教室', dataIndex: 'classroomName', width: 110 },
      { title: '人数', dataIndex: 'students', width: 70, align: 'right', render: formatNumber },
      { title: '课次', dataIndex: 'sessions', width: 70, align: 'right', render: formatNumber },
    ]}
  />
)

const UnplacedTable = ({ unplaced }: { unplaced: readonly Unplaced[] }) => {
  const words = new Map(useEnumeration('unplacedReason').map(({ code, desc }) => [code, desc]))
  return (
    <Table
      size="small"
      rowKey="key"
      border={{ wrapper: true }}
      pagination={{ pageSize: 20, hideOnSinglePage: true }}
      data={unplaced.map((each, key) => ({ ...each, key }))}
      columns={[
        { title: '课程', dataIndex: 'courseName', width: 170 },
        { title: '班级', dataIndex: 'classNames', render: (names: string[]) => names.join('、') },
        { title: '教师', dataIndex: 'teacherName', width: 100, render: (name?: string | null) => name ?? '—' },
        { title: '待排学时', dataIndex: 'periods', width: 90, align: 'right', render: formatNumber },
        {
          title: '原因',
          dataIndex: 'reason',
          width: 150,
          render: (reason: string) => <Word tone="warning">{words.get(reason) ?? reason}</Word>,
        },
      ]}
    />
  )
}

/** All that is in the way of a proposal now. */
const tellConflicts = (error: unknown) => {
  const conflicts = error instanceof ApiError ? conflictsIn(error.data) : []
  if (conflicts.length === 0) return
  Modal.warning({
    title: `方案中有${formatNumber(conflicts.length)}处时间已被占用，没有写入`,
    style: { width: 640 },
    okText: '知道了',
    content: (
      <>
        <Conflicts conflicts={conflicts} />
        <p>请重新计算，或调整后再采用。</p>
      </>
    ),
  })
}

const hasConflicts = (refusal: ApiError) => conflictsIn(refusal.data).length > 0

interface ShownProps {
  proposal: Proposal
  onShow: (semesterId: number) => void
}

const Shown = ({ proposal, onShow }: ShownProps) => {
  const { jobId, semesterId, placed, unplaced, placedCourses, score, converged, status } = proposal
  const accept = useAction(acceptArrangeProposal, {
    done: ({ ids }) => `已采用，写入${formatNumber(ids.length)}个草稿`,
    quiet: hasConflicts,
    onRefused: tellConflicts,
  })
  const ask = async () => {
    const sure = await confirm({
      title: `采用方案，写入${formatNumber(placed.length)}个草稿？`,
      content: '草稿可以逐个编辑和删除，发布后学生和教师才能看到。',
      okText: '采用',
    })
    if (sure) accept.mutate({ body: { jobId } })
  }
  if (status === 'accepted')
    return (
      <Result
        status="success"
        title={`方案已采用，写入${formatNumber(placed.length)}个草稿`}
        subTitle="核对后批量发布，学生和教师才能看到。"
        extra={
          <Button type="primary" onClick={() => onShow(semesterId)}>
            查看草稿
          </Button>
        }
      />
    )
  return (
    <>
      <Alert
        className="form-lead"
        type={unplaced.length > 0 ? 'warning' : 'success'}
        content={`已排${formatNumber(placedCourses)}门次，未排${formatNumber(unplaced.length)}门次；扣分${formatNumber(score)}，${converged ? '已收敛' : '在时间上限内得到'}。`}
        action={
          <Can do={acceptArrangeProposal}>
            <Button
              type="primary"
              size="small"
              loading={accept.isPending}
              disabled={placed.length === 0}
              title={placed.length === 0 ? '该方案没有排出任何课程' : undefined}
              onClick={ask}
            >
              采用方案
            </Button>
          </Can>
        }
      />
      <Space direction="vertical" size={16} className="auto-tables">
        {unplaced.length > 0 && (
          <section aria-label="未排">
            <h2>未排</h2>
            <UnplacedTable unplaced={unplaced} />
          </section>
        )}
        <section aria-label="已排">
          <h2>已排</h2>
          <PlacedTable placed={placed} />
        </section>
      </Space>
    </>
  )
}

/** What a job proposes, and taking it over. */
export const ProposalOf = ({ jobId, onShow }: Pick<Proposal, 'jobId'> & Pick<ShownProps, 'onShow'>) => {
  const request = useRequest()
  const found = useQuery({
    queryKey: [viewArrangeProposal.path, jobId],
    queryFn: ({ signal }) => request(viewArrangeProposal, { query: { jobId } }, { signal }),
  })
  return <Loaded query={found}>{(proposal) => <Shown proposal={proposal} onShow={onShow} />}</Loaded>
}
