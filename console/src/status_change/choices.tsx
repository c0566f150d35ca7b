import { Form, Select } from '@arco-design/web-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { isValidElement, useState } from 'react'
import { messageOf } from '@/api/errors'
import { useAllowed } from '@/api/identity'
import { listOptions } from '@/api/infra'
import { useOptions } from '@/api/options'
import { useRequest } from '@/api/schoolContext'
import { listClasses } from '@/basic_data/api'
import { BasicSelect } from '@/basic_data/BasicSelect'
import { FileUpload } from '@/kit/FileUpload'
import { type Choice, OptionSelect } from '@/kit/OptionSelect'
import { FIRST_PAGE } from '@/kit/useQueryTable'
import { useSettled } from '@/kit/useSettled'
import { listStudents } from '@/student_status/api'
import '@/kit/papers.css'

const ofBatches = (enabled: boolean) => (keyword: string) => ({
  type: 'changeBatch',
  keyword: keyword || undefined,
  enabled,
})
/** Those that are over are looked up too. */
export const batches = { options: listOptions, query: ofBatches(false) }

interface ControlProps {
  value?: number
  onChange?: (id: number | undefined) => void
  'aria-label'?: string
}

/** A batch that somebody may still ask in; none is the newest that accepts it. */
export const BatchSelect = ({ known, ...rest }: ControlProps & { known?: Choice }) => (
  <OptionSelect
    {...rest}
    label={rest['aria-label'] ?? '批次'}
    placeholder="自动选择"
    options={listOptions}
    query={ofBatches(true)}
    known={known}
  />
)

const STUDENTS = 20

/** A student of the register, by name, number or ID number. */
export const StudentSelect = ({
  known,
  disabled,
  ...control
}: ControlProps & { known: Choice | undefined; disabled?: boolean }) => {
  const request = useRequest()
  const [text, setText] = useState('')
  const keyword = useSettled(text)
  const found = useQuery({
    queryKey: [listStudents.path, 'choices', keyword],
    queryFn: ({ signal }) =>
      request(
        listStudents,
        { body: { scope: 'all', pageCurrent: FIRST_PAGE, pageSize: STUDENTS, keyword: keyword || undefined } },
        { signal },
      ),
    placeholderData: keepPreviousData,
    enabled: !disabled,
  })
  const choices = (found.data?.list ?? []).map(({ id, name, studentNo, examineeNo, gradeName, majorName }) => ({
    code: id,
    desc: [name, studentNo ?? examineeNo, gradeName, majorName].filter(Boolean).join(' · '),
  }))
  const all = known && !choices.some(({ code }) => code === known.code) ? [known, ...choices] : choices
  return (
    <Select
      {...control}
      placeholder="姓名、学号或证件号"
      showSearch
      filterOption={false}
      disabled={disabled}
      loading={found.isFetching}
      onSearch={setText}
      notFoundContent={found.isError ? messageOf(found.error) : '没有找到，请换一个词'}
      options={all.map(({ code, desc }) => ({ value: code, label: desc }))}
    />
  )
}

/** 目标层次: another than the student's, with other majors. */
export const LevelSelect = ({ onChange, ...rest }: ControlProps & { known?: Choice; except?: number }) => {
  const { form } = Form.useFormContext()
  return (
    <BasicSelect
      {...rest}
      type="level"
      onChange={(id) => {
        form.setFieldsValue({ 'after.majorId': undefined, 'after.classId': undefined })
        onChange?.(id)
      }}
    />
  )
}

interface MajorSelectProps extends ControlProps {
  levelId: number | undefined
  known?: Choice
  /** One's own. */
  except?: number
}

/** 目标专业 of a level: another major has other classes. */
export const MajorSelect = ({ levelId, onChange, ...rest }: MajorSelectProps) => {
  const { form } = Form.useFormContext()
  return (
    <BasicSelect
      {...rest}
      type="major"
      parentId={levelId}
      disabled={levelId === undefined}
      placeholder={levelId === undefined ? '请先选择层次' : '请选择'}
      onChange={(id) => {
        form.setFieldsValue({ 'after.classId': undefined })
        onChange?.(id)
      }}
    />
  )
}

/** 目标站点; none is where the student is. */
export const SiteSelect = ({ onChange, known, ...rest }: ControlProps & { known?: Choice }) => {
  const { form } = Form.useFormContext()
  return (
    <BasicSelect
      {...rest}
      type="site"
      known={known}
      placeholder="不变，只换班级"
      onChange={(id) => {
        form.setFieldsValue({ 'after.classId': undefined })
        onChange?.(id)
      }}
    />
  )
}

/** Where a class is to be: all of it is known before a class is chosen. */
export interface Place {
  gradeId?: number
  levelId?: number
  majorId?: number
  siteId?: number
}

const CLASSES = 200

/** The classes of a place: with their seats for whoever may look at classes, else by name alone. */
const useClasses = (place: Place) => {
  const { gradeId, levelId, majorId, siteId } = place
  const request = useRequest()
  const may = useAllowed()(listClasses)
  const isKnown = [gradeId, levelId, majorId, siteId].every((part) => part !== undefined)
  const body = { ...place, enabled: true, pageCurrent: FIRST_PAGE, pageSize: CLASSES }
  const listed = useQuery({
    queryKey: [listClasses.path, body],
    queryFn: ({ signal }) => request(listClasses, { body }, { signal }),
    enabled: isKnown && may,
  })
  const offered = useOptions(listOptions, { type: 'class', parentId: siteId, enabled: true }, isKnown && !may)
  const choices = may
    ? (listed.data?.list ?? []).map(({ id, name, studentCount, capacity }) => ({
        value: id,
        label: `${name}（${studentCount}/${capacity}）`,
        disabled: studentCount >= capacity,
      }))
    : (offered.data ?? [])
        .filter((each) => each.gradeId === gradeId && each.levelId === levelId && each.majorId === majorId)
        .map(({ code, desc }) => ({ value: code, label: desc, disabled: false }))
  return { isKnown, isFetching: listed.isFetching || offered.isFetching, choices }
}

const hasWords = (text: string, option: unknown) =>
  isValidElement<{ children?: unknown }>(option) && String(option.props.children).includes(text)

/** 目标班级 of a place; a full one cannot be chosen. */
export const ClassSelect = ({ place, known, ...control }: ControlProps & { place: Place; known?: Choice }) => {
  const { isKnown, isFetching, choices } = useClasses(place)
  const kept = known && control.value === known.code && !choices.some(({ value }) => value === known.code)
  return (
    <Select
      {...control}
      allowClear
      showSearch
      filterOption={hasWords}
      disabled={!isKnown}
      loading={isFetching}
      placeholder={isKnown ? '请选择' : '请先选择上面的项目'}
      notFoundContent="没有符合的班级，请先在班级管理中新增"
      options={kept ? [{ value: known.code, label: known.desc, disabled: false }, ...choices] : choices}
    />
  )
}

/** So many files may lie beside a change. */
const FILES = 20

interface AttachmentsInputProps {
  /** Files that are there already, with their names. */
  stored: readonly { key: string; name: string }[]
  value?: string[]
  onChange?: (keys: string[]) => void
  'aria-label'?: string
}

/** 附件: private files, one below the other. */
export const AttachmentsInput = ({ stored, value = [], onChange, ...named }: AttachmentsInputProps) => {
  const upload = { type: 3, purpose: 'registration', accept: '.pdf,.jpg,.jpeg,.png', 'aria-label': '附件' } as const
  return (
    <ul {...named} className="papers-input">
      {value.map((key, at) => (
        <li key={key}>
          <span>{stored.find((file) => file.key === key)?.name ?? `附件${at + 1}`}</span>
          <FileUpload
            {...upload}
            value={key}
            onChange={(next) => onChange?.(value.flatMap((each) => (each === key ? (next ?? []) : each)))}
          />
        </li>
      ))}
      {value.length < FILES && (
        <li key="next">
          <span>{value.length > 0 ? '再加一份' : '申请和证明'}</span>
          <FileUpload key={value.length} {...upload} onChange={(key) => key && onChange?.([...value, key])} />
        </li>
      )}
    </ul>
  )
}
