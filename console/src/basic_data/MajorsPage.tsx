import { Button } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { listOptions } from '@/api/infra'
import { bulkStep } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { EnabledFilter, EnumFilter, OptionFilter, TextFilter } from '@/kit/filters'
import { formatNumber } from '@/kit/format'
import { ImportButton } from '@/kit/ImportWizard'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { askRemoval, removal, switching } from '@/kit/steps'
import { useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import {
  changeMajorStatus,
  deleteMajor,
  deleteMajors,
  editMajor,
  exportMajors,
  fetchMajorImportTemplate,
  importMajors,
  listMajors,
  saveMajor,
  viewMajor,
} from './api'
import { basicOptions } from './BasicSelect'
import { type MajorDraft, MajorForm } from './MajorForm'

const columns = columnsOf(listMajors, [
  { field: 'name', width: 200, fixed: 'left' },
  { field: 'enabled', fixed: 'left' },
  { field: 'code', width: 130, under: 'name' },
  {
    field: 'nationalName',
    title: '国家专业',
    width: 220,
    render: (major) => `${major.nationalCode} ${major.nationalName}`,
  },
  { field: 'levelName', title: '层次', width: 110 },
  'studyForm',
  'schoolingYears',
  { field: 'totalCredits', title: '总学分' },
  { field: 'organizationName', title: '开办学院' },
  'studentCount',
  { field: 'direction', hidden: true },
  { field: 'degree', hidden: true },
  {
    field: 'tuitionPerYear',
    title: '学费(元/年)',
    width: 120,
    hidden: true,
    render: (major) => (major.tuitionPerYear == null ? '—' : formatNumber(major.tuitionPerYear / 100)),
  },
])

/** 学校专业管理 */
export const MajorsPage = () => {
  const table = useQueryTable(listMajors)
  const form = useDrawer<MajorDraft>()
  return (
    <Page title="学校专业" help="把国家专业库中的专业开设为本校专业；层次、国家专业和学习形式在有学生后不能修改。">
      <FilterBar table={table}>
        <TextFilter of={listMajors} field="keyword" />
        <OptionFilter of={listMajors} field="levelId" options={listOptions} query={basicOptions('level')} />
        <EnumFilter of={listMajors} field="studyForm" />
        <OptionFilter
          of={listMajors}
          field="organizationId"
          options={listOptions}
          query={basicOptions('organization')}
        />
        <EnabledFilter of={listMajors} field="enabled" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(major) => major.name}
        primary={
          <Can do={saveMajor}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open({})}>
              新增专业
            </Button>
          </Can>
        }
        tools={
          <>
            <ImportButton do={importMajors} template={fetchMajorImportTemplate} what="专业" />
            <ExportButton do={exportMajors} table={table} />
          </>
        }
        bulk={[
          bulkStep(deleteMajors, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('专业'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        detail={historyOf(viewMajor, 'major')}
        actionsWidth={160}
        actions={(major) => [
          { label: '编辑', do: editMajor, onClick: () => form.open({ major }) },

          switching(changeMajorStatus, major),
          removal(deleteMajor, major),
        ]}
        empty="还没有专业。可在国家专业库中“引用为学校专业”，或下载模板批量导入。"
      />
      <MajorForm key={form.key} {...form.props} />
    </Page>
  )
}
