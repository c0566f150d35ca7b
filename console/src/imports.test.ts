// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, it } from 'vitest'

/**
 * Which module uses which. A module may use those above it only, so there are no circles; a new arrow is a line here.
 * The operations of a module (its generated `api.ts`) are the server's, and open to all modules.
 */
const arrows: readonly (readonly [module: string, uses: readonly string[]])[] = [
  ['schools', []],
  ['monitor', []],
  ['overview', []],
  ['student_numbers', []],
  ['logs', ['schools']],
  ['settings', ['logs', 'schools']],
  ['basic_data', ['logs', 'schools', 'settings']],
  ['accounts', ['basic_data', 'schools']],
  ['courses', ['basic_data', 'logs', 'schools']],
  ['question_bank', ['basic_data', 'courses', 'logs', 'schools', 'settings']],
  ['teaching_plan', ['basic_data', 'courses', 'logs', 'schools']],
  ['course_opening', ['basic_data', 'courses', 'logs', 'schools', 'settings', 'teaching_plan']],
  ['course_selection', ['basic_data', 'course_opening', 'courses', 'logs', 'schools']],
  ['online_study', ['basic_data', 'course_opening', 'logs', 'schools']],
  ['timetable', ['basic_data', 'course_opening', 'courses', 'logs', 'settings']],
  ['instruction', ['basic_data', 'course_opening', 'logs', 'settings']],
  ['homework', ['basic_data', 'course_opening', 'logs', 'question_bank', 'schools']],
  ['certificates', ['basic_data', 'logs']],
  ['graduation', ['basic_data', 'certificates', 'course_selection', 'logs']],
  ['exams', ['basic_data', 'course_opening', 'graduation', 'homework', 'logs', 'schools']],
  ['online_exams', ['basic_data', 'course_opening', 'exams', 'homework', 'logs', 'question_bank', 'schools']],
  ['exam_seats', ['basic_data', 'course_opening', 'exams', 'logs', 'timetable']],
  ['exam_day', ['basic_data', 'exam_seats', 'exams', 'logs']],
  ['offline_exams', ['basic_data', 'course_opening', 'exam_seats', 'exams', 'logs', 'schools']],
  ['thesis', ['basic_data', 'logs']],
  ['graduation_grades', ['basic_data', 'logs', 'thesis']],
  [
    'scores',
    ['basic_data', 'course_opening', 'course_selection', 'courses', 'exams', 'graduation_grades', 'logs', 'schools'],
  ],
  ['catalogue', ['basic_data', 'courses', 'logs']],
  ['marketing', ['catalogue', 'logs']],
  ['orders', ['catalogue', 'logs', 'marketing']],
  ['lecturers', ['catalogue', 'logs', 'orders']],
  ['live', ['logs']],
  ['site_study', ['catalogue', 'logs']],
  ['community', ['logs']],
  ['wechat', ['logs']],
  ['site_content', ['logs', 'schools', 'settings']],
  ['quizzes', ['catalogue', 'logs', 'question_bank']],
  ['quiz_classes', ['catalogue', 'logs', 'quizzes']],
  ['learners', ['accounts', 'catalogue', 'logs', 'marketing', 'orders', 'schools']],
  ['people', ['accounts', 'basic_data', 'logs', 'schools', 'settings']],
  ['messages', ['basic_data', 'schools']],
  ['support', ['basic_data', 'courses', 'schools']],
  ['field_attributes', ['logs', 'schools']],
  ['corrections', ['basic_data', 'people', 'settings']],
  ['status_change', ['basic_data', 'logs', 'schools', 'settings']],
  ['chsi', ['basic_data']],
  [
    'student_status',
    ['basic_data', 'chsi', 'corrections', 'logs', 'people', 'schools', 'scores', 'settings', 'status_change'],
  ],
  ['information_review', ['basic_data', 'corrections', 'field_attributes', 'schools', 'settings', 'status_change']],
  ['statistics', ['basic_data', 'course_opening', 'logs', 'schools', 'settings']],
  ['supervision', ['basic_data', 'course_opening', 'course_selection', 'logs', 'settings']],
  ['enrolment', ['basic_data', 'logs', 'schools', 'settings']],
  ['recruitment', ['basic_data', 'field_attributes', 'logs', 'people', 'schools', 'settings']],
  ['admission', ['basic_data', 'enrolment', 'logs', 'recruitment', 'schools', 'student_status']],
  ['registration', ['basic_data', 'enrolment', 'field_attributes', 'logs', 'recruitment', 'schools']],
]

const SOURCE = import.meta.dirname
const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*['"]((?:\.|@\/)[^'"]*)['"]/g

const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
const known = new Set(files)

/** The file that is meant, seen from the source folder. */
const resolved = (file: string, named: string) => {
  const path = named.startsWith('@/') ? named.slice(2) : relative('.', join(dirname(file), named))
  return ['', '.ts', '.tsx'].map((ending) => path + ending).find((each) => known.has(each))
}

const imports = new Map(
  files
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => {
      const named = [...readFileSync(join(SOURCE, file), 'utf8').matchAll(IMPORT)].map(([, path]) => path ?? '')
      return [file, named.flatMap((path) => resolved(file, path) ?? [])] as const
    }),
)

const folderOf = (file: string) => (file.includes('/') ? file.slice(0, file.indexOf('/')) : '')
const isOperations = (file: string) => /^[a-z_]+\/api\.ts$/.test(file)

/** All imports out of a folder, as `file → file`. */
const leaving = (folder: string, allowed: (file: string) => boolean) =>
  [...imports]
    .filter(([file]) => folderOf(file) === folder)
    .flatMap(([file, used]) => used.filter((each) => !allowed(each)).map((each) => `${file} → ${each}`))

it('api imports neither kit nor modules, the kit no module and no shell', () => {
  expect(imports.size).toBeGreaterThan(400)
  expect(leaving('api', (file) => folderOf(file) === 'api')).toEqual([])
  expect(leaving('kit', (file) => ['api', 'kit'].includes(folderOf(file)) || file === 'paths.ts')).toEqual([])
})

it('operations know of nothing but their types', () => {
  const own = /^api\/(operation|types\/\w+)\.ts$/
  const knowing = [...imports].filter(([file, used]) => isOperations(file) && used.some((each) => !own.test(each)))
  expect(knowing).toEqual([])
})

it('modules use the kit and the modules above them, never the shell', () => {
  const modules = arrows.map(([module]) => module)
  const ground = ['api', 'kit', '', 'shell']
  expect([...new Set([...imports.keys()].map(folderOf))].sort()).toEqual([...modules, ...ground].sort())
  arrows.forEach(([module, uses], at) => {
    const above = modules.slice(0, at)
    expect(above, `${module} uses modules that stand above it in the list`).toEqual(expect.arrayContaining([...uses]))
    const allowed = ['api', 'kit', module, ...uses]
    const wrong = leaving(
      module,
      (file) => allowed.includes(folderOf(file)) || isOperations(file) || file === 'paths.ts',
    )
    expect(wrong).toEqual([])
    const used = leaving(module, isOperations).map((arrow) => folderOf(arrow.slice(arrow.indexOf('→') + 2)))
    expect(
      [...uses].filter((each) => !used.includes(each)),
      `${module} uses them no longer`,
    ).toEqual([])
  })
})

it('no file leads back to itself', () => {
  const done = new Set<string>()
  /** The first circle below a file, in the order of its imports. */
  const circle = (file: string, way: readonly string[]): readonly string[] | undefined => {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file]
    if (done.has(file)) return undefined
    for (const used of imports.get(file) ?? []) {
      const found = circle(used, [...way, file])
      if (found) return found
    }
    done.add(file)
    return undefined
  }
  for (const file of imports.keys()) expect(circle(file, [])).toBeUndefined()
})
