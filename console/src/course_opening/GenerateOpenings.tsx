import { Alert, Button, Drawer, Form, Result, Space, Steps, Table } from '@arco-design/web-react'
import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { BodyOf } from '@/api/operation'
import { useOptions } from '@/api/options'
import { refetchAll } from '@/api/query'
import { useRequest } from '@/api/schoolContext'
import { grades, majors, openSemesters } from '@/basic_data/choices'
import { DialogName } from '@/kit/DialogName'
import { formatNumber } from '@/kit/format'
import { Running } from '@/kit/importRun'
import { type Choice, OptionSelect } from '@/kit/OptionSelect'
import { SeveralOptions } from '@/kit/SeveralOptions'
import { Word } from '@/kit/Status'
import { useJob } from '@/kit/useJob'
import { useEnumeration } from '@/settings/useEnumeration'
import { generateOpenings } from './api'
import { countsOf, type Generated, type GeneratedPlan, leftOutFirst, reasonsOf } from './openingRules'

const TITLE = '按计划生成开课'
const steps = ['学期', '年级和专业', '预览', '结果'] as const
const [SEMESTER, PLACES, PREVIEW, DONE] = [1, 2, 3, 4] as const

const Plans = ({ plans }: { plans: readonly GeneratedPlan[] }) => {
  const words = new Map(useEnumeration('openingSkipReason').map(({ code, desc }) => [code, desc]))
  const reasonWord = (reason: string) => words.get(reason) ?? reason
  return (
    <Table
      size="small"
      rowKey={({ gradeId, majorId }: GeneratedPlan) => `${gradeId}-${majorId ?? 0}`}
      border={{ wrapper: true }}
      pagination={{ pageSize: 20, hideOnSinglePage: true }}
      data={leftOutFirst(plans)}
      noDataElement="所选年级在该学期都不在学期序内"
      columns={[
        { title: '年级', dataIndex: 'gradeName', width: 90 },
        { title: '专业', dataIndex: 'majorName', width: 150, render: (name?: string | null) => name ?? '—' },
        { title: '教学计划', dataIndex: 'planName', render: (name?: string | null) => name ?? '—' },
        { title: '学期序', dataIndex: 'termNo', width: 70, align: 'right' },
        { title: '在籍人数', dataIndex: 'students', width: 80, align: 'right', render: formatNumber },
        { title: '新增', dataIndex: 'created', width: 60, align: 'right', render: formatNumber },
        { title: '已有', dataIndex: 'existing', width: 60, align: 'right', render: formatNumber },
        {
          title: '未生成',
          dataIndex: 'skips',
          width: 220,
          render: (_: unknown, plan: GeneratedPlan) =>
            reasonsOf(plan, reasonWord).map((reason) => (
              <div key={reason}>
                <Word tone="warning">{reason}</Word>
              </div>
            )),
        },
      ]}
    />
  )
}

/** What was made, or goes on being made by a job. */
const Made = ({ made, onShow }: { made: Generated; onShow: () => void }) => {
  const job = useJob(made.jobId).data
  const isRunning = Boolean(made.jobId) && (job === undefined || job.state === 'queued' || job.state === 'running')
  if (isRunning)
    return <Running run={{ job }} words="正在生成" meanwhile="可以关闭窗口去做别的事，进度在任务中心查看。" />
  if (job && job.state !== 'done') return <Result status="error" title={job.message} />
  return (
    <Result
      status="success"
      title={job?.message ?? countsOf(made)}
      subTitle="新增的开课为待开课；核对后批量开课，必修课程的学生随之进入名单。"
      extra={<Button onClick={onShow}>查看待开课</Button>}
    />
  )
}

interface GenerateProps {
  /** The semester that is offered first. */
  semester: Choice | undefined
  /** The semester that whoever led here decided: goes on with grades and majors. */
  askedId: number | undefined
  onClose: () => void
  /** To what was made. */
  onShow: (semesterId: number) => void
}

/** 按计划生成开课: which semester, which grades and majors, what would come of it, and what did. */
export const GenerateOpenings = ({ semester, askedId, onClose, onShow }: GenerateProps) => {
  const request = useRequest()
  const formId = useId()
  const offered = useOptions(openSemesters.options, openSemesters.query(''), askedId !== undefined)
  const asked = offered.data?.find(({ code }) => code === askedId)
  const [picked, setPicked] = useState<Choice>()
  const chosen = picked ?? (askedId === undefined ? semester : asked)
  const [taken, setStep] = useState<number>()
  const step = taken ?? (asked ? PLACES : SEMESTER)
  const [gradeIds, setGrades] = useState<number[]>([])
  const [majorIds, setMajors] = useState<number[]>([])
  const run = useMutation({
    mutationFn: (body: BodyOf<typeof generateOpenings>) => request(generateOpenings, { body }),
    onSuccess: async (_, { dryRun }) => {
      setStep(dryRun ? PREVIEW : DONE)
      if (!dryRun) await refetchAll()
    },
  })
  const start = (dryRun: boolean) => {
    if (!chosen) return
    run.mutate({
      semesterId: chosen.code,
      gradeIds: gradeIds.length > 0 ? gradeIds : null,
      majorIds: majorIds.length > 0 ? majorIds : null,
      dryRun,
    })
  }
  const shown = run.data
  const nothing = shown?.created === 0
  return (
    <Drawer
      title={TITLE}
      width={960}
      visible
      onCancel={onClose}
      footer={
        <Space>
          <Button onClick={onClose}>{step === DONE ? '关闭' : '取消'}</Button>
          {(step === PLACES || step === PREVIEW) && <Button onClick={() => setStep(step - 1)}>上一步</Button>}
          {step === SEMESTER && (
            <Button type="primary" disabled={!chosen} onClick={() => setStep(PLACES)}>
              下一步
            </Button>
          )}
          {step === PLACES && (
            <Button type="primary" loading={run.isPending} onClick={() => start(true)}>
              预览
            </Button>
          )}
          {step === PREVIEW && shown && (
            <Button
              type="primary"
              loading={run.isPending}
              disabled={nothing && shown.existing === 0}
              title={nothing && shown.existing === 0 ? '没有可以生成的课程' : undefined}
              onClick={() => start(false)}
            >
              {nothing ? '更新待开课的课程' : `确认生成${formatNumber(shown.created)}个开课`}
            </Button>
          )}
        </Space>
      }
    >
      <DialogName name={TITLE} />
      <Steps className="import-steps" size="small" current={step}>
        {steps.map((title) => (
          <Steps.Step key={title} title={title} />
        ))}
      </Steps>
      {step === SEMESTER && (
        <Form id={formId} layout="vertical">
          <p className="form-lead">每个年级在该学期的学期序，决定它在教学计划中应开的课程。</p>
          <Form.Item label="学期" required>
            <OptionSelect
              label="学期"
              {...openSemesters}
              value={chosen?.code}
              known={chosen}
              onChange={(_, choice) => setPicked(choice)}
            />
          </Form.Item>
        </Form>
      )}
      {step === PLACES && (
        <Form id={formId} layout="vertical">
          <p className="form-lead">{chosen?.desc}：不选时为全部启用的年级和全部专业。</p>
          <Form.Item label="年级">
            <SeveralOptions label="年级" placeholder="全部年级" {...grades} value={gradeIds} onChange={setGrades} />
          </Form.Item>
          <Form.Item label="专业">
            <SeveralOptions label="专业" placeholder="全部专业" {...majors} value={majorIds} onChange={setMajors} />
          </Form.Item>
        </Form>
      )}
      {step === PREVIEW && shown && (
        <>
          <Alert
            className="form-lead"
            type={nothing ? 'warning' : 'info'}
            content={`${chosen?.desc}：${countsOf(shown)}。已有的待开课按现在生效的计划更新，已开课的保持不变；重复生成不会产生重复的开课。`}
          />
          <Plans plans={shown.plans} />
        </>
      )}
      {step === DONE && shown && (
        <>
          <Made made={shown} onShow={() => chosen && onShow(chosen.code)} />
          <Plans plans={shown.plans} />
        </>
      )}
    </Drawer>
  )
}
