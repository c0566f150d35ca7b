import { Input } from '@arco-design/web-react'
import type { RowOf } from '@/api/operation'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { editLiveChannel, type listLiveChannels, saveLiveChannel, viewLiveChannel } from './api'

type Channel = RowOf<typeof listLiveChannels>

const Field = fieldsOf(saveLiveChannel)

/** 新增 and 编辑 of a channel. A secret that is not typed stays as it is. */
export const LiveChannelForm = ({ record, ...drawer }: DrawerProps<Channel>) => (
  <FormDrawer<Channel, { id: number }>
    {...drawer}
    record={record}
    title={record ? `编辑频道 ${record.channelName}` : '新增频道'}
    initial={{ provider: 'polyv', scene: 'lecture', enabled: true }}
    action={(edited) =>
      edited ? formAction(editLiveChannel, '已保存频道', edited) : formAction(saveLiveChannel, '已新增频道')
    }
    reload={(edited, call) => call(viewLiveChannel, { query: { id: edited.id } })}
    keep={['provider', 'scene', 'enabled']}
  >
    <Field name="channelName" />
    <Field name="provider" />
    <Field name="channelNo" />
    <Field name="scene" />
    <Field name="maxViewers" />
    <Field name="pushUrl" help={record?.hasSecrets ? '已保存，不修改时留空' : '以 rtmp://、rtmps:// 或 https:// 开头'}>
      <Input autoComplete="off" maxLength={500} />
    </Field>
    <Field name="assistantPassword" help={record?.hasSecrets ? '已保存，不修改时留空' : undefined}>
      <Input.Password autoComplete="new-password" maxLength={40} />
    </Field>
    <Field name="enabled" />
  </FormDrawer>
)
