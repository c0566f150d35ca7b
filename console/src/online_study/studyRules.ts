import type { DataOf, RowOf } from '@/api/operation'
import { formatTime } from '@/kit/format'
import type { Tone } from '@/kit/Status'
import type { listCourseQas, listOnlineTeachings, listStudyFigures, listStudyProgress, viewStudyProgress } from './api'

export type Teaching = RowOf<typeof listOnlineTeachings>
export type Progress = RowOf<typeof listStudyProgress>
export type Detail = DataOf<typeof viewStudyProgress>
export type Question = RowOf<typeof listCourseQas>
export type Session = Detail['sessions'][number]
export type Reply = Question['replies'][number]
export type Figures = DataOf<typeof listStudyFigures>

/** The tones of what a course is studied with. */
export const resourceTones: Partial<Record<Teaching['resource'], Tone>> = {
  missing: 'bad',
  unready: 'warning',
  ready: 'good',
}

/** The tones of where now lies in the time of study. */
export const windowTones: Partial<Record<Teaching['window'], Tone>> = {
  not_started: 'quiet',
  running: 'busy',
  ended: 'quiet',
}

/** What an opened course is called: 大学英语(一)（2026级会计学）. */
export const courseOf = ({
  courseName,
  gradeName,
  majorName,
}: Pick<Teaching, 'courseName' | 'gradeName' | 'majorName'>) => {
  const whose = [gradeName, majorName].filter(Boolean).join('')
  return whose ? `${courseName}（${whose}）` : courseName
}

/** A selection as people know it: 张三《会计学原理》. */
export const nameOf = ({ name, courseName }: Pick<Progress, 'name' | 'courseName'>) => `${name}《${courseName}》`

const SECONDS_OF_MINUTE = 60

/** How long somebody studied: 12分05秒. */
export const span = (seconds: number) => {
  const rest = seconds % SECONDS_OF_MINUTE
  const minutes = (seconds - rest) / SECONDS_OF_MINUTE
  return minutes > 0 ? `${minutes}分${String(rest).padStart(2, '0')}秒` : `${rest}秒`
}

export const DAY = 'YYYY-MM-DD'
const SECOND_MS = 1000

/** The last day of what ends at a moment: at midnight it is the day before. */
export const lastDay = (endsAt: string) => formatTime(new Date(new Date(endsAt).getTime() - SECOND_MS), DAY)

/** Why a step is not to be had now; the server has the last word (03 B5). */
export const can = {
  edit: ({ openingStatus }: Pick<Teaching, 'openingStatus'>) =>
    openingStatus === 'opened' ? undefined : '课程已结课，不能修改在线教学设置',
  remind: ({ finishedAt }: Pick<Progress, 'finishedAt'>) => (finishedAt ? '该学生已完成学习，无需督促' : undefined),
  reset: ({ lastAt, importedProgress }: Pick<Progress, 'lastAt' | 'importedProgress'>) =>
    lastAt || importedProgress ? undefined : '没有可重置的学习记录',
}

/** How a session ended. */
export const endWords: Record<NonNullable<Session['endReason']>, string> = {
  closed: '正常结束',
  silent: '长时间无响应',
  other_device: '在其他设备学习',
  other_period: '学习其他课时',
  reset: '进度被重置',
}

/** Who answered. */
export const replyWords: Record<Reply['byKind'], string> = { student: '学生', teacher: '教师', staff: '院校人员' }

/** A part of progress: 0–10%, …, 90–100%. */
export const binWords = ({ from, to }: Figures['bins'][number]) => `${from}–${to}%`
