import { Button } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import type { RowOf } from '@/api/operation'
import type { Warned } from '@/api/types/shared'
import { bulkStep } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { fieldsOf } from '@/kit/Field'
import { FilterBar } from '@/kit/FilterBar'
import { FormDrawer } from '@/kit/FormDrawer'
import { DateRangeFilter, EnabledFilter, EnumFilter, TextFilter } from '@/kit/filters'
import { formAction } from '@/kit/formAction'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { askRemoval, removal, switching } from '@/kit/steps'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { useListOrder } from '@/kit/useListOrder'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import {
  changeSearchWordStatus,
  deleteSearchWord,
  deleteSearchWords,
  editSearchWord,
  exportSearchWords,
  listSearchWords,
  saveSearchWord,
  sortSearchWords,
  viewSearchWord,
} from './api'

type SearchWord = RowOf<typeof listSearchWords>

const Field = fieldsOf(saveSearchWord)

const said = ({ warnings }: Warned) => ['已保存搜索词', ...warnings].join('；')

const columns = columnsOf(listSearchWords, [
  { field: 'word', width: 200, fixed: 'left' },
  { field: 'enabled', fixed: 'left' },
  'terminal',
  'wordType',
  { field: 'clickCount', help: '学员在网站上点击它的次数' },
  { field: 'jumpUrl', width: 240 },
  'sort',
  'createdAt',
])

const SearchWordForm = ({ record, ...drawer }: DrawerProps<SearchWord>) => (
  <FormDrawer<SearchWord, Warned>
    {...drawer}
    record={record}
    title={record ? `编辑搜索词 ${record.word}` : '新增搜索词'}
    initial={{ terminal: 'pc', wordType: 'hot', sort: 0, enabled: true }}
    action={(row) =>
      row ? formAction(editSearchWord, said, row) : formAction(saveSearchWord, said)
    }
    reload={(row, call) => call(viewSearchWord, { query: { id: row.id } })}
    keep={['terminal', 'wordType']}
  >
    <Field name="terminal" />
    <Field name="wordType" />
    <Field name="word" />
    <Field name="jumpUrl" />
    <Field name="sort" />
    <Field name="enabled" />
  </FormDrawer>
)

const nameOf = ({ word }: SearchWord) => word

/** 搜索词. */
export const SearchWordsPage = () => {
  const table = useQueryTable(listSearchWords)
  const form = useDrawer<SearchWord>()
  const order = useListOrder({ sort: sortSearchWords, rows: table.rows, nameOf, listOf: ({ terminal, wordType }) => `${terminal} ${wordType}` })
  return (
    <Page title="搜索词" help="搜索框的热搜和默认词。拖动一行可在同一端、同一类型中调整顺序。">
      <FilterBar table={table}>
        <TextFilter of={listSearchWords} field="name" />
        <EnumFilter of={listSearchWords} field="terminal" />
        <EnumFilter of={listSearchWords} field="wordType" />
        <EnabledFilter of={listSearchWords} field="enabled" />
        <DateRangeFilter of={listSearchWords} from="createdFrom" to="createdTo" label="创建日期" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={nameOf}
        order={order}
        primary={
          <Can do={saveSearchWord}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
              新增搜索词
            </Button>
          </Can>
        }
        tools={<ExportButton do={exportSearchWords} table={table} />}
        bulk={[
          bulkStep(deleteSearchWords, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('搜索词'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        detail={historyOf(viewSearchWord, 'search_word')}
        actionsWidth={200}
        actions={(row) => [
          { label: '编辑', do: editSearchWord, onClick: () => form.open(row) },
          switching(changeSearchWordStatus, { ...row, name: nameOf(row) }, '网站上不再显示它。'),
          ...order.actions(row),
          removal(deleteSearchWord, { id: row.id, name: nameOf(row) }),
        ]}
        empty="还没有搜索词。点击“新增搜索词”添加第一个。"
      />
      <SearchWordForm key={form.key} {...form.props} />
    </Page>
  )
}
