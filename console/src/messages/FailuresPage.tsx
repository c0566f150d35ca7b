import { useSearchParams } from 'react-router'
import { bulkStep, step } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { DateRangeFilter, EnumFilter } from '@/kit/filters'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { TabList } from '@/kit/TabList'
import { useQueryTable } from '@/kit/useQueryTable'
import { exportMessages, listMessageFailures, listRecordedLetters, resendDeliveries } from './api'
import { InSchool } from './InSchool'

const columns = columnsOf(listMessageFailures, [
  { field: 'recipientName', width: 110, fixed: 'left' },
  { field: 'recipientNo', width: 140 },
  { field: 'title', width: 180 },
  { field: 'channel', width: 90 },
  { field: 'address', width: 150 },
  { field: 'failCode', width: 110 },
  { field: 'providerStatus', width: 200 },
  { field: 'attempts', width: 70 },
  { field: 'firstAttemptAt', hidden: true },
  { field: 'lastAttemptAt' },
  { field: 'retryable', width: 90 },
  { field: 'maybeTwice', width: 100, hidden: true },
])

const Failures = () => {
  const table = useQueryTable(listMessageFailures)
  return (
    <>
      <FilterBar table={table}>
        <EnumFilter of={listMessageFailures} field="channel" />
        <EnumFilter of={listMessageFailures} field="failCode" />
        <DateRangeFilter of={listMessageFailures} from="startsOn" to="endsOn" label="时间" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(failure) => `${failure.recipientName} ${failure.title}`}
        actionsWidth={90}
        actions={(failure) => [
          step(resendDeliveries, {
            label: '重发',
            disabled: failure.retryable ? undefined : '请先补充接收人的联系方式',
            with: { body: { ids: [failure.id] } },
            done: `已重新发送给${failure.recipientName}`,
          }),
        ]}
        bulk={[
          bulkStep(resendDeliveries, {
            label: '批量重发',
            confirm: (count) => ({ title: `重新发送${count}条？`, content: '次数从头计算；缺少联系方式的不会发送。' }),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        tools={
          <ExportButton do={exportMessages} table={{ body: { ...table.body, part: 'failures' }, total: table.total }} />
        }
        empty="没有失败的投递。"
      />
    </>
  )
}

const recordedColumns = columnsOf(listRecordedLetters, [
  { field: 'at', fixed: 'left' },
  { field: 'channel', width: 90 },
  { field: 'recipientName', width: 110 },
  { field: 'address', width: 150 },
  { field: 'title', width: 180 },
  { field: 'content', width: 420 },
])

const RecordedLetters = () => {
  const table = useQueryTable(listRecordedLetters)
  return (
    <>
      <FilterBar table={table}>
        <EnumFilter of={listRecordedLetters} field="channel" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={recordedColumns}
        nameOf={(letter) => letter.title}
        empty="没有发件记录。渠道没有配置服务商时，应发的内容记录在这里。"
      />
    </>
  )
}

const TABS = [
  ['failures', '失败记录'],
  ['recorded', '发件记录'],
] as const

/** 失败记录: what did not arrive and why; and what would have been sent where no provider is configured. */
export const FailuresPage = () => {
  const [search, setSearch] = useSearchParams()
  const id = search.get('id')
  const tab = search.get('tab') === 'recorded' ? 'recorded' : 'failures'
  return (
    <Page title="失败记录" help={id ? '一条消息没有送到的投递。' : '近30天没有送到的投递。'} personal>
      <TabList
        label="失败与发件"
        tabs={TABS}
        value={tab}
        onChange={(next) => setSearch({ ...(id ? { id } : {}), tab: next }, { replace: true })}
      />
      {tab === 'recorded' ? (
        <Can do={listRecordedLetters}>
          <RecordedLetters />
        </Can>
      ) : (
        <InSchool>
          <Failures />
        </InSchool>
      )}
    </Page>
  )
}
