import { listOptions } from '@/api/infra'
import { basicOptions } from '@/basic_data/BasicSelect'

/** How the filters over basic data ask for their choices. */
export const grades = { options: listOptions, query: basicOptions('grade') }
export const levels = { options: listOptions, query: basicOptions('level') }
export const majors = { options: listOptions, query: basicOptions('major') }
export const sites = { options: listOptions, query: basicOptions('site') }
export const classes = { options: listOptions, query: basicOptions('class') }

/** By what the server registered the values that show on click. */
export const ENTITY = 'student'
