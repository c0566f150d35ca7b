import { Button, Form, InputNumber, Space } from '@arco-design/web-react'
import { useState } from 'react'
import { tellWarning } from '@/api/errors'
import { useAllowed } from '@/api/identity'
import { grades, levels, majors } from '@/basic_data/choices'
import { tellFailures } from '@/kit/BulkBar'
import { type Column, columnsOf } from '@/kit/columns'
import { confirm } from '@/kit/confirm'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { FormDrawer } from '@/kit/FormDrawer'
import { EnumFilter, OptionFilter, SelectFilter } from '@/kit/filters'
import { formAction } from '@/kit/formAction'
import { formatNumber, formatTenths } from '@/kit/format'
import { QueryTable } from '@/kit/QueryTable'
import { Word } from '@/kit/Status'
import { tellSaved } from '@/kit/saved'
import { useUnsaved } from '@/kit/tab'
import { useAction } from '@/kit/useAction'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { statusTones, termsOf } from '@/teaching_plan/planRules'
import { editCourseCredits, exportCourseCredits, listCourseCredits } from './api'
import { courses } from './choices'
import {
  type Credit,
  type Draft,
  type Edited,
  editedWords,
  isComplete,
  itemsFor,
  itemsOf,
  type NumberName,
  numbers,
  revisedBy,
  type Typed,
  whyFixed,
  withTyped,
} from './creditRules'

const limits: Record<NumberName, { label: string; max: number; min: number; step: number }> = {
  credits: { label: '学分', min: 0.5, max: 30, step: 0.5 },
  lectureHours: { label: '面授学时', min: 0, max: 1000, step: 1 },
  onlineHours: { label: '线上学时', min: 0, max: 1000, step: 1 },
  practiceHours: { label: '实践学时', min: 0, max: 1000, step: 1 },
  selfStudyHours: { label: '自学学时', min: 0, max: 1000, step: 1 },
}

/** A course as a plan has it: many plans have the same one. */
const nameOf = ({ courseName, planName }: Credit) => `${courseName} ${planName}`

interface NumberInputProps {
  name: NumberName
  label: string
  value: number
  changed: boolean
  onChange: (value: number | undefined) => void
}

const NumberInput = ({ name, label, value, changed, onChange }: NumberInputProps) => {
  const { min, max, step } = limits[name]
  return (
    <InputNumber
      className={changed ? 'credit-input credit-changed' : 'credit-input'}
      size="mini"
      aria-label={label}
      min={min}
      max={max}
      step={step}
      precision={name === 'credits' ? 1 : 0}
      hideControl
      value={value}
      onChange={(typed) => onChange(typeof typed === 'number' ? typed : undefined)}
    />
  )
}

/** The four sorts of hours and the credits as controls, where the person may change them and the course is not opened. */
const editable = (
  columns: readonly Column<Credit>[],
  draft: Draft,
  type: (row: Credit, name: NumberName, value: number | undefined) => void,
): Column<Credit>[] =>
  columns.map((column) => {
    const name = numbers.find((each) => each === column.key)
    if (!name) return column
    return {
      ...column,
      render: (row) => {
        const why = whyFixed(row)
        if (why) return <span title={why}>{column.render(row)}</span>
        const typed = draft.get(row.id)?.typed[name]
        return (
          <NumberInput
            name={name}
            label={`${nameOf(row)}的${limits[name].label}`}
            value={typed ?? row[name]}
            changed={typed !== undefined}
            onChange={(value) => type(row, name, value)}
          />
        )
      },
    }
  })

const columns = columnsOf(listCourseCredits, [
  { field: 'courseName', title: '课程', width: 180, fixed: 'left' },
  { field: 'courseCode', under: 'courseName' },
  { field: 'planStatus', title: '状态', width: 84, fixed: 'left', tones: statusTones },
  { field: 'gradeName', width: 84 },
  { field: 'levelName', width: 84 },
  { field: 'majorName', width: 130 },
  { field: 'termNo', width: 76 },
  { field: 'nature', width: 76 },
  { field: 'credits', width: 86, render: ({ credits }) => formatTenths(credits) },
  { field: 'lectureHours', width: 86 },
  { field: 'onlineHours', width: 86 },
  { field: 'practiceHours', width: 86 },
  { field: 'selfStudyHours', width: 86 },
  { field: 'hours', width: 76 },
  {
    field: 'planCompulsory',
    title: '必修合计/要求',
    width: 120,
    help: '所在教学计划的必修学分合计和要求',
    render: (row) => (
      <Word tone={isComplete(row) ? 'good' : 'warning'}>
        {formatTenths(row.planCompulsory)} / {formatTenths(row.planCompulsoryRequired)}
      </Word>
    ),
  },
  { field: 'planTotalRequired', title: '总学分要求', width: 100, render: (row) => formatTenths(row.planTotalRequired) },
  { field: 'opened', title: '已开课', width: 80 },
  { field: 'planName', title: '教学计划', width: 240, hidden: true },
])

/** No plan has more terms. */
const MOST_TERMS = 12
const terms = termsOf(MOST_TERMS).map((term) => ({ value: String(term), label: `第${term}学期` }))

const REVISES = '生效的计划自动修订为新版本；您可以审核教学计划时立即生效，否则提交审核。'

const tellEdited = (answer: Edited) => {
  if (answer.failed.length > 0) tellFailures('修改学分学时', answer)
  if (answer.done === 0) return
  tellSaved(editedWords(answer), { warnings: answer.plans.flatMap(({ warnings }) => warnings) })
}

interface ManyProps extends DrawerProps<readonly Credit[]> {
  onDone: () => void
}

/** What was filled in of a form of these numbers. */
const filledIn = (values: object): Typed =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) => numbers.some((each) => each === name) && typeof value === 'number',
    ),
  )

/** 批量设置: the same numbers for the ticked courses; what is left empty stays. */
const CreditsOfMany = ({ record: rows = [], onDone, ...drawer }: ManyProps) => {
  const free = itemsFor(rows, {}).length
  const revised = revisedBy(rows)
  const ask = async (values: object) => {
    if (Object.keys(filledIn(values)).length === 0) {
      tellWarning('请至少填写一项')
      return false
    }
    const what =
      revised.length > 0 ? `${revised.length}份生效的计划将修订：${revised.join('、')}。${REVISES}` : undefined
    return confirm({ title: `修改${formatNumber(free)}门课程？`, content: what, okText: '修改' })
  }
  return (
    <FormDrawer<Typed, Edited>
      {...drawer}
      record={undefined}
      title={`批量设置${formatNumber(rows.length)}门课程的学分学时`}
      action={() => {
        const save = formAction(editCourseCredits, '')
        return {
          ...save,
          done: editedWords,
          send: (values, request) => save.send({ items: itemsFor(rows, filledIn(values)) }, request),
        }
      }}
      ask={ask}
      onSaved={(answer) => {
        onDone()
        if (answer.failed.length > 0) tellFailures('批量设置', answer)
      }}
    >
      <p className="form-hint">
        只修改填写的项，其余保持不变。
        {free < rows.length && `其中${formatNumber(rows.length - free)}门已开课或待审核，保持不变。`}
      </p>
      {numbers.map((name) => (
        <Form.Item key={name} field={name} label={limits[name].label}>
          <InputNumber
            aria-label={limits[name].label}
            placeholder="保持不变"
            min={limits[name].min}
            max={limits[name].max}
            precision={name === 'credits' ? 1 : 0}
            hideControl
          />
        </Form.Item>
      ))}
    </FormDrawer>
  )
}

/** 学分设置: credits and hours of the courses of plans that are in effect or worked on, typed in place and saved together. */
export const CourseCredits = () => {
  const table = useQueryTable(listCourseCredits)
  const [draft, setDraft] = useState<Draft>(new Map())
  const may = useAllowed()(editCourseCredits)
  const many = useDrawer<readonly Credit[]>()
  useUnsaved(draft.size > 0)
  const saving = useAction(editCourseCredits, {
    onDone: (answer) => {
      // What failed is typed again under the version that it has now.
      setDraft(new Map())
      tellEdited(answer)
    },
  })
  const items = itemsOf(draft)
  const save = async () => {
    const revised = revisedBy([...draft.values()].map(({ row }) => row))
    const asked = {
      title: `保存${items.length}门课程的修改？`,
      content:
        revised.length > 0 ? `${revised.length}份生效的计划将修订：${revised.join('、')}。${REVISES}` : undefined,
      okText: '保存',
    }
    if (await confirm(asked)) saving.mutate({ body: { items } })
  }
  const type = (row: Credit, name: NumberName, value: number | undefined) =>
    setDraft((before) => withTyped(before, row, name, value))
  return (
    <>
      <FilterBar table={table}>
        <OptionFilter of={listCourseCredits} field="gradeId" {...grades} />
        <OptionFilter of={listCourseCredits} field="majorId" {...majors} />
        <OptionFilter of={listCourseCredits} field="courseId" {...courses} />
        <EnumFilter of={listCourseCredits} field="nature" />
        <OptionFilter of={listCourseCredits} field="levelId" {...levels} />
        <SelectFilter of={listCourseCredits} field="termNo" options={terms} />
      </FilterBar>
      <QueryTable
        table={table}
        columns={may ? editable(columns, draft, type) : columns}
        nameOf={nameOf}
        primary={
          draft.size > 0 && (
            <div className="credit-bar">
              <Button type="primary" loading={saving.isPending} onClick={save}>
                保存{formatNumber(draft.size)}门课程的修改
              </Button>
              <Button onClick={() => setDraft(new Map())}>放弃修改</Button>
            </div>
          )
        }
        tools={
          <Space size={4}>
            <ExportButton do={exportCourseCredits} table={table} />
          </Space>
        }
        bulk={[{ label: '批量设置', do: editCourseCredits, open: () => many.open(table.tickedRows) }]}
        empty="还没有教学计划的课程。请先在“教学计划”中新增计划并添加课程。"
      />
      <CreditsOfMany key={many.key} {...many.props} onDone={table.clearSelection} />
    </>
  )
}
