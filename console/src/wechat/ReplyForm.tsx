import { Form, Input, Select } from '@arco-design/web-react'
import { useRef } from 'react'
import type { RowOf } from '@/api/operation'
import type { Warned } from '@/api/types/shared'
import { ClearingSelect } from '@/kit/ClearingSelect'
import { fieldsOf } from '@/kit/Field'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { editGzhAutoReply, saveGzhAutoReply, viewGzhAutoReply } from './api'
import { MaterialSelect } from './MaterialSelect'

type Reply = RowOf<typeof viewGzhAutoReply>
export type ReplyKind = Reply['replyKind']

/** Characters of an answer in words. */
const MOST = 600

const Field = fieldsOf(saveGzhAutoReply)

interface KeywordsProps {
  value?: string[]
  onChange?: (keywords: string[]) => void
  'aria-label'?: string
}

/** Between keywords that are typed or pasted together. */
const SEPARATORS = ['、', '，', ',', '；', ';']

/** Words that are typed one after the other; whoever goes on to the next field means what was typed last, too. */
const Keywords = ({ value = [], onChange, ...select }: KeywordsProps) => {
  const typed = useRef('')
  const take = () => {
    const keyword = typed.current.trim()
    typed.current = ''
    if (keyword && !value.includes(keyword)) onChange?.([...value, keyword])
  }
  return (
    <Select
      {...select}
      mode="multiple"
      allowCreate
      allowClear
      placeholder="输入关键词后按回车，多个可用顿号隔开"
      tokenSeparators={SEPARATORS}
      value={value}
      onChange={onChange}
      onInputValueChange={(text, reason) => {
        // The list of choices is hidden before the field is left.
        if (reason !== 'optionListHide') typed.current = text
      }}
      onBlur={take}
      options={value}
    />
  )
}

interface ReplyFormProps extends DrawerProps<Reply> {
  /** When it is said. */
  kind: ReplyKind
  title: string
}

/** 自动回复: what is said, and to which words. */
export const ReplyForm = ({ record, kind, title, ...drawer }: ReplyFormProps) => (
  <FormDrawer<Reply, Warned>
    {...drawer}
    record={record}
    title={`${record ? '编辑' : '新增'}${title}`}
    initial={{ replyKind: kind, keywords: [], matchMode: 'contains', replyType: 'text', sort: 1, enabled: true }}
    action={(reply) =>
      reply
        ? formAction(editGzhAutoReply, '已保存回复', reply)
        : formAction(saveGzhAutoReply, '已新增回复', { replyKind: kind })
    }
    reload={(reply, call) => call(viewGzhAutoReply, { query: { id: reply.id } })}
    keep={['matchMode', 'replyType']}
  >
    {kind === 'keyword' && (
      <>
        <Field name="keywords" required>
          <Keywords />
        </Field>
        <Field name="matchMode" required help="完全匹配优先于包含；都包含时取最长的关键词" />
      </>
    )}
    <Field name="replyType">
      <ClearingSelect options={saveGzhAutoReply.fields.replyType?.options} clears={['materialId']} />
    </Field>
    <Form.Item noStyle shouldUpdate>
      {({ replyType = 'text' }: Partial<Reply>) =>
        replyType === 'text' ? (
          <Field name="content" required>
            <Input.TextArea maxLength={MOST} showWordLimit autoSize={{ minRows: 3 }} />
          </Field>
        ) : (
          <Field name="materialId" required>
            <MaterialSelect
              key={replyType}
              kind={replyType}
              known={
                record?.materialId && record.materialName && record.replyType === replyType
                  ? { id: record.materialId, name: record.materialName }
                  : undefined
              }
            />
          </Field>
        )
      }
    </Form.Item>
    {kind === 'keyword' && <Field name="sort" />}
    <Field name="enabled" />
  </FormDrawer>
)
