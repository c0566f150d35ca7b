import { Select } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '@/api/errors'
import type { BodyOf, RowOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { useSettled } from '@/kit/useSettled'
import { listCommunityLabels, mergeCommunityLabels } from './api'

type Label = RowOf<typeof listCommunityLabels>
type Merge = BodyOf<typeof mergeCommunityLabels>

/** So many are offered; others are found by their names. */
const OFFERED = 50

interface LabelSelectProps {
  type: Label['labelType']
  except: readonly number[]
  value?: number
  onChange?: (id: number | undefined) => void
  'aria-label'?: string
}

/** A label of one type. */
const LabelSelect = ({ type, except, ...select }: LabelSelectProps) => {
  const request = useRequest()
  const [text, setText] = useState('')
  const labelName = useSettled(text) || undefined
  const found = useQuery({
    queryKey: [listCommunityLabels.path, 'choices', type, labelName],
    queryFn: ({ signal }) =>
      request(listCommunityLabels, { body: { labelName, labelType: type, pageSize: OFFERED } }, { signal }),
  })
  const others = (found.data?.list ?? []).filter(({ id }) => !except.includes(id))
  return (
    <Select
      {...select}
      placeholder="请选择标签"
      showSearch
      filterOption={false}
      loading={found.isFetching}
      onSearch={setText}
      notFoundContent={found.isError ? messageOf(found.error) : '没有找到，请换一个词'}
      options={others.map(({ id, labelName: label, refCount }) => ({
        value: id,
        label: `${label}（${refCount}次引用）`,
      }))}
    />
  )
}

const Field = fieldsOf(mergeCommunityLabels)

/** Labels of one type that are to fall together with another. */
export interface Merging {
  labels: readonly Label[]
  done?: () => void
}

/** 合并: what hangs on these labels hangs on another one then, and they are gone. */
export const MergeLabels = ({ record, ...drawer }: DrawerProps<Merging>) => {
  const labels = record?.labels ?? []
  const [first] = labels
  const ids = labels.map(({ id }) => id)
  return (
    <FormDrawer<Partial<Merge>, { id: number }>
      {...drawer}
      record={record && { fromIds: ids }}
      title="合并标签"
      okText="合并"
      danger
      action={(merge) => formAction(mergeCommunityLabels, '已合并标签', merge)}
      onSaved={() => record?.done?.()}
    >
      <p className="form-wide">
        {labels.map(({ labelName }) => `“${labelName}”`).join('、')}的引用移到所选标签，重复的合为一个；合并后不能恢复。
      </p>
      <Field name="toId">{first && <LabelSelect type={first.labelType} except={ids} />}</Field>
    </FormDrawer>
  )
}
