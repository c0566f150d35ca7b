import { listRegistrations } from './api'

/** By what the server registered the values that show on click. */
export const ENTITY = 'registration'

/** The papers that are asked for, with their words. */
export const materials = listRegistrations.columns.materials?.options ?? []
