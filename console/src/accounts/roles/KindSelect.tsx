import { Select } from '@arco-design/web-react'
import { saveRole } from '../api'

interface KindSelectProps {
  inSchool: boolean
  disabled: boolean
  value?: string
  onChange?: (kind: string) => void
}

const kinds = saveRole.fields.kind?.options ?? []

/** Only the kinds that the area makes. */
export const KindSelect = ({ inSchool, ...props }: KindSelectProps) => (
  <Select
    {...props}
    aria-label="类型"
    options={kinds
      .filter(([kind]) => (kind === 'own') === inSchool)
      .map(([kind, words]) => ({ value: kind, label: words }))}
  />
)
