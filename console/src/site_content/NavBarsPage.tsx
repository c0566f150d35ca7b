import { Button } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import type { RowOf } from '@/api/operation'
import { bulkStep } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { fieldsOf } from '@/kit/Field'
import { FilterBar } from '@/kit/FilterBar'
import { FormDrawer } from '@/kit/FormDrawer'
import { DateRangeFilter, EnabledFilter, TextFilter } from '@/kit/filters'
import { formAction } from '@/kit/formAction'
import { Page } from '@/kit/Page'
import { PictureUpload } from '@/kit/PictureUpload'
import { QueryTable } from '@/kit/QueryTable'
import { askRemoval, removal, switching } from '@/kit/steps'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { useListOrder } from '@/kit/useListOrder'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import {
  changeNavBarStatus,
  deleteNavBar,
  deleteNavBars,
  editNavBar,
  exportNavBars,
  listNavBars,
  saveNavBar,
  sortNavBars,
  viewNavBar,
} from './api'
import { Thumb } from './Thumb'
import type { OfTerminal, Terminal } from './terminal'

type NavBar = RowOf<typeof listNavBars>

const Field = fieldsOf(saveNavBar)

const columns = columnsOf(listNavBars, [
  { field: 'navTitle', width: 180, fixed: 'left' },
  { field: 'enabled', fixed: 'left' },
  { field: 'navUrl', width: 260 },
  'target',
  { field: 'icon', width: 80, render: ({ icon, navTitle }) => <Thumb url={icon} name={navTitle} /> },
  'sort',
  'createdAt',
])

const NavBarForm = ({ record, terminal, ...drawer }: DrawerProps<NavBar> & { terminal: Terminal }) => (
  <FormDrawer<NavBar, { id: number }>
    {...drawer}
    record={record}
    title={record ? `编辑导航 ${record.navTitle}` : '新增导航'}
    initial={{ terminal, target: 'self', sort: 0, enabled: true }}
    action={(row) =>
      row ? formAction(editNavBar, '已保存导航', row) : formAction(saveNavBar, '已新增导航', { terminal })
    }
    reload={(row, call) => call(viewNavBar, { query: { id: row.id } })}
    keep={['target', 'enabled']}
  >
    <Field name="navTitle" />
    <Field name="navUrl" />
    <Field name="target" />
    {terminal === 'app' && (
      <Field name="icon" help="">
        <PictureUpload width={178} />
      </Field>
    )}
    <Field name="sort" />
    <Field name="enabled" />
  </FormDrawer>
)

const nameOf = ({ navTitle }: NavBar) => navTitle

const NavBarsPage = ({ terminal, title }: OfTerminal) => {
  const table = useQueryTable(listNavBars, { usual: { terminal } })
  const form = useDrawer<NavBar>()
  const order = useListOrder({ sort: sortNavBars, rows: table.rows, nameOf })
  return (
    <Page title={title} help="页面顶部的导航，最多启用10个。拖动一行可调整顺序。">
      <FilterBar table={table}>
        <TextFilter of={listNavBars} field="name" />
        <EnabledFilter of={listNavBars} field="enabled" />
        <DateRangeFilter of={listNavBars} from="createdFrom" to="createdTo" label="创建日期" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={nameOf}
        order={order}
        primary={
          <Can do={saveNavBar}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
              新增导航
            </Button>
          </Can>
        }
        tools={<ExportButton do={exportNavBars} table={table} />}
        bulk={[
          bulkStep(deleteNavBars, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('导航'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        detail={historyOf(viewNavBar, 'nav_bar')}
        actionsWidth={200}
        actions={(row) => [
          { label: '编辑', do: editNavBar, onClick: () => form.open(row) },
          switching(changeNavBarStatus, { ...row, name: nameOf(row) }, '网站上不再显示它。'),
          ...order.actions(row),
          removal(deleteNavBar, { id: row.id, name: nameOf(row) }),
        ]}
        empty="还没有导航。点击“新增导航”添加第一个。"
      />
      <NavBarForm key={form.key} {...form.props} terminal={terminal} />
    </Page>
  )
}

/** 头部导航. */
export const PcNavBarsPage = () => <NavBarsPage terminal="pc" title="头部导航" />

/** 移动导航. */
export const AppNavBarsPage = () => <NavBarsPage terminal="app" title="移动导航" />
