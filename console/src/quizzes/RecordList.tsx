import { Drawer, Input, Select } from '@arco-design/web-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { RowOf } from '@/api/operation'
import { useCall } from '@/api/schoolContext'
import { placeOfLearner } from '@/catalogue/places'
import { DialogName } from '@/kit/DialogName'
import { DrawerList } from '@/kit/DrawerList'
import { formatTime } from '@/kit/format'
import { Lead } from '@/kit/Lead'
import { labelOf } from '@/kit/labels'
import { Masked } from '@/kit/Masked'
import { Word } from '@/kit/Status'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { useSettled } from '@/kit/useSettled'
import { listLearners } from '@/learners/api'
import { listQuizRecords, markQuizRecord, viewQuizRecord } from './api'
import { MarkForm, RecordFile, type RecordRead } from './MarkForm'
import { recordTones } from './tones'
import './quizzes.css'

type Row = RowOf<typeof listQuizRecords>

/** The exam whose attempts are shown; of one class where it says so. */
export interface RecordsOf {
  examId: number
  examName: string
  gradeId?: number
  /** So many wait to be marked: then those are shown first. */
  waiting?: number
}

const states = (listQuizRecords.fields.state?.options ?? []).map(([value, label]) => ({ value, label }))

/** Why nobody marks it, if so. */
const unmarkable = ({ state, byHand }: Row) => {
  if (state === 'doing') return '学员尚未交卷'
  return byHand ? undefined : '没有须批改的题目'
}

const scoreWords = (score: number | null | undefined) => score ?? '—'

const Records = ({ of }: { of: RecordsOf }) => {
  const call = useCall()
  const marking = useDrawer<RecordRead>()
  const reading = useDrawer<RecordRead>()
  const [text, setText] = useState('')
  const [state, setState] = useState<Row['state'] | undefined>(of.waiting ? 'marking' : undefined)
  const learner = useSettled(text) || undefined
  const opening = useMutation({
    mutationFn: ({ id }: { id: number; marks: boolean }) => call(viewQuizRecord, { query: { id } }),
    onSuccess: (record, { marks }) => (marks ? marking : reading).open(record),
  })
  return (
    <>
      <div className="toolbar">
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
        of={listQuizRecords}
        filter={{ examId: of.examId, gradeId: of.gradeId, learner, state }}
        empty={learner || state ? '没有这样的考试记录，请更换条件。' : '还没有学员参加考试。'}
        columns={[
          {
            title: '学员',
            dataIndex: 'learnerName',
            width: 120,
            render: (learnerName: string, { learnerId }: Row) => (
              <Lead do={listLearners} to={placeOfLearner(learnerId, undefined)}>
                {learnerName}
              </Lead>
            ),
          },
          {
            title: '手机号',
            dataIndex: 'phone',
            width: 160,
            render: (_: unknown, { learnerId, phone }: Row) => (
              <Masked entity="user_ext" id={learnerId} field="phone" label="手机号" value={phone} />
            ),
          },
          { title: '次数', dataIndex: 'attemptNo', width: 60, align: 'right' },
          {
            title: '状态',
            dataIndex: 'state',
            width: 90,
            render: (_: unknown, row: Row) => (
              <Word tone={recordTones[row.state]}>{labelOf(listQuizRecords, 'state', row.state)}</Word>
            ),
          },
          {
            title: '客观题',
            dataIndex: 'objectiveScore',
            width: 80,
            align: 'right',
            render: (score: number | null) => scoreWords(score),
          },
          {
            title: '主观题',
            dataIndex: 'subjectiveScore',
            width: 80,
            align: 'right',
            render: (score: number | null) => scoreWords(score),
          },
          {
            title: '得分',
            dataIndex: 'score',
            width: 90,
            align: 'right',
            render: (_: unknown, { score, totalScore }: Row) => `${scoreWords(score)}/${totalScore}`,
          },
          {
            title: '及格',
            dataIndex: 'passed',
            width: 80,
            render: (passed: boolean | null) =>
              passed === null ? '—' : <Word tone={passed ? 'good' : 'bad'}>{passed ? '及格' : '不及格'}</Word>,
          },
          { title: '考试班级', dataIndex: 'gradeName', width: 140, render: (name: string | null) => name ?? '—' },
          { title: '开始时间', dataIndex: 'startedAt', width: 170, render: (at: string) => formatTime(at) },
          {
            title: '交卷时间',
            dataIndex: 'submittedAt',
            width: 170,
            render: (at: string | null) => (at ? formatTime(at) : '—'),
          },
        ]}
        actions={(row) => [
          {
            label: '批改',
            do: markQuizRecord,
            disabled: unmarkable(row),
            onClick: () => opening.mutate({ id: row.id, marks: true }),
          },
          { label: '查看', do: viewQuizRecord, onClick: () => opening.mutate({ id: row.id, marks: false }) },
        ]}
      />
      <MarkForm key={marking.key} {...marking.props} />
      <RecordFile key={`file-${reading.key}`} {...reading.props} />
    </>
  )
}

/** 考试记录 of an exam. */
export const RecordList = ({ record, visible, onClose }: DrawerProps<RecordsOf>) => {
  const title = `考试记录 ${record?.examName ?? ''}`
  return (
    <Drawer title={title} width={1180} visible={visible} footer={null} onCancel={onClose} unmountOnExit>
      <DialogName name={title} />
      {record && <Records of={record} />}
    </Drawer>
  )
}
