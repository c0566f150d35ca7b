import { listOptions } from '@/api/infra'
import { basicOptions } from './BasicSelect'

/** How filters and forms ask for their choices of basic data. */
export const grades = { options: listOptions, query: basicOptions('grade') }
export const levels = { options: listOptions, query: basicOptions('level') }
export const majors = { options: listOptions, query: basicOptions('major') }
export const organizations = { options: listOptions, query: basicOptions('organization') }
export const sites = { options: listOptions, query: basicOptions('site') }
export const classes = { options: listOptions, query: basicOptions('class') }
export const teachers = { options: listOptions, query: basicOptions('teacher') }

const ofSemesters = (enabled: boolean) => (keyword: string) => ({
  type: 'semester',
  keyword: keyword || undefined,
  enabled,
})
/** Semesters that are closed are looked up too. */
export const semesters = { options: listOptions, query: ofSemesters(false) }
/** Those in which something may still be changed. */
export const openSemesters = { options: listOptions, query: ofSemesters(true) }
