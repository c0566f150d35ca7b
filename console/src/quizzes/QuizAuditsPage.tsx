import { Form } from '@arco-design/web-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { BodyOf, RowOf } from '@/api/operation'
import { useCall } from '@/api/schoolContext'
import { Differences } from '@/catalogue/AuditFile'
import { useLecturers } from '@/catalogue/choices'
import { auditTones } from '@/catalogue/tones'
import { bulkStep } from '@/kit/actions'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { fieldsOf } from '@/kit/Field'
import { FilterBar } from '@/kit/FilterBar'
import { FormDrawer } from '@/kit/FormDrawer'
import { DateRangeFilter, SelectFilter, TextFilter } from '@/kit/filters'
import { formAction } from '@/kit/formAction'
import { Loaded } from '@/kit/Loaded'
import { MediaOf } from '@/kit/MediaOf'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { Segments } from '@/kit/Segments'
import { TabPanels } from '@/kit/TabList'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { auditQuiz, auditQuizzes, exportQuizAudits, listQuizAudits, viewQuizAudit } from './api'
import { PaperView } from './PaperView'

type Version = RowOf<typeof viewQuizAudit>
type Decision = BodyOf<typeof auditQuiz>

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

const AuditFile = ({ id }: { id: number }) => {
  const call = useCall()
  const query = useQuery({
    queryKey: [listQuizAudits.path, viewQuizAudit.path, id],
    queryFn: () => call(viewQuizAudit, { query: { id } }),
  })
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

const Field = fieldsOf(auditQuiz)

/** 审核: what changes, and whether it may. */
const DecideQuiz = ({ record: opened, ...drawer }: DrawerProps<Version>) => {
  /** As it is since somebody else changed it: what is decided on is what is shown. */
  const [fresh, setFresh] = useState<Version>()
  const version = fresh ?? opened
  return (
    <FormDrawer<Partial<Decision>, { id: number }>
      {...drawer}
      record={opened && { id: opened.id, version: opened.version, auditStatus: 'approved' }}
      title={`审核 ${opened?.examName ?? ''}`}
      width={860}
      action={(decided) => formAction(auditQuiz, '已审核', decided)}
      reload={async (decided, call) => {
        const now = await call(viewQuizAudit, { query: { id: decided.id ?? 0 } })
        setFresh(now)
        return { ...decided, version: now.version }
      }}
    >
      <div className="form-wide">{version && <Compared version={version} />}</div>
      <Field name="auditStatus" />
      <Form.Item noStyle shouldUpdate>
        {({ auditStatus }: Partial<Decision>) => (
          <Field name="auditOpinion" required={auditStatus === 'rejected'} help="不通过时必填，提交人可以看到" />
        )}
      </Form.Item>
    </FormDrawer>
  )
}

/** Drafts are their authors' alone. */
const STATES = ['pending', 'approved', 'rejected']
const WAITING = 'pending'

/** 试卷审核: versions that wait, and those that were decided on. */
export const QuizAuditsPage = () => {
  const table = useQueryTable(listQuizAudits, { usual: { auditStatus: WAITING } })
  const call = useCall()
  const decision = useDrawer<Version>()
  const lecturers = useLecturers()
  const opening = useMutation({
    mutationFn: (id: number) => call(viewQuizAudit, { query: { id } }),
    onSuccess: (version) => decision.open(version),
  })
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
            disabled: version.auditStatus === 'pending' ? undefined : '该版本已审核',
            onClick: () => opening.mutate(version.id),
          },
        ]}
        empty="没有这样的版本。试卷的修改提交后在这里审核。"
      />
      <DecideQuiz key={decision.key} {...decision.props} />
    </Page>
  )
}
