import { Button } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { call } from '@/api/client'
import { tellSuccess } from '@/api/errors'
import type { RowOf } from '@/api/operation'
import { step } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { confirm } from '@/kit/confirm'
import { FilterBar } from '@/kit/FilterBar'
import { EnabledFilter, EnumFilter, TextFilter } from '@/kit/filters'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { undoBy } from '@/kit/undo'
import { useAction } from '@/kit/useAction'
import { useQueryTable } from '@/kit/useQueryTable'
import { paths } from '@/paths'
import { SchoolFilter } from '@/schools/SchoolFilter'
import {
  changeConfigStatus,
  deleteConfig,
  dropCaches,
  editConfig,
  listConfigs,
  saveConfig,
  syncVideoCloud,
  testConfig,
} from './api'
import { bodyOfConfig } from './configContent'
import { VideoSync } from './VideoSync'

type SystemConfig = RowOf<typeof listConfigs>

const columns = columnsOf(listConfigs, [
  { field: 'configName', width: 220, fixed: 'left' },
  { field: 'enabled', fixed: 'left' },
  { field: 'configKind', width: 120 },
  { field: 'schoolName', title: '院校', width: 160, render: ({ schoolName }) => schoolName ?? '平台' },
  'isDefault',
  {
    field: 'secretState',
    title: '密钥是否已设',
    width: 120,
    tones: { none: 'quiet', set: 'good', partial: 'warning', unset: 'bad' },
  },
  { field: 'remark', hidden: true },
  'createdAt',
])

const testable: readonly SystemConfig['configKind'][] = [
  'storage',
  'sms',
  'wechat_mp',
  'mail',
  'video_polyv',
  'video_baijiayun',
  'video_aliyun',
]

/** 系统配置: settings of the site and of providers. */
export const ConfigsPage = () => {
  const table = useQueryTable(listConfigs)
  const navigate = useNavigate()
  const test = useAction(testConfig, { done: ({ message }) => message })
  const [syncing, setSyncing] = useState<number>()
  const sync = useAction(syncVideoCloud, { onDone: ({ jobId }) => setSyncing(jobId) })
  const makeDefault = useAction(editConfig, { done: '已设为默认' })
  const drop = async () => {
    const sure = await confirm({
      title: '清除所有服务器的缓存？',
      content: '登录状态和任务不受影响，清除后会重新读取配置。',
      okText: '清除缓存',
    })
    if (!sure) return
    const { instances, dropped } = await call(dropCaches, { body: {} })
    tellSuccess(`已清除${instances}个服务实例的${dropped}类缓存`)
  }
  const askDefault = async (config: SystemConfig) => {
    const question = {
      title: `将“${config.configName}”设为默认？`,
      content: '同类别原来的默认配置将不再使用。',
      okText: '设为默认',
    }
    if (await confirm(question)) makeDefault.mutate({ body: { ...bodyOfConfig(config), isDefault: true } })
  }
  return (
    <Page title="系统配置" help="站点信息和各服务商的接入参数；每个类别使用启用的默认配置，密钥只能写入，不能查看。">
      <FilterBar table={table}>
        <TextFilter of={listConfigs} field="configName" />
        <EnumFilter of={listConfigs} field="configKind" />
        <SchoolFilter of={listConfigs} field="schoolId" />
        <EnabledFilter of={listConfigs} field="enabled" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(config) => config.configName}
        primary={
          <Can do={saveConfig}>
            <Button type="primary" icon={<IconPlus />} onClick={() => navigate(paths.configAdd)}>
              新增配置
            </Button>
          </Can>
        }
        tools={
          <>
            <Can do={syncVideoCloud}>
              <Button loading={sync.isPending} onClick={() => sync.mutate({})}>
                同步视频云
              </Button>
            </Can>
            <Can do={dropCaches}>
              <Button onClick={drop}>清除缓存</Button>
            </Can>
          </>
        }
        actionsWidth={220}
        actions={(config) => [
          { label: '编辑', do: editConfig, onClick: () => navigate(`${paths.configEdit}?id=${config.id}`) },
          ...(testable.includes(config.configKind)
            ? [{ label: '测试连接', do: testConfig, onClick: () => test.mutate({ query: { id: config.id } }) }]
            : []),
          {
            label: '设为默认',
            do: editConfig,
            disabled: config.isDefault ? '已是默认配置' : config.enabled ? undefined : '请先启用',
            onClick: () => askDefault(config),
          },
          step(changeConfigStatus, {
            label: config.enabled ? '停用' : '启用',
            with: { body: { id: config.id, enabled: !config.enabled, version: config.version } },
            confirm: config.enabled
              ? { title: `停用“${config.configName}”？`, content: '停用后不再使用这份配置。' }
              : undefined,
            done: config.enabled ? `已停用“${config.configName}”` : `已启用“${config.configName}”`,
            undo: () =>
              undoBy(changeConfigStatus, {
                body: { id: config.id, enabled: config.enabled, version: config.version + 1 },
              }),
          }),
          step(deleteConfig, {
            label: '删除',
            danger: true,
            with: { query: { id: config.id } },
            confirm: { title: `确定删除“${config.configName}”吗？`, content: '密钥一并删除，不能恢复。' },
            done: `已删除“${config.configName}”`,
          }),
        ]}
        empty="还没有配置。点击“新增配置”，先填写站点信息。"
      />
      {syncing !== undefined && <VideoSync id={syncing} onClose={() => setSyncing(undefined)} />}
    </Page>
  )
}
