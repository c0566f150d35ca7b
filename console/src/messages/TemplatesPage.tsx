import { Button, Input, Modal, Select, Tag } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useQuery } from '@tanstack/react-query'
import { isValidElement, useState } from 'react'
import { call } from '@/api/client'
import type { RowOf } from '@/api/operation'
import { step } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { fieldsOf } from '@/kit/Field'
import { FilterBar } from '@/kit/FilterBar'
import { FormDrawer } from '@/kit/FormDrawer'
import { EnabledFilter, EnumFilter, TextFilter } from '@/kit/filters'
import { formAction } from '@/kit/formAction'
import { labelOf } from '@/kit/labels'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { undoBy } from '@/kit/undo'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import {
  changeTemplateStatus,
  deleteTemplate,
  editTemplate,
  listScenes,
  listTemplates,
  saveTemplate,
  testTemplate,
  viewTemplate,
} from './api'
import { textOf } from './content'
import './messages.css'

type Template = RowOf<typeof listTemplates>

const columns = columnsOf(listTemplates, [
  { field: 'sceneName', width: 150, fixed: 'left' },
  { field: 'enabled', fixed: 'left' },
  { field: 'channel', width: 90 },
  { field: 'title', width: 160 },
  { field: 'previewContent', title: '内容示例', width: 320, render: ({ previewContent }) => textOf(previewContent) },
  { field: 'providerTemplateCode', width: 140 },
  { field: 'segments', title: '短信条数', width: 90 },
  { field: 'sceneCode', width: 180, hidden: true },
  { field: 'createdAt', hidden: true },
])

/** All scenes; one page names them. */
const ALL = 500
/** What every scene has (platform/scenes/src/template.rs). */
const COMMON = [
  { name: 'name', label: '姓名' },
  { name: 'school', label: '院校' },
  { name: 'date', label: '日期' },
  { name: 'link', label: '链接' },
]

const Field = fieldsOf(saveTemplate)

const TemplateForm = (drawer: DrawerProps<Template>) => {
  const scenes =
    useQuery({
      queryKey: [listScenes.path, 'all'],
      queryFn: () => call(listScenes, { body: { pageSize: ALL } }),
      enabled: drawer.visible,
    }).data?.list ?? []
  const [sceneId, setSceneId] = useState(drawer.record?.sceneId)
  const variables = scenes.find(({ id }) => id === sceneId)?.variables ?? []
  return (
    <FormDrawer
      {...drawer}
      title={drawer.record ? `编辑模板 ${drawer.record.title}` : '新增模板'}
      initial={{ channel: 'in_app', enabled: true }}
      action={(template) =>
        template ? formAction(editTemplate, '已保存模板', template) : formAction(saveTemplate, '已新增模板')
      }
      reload={(template) => call(viewTemplate, { query: { id: template.id } })}
    >
      <Field name="sceneId">
        <SceneSelect scenes={scenes} onChosen={setSceneId} />
      </Field>
      <Field name="channel" />
      <Field name="title" />
      <Field
        name="content"
        help={
          <>
            可用变量：
            {[...COMMON, ...variables].map(({ name, label }) => (
              <Tag key={name} size="small">{`{{${name}}} ${label}`}</Tag>
            ))}
          </>
        }
      >
        <Input.TextArea maxLength={20000} autoSize={{ minRows: 4, maxRows: 12 }} />
      </Field>
      <Field name="providerTemplateCode" />
      <Field name="enabled" />
    </FormDrawer>
  )
}

interface SceneSelectProps {
  scenes: readonly { id: number; sceneName: string; sceneCode: string }[]
  onChosen: (id: number) => void
  value?: number
  onChange?: (id: number) => void
  'aria-label'?: string
}

const SceneSelect = ({ scenes, onChosen, value, onChange, 'aria-label': label }: SceneSelectProps) => (
  <Select
    aria-label={label}
    placeholder="请选择"
    showSearch
    filterOption={(text, option: unknown) =>
      isValidElement<{ children?: unknown }>(option) && String(option.props.children).includes(text)
    }
    value={value}
    onChange={(id: number) => {
      onChosen(id)
      onChange?.(id)
    }}
    options={scenes.map((scene) => ({ value: scene.id, label: `${scene.sceneName} ${scene.sceneCode}` }))}
  />
)

/** 消息模板: the words of a scene in one channel. */
export const TemplatesPage = () => {
  const table = useQueryTable(listTemplates)
  const edit = useDrawer<Template>()
  const [shown, setShown] = useState<Template>()
  return (
    <Page title="消息模板" help="每个场景在每个渠道一个模板；没有模板的渠道不发送。">
      <FilterBar table={table}>
        <TextFilter of={listTemplates} field="scene" />
        <EnumFilter of={listTemplates} field="channel" />
        <TextFilter of={listTemplates} field="title" />
        <EnabledFilter of={listTemplates} field="enabled" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(template) => `${template.sceneName} ${labelOf(listTemplates, 'channel', template.channel)}`}
        actionsWidth={210}
        primary={
          <Can do={saveTemplate}>
            <Button type="primary" icon={<IconPlus />} onClick={() => edit.open()}>
              新增模板
            </Button>
          </Can>
        }
        actions={(template) => [
          { label: '预览', do: listTemplates, onClick: () => setShown(template) },
          { label: '编辑', do: editTemplate, onClick: () => edit.open(template) },
          step(testTemplate, {
            label: '测试发送',
            disabled: template.channel === 'in_app' ? '站内信请用预览查看' : undefined,
            with: { body: { id: template.id } },
            confirm: { title: '用示例填充后发给您自己？', content: '发送到您账号的手机号或邮箱，不产生消息。' },
            done: '测试消息已提交',
          }),
          step(changeTemplateStatus, {
            label: template.enabled ? '停用' : '启用',
            with: { body: { id: template.id, enabled: !template.enabled, version: template.version } },
            done: template.enabled ? '已停用模板' : '已启用模板',
            undo: () =>
              undoBy(changeTemplateStatus, {
                body: { id: template.id, enabled: template.enabled, version: template.version + 1 },
              }),
          }),
          step(deleteTemplate, {
            label: '删除',
            danger: true,
            with: { query: { id: template.id } },
            confirm: { title: `确定删除“${template.title}”吗？`, content: '该场景将不再通过这个渠道发送。' },
            done: '已删除模板',
          }),
        ]}
        empty="没有消息模板。"
      />
      <TemplateForm key={edit.key} {...edit.props} />
      <Modal
        title="模板预览"
        visible={shown !== undefined}
        footer={null}
        onCancel={() => setShown(undefined)}
        unmountOnExit
      >
        <h3>{shown?.previewTitle}</h3>
        <p className="preserved">{shown && textOf(shown.previewContent)}</p>
        {shown?.channel === 'sms' && <p>共{shown.segments}条短信</p>}
      </Modal>
    </Page>
  )
}
