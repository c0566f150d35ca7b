import { listOptions } from '@/api/infra'
import { classes, teachers } from '@/basic_data/choices'
import { labelOf } from '@/kit/labels'
import { listArranges, listBlocks } from './api'
import type { Arrange, Whose } from './timetableRules'

/** Classrooms, of one site or of all. */
export const classroomsOf = (siteId?: number) => ({
  options: listOptions,
  query: (keyword: string) => ({
    type: 'classroom',
    keyword: keyword || undefined,
    parentId: siteId,
    enabled: true,
  }),
})

export const classrooms = classroomsOf()

/** Among whom the owner of a timetable, or of a time that is kept free, is chosen. */
export const resources: Record<Whose, typeof classrooms> = { class: classes, teacher: teachers, classroom: classrooms }

export const resourceWord = (kind: Whose) => labelOf(listBlocks, 'kind', kind)
export const kindWord = (kind: Arrange['kind']) => labelOf(listArranges, 'kind', kind)
