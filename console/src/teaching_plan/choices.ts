import { labelOf } from '@/kit/labels'
import { editPlanCourse, listTeachingPlans } from './api'

/** The words of what a course of a plan has. */
export const natureWord = (nature: string) => labelOf(editPlanCourse, 'nature', nature)
export const examWord = (examForm: string) => labelOf(editPlanCourse, 'examForm', examForm)
export const statusWord = (status: string) => labelOf(listTeachingPlans, 'status', status)
export const formWord = (studyForm: string) => labelOf(listTeachingPlans, 'studyForm', studyForm)
