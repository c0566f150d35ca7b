import { Divider, Input, Select } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useLocation } from 'react-router'
import { call } from '@/api/client'
import type { FieldMeta, Operation, RowOf } from '@/api/operation'
import { fieldsOf } from '@/kit/Field'
import { FormPage } from '@/kit/FormPage'
import { formAction } from '@/kit/formAction'
import { Loaded } from '@/kit/Loaded'
import { OptionSelect } from '@/kit/OptionSelect'
import { PictureUpload } from '@/kit/PictureUpload'
import { paths } from '@/paths'
import { listAvailableSchools } from '@/schools/api'
import { schoolOptions } from '@/schools/SchoolsSelect'
import { editConfig, saveConfig, viewConfig } from './api'
import { type ConfigKind, fieldsOfKind, secretOf } from './configContent'
import { ReceiptAddress } from './ReceiptAddress'

type SystemConfig = RowOf<typeof viewConfig>

const Field = fieldsOf(saveConfig)

const pictures: ReadonlySet<string> = new Set(['logo', 'logoNoWord', 'ico', 'loginBackground'])

const isKind = (value: unknown): value is ConfigKind =>
  saveConfig.fields.configKind?.options?.some(([known]) => known === value) ?? false

/** The fields of one kind, each at its place in `content`. */
const operationOf = (
  fields: Readonly<Record<string, FieldMeta>>,
): Operation<undefined, Record<string, unknown>, unknown> => ({
  ...saveConfig,
  fields: Object.fromEntries(Object.entries(fields).map(([name, meta]) => [`content.${name}`, meta])),
  types: undefined,
})

const controlOf = (name: string, meta: FieldMeta, set: { set: boolean; tail?: string } | undefined) => {
  if (pictures.has(name)) return <PictureUpload />
  if (!meta.secret) return undefined
  const placeholder = set?.set ? `已设置${set.tail ? `，尾号${set.tail}` : ''}，不修改请留空` : '请输入'
  return <Input.Password placeholder={placeholder} autoComplete="new-password" />
}

const ContentFields = ({ kind, content }: { kind: ConfigKind; content: Readonly<Record<string, unknown>> }) => {
  const fields = fieldsOfKind(kind)
  // A new component each time would lose what is being typed.
  const Inner = useMemo(() => fieldsOf(operationOf(fieldsOfKind(kind))), [kind])
  return (
    <>
      {Object.entries(fields).map(([name, meta]) => (
        <Inner key={`${kind}.${name}`} name={`content.${name}`}>
          {controlOf(name, meta, secretOf(content, name))}
        </Inner>
      ))}
    </>
  )
}

const contentOf = (config: SystemConfig | undefined): Readonly<Record<string, unknown>> => {
  const content: unknown = config?.content
  return typeof content === 'object' && content !== null ? { ...content } : {}
}

/** Controls take no null. */
const filled = (config: SystemConfig) => ({
  ...config,
  content: Object.fromEntries(Object.entries(contentOf(config)).filter(([, value]) => value !== null)),
})

/** What a kind knows, and nothing that was typed for another. */
const onlyKnown = (kind: ConfigKind, values: object) => {
  const given = 'content' in values && typeof values.content === 'object' ? { ...values.content } : {}
  const known = Object.keys(fieldsOfKind(kind))
  const content = Object.fromEntries(
    Object.entries(given).filter(([name, value]) => known.includes(name) && value !== ''),
  )
  return { ...values, content }
}

const Form = ({ config }: { config?: SystemConfig }) => {
  const [kind, setKind] = useState<ConfigKind>(config?.configKind ?? 'website')
  const first = { configKind: kind, isDefault: true, enabled: true, content: {} }
  return (
    <FormPage
      title={config ? `编辑系统配置 ${config.configName}` : '新增系统配置'}
      help="密钥保存后不再显示；留空表示不修改。"
      record={config && filled(config)}
      initial={first}
      list={paths.systemConfig}
      onValuesChange={({ configKind }) => isKind(configKind) && setKind(configKind)}
      action={(row) => {
        const save = row ? formAction(editConfig, '已保存配置', row) : formAction(saveConfig, '已新增配置')
        return { ...save, send: (values, request) => save.send(onlyKnown(kind, values), request) }
      }}
      reload={async (row) => filled(await call(viewConfig, { query: { id: row.id } }))}
    >
      <Field name="configName" />
      <Field name="configKind">
        <Select
          disabled={config !== undefined}
          options={(saveConfig.fields.configKind?.options ?? []).map(([value, label]) => ({ value, label }))}
        />
      </Field>
      <Field name="schoolId" help="留空为平台配置；院校没有自己的配置时使用平台的">
        <OptionSelect
          label="院校"
          options={listAvailableSchools}
          query={schoolOptions}
          known={config?.schoolId ? { code: config.schoolId, desc: config.schoolName ?? '' } : undefined}
          disabled={config !== undefined}
        />
      </Field>
      <Field name="remark" />
      <Field name="isDefault" help="同类别、同院校只有一个启用的默认配置" />
      <Field name="enabled" />
      <Divider orientation="left">配置内容</Divider>
      <ContentFields key={kind} kind={kind} content={contentOf(config)} />
      {kind === 'sms' && (
        <ReceiptAddress id={config?.id} isSet={secretOf(contentOf(config), 'receiptSecret')?.set === true} />
      )}
    </FormPage>
  )
}

export const NewConfigPage = () => <Form />

export const EditConfigPage = () => {
  const id = Number(new URLSearchParams(useLocation().search).get('id'))
  const view = () => call(viewConfig, { query: { id } })
  const query = useQuery({ queryKey: [viewConfig.path, id], queryFn: view, gcTime: 0 })
  return <Loaded query={query}>{(config) => <Form key={config.id} config={config} />}</Loaded>
}
