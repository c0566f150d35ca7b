import { SeveralOptions } from '@/kit/SeveralOptions'
import { listAvailableSchools } from './api'

/** How the schools that an operator may act for are asked for. */
export const schoolOptions = (keyword: string) => ({ keyword: keyword || undefined })

interface SchoolsSelectProps {
  value?: number[]
  onChange?: (ids: number[]) => void
  'aria-label'?: string
}

/** Several of the schools that an operator may act for. */
export const SchoolsSelect = ({ 'aria-label': label = '院校', ...chosen }: SchoolsSelectProps) => (
  <SeveralOptions {...chosen} label={label} placeholder="请选择" options={listAvailableSchools} query={schoolOptions} />
)
