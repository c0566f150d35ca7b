import { Input } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { call } from '@/api/client'
import type { RowOf } from '@/api/operation'
import { step } from '@/kit/actions'
import { columnsOf } from '@/kit/columns'
import { fieldsOf } from '@/kit/Field'
import { FilterBar } from '@/kit/FilterBar'
import { FormDrawer } from '@/kit/FormDrawer'
import { EnabledFilter, EnumFilter } from '@/kit/filters'
import { formAction } from '@/kit/formAction'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { undoBy } from '@/kit/undo'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { changePayChannelStatus, listPayChannels, savePayChannelUnique, viewPayChannelUnique } from './api'

type PayChannel = RowOf<typeof listPayChannels>

const columns = columnsOf(listPayChannels, [
  { field: 'channelName', width: 180, fixed: 'left' },
  { field: 'enabled', fixed: 'left' },
  { field: 'channelCode', width: 140 },
  { field: 'provider', width: 140 },
  'configured',
])

/** 支付通道: by whom the operators' site is paid. */
export const PayChannelsPage = () => {
  const table = useQueryTable(listPayChannels)
  const account = useDrawer<PayChannel>()
  return (
    <Page title="支付通道" help="启用前须完成通道配置；密钥保存后不再显示。">
      <FilterBar table={table}>
        <EnumFilter of={listPayChannels} field="provider" />
        <EnabledFilter of={listPayChannels} field="enabled" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(channel) => channel.channelName}
        actions={(channel) => [
          {
            label: '配置',
            do: savePayChannelUnique,
            disabled: channel.provider === 'offline' ? '线下收款不需要配置' : undefined,
            onClick: () => account.open(channel),
          },
          step(changePayChannelStatus, {
            label: channel.enabled ? '停用' : '启用',
            disabled: channel.enabled || channel.configured ? undefined : '请先完成通道配置',
            with: { body: { id: channel.id, enabled: !channel.enabled, version: channel.version } },
            confirm: channel.enabled ? { title: `确定停用“${channel.channelName}”吗？` } : undefined,
            done: channel.enabled ? '已停用' : '已启用',
            undo: () =>
              undoBy(changePayChannelStatus, {
                body: { id: channel.id, enabled: channel.enabled, version: channel.version + 1 },
              }),
          }),
        ]}
        empty="没有支付通道。"
      />
      <Account key={account.key} {...account.props} />
    </Page>
  )
}

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
  if (!record || !kept) return null
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
      title={`配置 ${record.channelName}`}
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
