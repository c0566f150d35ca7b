import { DatePicker, Input, InputNumber, Select } from '@arco-design/web-react'
import type { ReactNode } from 'react'
import type { Operation } from '@/api/operation'
import { Chip, wordsOf } from './Chip'
import { useDraft } from './draft'
import { type Choice, OptionName, OptionSelect } from './OptionSelect'

/** The filters of a list. `of` is its operation: field names are checked against its body, words come from it. */

interface FilterProps<Body> {
  of: Operation<undefined, Body, unknown>
  field: keyof Body & string
  label?: string
}

const useFilter = (field: string, label: string | undefined) => {
  const draft = useDraft()
  const meta = draft.operation.fields[field]
  return { draft, meta, words: label ?? meta?.label ?? field, value: draft.valueOf(field) }
}

interface LabelledProps {
  label: string
  fields: readonly string[]
  /** What is searched for, in words. */
  words: ReactNode
  children: ReactNode
}

/** A filter as a control, or as a chip of what is searched for. */
export const Labelled = ({ label, fields, words, children }: LabelledProps) =>
  useDraft().as === 'chip' ? (
    <Chip label={label} fields={fields}>
      {words}
    </Chip>
  ) : (
    <div className="filter">
      <span className="filter-label">{label}</span>
      {children}
    </div>
  )

interface TextFilterProps<Body> extends FilterProps<Body> {
  placeholder?: string
}

export const TextFilter = <Body,>({ field, label, placeholder = '请输入' }: TextFilterProps<Body>) => {
  const { draft, meta, words, value } = useFilter(field, label)
  return (
    <Labelled label={words} fields={[field]} words={value}>
      <Input
        aria-label={words}
        placeholder={placeholder}
        allowClear
        maxLength={meta?.maxLength}
        value={value ?? ''}
        onChange={(text) => draft.set({ [field]: text })}
      />
    </Labelled>
  )
}

interface NumberFilterProps<Body> extends TextFilterProps<Body> {
  /** Places of a number that is no whole one. */
  places?: number
}

/** A number within what the document allows: anything else would be no filter, with a chip that claims one. */
export const NumberFilter = <Body,>({ field, label, placeholder, places = 1 }: NumberFilterProps<Body>) => {
  const { draft, meta, words, value } = useFilter(field, label)
  const { minimum, maximum } = meta ?? {}
  const bounds = minimum === undefined || maximum === undefined ? '请输入' : `${minimum}至${maximum}`
  return (
    <Labelled label={words} fields={[field]} words={value}>
      <InputNumber
        aria-label={words}
        placeholder={placeholder ?? bounds}
        min={minimum ?? Number.MIN_SAFE_INTEGER}
        max={maximum ?? Number.MAX_SAFE_INTEGER}
        precision={meta?.kind === 'integer' ? 0 : places}
        hideControl
        value={value ? Number(value) : undefined}
        onChange={(typed) => draft.set({ [field]: typeof typed === 'number' ? String(typed) : undefined })}
      />
    </Labelled>
  )
}

interface SelectFilterProps<Body> extends FilterProps<Body> {
  options: readonly { value: string; label: string }[]
}

export const SelectFilter = <Body,>({ field, label, options }: SelectFilterProps<Body>) => {
  const { draft, words, value } = useFilter(field, label)
  return (
    <Labelled
      label={words}
      fields={[field]}
      words={options.find((option) => option.value === value)?.label ?? wordsOf(draft.operation, field, value ?? '')}
    >
      <Select
        aria-label={words}
        placeholder="全部"
        allowClear
        value={value}
        options={[...options]}
        onChange={(chosen: string | undefined) => draft.set({ [field]: chosen }, true)}
      />
    </Labelled>
  )
}

interface EnumFilterProps<Body> extends FilterProps<Body> {
  /** The values that the screen's rows can have, where it shows some of them only. */
  only?: readonly string[]
}

/** An enumeration: its words are the document's. Where the operation takes several, several can be chosen. */
export const EnumFilter = <Body,>({ of, field, label, only }: EnumFilterProps<Body>) => {
  const meta = of.fields[field]
  const options = (meta?.options ?? [])
    .filter(([value]) => !only || only.includes(value))
    .map(([value, words]) => ({ value, label: words }))
  return meta?.kind === 'list' ? (
    <SeveralFilter of={of} field={field} label={label} options={options} />
  ) : (
    <SelectFilter of={of} field={field} label={label} options={options} />
  )
}

const SeveralFilter = <Body,>({ field, label, options }: SelectFilterProps<Body>) => {
  const { draft, words, value } = useFilter(field, label)
  return (
    <Labelled label={words} fields={[field]} words={wordsOf(draft.operation, field, value ?? '')}>
      <Select
        mode="multiple"
        aria-label={words}
        placeholder="全部"
        allowClear
        maxTagCount={{ count: 1, render: (more) => `+${more}` }}
        value={value ? value.split(',') : []}
        options={[...options]}
        onChange={(chosen: string[]) => draft.set({ [field]: chosen.join() }, true)}
      />
    </Labelled>
  )
}

export const EnabledFilter = <Body,>({ of, field, label = '状态' }: FilterProps<Body>) => (
  <SelectFilter
    of={of}
    field={field}
    label={label}
    options={[
      { value: 'true', label: '启用' },
      { value: 'false', label: '停用' },
    ]}
  />
)

interface DateRangeFilterProps<Body> extends Omit<FilterProps<Body>, 'field'> {
  from: keyof Body & string
  to: keyof Body & string
  label: string
}

/** A day of the product's zone as a list asks for moments: its first one, or its last. */
const momentOf = (day: string | undefined, time: string) => day && `${day}T${time}+08:00`
const DAY_LENGTH = 'YYYY-MM-DD'.length

export const DateRangeFilter = <Body,>({ from, to, label }: DateRangeFilterProps<Body>) => {
  const draft = useDraft()
  const range = [draft.valueOf(from), draft.valueOf(to)].map((value) => value?.slice(0, DAY_LENGTH))
  const isOfMoments = draft.operation.fields[from]?.kind === 'datetime'
  const choose = (days: readonly (string | undefined)[]) =>
    isOfMoments
      ? { [from]: momentOf(days[0], '00:00:00'), [to]: momentOf(days[1], '23:59:59.999') }
      : { [from]: days[0], [to]: days[1] }
  return (
    <Labelled label={label} fields={[from, to]} words={range.filter(Boolean).join(' 至 ')}>
      <DatePicker.RangePicker
        inputProps={[{ 'aria-label': `${label}开始` }, { 'aria-label': `${label}结束` }]}
        allowClear
        value={range.every(Boolean) ? range.map(String) : []}
        onChange={(days) => draft.set(choose(days ?? []), true)}
      />
    </Labelled>
  )
}

/** One day. */
export const DateFilter = <Body,>({ field, label }: FilterProps<Body>) => {
  const { draft, words, value } = useFilter(field, label)
  return (
    <Labelled label={words} fields={[field]} words={value}>
      <DatePicker
        inputProps={{ 'aria-label': words }}
        allowClear
        value={value}
        onChange={(day) => draft.set({ [field]: day || undefined }, true)}
      />
    </Labelled>
  )
}

interface OptionFilterProps<Body, Query> extends FilterProps<Body> {
  options: Operation<Query, undefined, Choice[]>
  query: (keyword: string) => Query
}

/** Choices that the server searches by name, number or pinyin initials. */
export const OptionFilter = <Body, Query>({ field, label, options, query }: OptionFilterProps<Body, Query>) => {
  const { draft, words, value } = useFilter(field, label)
  return (
    <Labelled label={words} fields={[field]} words={<OptionName options={options} query={query} id={Number(value)} />}>
      <OptionSelect
        label={words}
        placeholder="全部"
        options={options}
        query={query}
        value={value === undefined ? undefined : Number(value)}
        onChange={(id) => draft.set({ [field]: id === undefined ? undefined : String(id) }, true)}
      />
    </Labelled>
  )
}
