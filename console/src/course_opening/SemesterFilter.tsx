import type { ReactNode } from 'react'
import type { listOptions } from '@/api/infra'
import type { OperationMeta } from '@/api/operation'
import { semesters } from '@/basic_data/choices'
import { useDraft } from '@/kit/draft'
import { Labelled } from '@/kit/filters'
import { type Choice, OptionName, OptionSelect } from '@/kit/OptionSelect'
import { useSemester } from './useSemester'

interface SemesterFilterProps {
  /** The list, which over all schools is asked by the text of a code or a name. */
  of: OperationMeta
  field: 'semesterId' | 'belowMinimumOf'
  /** The choices, by which the bar knows that they are a school's own. */
  options: typeof listOptions
  /** The semester that holds where the address names no other. */
  usual: Choice | undefined
}

/** 学期: every list of the teaching is one semester's, so the filter is never empty. */
export const SemesterFilter = ({ field, options, usual }: SemesterFilterProps) => {
  const draft = useDraft()
  const asked = Number(draft.valueOf(field)) || undefined
  return (
    <Labelled
      label="学期"
      fields={[field]}
      words={<OptionName options={options} query={semesters.query} id={asked ?? 0} />}
    >
      <OptionSelect
        label="学期"
        placeholder="全部"
        options={options}
        query={semesters.query}
        value={asked ?? usual?.code}
        known={usual}
        onChange={(id) => draft.set({ [field]: id === undefined || id === usual?.code ? undefined : String(id) }, true)}
      />
    </Labelled>
  )
}

/** What begins with the current semester is made when that is known. */
export const InSemester = ({ children }: { children: (semester: Choice | undefined) => ReactNode }) => {
  const { isPending, semester } = useSemester()
  return isPending ? <div className="table-box" aria-busy /> : children(semester)
}
