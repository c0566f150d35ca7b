import { InputNumber, Select } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '@/api/errors'
import { useAllowed } from '@/api/identity'
import { useRequest } from '@/api/schoolContext'
import { isPhone } from '@/kit/isPhone'
import { useSettled } from '@/kit/useSettled'
import { listLearners } from '@/learners/api'

/** So many are offered; others are found by nickname or phone. */
const OFFERED = 50

/** Learners by their whole phone, as the list finds one, or part of their nickname. */
const useLearners = () => {
  const request = useRequest()
  const allowed = useAllowed()
  const [text, setText] = useState('')
  const typed = useSettled(text).trim()
  const asked = isPhone(typed) ? { phone: typed } : { nickname: typed || undefined }
  const mayList = allowed(listLearners)
  const found = useQuery({
    queryKey: [listLearners.path, 'choices', typed],
    queryFn: ({ signal }) =>
      request(listLearners, { body: { ...asked, enabled: true, pageSize: OFFERED } }, { signal }),
    enabled: mayList,
  })
  return {
    mayList,
    setText,
    loading: found.isFetching,
    nothing: found.isError ? messageOf(found.error) : '没有找到学员，请换昵称或完整的手机号',
    options: (found.data?.list ?? []).map(({ id, nickname, phone }) => ({
      value: id,
      label: nickname ? `${nickname}（${phone}）` : phone,
    })),
  }
}

interface LearnerSelectProps {
  value?: number
  onChange?: (id: number | undefined) => void
  'aria-label'?: string
}

/** A learner; whoever may not look at the learners types their number. */
export const LearnerSelect = ({ value, onChange, ...named }: LearnerSelectProps) => {
  const { mayList, setText, loading, nothing, options } = useLearners()
  if (!mayList) {
    return (
      <InputNumber
        {...named}
        min={1}
        precision={0}
        hideControl
        placeholder="学员编号"
        value={value}
        onChange={onChange}
      />
    )
  }
  return (
    <Select
      {...named}
      placeholder="输入昵称或完整的手机号查找"
      showSearch
      filterOption={false}
      loading={loading}
      value={value}
      onChange={onChange}
      onSearch={setText}
      notFoundContent={nothing}
      options={options}
    />
  )
}

interface LearnersSelectProps {
  value?: number[]
  onChange?: (ids: number[]) => void
  'aria-label'?: string
}

/** Several learners. Who was chosen keeps their name while others are looked for. */
export const LearnersSelect = ({ value, onChange, ...named }: LearnersSelectProps) => {
  const { mayList, setText, loading, nothing, options } = useLearners()
  const [known, setKnown] = useState<typeof options>([])
  const others = known.filter((each) => !options.some((option) => option.value === each.value))
  return (
    <Select
      {...named}
      mode="multiple"
      placeholder="输入昵称或完整的手机号查找"
      filterOption={false}
      loading={loading}
      value={value ?? []}
      onChange={(ids: number[]) => {
        setKnown([...options, ...others].filter((each) => ids.includes(each.value)))
        onChange?.(ids)
      }}
      onSearch={setText}
      notFoundContent={mayList ? nothing : '您没有“学员列表”权限，可以按名单发放'}
      options={[...others, ...options]}
    />
  )
}
