import { Button } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { tellError } from '@/api/errors'
import type { RowOf } from '@/api/operation'
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
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import {
  changeCommunityLabelStatus,
  deleteCommunityLabel,
  deleteCommunityLabels,
  editCommunityLabel,
  exportCommunityLabels,
  listCommunityLabels,
  mergeCommunityLabels,
  saveCommunityLabel,
  viewCommunityLabel,
} from './api'
import { MergeLabels, type Merging } from './MergeLabels'

type Label = RowOf<typeof listCommunityLabels>

const Field = fieldsOf(saveCommunityLabel)

const columns = columnsOf(listCommunityLabels, [
  { field: 'labelName', width: 200, fixed: 'left' },
  { field: 'enabled', fixed: 'left' },
  'labelType',
  { field: 'refCount', help: '使用它的博客或问题的数量' },
  'createdAt',
])

const LabelForm = ({ record, ...drawer }: DrawerProps<Label>) => (
  <FormDrawer<Label, { id: number }>
    {...drawer}
    record={record}
    title={record ? `编辑标签 ${record.labelName}` : '新增标签'}
    initial={{ labelType: 'blog', enabled: true }}
    action={(row) =>
      row ? formAction(editCommunityLabel, '已保存标签', row) : formAction(saveCommunityLabel, '已新增标签')
    }
    reload={(row, call) => call(viewCommunityLabel, { query: { id: row.id } })}
    keep={['labelType']}
  >
    <Field name="labelName" />
    <Field name="labelType" disabled={(record?.refCount ?? 0) > 0} />
    <Field name="enabled" />
  </FormDrawer>
)

const nameOf = ({ labelName }: Label) => labelName

/** 标签管理: what hangs on blogs and questions. */
export const LabelsPage = () => {
  const table = useQueryTable(listCommunityLabels)
  const form = useDrawer<Label>()
  const merge = useDrawer<Merging>()
  const mergeTicked = () => {
    const labels = table.tickedRows
    if (new Set(labels.map(({ labelType }) => labelType)).size > 1) tellError('只能合并同一类型的标签，请重新选择')
    else merge.open({ labels, done: table.clearSelection })
  }
  return (
    <Page title="标签管理" help="博客和问答的标签；停用后发表时不能再选择它，意思相同的标签可以合并。">
      <FilterBar table={table}>
        <TextFilter of={listCommunityLabels} field="labelName" />
        <EnumFilter of={listCommunityLabels} field="labelType" />
        <EnabledFilter of={listCommunityLabels} field="enabled" />
        <DateRangeFilter of={listCommunityLabels} from="createdFrom" to="createdTo" label="创建日期" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={nameOf}
        primary={
          <Can do={saveCommunityLabel}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
              新增标签
            </Button>
          </Can>
        }
        tools={<ExportButton do={exportCommunityLabels} table={table} />}
        bulk={[
          { label: '合并', do: mergeCommunityLabels, open: mergeTicked },
          bulkStep(deleteCommunityLabels, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('标签'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        detail={historyOf(viewCommunityLabel, 'community_label')}
        actionsWidth={220}
        actions={(row) => [
          { label: '编辑', do: editCommunityLabel, onClick: () => form.open(row) },
          { label: '合并', do: mergeCommunityLabels, onClick: () => merge.open({ labels: [row] }) },
          switching(
            changeCommunityLabelStatus,
            { ...row, name: nameOf(row) },
            '已有的引用保持不变，发表时不能再选择它。',
          ),
          removal(deleteCommunityLabel, { id: row.id, name: nameOf(row) }),
        ]}
        empty="还没有标签。点击“新增标签”添加第一个。"
      />
      <LabelForm key={form.key} {...form.props} />
      <MergeLabels key={`merge-${merge.key}`} {...merge.props} />
    </Page>
  )
}
