import { Button, Checkbox, Form, Input, Modal, Space } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { type ReactNode, useState } from 'react'
import type { BulkResult } from '@/api/types/shared'
import { classes, sites } from '@/basic_data/choices'
import { tellFailures } from '@/kit/BulkBar'
import { Can } from '@/kit/Can'
import { type Column, columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { FormDrawer } from '@/kit/FormDrawer'
import { EnumFilter, OptionFilter, SelectFilter, TextFilter } from '@/kit/filters'
import { formAction } from '@/kit/formAction'
import { formatNumber } from '@/kit/format'
import { QueryTable } from '@/kit/QueryTable'
import { type Reasoned, ReasonForm } from '@/kit/ReasonForm'
import { Segments } from '@/kit/Segments'
import { useAction } from '@/kit/useAction'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import type {
  addOnlineCandidates,
  exportOnlineCandidates,
  extendOnlineCandidates,
  listOnlineCandidates,
  overrideOnlineCandidates,
  refreshOnlineCandidates,
  removeOnlineCandidates,
} from '@/online_exams/api'
import { attendanceTones, type Candidate, eligibilityTones, levelTones } from './examRules'
import { type Chosen, SelectionPicker } from './SelectionPicker'

/** The operations on candidates, which both ways of examination have under paths of their own. */
export interface CandidateCalls {
  list: typeof listOnlineCandidates
  export: typeof exportOnlineCandidates
  refresh: typeof refreshOnlineCandidates
  add: typeof addOnlineCandidates
  remove: typeof removeOnlineCandidates
  override: typeof overrideOnlineCandidates
  extend: typeof extendOnlineCandidates
}

/** The columns of candidates; on paper with their seats. */
export const candidateColumns = (list: CandidateCalls['list'], onPaper: boolean): Column<Candidate>[] =>
  columnsOf(list, [
    { field: 'name', width: 110, fixed: 'left' },
    { field: 'studentNo', under: 'name' },
    { field: 'eligibility', title: '资格', width: 90, fixed: 'left', tones: eligibilityTones },
    { field: 'levelName', title: '层次', width: 76 },
    { field: 'majorName', title: '专业', width: 140 },
    { field: 'gradeName', title: '年级', width: 84 },
    { field: 'siteName', title: '站点', width: 130 },
    { field: 'className', title: '班级', width: 150 },
    { field: 'round', title: '性质', width: 84 },
    { field: 'eligibilityReason', width: 220 },
    { field: 'eligibilityOverride', width: 90 },
    { field: 'attendance', title: '到考', width: 84, tones: attendanceTones },
    { field: 'violationLevel', width: 76, tones: levelTones },
    { field: 'slot', width: 66, hidden: onPaper },
    { field: 'examRoomNo', width: 84, hidden: !onPaper },
    { field: 'seatNo', width: 84, hidden: !onPaper },
    { field: 'ticketNo', width: 150, hidden: !onPaper },
    { field: 'extraMinutes', width: 90 },
    { field: 'finalScore', title: '百分制成绩', width: 110, hidden: onPaper },
    { field: 'finalRaw', width: 84, hidden: true },
    { field: 'reopenedUntil', width: 170, hidden: true },
    { field: 'overrideReason', width: 180, hidden: true },
    { field: 'overrideByName', width: 90, hidden: true },
    { field: 'addedByHand', width: 90, hidden: true },
    { field: 'removed', width: 84, hidden: true },
    { field: 'removeReason', width: 180, hidden: true },
  ])

interface AddWish {
  setupId: number
  courseId: number
  semesterId: number
}

type Report = (message?: string) => void

const AddForm = ({ record: to, calls, ...drawer }: DrawerProps<AddWish> & { calls: CandidateCalls }) => (
  <FormDrawer<{ selections?: Chosen[]; reason?: string }, BulkResult>
    {...drawer}
    record={undefined}
    width={720}
    title="添加考生"
    okText="添加"
    action={() => {
      const save = formAction(calls.add, ({ done }) => `已添加${formatNumber(done)}名考生`, { setupId: to?.setupId })
      return {
        ...save,
        send: ({ selections = [], ...typed }: { selections?: Chosen[]; reason?: string }, request) =>
          save.send({ ...typed, selectionIds: selections.map(({ id }) => id) }, request),
      }
    }}
    onSaved={(answer) => {
      if (answer.failed.length > 0) tellFailures('添加考生', answer)
    }}
  >
    <p className="form-hint">添加的考生在刷新名单时保留；一名学生在一个批次的一门课程只能参加一场考试。</p>
    <Form.Item
      field="selections"
      label="学生"
      required
      rules={[
        {
          validator: (value, report: Report) =>
            report(Array.isArray(value) && value.length > 0 ? undefined : '请选择学生'),
        },
      ]}
    >
      <SelectionPicker several courseId={to?.courseId} semesterId={to?.semesterId} />
    </Form.Item>
    <Form.Item
      field="reason"
      label="原因"
      required
      rules={[{ required: true, minLength: 2, maxLength: 200, message: '请填写原因，2至200个字符' }]}
    >
      <Input.TextArea aria-label="原因" maxLength={200} autoSize={{ minRows: 2, maxRows: 6 }} />
    </Form.Item>
  </FormDrawer>
)

interface RefreshProps {
  calls: CandidateCalls
  setupId: number
  /** What the examination says of them. */
  includeDeferred: boolean
  onClose: () => void
}

/** 刷新名单: whether those whose examination was put off sit here too. */
const RefreshDialog = ({ calls, setupId, includeDeferred, onClose }: RefreshProps) => {
  const [deferred, setDeferred] = useState(includeDeferred)
  const refresh = useAction(calls.refresh, {
    done: ({ added, updated, removed, jobId }) =>
      jobId
        ? '人数较多，正在后台刷新，进度在任务中心查看'
        : `新增${formatNumber(added)}名，更新${formatNumber(updated)}名，移除${formatNumber(removed)}名`,
    onDone: onClose,
  })
  return (
    <Modal
      title="刷新考生名单"
      visible
      okText="刷新名单"
      cancelText="取消"
      confirmLoading={refresh.isPending}
      onOk={() => refresh.mutate({ body: { setupId, includeDeferred: deferred } })}
      onCancel={onClose}
    >
      <p>按考试对象和资格要求重新生成名单；人工核准和人工添加的考生保留。</p>
      <Checkbox checked={deferred} onChange={setDeferred}>
        纳入该课程已批准缓考的学生
      </Checkbox>
    </Modal>
  )
}

interface CandidatesProps {
  calls: CandidateCalls
  columns: readonly Column<Candidate>[]
  setupId: number
  includeDeferred: boolean
  courseId: number
  semesterId: number
  /** Import, which only one of the two ways has. */
  tools?: ReactNode
}

const nameOf = ({ name, studentNo }: Candidate) => [name, studentNo].filter(Boolean).join(' ')

/** 考生 of an examination: who may sit, why not, where. */
export const Candidates = (props: CandidatesProps) => {
  const { calls, columns, setupId, includeDeferred, courseId, semesterId, tools } = props
  const table = useQueryTable(calls.list, { usual: { setupId } })
  const [refreshing, setRefreshing] = useState(false)
  const add = useDrawer<AddWish>()
  const reason = useDrawer<Reasoned>()
  const left = (failed: readonly { id: number }[]) => table.tickRows(failed)
  const asked = (ids: readonly number[], who: string) => ({
    remove: (): Reasoned => ({
      do: calls.remove,
      title: `移除 ${who}`,
      verb: '移除',
      hint: '移除的考生不再参加本场考试；已编排的座位空出。',
      done: '已移除考生',
      danger: true,
      body: { ids },
      settle: left,
    }),
    allow: (eligible: boolean): Reasoned => ({
      do: calls.override,
      title: `${eligible ? '核准' : '取消'} ${who} 的考试资格`,
      verb: eligible ? '核准资格' : '取消资格',
      hint: '人工核准的结果在刷新名单时保留。',
      done: eligible ? '已核准考试资格' : '已取消考试资格',
      danger: !eligible,
      body: { ids, eligible },
      settle: left,
    }),
    extend: (): Reasoned => ({
      do: calls.extend,
      title: `为 ${who} 加时`,
      verb: '加时',
      hint: '正在作答的答卷随之延长。',
      done: '已加时',
      minutes: true,
      body: { ids },
      settle: left,
    }),
  })
  const several = (ids: readonly number[]) => asked([...ids], `选中的${formatNumber(ids.length)}名考生`)
  return (
    <>
      <Segments table={table} field="eligibility" label="考试资格" />
      <FilterBar table={table}>
        <TextFilter of={calls.list} field="keyword" label="姓名或学号" />
        <OptionFilter of={calls.list} field="classId" {...classes} />
        <OptionFilter of={calls.list} field="siteId" {...sites} />
        <EnumFilter of={calls.list} field="attendance" />
        <EnumFilter of={calls.list} field="violationLevel" />
        <EnumFilter of={calls.list} field="round" />
        <SelectFilter
          of={calls.list}
          field="removed"
          label="已移除"
          options={[
            { value: 'true', label: '已移除' },
            { value: 'false', label: '未移除' },
          ]}
        />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={nameOf}
        primary={
          <Space size={8}>
            <Can do={calls.refresh}>
              <Button type="primary" onClick={() => setRefreshing(true)}>
                刷新名单
              </Button>
            </Can>
            <Can do={calls.add}>
              <Button icon={<IconPlus />} onClick={() => add.open({ setupId, courseId, semesterId })}>
                添加考生
              </Button>
            </Can>
          </Space>
        }
        tools={
          <Space size={8}>
            {tools}
            <ExportButton do={calls.export} table={table} />
          </Space>
        }
        bulk={[
          { label: '核准资格', do: calls.override, open: (ids) => reason.open(several(ids).allow(true)) },
          { label: '取消资格', do: calls.override, open: (ids) => reason.open(several(ids).allow(false)) },
          { label: '加时', do: calls.extend, open: (ids) => reason.open(several(ids).extend()) },
          { label: '移除', do: calls.remove, open: (ids) => reason.open(several(ids).remove()) },
        ]}
        actions={(row) => {
          const one = asked([row.id], nameOf(row))
          const gone = row.removed ? '该考生已移除' : undefined
          return [
            {
              label: row.eligibility === 'eligible' ? '取消资格' : '核准资格',
              do: calls.override,
              danger: row.eligibility === 'eligible',
              disabled: gone,
              onClick: () => reason.open(one.allow(row.eligibility !== 'eligible')),
            },
            { label: '加时', do: calls.extend, disabled: gone, onClick: () => reason.open(one.extend()) },
            { label: '移除', do: calls.remove, danger: true, disabled: gone, onClick: () => reason.open(one.remove()) },
          ]
        }}
        empty="还没有考生。选好考试对象后刷新名单。"
      />
      {refreshing && (
        <RefreshDialog
          calls={calls}
          setupId={setupId}
          includeDeferred={includeDeferred}
          onClose={() => setRefreshing(false)}
        />
      )}
      <AddForm key={`add-${add.key}`} calls={calls} {...add.props} />
      <ReasonForm key={`reason-${reason.key}`} {...reason.props} />
    </>
  )
}
