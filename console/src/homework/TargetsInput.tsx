import { Alert, Checkbox, Spin } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useRequest } from '@/api/schoolContext'
import { listAllocations } from '@/course_opening/api'
import { nameOf } from '@/course_opening/openingRules'
import { formatNumber } from '@/kit/format'
import { Failed } from '@/kit/Loaded'
import { FIRST_PAGE } from '@/kit/useQueryTable'
import { chosenOf, type Target, withClass, withOpening } from './homeworkRules'

/** So many openings a course has at the most in a semester. */
const MOST = 500

interface TargetsProps {
  semesterId: number | undefined
  courseId: number | undefined
  value?: readonly Target[]
  onChange?: (targets: Target[]) => void
  disabled?: boolean
  'aria-label'?: string
}

/** 对象: openings of the course, as a whole or class by class, with how many students each has. */
export const TargetsInput = ({ semesterId, courseId, value = [], onChange, disabled }: TargetsProps) => {
  const request = useRequest()
  const body = { semesterId, courseId, pageCurrent: FIRST_PAGE, pageSize: MOST }
  const found = useQuery({
    queryKey: [listAllocations.path, 'targets', body],
    queryFn: ({ signal }) => request(listAllocations, { body }, { signal }),
    enabled: semesterId !== undefined && courseId !== undefined,
  })
  if (semesterId === undefined || courseId === undefined)
    return <p className="form-hint">请先选择学期和课程，再选择开课和班级。</p>
  if (found.isError) return <Failed error={found.error} retry={() => found.refetch()} />
  if (!found.data) return <Spin />
  const openings = found.data.list.filter(({ status }) => status !== 'cancelled')
  if (openings.length === 0) return <Alert type="warning" content="该课程在这个学期没有开课，不能布置作业" />
  return (
    <ul className="homework-targets" aria-label="对象">
      {openings.map((opening) => {
        const chosen = chosenOf(value, opening)
        const has = (classId: number) =>
          chosen === 'whole' || value.some((target) => target.openingId === opening.id && target.classId === classId)
        const students = opening.classes.reduce((sum, { studentCount }) => sum + studentCount, 0)
        return (
          <li key={opening.id}>
            <Checkbox
              disabled={disabled}
              checked={chosen === 'whole'}
              indeterminate={chosen === 'part'}
              onChange={(all: boolean) => onChange?.(withOpening(value, opening, all))}
            >
              {nameOf(opening)} 全部班级（{formatNumber(students)}人）
            </Checkbox>
            {opening.classes.length > 1 && (
              <div className="homework-classes">
                {opening.classes.map(({ classId, className, studentCount }) => (
                  <Checkbox
                    key={classId}
                    disabled={disabled}
                    checked={has(classId)}
                    onChange={(on: boolean) => onChange?.(withClass(value, opening, classId, on))}
                  >
                    {className}（{formatNumber(studentCount)}人）
                  </Checkbox>
                ))}
              </div>
            )}
          </li>
        )
      })}
    </ul>
  )
}
