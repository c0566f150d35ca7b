import { Alert, Button, Descriptions, Result, Space } from '@arco-design/web-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { messageOf, tellSuccess } from '@/api/errors'
import { refetchAll } from '@/api/query'
import { useRequest } from '@/api/schoolContext'
import { score } from '@/homework/homeworkRules'
import { MarkedQuestion } from '@/homework/MarkedQuestion'
import {
  type Given,
  isDone,
  isMine,
  type Mark,
  markOf,
  marksOf,
  nextOf,
  scoreRefusal,
  standing,
  totalOf,
} from '@/homework/markingRules'
import { QuestionsNav } from '@/homework/QuestionsNav'
import { Can } from '@/kit/Can'
import { ChooseFirst } from '@/kit/ChooseFirst'
import { confirm } from '@/kit/confirm'
import { formatNumber } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { labelOf } from '@/kit/labels'
import { MediaOf } from '@/kit/MediaOf'
import { Page } from '@/kit/Page'
import { Word } from '@/kit/Status'
import { useUnsaved } from '@/kit/tab'
import { useAddress } from '@/kit/useAddress'
import { useSaveKey } from '@/kit/useDraftForm'
import { paths } from '@/paths'
import { saveExamMarks, submitExamMarks, takeNextPaper } from './api'
import { attemptTones, type PaperToMark } from './onlineRules'
import '@/question_bank/questionBank.css'
import '@/homework/homework.css'

const STEP = 0.5
const QUESTION = 'questionId'
const SHEET = 'sheetId'

/** Whose sheet it is, as far as markers may know, and what two markers gave where somebody decides between them. */
const Side = ({ paper }: { paper: PaperToMark }) => (
  <aside className="marking-side" aria-label="答卷资料">
    <section>
      <h3>{paper.name ?? `第${paper.no}号答卷`}</h3>
      <Descriptions
        column={1}
        size="small"
        labelStyle={{ width: 90 }}
        data={[
          { key: 'no', label: '匿名编号', value: paper.no },
          ...(paper.studentNo ? [{ key: 'studentNo', label: '学号', value: paper.studentNo }] : []),
          { key: 'exam', label: '考试', value: paper.setupName },
          { key: 'mode', label: '阅卷方式', value: labelOf(takeNextPaper, 'markingMode', paper.markingMode) },
          {
            key: 'state',
            label: '状态',
            value: (
              <Word tone={attemptTones[paper.markState]}>{labelOf(takeNextPaper, 'markState', paper.markState)}</Word>
            ),
          },
          { key: 'left', label: '还有待阅', value: `${formatNumber(paper.left)}份` },
        ]}
      />
    </section>
    {paper.arbitration && (
      <section aria-label="双评结果">
        <h3>双评结果</h3>
        <ul>
          {paper.marks.map(({ itemId, seqNo, score: given, comment }) => (
            <li key={`${itemId}-${seqNo}`}>
              第{paper.items.find((item) => item.itemId === itemId)?.seq ?? '—'}题 第{seqNo}评 {score(given)}
              {comment && `　${comment}`}
            </li>
          ))}
        </ul>
      </section>
    )}
  </aside>
)

interface DeskProps {
  paper: PaperToMark
  /** 逐题批阅: this question alone, sheet after sheet. */
  question: number | undefined
  onQuestion: (question: number | undefined) => void
  onNext: () => void
  onLeave: () => void
}

/** The desk at which one sheet is marked. What was typed stays on the screen whatever the server says. */
const Desk = ({ paper, question, onQuestion, onNext, onLeave }: DeskProps) => {
  const request = useRequest()
  const { items } = paper
  const [read, setRead] = useState<Given>(new Map(items.filter(isMine).map((item) => [item.itemId, markOf(item)])))
  const [given, setGiven] = useState(read)
  const [version, setVersion] = useState(paper.version)
  const [at, setAt] = useState(() => {
    const asked = question === undefined ? -1 : items.findIndex(({ questionId }) => questionId === question)
    if (asked >= 0) return asked
    const first = items.findIndex((item) => standing(item, read) === 'pending')
    return first < 0 ? Math.max(0, items.findIndex(isMine)) : first
  })
  const [refused, setRefused] = useState<string>()
  const item = items[at]
  const changed = given !== read
  useUnsaved(changed)
  const set = (id: number, next: Partial<Mark>) => {
    const before = given.get(id)
    if (before) setGiven(new Map([...given, [id, { ...before, ...next }]]))
  }
  const wrong = items.flatMap((each) => scoreRefusal(each, given.get(each.itemId)?.score ?? null) ?? [])
  const body = () => marksOf({ sheetId: paper.sheetId, items }, version, given)
  const failed = (error: unknown) => setRefused(messageOf(error))
  const saving = useMutation({
    mutationFn: () => request(saveExamMarks, { body: body() }),
    onMutate: () => setRefused(undefined),
    onSuccess: (told) => {
      setVersion(told.version)
      setRead(given)
      tellSuccess('已保存阅卷')
    },
    onError: failed,
  })
  // The next sheet comes only to whoever is still here: what is told to `mutate` itself ends with the page.
  const submitting = useMutation({
    mutationFn: () => request(submitExamMarks, { body: body() }),
    onMutate: () => setRefused(undefined),
    onSuccess: async (told) => {
      setRead(given)
      tellSuccess(
        told.finished
          ? `已提交阅卷，得分${score(told.totalScore)}`
          : told.arbitration > 0
            ? `已提交，${formatNumber(told.arbitration)}题待仲裁`
            : '已提交，等待其他教师阅卷',
      )
      await refetchAll()
    },
    onError: failed,
  })
  const advancing = useMutation({
    mutationFn: () =>
      isDone(items, given) ? request(submitExamMarks, { body: body() }) : request(saveExamMarks, { body: body() }),
    onMutate: () => setRefused(undefined),
    onSuccess: async () => {
      setRead(given)
      await refetchAll()
    },
    onError: failed,
  })
  const busy = saving.isPending || submitting.isPending || advancing.isPending
  const unscored = item === undefined || standing(item, given) === 'pending'
  const save = () => {
    if (!busy && wrong.length === 0) saving.mutate()
  }
  const advance = () => {
    if (!busy && wrong.length === 0 && !unscored) advancing.mutate(undefined, { onSuccess: onNext })
  }
  useSaveKey(true, save)
  const leave = async () => {
    if (!changed || (await confirm({ title: '阅卷还没有保存，确定离开吗？', okText: '离开', danger: true }))) onLeave()
  }
  return (
    <>
      {refused && <Alert className="form-lead" type="error" content={`${refused}；已填写的内容保留在页面上`} />}
      {paper.arbitration && (
        <Alert className="form-lead" type="warning" content="两次评分相差较大，您的评分为最终得分" />
      )}
      <div className="marking-desk">
        <QuestionsNav items={items} given={given} at={at} onGo={setAt} />
        {item && (
          <MarkedQuestion
            key={item.itemId}
            item={item}
            mark={given.get(item.itemId)}
            step={STEP}
            onChange={(next) => set(item.itemId, next)}
            onNext={question === undefined ? () => setAt(nextOf(items, given, at)) : advance}
          />
        )}
        <Side paper={paper} />
      </div>
      <div className="marking-foot">
        <strong>总分 {score(totalOf(items, given))}</strong>
        {wrong[0] && <span role="alert">{wrong[0]}</span>}
        <Space>
          <Can do={saveExamMarks}>
            <Button title="Ctrl+S" loading={saving.isPending} disabled={busy || wrong.length > 0} onClick={save}>
              保存
            </Button>
          </Can>
          {question === undefined ? (
            <Can do={submitExamMarks}>
              <Button
                type="primary"
                loading={submitting.isPending}
                disabled={busy || wrong.length > 0}
                onClick={() => submitting.mutate(undefined, { onSuccess: onNext })}
              >
                提交并下一份
              </Button>
            </Can>
          ) : (
            <Button
              type="primary"
              loading={advancing.isPending}
              disabled={busy || wrong.length > 0 || unscored}
              title={unscored ? '请先给分' : undefined}
              onClick={advance}
            >
              给分并下一份
            </Button>
          )}
          {question === undefined && item && isMine(item) && item.questionId != null && (
            <Button
              title="一份接一份，只批这一题"
              disabled={busy}
              onClick={() => onQuestion(item.questionId ?? undefined)}
            >
              逐题批阅第{item.seq}题
            </Button>
          )}
          {question !== undefined && (
            <Button disabled={busy} onClick={() => onQuestion(undefined)}>
              结束逐题批阅
            </Button>
          )}
          <Button onClick={leave}>返回列表</Button>
        </Space>
      </div>
    </>
  )
}

/** 阅卷: `?setupId=`, sheet after sheet, `&questionId=` one question of all, `&sheetId=` this one first (04 §2.4). */
export const MarkPapersPage = () => {
  const request = useRequest()
  const navigate = useNavigate()
  const [search, setSearch] = useAddress()
  const [turn, setTurn] = useState(0)
  const setupId = Number(search.get('setupId')) || undefined
  const sheetId = Number(search.get(SHEET)) || undefined
  const questionId = Number(search.get(QUESTION)) || undefined
  const list = paths.examMarking
  const put = (changes: Record<string, string | undefined>) =>
    setSearch((before) => {
      const after = new URLSearchParams(before)
      for (const [name, value] of Object.entries(changes)) {
        if (value) after.set(name, value)
        else after.delete(name)
      }
      return after
    })
  const query = useQuery({
    queryKey: [takeNextPaper.path, setupId, sheetId, questionId, turn],
    queryFn: ({ signal }) =>
      request(takeNextPaper, { query: { setupId: setupId ?? 0, sheetId, questionId } }, { signal }).then(
        (paper) => paper ?? null,
      ),
    enabled: setupId !== undefined,
    // Taking a sheet holds it for half an hour, so it is not done behind one's back.
    staleTime: 'static',
    gcTime: 0,
    retry: false,
  })
  const next = () => {
    put({ [SHEET]: undefined })
    setTurn(turn + 1)
  }
  if (setupId === undefined)
    return (
      <Page title="阅卷">
        <ChooseFirst text="请在考试阅卷的任务列表中选择考试" list="考试阅卷" to={list} />
      </Page>
    )
  return (
    <Page title="阅卷" help="按数字键填写得分，回车到下一题；占用答卷30分钟，每次保存后重新计时。" personal>
      <Loaded query={query}>
        {(paper) =>
          paper ? (
            <MediaOf files={paper.media}>
              <Desk
                key={`${paper.sheetId}-${turn}`}
                paper={paper}
                question={questionId}
                onQuestion={(question) => put({ [QUESTION]: question === undefined ? undefined : String(question) })}
                onNext={next}
                onLeave={() => navigate(list)}
              />
            </MediaOf>
          ) : (
            <Result
              status="success"
              title="没有待阅的答卷"
              subTitle={
                questionId ? '本题已全部给分，或正由其他教师批阅。' : '您的答卷已全部阅完，或正由其他教师批阅。'
              }
              extra={
                <Space>
                  {questionId && <Button onClick={() => put({ [QUESTION]: undefined })}>结束逐题批阅</Button>}
                  <Button type="primary" onClick={() => navigate(list)}>
                    返回考试阅卷
                  </Button>
                </Space>
              }
            />
          )
        }
      </Loaded>
    </Page>
  )
}
