import { Button, Form, Select } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useQuery } from '@tanstack/react-query'
import { useAllowed } from '@/api/identity'
import type { RowOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import { yuanOf } from '@/catalogue/courseContent'
import { Yuan } from '@/catalogue/courseFields'
import { bulkStep } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { ClearingSelect } from '@/kit/ClearingSelect'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { fieldsOf } from '@/kit/Field'
import { FilterBar } from '@/kit/FilterBar'
import { FormDrawer } from '@/kit/FormDrawer'
import { DateRangeFilter, EnabledFilter, EnumFilter } from '@/kit/filters'
import { formAction } from '@/kit/formAction'
import { labelOf } from '@/kit/labels'
import { nothingFound } from '@/kit/nothingFound'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { Word } from '@/kit/Status'
import { askRemoval, removal, switching } from '@/kit/steps'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import { listPayChannels } from '@/settings/api'
import {
  changePayRuleStatus,
  deletePayRule,
  deletePayRules,
  editPayRule,
  exportPayRules,
  listPayRules,
  savePayRule,
  viewPayRule,
} from './api'

type Rule = RowOf<typeof listPayRules>

const Field = fieldsOf(savePayRule)

const amountOf = ({ minAmount, maxAmount }: Rule) =>
  typeof maxAmount === 'number' ? `${yuanOf(minAmount)}至${yuanOf(maxAmount)}元` : `${yuanOf(minAmount)}元起`

const nameOf = (row: Rule) =>
  `${labelOf(listPayRules, 'terminal', row.terminal)} ${labelOf(listPayRules, 'payType', row.payType)} ${row.priority}`

const columns = columnsOf(listPayRules, [
  { field: 'terminal', width: 120, fixed: 'left' },
  { field: 'enabled', fixed: 'left' },
  { field: 'payType', width: 110 },
  { field: 'priority', width: 90, help: '数字小的优先' },
  { field: 'minAmount', title: '适用金额', width: 180, align: 'left', render: (row) => amountOf(row) },
  { field: 'channelName', width: 180 },
  {
    field: 'channelUsable',
    width: 110,
    help: '已启用并完成配置',
    render: ({ channelUsable }) => (
      <Word tone={channelUsable ? 'good' : 'bad'}>{channelUsable ? '可用' : '不可用'}</Word>
    ),
  },
  { field: 'createdAt', hidden: true },
])

interface ChannelSelectProps {
  payType: Rule['payType'] | undefined
  /** The chosen one's name, which may not be among those that are listed. */
  known: Pick<Rule, 'channelId' | 'channelName'> | undefined
  value?: number
  onChange?: (id: number | undefined) => void
  'aria-label'?: string
}

/** The channels of a way of paying. */
const ChannelSelect = ({ payType, known, value, onChange, ...named }: ChannelSelectProps) => {
  const request = useRequest()
  const mayList = useAllowed()(listPayChannels)
  const found = useQuery({
    queryKey: [listPayChannels.path, 'choices'],
    queryFn: ({ signal }) => request(listPayChannels, { body: { pageSize: 100 } }, { signal }),
    enabled: mayList,
  })
  const channels = (found.data?.list ?? [])
    .filter((channel) => !payType || channel.payType === payType)
    .map((channel) => ({
      value: channel.id,
      label: channel.enabled ? channel.channelName : `${channel.channelName}（停用）`,
    }))
  const all =
    known && value === known.channelId && !channels.some((channel) => channel.value === known.channelId)
      ? [{ value: known.channelId, label: known.channelName }, ...channels]
      : channels
  return (
    <Select
      {...named}
      placeholder="请选择支付通道"
      loading={found.isFetching}
      value={value}
      onChange={onChange}
      notFoundContent={nothingFound(
        listPayChannels,
        mayList,
        found.error,
        '没有该支付方式的通道，请先在“支付通道”中新增',
      )}
      options={all}
    />
  )
}

/** What costs nothing needs no rule. */
const payTypes = (savePayRule.fields.payType?.options ?? []).filter(([word]) => word !== 'free')

/** The channel follows the way of paying. */
const Channel = ({ known }: { known: Rule | undefined }) => (
  <Form.Item noStyle shouldUpdate>
    {({ payType }: Partial<Rule>) => (
      <Field name="channelId">
        <ChannelSelect payType={payType} known={known} />
      </Field>
    )}
  </Form.Item>
)

const RuleForm = ({ record, ...drawer }: DrawerProps<Rule>) => (
  <FormDrawer<Rule, { id: number }>
    {...drawer}
    record={record}
    title={record ? `编辑支付规则 ${nameOf(record)}` : '新增支付规则'}
    initial={{ minAmount: 0, priority: 1 }}
    action={(rule) =>
      rule ? formAction(editPayRule, '已保存支付规则', rule) : formAction(savePayRule, '已新增支付规则')
    }
    reload={(rule, call) => call(viewPayRule, { query: { id: rule.id } })}
    keep={['terminal', 'payType', 'channelId']}
  >
    <Field name="terminal" />
    <Field name="payType">
      <ClearingSelect options={payTypes} clears={['channelId']} />
    </Field>
    <Channel known={record} />
    <Field name="minAmount" label="最低金额">
      <Yuan />
    </Field>
    <Field name="maxAmount" label="最高金额" help="不填为不限">
      <Yuan />
    </Field>
    <Field name="priority" />
  </FormDrawer>
)

/** 支付规则: by which channel an amount is paid on a terminal. */
export const PayRulesPage = () => {
  const table = useQueryTable(listPayRules)
  const form = useDrawer<Rule>()
  return (
    <Page title="支付规则" help="学员支付时，按终端、支付方式和金额选用通道；多条适用时取优先级数字最小的。">
      <FilterBar table={table}>
        <EnumFilter of={listPayRules} field="terminal" />
        <EnumFilter of={listPayRules} field="payType" />
        <EnabledFilter of={listPayRules} field="enabled" />
        <DateRangeFilter of={listPayRules} from="createdFrom" to="createdTo" label="创建日期" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={nameOf}
        primary={
          <Can do={savePayRule}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
              新增支付规则
            </Button>
          </Can>
        }
        tools={<ExportButton do={exportPayRules} table={table} />}
        bulk={[
          bulkStep(deletePayRules, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('支付规则'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        detail={historyOf(viewPayRule, 'pay_rule')}
        actions={(row) => [
          { label: '编辑', do: editPayRule, onClick: () => form.open(row) },
          switching(changePayRuleStatus, { ...row, name: nameOf(row) }, '新的支付不再按它选用通道。'),
          removal(deletePayRule, { id: row.id, name: nameOf(row) }),
        ]}
        empty="还没有支付规则，学员不能付款。点击“新增支付规则”添加。"
      />
      <RuleForm key={form.key} {...form.props} />
    </Page>
  )
}
