import { Button, Input, Radio, Select } from '@arco-design/web-react'
import { DateInput } from '@/kit/DateInput'
import { Masked } from '@/kit/Masked'
import { DictionarySelect } from '@/settings/DictionarySelect'
import { listAdmissionInformations } from './api'
import type { Group } from './groups'
import type { Answer, Item, View } from './informationRules'

interface ItemsInputProps {
  group: Group
  view: View
  value?: Answer[]
  onChange?: (answers: Answer[]) => void
  'aria-label'?: string
}

const genders = (listAdmissionInformations.columns.gender?.options ?? []).map(([value, label]) => ({ value, label }))

const hints: Partial<Record<Item['key'], string>> = {
  admission_photo: '说明照片的问题',
  graduation_photo: '说明照片的问题',
}

interface RightProps {
  item: Item
  value: string | undefined
  onChange: (text: string | undefined) => void
}

/** 应为 of an item, in the control of its kind. */
const Right = ({ item: { key, label }, value, onChange }: RightProps) => {
  const named = { 'aria-label': `${label}应为` }
  switch (key) {
    case 'gender':
      return <Select {...named} placeholder="请选择" options={genders} value={value} onChange={onChange} />
    case 'birthday':
    case 'enrolled_on':
    case 'expected_graduation_on':
      return <DateInput {...named} value={value} onChange={onChange} />
    case 'ethnicity':
      return <DictionarySelect {...named} type="ethnicity" value={value} onChange={onChange} />
    case 'political_status':
      return <DictionarySelect {...named} type="political_status" value={value} onChange={onChange} />
    default:
      return (
        <Input
          {...named}
          placeholder={hints[key] ?? '应为'}
          maxLength={100}
          value={value ?? ''}
          onChange={(text) => onChange(text || undefined)}
        />
      )
  }
}

/** 核对项: of each whether it is right, and of what is wrong what is right. */
export const ItemsInput = ({ group, view, value = [], onChange, 'aria-label': label }: ItemsInputProps) => {
  const answerOf = (item: Item) => value.find(({ key }) => key === item.key)
  const answer = ({ key }: Item, next: Omit<Answer, 'key'>) =>
    onChange?.([...value.filter((each) => each.key !== key), { key, ...next }])
  const open = view.items.filter((item) => !answerOf(item))
  return (
    <div className="information-answers">
      {open.length > 0 && (
        <Button size="small" onClick={() => onChange?.([...value, ...open.map(({ key }) => ({ key, ok: true }))])}>
          其余{open.length}项无误
        </Button>
      )}
      <table aria-label={label} className="information-items">
        <thead>
          <tr>
            <th scope="col">项目</th>
            <th scope="col">登记的信息</th>
            <th scope="col">核对</th>
            <th scope="col">应为</th>
          </tr>
        </thead>
        <tbody>
          {view.items.map((item) => {
            const said = answerOf(item)
            return (
              <tr key={item.key} className={said?.ok === false ? 'differs' : undefined}>
                <th scope="row">{item.label}</th>
                <td>
                  {item.key === 'id_card_no' ? (
                    <Masked
                      entity={group.entity}
                      id={view.id}
                      field="idCardNo"
                      label={item.label}
                      value={item.registered}
                    />
                  ) : (
                    (item.registered ?? <span className="nothing">—</span>)
                  )}
                </td>
                <td>
                  <Radio.Group
                    aria-label={`${item.label}核对`}
                    value={said?.ok}
                    options={[
                      { value: true, label: '无误' },
                      { value: false, label: '有误' },
                    ]}
                    onChange={(ok: boolean) => answer(item, { ok, declared: ok ? undefined : said?.declared })}
                  />
                </td>
                <td>
                  {said?.ok === false && (
                    <Right
                      item={item}
                      value={said.declared ?? undefined}
                      onChange={(declared) => answer(item, { ok: false, declared })}
                    />
                  )}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
