import { useQuery } from '@tanstack/react-query'
import type { RowOf } from '@/api/operation'
import { useCall } from '@/api/schoolContext'
import { Differences } from '@/catalogue/AuditFile'
import { useLecturers } from '@/catalogue/choices'
import { auditTones } from '@/catalogue/tones'
import { bulkStep } from '@/kit/actions'
import { useAuditQueue } from '@/kit/auditQueue'
import { columnsOf } from '@/kit/columns'
import { DecideDrawer } from '@/kit/DecideDrawer'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { DateRangeFilter, SelectFilter, TextFilter } from '@/kit/filters'
import { Loaded } from '@/kit/Loaded'
import { MediaOf } from '@/kit/MediaOf'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { countOf, Segments } from '@/kit/Segments'
import { TabPanels } from '@/kit/TabList'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { auditQuiz, auditQuizzes, exportQuizAudits, listQuizAudits, viewQuizAudit } from './api'
import { PaperView } from './PaperView'

type Version = RowOf<typeof viewQuizAudit>
type Row = RowOf<typeof listQuizAudits>

/** Drafts are their authors' alone. */
const STATES = ['pending', 'approved', 'rejected']
const WAITING = 'pending'

const columns = columnsOf(listQuizAudits, [
  { field: 'examName', width: 220, fixed: 'left' },
  { field: 'auditStatus', width: 90, fixed: 'left', tones: auditTones },
  { field: 'lecturerName', title: '讲师', width: 90 },
  { field: 'submitterName', width: 100 },
  'submittedAt',
  { field: 'changes', width: 220 },
  { field: 'auditOpinion', width: 200 },
  { field: 'auditorName', width: 100 },
  { field: 'auditedAt', hidden: true },
])

/** What changes, and the whole paper as it would be. */
const Compared = ({ version }: { version: Version }) => (
  <TabPanels
    label="待审版本"
    panels={[
      { title: '变更内容', content: <Differences of={version.differences} /> },
      {
        title: '预览',
        content: (
          <MediaOf files={version.media}>
            <PaperView paper={version.paper} />
          </MediaOf>
        ),
      },
    ]}
  />
)

const useVersion = (id: number | undefined) => {
  const call = useCall()
  return useQuery({
    queryKey: [listQuizAudits.path, viewQuizAudit.path, id],
    queryFn: () => call(viewQuizAudit, { query: { id: id ?? 0 } }),
    enabled: id !== undefined,
  })
}

const AuditFile = ({ id }: { id: number }) => {
  const query = useVersion(id)
  return (
    <Loaded query={query}>
      {(version) => (
        <>
          <p>
            提交人：{version.submitterName ?? '—'}
            {version.auditOpinion && `；审核意见：${version.auditOpinion}`}
          </p>
          <Compared version={version} />
        </>
      )}
    </Loaded>
  )
}

const isWaiting = ({ auditStatus }: Pick<Row, 'auditStatus'>) => auditStatus === WAITING

interface DecideQuizProps extends DrawerProps<Row> {
  /** The page of the list: after a decision the next of it that waits is shown. */
  rows: readonly Row[]
  waiting: number | undefined
}

/** 审核: what changes, and whether it may. */
const DecideQuiz = ({ rows, waiting, ...drawer }: DecideQuizProps) => {
  const queue = useAuditQueue(drawer, { rows, waits: isWaiting, waiting })
  const { row } = queue
  const query = useVersion(queue.visible ? row?.id : undefined)
  const read = query.data
  return (
    <DecideDrawer
      queue={queue}
      do={auditQuiz}
      of={read && { id: read.id, version: read.version }}
      title={`审核 ${row?.examName ?? ''}`}
      name={row?.examName ?? ''}
      note="不通过时必填，提交人可以看到"
      width={860}
    >
      <Loaded query={query}>{(version) => <Compared key={version.id} version={version} />}</Loaded>
    </DecideDrawer>
  )
}

/** 试卷审核: versions that wait, and those that were decided on. */
export const QuizAuditsPage = () => {
  const table = useQueryTable(listQuizAudits, { usual: { auditStatus: WAITING } })
  const decision = useDrawer<Row>()
  const lecturers = useLecturers()
  return (
    <Page title="试卷审核" help="通过后立即替换已发布的内容，不通过的由提交人修改后再次提交。">
      <Segments table={table} field="auditStatus" label="审核状态" only={STATES} usual={WAITING} />
      <FilterBar table={table}>
        <TextFilter of={listQuizAudits} field="examName" />
        <SelectFilter
          of={listQuizAudits}
          field="lecturerId"
          label="讲师"
          options={(lecturers.data?.list ?? []).map(({ id, lecturerName }) => ({
            value: String(id),
            label: lecturerName,
          }))}
        />
        <DateRangeFilter of={listQuizAudits} from="submittedFrom" to="submittedTo" label="提交日期" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(version) => version.examName}
        tools={<ExportButton do={exportQuizAudits} table={table} />}
        bulk={[
          bulkStep(auditQuizzes, {
            label: '批量通过',
            confirm: (count) => ({ title: `通过选中的${count}个版本？`, content: '通过后立即发布。' }),
            input: (ids) => ({ body: { ids, auditStatus: 'approved' } }),
          }),
        ]}
        file={(version) => <AuditFile id={version.id} />}
        actionsWidth={90}
        actions={(version) => [
          {
            label: '审核',
            do: auditQuiz,
            disabled: isWaiting(version) ? undefined : '该版本已审核',
            onClick: () => decision.open(version),
          },
        ]}
        empty="没有这样的版本。试卷的修改提交后在这里审核。"
      />
      <DecideQuiz key={decision.key} {...decision.props} rows={table.rows} waiting={countOf(table.segments, WAITING)} />
    </Page>
  )
}
