import { useQuery } from '@tanstack/react-query'
import type { RowOf } from '@/api/operation'
import { useCall } from '@/api/schoolContext'
import { useAuditQueue } from '@/kit/auditQueue'
import { DecideDrawer } from '@/kit/DecideDrawer'
import { Loaded } from '@/kit/Loaded'
import { TabPanels } from '@/kit/TabList'
import type { DrawerProps } from '@/kit/useDrawer'
import { Differences } from './AuditFile'
import type { listRecordAudits } from './api'
import type { AuditOperations } from './audits'
import { VersionPreview } from './VersionPreview'

export type Version = RowOf<typeof listRecordAudits>

export const isWaiting = ({ auditStatus }: Pick<Version, 'auditStatus'>) => auditStatus === 'pending'

interface DecideVersionProps extends DrawerProps<Version> {
  of: AuditOperations
  /** The page of the list: after a decision the next of it that waits is shown. */
  rows: readonly Version[]
  /** How many of the whole list wait. */
  waiting: number | undefined
}

/** 审核: what changes, and whether it may. */
export const DecideVersion = ({ of, rows, waiting, ...drawer }: DecideVersionProps) => {
  const call = useCall()
  const queue = useAuditQueue(drawer, { rows, waits: isWaiting, waiting })
  const id = queue.row?.id
  const query = useQuery({
    queryKey: [of.list.path, of.view.path, id],
    queryFn: () => call(of.view, { query: { id: id ?? 0 } }),
    enabled: queue.visible && id !== undefined,
  })
  const read = query.data
  return (
    <DecideDrawer
      queue={queue}
      do={of.decide}
      of={read && { id: read.id, version: read.version }}
      title={`审核 ${queue.row?.courseName ?? ''}`}
      name={queue.row?.courseName ?? ''}
      note="不通过时必填，提交人可以看到"
      width={860}
    >
      <Loaded query={query}>
        {(version) => (
          <TabPanels
            key={version.id}
            label="待审版本"
            panels={[
              { title: '变更内容', content: <Differences of={version.differences} fileUrl={version.fileUrl} /> },
              { title: '预览', content: <VersionPreview of={version} /> },
            ]}
          />
        )}
      </Loaded>
    </DecideDrawer>
  )
}
