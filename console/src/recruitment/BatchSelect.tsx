import { Form } from '@arco-design/web-react'
import { listOptions } from '@/api/infra'
import { OptionSelect } from '@/kit/OptionSelect'

/** How batches are asked for: those that are over or switched off too, because people are still looked up in them. */
export const batches = {
  options: listOptions,
  query: (keyword: string) => ({ type: 'preRegistrationBatch', keyword: keyword || undefined, enabled: false }),
}

interface BatchSelectProps {
  value?: number
  onChange?: (id: number | undefined) => void
  'aria-label'?: string
}

export const BatchSelect = (props: BatchSelectProps) => (
  <OptionSelect {...props} {...batches} label={props['aria-label'] ?? '批次'} />
)

/** The same in a form: another batch has other levels, majors and sites. */
export const BatchOfForm = ({ onChange, ...rest }: BatchSelectProps) => {
  const { form } = Form.useFormContext()
  return (
    <BatchSelect
      {...rest}
      onChange={(id) => {
        form.setFieldsValue({ levelId: undefined, majorId: undefined, siteId: undefined })
        onChange?.(id)
      }}
    />
  )
}
