import type { Operation } from '@/api/operation'
import { useDraft } from '@/kit/FilterBar'
import { RegionSelect } from './RegionSelect'

interface RegionFilterProps<Body> {
  of: Operation<undefined, Body, unknown>
  field: keyof Body & string
}

/** A province, a city or a county as the filter of a list. */
export const RegionFilter = <Body,>({ of, field }: RegionFilterProps<Body>) => {
  const draft = useDraft()
  const label = of.fields[field]?.label ?? field
  return (
    <div className="filter">
      <span className="filter-label">{label}</span>
      <RegionSelect
        aria-label={label}
        value={draft.valueOf(field)}
        onChange={(code) => draft.set({ [field]: code }, true)}
      />
    </div>
  )
}
