import { Button, Space } from '@arco-design/web-react'
import { IconNotification } from '@arco-design/web-react/icon'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'react-router'
import { call } from '@/api/client'
import { listOptions } from '@/api/infra'
import { basicOptions } from '@/basic_data/BasicSelect'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { EnumFilter, OptionFilter, SelectFilter, TextFilter } from '@/kit/filters'
import { labelOf } from '@/kit/labels'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { type Tone, Word } from '@/kit/Status'
import { useTabTitle } from '@/kit/tab'
import { useAction } from '@/kit/useAction'
import { useQueryTable } from '@/kit/useQueryTable'
import { exportMessages, listMessageReaders, remindUnread, viewMessage } from './api'
import { InSchool } from './InSchool'

const tones: Record<string, Tone> = {
  queued: 'quiet',
  delivering: 'busy',
  sent: 'good',
  delivered: 'good',
  failed: 'bad',
  cancelled: 'quiet',
  recalled: 'quiet',
}

const columns = columnsOf(listMessageReaders, [
  { field: 'recipientName', width: 110, fixed: 'left' },
  { field: 'recipientNo', width: 140 },
  { field: 'siteName', width: 170 },
  { field: 'className', width: 170 },
  {
    field: 'channels',
    width: 230,
    render: ({ channels }) => (
      <Space size="mini" wrap>
        {channels.map(({ channel, status }) => (
          <Word key={channel} tone={tones[status]}>
            {labelOf(listMessageReaders, 'channel', channel)}
            {labelOf(listMessageReaders, 'status', status)}
          </Word>
        ))}
      </Space>
    ),
  },
  { field: 'read', width: 90 },
  { field: 'readAt' },
  { field: 'firstSentAt' },
])

/** 查看统计: who got a message and who has read it. */
export const ReadersPage = () => (
  <InSchool>
    <Readers />
  </InSchool>
)

const Readers = () => {
  const id = Number(new URLSearchParams(useLocation().search).get('id'))
  const table = useQueryTable(listMessageReaders)
  const message = useQuery({
    queryKey: [viewMessage.path, id],
    queryFn: () => call(viewMessage, { query: { id } }),
  }).data
  useTabTitle(message?.title)
  const remind = useAction(remindUnread, { done: '已开始提醒未读的接收人' })
  return (
    <Page title={`查看统计 ${message?.title ?? ''}`} help="每人一行；只显示您数据范围内的接收人。" personal>
      <FilterBar table={table}>
        <TextFilter of={listMessageReaders} field="keyword" />
        <SelectFilter
          of={listMessageReaders}
          field="read"
          label="是否已读"
          options={[
            { value: 'true', label: '已读' },
            { value: 'false', label: '未读' },
          ]}
        />
        <EnumFilter of={listMessageReaders} field="channel" />
        <EnumFilter of={listMessageReaders} field="status" />
        <OptionFilter of={listMessageReaders} field="siteId" options={listOptions} query={basicOptions('site')} />
        <OptionFilter of={listMessageReaders} field="classId" options={listOptions} query={basicOptions('class')} />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(reader) => reader.recipientName}
        primary={
          <Can do={remindUnread}>
            <Button
              type="primary"
              icon={<IconNotification />}
              loading={remind.isPending}
              onClick={() => remind.mutate({ query: { id } })}
            >
              提醒未读
            </Button>
          </Can>
        }
        tools={
          <ExportButton do={exportMessages} table={{ body: { ...table.body, part: 'readers' }, total: table.total }} />
        }
        empty="没有接收人。"
      />
    </Page>
  )
}
