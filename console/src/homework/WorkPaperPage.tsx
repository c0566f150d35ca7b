import { Alert, Button, Space, Switch } from '@arco-design/web-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { messageOf, tellSuccess } from '@/api/errors'
import { refetchAll } from '@/api/query'
import { useRequest } from '@/api/schoolContext'
import { Can } from '@/kit/Can'
import { ChooseFirst } from '@/kit/ChooseFirst'
import { confirm } from '@/kit/confirm'
import { formatNumber } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { MediaOf } from '@/kit/MediaOf'
import { Page } from '@/kit/Page'
import { useUnsaved } from '@/kit/tab'
import { useAddress } from '@/kit/useAddress'
import { useSaveKey } from '@/kit/useDraftForm'
import { useDrawer } from '@/kit/useDrawer'
import { FIRST_PAGE } from '@/kit/useQueryTable'
import { paths } from '@/paths'
import { listMarking, openSheet, releaseSheet, returnSheets, saveMarks, submitMarks } from './api'
import { score } from './homeworkRules'
import { MarkedQuestion } from './MarkedQuestion'
import { MarkingSide } from './MarkingSide'
import {
  type Given,
  isDone,
  isMine,
  type Mark,
  markOf,
  marksOf,
  nextOf,
  nextSheet,
  type Paper,
  scoreRefusal,
  standing,
  totalOf,
} from './markingRules'
import { QuestionsNav } from './QuestionsNav'
import { type Returned, ReturnForm } from './ReturnForm'
import '@/question_bank/questionBank.css'
import './homework.css'

const ANONYMOUS = 'anonymous'
const QUESTION = 'questionId'
/** Sheets of a queue that are looked through for one that nobody has open. */
const AHEAD = 50
interface DeskProps {
  paper: Paper
  anonymous: boolean
  /** 逐题批阅: this question alone, sheet after sheet. */
  question: number | undefined
  /** The sheets that were seen in this queue. */
  passed: Set<number>
  onQuestion: (question: number | undefined) => void
  onNext: (sheetId: number | null | undefined) => void
}

/** The desk at which one sheet is marked. What was typed stays on the screen whatever the server says. */
const Desk = ({ paper, anonymous, question, passed, onQuestion, onNext }: DeskProps) => {
  const request = useRequest()
  const { items } = paper
  const [read, setRead] = useState<Given>(new Map(items.filter(isMine).map((item) => [item.itemId, markOf(item)])))
  const [given, setGiven] = useState(read)
  const [version, setVersion] = useState(paper.version)
  const [handedOn, setHandedOn] = useState<Given>()
  const [at, setAt] = useState(() => {
    const asked = question === undefined ? -1 : items.findIndex(({ questionId }) => questionId === question)
    if (asked >= 0) return asked
    const first = items.findIndex((item) => standing(item, read) === 'pending')
    return first < 0 ? Math.max(0, items.findIndex(isMine)) : first
  })
  const [refused, setRefused] = useState<string>()
  const back = useDrawer<Returned>()
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
    mutationFn: () => request(saveMarks, { body: body() }),
    onMutate: () => setRefused(undefined),
    onSuccess: (told) => {
      setVersion(told.version)
      setRead(given)
      tellSuccess('已保存批阅')
    },
    onError: failed,
  })
  // The next sheet comes only to whoever is still here: what is told to `mutate` itself ends with the page.
  const submitting = useMutation({
    mutationFn: () => request(submitMarks, { body: body() }),
    onMutate: () => setRefused(undefined),
    onSuccess: async (told) => {
      setRead(given)
      tellSuccess(told.finished ? `已提交批阅，得分${score(told.totalScore)}` : '已提交，等待其他教师批阅')
      await refetchAll()
    },
    onError: failed,
  })
  // One question of all sheets: what is left of a sheet waits, and whoever marks that need not wait for its lock.
  const mine = item !== undefined && isMine(item)
  const handOn = async () => {
    if (mine && isDone(items, given)) await request(submitMarks, { body: body() })
    else {
      if (changed) setVersion((await request(saveMarks, { body: body() })).version)
      await request(releaseSheet, { body: { sheetId: paper.sheetId } })
    }
    setRead(given)
    setHandedOn(given)
    passed.add(paper.sheetId)
  }
  const advancing = useMutation({
    mutationFn: async () => {
      // Where only the next one was not found, the marks are not sent twice.
      if (handedOn !== given) await handOn()
      const waiting = { homeworkId: paper.homeworkId, questionId: question, tab: 'pending' as const }
      const { list, totalCount } = await request(listMarking, {
        body: { ...waiting, pageCurrent: FIRST_PAGE, pageSize: AHEAD },
      })
      return { next: nextSheet(list, passed), left: totalCount }
    },
    onMutate: () => setRefused(undefined),
    onSuccess: async ({ next, left }) => {
      const others = `其余${formatNumber(left)}份由其他教师批阅，或正被打开`
      const rest = next === undefined ? others : `本题还有${formatNumber(left)}份`
      tellSuccess(left === 0 ? '本题已全部给分' : mine ? `已给分，${rest}` : rest)
      await refetchAll()
    },
    onError: failed,
  })
  const busy = saving.isPending || submitting.isPending || advancing.isPending
  const unscored = item === undefined || standing(item, given) === 'pending'
  const advance = () => {
    if (!busy && wrong.length === 0 && !unscored) advancing.mutate(undefined, { onSuccess: ({ next }) => onNext(next) })
  }
  const save = () => {
    if (!busy && wrong.length === 0) saving.mutate()
  }
  useSaveKey(true, save)
  const leave = async () => {
    const sure = !changed || (await confirm({ title: '批阅还没有保存，确定离开吗？', okText: '离开', danger: true }))
    if (!sure) return
    // Whoever comes next need not wait for half an hour.
    await request(releaseSheet, { body: { sheetId: paper.sheetId } }, { quiet: () => true }).catch(() => undefined)
    onNext(null)
  }
  return (
    <>
      {refused && <Alert className="form-lead" type="error" content={`${refused}；已填写的内容保留在页面上`} />}
      <div className="marking-desk">
        <QuestionsNav items={items} given={given} at={at} onGo={setAt} />
        {item && (
          <MarkedQuestion
            key={item.itemId}
            item={item}
            mark={given.get(item.itemId)}
            step={paper.scoreStep}
            onChange={(next) => set(item.itemId, next)}
            onNext={question === undefined ? () => setAt(nextOf(items, given, at)) : advance}
          />
        )}
        <MarkingSide paper={paper} anonymous={anonymous} />
      </div>
      <div className="marking-foot">
        <strong>
          总分 {score(totalOf(items, given))} / {score(paper.fullScore)}
        </strong>
        {wrong[0] && <span role="alert">{wrong[0]}</span>}
        <Space>
          <Can do={saveMarks}>
            <Button title="Ctrl+S" loading={saving.isPending} disabled={busy || wrong.length > 0} onClick={save}>
              保存
            </Button>
          </Can>
          <Can do={submitMarks}>
            {question === undefined ? (
              <Space>
                <Button
                  type="primary"
                  loading={submitting.isPending}
                  disabled={busy || wrong.length > 0}
                  onClick={() => submitting.mutate(undefined, { onSuccess: (told) => onNext(told.nextSheetId) })}
                >
                  提交并下一份
                </Button>
                {item && isMine(item) && item.questionId != null && (
                  <Button
                    title="一份接一份，只批这一题"
                    disabled={busy}
                    onClick={() => onQuestion(item.questionId ?? undefined)}
                  >
                    逐题批阅第{item.seq}题
                  </Button>
                )}
              </Space>
            ) : (
              <Space>
                <Button
                  type="primary"
                  loading={advancing.isPending}
                  disabled={busy || wrong.length > 0 || unscored}
                  title={unscored ? '请先给分' : undefined}
                  onClick={advance}
                >
                  给分并下一份
                </Button>
                <Button disabled={busy} onClick={() => onQuestion(undefined)}>
                  结束逐题批阅
                </Button>
              </Space>
            )}
          </Can>
          <Can do={returnSheets}>
            <Button
              status="danger"
              onClick={() =>
                back.open({
                  sheetIds: [paper.sheetId],
                  title: anonymous ? '退回重做' : `退回 ${paper.name}《${paper.title}》`,
                  done: (left = []) => left.length === 0 && onNext(null),
                })
              }
            >
              退回重做
            </Button>
          </Can>
          <Button onClick={leave}>返回列表</Button>
        </Space>
      </div>
      <ReturnForm key={`back-${back.key}`} {...back.props} />
    </>
  )
}

/** 批阅作业: `?sheetId=`, opened for whoever marks it until half an hour after the last save (03 B7). */
export const WorkPaperPage = () => {
  const request = useRequest()
  const navigate = useNavigate()
  const [search, setSearch] = useAddress()
  const sheetId = Number(search.get('sheetId')) || undefined
  const anonymous = search.get(ANONYMOUS) === 'true'
  const question = Number(search.get(QUESTION)) || undefined
  const passed = useRef(new Set<number>())
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
    queryKey: [openSheet.path, sheetId],
    queryFn: ({ signal }) => request(openSheet, { query: { sheetId: sheetId ?? 0 } }, { signal }),
    enabled: sheetId !== undefined,
    // Opening takes the sheet, so it is not done behind one's back, also when all else is asked for again.
    staleTime: 'static',
    gcTime: 0,
    retry: false,
  })
  const list = paths.marking
  if (sheetId === undefined)
    return (
      <Page title="批阅作业">
        <ChooseFirst text="请在作业批阅列表中选择答卷" list="作业批阅" to={list} />
      </Page>
    )
  return (
    <Page title="批阅作业" help="按数字键填写得分，回车到下一题；保存后学生看到的得分不变，提交后生效。" personal>
      <Space className="form-lead">
        <Switch
          aria-label="匿名批阅"
          checked={anonymous}
          onChange={(on) => put({ [ANONYMOUS]: on ? 'true' : undefined })}
        />
        匿名批阅
      </Space>
      <Loaded query={query}>
        {(paper) => (
          <MediaOf files={paper.media}>
            <Desk
              key={paper.sheetId}
              paper={paper}
              anonymous={anonymous}
              question={question}
              passed={passed.current}
              onQuestion={(next) => {
                passed.current = new Set()
                put({ [QUESTION]: next === undefined ? undefined : String(next) })
              }}
              onNext={(next) => (next ? put({ sheetId: String(next) }) : navigate(list))}
            />
          </MediaOf>
        )}
      </Loaded>
    </Page>
  )
}
