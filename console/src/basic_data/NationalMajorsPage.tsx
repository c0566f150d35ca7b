import { Button } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useAllowed } from '@/api/identity'
import type { RowOf } from '@/api/operation'
import { bulkStep } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { EnabledFilter, EnumFilter, SelectFilter, TextFilter } from '@/kit/filters'
import { ImportButton } from '@/kit/ImportWizard'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { Word } from '@/kit/Status'
import { askRemoval, removal, switching } from '@/kit/steps'
import { useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import {
  changeNationalMajorStatus,
  deleteNationalMajor,
  deleteNationalMajors,
  editNationalMajor,
  exportNationalMajors,
  fetchNationalMajorImportTemplate,
  importNationalMajors,
  listNationalMajors,
  saveMajor,
  saveNationalMajor,
} from './api'
import { type MajorDraft, MajorForm } from './MajorForm'
import { NationalMajorForm } from './NationalMajorForm'

type NationalMajor = RowOf<typeof listNationalMajors>

const columns = columnsOf(listNationalMajors, [
  { field: 'name', width: 220, fixed: 'left' },
  {
    field: 'enabled',
    width: 150,
    fixed: 'left',
    render: (major) => (
      <>
        <Word tone={major.enabled ? 'good' : 'quiet'}>{major.enabled ? '启用' : '停用'}</Word>
        {major.uncertain && <Word tone="warning">待核对</Word>}
      </>
    ),
  },
  { field: 'code', width: 120, under: 'name' },
  'level',
  { field: 'discipline', title: '门类/大类' },
  'category',
  { field: 'degrees', width: 180 },
  { field: 'year', width: 90 },
  'special',
  'controlled',
  { field: 'formerCode', hidden: true },
])

const yesNo = [
  { value: 'true', label: '是' },
  { value: 'false', label: '否' },
]

/** 国家专业库: the ministry's catalogues. Operators keep them; a school takes its majors from them. */
export const NationalMajorsPage = () => {
  const table = useQueryTable(listNationalMajors)
  const form = useDrawer<MajorDraft>()
  const upkeep = useDrawer<NationalMajor>()
  // The catalogue is kept on the platform; in a school nobody holds this.
  const mayKeep = useAllowed()(editNationalMajor)
  const whyNot = (major: NationalMajor) => {
    if (!major.enabled) return '该专业已停用'
    return undefined
  }
  return (
    <Page title="国家专业库" help="教育部公布的本科与高职专业目录，由平台维护；标记“待核对”的代码须以部颁文件为准。">
      <FilterBar table={table}>
        <TextFilter of={listNationalMajors} field="keyword" />
        <EnumFilter of={listNationalMajors} field="level" />
        <EnumFilter of={listNationalMajors} field="disciplineCode" />
        <TextFilter of={listNationalMajors} field="year" />
        <SelectFilter of={listNationalMajors} field="controlled" options={yesNo} />
        <EnabledFilter of={listNationalMajors} field="enabled" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(major) => major.name}
        primary={
          <Can do={saveNationalMajor}>
            <Button type="primary" icon={<IconPlus />} onClick={() => upkeep.open()}>
              新增国家专业
            </Button>
          </Can>
        }
        tools={
          <>
            <ImportButton do={importNationalMajors} template={fetchNationalMajorImportTemplate} what="国家专业" />
            <ExportButton do={exportNationalMajors} table={table} />
          </>
        }
        bulk={
          mayKeep
            ? [
                bulkStep(deleteNationalMajors, {
                  label: '批量删除',
                  danger: true,
                  confirm: askRemoval('国家专业'),
                  input: (ids) => ({ body: { ids } }),
                }),
              ]
            : []
        }
        actionsWidth={160}
        actions={(major) =>
          mayKeep
            ? [
                { label: '编辑', do: editNationalMajor, onClick: () => upkeep.open(major) },
                switching(changeNationalMajorStatus, major),
                removal(deleteNationalMajor, major),
              ]
            : [
                {
                  label: '引用为学校专业',
                  do: saveMajor,
                  disabled: whyNot(major),
                  onClick: () => form.open({ from: major }),
                },
              ]
        }
        empty="专业库为空，由平台运营方新增或导入。"
      />
      <MajorForm key={form.key} {...form.props} />
      <NationalMajorForm key={`upkeep-${upkeep.key}`} {...upkeep.props} />
    </Page>
  )
}
