import { Button, Form, Modal, Select, Space, Table } from '@arco-design/web-react'
import { IconDelete, IconPlus } from '@arco-design/web-react/icon'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { BodyOf, DataOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import { sites } from '@/basic_data/choices'
import { allBatches, sessionsOf } from '@/exams/choices'
import { timeWords } from '@/exams/examRules'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { confirm } from '@/kit/confirm'
import { FilterBar } from '@/kit/FilterBar'
import { FormDrawer } from '@/kit/FormDrawer'
import { DateFilter, OptionFilter, SelectFilter } from '@/kit/filters'
import { formAction } from '@/kit/formAction'
import { formatNumber } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { QueryTable } from '@/kit/QueryTable'
import { Word } from '@/kit/Status'
import { useAction } from '@/kit/useAction'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { FIRST_PAGE, useQueryTable } from '@/kit/useQueryTable'
import { assignDuties, autoDuties, clearDuties, listDuties, listInvigilators } from './api'
import { type Duty, lacking, type Role, roles, watcherWords } from './dayRules'

type Wanted = BodyOf<typeof assignDuties>['people'][number]
type Given = DataOf<typeof autoDuties>

const columns = columnsOf(listDuties, [
  { field: 'examRoomNo', width: 90, fixed: 'left' },
  { field: 'roomName', under: 'examRoomNo' },
  { field: 'siteName', width: 140 },
  { field: 'sessionCode', title: '场次', width: 76 },
  { field: 'startsAt', title: '考试时间', width: 220, render: ({ startsAt, endsAt }) => timeWords(startsAt, endsAt) },
  { field: 'plannedCount', width: 76 },
  { field: 'needed', width: 100 },
  {
    field: 'people',
    width: 260,
    render: ({ people }) =>
      people.map((person) => (
        <Word key={person.invigilatorId} tone={person.role === 'chief' ? 'busy' : 'quiet'}>
          {watcherWords(person)}
        </Word>
      )),
  },
  {
    field: 'sessionId',
    title: '缺员',
    width: 76,
    align: 'left',
    render: (row) => {
      const missing = lacking(row)
      return missing > 0 ? <Word tone="bad">缺{missing}人</Word> : <Word tone="good">已满</Word>
    },
  },
  { field: 'batchName', title: '批次', width: 200, hidden: true },
])

type Draft = Partial<Wanted>

/** So many people who may watch are offered. */
const MOST = 500
const MOST_PEOPLE = 20

interface PeopleProps {
  value?: Draft[]
  onChange?: (people: Draft[]) => void
}

const PeopleInput = ({ value = [], onChange }: PeopleProps) => {
  const request = useRequest()
  const body = { available: true, pageCurrent: FIRST_PAGE, pageSize: MOST }
  const query = useQuery({
    queryKey: [listInvigilators.path, 'duty', body],
    queryFn: ({ signal }) => request(listInvigilators, { body }, { signal }),
  })
  const change = (at: number, next: Draft) =>
    onChange?.(value.map((person, index) => (index === at ? { ...person, ...next } : person)))
  return (
    <Loaded query={query} rows={2}>
      {({ list }) => (
        <div className="lines-input">
          <table aria-label="监考">
            <thead>
              <tr>
                <th scope="col">监考员</th>
                <th scope="col">职责</th>
                <th scope="col">操作</th>
              </tr>
            </thead>
            <tbody>
              {value.map((person, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a line is known by its place
                <tr key={at}>
                  <td>
                    <Select
                      aria-label={`第${at + 1}位监考员`}
                      placeholder="请选择"
                      showSearch={{ retainInputValue: false }}
                      value={person.invigilatorId}
                      onChange={(invigilatorId: number) => change(at, { invigilatorId })}
                      options={list.map(({ id, name, siteName }) => ({ value: id, label: `${name}（${siteName}）` }))}
                    />
                  </td>
                  <td>
                    <Select
                      aria-label={`第${at + 1}位监考员的职责`}
                      value={person.role}
                      onChange={(role: Role) => change(at, { role })}
                      options={[...roles]}
                    />
                  </td>
                  <td>
                    <Button
                      type="text"
                      status="danger"
                      icon={<IconDelete />}
                      aria-label={`删除第${at + 1}位监考员`}
                      onClick={() => onChange?.(value.toSpliced(at, 1))}
                    />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          <Button
            size="small"
            icon={<IconPlus />}
            disabled={value.length >= MOST_PEOPLE}
            onClick={() => onChange?.([...value, { role: value.length === 0 ? 'chief' : 'assistant' }])}
          >
            添加监考员
          </Button>
        </div>
      )}
    </Loaded>
  )
}

type Report = (message?: string) => void

/** 安排监考 of a room; what was arranged before is replaced. */
const DutyForm = ({ record: room, ...drawer }: DrawerProps<Duty>) => (
  <FormDrawer<{ people?: Draft[] }, DataOf<typeof assignDuties>>
    {...drawer}
    record={undefined}
    initial={{ people: room?.people.map(({ invigilatorId, role }) => ({ invigilatorId, role })) ?? [] }}
    width={640}
    title={room ? `安排监考 ${room.sessionCode}场 ${room.examRoomNo}考场` : '安排监考'}
    action={() => formAction(assignDuties, '已安排监考', { sessionRoomId: room?.id })}
  >
    <p className="form-hint">
      考生{formatNumber(room?.plannedCount)}人，应安排{formatNumber(room?.needed)}人；巡考不计入。
    </p>
    <Form.Item
      field="people"
      label="监考"
      rules={[
        {
          validator: (value, report: Report) =>
            report(
              Array.isArray(value) && value.some((person: Draft) => !person.invigilatorId)
                ? '请选择监考员，或删除空行'
                : undefined,
            ),
        },
      ]}
    >
      <PeopleInput />
    </Form.Item>
  </FormDrawer>
)

const ShortOnes = ({ given, onClose }: { given: Given; onClose: () => void }) => (
  <Modal
    title={`已安排${formatNumber(given.given)}人次，${formatNumber(given.short.length)}个考场缺员`}
    visible
    hideCancel
    okText="知道了"
    onOk={onClose}
    onCancel={onClose}
  >
    <p>可用的监考员不足，或都有时间冲突、任教所在班级；请手工安排。</p>
    <Table
      rowKey="sessionRoomId"
      size="small"
      pagination={{ pageSize: 10, hideOnSinglePage: true }}
      data={given.short}
      columns={[
        { title: '考场', dataIndex: 'room' },
        { title: '缺', dataIndex: 'lacking', width: 70 },
      ]}
    />
  </Modal>
)

/** 监考安排: each room of a session with who watches there. */
export const Duties = () => {
  const table = useQueryTable(listDuties)
  const duty = useDrawer<Duty>()
  const [short, setShort] = useState<Given>()
  const batchId = Number(table.filters.batchId) || undefined
  const sessionId = Number(table.filters.sessionId) || undefined
  const siteId = Number(table.filters.siteId) || undefined
  const auto = useAction(autoDuties, {
    done: ({ given, short: left }) => (left.length > 0 ? undefined : `已安排${formatNumber(given)}人次`),
    onDone: (answer) => {
      if (answer.short.length > 0) setShort(answer)
    },
  })
  const clear = useAction(clearDuties, { done: ({ cleared }) => `已清空${formatNumber(cleared)}人次` })
  const of = { sessionIds: sessionId ? [sessionId] : [], siteIds: siteId ? [siteId] : [] }
  const where = siteId ? '本场次所选站点' : '本场次'
  const askAuto = async () => {
    const content = '30人以内的考场2人，超过30人的3人；不监考本人任教或管理的班级，已有的安排保留。'
    if (await confirm({ title: `为${where}自动安排监考？`, content, okText: '自动安排' })) auto.mutate({ body: of })
  }
  const askClear = async () => {
    const content = '监考员的占用时间随之释放。'
    if (await confirm({ title: `清空${where}的监考安排？`, content, okText: '清空', danger: true }))
      clear.mutate({ body: of })
  }
  const first = sessionId ? undefined : '请先在筛选中选择场次'
  return (
    <>
      <FilterBar table={table}>
        <OptionFilter of={listDuties} field="batchId" {...allBatches} />
        <OptionFilter of={listDuties} field="sessionId" {...sessionsOf(batchId)} />
        <OptionFilter of={listDuties} field="siteId" {...sites} />
        <DateFilter of={listDuties} field="day" />
        <SelectFilter
          of={listDuties}
          field="short"
          options={[
            { value: 'true', label: '缺员' },
            { value: 'false', label: '已满' },
          ]}
        />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={({ sessionCode, examRoomNo }) => `${sessionCode}场 ${examRoomNo}考场`}
        primary={
          <Space size={8}>
            <Can do={autoDuties}>
              <Button type="primary" disabled={!sessionId} title={first} loading={auto.isPending} onClick={askAuto}>
                自动安排
              </Button>
            </Can>
            <Can do={clearDuties}>
              <Button status="danger" disabled={!sessionId} title={first} loading={clear.isPending} onClick={askClear}>
                清空安排
              </Button>
            </Can>
          </Space>
        }
        actions={(row) => [{ label: '安排监考', do: assignDuties, onClick: () => duty.open(row) }]}
        empty="还没有编排座位的考场。座位编排后，在这里安排监考。"
      />
      <DutyForm key={`duty-${duty.key}`} {...duty.props} />
      {short && <ShortOnes given={short} onClose={() => setShort(undefined)} />}
    </>
  )
}
