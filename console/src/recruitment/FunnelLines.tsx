import { Button, Empty, Table } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useRequest } from '@/api/schoolContext'
import type { FunnelLine } from '@/api/types/recruitment'
import { formatNumber, formatPercent } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { TabList } from '@/kit/TabList'
import { viewPreRegistrationFunnel } from './api'
import { type Behind, funnelFigures } from './funnelFigures'

const groups = [
  ['site', '按站点'],
  ['major', '按专业'],
] as const
type Group = (typeof groups)[number][0]

interface LinesProps {
  rows: FunnelLine[]
  by: Group
  onFollow: (behind: Behind) => void
}

const Lines = ({ rows, by, onFollow }: LinesProps) => {
  const of = ({ id }: FunnelLine): Behind => (by === 'site' ? { siteId: String(id) } : { majorId: String(id) })
  return (
    <Table
      rowKey="id"
      size="small"
      border={{ wrapper: true }}
      pagination={false}
      data={rows}
      noDataElement={<Empty description="还没有预报名。" />}
      scroll={{ x: 760, y: 320 }}
      columns={[
        {
          title: by === 'site' ? '站点' : '专业',
          dataIndex: 'name',
          width: 220,
          render: (_: unknown, { name, code, levelName }: FunnelLine) =>
            [levelName, name, code].filter(Boolean).join(' '),
        },
        ...funnelFigures.flatMap(({ field, label, behind, rate }) => [
          {
            title: label,
            dataIndex: field,
            width: 80,
            align: 'right' as const,
            render: (_: unknown, line: FunnelLine) => (
              <Button
                type="text"
                size="mini"
                aria-label={`查看${line.name}${label}名单`}
                onClick={() => onFollow({ ...behind, ...of(line) })}
              >
                {formatNumber(line.figures[field])}
              </Button>
            ),
          },
          ...(rate
            ? [
                {
                  title: rate.label,
                  dataIndex: rate.field,
                  width: 80,
                  align: 'right' as const,
                  render: (_: unknown, line: FunnelLine) => formatPercent(line.figures[rate.field]),
                },
              ]
            : []),
        ]),
      ]}
    />
  )
}

interface FunnelLinesProps {
  batchId: number | undefined
  /** Leads to a figure's people. */
  onFollow: (behind: Behind) => void
}

/** 转化 of each site, or of each major. */
export const FunnelLines = ({ batchId, onFollow }: FunnelLinesProps) => {
  const request = useRequest()
  const [by, setBy] = useState<Group>('site')
  const lines = useQuery({
    queryKey: [viewPreRegistrationFunnel.path, batchId, by],
    queryFn: ({ signal }) => request(viewPreRegistrationFunnel, { query: { batchId, by } }, { signal }),
  })
  return (
    <div className="funnel-lines">
      <TabList label="统计方式" tabs={groups} value={by} onChange={setBy} />
      {/* Lines of sites are not shown as those of majors meanwhile: their numbers would lead elsewhere. */}
      <Loaded query={lines}>{({ rows }) => <Lines rows={rows} by={by} onFollow={onFollow} />}</Loaded>
    </div>
  )
}
