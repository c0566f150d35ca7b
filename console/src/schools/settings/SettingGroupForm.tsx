import { Alert, Button, Form, Space } from '@arco-design/web-react'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { request } from '@/api/client'
import { ApiError, fieldErrors, tellSuccess } from '@/api/errors'
import type { RowOf } from '@/api/operation'
import { refetchAll } from '@/api/query'
import { Can } from '@/kit/Can'
import { useDraftForm, useSaveKey } from '@/kit/useDraftForm'
import { editSchoolSetting, type viewSchoolSetting } from '../api'
import { BrandPreview } from './BrandPreview'
import { SettingInput } from './SettingInput'
import { changedValues, isSame, type Setting, settingWords } from './settingWords'

type Group = RowOf<typeof viewSchoolSetting>

/** A form reads a dot as a step into an object; parameters have one in their names. */
const fieldOf = (key: string) => key.replaceAll('.', '__')

interface SettingItemProps {
  setting: Setting
  ofPlatform: boolean
  typed: unknown
  onReset: () => void
}

const SettingItem = ({ setting, ofPlatform, typed, onReset }: SettingItemProps) => {
  const isDefault = isSame(typed, setting.defaultValue)
  const hasDefault = !isSame(setting.defaultValue, null) || setting.changed
  return (
    <Form.Item
      field={fieldOf(setting.key)}
      label={setting.name}
      required={setting.required}
      rules={setting.required ? [{ required: true, message: `请输入${setting.name}` }] : undefined}
      className={setting.type === 'rows' || setting.type === 'object' ? 'form-wide' : undefined}
      extra={
        <>
          {setting.help && <div>{setting.help}</div>}
          {hasDefault && setting.type !== 'picture' && setting.type !== 'color' && !setting.readOnly && (
            <div className="setting-default">
              {ofPlatform ? '平台默认' : '默认'}：{settingWords(setting, setting.defaultValue)}
              {!isDefault && (
                <Button type="text" size="mini" onClick={onReset} aria-label={`${setting.name}恢复默认`}>
                  恢复默认
                </Button>
              )}
            </div>
          )}
        </>
      }
    >
      <SettingInput setting={setting} />
    </Form.Item>
  )
}

interface SettingGroupFormProps {
  /** Whom an operator means; a school's own session names none, and new schools have no number. */
  schoolId: number | undefined
  group: Group
  /** Whether the group's tab is the one that is seen. */
  active: boolean
  reload: () => Promise<Group>
  /** Saves the group, where a page of its own has another call. */
  edit?: typeof editSchoolSetting
  /** Puts the settings in parts of the form; one below the other otherwise. */
  arrange?: (settings: readonly Setting[], itemOf: (setting: Setting) => ReactNode) => ReactNode
  /** Asks before what changed is sent, where that may be a mistake; answers what goes with it, or nothing to stay here. */
  ask?: (changed: Readonly<Record<string, unknown>>) => Promise<object | undefined>
}

/** The settings of one group, saved together. */
export const SettingGroupForm = (props: SettingGroupFormProps) => {
  const { schoolId, group, active, reload, edit = editSchoolSetting, arrange, ask } = props
  const [current, setCurrent] = useState(group)
  const [conflict, setConflict] = useState<string>()
  const first = Object.fromEntries(current.items.map(({ key, value }) => [fieldOf(key), value]))
  const [typed, setTyped] = useState<Record<string, unknown>>(first)
  const draft = useDraftForm(true, first)
  const isOfRow = ['basic', 'brand', 'domain', 'help_center'].includes(current.group)

  /** Shows the group as it stands; what was typed here stays where `keep` says so. */
  const show = (fresh: Group, keep: readonly string[]) => {
    const values = fresh.items
      .map(({ key, value }) => [fieldOf(key), value ?? undefined] as const)
      .filter(([field]) => !keep.includes(field))
    draft.form.setFieldsValue(Object.fromEntries(values))
    setTyped(draft.form.getFieldsValue())
    setCurrent(fresh)
    setConflict(undefined)
  }
  const saving = useMutation({
    mutationFn: ({ value, beside }: { value: Record<string, unknown>; beside: object }) => {
      const body = { id: schoolId, group: current.group, version: current.version, value, ...beside }
      return request(edit, { body }, { quiet: (refusal) => refusal.code === 409 })
    },
    onSuccess: async () => {
      tellSuccess('已保存设置')
      draft.settled()
      refetchAll()
      show(await reload(), [])
    },
    onError: (error) => {
      for (const { field, message } of fieldErrors(error)) {
        draft.form.setFields({ [fieldOf(field)]: { error: { message } } })
      }
      if (error instanceof ApiError && error.code === 409) setConflict(error.message)
    },
  })
  const merge = useMutation({
    mutationFn: reload,
    onSuccess: (fresh) => show(fresh, draft.form.getTouchedFields().map(String)),
  })

  const save = async () => {
    if (saving.isPending || !(await draft.validated())) return
    const values = Object.fromEntries(current.items.map(({ key }) => [key, draft.form.getFieldValue(fieldOf(key))]))
    const changed = changedValues(current.items, values)
    if (Object.keys(changed).length === 0) {
      tellSuccess('没有需要保存的修改')
      return
    }
    const beside = ask ? await ask(changed) : {}
    if (beside) saving.mutate({ value: changed, beside })
  }
  useSaveKey(active, save)
  const reset = (setting: Setting) => {
    draft.form.setFieldsValue({ [fieldOf(setting.key)]: setting.defaultValue ?? undefined })
    setTyped(draft.form.getFieldsValue())
    draft.formProps.onValuesChange()
  }
  const itemOf = (setting: Setting) => (
    <SettingItem
      key={setting.key}
      setting={isOfRow ? { ...setting, defaultValue: null, changed: false } : setting}
      ofPlatform={current.group === 'params'}
      typed={typed[fieldOf(setting.key)]}
      onReset={() => reset(setting)}
    />
  )
  const editable = current.items.some(({ readOnly }) => !readOnly)

  return (
    <>
      <div className="form-page" ref={draft.wrapper}>
        {conflict && (
          <Alert
            className="form-conflict"
            type="warning"
            title={conflict}
            content="重新载入会取回最新内容，您已填写的内容会保留。"
            action={
              <Button size="small" loading={merge.isPending} onClick={() => merge.mutate()}>
                重新载入
              </Button>
            }
          />
        )}
        {current.items.length === 0 && <p>目前没有院校可以修改的参数。</p>}
        <div className={current.group === 'brand' ? 'brand-form' : undefined}>
          <Form
            {...draft.formProps}
            className="form-grid"
            disabled={!editable}
            onValuesChange={(_, all) => {
              draft.formProps.onValuesChange()
              setTyped({ ...all })
            }}
            onSubmit={save}
          >
            {arrange ? arrange(current.items, itemOf) : current.items.map(itemOf)}
            <button type="submit" hidden />
          </Form>
          {current.group === 'brand' && <BrandPreview name={current.schoolName ?? ''} values={typed} />}
        </div>
      </div>
      {editable && (
        <Can do={edit}>
          <Space className="form-page-foot">
            <Button type="primary" loading={saving.isPending} title="Ctrl+S" onClick={save}>
              保存
            </Button>
          </Space>
        </Can>
      )}
    </>
  )
}
