import { useMutation } from '@tanstack/react-query'
import type { RowOf } from '@/api/operation'
import { useCall } from '@/api/schoolContext'
import { bulkStep } from '@/kit/actions'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { DateRangeFilter, EnumFilter, SelectFilter, TextFilter } from '@/kit/filters'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { auditRecord, auditRecords, exportRecordAudits, listRecordAudits, viewRecordAudit } from './api'
import { useLecturers } from './choices'
import { DecideRecord } from './DecideRecord'
import { RecordAuditFile } from './RecordAuditFile'
import { auditTones } from './tones'

type View = RowOf<typeof viewRecordAudit>

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

/** 录播审核: versions of courses that wait, and those that were decided on. */
export const RecordAuditsPage = () => {
  const table = useQueryTable(listRecordAudits)
  const call = useCall()
  const decision = useDrawer<View>()
  const lecturers = useLecturers()
  const opening = useMutation({
    mutationFn: (id: number) => call(viewRecordAudit, { query: { id } }),
    onSuccess: (version) => decision.open(version),
  })
  return (
    <Page title="录播审核" help="待审核的排在最前；通过后立即替换已发布的内容，不通过的由提交人修改后再次提交。">
      <FilterBar table={table}>
        <TextFilter of={listRecordAudits} field="courseName" />
        <SelectFilter
          of={listRecordAudits}
          field="lecturerId"
          label="讲师"
          options={(lecturers.data?.list ?? []).map(({ id, lecturerName }) => ({
            value: String(id),
            label: lecturerName,
          }))}
        />
        <EnumFilter of={listRecordAudits} field="auditStatus" />
        <DateRangeFilter of={listRecordAudits} from="submittedFrom" to="submittedTo" label="提交日期" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(version) => version.courseName}
        tools={<ExportButton do={exportRecordAudits} table={table} />}
        bulk={[
          bulkStep(auditRecords, {
            label: '批量通过',
            confirm: (count) => ({ title: `通过选中的${count}个版本？`, content: '通过后立即发布。' }),
            input: (ids) => ({ body: { ids, auditStatus: 'approved' } }),
          }),
        ]}
        file={(version) => <RecordAuditFile id={version.id} />}
        actionsWidth={90}
        actions={(version) => [
          {
            label: '审核',
            do: auditRecord,
            disabled: version.auditStatus === 'pending' ? undefined : '该版本已审核',
            onClick: () => opening.mutate(version.id),
          },
        ]}
        empty="没有需要审核的课程。"
      />
      <DecideRecord key={decision.key} {...decision.props} />
    </Page>
  )
}
