import { Form, Select } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { messageOf } from '@/api/errors'
import type { RowOf } from '@/api/operation'
import { useCall } from '@/api/schoolContext'
import type { OfferedLevel } from '@/api/types/recruitment'
import { hasWords } from '@/field_attributes/StageForm'
import { labelOf } from '@/kit/labels'
import { listPreRegistrations, savePreRegistration, viewBatchOffer, type viewPreRegistration } from './api'

type View = RowOf<typeof viewPreRegistration>
type Offer = RowOf<typeof viewBatchOffer>
type EntryLevel = OfferedLevel['entryLevel']

interface OfferSelectProps {
  /** The record that is edited: it stays in its batch, and keeps what is no longer offered. */
  record: View | undefined
  value?: number
  onChange?: (id: number | undefined) => void
  disabled?: boolean
  'aria-label'?: string
}

/** What the batch that is chosen in the same form offers, and what of it was chosen. */
const useOffer = (record: View | undefined) => {
  const call = useCall()
  const { form } = Form.useFormContext()
  const chosen: number | undefined = Form.useWatch('batchId', form)
  const levelId: number | undefined = Form.useWatch('levelId', form)
  const majorId: number | undefined = Form.useWatch('majorId', form)
  const batchId = record?.batchId ?? chosen
  const offer = useQuery({
    queryKey: [viewBatchOffer.path, batchId],
    queryFn: () => call(viewBatchOffer, { query: { batchId: batchId ?? 0 } }),
    enabled: batchId !== undefined,
  })
  return { form, offer, batchId, levelId, majorId }
}

interface ChoicesProps extends Omit<OfferSelectProps, 'record'> {
  offer: ReturnType<typeof useOffer>['offer']
  choices: readonly { value: number; label: string }[]
  /** What has to be chosen first. */
  missing?: string
}

const Choices = ({ offer, choices, missing, disabled, ...rest }: ChoicesProps) => (
  <Select
    {...rest}
    showSearch
    allowClear
    disabled={disabled || missing !== undefined}
    placeholder={missing ? `请先选择${missing}` : '请选择'}
    loading={offer.isFetching}
    filterOption={hasWords}
    notFoundContent={offer.isError ? messageOf(offer.error) : '本批次没有可选的内容'}
    options={[...choices]}
  />
)

/** 层次 of the batch. */
export const LevelOfBatch = ({ record, onChange, ...rest }: OfferSelectProps) => {
  const { form, offer, batchId } = useOffer(record)
  return (
    <Choices
      {...rest}
      offer={offer}
      missing={batchId === undefined ? '批次' : undefined}
      choices={(offer.data?.levels ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      onChange={(id) => {
        form.setFieldsValue({ majorId: undefined, siteId: undefined })
        onChange?.(id)
      }}
    />
  )
}

/** 专业 of the level, each with its study form: of one name there may be several. */
export const MajorOfBatch = ({ record, onChange, ...rest }: OfferSelectProps) => {
  const { form, offer, levelId } = useOffer(record)
  const majors = (offer.data?.majors ?? []).filter(
    (major) => major.levelId === levelId && (major.enabled || major.id === record?.majorId),
  )
  return (
    <Choices
      {...rest}
      offer={offer}
      missing={levelId === undefined ? '层次' : undefined}
      choices={majors.map(({ id, name, studyForm }) => ({
        value: id,
        label: `${name}（${labelOf(listPreRegistrations, 'studyForm', studyForm)}）`,
      }))}
      onChange={(id) => {
        form.setFieldsValue({ siteId: undefined })
        onChange?.(id)
      }}
    />
  )
}

/** The sites at which a batch offers a major. */
const sitesOf = ({ majors, sites }: Offer, majorId: number | undefined, record: View | undefined) => {
  const siteIds = majors.find(({ id }) => id === majorId)?.siteIds
  const stays = record && record.majorId === majorId ? record.siteId : undefined
  return sites.filter(({ id, active }) => id === stays || (active && (!siteIds || siteIds.includes(id))))
}

/** 站点 of the major. */
export const SiteOfBatch = ({ record, ...rest }: OfferSelectProps) => {
  const { offer, majorId } = useOffer(record)
  const sites = offer.data ? sitesOf(offer.data, majorId, record) : []
  return (
    <Choices
      {...rest}
      offer={offer}
      missing={majorId === undefined ? '专业' : undefined}
      choices={sites.map(({ id, name }) => ({ value: id, label: name }))}
    />
  )
}

const DIPLOMAS = ['associate', 'bachelor']
const OF_SENIORS = ['liberal', 'science']

/** Which of the words fit people who enter by a level; all while none is chosen. */
const fits = (field: 'preEduLevel' | 'examCategory', word: string, entry: EntryLevel | undefined) => {
  const toBachelor = entry === 'associate_to_bachelor'
  if (!entry) return true
  return field === 'examCategory' ? OF_SENIORS.includes(word) !== toBachelor : !toBachelor || DIPLOMAS.includes(word)
}

interface WordOfLevelProps {
  field: 'preEduLevel' | 'examCategory'
  record: View | undefined
  value?: string
  onChange?: (word: string | undefined) => void
  'aria-label'?: string
}

/** 入学前学历 and 科类: what may be chosen follows from the level. */
export const WordOfLevel = ({ field, record, ...rest }: WordOfLevelProps) => {
  const { offer, levelId } = useOffer(record)
  const entry = offer.data?.levels.find(({ id }) => id === levelId)?.entryLevel
  const words = (savePreRegistration.fields[field]?.options ?? []).filter(
    ([word]) => word === rest.value || fits(field, word, entry),
  )
  return (
    <Select {...rest} allowClear placeholder="请选择" options={words.map(([value, label]) => ({ value, label }))} />
  )
}
