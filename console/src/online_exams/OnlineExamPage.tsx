import { Alert } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAllowed } from '@/api/identity'
import { useRequest } from '@/api/schoolContext'
import { type CandidateCalls, Candidates, candidateColumns } from '@/exams/Candidates'
import { FormPart } from '@/exams/FormPart'
import { ChooseFirst } from '@/kit/ChooseFirst'
import { formAction } from '@/kit/formAction'
import { Loaded } from '@/kit/Loaded'
import { Page } from '@/kit/Page'
import { SchoolFirst } from '@/kit/SchoolFirst'
import { TabList } from '@/kit/TabList'
import { useTabTitle } from '@/kit/tab'
import { useAddress } from '@/kit/useAddress'
import { usePageTab } from '@/kit/usePageTab'
import { usePlaces } from '@/kit/usePlaces'
import {
  addOnlineCandidates,
  editOnlineSetup,
  exportOnlineCandidates,
  extendOnlineCandidates,
  listOnlineCandidates,
  overrideOnlineCandidates,
  refreshOnlineCandidates,
  removeOnlineCandidates,
  viewOnlineSetup,
} from './api'
import { AntiCheat, Basics, Notice, PaperRules, Whom } from './ExamFields'
import { OnlineExamFacts } from './OnlineExamFacts'
import { draftOf, type ExamBody, type ExamView, examBody } from './onlineRules'
import { PaperPreview } from './PaperPreview'

const calls: CandidateCalls = {
  list: listOnlineCandidates,
  export: exportOnlineCandidates,
  refresh: refreshOnlineCandidates,
  add: addOnlineCandidates,
  remove: removeOnlineCandidates,
  override: overrideOnlineCandidates,
  extend: extendOnlineCandidates,
}
const columns = candidateColumns(listOnlineCandidates, false)

const BASICS = 'basics'
const PAPERS = 'papers'
const WHOM = 'whom'
const CANDIDATES = 'candidates'
const CHEATING = 'cheating'
const NOTICE = 'notice'

const all = [
  [BASICS, '基本设置'],
  [PAPERS, '试卷'],
  [WHOM, '考试对象'],
  [CANDIDATES, '考生'],
  [CHEATING, '防作弊'],
  [NOTICE, '通知'],
] as const

interface Draft extends Partial<ExamBody> {
  id: number
  version: number
}

const heldOf = ({ id, version, form }: ExamView): Draft => ({ ...draftOf(form), id, version })

const Settings = ({ view, tab, onSaved }: { view: ExamView; tab: string; onSaved: () => void }) => {
  const before = heldOf(view)
  return (
    <FormPart<Draft, { id: number }>
      do={editOnlineSetup}
      record={before}
      action={(held) => {
        const save = formAction(editOnlineSetup, '已保存考试设置', { id: held.id, version: held.version })
        return {
          ...save,
          send: (values: object, request) => {
            const { id: _id, version: _version, ...typed }: Draft = { ...held, ...values }
            return save.send(examBody(typed), request)
          },
        }
      }}
      reload={async ({ id }, call) => heldOf(await call(viewOnlineSetup, { query: { id } }))}
      onSaved={onSaved}
    >
      <div hidden={tab !== BASICS}>
        <Basics before={before} view={view} />
      </div>
      <div hidden={tab !== PAPERS}>
        <PaperRules before={before} view={view} />
        <PaperPreview setupId={view.id} courseName={view.courseName} slots={view.slots} />
      </div>
      <div hidden={tab !== WHOM}>
        <Whom before={before} view={view} />
      </div>
      <div hidden={tab !== CHEATING}>
        <AntiCheat view={view} />
      </div>
      <div hidden={tab !== NOTICE}>
        <Notice />
      </div>
    </FormPart>
  )
}

const Exam = ({ view }: { view: ExamView }) => {
  const [asked, setTab] = usePageTab()
  const allowed = useAllowed()
  // Saved, it begins anew with the version that the server has now.
  const [turn, setTurn] = useState(0)
  const tabs = all.filter(([value]) => value !== CANDIDATES || allowed(listOnlineCandidates))
  const tab = tabs.find(([value]) => value === asked)?.[0] ?? BASICS
  useTabTitle(view.name)
  return (
    <>
      <OnlineExamFacts exam={view} />
      <div className="list-tabs">
        <TabList
          label="考试设置"
          tabs={tabs}
          value={tab}
          onChange={(next) => setTab(next === BASICS ? undefined : next, { id: String(view.id) })}
        />
      </div>
      {view.status === 'published' && tab !== CANDIDATES && (
        <Alert
          className="form-lead"
          type="info"
          content="考试已发布，只能延后结束时间，修改迟到限制、考试须知和成绩公布时间"
        />
      )}
      <div hidden={tab === CANDIDATES}>
        <Settings key={turn} view={view} tab={tab} onSaved={() => setTurn(turn + 1)} />
      </div>
      {tab === CANDIDATES && (
        <Candidates
          calls={calls}
          columns={columns}
          setupId={view.id}
          includeDeferred={view.form.includeDeferred ?? true}
          courseId={view.courseId}
          semesterId={view.semesterId}
        />
      )}
    </>
  )
}

const Asked = () => {
  const request = useRequest()
  const places = usePlaces()
  const [search] = useAddress()
  const id = Number(search.get('id')) || undefined
  const query = useQuery({
    queryKey: [viewOnlineSetup.path, id],
    queryFn: ({ signal }) => request(viewOnlineSetup, { query: { id: id ?? 0 } }, { signal }),
    enabled: id !== undefined,
  })
  if (id === undefined)
    return <ChooseFirst text="请在在线考试列表中选择考试" list="在线考试列表" to={places('onlineExams')} />
  return <Loaded query={query}>{(view) => <Exam key={view.id} view={view} />}</Loaded>
}

/** 考试设置 of one examination on the net: `?id=` (04 §2.4). Operators only read it. */
export const OnlineExamPage = () => (
  <SchoolFirst title="考试设置">
    <Page title="考试设置" help="一场在线考试的时间、试卷、对象和考生；发布后试卷定稿。" personal>
      <Asked />
    </Page>
  </SchoolFirst>
)
