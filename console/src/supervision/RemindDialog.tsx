import { Alert, Button, Checkbox, Input, Modal, Select, Skeleton } from '@arco-design/web-react'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, messageOf, tellSuccess } from '@/api/errors'
import type { BodyOf } from '@/api/operation'
import { refetchAll } from '@/api/query'
import { useRequest } from '@/api/schoolContext'
import { IN_BACKGROUND } from '@/kit/actions'
import { tellFailures } from '@/kit/BulkBar'
import { confirm } from '@/kit/confirm'
import { formatNumber, formatTime } from '@/kit/format'
import { useSettled } from '@/kit/useSettled'
import { previewSuperviseReminder, remindSuperviseStudents } from './api'
import { channelWord } from './words'

type Asked = BodyOf<typeof remindSuperviseStudents>

/** Who is reminded: cases by their numbers, or whoever a filter names. */
export type Reminded = { count: number; done?: () => void } & ({ ids: number[] } | { filter: object })

/** Words of the library in what somebody adds: they may mean them. */
const isWarned = (error: unknown) => error instanceof ApiError && error.code === 422 && error.message.includes('敏感词')

const whose = (reminded: Reminded): Asked => ('ids' in reminded ? { ids: reminded.ids } : { filter: reminded.filter })

/** 提醒: of what, how, and what it will say, before anybody gets it (05 C5). */
export const RemindDialog = ({ reminded, onClose }: { reminded: Reminded; onClose: () => void }) => {
  const request = useRequest()
  const [kinds, setKinds] = useState<NonNullable<Asked['kinds']>>([])
  /** None: all that are offered. */
  const [channels, setChannels] = useState<NonNullable<Asked['channels']>>()
  const [text, setText] = useState('')
  const settled = useSettled(text)
  const asked = (words: string): Asked => ({
    ...whose(reminded),
    kinds,
    ...(channels && { channels }),
    ...(words.trim() && { text: words.trim() }),
  })
  const body = asked(settled)
  const look = useQuery({
    queryKey: [previewSuperviseReminder.path, body],
    queryFn: ({ signal }) => request(previewSuperviseReminder, { body }, { signal }),
    placeholderData: keepPreviousData,
  })
  // Which channels there are is told before one of them is left out.
  const all = useQuery({
    queryKey: [previewSuperviseReminder.path, 'channels', whose(reminded)],
    queryFn: ({ signal }) => request(previewSuperviseReminder, { body: whose(reminded) }, { signal }),
  })
  const send = useMutation({
    mutationFn: async () => {
      const body = asked(text)
      try {
        return await request(remindSuperviseStudents, { body }, { quiet: isWarned })
      } catch (error) {
        if (!isWarned(error)) throw error
        // What follows is asked by whoever may send messages at all; the server knows.
        if (!(await confirm({ title: '附言包含敏感词', content: messageOf(error), okText: '仍然发送', danger: true })))
          return undefined
        return request(remindSuperviseStudents, { body: { ...body, force: true } })
      }
    },
    onSuccess: async (told) => {
      if (!told) return
      reminded.done?.()
      onClose()
      await refetchAll()
      if (told.jobId) tellSuccess(IN_BACKGROUND)
      else if (told.failed.length > 0) tellFailures('提醒', told)
      else tellSuccess(`已提醒${formatNumber(told.done)}名学生`)
    },
    onError: () => refetchAll(),
  })
  const preview = look.data
  const nobody = channels?.length === 0 || preview?.sends === 0
  const close = async () => {
    const isTyped = text.trim() !== ''
    if (!isTyped || (await confirm({ title: '附言还没有发送，确定关闭吗？', okText: '关闭', danger: true }))) onClose()
  }
  return (
    <Modal
      title={`提醒${formatNumber(reminded.count)}名学生`}
      visible
      style={{ width: 640 }}
      okText={preview ? `发送给${formatNumber(channels?.length === 0 ? 0 : preview.sends)}人` : '发送'}
      cancelText="取消"
      confirmLoading={send.isPending}
      okButtonProps={{ disabled: !preview || nobody || look.isPlaceholderData }}
      onOk={() => send.mutate()}
      onCancel={close}
    >
      <div className="supervise-remind">
        <div>
          <span>预警类型</span>
          <Select
            mode="multiple"
            aria-label="预警类型"
            placeholder="全部"
            allowClear
            value={kinds}
            options={(remindSuperviseStudents.fields.kinds?.options ?? []).map(([value, label]) => ({ value, label }))}
            onChange={setKinds}
          />
        </div>
        <div>
          <span>发送通道</span>
          <Checkbox.Group
            value={channels ?? all.data?.channels.map(({ channel }) => channel) ?? []}
            onChange={setChannels}
          >
            {all.data?.channels.map(({ channel, reachable }) => (
              <Checkbox key={channel} value={channel}>
                {channelWord(channel)}（可达{formatNumber(reachable)}人）
              </Checkbox>
            ))}
          </Checkbox.Group>
          {all.isError && (
            <span>
              {messageOf(all.error)}
              <Button type="text" size="mini" onClick={() => all.refetch()}>
                重试
              </Button>
            </span>
          )}
          {all.data?.channels.length === 0 && <span>学习提醒没有开通任何通道，请联系平台人员</span>}
        </div>
        <div>
          <span>附言</span>
          <Input.TextArea
            aria-label="附言"
            placeholder="可不填，附在提醒内容后面"
            maxLength={remindSuperviseStudents.fields.text?.maxLength}
            showWordLimit
            autoSize={{ minRows: 1, maxRows: 3 }}
            value={text}
            onChange={setText}
          />
        </div>
        {look.isPending && <Skeleton text={{ rows: 3 }} animation />}
        {look.isError && (
          <Alert
            type="error"
            content={messageOf(look.error)}
            action={
              <Button size="mini" onClick={() => look.refetch()}>
                重试
              </Button>
            }
          />
        )}
        {preview && (
          <>
            {preview.sampleText && (
              <section aria-label="内容示例">
                <h3>{preview.sampleName}将收到</h3>
                <p className="supervise-sample">{preview.sampleText}</p>
              </section>
            )}
            <p>
              {new Date(preview.sentAt) > new Date()
                ? `现在不在提醒时段，将于${formatTime(preview.sentAt, 'MM月DD日 HH:mm')}发送。`
                : '立即发送。'}
            </p>
            {preview.skipped.length > 0 && (
              <ul aria-label="不提醒的学生">
                {preview.skipped.map(({ reason, count }) => (
                  <li key={reason}>
                    {reason}：{formatNumber(count)}人
                  </li>
                ))}
              </ul>
            )}
          </>
        )}
      </div>
    </Modal>
  )
}
