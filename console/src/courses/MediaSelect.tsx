import { Button, Dropdown, Menu, Progress, Select } from '@arco-design/web-react'
import { IconUpload } from '@arco-design/web-react/icon'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { messageOf } from '@/api/errors'
import { UploadState, type UploadStep } from '@/api/files'
import { useAllowed } from '@/api/identity'
import { useCall, useRequest } from '@/api/schoolContext'
import type { Choice } from '@/kit/OptionSelect'
import { useSettled } from '@/kit/useSettled'
import { listMedia } from '@/settings/api'
import { type ChannelName, channels, sendVideo } from './sendVideo'
import './courses.css'

/** So many of the newest are offered; others are found by their title. */
const OFFERED = 50

const states = Object.fromEntries(listMedia.columns.state?.options ?? [])

interface MediaSelectProps {
  value?: number
  onChange?: (id: number | undefined) => void
  known?: Choice
  'aria-label'?: string
}

/** A video or audio: one of those that were uploaded, or a new one that goes straight to its channel. */
export const MediaSelect = ({ value, onChange, known, ...named }: MediaSelectProps) => {
  const request = useRequest()
  const call = useCall()
  const [text, setText] = useState('')
  const [step, setStep] = useState<UploadStep>()
  const [channel, setChannel] = useState<ChannelName>('aliyun')
  const [sent, setSent] = useState(known)
  const input = useRef<HTMLInputElement>(null)
  const allowed = useAllowed()
  const title = useSettled(text) || undefined
  const found = useQuery({
    queryKey: [listMedia.path, title],
    queryFn: ({ signal }) => request(listMedia, { body: { title, pageSize: OFFERED } }, { signal }),
    enabled: allowed(listMedia),
  })
  const media = (found.data?.list ?? []).map((each) => ({
    code: each.id,
    desc: each.state === 'ready' ? each.title : `${each.title}（${states[each.state] ?? each.state}）`,
  }))
  const all = sent && !media.some(({ code }) => code === sent.code) ? [sent, ...media] : media
  const open = Object.entries(channels).filter(([, { begin }]) => allowed(begin))

  const send = async (file: File) => {
    try {
      const made = await sendVideo(channel, file, setStep, call)
      setStep(undefined)
      setSent(made)
      found.refetch()
      onChange?.(made.code)
    } catch {
      // The step says why; the person has read it.
    }
  }
  const isUploading = step?.state === UploadState.progress

  return (
    <div className="media-select">
      <Select
        {...named}
        placeholder="请选择已上传的音视频"
        allowClear
        showSearch
        filterOption={false}
        loading={found.isFetching}
        value={value}
        onChange={onChange}
        onSearch={setText}
        notFoundContent={found.isError ? messageOf(found.error) : '没有找到，请换一个词或上传'}
        options={all.map(({ code, desc }) => ({ value: code, label: desc }))}
      />
      <input
        ref={input}
        type="file"
        hidden
        aria-label="音视频文件"
        accept="video/*,audio/*"
        onChange={(event) => {
          const file = event.target.files?.[0]
          event.target.value = ''
          if (file) send(file)
        }}
      />
      {isUploading && <Progress percent={step.percent} aria-label="音视频上传进度" />}
      {!isUploading && open.length > 0 && (
        <Dropdown
          trigger="click"
          droplist={
            <Menu
              onClickMenuItem={(name) => {
                const chosen = open.find(([each]) => each === name)
                if (!chosen) return
                setChannel(name === 'polyv' || name === 'baijiayun' ? name : 'aliyun')
                input.current?.click()
              }}
            >
              {open.map(([name, { label }]) => (
                <Menu.Item key={name}>上传到{label}</Menu.Item>
              ))}
            </Menu>
          }
        >
          <Button icon={<IconUpload />}>上传</Button>
        </Dropdown>
      )}
      {step && !isUploading && 'message' in step && <span role="alert">{step.message}</span>}
    </div>
  )
}
