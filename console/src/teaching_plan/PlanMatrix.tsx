import { InputNumber } from '@arco-design/web-react'
import { type DragEvent, Fragment, type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import type { RowAction } from '@/kit/actions'
import { formatNumber, formatTenths } from '@/kit/format'
import { RowActions } from '@/kit/RowActions'
import { Word } from '@/kit/Status'
import { examWord, natureWord } from './choices'
import { byType, type PlanContent, type PlanCourse, problemsOf, type Sum, sumOf, termBy, termsOf } from './planRules'
import type { PlanDesk } from './usePlan'

interface PlanMatrixProps {
  content: PlanContent
  /** Of a draft that the person may change. */
  desk?: PlanDesk
  actions?: (course: PlanCourse) => readonly RowAction[]
}

type Parts = Pick<Sum, 'hours' | 'lectureHours' | 'onlineHours' | 'practiceHours' | 'selfStudyHours'>

const hoursOf = ({ hours, lectureHours, onlineHours, practiceHours, selfStudyHours }: Parts) =>
  `${formatNumber(hours)} (${[lectureHours, onlineHours, practiceHours, selfStudyHours].map(formatNumber).join('/')})`

const LEAST_CREDITS = 0.5
const MOST_CREDITS = 30

interface SavedCreditsProps {
  course: PlanCourse
  desk: PlanDesk
}

/** Credits that are saved when one leaves them or presses Enter; those that were not taken fall back. */
const SavedCredits = ({ course, desk }: SavedCreditsProps) => {
  const [typed, setTyped] = useState<number>()
  const commit = () => {
    const next = typed
    setTyped(undefined)
    if (next !== undefined && next !== course.credits) desk.credit(course, next)
  }
  return (
    <InputNumber
      className="plan-credits"
      size="mini"
      aria-label={`${course.courseName}学分`}
      min={LEAST_CREDITS}
      max={MOST_CREDITS}
      step={LEAST_CREDITS}
      precision={1}
      hideControl
      disabled={desk.isBusy}
      value={typed ?? course.credits}
      onChange={(credits) => setTyped(typeof credits === 'number' ? credits : undefined)}
      onBlur={commit}
      onKeyDown={(event) => {
        if ('key' in event && event.key === 'Enter') commit()
      }}
    />
  )
}

/** The keyboard stays with a course that it moved, once the plan is read anew. */
const useFollowed = (version: number) => {
  const box = useRef<HTMLElement>(null)
  const moved = useRef<{ id: number; before: number }>(undefined)
  useLayoutEffect(() => {
    if (!moved.current || moved.current.before === version) return
    box.current?.querySelector<HTMLElement>(`[data-plan-course="${moved.current.id}"]`)?.focus()
    moved.current = undefined
  }, [version])
  const follow = (id: number) => {
    moved.current = { id, before: version }
  }
  return [box, follow] as const
}

interface ChipProps {
  course: PlanCourse
  termCount: number
  desk: PlanDesk
  onDrag: (course: PlanCourse | undefined) => void
  onStep: (termNo: number) => void
}

/** The credits of a course where its term is: dragged to another one, or moved there by the arrow keys. */
const Chip = ({ course, termCount, desk, onDrag, onStep }: ChipProps) => {
  const { id, courseName, termNo, credits } = course
  const step = (event: KeyboardEvent) => {
    const to = termBy(event.key, termNo, termCount)
    if (to === undefined) return
    event.preventDefault()
    onStep(to)
  }
  return (
    <div
      className="plan-chip"
      role="slider"
      tabIndex={0}
      aria-label={`${courseName}的开课学期`}
      aria-valuemin={1}
      aria-valuemax={termCount}
      aria-valuenow={termNo}
      aria-valuetext={`第${termNo}学期`}
      aria-disabled={desk.isBusy}
      title="拖到其他学期，或按左右方向键调整"
      data-plan-course={id}
      draggable={!desk.isBusy}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move'
        event.dataTransfer.setData('text/plain', courseName)
        onDrag(course)
      }}
      onDragEnd={() => onDrag(undefined)}
      onKeyDown={step}
    >
      {formatTenths(credits)}
    </div>
  )
}

/** Sums of a type, or of all, below the terms and beside them. */
const Sums = ({ of, terms, rest }: { of: Sum; terms: readonly number[]; rest: number }) => (
  <>
    {terms.map((term) => {
      const credits = of.ofTerm.get(term)
      return <td key={term}>{credits === undefined ? '' : formatTenths(credits)}</td>
    })}
    <td>{formatTenths(of.credits)}</td>
    <td className="plan-hours">{hoursOf(of)}</td>
    <td colSpan={rest} />
  </>
)

/** 按专业: courses grouped by their type, each with its credits in the column of its term. */
export const PlanMatrix = ({ content, desk, actions }: PlanMatrixProps) => {
  const { plan, courses, check } = content
  const [dragged, setDragged] = useState<PlanCourse>()
  const [over, setOver] = useState<number>()
  const [box, follow] = useFollowed(plan.version)
  const terms = termsOf(plan.termCount)
  const beside = actions ? 3 : 2
  const stop = () => {
    setDragged(undefined)
    setOver(undefined)
  }
  const landing = (term: number) =>
    desk && dragged
      ? {
          onDragOver: (event: DragEvent) => {
            event.preventDefault()
            setOver(term)
          },
          onDrop: (event: DragEvent) => {
            event.preventDefault()
            desk.move(dragged, term)
            stop()
          },
        }
      : {}
  const termClass = (term: number) => (over === term ? 'plan-term plan-over' : 'plan-term')
  if (courses.length === 0) return <p className="nothing">这份教学计划还没有课程。</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by the keyboard too
    <section className="plan-matrix-box" ref={box} tabIndex={0} aria-label="课程表">
      <table className="plan-matrix">
        <thead>
          <tr>
            <th scope="col">课程</th>
            {terms.map((term) => (
              <th key={term} scope="col" className={termClass(term)} {...landing(term)}>
                第{term}学期
              </th>
            ))}
            <th scope="col">学分</th>
            <th scope="col">学时(面授/线上/实践/自学)</th>
            <th scope="col">考核</th>
            <th scope="col">性质</th>
            {actions && <th scope="col">操作</th>}
          </tr>
        </thead>
        <tbody>
          {byType(courses).map(({ typeId, typeName, courses: ofType }) => (
            <Fragment key={typeId}>
              <tr className="plan-type">
                <th scope="row">
                  {typeName} <span className="nothing">{ofType.length}门</span>
                </th>
                <Sums of={sumOf(ofType)} terms={terms} rest={beside} />
              </tr>
              {ofType.map((course) => (
                <tr key={course.id}>
                  <th scope="row">
                    {course.courseName} <span className="nothing">{course.courseCode}</span>{' '}
                    {course.degreeCourse && <Word tone="busy">学位课</Word>}{' '}
                    {!course.courseEnabled && <Word tone="bad">已停用</Word>}
                    {problemsOf(check, course.courseId).map((problem) => (
                      <small key={problem} className="plan-problem">
                        {problem}
                      </small>
                    ))}
                  </th>
                  {terms.map((term) => (
                    <td key={term} className={termClass(term)} {...landing(term)}>
                      {term === course.termNo &&
                        (desk ? (
                          <Chip
                            course={course}
                            termCount={plan.termCount}
                            desk={desk}
                            onDrag={(taken) => (taken ? setDragged(taken) : stop())}
                            onStep={(to) => {
                              follow(course.id)
                              desk.move(course, to)
                            }}
                          />
                        ) : (
                          formatTenths(course.credits)
                        ))}
                    </td>
                  ))}
                  <td>{desk ? <SavedCredits course={course} desk={desk} /> : formatTenths(course.credits)}</td>
                  <td className="plan-hours">{hoursOf(course)}</td>
                  <td>{examWord(course.examForm)}</td>
                  <td>
                    {natureWord(course.nature)}
                    {course.electiveGroupName && <small className="nothing"> {course.electiveGroupName}</small>}
                  </td>
                  {actions && (
                    <td>
                      <RowActions actions={actions(course)} />
                    </td>
                  )}
                </tr>
              ))}
            </Fragment>
          ))}
        </tbody>
        <tfoot>
          <tr className="plan-type">
            <th scope="row">合计 {courses.length}门</th>
            <Sums of={sumOf(courses)} terms={terms} rest={beside} />
          </tr>
        </tfoot>
      </table>
      {desk && <p className="form-hint">拖动学分可以调整开课学期；也可选中后按左右方向键，或在“编辑”中修改。</p>}
    </section>
  )
}
