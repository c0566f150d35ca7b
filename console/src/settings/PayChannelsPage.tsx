import { Button, Form, Input, InputNumber } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useQuery } from '@tanstack/react-query'
import { call } from '@/api/client'
import type { RowOf } from '@/api/operation'
import { bulkStep, byState, step } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { fieldsOf } from '@/kit/Field'
import { FilterBar } from '@/kit/FilterBar'
import { FormDrawer } from '@/kit/FormDrawer'
import { DateRangeFilter, EnabledFilter, EnumFilter, TextFilter } from '@/kit/filters'
import { formAction } from '@/kit/formAction'
import { Page } from '@/kit/Page'
import { PictureUpload } from '@/kit/PictureUpload'
import { QueryTable } from '@/kit/QueryTable'
import { ReadFirst } from '@/kit/ReadFirst'
import { rateOf } from '@/kit/rate'
import { askRemoval, removal } from '@/kit/steps'
import { undoBy } from '@/kit/undo'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import {
  changePayChannelStatus,
  deletePayChannel,
  deletePayChannels,
  editPayChannel,
  exportPayChannels,
  listPayChannels,
  savePayChannel,
  savePayChannelUnique,
  viewPayChannel,
  viewPayChannelUnique,
} from './api'

type PayChannel = RowOf<typeof listPayChannels>

const columns = columnsOf(listPayChannels, [
  { field: 'channelName', width: 180, fixed: 'left' },
  { field: 'enabled', fixed: 'left' },
  { field: 'channelCode', width: 140 },
  { field: 'provider', width: 140 },
  { field: 'payType', width: 110 },
  {
    field: 'feeRate',
    width: 100,
    help: '服务商从每笔付款中收取，由平台承担',
    render: ({ feeRate }) => rateOf(feeRate),
  },
  'configured',
  {
    field: 'logo',
    width: 110,
    hidden: true,
    render: ({ logo, channelName }) => (logo ? <img src={logo} alt={channelName} height={28} loading="lazy" /> : '—'),
  },
  { field: 'createdAt', hidden: true },
])

/** What has no account at a provider. */
const isPlain = ({ provider }: Pick<PayChannel, 'provider'>) => provider === 'offline' || provider === 'mock'

/** 支付通道: by whom the operators' site is paid. */
export const PayChannelsPage = () => {
  const table = useQueryTable(listPayChannels)
  const form = useDrawer<PayChannel>()
  const account = useDrawer<PayChannel>()
  return (
    <Page title="支付通道" help="启用前须完成通道配置；密钥保存后不再显示。">
      <FilterBar table={table}>
        <TextFilter of={listPayChannels} field="channelName" />
        <EnumFilter of={listPayChannels} field="provider" />
        <EnabledFilter of={listPayChannels} field="enabled" />
        <DateRangeFilter of={listPayChannels} from="createdFrom" to="createdTo" label="创建日期" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(channel) => channel.channelName}
        primary={
          <Can do={savePayChannel}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
              新增支付通道
            </Button>
          </Can>
        }
        tools={<ExportButton do={exportPayChannels} table={table} />}
        bulk={[
          bulkStep(deletePayChannels, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('支付通道'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        detail={historyOf(viewPayChannel, 'pay_channel')}
        actionsWidth={220}
        actions={(channel) =>
          byState([
            { label: '编辑', do: editPayChannel, onClick: () => form.open(channel) },
            {
              label: '配置',
              do: savePayChannelUnique,
              disabled: isPlain(channel) ? '该通道不需要配置' : undefined,
              onClick: () => account.open(channel),
            },
            step(changePayChannelStatus, {
              label: channel.enabled ? '停用' : '启用',
              disabled: channel.enabled || channel.configured ? undefined : '请先完成通道配置',
              with: { body: { id: channel.id, enabled: !channel.enabled, version: channel.version } },
              confirm: channel.enabled
                ? { title: `停用“${channel.channelName}”？`, content: '新的支付不再使用它，可以重新启用。' }
                : undefined,
              done: channel.enabled ? '已停用' : '已启用',
              undo: () =>
                undoBy(changePayChannelStatus, {
                  body: { id: channel.id, enabled: channel.enabled, version: channel.version + 1 },
                }),
            }),
            removal(deletePayChannel, { id: channel.id, name: channel.channelName }),
          ])
        }
        empty="还没有支付通道，学员不能付款。点击“新增支付通道”添加，完成配置后启用。"
      />
      <ChannelForm key={form.key} {...form.props} />
      <Account key={`account-${account.key}`} {...account.props} />
    </Page>
  )
}

const ChannelField = fieldsOf(savePayChannel)

interface RateProps {
  value?: number | null
  onChange?: (rate: number | undefined) => void
  'aria-label'?: string
}

/** A part of a payment with its four places. */
const Rate = ({ value, onChange, ...named }: RateProps) => (
  <InputNumber
    {...named}
    min={0}
    max={0.05}
    step={0.001}
    precision={4}
    value={value ?? undefined}
    onChange={onChange}
  />
)

/** 新增 and 编辑 of a channel. Its code stands in the address that the provider calls, so it stays. */
const ChannelForm = ({ record, ...drawer }: DrawerProps<PayChannel>) => (
  <FormDrawer<PayChannel, { id: number }>
    {...drawer}
    record={record}
    title={record ? `编辑支付通道 ${record.channelName}` : '新增支付通道'}
    initial={{ provider: 'wechat_v3', payType: 'wechat', feeRate: 0.006 }}
    action={(channel) =>
      channel ? formAction(editPayChannel, '已保存支付通道', channel) : formAction(savePayChannel, '已新增支付通道')
    }
    reload={(channel, call) => call(viewPayChannel, { query: { id: channel.id } })}
  >
    {!record && <ChannelField name="channelCode" />}
    <ChannelField name="channelName" />
    {!record && <ChannelField name="provider" help="保存后不能修改" />}
    <Form.Item noStyle shouldUpdate>
      {({ provider }: Partial<PayChannel>) => (
        <ChannelField name="payType" help={provider === 'mock' ? '模拟支付只能用于演示环境' : '须与服务商一致'} />
      )}
    </Form.Item>
    <ChannelField name="feeRate" help="0至0.05，0.006即0.6%；新的付款按此计算">
      <Rate />
    </ChannelField>
    <ChannelField name="logo" help="">
      <PictureUpload width={96} />
    </ChannelField>
  </FormDrawer>
)

const Field = fieldsOf(savePayChannelUnique)

const viewOf = (channelId: number) => call(viewPayChannelUnique, { query: { channelId } })

const Account = ({ record, visible, onClose }: DrawerProps<PayChannel>) => {
  const id = record?.id ?? 0
  const query = useQuery({
    queryKey: [viewPayChannelUnique.path, id],
    queryFn: () => viewOf(id),
    gcTime: 0,
    enabled: visible && id > 0,
  })
  const kept = query.data
  if (!record) return null
  const title = `配置 ${record.channelName}`
  if (!kept) return <ReadFirst title={title} width={560} visible={visible} onClose={onClose} query={query} />
  const secret = (isSet: boolean, tail?: string | null) => (
    <Input.Password
      autoComplete="new-password"
      placeholder={isSet ? `已设置${tail ? `，尾号${tail}` : ''}，不修改请留空` : '请输入'}
    />
  )
  const isWechat = record.provider === 'wechat_v3'
  return (
    <FormDrawer
      visible={visible}
      onClose={onClose}
      record={kept}
      title={title}
      action={(row) => formAction(savePayChannelUnique, '已保存通道配置', row)}
      reload={async (row) => (await viewOf(row.channelId)) ?? row}
    >
      <Field name="appId" />
      {isWechat && <Field name="mchId" />}
      {isWechat && <Field name="mchSerialNo" />}
      {isWechat && <Field name="apiV3Key">{secret(kept.apiV3KeySet, kept.apiV3KeyTail)}</Field>}
      <Field name="privateKey">{secret(kept.privateKeySet)}</Field>
      {isWechat ? (
        <Field name="platformPublicKey">
          <Input.TextArea autoSize={{ minRows: 3, maxRows: 8 }} />
        </Field>
      ) : (
        <Field name="alipayPublicKey">
          <Input.TextArea autoSize={{ minRows: 3, maxRows: 8 }} />
        </Field>
      )}
      <Field
        name="returnUrl"
        help={kept.notifyUrl ? `通知地址：${kept.notifyUrl}` : '平台站点填写域名后得出通知地址'}
      />
    </FormDrawer>
  )
}
