import { Button, Drawer, Input, Select } from '@arco-design/web-react'
import { useState } from 'react'
import { tellError, tellSuccess } from '@/api/errors'
import type { RowOf } from '@/api/operation'
import { placeOfLearner } from '@/catalogue/places'
import { refusalIn, step } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { DialogName } from '@/kit/DialogName'
import { DrawerList } from '@/kit/DrawerList'
import { formatTime } from '@/kit/format'
import { Lead } from '@/kit/Lead'
import { labelOf } from '@/kit/labels'
import { Masked } from '@/kit/Masked'
import { Word } from '@/kit/Status'
import { useAction } from '@/kit/useAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { useSettled } from '@/kit/useSettled'
import { listLearners } from '@/learners/api'
import { auditQuizMembers, listQuizMembers, removeQuizMember } from './api'

type Member = RowOf<typeof listQuizMembers>

/** The class whose members are shown. */
interface Class {
  id: number
  gradeName: string
}

const states = (listQuizMembers.fields.state?.options ?? []).map(([value, label]) => ({ value, label }))
const tones = { pending: 'busy', joined: 'good', removed: 'quiet' } as const

const Members = ({ of }: { of: Class }) => {
  const [text, setText] = useState('')
  const [state, setState] = useState<Member['state']>()
  const [picked, setPicked] = useState<Member[]>([])
  const learner = useSettled(text) || undefined
  const deciding = useAction(auditQuizMembers, {
    onDone: (answer) => {
      const refusal = refusalIn(answer)
      if (refusal) tellError(refusal)
      else tellSuccess(`已处理${answer.done}名成员`)
      setPicked([])
    },
  })
  const nobody = picked.length === 0 ? '请先勾选待审核的成员' : undefined
  const decide = (decision: 'approved' | 'rejected') =>
    deciding.mutate({ body: { ids: picked.map(({ id }) => id), decision } })
  return (
    <>
      <div className="toolbar">
        <Can do={auditQuizMembers}>
          <Button
            type="primary"
            disabled={nobody !== undefined}
            title={nobody}
            loading={deciding.isPending}
            onClick={() => decide('approved')}
          >
            通过{picked.length > 0 ? `（${picked.length}）` : ''}
          </Button>
          <Button
            disabled={nobody !== undefined}
            title={nobody}
            loading={deciding.isPending}
            onClick={() => decide('rejected')}
          >
            不通过
          </Button>
        </Can>
        <Input.Search
          className="drawer-search"
          aria-label="学员"
          placeholder="昵称或手机号开头"
          allowClear
          value={text}
          onChange={setText}
        />
        <Select
          className="drawer-search"
          aria-label="状态"
          placeholder="全部状态"
          allowClear
          value={state}
          options={states}
          onChange={setState}
        />
      </div>
      <DrawerList
        of={listQuizMembers}
        filter={{ gradeId: of.id, learner, state }}
        empty={
          learner || state ? '没有这样的成员，请更换条件。' : '还没有成员。把邀请码发给学员，学员在网站上输入即可加入。'
        }
        ticked={{
          rows: picked,
          onChange: setPicked,
          may: (row) => row.state === 'pending',
          nameOf: (row) => row.learnerName,
        }}
        columns={[
          {
            title: '学员',
            dataIndex: 'learnerName',
            width: 140,
            render: (learnerName: string, { learnerId }: Member) => (
              <Lead do={listLearners} to={placeOfLearner(learnerId, undefined)}>
                {learnerName}
              </Lead>
            ),
          },
          {
            title: '手机号',
            dataIndex: 'phone',
            width: 160,
            render: (_: unknown, { learnerId, phone }: Member) => (
              <Masked entity="user_ext" id={learnerId} field="phone" label="手机号" value={phone} />
            ),
          },
          {
            title: '状态',
            dataIndex: 'state',
            width: 100,
            render: (_: unknown, row: Member) => (
              <Word tone={tones[row.state]}>{labelOf(listQuizMembers, 'state', row.state)}</Word>
            ),
          },
          { title: '申请时间', dataIndex: 'createdAt', width: 170, render: (at: string) => formatTime(at) },
          {
            title: '加入时间',
            dataIndex: 'joinedAt',
            width: 170,
            render: (at: string | null) => (at ? formatTime(at) : '—'),
          },
        ]}
        actions={(row) => [
          ...(row.state === 'joined'
            ? []
            : [
                step(auditQuizMembers, {
                  label: row.state === 'removed' ? '重新加入' : '通过',
                  with: { body: { ids: [row.id], decision: 'approved' } },
                  done: `“${row.learnerName}”已加入`,
                }),
              ]),
          ...(row.state === 'removed'
            ? []
            : [
                step(removeQuizMember, {
                  label: '移除',
                  danger: true,
                  with: { query: { id: row.id } },
                  confirm: {
                    title: `把“${row.learnerName}”移出班级？`,
                    content: '考试记录保留；本人不能再用邀请码加入，可由管理员重新加入。',
                  },
                  done: `已移除“${row.learnerName}”`,
                }),
              ]),
        ]}
      />
    </>
  )
}

/** 成员 of a class: 通过, 移除. */
export const MemberList = ({ record, visible, onClose }: DrawerProps<Class>) => {
  const title = `成员 ${record?.gradeName ?? ''}`
  return (
    <Drawer title={title} width={960} visible={visible} footer={null} onCancel={onClose} unmountOnExit>
      <DialogName name={title} />
      {record && <Members of={record} />}
    </Drawer>
  )
}
