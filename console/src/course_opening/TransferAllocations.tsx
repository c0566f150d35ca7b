import { Button, Checkbox, Drawer, Empty, Form, Space, Table } from '@arco-design/web-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { tellSuccess } from '@/api/errors'
import { refetchAll } from '@/api/query'
import { useRequest } from '@/api/schoolContext'
import { openSemesters, teachers } from '@/basic_data/choices'
import { tellFailures } from '@/kit/BulkBar'
import { DialogName } from '@/kit/DialogName'
import { formatNumber } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { type Choice, OptionSelect } from '@/kit/OptionSelect'
import { FIRST_PAGE } from '@/kit/useQueryTable'
import { type NoticeLine, noticeOf, type Role, roles } from './allocationRules'
import { listAllocations, transferAllocations } from './api'
import { roleWord } from './choices'

const TITLE = '转交任课'
/** So many openings are handed over in one call. */
const MOST = 500

/** What a teacher has in a semester, opening by opening. */
export const useTeaching = (semesterId: number | undefined, teacherId: number | undefined) => {
  const request = useRequest()
  const body = { semesterId, teacherId, pageCurrent: FIRST_PAGE, pageSize: MOST }
  return useQuery({
    queryKey: [listAllocations.path, 'of', body],
    queryFn: ({ signal }) => request(listAllocations, { body }, { signal }),
    enabled: semesterId !== undefined && teacherId !== undefined,
  })
}

interface OpeningsProps {
  lines: readonly NoticeLine[]
  ticked: readonly number[]
  onTick: (ids: number[]) => void
}

const Openings = ({ lines, ticked, onTick }: OpeningsProps) => {
  const openings = [...new Map(lines.map((line) => [line.openingId, line.course]))].map(([id, course]) => ({
    id,
    course,
    what: lines
      .filter((line) => line.openingId === id)
      .map(({ group, role }) => `${group} ${roleWord(role)}`)
      .join('、'),
  }))
  return (
    <Table
      size="small"
      rowKey="id"
      border={{ wrapper: true }}
      pagination={{ pageSize: 10, hideOnSinglePage: true }}
      data={openings}
      noDataElement={<Empty description="该教师在这个学期没有可以转交的任课" />}
      rowSelection={{
        type: 'checkbox',
        selectedRowKeys: [...ticked],
        preserveSelectedRowKeys: true,
        onChange: (keys) => onTick(keys.map(Number)),
        checkboxProps: ({ course, what }) => ({ 'aria-label': `选择${course} ${what}` }),
      }}
      columns={[
        { title: '课程', dataIndex: 'course', width: 200 },
        { title: '班级和角色', dataIndex: 'what' },
      ]}
    />
  )
}

interface TransferProps {
  semester: Choice | undefined
  /** Whose courses go, where the page knows it. */
  from: Choice | undefined
  onClose: () => void
}

/** 转交: what one teacher has of some openings goes to another. */
export const TransferAllocations = ({ semester, from, onClose }: TransferProps) => {
  const request = useRequest()
  const formId = useId()
  const [term, setTerm] = useState(semester)
  const [giver, setGiver] = useState(from)
  const [taker, setTaker] = useState<Choice>()
  const [chosen, setRoles] = useState<Role[]>([...roles])
  const [left, setLeft] = useState<readonly number[]>()
  const teaching = useTeaching(term?.code, giver?.code)
  const lines = teaching.data && giver ? noticeOf(teaching.data.list, giver.code) : []
  const wanted = lines.filter(({ role }) => chosen.includes(role))
  const all = [...new Set(wanted.map(({ openingId }) => openingId))]
  // All of them, until somebody says otherwise.
  const ticked = left?.filter((id) => all.includes(id)) ?? all
  const run = useMutation({
    mutationFn: (ids: { from: number; to: number }) =>
      request(transferAllocations, {
        body: { fromTeacherId: ids.from, toTeacherId: ids.to, openingIds: [...ticked], roles: chosen },
      }),
    onSuccess: async (answer) => {
      onClose()
      await refetchAll()
      if (answer.failed.length > 0) tellFailures('转交任课', answer)
      else tellSuccess(`已转交${formatNumber(answer.done)}条任课安排给“${taker?.desc}”`)
    },
  })
  const same = giver !== undefined && giver.code === taker?.code
  const isReady = giver && taker && !same && ticked.length > 0 && chosen.length > 0
  return (
    <Drawer
      title={TITLE}
      width={760}
      visible
      onCancel={onClose}
      footer={
        <Space>
          <Button onClick={onClose}>取消</Button>
          <Button
            type="primary"
            loading={run.isPending}
            disabled={!isReady}
            onClick={() => giver && taker && run.mutate({ from: giver.code, to: taker.code })}
          >
            转交{formatNumber(ticked.length)}个开课
          </Button>
        </Space>
      }
    >
      <DialogName name={TITLE} />
      <Form id={formId} layout="vertical" className="form-grid">
        <Form.Item label="学期" required>
          <OptionSelect
            label="学期"
            {...openSemesters}
            value={term?.code}
            known={term}
            onChange={(_, choice) => {
              setTerm(choice)
              setLeft(undefined)
            }}
          />
        </Form.Item>
        <Form.Item label="角色" required>
          <Checkbox.Group
            value={chosen}
            options={roles.map((role) => ({ value: role, label: roleWord(role) }))}
            onChange={setRoles}
          />
        </Form.Item>
        <Form.Item label="原教师" required>
          <OptionSelect
            label="原教师"
            {...teachers}
            value={giver?.code}
            known={from}
            onChange={(_, choice) => {
              setGiver(choice)
              setLeft(undefined)
            }}
          />
        </Form.Item>
        <Form.Item
          label="接任教师"
          required
          validateStatus={same ? 'error' : undefined}
          help={same ? '接任教师与原教师相同' : undefined}
        >
          <OptionSelect
            label="接任教师"
            {...teachers}
            value={taker?.code}
            except={giver?.code}
            onChange={(_, choice) => setTaker(choice)}
          />
        </Form.Item>
      </Form>
      {term && giver ? (
        <Loaded query={teaching} rows={4}>
          {() => <Openings lines={wanted} ticked={ticked} onTick={setLeft} />}
        </Loaded>
      ) : (
        <p className="form-hint">选择学期和原教师后，列出可以转交的开课。</p>
      )}
    </Drawer>
  )
}
