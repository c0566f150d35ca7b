import type { Operation } from '@/api/operation'
import { useDraft } from '@/kit/draft'
import { Labelled } from '@/kit/filters'
import { RegionName, RegionSelect } from './RegionSelect'

interface RegionFilterProps<Body> {
  of: Operation<undefined, Body, unknown>
  field: keyof Body & string
}

/** A province, a city or a county as the filter of a list. */
export const RegionFilter = <Body,>({ of, field }: RegionFilterProps<Body>) => {
  const draft = useDraft()
  const label = of.fields[field]?.label ?? field
  const value = draft.valueOf(field)
  return (
    <Labelled label={label} fields={[field]} words={<RegionName code={value ?? ''} />}>
      <RegionSelect aria-label={label} value={value} onChange={(code) => draft.set({ [field]: code }, true)} />
    </Labelled>
  )
}
