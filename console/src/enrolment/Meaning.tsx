import { Select } from '@arco-design/web-react'
import type { EnrollmentField } from '@/api/types/shared'
import { BasicSelect } from '@/basic_data/BasicSelect'
import { DictionarySelect } from '@/settings/DictionarySelect'
import { useEnumeration } from '@/settings/useEnumeration'
import { saveEnrollmentMajor, summarizeSiteEnrollments } from './api'
import type { Coded } from './mappingFields'

/** What a field is called, in the server's words. */
export const useFieldNames = () => {
  const words = new Map(useEnumeration('enrollmentField').map(({ code, desc }) => [code, desc]))
  return (field: EnrollmentField) => words.get(field) ?? field
}

interface MeaningProps {
  field: Coded
  value: string | undefined
  onChange: (value: string | undefined) => void
  disabled: boolean
  'aria-label': string
}

/** Choices of a field that has few of them. */
const Words = ({
  options,
  value,
  onChange,
  disabled,
  ...named
}: Omit<MeaningProps, 'field'> & { options: readonly (readonly [value: string, label: string])[] }) => (
  <Select
    {...named}
    placeholder="请选择"
    disabled={disabled}
    value={value}
    onChange={onChange}
    options={options.map(([code, label]) => ({ value: code, label }))}
  />
)

/** What a code of the authority means here, of the field's own choices. */
export const Meaning = ({ field, ...rest }: MeaningProps) => {
  const genders = useEnumeration('gender').filter(({ code }) => code !== 'unknown')
  const former = useEnumeration('preEduLevel')
  const pairs = (choices: readonly { code: string; desc: string }[]) =>
    choices.map(({ code, desc }) => [code, desc] as const)
  switch (field) {
    case 'level':
      return (
        <BasicSelect
          type="level"
          aria-label={rest['aria-label']}
          disabled={rest.disabled}
          value={Number(rest.value) || undefined}
          onChange={(id) => rest.onChange(id === undefined ? undefined : String(id))}
        />
      )
    case 'study_form':
      return <Words {...rest} options={summarizeSiteEnrollments.columns.studyForm?.options ?? []} />
    case 'exam_category':
      return <Words {...rest} options={saveEnrollmentMajor.fields.examCategory?.options ?? []} />
    case 'gender':
      return <Words {...rest} options={pairs(genders)} />
    case 'pre_edu_level':
      return <Words {...rest} options={pairs(former)} />
    default:
      return <DictionarySelect {...rest} type={field} />
  }
}
