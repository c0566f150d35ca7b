import { listOptions } from '@/api/infra'
import { type Choice, OptionSelect } from '@/kit/OptionSelect'

const query = (enabled: boolean) => (keyword: string) => ({
  type: 'enrollmentBatch',
  keyword: keyword || undefined,
  enabled,
})

/** How batches are asked for where plans are looked up: closed ones too. */
export const batches = { options: listOptions, query: query(false) }
/** Those that are still planned for. */
const running = { options: listOptions, query: query(true) }

interface BatchSelectProps {
  value?: number
  onChange?: (id: number | undefined) => void
  known?: Choice
  /** Left out of the choices. */
  except?: number
  disabled?: boolean
  /** Closed ones can be chosen too. */
  closed?: boolean
  'aria-label'?: string
}

export const BatchSelect = ({ closed = false, ...rest }: BatchSelectProps) => (
  <OptionSelect {...rest} {...(closed ? batches : running)} label={rest['aria-label'] ?? '批次'} />
)
