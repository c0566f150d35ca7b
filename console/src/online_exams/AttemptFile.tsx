import { Button, Descriptions, Empty, Timeline } from '@arco-design/web-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useRequest } from '@/api/schoolContext'
import { levelTones } from '@/exams/examRules'
import { score } from '@/homework/homeworkRules'
import { ItemsShown } from '@/homework/SheetShown'
import { show } from '@/kit/columns'
import { formatTime } from '@/kit/format'
import { Failed, Loaded } from '@/kit/Loaded'
import { fieldOf, labelOf } from '@/kit/labels'
import { MediaOf } from '@/kit/MediaOf'
import { TabList } from '@/kit/TabList'
import { Watermark } from '@/kit/Watermark'
import { historyOf } from '@/logs/RecordHistory'
import { listAttempts, listExamEvents, viewAttempt } from './api'
import { type Attempt, type AttemptView, attemptTones, riskTones } from './onlineRules'

const PAGE = 100

const trail = historyOf(viewAttempt, 'answer_sheet')

/** Everything that was seen while a sheet was answered, page after page. */
const useEvents = (sheetId: number) => {
  const request = useRequest()
  return useInfiniteQuery({
    queryKey: [listExamEvents.path, sheetId],
    queryFn: ({ pageParam, signal }) =>
      request(listExamEvents, { body: { sheetId, pageCurrent: pageParam, pageSize: PAGE } }, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ pageCurrent, totalPage }) => (pageCurrent < totalPage ? pageCurrent + 1 : undefined),
  })
}

const Events = ({ sheetId, pictures }: { sheetId: number; pictures: boolean }) => {
  const events = useEvents(sheetId)
  if (events.isError) return <Failed error={events.error} retry={() => events.refetch()} />
  const all = events.data?.pages.flatMap(({ list }) => list) ?? []
  const shown = pictures ? all.filter(({ url }) => url) : all
  return (
    <>
      {shown.length === 0 && <Empty description={pictures ? '没有监考照片，照片按设置的天数保留' : '还没有考试事件'} />}
      {pictures ? (
        <ul className="exam-pictures" aria-label="监考照片">
          {shown.map(({ id, url, receivedAt, type }) => (
            <li key={id}>
              {url && <img src={url} alt={labelOf(listExamEvents, 'type', type)} />}
              <p>{formatTime(receivedAt)}</p>
            </li>
          ))}
        </ul>
      ) : (
        <Timeline aria-label="考试事件">
          {shown.map(({ id, type, occurredAt, receivedAt, seconds, detail, byName }) => (
            <Timeline.Item key={id} label={formatTime(occurredAt ?? receivedAt)}>
              {labelOf(listExamEvents, 'type', type)}
              {seconds != null && ` ${seconds}秒`}
              {detail && `：${detail}`}
              {byName && `（${byName}）`}
            </Timeline.Item>
          ))}
        </Timeline>
      )}
      {events.hasNextPage && (
        <Button loading={events.isFetchingNextPage} onClick={() => events.fetchNextPage()}>
          继续加载
        </Button>
      )}
    </>
  )
}

const facts = [
  'studentNo',
  'className',
  'siteName',
  'setupName',
  'attemptNo',
  'startedAt',
  'deadlineAt',
  'submittedAt',
  'submitKind',
  'switchCount',
  'faceFailCount',
  'riskScore',
  'extraMinutes',
] as const

const PAPER = 'paper'
const EVENTS = 'events'
const PICTURES = 'pictures'
const tabs = [
  [PAPER, '答卷'],
  [EVENTS, '考试事件'],
  [PICTURES, '监考照片'],
] as const

const Shown = ({ view, sheetId }: { view: AttemptView; sheetId: number }) => {
  const [tab, setTab] = useState<(typeof tabs)[number][0]>(PAPER)
  const { attempt } = view
  return (
    <>
      <Descriptions
        column={2}
        labelStyle={{ width: 110 }}
        data={[
          { key: 'state', label: '状态', value: show(listAttempts, 'markState', attempt.markState, attemptTones) },
          { key: 'risk', label: '风险', value: show(listAttempts, 'riskLevel', attempt.riskLevel, riskTones) },
          {
            key: 'violation',
            label: '违规',
            value: show(listAttempts, 'violationLevel', attempt.violationLevel, levelTones),
          },
          {
            key: 'score',
            label: '客观/主观/总分',
            value: `${score(attempt.objectiveScore)} / ${score(attempt.subjectiveScore)} / ${score(attempt.totalScore)}`,
          },
          ...facts.map((field) => ({
            key: field,
            label: fieldOf(listAttempts, field).label,
            value: show(listAttempts, field, attempt[field], undefined),
          })),
          { key: 'ip', label: '网络地址', value: view.ip },
          ...(view.forceReason ? [{ key: 'force', label: '强制交卷原因', value: view.forceReason }] : []),
          ...(view.voidReason ? [{ key: 'void', label: '作废原因', value: view.voidReason }] : []),
        ]}
      />
      {view.faceUrl && (
        <div className="exam-pictures">
          <img src={view.faceUrl} alt="进入时的照片" />
        </div>
      )}
      <div className="list-tabs">
        <TabList label="考试情况" tabs={tabs} value={tab} onChange={setTab} />
      </div>
      {tab === PAPER && (
        <MediaOf files={view.media}>
          <ItemsShown items={view.items} />
        </MediaOf>
      )}
      {tab === EVENTS && <Events sheetId={sheetId} pictures={false} />}
      {tab === PICTURES && <Events sheetId={sheetId} pictures />}
      {trail({ id: sheetId })}
      <Watermark />
    </>
  )
}

const OfSheet = ({ sheetId }: { sheetId: number }) => {
  const request = useRequest()
  const query = useQuery({
    queryKey: [viewAttempt.path, sheetId],
    queryFn: ({ signal }) => request(viewAttempt, { query: { sheetId } }, { signal }),
  })
  return <Loaded query={query}>{(view) => <Shown view={view} sheetId={sheetId} />}</Loaded>
}

/** 答卷查看: paper, answers, marks, what happened, pictures. */
export const AttemptFile = ({ row }: { row: Pick<Attempt, 'sheetId'> }) =>
  row.sheetId ? <OfSheet sheetId={row.sheetId} /> : <Empty description="考生还没有进入考试" />
