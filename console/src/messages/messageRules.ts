import type { RowOf } from '@/api/operation'
import type { listAppMessages } from './api'

type Message = RowOf<typeof listAppMessages>

/** Which steps a message's status allows, and why not (platform/messages/src/msg.rs). */
export const can = {
  edit: ({ status }: Message) => (status === 'draft' || status === 'scheduled' ? undefined : '消息已发送，不能修改'),
  send: ({ status }: Message) => (status === 'draft' ? undefined : '只有草稿可以发送'),
  recall: ({ status }: Message) =>
    status === 'sending' || status === 'sent' ? undefined : '只能撤回发送中或已发送的消息',
  delete: ({ status }: Message) =>
    ['draft', 'recalled', 'failed'].includes(status) ? undefined : '只能删除草稿、已撤回或发送失败的消息',
  look: ({ status }: Message) => (status === 'draft' || status === 'scheduled' ? '消息还没有发送' : undefined),
}
