import { Select } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useRequest } from '@/api/schoolContext'
import { FIRST_PAGE } from '@/kit/useQueryTable'
import { listThesisPlans } from './api'

const MOST = 200

/** The plans of the school, the newest first. */
export const usePlans = () => {
  const request = useRequest()
  const found = useQuery({
    queryKey: [listThesisPlans.path, 'choices'],
    queryFn: ({ signal }) =>
      request(listThesisPlans, { body: { pageCurrent: FIRST_PAGE, pageSize: MOST } }, { signal }),
  })
  return found.data?.list ?? []
}

/** The same for a filter: its values are texts. */
export const usePlanChoices = () => usePlans().map(({ id, name }) => ({ value: String(id), label: name }))

interface PlanSelectProps {
  value?: number
  onChange?: (id: number | undefined) => void
  'aria-label'?: string
  disabled?: boolean
}

export const PlanSelect = ({ value, onChange, disabled, 'aria-label': label = '论文批次' }: PlanSelectProps) => (
  <Select
    aria-label={label}
    placeholder="请选择"
    disabled={disabled}
    value={value}
    onChange={(id: number | undefined) => onChange?.(id)}
    options={usePlans().map(({ id, name }) => ({ value: id, label: name }))}
  />
)
