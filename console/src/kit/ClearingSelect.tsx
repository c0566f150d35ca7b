import { Form, Select } from '@arco-design/web-react'

interface ClearingSelectProps {
  options: readonly (readonly [word: string, label: string])[] | undefined
  /** Fields that were chosen for the former word. */
  clears: readonly string[]
  value?: string | null
  onChange?: (word: string) => void
  'aria-label'?: string
}

/** A closed set on which other fields depend: the number that was chosen of one kind is another thing of another kind. */
export const ClearingSelect = ({ options = [], clears, value, onChange, ...named }: ClearingSelectProps) => {
  const { form } = Form.useFormContext()
  return (
    <Select
      {...named}
      placeholder="请选择"
      value={value ?? undefined}
      onChange={(word: string) => {
        onChange?.(word)
        form.setFieldsValue(Object.fromEntries(clears.map((field) => [field, undefined])))
      }}
      options={options.map(([word, label]) => ({ value: word, label }))}
    />
  )
}
