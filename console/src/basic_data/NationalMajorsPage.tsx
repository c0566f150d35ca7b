import type { components } from '@/api/schema'
import { columnsOf } from '@/kit/columns'
import { FilterBar } from '@/kit/FilterBar'
import { EnabledFilter, EnumFilter, SelectFilter, TextFilter } from '@/kit/filters'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { Word } from '@/kit/Status'
import { useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { listNationalMajors, saveMajor } from './api'
import { type MajorDraft, MajorForm } from './MajorForm'

type NationalMajor = components['schemas']['NationalMajor']

const columns = columnsOf(listNationalMajors, [
  { field: 'name', width: 220, fixed: 'left' },
  { field: 'code', width: 120 },
  'level',
  { field: 'discipline', title: '门类/大类' },
  'category',
  { field: 'degrees', width: 180 },
  { field: 'year', width: 90 },
  'special',
  'controlled',
  {
    field: 'enabled',
    width: 150,
    render: (major) => (
      <>
        <Word tone={major.enabled ? 'good' : 'quiet'}>{major.enabled ? '启用' : '停用'}</Word>
        {major.uncertain && <Word tone="warning">待核对</Word>}
      </>
    ),
  },
  { field: 'formerCode', hidden: true },
])

const yesNo = [
  { value: 'true', label: '是' },
  { value: 'false', label: '否' },
]

/** 国家专业库: the ministry's catalogues, from which a school takes its majors. */
export const NationalMajorsPage = () => {
  const table = useQueryTable(listNationalMajors)
  const form = useDrawer<MajorDraft>()
  const whyNot = (major: NationalMajor) => {
    if (!major.enabled) return '该专业已停用'
    return undefined
  }
  return (
    <Page title="国家专业库" help="教育部公布的本科与高职专业目录，由平台维护；标记“待核对”的代码须以部颁文件为准。">
      <FilterBar table={table}>
        <TextFilter of={listNationalMajors} field="keyword" />
        <EnumFilter of={listNationalMajors} field="level" />
        <TextFilter of={listNationalMajors} field="disciplineCode" />
        <TextFilter of={listNationalMajors} field="year" />
        <SelectFilter of={listNationalMajors} field="controlled" options={yesNo} />
        <EnabledFilter of={listNationalMajors} field="enabled" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(major) => major.name}
        actionsWidth={150}
        actions={(major) => [
          {
            label: '引用为学校专业',
            do: saveMajor,
            disabled: whyNot(major),
            onClick: () => form.open({ from: major }),
          },
        ]}
        empty="专业库为空，请联系平台运营方。"
      />
      <MajorForm key={form.key} {...form.props} />
    </Page>
  )
}
