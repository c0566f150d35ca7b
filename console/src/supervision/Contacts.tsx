import { Space } from '@arco-design/web-react'
import { classes, sites } from '@/basic_data/choices'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { DateRangeFilter, OptionFilter, TextFilter } from '@/kit/filters'
import { ImportButton } from '@/kit/ImportWizard'
import { QueryTable } from '@/kit/QueryTable'
import { useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import { DictionaryFilter } from '@/settings/DictionaryFilter'
import {
  editSuperviseContact,
  exportSuperviseContacts,
  fetchSuperviseContactTemplate,
  importSuperviseContacts,
  listSuperviseContacts,
} from './api'
import { type Contact, ContactEdit } from './ContactForm'
import { Files } from './Files'

const trail = historyOf(listSuperviseContacts, 'supervise_contact')

const columns = columnsOf(listSuperviseContacts, [
  { field: 'name', title: '学生', width: 110, fixed: 'left' },
  { field: 'studentNo', under: 'name' },
  { field: 'contactedAt', width: 160 },
  { field: 'resultName', title: '结果', width: 120 },
  { field: 'wayName', title: '方式', width: 90 },
  { field: 'reasonName', title: '原因', width: 110 },
  { field: 'content', title: '内容', width: 280 },
  { field: 'nextContactOn', title: '下次联系', width: 110 },
  { field: 'byName', title: '联系人', width: 100 },
  { field: 'byKind', title: '联系人类别', width: 110 },
  { field: 'className', title: '班级', width: 160 },
])

/** 联系记录: who talked with whom, how, and what came of it. */
export const Contacts = () => {
  const table = useQueryTable(listSuperviseContacts)
  const edit = useDrawer<Contact>()
  return (
    <>
      <FilterBar table={table}>
        <DateRangeFilter of={listSuperviseContacts} from="from" to="to" label="联系时间" />
        <TextFilter of={listSuperviseContacts} field="keyword" label="姓名或号码" />
        <DictionaryFilter of={listSuperviseContacts} field="contactResult" type="contact_result" />
        <TextFilter of={listSuperviseContacts} field="byName" />
        <DictionaryFilter of={listSuperviseContacts} field="contactWay" type="contact_way" />
        <DictionaryFilter of={listSuperviseContacts} field="lagReason" type="lag_reason" />
        <OptionFilter of={listSuperviseContacts} field="classId" {...classes} />
        <OptionFilter of={listSuperviseContacts} field="siteId" {...sites} />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={({ name }) => name}
        detail={(row) => (
          <>
            <Files files={row.files} />
            {trail(row)}
          </>
        )}
        actionsWidth={80}
        actions={(row) => [
          {
            label: '更正',
            do: editSuperviseContact,
            disabled: row.byKind === 'staff' ? undefined : '只能更正本人登记的联系记录',
            onClick: () => edit.open(row),
          },
        ]}
        tools={
          <Space size={4}>
            <ImportButton do={importSuperviseContacts} template={fetchSuperviseContactTemplate} what="联系记录" />
            <ExportButton do={exportSuperviseContacts} table={table} />
          </Space>
        }
        empty="还没有联系记录。在“预警学生”中登记，或导入纸质联系单上的记录。"
      />
      <ContactEdit key={edit.key} {...edit.props} />
    </>
  )
}
