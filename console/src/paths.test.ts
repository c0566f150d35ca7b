import { expect, it } from 'vitest'
import { movedTo, paths, placeOf, platformPaths, type SharedPath } from './paths'

/** The one screen whose record stands in the path of a school and in the query of an operator. */
const CHAPTERS = 'courseChapters'
/** The screens that each area calls by a name of its own. */
const OTHERWISE: readonly string[] = [CHAPTERS, 'homeworkForm']

/** The folder whose name the operators have in the plural. */
const FOLDERS = ['/information/informations/', '/information/information/'] as const

it('spells the paths of both areas alike', () => {
  const names = Object.keys(platformPaths) as SharedPath[]
  for (const name of names.filter((each) => !OTHERWISE.includes(each)))
    expect(platformPaths[name].replace('/platformPC/', '/schoolPC/').replace(...FOLDERS), name).toBe(paths[name])
  expect(new Set(Object.values(platformPaths)).size).toBe(names.length)
})

it('leads to the same screen in the same area, with the school that an operator means', () => {
  expect(placeOf('grades')).toBe('/schoolPC/basicData/grade')
  expect(placeOf('grades', {}, { schoolId: undefined })).toBe('/platformPC/basicData/grade')
  expect(placeOf('students', { classId: 3, siteId: undefined })).toBe(`${paths.students}?classId=3`)
  expect(placeOf('students', { classId: 3 }, { schoolId: 7 })).toBe(`${platformPaths.students}?schoolId=7&classId=3`)
  const chapters = { courseId: 5, recordId: 9 }
  expect(placeOf(CHAPTERS, chapters)).toBe('/schoolPC/basicData/course/record/list/5?recordId=9')
  expect(placeOf(CHAPTERS, chapters, { schoolId: 7 })).toBe(
    '/platformPC/basicData/course/record/list/chapterList?schoolId=7&courseId=5&recordId=9',
  )
})

it('knows the results of changes under the folder of their applications too', () => {
  expect(movedTo('/schoolPC/studentStatus/transaction/classChange')).toBe(paths.classChanges)
  expect(movedTo('/platformPC/studentStatus/transaction/dropout')).toBe(platformPaths.leavings)
  expect(movedTo(paths.changeBatches)).toBeUndefined()
  expect(movedTo(paths.classChanges)).toBeUndefined()
})
