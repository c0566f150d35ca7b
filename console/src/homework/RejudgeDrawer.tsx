import { Alert, Button, Checkbox, Drawer, Form, Input, Result, Select, Space, Table } from '@arco-design/web-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '@/api/errors'
import type { BodyOf, DataOf, Operation } from '@/api/operation'
import { refetchAll } from '@/api/query'
import { useRequest } from '@/api/schoolContext'
import { DialogName } from '@/kit/DialogName'
import { formatNumber } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { MediaOf } from '@/kit/MediaOf'
import { AnswerInput } from '@/question_bank/AnswerInput'
import { type AnswerDraft, answerDraftOf, answerOf, isChoice } from '@/question_bank/questionRules'
import { QuestionShown, Reference } from './AnswerShown'
import { rejudgeQuestion, viewSheet } from './api'
import { score } from './homeworkRules'
import type { Item, Sheet } from './markingRules'

type Wish = BodyOf<typeof rejudgeQuestion>
type Moved = DataOf<typeof rejudgeQuestion>['moved'][number]

const TITLE = '更正答案'
const LEAST_REASON = 2
const MOST_REASON = 200

/** What the machine can mark anew. */
const isObjective = ({ type }: Item) => isChoice(type) || type === 'true_false' || type === 'fill_blank'

interface KeyProps {
  item: Item
  letters: string[]
  onLetters: (letters: string[]) => void
  draft: AnswerDraft
  onDraft: (draft: AnswerDraft) => void
}

/** The right answer instead of the former. */
const NewKey = ({ item, letters, onLetters, draft, onDraft }: KeyProps) =>
  isChoice(item.type) ? (
    <Select
      mode={item.type === 'multiple_choice' ? 'multiple' : undefined}
      aria-label="新答案"
      placeholder="请选择"
      value={item.type === 'multiple_choice' ? letters : letters[0]}
      options={item.options.map(({ letter }) => ({ value: letter, label: letter }))}
      onChange={(chosen: string | string[]) => onLetters(typeof chosen === 'string' ? [chosen] : chosen)}
    />
  ) : (
    <AnswerInput type={item.type} value={draft} onChange={onDraft} />
  )

interface FormProps {
  /** The questions of a sheet. */
  items: readonly Item[]
  do: Operation<undefined, Wish, DataOf<typeof rejudgeQuestion>>
  onClose: () => void
}

/** 更正答案 of one question: what it changes, then the correction itself. */
export const Correction = ({ items, do: operation, onClose }: FormProps) => {
  const request = useRequest()
  const [at, setAt] = useState(0)
  const item = items[at]
  const [all, setAll] = useState(false)
  const [letters, setLetters] = useState<string[]>([])
  // Of blanks how many there are and what they are worth stays; what is accepted is typed over the former key.
  const [draft, setDraft] = useState<AnswerDraft>(() => answerDraftOf(item?.reference))
  const [reason, setReason] = useState('')
  const run = useMutation({
    mutationFn: (body: Wish) => request(operation, { body }, { quiet: () => true }),
    onSuccess: async (_, { dryRun }) => {
      if (!dryRun) await refetchAll()
    },
  })
  if (!item) return <Alert type="info" content="这份答卷没有试题" />
  // What a person marks has no key that a machine could mark by: it can only be given to all.
  const full = all || !isObjective(item)
  const isReady = reason.trim().length >= LEAST_REASON && (full || !isChoice(item.type) || letters.length > 0)
  const wish = (dryRun: boolean): Wish => ({
    snapshotQuestionId: item.snapshotQuestionId,
    answer: full
      ? null
      : isChoice(item.type)
        ? { letters: [...letters].sort() }
        : answerOf({ type: item.type, options: [], answer: draft }),
    fullScore: full,
    reason: reason.trim(),
    dryRun,
  })
  const told = run.data
  const done = told !== undefined && run.variables?.dryRun === false
  if (done)
    return (
      <Result
        status="success"
        title={`已更正，${formatNumber(told.done)}份答卷的得分改变`}
        extra={<Button onClick={onClose}>关闭</Button>}
      />
    )
  return (
    <>
      {run.isError && <Alert className="form-lead" type="error" content={messageOf(run.error)} />}
      <Form layout="vertical">
        <Form.Item label="试题" required>
          <Select
            aria-label="试题"
            value={at}
            options={items.map(({ seq }, index) => ({ value: index, label: `第${seq}题` }))}
            onChange={(next: number) => {
              setAt(next)
              setLetters([])
              setDraft(answerDraftOf(items[next]?.reference))
              run.reset()
            }}
          />
        </Form.Item>
        <QuestionShown item={item} />
        <Reference item={item} />
        <Form.Item>
          <Checkbox
            checked={full}
            disabled={!isObjective(item)}
            onChange={(checked: boolean) => {
              setAll(checked)
              run.reset()
            }}
          >
            本题全部给满分
          </Checkbox>
          {!isObjective(item) && (
            <p className="form-hint">主观题由教师评分，只能全部给满分；单份答卷请直接修改批阅。</p>
          )}
        </Form.Item>
        {!full && (
          <Form.Item label="新答案" required>
            <NewKey
              key={item.itemId}
              item={item}
              letters={letters}
              onLetters={(next) => {
                setLetters(next)
                run.reset()
              }}
              draft={draft}
              onDraft={(next) => {
                setDraft(next)
                run.reset()
              }}
            />
          </Form.Item>
        )}
        <Form.Item label="原因" required extra="2至200个字符，记入操作日志">
          <Input.TextArea aria-label="原因" maxLength={MOST_REASON} value={reason} onChange={setReason} />
        </Form.Item>
      </Form>
      {told && (
        <>
          <Alert
            className="form-lead"
            type={told.changed > 0 ? 'info' : 'warning'}
            content={`${formatNumber(told.changed)}份答卷的得分会改变：${formatNumber(told.up)}份提高，${formatNumber(told.down)}份降低；${formatNumber(told.locked.length)}份成绩已锁定，保持不变`}
          />
          {told.moved.length > 0 && (
            <Table
              size="small"
              rowKey="sheetId"
              pagination={{ pageSize: 10, hideOnSinglePage: true }}
              data={told.moved}
              columns={[
                { title: '学号', dataIndex: 'studentNo' },
                { title: '得分会改变', dataIndex: 'name' },
                { title: '现在', align: 'right', render: (_: unknown, row: Moved) => score(row.before) },
                { title: '更正后', align: 'right', render: (_: unknown, row: Moved) => score(row.after) },
              ]}
            />
          )}
          {told.locked.length > 0 && (
            <Table
              size="small"
              rowKey="sheetId"
              pagination={{ pageSize: 10, hideOnSinglePage: true }}
              data={told.locked}
              columns={[
                { title: '学号', dataIndex: 'studentNo' },
                { title: '成绩已锁定', dataIndex: 'name' },
              ]}
            />
          )}
        </>
      )}
      <Space>
        <Button loading={run.isPending} disabled={!isReady} onClick={() => run.mutate(wish(true))}>
          检查影响
        </Button>
        {told && (
          <Button
            type="primary"
            status="danger"
            loading={run.isPending}
            disabled={!isReady}
            onClick={() => run.mutate(wish(false))}
          >
            更正并重新评分
          </Button>
        )}
      </Space>
    </>
  )
}

interface RejudgeProps {
  /** A sheet that has the question. */
  sheet: Sheet
  /** What it is called, which may keep quiet whose it is. */
  name: string
  onClose: () => void
}

/** 更正答案: what it changes is looked at first, then all sheets are marked anew. */
export const RejudgeDrawer = ({ sheet, name, onClose }: RejudgeProps) => {
  const request = useRequest()
  const query = useQuery({
    queryKey: [viewSheet.path, sheet.id],
    queryFn: ({ signal }) => request(viewSheet, { query: { sheetId: sheet.id } }, { signal }),
  })
  return (
    <Drawer title={TITLE} width={720} visible footer={null} onCancel={onClose}>
      <DialogName name={TITLE} />
      <p className="form-lead">试题取自{name}；更正后，用到这道题的全部答卷重新评分，成绩已锁定的保持不变。</p>
      <Loaded query={query}>
        {(paper) => (
          <MediaOf files={paper.media}>
            <Correction items={paper.items} do={rejudgeQuestion} onClose={onClose} />
          </MediaOf>
        )}
      </Loaded>
    </Drawer>
  )
}
