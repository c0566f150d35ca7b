import { Alert, Button, Drawer, Form, Result, Space, Table } from '@arco-design/web-react'
import { IconUserGroup } from '@arco-design/web-react/icon'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { listOptions } from '@/api/infra'
import type { BodyOf, RowOf } from '@/api/operation'
import { refetchAll } from '@/api/query'
import { useRequest } from '@/api/schoolContext'
import { BasicSelect, basicOptions } from '@/basic_data/BasicSelect'
import { tellFailures } from '@/kit/BulkBar'
import { Can } from '@/kit/Can'
import { confirm } from '@/kit/confirm'
import { DialogName } from '@/kit/DialogName'
import { fieldsOf } from '@/kit/Field'
import { formatNumber } from '@/kit/format'
import { Running } from '@/kit/importRun'
import { tidied } from '@/kit/rules'
import { SeveralOptions } from '@/kit/SeveralOptions'
import { Word } from '@/kit/Status'
import { useDraftForm } from '@/kit/useDraftForm'
import { useJob } from '@/kit/useJob'
import { divideStudentsAutomatically, undoDivision } from './api'

type Wish = BodyOf<typeof divideStudentsAutomatically>
type Plan = RowOf<typeof divideStudentsAutomatically>

const Field = fieldsOf(divideStudentsAutomatically)

/** What would become of whom, class by class. */
const PlanTable = ({ plan }: { plan: Plan }) => {
  const rows = plan.groups.flatMap((group, at) =>
    group.classes.map((each) => ({ key: `${at}-${each.name}`, group, each })),
  )
  type Row = (typeof rows)[number]
  return (
    <>
      <Alert
        className="form-lead"
        type={plan.small.length > 0 ? 'warning' : 'info'}
        content={`共${formatNumber(plan.students)}名未分班学生，新建${formatNumber(plan.newClasses)}个班级${
          plan.small.length > 0 ? `；人数偏少：${plan.small.join('、')}` : ''
        }`}
      />
      <Table
        size="small"
        rowKey="key"
        border={{ wrapper: true }}
        pagination={{ pageSize: 20, hideOnSinglePage: true }}
        data={rows}
        columns={[
          {
            title: '层次、专业、站点',
            dataIndex: 'group',
            render: (_: unknown, { group }: Row) => `${group.levelName} ${group.majorName} ${group.siteName}`,
          },
          {
            title: '班级',
            dataIndex: 'each',
            render: (_: unknown, { each }: Row) => (
              <>
                {each.name} {each.small && <Word tone="warning">人数偏少</Word>}
              </>
            ),
          },
          {
            title: '原有',
            dataIndex: 'taken',
            width: 70,
            align: 'right',
            render: (_: unknown, { each }: Row) => formatNumber(each.taken),
          },
          {
            title: '分入',
            dataIndex: 'added',
            width: 70,
            align: 'right',
            render: (_: unknown, { each }: Row) => formatNumber(each.added),
          },
          {
            title: '容量',
            dataIndex: 'capacity',
            width: 70,
            align: 'right',
            render: (_: unknown, { each }: Row) => formatNumber(each.capacity),
          },
        ]}
      />
    </>
  )
}

/** 自动分班: who has no class is shown a plan, and then seated by it. */
export const AutoDivide = () => {
  const [open, setOpen] = useState(false)
  return (
    <Can do={divideStudentsAutomatically}>
      <Button icon={<IconUserGroup />} onClick={() => setOpen(true)}>
        自动分班
      </Button>
      {open && <AutoDivideDrawer onClose={() => setOpen(false)} />}
    </Can>
  )
}

const AutoDivideDrawer = ({ onClose }: { onClose: () => void }) => {
  const draft = useDraftForm(true, { mode: 'balance', order: 'name_pinyin', minSize: 20, useExisting: false })
  const request = useRequest()
  const wish = useRef<Wish>(undefined)
  const mode: Wish['mode'] | undefined = Form.useWatch('mode', draft.form)
  const divide = useMutation({
    mutationFn: (body: Wish) => request(divideStudentsAutomatically, { body }),
    onSuccess: (_, { dryRun }) => {
      if (!dryRun) refetchAll()
    },
    onError: (error) => draft.showErrors(error),
  })
  const undo = useMutation({
    mutationFn: (planHash: string) => request(undoDivision, { body: { planHash } }),
    onSuccess: (result) => {
      refetchAll()
      if (result.failed.length > 0) tellFailures('撤销分班', result)
    },
  })
  const plan = divide.data
  /** Many students are divided by a job, which goes on when the drawer is closed. */
  const job = useJob(plan?.jobId).data
  const divided = job?.state === 'done'
  const isRunning = Boolean(plan?.jobId) && (job === undefined || job.state === 'queued' || job.state === 'running')
  const failed = job?.state === 'failed' || job?.state === 'cancelled'
  const done = plan !== undefined && (plan.done > 0 || divided)
  const settled = done || isRunning || failed
  const preview = async () => {
    const values = await draft.validated()
    if (!values) return
    wish.current = { ...(tidied(values) as Wish), dryRun: true }
    divide.mutate(wish.current)
  }
  const commit = () => {
    if (plan && wish.current) divide.mutate({ ...wish.current, dryRun: false, planHash: plan.planHash })
  }
  const takeBack = async () => {
    if (!plan) return
    const asked = { title: '撤销本次分班？', content: '仍在所分班级的学生恢复为未分班，新建的班级保留。' }
    if (await confirm({ ...asked, okText: '撤销', danger: true })) undo.mutate(plan.planHash)
  }
  const footer = (
    <Space>
      <Button onClick={onClose}>{settled ? '关闭' : '取消'}</Button>
      {plan && (failed || !settled) && <Button onClick={() => divide.reset()}>修改条件</Button>}
      {plan && !settled && (
        <Button type="primary" loading={divide.isPending} disabled={plan.students === 0} onClick={commit}>
          确认分班
        </Button>
      )}
      {!plan && (
        <Button type="primary" loading={divide.isPending} onClick={preview}>
          预览
        </Button>
      )}
    </Space>
  )
  return (
    <Drawer title="自动分班" width={820} visible onCancel={onClose} footer={footer}>
      <DialogName name="自动分班" />
      <div ref={draft.wrapper} hidden={plan !== undefined}>
        <p className="form-lead">为所选范围内没有班级的学生分班：先预览方案，确认后才会建班和分入。</p>
        <Form {...draft.formProps} className="form-grid">
          <Field name="gradeId">
            <BasicSelect type="grade" />
          </Field>
          <Field name="levelIds">
            <SeveralOptions label="层次" options={listOptions} query={basicOptions('level')} />
          </Field>
          <Field name="majorIds">
            <SeveralOptions label="专业" options={listOptions} query={basicOptions('major')} />
          </Field>
          <Field name="siteIds">
            <SeveralOptions label="站点" options={listOptions} query={basicOptions('site')} />
          </Field>
          <Field name="mode" />
          <Field name="order" />
          <Field name="capacity" />
          <Field name="minSize" />
          {mode === 'fill' && <Field name="useExisting" />}
          <Field name="namePattern" />
        </Form>
      </div>
      {isRunning && <Running run={{ job }} words="正在分班" meanwhile="可以关闭窗口去做别的事，进度在任务中心查看。" />}
      {failed && <Result status="error" title={job.message} />}
      {plan && done && (
        <Result
          status="success"
          title={
            undo.data
              ? `已撤销${formatNumber(undo.data.done)}名学生的分班`
              : `已为${formatNumber(plan.students)}名学生分班，新建${formatNumber(plan.newClasses)}个班级`
          }
          extra={
            !undo.data && (
              <Button status="danger" loading={undo.isPending} onClick={takeBack}>
                撤销本次分班
              </Button>
            )
          }
        />
      )}
      {plan &&
        (plan.students === 0 ? <Result status="info" title="所选范围内没有未分班的学生" /> : <PlanTable plan={plan} />)}
    </Drawer>
  )
}
