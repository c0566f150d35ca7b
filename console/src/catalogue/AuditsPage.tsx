import { bulkStep } from '@/kit/actions'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { DateRangeFilter, SelectFilter, TextFilter } from '@/kit/filters'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { countOf, Segments } from '@/kit/Segments'
import { useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { AuditFile } from './AuditFile'
import { listRecordAudits } from './api'
import { type AuditOperations, liveAudits, recordAudits, resourceAudits } from './audits'
import { useLecturers } from './choices'
import { DecideVersion, isWaiting, type Version } from './DecideVersion'
import { auditTones } from './tones'

const columns = columnsOf(listRecordAudits, [
  { field: 'courseName', width: 220, fixed: 'left' },
  { field: 'auditStatus', width: 90, fixed: 'left', tones: auditTones },
  { field: 'lecturerName', title: '讲师', width: 90 },
  { field: 'submitterName', width: 100 },
  'submittedAt',
  { field: 'changes', width: 220 },
  { field: 'auditOpinion', width: 200 },
  { field: 'auditorName', width: 100 },
  { field: 'auditedAt', hidden: true },
])

/** Drafts are their authors' alone. */
const STATES = ['pending', 'approved', 'rejected']
const WAITING = 'pending'

/** Versions of courses that wait, and those that were decided on. */
const AuditsPage = ({ of }: { of: AuditOperations }) => {
  const table = useQueryTable(of.list, { usual: { auditStatus: WAITING } })
  const decision = useDrawer<Version>()
  const lecturers = useLecturers()
  return (
    <Page title={of.title} help="通过后立即替换已发布的内容，不通过的由提交人修改后再次提交。">
      <Segments table={table} field="auditStatus" label="审核状态" only={STATES} usual={WAITING} />
      <FilterBar table={table}>
        <TextFilter of={of.list} field="courseName" />
        <SelectFilter
          of={of.list}
          field="lecturerId"
          label="讲师"
          options={(lecturers.data?.list ?? []).map(({ id, lecturerName }) => ({
            value: String(id),
            label: lecturerName,
          }))}
        />
        <DateRangeFilter of={of.list} from="submittedFrom" to="submittedTo" label="提交日期" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(version) => version.courseName}
        tools={<ExportButton do={of.export} table={table} />}
        bulk={[
          bulkStep(of.decideMany, {
            label: '批量通过',
            confirm: (count) => ({ title: `通过选中的${count}个版本？`, content: '通过后立即发布。' }),
            input: (ids) => ({ body: { ids, auditStatus: 'approved' } }),
          }),
        ]}
        file={(version) => <AuditFile id={version.id} of={of} />}
        actionsWidth={90}
        actions={(version) => [
          {
            label: '审核',
            do: of.decide,
            disabled: isWaiting(version) ? undefined : '该版本已审核',
            onClick: () => decision.open(version),
          },
        ]}
        empty="没有这样的版本。讲师和其他人员提交课程的修改后在这里审核。"
      />
      <DecideVersion
        key={decision.key}
        {...decision.props}
        of={of}
        rows={table.rows}
        waiting={countOf(table.segments, WAITING)}
      />
    </Page>
  )
}

/** 录播审核. */
export const RecordAuditsPage = () => <AuditsPage of={recordAudits} />

/** 直播审核. */
export const LiveAuditsPage = () => <AuditsPage of={liveAudits} />

/** 文库审核. */
export const ResourceAuditsPage = () => <AuditsPage of={resourceAudits} />
