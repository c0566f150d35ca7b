import { useSearchParams } from 'react-router'
import { useAllowed } from '@/api/identity'
import { Page } from '@/kit/Page'
import { TabList } from '@/kit/TabList'
import { SwitchMatrix } from '@/schools/settings/SwitchMatrix'
import { listOutboxEvents, listQuotas } from './api'
import { EventsTab } from './EventsTab'
import { QuotasTab } from './QuotasTab'

/** 消息场景配置: which scene goes out by which channel; the events that came, and what schools may send. */
export const SwitchesPage = () => {
  const [search, setSearch] = useSearchParams()
  const allowed = useAllowed()
  const tabs = [
    ['switches', '场景开关'] as const,
    ...(allowed(listOutboxEvents) ? [['events', '消息事件'] as const] : []),
    ...(allowed(listQuotas) ? [['quotas', '短信配额'] as const] : []),
  ]
  const tab = tabs.find(([value]) => value === search.get('tab'))?.[0] ?? 'switches'
  return (
    <Page title="消息场景配置" help="平台的开关是各院校的默认值；院校可以在系统设置中单独设置。">
      <TabList
        label="消息配置"
        tabs={tabs}
        value={tab}
        onChange={(next) => setSearch({ tab: next }, { replace: true })}
      />
      {tab === 'switches' && <SwitchMatrix />}
      {tab === 'events' && <EventsTab />}
      {tab === 'quotas' && <QuotasTab />}
    </Page>
  )
}
