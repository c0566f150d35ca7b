import type { BodyOf, FieldMeta, RowOf } from '@/api/operation'
import type {
  app_push_config,
  mail_config,
  sms_config,
  storage_config,
  video_aliyun_config,
  video_baijiayun_config,
  video_polyv_config,
  website_config,
  wechat_mp_config,
} from '@/api/types/settings'
import { type editConfig, type listConfigs, saveConfig } from './api'

type SystemConfig = RowOf<typeof listConfigs>
type ConfigEdit = BodyOf<typeof editConfig>
export type ConfigKind = SystemConfig['configKind']

interface Contents {
  website: website_config
  storage: storage_config
  video_polyv: video_polyv_config
  video_baijiayun: video_baijiayun_config
  video_aliyun: video_aliyun_config
  sms: sms_config
  wechat_mp: wechat_mp_config
  app_push: app_push_config
  mail: mail_config
}

/** In which order people fill them in; the document's own is the alphabet's. */
const order: { [Kind in ConfigKind]: readonly (keyof Contents[Kind] & string)[] } = {
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
  app_push: ['provider', 'appId', 'appKey', 'masterSecret'],
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
