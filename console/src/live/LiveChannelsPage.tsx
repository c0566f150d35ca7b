import { Button } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useQuery } from '@tanstack/react-query'
import type { RowOf } from '@/api/operation'
import { useCall } from '@/api/schoolContext'
import { bulkStep, step } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { Facts } from '@/kit/Facts'
import { FilterBar } from '@/kit/FilterBar'
import { EnabledFilter, EnumFilter, TextFilter } from '@/kit/filters'
import { formatTime } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { askRemoval, removal, switching } from '@/kit/steps'
import { useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import {
  changeLiveChannelStatus,
  closeLiveChannel,
  deleteLiveChannel,
  deleteLiveChannels,
  editLiveChannel,
  exportLiveChannels,
  listLiveChannels,
  saveLiveChannel,
  syncLiveChannel,
  viewLiveChannel,
} from './api'
import { LiveChannelForm } from './LiveChannelForm'

type Channel = RowOf<typeof listLiveChannels>

const columns = columnsOf(listLiveChannels, [
  { field: 'channelName', width: 200, fixed: 'left' },
  { field: 'state', width: 100, fixed: 'left', tones: { idle: 'quiet', living: 'good', ended: 'bad' } },
  { field: 'enabled', fixed: 'left' },
  { field: 'provider', width: 100 },
  { field: 'channelNo', width: 140 },
  { field: 'scene', width: 110 },
  { field: 'maxViewers', width: 120, render: ({ maxViewers }) => maxViewers ?? '不限' },
  { field: 'upcoming', width: 120 },
  { field: 'nextStartsAt', width: 170 },
  { field: 'hasSecrets', width: 110, hidden: true },
  { field: 'createdAt', hidden: true },
])

/** 回放列表: what is left of the lessons of a channel. */
const Replays = ({ id }: { id: number }) => {
  const call = useCall()
  const query = useQuery({
    queryKey: [listLiveChannels.path, viewLiveChannel.path, id],
    queryFn: () => call(viewLiveChannel, { query: { id } }),
  })
  return (
    <Loaded query={query}>
      {({ replays }) =>
        replays.length === 0 ? (
          <p>还没有回放。在直播课程的课时中选择回放后，这里会列出。</p>
        ) : (
          <table className="log-changes">
            <caption>回放列表</caption>
            <thead>
              <tr>
                <th scope="col">课程</th>
                <th scope="col">课时</th>
                <th scope="col">开始时间</th>
                <th scope="col">回放</th>
              </tr>
            </thead>
            <tbody>
              {replays.map((replay) => (
                <tr key={replay.periodId}>
                  <td>{replay.courseName}</td>
                  <td>{replay.periodName}</td>
                  <td>{formatTime(replay.startsAt)}</td>
                  <td>{replay.mediaTitle}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )
      }
    </Loaded>
  )
}

/** What a channel took over, and whether its provider says that it is on air. */
const toldBy = ({ changed, onAir }: { changed: boolean; onAir?: boolean | null }) => {
  const now = onAir ? '，正在直播' : ''
  return changed ? `已按服务商后台更新${now}` : `与服务商后台一致${now}`
}

/** 直播频道: where lessons are given live. */
export const LiveChannelsPage = () => {
  const table = useQueryTable(listLiveChannels)
  const form = useDrawer<Channel>()
  return (
    <Page
      title="直播频道"
      help="频道号在服务商后台取得，名称和人数可从服务商同步；推流地址和助教密码加密保存，不再显示。有课时的频道不能删除。"
    >
      <FilterBar table={table}>
        <TextFilter of={listLiveChannels} field="keyword" />
        <EnumFilter of={listLiveChannels} field="provider" />
        <EnumFilter of={listLiveChannels} field="state" />
        <EnabledFilter of={listLiveChannels} field="enabled" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(channel) => channel.channelName}
        primary={
          <Can do={saveLiveChannel}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
              新增频道
            </Button>
          </Can>
        }
        tools={<ExportButton do={exportLiveChannels} table={table} />}
        bulk={[
          bulkStep(deleteLiveChannels, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('频道'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        file={(channel) => (
          <>
            <Facts key={channel.id} row={channel} columns={columns} />
            <Replays id={channel.id} />
          </>
        )}
        detail={historyOf(viewLiveChannel, 'live_channel')}
        actionsWidth={260}
        actions={(channel) => [
          { label: '编辑', do: editLiveChannel, onClick: () => form.open(channel) },
          step(syncLiveChannel, {
            label: '同步',
            with: { body: { id: channel.id } },
            disabled: channel.state === 'ended' ? '该频道已关闭' : undefined,
            done: toldBy,
          }),
          step(closeLiveChannel, {
            label: '关闭直播',
            danger: true,
            with: { body: { id: channel.id, version: channel.version } },
            disabled: channel.state === 'ended' ? '该频道已关闭' : undefined,
            confirm: {
              title: `关闭“${channel.channelName}”？`,
              content: '关闭后不能再用于新的课时，已有回放不受影响。',
            },
            done: `已关闭“${channel.channelName}”`,
          }),
          switching(
            changeLiveChannelStatus,
            { ...channel, name: channel.channelName },
            '已有的课时保持不变，新增课时时不能再选择它。',
          ),
          removal(deleteLiveChannel, { id: channel.id, name: channel.channelName }),
        ]}
        empty="还没有直播频道。新增频道后即可为直播课程安排课时。"
      />
      <LiveChannelForm key={form.key} {...form.props} />
    </Page>
  )
}
