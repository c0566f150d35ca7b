import { Button, Form, Input, Space } from '@arco-design/web-react'
import { IconDelete, IconPlus } from '@arco-design/web-react/icon'
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
import { changeSceneStatus, deleteScene, editScene, listScenes, saveScene, viewScene } from './api'

type Scene = RowOf<typeof listScenes>

const columns = columnsOf(listScenes, [
  { field: 'sceneName', width: 170, fixed: 'left' },
  { field: 'enabled', fixed: 'left' },
  { field: 'sceneCode', width: 200 },
  { field: 'module', width: 90 },
  { field: 'audienceType', width: 100 },
  {
    field: 'variables',
    width: 240,
    render: ({ variables }) => variables.map(({ name, label }) => `${label} ${name}`).join('、') || '—',
  },
  {
    field: 'defaultChannels',
    width: 130,
    render: ({ defaultChannels }) =>
      defaultChannels.map((channel) => labelOf(saveScene, 'defaultChannels', channel)).join('、'),
  },
  { field: 'templateCount', width: 90 },
  'builtIn',
  { field: 'createdAt', hidden: true },
  { field: 'remark', hidden: true },
])

const KEPT = '内置场景只能启用或停用'
const Field = fieldsOf(saveScene)

/** The variables of a scene, a line each. */
const Variables = () => (
  <Form.List field="variables">
    {(fields, { add, remove }) => (
      <fieldset>
        <legend>变量</legend>
        {fields.map(({ field, key }, index) => (
          <Space key={key} align="start">
            {(['name', 'label', 'sample'] as const).map((part) => {
              const words = { name: '变量名', label: '说明', sample: '示例' }[part]
              return (
                <Form.Item
                  key={part}
                  field={`${field}.${part}`}
                  rules={[{ required: true, message: `请填写${words}` }]}
                >
                  <Input
                    aria-label={`${words}${index + 1}`}
                    placeholder={words}
                    maxLength={part === 'sample' ? 100 : 40}
                  />
                </Form.Item>
              )
            })}
            <Button aria-label={`删除变量${index + 1}`} icon={<IconDelete />} onClick={() => remove(index)} />
          </Space>
        ))}
        <Button type="text" icon={<IconPlus />} onClick={() => add()}>
          添加变量
        </Button>
      </fieldset>
    )}
  </Form.List>
)

const SceneForm = (drawer: DrawerProps<Scene>) => (
  <FormDrawer
    {...drawer}
    width={680}
    title={drawer.record ? `编辑场景 ${drawer.record.sceneName}` : '新增场景'}
    initial={{ defaultChannels: ['in_app'], audienceType: 'student', enabled: true }}
    action={(scene) => (scene ? formAction(editScene, '已保存场景', scene) : formAction(saveScene, '已新增场景'))}
    reload={(scene) => call(viewScene, { query: { id: scene.id } })}
  >
    <Field name="sceneCode" />
    <Field name="sceneName" />
    <Field name="module" />
    <Field name="audienceType" />
    <Field name="defaultChannels" />
    <Field name="enabled" />
    <div className="form-wide">
      <Variables />
    </div>
    <Field name="remark" />
  </FormDrawer>
)

/** 消息场景: what happens in the business and may be told to people. */
export const ScenesPage = () => {
  const table = useQueryTable(listScenes)
  const edit = useDrawer<Scene>()
  return (
    <Page title="消息场景" help="业务事件自动发送的消息；内置场景由系统触发，可以启用、停用和设置模板。">
      <FilterBar table={table}>
        <TextFilter of={listScenes} field="keyword" />
        <TextFilter of={listScenes} field="module" />
        <EnumFilter of={listScenes} field="audienceType" />
        <EnabledFilter of={listScenes} field="enabled" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(scene) => scene.sceneName}
        actionsWidth={170}
        primary={
          <Can do={saveScene}>
            <Button type="primary" icon={<IconPlus />} onClick={() => edit.open()}>
              新增场景
            </Button>
          </Can>
        }
        actions={(scene) => [
          step(changeSceneStatus, {
            label: scene.enabled ? '停用' : '启用',
            with: { body: { id: scene.id, enabled: !scene.enabled, version: scene.version } },
            done: scene.enabled ? `已停用“${scene.sceneName}”` : `已启用“${scene.sceneName}”`,
            undo: () =>
              undoBy(changeSceneStatus, { body: { id: scene.id, enabled: scene.enabled, version: scene.version + 1 } }),
          }),
          {
            label: '编辑',
            do: editScene,
            disabled: scene.builtIn ? KEPT : undefined,
            onClick: () => edit.open(scene),
          },
          step(deleteScene, {
            label: '删除',
            danger: true,
            disabled: scene.builtIn ? KEPT : undefined,
            with: { query: { id: scene.id } },
            confirm: { title: `确定删除“${scene.sceneName}”吗？`, content: '删除后不能恢复。' },
            done: `已删除“${scene.sceneName}”`,
          }),
        ]}
        empty="没有消息场景。"
      />
      <SceneForm key={edit.key} {...edit.props} />
    </Page>
  )
}
