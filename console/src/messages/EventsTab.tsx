import { useSearchParams } from 'react-router'
import { bulkStep, step } from '@/kit/actions'
import { columnsOf } from '@/kit/columns'
import { FilterBar } from '@/kit/FilterBar'
import { DateRangeFilter, EnumFilter, TextFilter } from '@/kit/filters'
import { QueryTable } from '@/kit/QueryTable'
import { useQueryTable } from '@/kit/useQueryTable'
import { SchoolFilter } from '@/schools/SchoolFilter'
import { listOutboxEvents, retryOutboxEvents } from './api'

const columns = columnsOf(listOutboxEvents, [
  { field: 'sceneCode', width: 200, fixed: 'left' },
  { field: 'status', tones: { pending: 'busy', done: 'good', skipped: 'quiet', failed: 'bad' } },
  { field: 'skipReason', width: 120 },
  { field: 'personCount', width: 100 },
  { field: 'attempts', width: 80 },
  'occurredAt',
  'processedAt',
  { field: 'dedupeKey', width: 260, hidden: true },
])

/** 消息事件: what business told the product, and why nobody was told. */
export const EventsTab = () => {
  const table = useQueryTable(listOutboxEvents)
  const schoolId = Number(useSearchParams()[0].get('schoolId')) || undefined
  return (
    <>
      <FilterBar table={table}>
        <SchoolFilter of={listOutboxEvents} field="schoolId" />
        <EnumFilter of={listOutboxEvents} field="status" />
        <TextFilter of={listOutboxEvents} field="sceneCode" />
        <DateRangeFilter of={listOutboxEvents} from="startsOn" to="endsOn" label="时间" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(event) => `${event.sceneCode} ${event.id}`}
        actionsWidth={90}
        actions={(event) => [
          step(retryOutboxEvents, {
            label: '重试',
            disabled:
              event.status === 'failed' || event.status === 'skipped' ? undefined : '只有失败或已跳过的事件可以重试',
            with: { body: { schoolId, ids: [event.id] } },
            done: '已重新处理',
          }),
        ]}
        bulk={[
          bulkStep(retryOutboxEvents, {
            label: '批量重试',
            confirm: (count) => ({ title: `重新处理${count}个事件？`, content: '已发送过的人不会重复收到。' }),
            input: (ids) => ({ body: { schoolId, ids } }),
          }),
        ]}
        empty="没有消息事件。选择院校可以查看院校的事件。"
      />
    </>
  )
}
