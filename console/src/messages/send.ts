import { call, request } from '@/api/client'
import { ApiError, messageOf, tellError, tellSuccess } from '@/api/errors'
import type { Operation, RowOf } from '@/api/operation'
import { refetchAll } from '@/api/query'
import { confirm } from '@/kit/confirm'
import { formatTime } from '@/kit/format'
import type { listAppMessages } from './api'

type Message = RowOf<typeof listAppMessages>

/** Sends by a screen's own call, and asks once more when the content has words of the library. */
export const send = async (
  message: Message,
  operation: Operation<{ id: number; force?: boolean | null }, undefined, unknown>,
) => {
  const timed = message.sendMode === 'timed'
  const sure = await confirm({
    title: timed ? `定时发送“${message.title}”？` : `现在发送“${message.title}”？`,
    content: timed
      ? `将在${formatTime(message.sendAt)}发送，之前可以取消。`
      : '站内信可以撤回，短信、邮件和推送发出后不能撤回。',
    okText: '发送',
  })
  if (!sure) return
  const sent = (force?: boolean) =>
    request(operation, { query: { id: message.id, force } }, { quiet: (refusal) => refusal.code === 422 })
  try {
    await sent()
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 422) return
    if (!error.message.includes('敏感词')) {
      tellError(messageOf(error))
      return
    }
    if (!(await confirm({ title: '内容包含敏感词', content: error.message, okText: '仍然发送', danger: true }))) return
    await call(operation, { query: { id: message.id, force: true } })
  } finally {
    refetchAll()
  }
  tellSuccess(timed ? `“${message.title}”将按时发送` : `“${message.title}”开始发送`)
}
