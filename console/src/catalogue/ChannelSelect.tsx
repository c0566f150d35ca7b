import { Select } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '@/api/errors'
import { useAllowed } from '@/api/identity'
import { useRequest } from '@/api/schoolContext'
import type { Choice } from '@/kit/OptionSelect'
import { useSettled } from '@/kit/useSettled'
import { listLiveChannels } from '@/live/api'

/** So many of the newest are offered; others are found by their names. */
const OFFERED = 50

interface ChannelSelectProps {
  value?: number
  onChange?: (id: number | undefined) => void
  /** The chosen one's name, which may not be among the first. */
  known?: Choice
  'aria-label'?: string
}

/** A channel that lessons can be put on. */
export const ChannelSelect = ({ value, onChange, known, ...named }: ChannelSelectProps) => {
  const request = useRequest()
  const allowed = useAllowed()
  const [text, setText] = useState('')
  const keyword = useSettled(text) || undefined
  const found = useQuery({
    queryKey: [listLiveChannels.path, 'choices', keyword],
    queryFn: ({ signal }) =>
      request(listLiveChannels, { body: { keyword, enabled: true, pageSize: OFFERED } }, { signal }),
    enabled: allowed(listLiveChannels),
  })
  const open = (found.data?.list ?? [])
    .filter(({ state }) => state !== 'ended')
    .map(({ id, channelName }) => ({ value: id, label: channelName }))
  const all =
    known && !open.some((each) => each.value === known.code) ? [{ value: known.code, label: known.desc }, ...open] : open
  return (
    <Select
      {...named}
      placeholder="请选择直播频道"
      showSearch
      filterOption={false}
      loading={found.isFetching}
      value={value}
      onChange={onChange}
      onSearch={setText}
      notFoundContent={found.isError ? messageOf(found.error) : '没有找到，请先在“直播频道”中新增'}
      options={all}
    />
  )
}
