import { Button, Checkbox, Form, Input, InputNumber, Switch, Table } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAllowed } from '@/api/identity'
import type { BodyOf, DataOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import type { Saved } from '@/api/types/shared'
import { BasicSelect, known } from '@/basic_data/BasicSelect'
import { teachers } from '@/basic_data/choices'
import { bulkStep } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { DateTimeInput } from '@/kit/DateTimeInput'
import { ExportButton } from '@/kit/ExportButton'
import { fieldsOf } from '@/kit/Field'
import { FilterBar } from '@/kit/FilterBar'
import { FormDrawer } from '@/kit/FormDrawer'
import { EnumFilter, SelectFilter, TextFilter } from '@/kit/filters'
import { formAction } from '@/kit/formAction'
import { formatNumber, formatTime, points } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { labelOf } from '@/kit/labels'
import { QueryTable } from '@/kit/QueryTable'
import { SeveralOptions } from '@/kit/SeveralOptions'
import { askRemoval, removal } from '@/kit/steps'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { useFileOf } from '@/kit/useFileOf'
import { FIRST_PAGE, useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import {
  arrangeDefense,
  autoArrangeDefenses,
  deleteDefenseGroup,
  deleteDefenseGroups,
  editDefenseGroup,
  exportDefenseGroups,
  listDefenseGroups,
  listTheses,
  printTheses,
  recordDefense,
  saveDefenseGroup,
  viewDefenseGroup,
} from './api'
import { MarkFields } from './MarkFields'
import { PlanSelect, usePlanChoices } from './PlanSelect'
import {
  type Group,
  givenMarks,
  groupTones,
  marksText,
  memberMean,
  moved,
  type TypedMarks,
  weighted,
} from './thesisWords'

type Slot = DataOf<typeof viewDefenseGroup>['slots'][number]

const MINUTES = 15
const OFFERED = 200

const trail = historyOf(viewDefenseGroup, 'defense_group')

const columns = columnsOf(listDefenseGroups, [
  { field: 'name', width: 150, fixed: 'left' },
  { field: 'status', title: '状态', width: 84, fixed: 'left', tones: groupTones },
  { field: 'planName', title: '论文批次', width: 170 },
  { field: 'mode', title: '方式', width: 80 },
  { field: 'heldAt', width: 170 },
  { field: 'endsAt', width: 170 },
  { field: 'place', width: 150 },
  { field: 'memberNames', width: 220 },
  { field: 'secretaryName', width: 100 },
  {
    field: 'slotCount',
    title: '已登记/学生',
    width: 110,
    render: ({ recordedCount, slotCount }) => `${formatNumber(recordedCount)} / ${formatNumber(slotCount)}`,
  },
])

const Field = fieldsOf(saveDefenseGroup)

interface Typed extends Omit<Group, 'members'> {
  memberIds?: number[]
  chairId?: number
}

/** 答辩组: members with a chair, and a secretary who is none of them. */
const GroupForm = ({ record: group, planId, ...drawer }: DrawerProps<Group> & { planId: number | undefined }) => {
  const memberIds = group?.members?.map(({ teacherId }) => teacherId) ?? []
  const chair = group?.members?.find((member) => member.chair)?.teacherId
  return (
    <FormDrawer<Typed, Saved>
      {...drawer}
      record={undefined}
      title={group ? `编辑答辩组 ${group.name}` : '新增答辩组'}
      initial={group ? { ...group, memberIds, chairId: chair } : { planId, mode: 'onsite', memberIds: [] }}
      action={() => {
        const save = group
          ? formAction(editDefenseGroup, '已保存答辩组', group)
          : formAction(saveDefenseGroup, '已新增答辩组')
        return {
          ...save,
          send: ({ memberIds: ids = [], chairId, ...rest }: Partial<Typed>, request) =>
            save.send(
              { ...rest, members: ids.map((teacherId) => ({ teacherId, chair: teacherId === chairId })) },
              request,
            ),
        }
      }}
    >
      {group?.status === 'arranged' && <p className="form-hint">改变时间或成员后须重新安排，学生收到新的通知。</p>}
      <Field name="planId" label="论文批次">
        <PlanSelect disabled={group !== undefined} />
      </Field>
      <Field name="name" />
      <Field name="mode" label="答辩方式" />
      <Field name="heldAt">
        <DateTimeInput />
      </Field>
      <Field name="endsAt">
        <DateTimeInput />
      </Field>
      <Field name="place" />
      <Form.Item field="memberIds" label="成员" extra="安排前不少于3人；指导教师不参加自己学生的答辩组">
        <SeveralOptions label="成员" placeholder="请选择" {...teachers} />
      </Form.Item>
      <Form.Item field="chairId" label="组长" extra="成员之一">
        <BasicSelect type="teacher" label="组长" known={known(chair, group?.memberNames.split('、')[0])} />
      </Form.Item>
      <Field name="secretaryTeacherId" help="不能是成员">
        <BasicSelect type="teacher" known={known(group?.secretaryTeacherId, group?.secretaryName)} />
      </Field>
    </FormDrawer>
  )
}

interface OrderProps {
  planId: number | undefined
  arranged: readonly { id: number; name: string }[]
  value?: readonly number[]
  onChange?: (ids: number[]) => void
}

/** Who defends before the group, in which order: chosen, then moved by drag or by keys. */
const OrderInput = ({ planId, arranged, value = [], onChange }: OrderProps) => {
  const request = useRequest()
  const [dragged, setDragged] = useState<number>()
  const found = useQuery({
    queryKey: [listTheses.path, 'defense', planId],
    queryFn: ({ signal }) =>
      request(
        listTheses,
        { body: { planId, stage: 'defense', stageStatus: 'pending', pageCurrent: FIRST_PAGE, pageSize: OFFERED } },
        { signal },
      ),
    enabled: planId !== undefined,
  })
  const waiting = (found.data?.list ?? []).map(({ id, studentName, majorName }) => ({
    id,
    name: `${studentName} · ${majorName}`,
  }))
  const all = new Map([...arranged, ...waiting].map(({ id, name }) => [id, name]))
  const left = [...all].filter(([id]) => !value.includes(id))
  const move = (from: number, to: number) => onChange?.(moved(value, from, to))
  return (
    <>
      <ol className="history" aria-label="答辩顺序">
        {value.map((id, at) => (
          <li
            key={id}
            draggable
            onDragStart={() => setDragged(at)}
            onDragOver={(event) => event.preventDefault()}
            onDrop={() => dragged !== undefined && move(dragged, at)}
          >
            {all.get(id) ?? `论文${id}`}{' '}
            <Button
              size="mini"
              type="text"
              aria-label={`${all.get(id)}上移`}
              disabled={at === 0}
              onClick={() => move(at, at - 1)}
            >
              上移
            </Button>
            <Button
              size="mini"
              type="text"
              aria-label={`${all.get(id)}下移`}
              disabled={at === value.length - 1}
              onClick={() => move(at, at + 1)}
            >
              下移
            </Button>
            <Button
              size="mini"
              type="text"
              status="danger"
              aria-label={`${all.get(id)}移出`}
              onClick={() => onChange?.(value.filter((each) => each !== id))}
            >
              移出
            </Button>
          </li>
        ))}
      </ol>
      <div className="thesis-choices">
        {left.map(([id, name]) => (
          <Checkbox key={id} checked={false} onChange={() => onChange?.([...value, id])}>
            {name}
          </Checkbox>
        ))}
        {all.size === 0 && <p className="nothing">没有等待答辩的学生</p>}
      </div>
    </>
  )
}

/** 安排答辩 of a group: students in their order. */
const ArrangeForm = ({ record: group, ...drawer }: DrawerProps<Group>) => {
  const request = useRequest()
  const view = useQuery({
    queryKey: [viewDefenseGroup.path, group?.id],
    queryFn: ({ signal }) => request(viewDefenseGroup, { query: { id: group?.id ?? 0 } }, { signal }),
    enabled: group !== undefined && drawer.visible,
  })
  const slots = view.data?.slots ?? []
  const arranged = slots.map(({ thesisId, studentName }) => ({ id: thesisId, name: studentName }))
  return (
    <FormDrawer<{ thesisIds?: number[]; minutes?: number }, Saved>
      {...drawer}
      key={view.data ? 'loaded' : 'waiting'}
      record={undefined}
      width={640}
      title={`安排答辩 ${group?.name ?? ''}`}
      okText="安排"
      initial={{ thesisIds: arranged.map(({ id }) => id), minutes: MINUTES }}
      action={() =>
        formAction(arrangeDefense, `已安排“${group?.name}”，学生收到通知`, {
          groupId: group?.id,
          version: group?.version,
        })
      }
    >
      <Form.Item field="minutes" label="每名学生分钟数">
        <InputNumber aria-label="每名学生分钟数" min={5} max={120} precision={0} hideControl />
      </Form.Item>
      <Form.Item field="thesisIds" label="学生" rules={[{ required: true, message: '请选择学生' }]}>
        <OrderInput planId={group?.planId} arranged={arranged} />
      </Form.Item>
    </FormDrawer>
  )
}

const Auto = fieldsOf(autoArrangeDefenses)

/** 自动安排 of the ticked groups of one plan. */
const AutoForm = ({ record: groups, ...drawer }: DrawerProps<readonly Group[]>) => (
  <FormDrawer<{ minutes?: number }, DataOf<typeof autoArrangeDefenses>>
    {...drawer}
    record={undefined}
    initial={{ minutes: MINUTES }}
    title={`自动安排${formatNumber(groups?.length ?? 0)}个答辩组`}
    okText="自动安排"
    action={() =>
      formAction(
        autoArrangeDefenses,
        ({ done, left }) =>
          `已安排${formatNumber(done)}名学生${left.length > 0 ? `，${formatNumber(left.length)}名没有排下` : ''}`,
        { planId: groups?.[0]?.planId, groupIds: groups?.map(({ id }) => id) },
      )
    }
  >
    <p className="form-hint">同专业排在一起，避开指导教师，每半天最多20人。</p>
    <Auto name="minutes" />
  </FormDrawer>
)

const Recorded = fieldsOf(recordDefense)

interface Recording {
  slot: Slot
  group: Group
}

interface Defended {
  present?: boolean
  scores?: Record<string, number | undefined>
  byItems?: boolean
  items?: Record<string, TypedMarks | undefined>
  questions?: string | null
  comment?: string | null
  result?: string | null
}

/** 登记答辩: the members' scores and the conclusion. */
const RecordForm = ({ record: wanted, ...drawer }: DrawerProps<Recording>) => {
  const members = wanted?.group.members ?? []
  const names = wanted?.group.memberNames.split('、') ?? []
  const ordered = [...members].sort((a, b) => Number(b.chair) - Number(a.chair))
  const items = wanted?.slot.marks[0]?.items ?? []
  const required = wanted?.slot.itemsRequired ?? false
  const nameOf = (at: number) => names[at] ?? `成员${at + 1}`
  const isItemed = ({ byItems }: Defended) => required || byItems === true
  const marksOf = ({ scores = {}, items: typed = {}, ...rest }: Defended) =>
    ordered.flatMap(({ teacherId }) => {
      const key = `m${teacherId}`
      const each = items.map((item) => ({ ...item, score: typed[key]?.[item.code] }))
      const mark = isItemed(rest) ? weighted(each) : scores[key]
      return typeof mark === 'number' ? [mark] : []
    })
  return (
    <FormDrawer<Defended, Saved>
      {...drawer}
      record={undefined}
      width={640}
      title={`登记答辩 ${wanted?.slot.studentName ?? ''}`}
      initial={{
        present: wanted?.slot.present ?? true,
        questions: wanted?.slot.questions,
        comment: wanted?.slot.comment,
        result: wanted?.slot.result ?? 'passed',
      }}
      action={() => {
        const save = formAction(recordDefense, `已登记${wanted?.slot.studentName}的答辩`, {
          slotId: wanted?.slot.id,
          version: wanted?.slot.version,
        })
        return {
          ...save,
          send: ({ scores = {}, items: typed = {}, byItems, present = true, result, ...rest }: Defended, request) =>
            save.send(
              {
                ...rest,
                present,
                result: present ? result : 'failed',
                scores: present
                  ? ordered.flatMap(({ teacherId }): NonNullable<BodyOf<typeof recordDefense>['scores']>[number][] => {
                      if (isItemed({ byItems })) {
                        const given = givenMarks(items, typed[`m${teacherId}`])
                        return given.length > 0 ? [{ teacherId, items: given }] : []
                      }
                      const score = scores[`m${teacherId}`]
                      return score === undefined || score === null ? [] : [{ teacherId, score }]
                    })
                  : [],
              },
              request,
            ),
        }
      }}
    >
      <Form.Item field="present" label="到场" triggerPropName="checked">
        <Switch aria-label="到场" />
      </Form.Item>
      <Form.Item noStyle shouldUpdate>
        {(values: Defended) =>
          values.present ? (
            <>
              {!required && items.length > 0 && (
                <Form.Item field="byItems" label="按评分项录入" triggerPropName="checked">
                  <Switch aria-label="按评分项录入" />
                </Form.Item>
              )}
              {ordered.map(({ teacherId, chair }, at) =>
                isItemed(values) ? (
                  <MarkFields key={teacherId} items={items} at={`items.m${teacherId}`} who={`${nameOf(at)}：`} />
                ) : (
                  <Form.Item
                    key={teacherId}
                    field={`scores.m${teacherId}`}
                    label={`${nameOf(at)}${chair ? '（组长）' : ''}评分`}
                    rules={[{ required: true, message: '请输入评分' }]}
                  >
                    <InputNumber aria-label={`${nameOf(at)}评分`} min={0} max={100} precision={1} hideControl />
                  </Form.Item>
                ),
              )}
              <p className="form-hint" aria-live="polite">
                平均{points(memberMean(marksOf(values)))}，5人以上去掉最高和最低
              </p>
              <Recorded name="result" label="答辩结论" />
            </>
          ) : (
            <p className="form-hint">缺席计0分，结论为不通过。</p>
          )
        }
      </Form.Item>
      <Recorded name="questions">
        <Input.TextArea maxLength={2000} autoSize={{ minRows: 2, maxRows: 6 }} />
      </Recorded>
      <Recorded name="comment" />
    </FormDrawer>
  )
}

const GroupFile = ({ id }: { id: number }) => {
  const request = useRequest()
  const allowed = useAllowed()
  const form = useDrawer<Recording>()
  const query = useQuery({
    queryKey: [viewDefenseGroup.path, id],
    queryFn: ({ signal }) => request(viewDefenseGroup, { query: { id } }, { signal }),
  })
  return (
    <Loaded query={query}>
      {(group) => (
        <>
          <p>
            成员：{group.memberNames || '未安排'}；秘书：{group.secretaryName ?? '未安排'}；地点：
            {group.place ?? '未填写'}
          </p>
          <Table
            size="small"
            rowKey="id"
            border={{ wrapper: true }}
            pagination={false}
            data={group.slots}
            columns={[
              { title: '序', dataIndex: 'orderNo', width: 50 },
              {
                title: '时间',
                width: 150,
                render: (_: unknown, slot: Slot) => formatTime(slot.plannedAt, 'MM-DD HH:mm'),
              },
              { title: '姓名', dataIndex: 'studentName', width: 90 },
              { title: '题目', dataIndex: 'title' },
              {
                title: '成员评分',
                width: 220,
                render: (_: unknown, { marks }: Slot) =>
                  marks
                    .filter(({ score }) => score !== null && score !== undefined)
                    .map(({ teacherName, score, items }) => {
                      const each = marksText(items)
                      return `${teacherName}${points(score)}${each && `（${each}）`}`
                    })
                    .join('；') || '—',
              },
              { title: '成绩', width: 70, render: (_: unknown, { score }: Slot) => points(score) },
              {
                title: '结论',
                width: 90,
                render: (_: unknown, { result }: Slot) =>
                  result ? labelOf(recordDefense, 'result', result) : '未登记',
              },
              {
                title: '操作',
                width: 80,
                render: (_: unknown, slot: Slot) =>
                  allowed(recordDefense) &&
                  group.status !== 'draft' && (
                    <Button size="mini" type="text" onClick={() => form.open({ slot, group })}>
                      登记
                    </Button>
                  ),
              },
            ]}
          />
          <RecordForm key={form.key} {...form.props} />
          {trail({ id })}
        </>
      )}
    </Loaded>
  )
}

/** 答辩安排. */
export const DefenseTab = () => {
  const table = useQueryTable(listDefenseGroups)
  const plans = usePlanChoices()
  const form = useDrawer<Group>()
  const arrange = useDrawer<Group>()
  const auto = useDrawer<readonly Group[]>()
  const printing = useFileOf(printTheses)
  const planId = Number(table.filters.planId) || undefined
  return (
    <>
      <FilterBar table={table}>
        <SelectFilter of={listDefenseGroups} field="planId" options={plans} />
        <TextFilter of={listDefenseGroups} field="name" />
        <EnumFilter of={listDefenseGroups} field="status" label="状态" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={({ name }) => name}
        primary={
          <div className="thesis-bar">
            <Can do={saveDefenseGroup}>
              <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
                新增答辩组
              </Button>
            </Can>
            <Can do={printTheses}>
              <Button
                disabled={planId === undefined}
                title={planId === undefined ? '请先在筛选中选择论文批次' : undefined}
                loading={printing.isPending}
                onClick={() =>
                  printing.mutate({ input: { query: { doc: 'schedule' }, body: { planId } }, name: '答辩安排表.pdf' })
                }
              >
                打印答辩安排表
              </Button>
            </Can>
          </div>
        }
        tools={<ExportButton do={exportDefenseGroups} table={table} />}
        bulk={[
          { label: '自动安排', do: autoArrangeDefenses, open: () => auto.open(table.tickedRows) },
          bulkStep(deleteDefenseGroups, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('答辩组'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        file={({ id }) => <GroupFile id={id} />}
        actionsWidth={210}
        actions={(group) => [
          {
            label: '安排',
            do: arrangeDefense,
            disabled: group.status === 'finished' ? '答辩已结束' : undefined,
            onClick: () => arrange.open(group),
          },
          { label: '登记', do: recordDefense, onClick: () => table.open(group) },
          {
            label: '编辑',
            do: editDefenseGroup,
            disabled: group.status === 'finished' ? '答辩已结束' : undefined,
            onClick: () => form.open(group),
          },
          removal(deleteDefenseGroup, group),
        ]}
        empty="还没有答辩组。新增答辩组后安排学生，或“自动安排”。"
      />
      <GroupForm key={form.key} {...form.props} planId={planId} />
      <ArrangeForm key={`arrange-${arrange.key}`} {...arrange.props} />
      <AutoForm key={`auto-${auto.key}`} {...auto.props} />
    </>
  )
}
