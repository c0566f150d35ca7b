import { Button, Drawer, Empty, Table } from '@arco-design/web-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { RowOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import { step } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { DialogName } from '@/kit/DialogName'
import { formatTime } from '@/kit/format'
import { Failed } from '@/kit/Loaded'
import { labelOf } from '@/kit/labels'
import { OptionSelect } from '@/kit/OptionSelect'
import { RowActions } from '@/kit/RowActions'
import { Word } from '@/kit/Status'
import { useAction } from '@/kit/useAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { useListOrder } from '@/kit/useListOrder'
import {
  deleteSiteZoneItem,
  listAvailableSiteZoneItems,
  listSiteZoneItems,
  type listSiteZones,
  saveSiteZoneItem,
  sortSiteZoneItems,
} from './api'
import './siteContent.css'

type Zone = RowOf<typeof listSiteZones>
type Item = RowOf<typeof listSiteZoneItems>

const PAGE = 50
const nameOf = ({ name, refId }: Item) => name ?? `编号${refId}`

const Add = ({ zone }: { zone: Zone }) => {
  const [chosen, setChosen] = useState<number>()
  const add = useAction(saveSiteZoneItem, { done: '已添加内容', onDone: () => setChosen(undefined) })
  return (
    <div className="zone-add">
      <OptionSelect
        label="内容"
        placeholder="选择要展示的内容"
        options={listAvailableSiteZoneItems}
        query={(keyword) => ({ zoneId: zone.id, keyword: keyword || undefined })}
        value={chosen}
        onChange={setChosen}
      />
      <Button
        type="primary"
        disabled={chosen === undefined}
        loading={add.isPending}
        onClick={() => chosen !== undefined && add.mutate({ body: { zoneId: zone.id, refId: chosen } })}
      >
        添加
      </Button>
    </div>
  )
}

const Items = ({ zone }: { zone: Zone }) => {
  const request = useRequest()
  const [pageCurrent, setPage] = useState(1)
  const query = useQuery({
    queryKey: [listSiteZoneItems.path, zone.id, pageCurrent],
    queryFn: ({ signal }) =>
      request(listSiteZoneItems, { body: { zoneId: zone.id, pageCurrent, pageSize: PAGE } }, { signal }),
    placeholderData: keepPreviousData,
  })
  const rows = query.data?.list ?? []
  const order = useListOrder({ sort: sortSiteZoneItems, rows, nameOf })
  if (query.isError) return <Failed error={query.error} retry={() => query.refetch()} />
  return (
    <Table<Item>
      rowKey="id"
      size="small"
      loading={query.isPending || query.isPlaceholderData}
      data={rows}
      border={{ wrapper: true }}
      pagination={{
        current: pageCurrent,
        pageSize: PAGE,
        total: query.data?.totalCount ?? 0,
        onChange: setPage,
        // Whoever removed the last row of a later page goes back by it.
        hideOnSinglePage: pageCurrent === 1,
      }}
      onRow={order.row}
      noDataElement={<Empty description="还没有内容。在上方选择后点击“添加”。" />}
      columns={[
        { title: '名称', dataIndex: 'name', render: (_: unknown, row: Item) => nameOf(row) },
        {
          title: '状态',
          dataIndex: 'state',
          width: 90,
          render: (_: unknown, { state }: Item) => (
            <Word tone={state === 'shown' ? 'good' : 'bad'}>{labelOf(listSiteZoneItems, 'state', state)}</Word>
          ),
        },
        { title: '添加时间', dataIndex: 'createdAt', width: 170, render: (at: string) => formatTime(at) },
        {
          title: '操作',
          dataIndex: 'actions',
          width: 170,
          render: (_: unknown, row: Item) => (
            <RowActions
              actions={[
                ...order.actions(row),
                step(deleteSiteZoneItem, {
                  label: '移除',
                  danger: true,
                  with: { query: { id: row.id } },
                  confirm: { title: `从专区移除“${nameOf(row)}”吗？`, content: '内容本身不受影响，可以再次添加。' },
                  done: `已移除“${nameOf(row)}”`,
                }),
              ]}
            />
          ),
        },
      ]}
    />
  )
}

/** 专区内容: what stands on a shelf; what visitors no longer see is marked. */
export const ZoneItems = ({ record, visible, onClose }: DrawerProps<Zone>) => {
  const title = `专区内容 ${record?.zoneTitle ?? ''}`
  return (
    <Drawer title={title} width={720} visible={visible} footer={null} onCancel={onClose} unmountOnExit>
      <DialogName name={title} />
      {record && (
        <>
          <Can do={saveSiteZoneItem}>
            <Add zone={record} />
          </Can>
          <Items zone={record} />
        </>
      )}
    </Drawer>
  )
}
