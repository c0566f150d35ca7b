import { Alert, Button, Drawer, Empty, Form, Space, Table } from '@arco-design/web-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf, tellSuccess } from '@/api/errors'
import { refetchAll } from '@/api/query'
import { useRequest } from '@/api/schoolContext'
import { sites } from '@/basic_data/choices'
import { roomsOf } from '@/exams/choices'
import { DialogName } from '@/kit/DialogName'
import { fieldsOf } from '@/kit/Field'
import { formatNumber } from '@/kit/format'
import { SeveralOptions } from '@/kit/SeveralOptions'
import { useDraftForm } from '@/kit/useDraftForm'
import type { DrawerProps } from '@/kit/useDrawer'
import { seatCandidates } from './api'
import { type Seated, seatedWords } from './seatRules'

/** Which sessions of a batch are seated; none means all of them. */
export interface AutoWish {
  batchId: number
  sessionIds: number[]
}

const TITLE = '自动编排座位'

const usual = {
  order: 'class',
  mix: 'interleave',
  fill: 'even',
  seatPattern: 'snake',
  siteIds: [],
  roomIds: [],
  keepManual: true,
}

const Field = fieldsOf(seatCandidates)

type Unseated = Seated['unplaced'][number]
type RoomOf = Seated['rooms'][number]

const small = {
  size: 'small',
  border: { wrapper: true },
  pagination: { pageSize: 10, hideOnSinglePage: true },
} as const

/** What seating comes to: rooms, who is left, whose neighbours have the same course. */
const Outcome = ({ seated }: { seated: Seated }) => (
  <>
    <Alert
      className="form-lead"
      type={seated.unplacedCount > 0 ? 'warning' : 'success'}
      content={seatedWords(seated)}
    />
    <Table
      {...small}
      rowKey={({ sessionCode, siteName, examRoomNo }: RoomOf) => `${sessionCode}-${siteName}-${examRoomNo}`}
      data={seated.rooms}
      noDataElement={<Empty description="没有可用的考场，请先在考场管理中新增" />}
      columns={[
        { title: '场次', dataIndex: 'sessionCode', width: 70 },
        { title: '考点', dataIndex: 'siteName', width: 150 },
        { title: '考场号', dataIndex: 'examRoomNo', width: 80 },
        { title: '考场', dataIndex: 'roomName' },
        { title: '人数', width: 70, align: 'right', render: (_: unknown, row: RoomOf) => formatNumber(row.count) },
      ]}
    />
    {seated.unplaced.length > 0 && (
      <>
        <h3>未编排</h3>
        <Table
          {...small}
          rowKey={({ candidateId, sessionCode }: Unseated) => `${candidateId}-${sessionCode}`}
          data={seated.unplaced}
          columns={[
            { title: '姓名', dataIndex: 'name', width: 90 },
            { title: '学号', dataIndex: 'studentNo', width: 130 },
            { title: '课程', dataIndex: 'course' },
            { title: '场次', dataIndex: 'sessionCode', width: 70 },
            { title: '原因', dataIndex: 'reason', width: 140 },
          ]}
        />
      </>
    )}
    {seated.neighbourWarnings.length > 0 && (
      <>
        <h3>相邻座位课程相同</h3>
        <ul>
          {seated.neighbourWarnings.map((each) => (
            <li key={each}>{each}</li>
          ))}
        </ul>
      </>
    )}
  </>
)

const Auto = ({ wish, onClose }: { wish: AutoWish; onClose: () => void }) => {
  const request = useRequest()
  const draft = useDraftForm(true, usual)
  const [tried, setTried] = useState<Seated>()
  const run = useMutation({
    mutationFn: async (preview: boolean) => {
      const values = await draft.validated<Record<string, unknown>>()
      if (!values) return undefined
      // An empty choice of rooms means those of each site.
      const chosen = Array.isArray(values.roomIds) && values.roomIds.length > 0 ? values.roomIds : null
      // What was looked at is what is written: by the same seed.
      const seed = values.seed ?? (preview ? null : tried?.seed)
      return request(seatCandidates, { body: { ...values, roomIds: chosen, seed: seed ?? null, ...wish, preview } })
    },
    onSuccess: async (answer, preview) => {
      if (!answer) return
      if (answer.jobId) {
        tellSuccess('人数较多，正在后台编排，进度在任务中心查看')
        draft.settled()
        await refetchAll()
        onClose()
        return
      }
      setTried(answer)
      if (preview) return
      draft.settled()
      await refetchAll()
      tellSuccess(seatedWords(answer))
      if (answer.unplacedCount === 0) onClose()
    },
    onError: draft.showErrors,
  })
  const close = async () => {
    if (await draft.mayClose()) onClose()
  }
  return (
    <Drawer
      title={TITLE}
      width={820}
      visible
      onCancel={close}
      footer={
        <Space>
          <Button onClick={close}>取消</Button>
          <Button loading={run.isPending} onClick={() => run.mutate(true)}>
            预览
          </Button>
          <Button type="primary" loading={run.isPending} onClick={() => run.mutate(false)}>
            编排座位
          </Button>
        </Space>
      }
    >
      <DialogName name={TITLE} />
      <div ref={draft.wrapper}>
        <p className="form-hint">
          {wish.sessionIds.length > 0 ? '编排所选场次' : '编排本批次的全部场次'}
          ，覆盖原有的座位；只编排审核通过、资格正常的考生。相同的随机种子得到相同的座位。
        </p>
        {run.isError && <Alert className="form-lead" type="error" content={messageOf(run.error)} />}
        <Form
          {...draft.formProps}
          className="form-grid"
          onValuesChange={() => {
            draft.formProps.onValuesChange()
            setTried(undefined)
          }}
        >
          <Field name="siteIds" help="不选为全部考点">
            <SeveralOptions label="考点" {...sites} />
          </Field>
          <Field name="roomIds" help="不选为各考点启用的考场，按使用顺序">
            <SeveralOptions label="考场" {...roomsOf(undefined)} />
          </Field>
          <Field name="perRoom" help="不填为批次的默认人数" />
          <Field name="order" />
          <Field name="mix" />
          <Field name="fill" />
          <Field name="seatPattern" />
          <Field name="seed" help="不填时随机" />
          <Field name="keepManual" />
        </Form>
        {tried && <Outcome seated={tried} />}
      </div>
    </Drawer>
  )
}

/** 自动编排: how, a preview, and what became of it (04 §4.3). */
export const AutoSeating = ({ visible, record, onClose }: DrawerProps<AutoWish>) =>
  visible && record ? <Auto wish={record} onClose={onClose} /> : null
