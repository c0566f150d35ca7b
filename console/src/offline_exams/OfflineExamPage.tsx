import { Alert, Button, Space } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useAllowed } from '@/api/identity'
import { useRequest } from '@/api/schoolContext'
import type { Saved } from '@/api/types/shared'
import { type CandidateCalls, Candidates, candidateColumns } from '@/exams/Candidates'
import { FormPart } from '@/exams/FormPart'
import { FormPage } from '@/kit/FormPage'
import { formAction } from '@/kit/formAction'
import { ImportButton } from '@/kit/ImportWizard'
import { Loaded } from '@/kit/Loaded'
import { Page } from '@/kit/Page'
import { TabList } from '@/kit/TabList'
import { useTabTitle } from '@/kit/tab'
import { useAddress } from '@/kit/useAddress'
import { usePageTab } from '@/kit/usePageTab'
import { paths } from '@/paths'
import {
  addOfflineCandidates,
  editOfflineSetup,
  exportOfflineCandidates,
  extendOfflineCandidates,
  fetchOfflineCandidateTemplate,
  importOfflineCandidates,
  listOfflineCandidates,
  overrideOfflineCandidates,
  refreshOfflineCandidates,
  removeOfflineCandidates,
  saveOfflineSetup,
  viewOfflineSetup,
} from './api'
import { Clashes } from './Clashes'
import { ExamCalendar } from './ExamCalendar'
import { OfflineExamFacts } from './OfflineExamFile'
import { OfflineFields } from './OfflineFields'
import { type ExamBody, type ExamView, isReturned, newExam } from './offlineRules'

const calls: CandidateCalls = {
  list: listOfflineCandidates,
  export: exportOfflineCandidates,
  refresh: refreshOfflineCandidates,
  add: addOfflineCandidates,
  remove: removeOfflineCandidates,
  override: overrideOfflineCandidates,
  extend: extendOfflineCandidates,
}
const columns = candidateColumns(listOfflineCandidates, true)

const SETTINGS = 'settings'
const CANDIDATES = 'candidates'

const tabsOf = [
  [SETTINGS, '考试安排'],
  [CANDIDATES, '考生'],
] as const

interface Draft extends Partial<ExamBody> {
  id: number
  version: number
}

const heldOf = ({ id, version, form }: ExamView): Draft => ({ ...form, id, version })

const Exam = ({ view }: { view: ExamView }) => {
  const [asked, setTab] = usePageTab()
  const allowed = useAllowed()
  // Saved, it begins anew with the version that the server has now.
  const [turn, setTurn] = useState(0)
  const tabs = tabsOf.filter(([value]) => value !== CANDIDATES || allowed(listOfflineCandidates))
  const tab = tabs.find(([value]) => value === asked)?.[0] ?? SETTINGS
  useTabTitle(view.name)
  const before = heldOf(view)
  return (
    <>
      <OfflineExamFacts exam={view} />
      {isReturned(view) && (
        <Alert className="form-lead" type="warning" content={`审核未通过，已退回：${view.reviewOpinion}`} />
      )}
      <div className="list-tabs">
        <TabList
          label="考试安排"
          tabs={tabs}
          value={tab}
          onChange={(next) => setTab(next === SETTINGS ? undefined : next, { id: String(view.id) })}
        />
      </div>
      {tab === SETTINGS ? (
        <>
          {view.status !== 'draft' && (
            <Alert
              className="form-lead"
              type="info"
              content={
                view.status === 'published' ? '考试已发布，只能修改备注' : '待审核和已审核的考试请先退回，再修改'
              }
            />
          )}
          {view.sessionId != null && <Clashes setupId={view.id} sessionId={view.sessionId} />}
          <FormPart<Draft, Saved>
            key={turn}
            do={editOfflineSetup}
            record={before}
            action={(held) => {
              const save = formAction(editOfflineSetup, '已保存考试安排', { id: held.id, version: held.version })
              return {
                ...save,
                send: (values: object, request) => {
                  const { id: _id, version: _version, ...typed }: Draft = { ...held, ...values }
                  return save.send(typed, request)
                },
              }
            }}
            reload={async ({ id }, call) => heldOf(await call(viewOfflineSetup, { query: { id } }))}
            onSaved={() => setTurn(turn + 1)}
          >
            <OfflineFields before={before} view={view} />
          </FormPart>
        </>
      ) : (
        <Candidates
          calls={calls}
          columns={columns}
          setupId={view.id}
          includeDeferred={view.form.includeDeferred ?? true}
          courseId={view.courseId}
          semesterId={view.semesterId}
          tools={
            <ImportButton
              do={importOfflineCandidates}
              template={fetchOfflineCandidateTemplate}
              what="补充考生"
              fields={{ setupId: String(view.id) }}
            />
          }
        />
      )}
    </>
  )
}

const One = ({ id }: { id: number }) => {
  const request = useRequest()
  const query = useQuery({
    queryKey: [viewOfflineSetup.path, id],
    queryFn: ({ signal }) => request(viewOfflineSetup, { query: { id } }, { signal }),
  })
  return <Loaded query={query}>{(view) => <Exam key={view.id} view={view} />}</Loaded>
}

interface NewProps {
  begun: Partial<ExamBody>
}

const New = ({ begun }: NewProps) => {
  const [before] = useState(() => newExam(begun))
  return (
    <FormPage<Draft, Saved>
      title="新增线下考试"
      help="选择场次，或填写日期和时间；保存时生成考生名单，核对后提交审核。"
      initial={before}
      list={`${paths.offlineExams}${begun.batchId ? `?batchId=${begun.batchId}` : ''}`}
      next={{ label: '保存并查看考生', to: ({ id }) => `${paths.offlineExam}?id=${id}&tab=${CANDIDATES}` }}
      action={() => {
        const save = formAction(saveOfflineSetup, '已保存为草稿')
        return { ...save, send: (values: object, request) => save.send({ ...before, ...values }, request) }
      }}
    >
      <OfflineFields before={before} />
    </FormPage>
  )
}

/** 考试安排: `?id=` of one, `?new=true` for another, else the calendar of a batch's examinations (04 §4.4). */
export const OfflineExamPage = () => {
  const [search] = useAddress()
  const navigate = useNavigate()
  const allowed = useAllowed()
  const numberIn = (name: string) => Number(search.get(name)) || undefined
  const id = numberIn('id')
  const batchId = numberIn('batchId')
  if (id === undefined && search.get('new') === 'true' && allowed(saveOfflineSetup))
    return <New begun={{ batchId, sessionId: numberIn('sessionId') }} />
  return (
    <Page
      title="考试安排"
      help="线下考试的课程、场次和对象；不选考试时显示本批次的考试日历。"
      personal={id !== undefined}
    >
      {id === undefined ? (
        <ExamCalendar />
      ) : (
        <>
          <Space className="form-lead">
            <Button size="small" onClick={() => navigate(paths.offlineExams)}>
              线下考试列表
            </Button>
          </Space>
          <One key={id} id={id} />
        </>
      )}
    </Page>
  )
}
