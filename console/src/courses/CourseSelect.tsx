import { listOptions } from '@/api/infra'
import { type Choice, OptionSelect } from '@/kit/OptionSelect'
import { SeveralOptions } from '@/kit/SeveralOptions'

type Kind = 'curriculumType' | 'course' | 'chapter'

/** How options of this module are asked for: switched-off ones are left out. */
export const courseOptions = (type: Kind, parentId?: number) => (keyword: string) => ({
  type,
  keyword: keyword || undefined,
  parentId,
  enabled: true,
})

/** The same for a filter, which also finds what was switched off, and types that have types below them. */
export const allCourseOptions = (type: Kind) => (keyword: string) => ({
  type,
  keyword: keyword || undefined,
  enabled: false,
})

interface CourseSelectProps {
  type: Kind
  /** Only what hangs below this: the chapters of a course. */
  parentId?: number
  label?: string
  'aria-label'?: string
  value?: number
  onChange?: (id: number | undefined) => void
  known?: Choice
  disabled?: boolean
}

/** A select over types, courses or chapters, searched by code, name or pinyin initials. */
export const CourseSelect = ({ type, parentId, label, ...rest }: CourseSelectProps) => (
  <OptionSelect
    {...rest}
    label={label ?? rest['aria-label'] ?? ''}
    options={listOptions}
    query={courseOptions(type, parentId)}
  />
)

interface SeveralCoursesProps {
  'aria-label'?: string
  value?: number[]
  onChange?: (ids: number[]) => void
  /** The record's own choices, which may not be among the first. */
  known: readonly Choice[]
  /** The course itself, which is no prerequisite of itself. */
  except?: number
}

/** Several courses, searched on the server. */
export const SeveralCourses = ({ 'aria-label': label = '', ...chosen }: SeveralCoursesProps) => (
  <SeveralOptions
    {...chosen}
    label={label}
    placeholder="请选择"
    options={listOptions}
    query={courseOptions('course')}
  />
)
