import { Alert, Button, Checkbox, Drawer, Form, InputNumber, Radio, Select, Space, Steps } from '@arco-design/web-react'
import { IconDelete, IconPlus } from '@arco-design/web-react/icon'
import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { RowOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import { listClassrooms } from '@/basic_data/api'
import { openSemesters } from '@/basic_data/choices'
import { DialogName } from '@/kit/DialogName'
import { formatNumber } from '@/kit/format'
import { Running } from '@/kit/importRun'
import { Failed } from '@/kit/Loaded'
import { type Choice, OptionSelect } from '@/kit/OptionSelect'
import { SeveralOptions } from '@/kit/SeveralOptions'
import { useJob } from '@/kit/useJob'
import { arrangeAutomatically } from './api'
import { classrooms } from './choices'
import { DatesInput, PeriodSelect } from './inputs'
import { ProposalOf } from './Proposal'
import {
  type AutoBody,
  blocksOf,
  itemsOf,
  type Pending,
  type TypedBlock,
  weekdays,
  whyNotReady,
} from './timetableRules'

const TITLE = '自动排课'
const steps = ['范围和时间', '计算', '方案'] as const
const [ASK, RUN, SHOW] = [1, 2, 3] as const

type RoomType = RowOf<typeof listClassrooms>['roomType']
const roomTypes = (listClassrooms.columns.roomType?.options ?? []).map(([value, label]) => ({ value, label }))

interface BlocksInputProps {
  blocks: readonly TypedBlock[]
  onChange: (blocks: TypedBlock[]) => void
}

/** 节次段: lessons that stand together, the preferred ones first. */
const BlocksInput = ({ blocks, onChange }: BlocksInputProps) => {
  const set = (key: number, side: 'periodFrom' | 'periodTo', no: number | undefined) =>
    onChange(blocks.map((block) => (block.key === key ? { ...block, [side]: no } : block)))
  const next = Math.max(0, ...blocks.map(({ key }) => key)) + 1
  return (
    <div className="auto-blocks">
      {blocks.map(({ key, periodFrom, periodTo }, at) => (
        <Space key={key} size={8}>
          <PeriodSelect
            siteId={undefined}
            side="startsAt"
            aria-label={`第${at + 1}段开始节次`}
            value={periodFrom}
            onChange={(no) => set(key, 'periodFrom', no)}
          />
          至
          <PeriodSelect
            siteId={undefined}
            side="endsAt"
            aria-label={`第${at + 1}段结束节次`}
            value={periodTo}
            onChange={(no) => set(key, 'periodTo', no)}
          />
          <Button
            type="text"
            icon={<IconDelete />}
            aria-label={`删除第${at + 1}段`}
            disabled={blocks.length === 1}
            onClick={() => onChange(blocks.filter((block) => block.key !== key))}
          />
        </Space>
      ))}
      <Button type="text" icon={<IconPlus />} onClick={() => onChange([...blocks, { key: next }])}>
        增加节次段
      </Button>
    </div>
  )
}

interface CountProps {
  label: string
  value: number
  min: number
  max: number
  onChange: (value: number) => void
}

const Count = ({ label, value, min, max, onChange }: CountProps) => (
  <Form.Item label={label}>
    <InputNumber
      aria-label={label}
      min={min}
      max={max}
      precision={0}
      hideControl
      value={value}
      onChange={(typed) => onChange(typeof typed === 'number' ? typed : min)}
    />
  </Form.Item>
)

const MOST_OF_DAY = 14
const USUAL_OF_DAY = 8
const LEAST_SECONDS = 10
const MOST_SECONDS = 300
const USUAL_SECONDS = 60
const MOST_SEED = 999_999

const WEEKLY = 'weekly'
const DATED = 'dated'

interface AutoArrangeProps {
  semester: Choice | undefined
  /** Those that are arranged; of none, all that lack hours. */
  rows: readonly Pending[]
  /** The job of a proposal that is looked at again. */
  jobId: number | undefined
  /** The job that is looked at from now on; none to ask anew. */
  onJob: (jobId: number | undefined) => void
  onClose: () => void
  /** To what was taken over in a semester. */
  onShow: (semesterId: number) => void
}

/** 自动排课: what is arranged and when it may be, how far the computation is, what it proposes. */
export const AutoArrange = ({ semester, rows, jobId, onJob, onClose, onShow }: AutoArrangeProps) => {
  const request = useRequest()
  const formId = useId()
  const [term, setTerm] = useState(semester)
  const [days, setDays] = useState<string>(WEEKLY)
  const [ofWeek, setOfWeek] = useState<number[]>([6, 7])
  const [dates, setDates] = useState<string[]>([])
  const [blocks, setBlocks] = useState<TypedBlock[]>([
    { key: 1, periodFrom: 1, periodTo: 4 },
    { key: 2, periodFrom: 5, periodTo: 8 },
  ])
  const [rooms, setRooms] = useState<number[]>([])
  const [roomType, setRoomType] = useState<RoomType>()
  const [merged, setMerged] = useState(true)
  const [ofTeacher, setOfTeacher] = useState(USUAL_OF_DAY)
  const [ofClass, setOfClass] = useState(USUAL_OF_DAY)
  const [seed, setSeed] = useState(1)
  const [seconds, setSeconds] = useState(USUAL_SECONDS)
  const job = useJob(jobId)
  const state = job.data?.state
  const goesOn = state === 'queued' || state === 'running'
  const isRunning = jobId !== undefined && (state === undefined || goesOn)
  const step = jobId === undefined ? ASK : isRunning ? RUN : SHOW
  const chosen = { weekdays: days === WEEKLY ? ofWeek : [], dates: days === DATED ? dates : [] }
  const lacks = term ? whyNotReady({ ...chosen, blocks }) : '请选择学期'
  const start = useMutation({
    mutationFn: (body: AutoBody) => request(arrangeAutomatically, { body }),
    onSuccess: (started) => onJob(started.jobId),
  })
  const send = () => {
    if (!term || lacks) return
    start.mutate({
      semesterId: term.code,
      items: rows.length > 0 ? itemsOf(rows) : null,
      ...chosen,
      blocks: blocksOf(blocks),
      classroomIds: rooms.length > 0 ? rooms : null,
      roomType: roomType ?? null,
      mergeSameCourse: merged,
      maxPeriodsPerDayTeacher: ofTeacher,
      maxPerDayClass: ofClass,
      seed,
      timeLimit: seconds,
    })
  }
  return (
    <Drawer
      title={TITLE}
      width={960}
      visible
      onCancel={onClose}
      footer={
        <Space>
          <Button onClick={onClose}>{step === ASK ? '取消' : '关闭'}</Button>
          {step === ASK && (
            <Button type="primary" loading={start.isPending} disabled={Boolean(lacks)} title={lacks} onClick={send}>
              开始计算
            </Button>
          )}
          {step !== ASK && !goesOn && (state || job.isError) && (
            <Button onClick={() => onJob(undefined)}>重新计算</Button>
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
      {step === ASK && (
        <Form id={formId} layout="vertical" className="form-grid">
          <p className="form-hint">
            {rows.length > 0
              ? `为选中的${formatNumber(rows.length)}个班级课程排课。`
              : '为该学期全部未排满的面授和混合课程排课。'}
            只排以后的时间；计算得到的是方案，采用后才写入草稿。
          </p>
          <Form.Item label="学期" required>
            <OptionSelect
              label="学期"
              {...openSemesters}
              disabled={rows.length > 0}
              value={term?.code}
              known={term}
              onChange={(_, choice) => setTerm(choice)}
            />
          </Form.Item>
          <Form.Item label="可用时间" required>
            <Radio.Group
              name="days"
              aria-label="可用时间"
              value={days}
              options={[
                { value: WEEKLY, label: '按星期' },
                { value: DATED, label: '按日期' },
              ]}
              onChange={setDays}
            />
          </Form.Item>
          <div className="form-wide">
            {days === WEEKLY ? (
              <Form.Item label="可用星期" required>
                <Checkbox.Group value={ofWeek} options={[...weekdays]} onChange={setOfWeek} />
              </Form.Item>
            ) : (
              <Form.Item label="可用日期" required>
                <DatesInput aria-label="可用日期" value={dates} onChange={setDates} />
              </Form.Item>
            )}
          </div>
          <div className="form-wide">
            <Form.Item label="节次段" required extra="靠前的优先">
              <BlocksInput blocks={blocks} onChange={setBlocks} />
            </Form.Item>
          </div>
          <Form.Item label="可用教室">
            <SeveralOptions
              label="可用教室"
              placeholder="班级所在站点的全部教室"
              {...classrooms}
              value={rooms}
              onChange={setRooms}
            />
          </Form.Item>
          <Form.Item label="教室类型">
            <Select
              aria-label="教室类型"
              placeholder="不限"
              allowClear
              value={roomType}
              options={roomTypes}
              onChange={setRoomType}
            />
          </Form.Item>
          <Count label="教师每天最多节数" value={ofTeacher} min={1} max={MOST_OF_DAY} onChange={setOfTeacher} />
          <Count label="班级每天最多节数" value={ofClass} min={1} max={MOST_OF_DAY} onChange={setOfClass} />
          <Count label="时间上限(秒)" value={seconds} min={LEAST_SECONDS} max={MOST_SECONDS} onChange={setSeconds} />
          <Count label="随机种子" value={seed} min={0} max={MOST_SEED} onChange={setSeed} />
          <div className="form-wide">
            <Checkbox checked={merged} onChange={setMerged}>
              同课程合班：同一站点、同一主讲教师的班级在教室容量内一起上课
            </Checkbox>
          </div>
        </Form>
      )}
      {step === RUN &&
        (job.isError ? (
          <Failed error={job.error} retry={() => job.refetch()} />
        ) : (
          <Running
            run={{ job: job.data }}
            words="正在计算"
            meanwhile="可以关闭窗口去做别的事，再点“自动排课”可以继续查看，进度也在任务中心。"
          />
        ))}
      {step === SHOW && jobId !== undefined && state !== 'done' && (
        <Alert type="error" content={job.data?.message ?? '计算没有完成'} />
      )}
      {step === SHOW && jobId !== undefined && state === 'done' && <ProposalOf jobId={jobId} onShow={onShow} />}
    </Drawer>
  )
}
