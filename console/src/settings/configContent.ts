import type { FieldMeta } from '@/api/operation'
import type { components } from '@/api/schema'
import { saveConfig } from './api'

type SystemConfig = components['schemas']['SystemConfig']
type ConfigEdit = components['schemas']['ConfigEdit']
export type ConfigKind = SystemConfig['configKind']

type Schemas = components['schemas']

/** In which order people fill them in; the document's own is the alphabet's. */
const order: { [Kind in ConfigKind]: readonly (keyof Schemas[`${Kind}_config`] & string)[] } = {
  website: [
    'title',
    'domain',
    'logo',
    'logoNoWord',
    'ico',
    'loginBackground',
    'copyright',
    'icp',
    'policeRecord',
    'servicePhone',
    'keywords',
    'description',
    'schoolAssistanceCenter',
  ],
  storage: ['provider', 'endpoint', 'region', 'bucket', 'keyId', 'secret', 'directory', 'publicBaseUrl'],
  video_polyv: ['userId', 'writeToken', 'readToken', 'secretKey', 'liveAppId', 'liveAppSecret'],
  video_baijiayun: ['partnerId', 'partnerKey', 'privateDomain'],
  video_aliyun: ['region', 'keyId', 'secret'],
  sms: ['provider', 'keyId', 'secret', 'signName', 'receiptSecret'],
  wechat_mp: ['appId', 'appSecret', 'token', 'encodingAesKey', 'originalId'],
  app_push: ['provider', 'appKey', 'masterSecret'],
  mail: ['host', 'port', 'security', 'user', 'password', 'from', 'fromName', 'replyTo'],
}

/** The fields of a kind's content, as the document tells them. */
export const fieldsOfKind = (kind: ConfigKind): Readonly<Record<string, FieldMeta>> => {
  const known = saveConfig.fields.content?.variants?.[`${kind}_config`] ?? {}
  const first: readonly string[] = order[kind]
  const placeOf = (name: string) => (first.includes(name) ? first.indexOf(name) : first.length)
  return Object.fromEntries(Object.entries(known).sort(([a], [b]) => placeOf(a) - placeOf(b)))
}

/** Whether the server keeps a field to itself: it answers `<name>Set` in its place. */
export const secretOf = (content: Readonly<Record<string, unknown>>, name: string) => {
  if (!(`${name}Set` in content)) return undefined
  const tail = content[`${name}Tail`]
  return { set: content[`${name}Set`] === true, tail: typeof tail === 'string' ? tail : undefined }
}

const isContent = (content: unknown): content is ConfigEdit['content'] =>
  typeof content === 'object' && content !== null

/** A config as it was read, to be sent again; the server reads a secret that is null as unchanged. */
export const bodyOfConfig = (config: SystemConfig): ConfigEdit => {
  const { id, version, configName, configKind, schoolId, content, isDefault, enabled, remark } = config
  if (!isContent(content)) throw new TypeError(`config ${id} has no content`)
  return { id, version, configName, configKind, schoolId, content, isDefault, enabled, remark }
}
