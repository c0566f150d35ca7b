import type { SharedPath } from '@/paths'

/** Where one makes what a sheet refers to, by the words of its columns; the first that fits. */
const places: readonly (readonly [column: RegExp, place: SharedPath, what: string])[] = [
  [/年级/, 'grades', '年级'],
  [/层次/, 'levels', '层次'],
  [/学期/, 'semesters', '学期'],
  [/站点/, 'sites', '站点'],
  [/班级/, 'classes', '班级'],
  [/机构|学院|单位/, 'organizations', '机构'],
  [/课程(?!类型)/, 'courses', '课程'],
  [/专业/, 'schoolMajors', '专业'],
]

/** Where what a cell names and nobody has is to be made; nothing for other mistakes, nor for what is the platform's. */
export const mendedAt = (column: string, reason: string) => {
  if (!/不存在|没有班级/.test(reason) || /国家/.test(column)) return undefined
  const found = places.find(([words]) => words.test(column))
  return found && { place: found[1], what: found[2] }
}
