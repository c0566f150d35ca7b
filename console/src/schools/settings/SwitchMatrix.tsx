import { Button, Input, Switch, Table, Tooltip } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '@/api/client'
import { useAllowed } from '@/api/identity'
import type { RowOf } from '@/api/operation'
import type { ChannelSwitch } from '@/api/types/messages'
import { Failed } from '@/kit/Loaded'
import { labelOf } from '@/kit/labels'
import { useAction } from '@/kit/useAction'
import { useHeight } from '@/kit/useHeight'
import { useSettled } from '@/kit/useSettled'
import { editSceneSwitch, listSceneSwitches, saveMessage, saveScene } from '@/messages/api'
import './settings.css'

type Scene = RowOf<typeof listSceneSwitches>
type Cell = ChannelSwitch

const CHANNELS = (saveMessage.fields.channels?.options ?? []) as readonly (readonly [string, string])[]
const HEAD_PX = 41
const LEAST_BODY_PX = 160

/** Why a switch has no effect, or where its state comes from. */
const noteOf = (scene: Scene, cell: Cell) => {
  if (!scene.sceneEnabled) return '场景已停用'
  if (cell.enabled && !cell.hasTemplate) return '还没有模板，不会发送'
  return cell.changed ? `已单独设置，默认${cell.defaultEnabled ? '开启' : '关闭'}` : '默认'
}

/** Scene × channel. A change holds at once. */
export const SwitchMatrix = () => {
  const [text, setText] = useState('')
  const keyword = useSettled(text).trim()
  const [box, height] = useHeight()
  const allowed = useAllowed()(editSceneSwitch)
  const query = useQuery({
    queryKey: [listSceneSwitches.path, keyword],
    queryFn: () => call(listSceneSwitches, { body: { keyword: keyword || undefined } }),
  })
  const edit = useAction(editSceneSwitch, { done: '已保存' })
  if (query.isError) return <Failed error={query.error} retry={() => query.refetch()} />
  return (
    <>
      <div className="toolbar">
        <Input.Search
          className="switch-search"
          aria-label="场景编码或名称"
          placeholder="场景编码或名称"
          allowClear
          value={text}
          onChange={setText}
        />
      </div>
      <div className="table-box" ref={box}>
        <Table
          rowKey="sceneId"
          size="small"
          border={{ wrapper: true }}
          loading={query.isPending}
          data={query.data ?? []}
          pagination={false}
          scroll={{ x: 980, y: Math.max(LEAST_BODY_PX, height - HEAD_PX) }}
          noDataElement="没有符合条件的场景"
          columns={[
            { title: '场景', dataIndex: 'sceneName', width: 170, fixed: 'left' },
            { title: '模块', dataIndex: 'module', width: 90 },
            {
              title: '接收人',
              width: 100,
              render: (_, scene: Scene) => labelOf(saveScene, 'audienceType', scene.audienceType),
            },
            ...CHANNELS.map(([channel, words]) => ({
              title: words,
              width: 110,
              render: (_: unknown, scene: Scene) => {
                const cell = scene.channels.find((each) => each.channel === channel)
                if (!cell) return null
                return (
                  <Tooltip content={noteOf(scene, cell)}>
                    <Switch
                      size="small"
                      type={cell.changed ? 'round' : 'line'}
                      aria-label={`${scene.sceneName} ${words}`}
                      disabled={!allowed || !scene.sceneEnabled}
                      checked={cell.enabled}
                      onChange={(enabled) =>
                        edit.mutate({ body: { sceneId: scene.sceneId, channel: cell.channel, enabled } })
                      }
                    />
                  </Tooltip>
                )
              },
            })),
            {
              title: '操作',
              width: 110,
              fixed: 'right' as const,
              render: (_: unknown, scene: Scene) => (
                <Button
                  type="text"
                  size="small"
                  disabled={!allowed || !scene.channels.some(({ changed }) => changed)}
                  onClick={() => edit.mutate({ body: { sceneId: scene.sceneId } })}
                >
                  恢复默认
                </Button>
              ),
            },
          ]}
        />
      </div>
    </>
  )
}
