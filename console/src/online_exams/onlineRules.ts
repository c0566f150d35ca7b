import type { BodyOf, DataOf, RowOf } from '@/api/operation'
import type { SlotPaper } from '@/exams/examRules'
import type { Tone } from '@/kit/Status'
import type {
  listAttempts,
  listExamMarking,
  listExamRecords,
  saveOnlineSetup,
  takeNextPaper,
  viewAttempt,
  viewOnlineSetup,
} from './api'

/** Examinations on the net, as their screens show them (04 §2). Pure; the server repeats every check. */

export type ExamView = DataOf<typeof viewOnlineSetup>
export type ExamBody = BodyOf<typeof saveOnlineSetup>
export type Attempt = RowOf<typeof listAttempts>
export type AttemptView = DataOf<typeof viewAttempt>
export type Marking = RowOf<typeof listExamMarking>
export type ExamRecord = RowOf<typeof listExamRecords>
export type PaperToMark = NonNullable<DataOf<typeof takeNextPaper>>

export const riskTones: Partial<Record<Attempt['riskLevel'], Tone>> = { low: 'quiet', medium: 'warning', high: 'bad' }

export const attemptTones: Partial<Record<NonNullable<Attempt['markState']>, Tone>> = {
  in_progress: 'busy',
  submitted: 'warning',
  marked: 'good',
  void: 'quiet',
}

type InStatus = Pick<ExamView, 'status' | 'markingStatus'>

/** Why a step with an examination is not to be had now; the server has the last word (04 §2.2). */
export const can = {
  publish: ({ status }: InStatus) => (status === 'draft' ? undefined : '只有草稿可以发布'),
  withdraw: ({ status }: InStatus) => (status === 'published' ? undefined : '只有已发布的可以撤回'),
  close: ({ status }: InStatus) => (status === 'published' ? undefined : '只有已发布的可以结束'),
  reopen: ({ status, markingStatus }: InStatus) =>
    status !== 'closed'
      ? '考试结束后可以重新开放'
      : markingStatus === 'transferred'
        ? '成绩已转入，不能重新开放'
        : undefined,
  cancel: ({ status, markingStatus }: InStatus) =>
    status !== 'draft' && status !== 'published'
      ? '只有草稿和已发布的可以取消'
      : markingStatus === 'transferred'
        ? '成绩已转入，不能取消'
        : undefined,
  remove: ({ status }: InStatus) => (status === 'draft' ? undefined : '只有草稿可以删除'),
}

/** Whether all of it may still be changed. */
export const isDraft = (status: ExamView['status'] | undefined) => status === undefined || status === 'draft'

type Sheet = Pick<Attempt, 'sheetId' | 'markState'>

/** Why nothing can be done with a sheet. */
export const canSheet = {
  look: ({ sheetId }: Sheet) => (sheetId ? undefined : '考生还没有进入考试'),
  watch: ({ sheetId, markState }: Sheet) =>
    !sheetId ? '考生还没有进入考试' : markState === 'in_progress' ? undefined : '只能对作答中的考生操作',
  discard: ({ sheetId, markState }: Sheet) =>
    !sheetId ? '考生还没有进入考试' : markState === 'void' ? '答卷已作废' : undefined,
}

/** The sheets of those who entered. */
export const sheetsOf = (rows: readonly Sheet[]) => rows.flatMap(({ sheetId }) => sheetId ?? [])

type InMarking = Pick<Marking, 'status' | 'markingStatus' | 'sheetCount' | 'markedCount' | 'arbitrationCount'>

/** Why marking cannot go on now. */
export const canMark = {
  /** Also while some sit again: with a sheet goes the key. */
  begin: ({ status, markingStatus }: InMarking) =>
    status === 'closed' && markingStatus === 'marking' ? undefined : '考试结束后开始阅卷',
  finish: ({ markingStatus, sheetCount, markedCount, arbitrationCount }: InMarking) => {
    if (markingStatus !== 'marking') return '不在阅卷中'
    if (markedCount < sheetCount) return `还有 ${sheetCount - markedCount} 份答卷未阅`
    return arbitrationCount > 0 ? `还有 ${arbitrationCount} 题待仲裁` : undefined
  },
  transfer: ({ markingStatus }: InMarking) =>
    markingStatus === 'done' || markingStatus === 'transferred' ? undefined : '请先完成阅卷',
}

/** 已阅/应阅 in percent; all of nothing is done. */
export const markedPercent = ({ sheetCount, markedCount }: Pick<Marking, 'sheetCount' | 'markedCount'>) =>
  sheetCount === 0 ? 100 : Math.floor((markedCount * 100) / sheetCount)

/** What a new examination begins with. */
export const newExam = (begun: Partial<ExamBody>): Partial<ExamBody> => ({
  durationMinutes: 90,
  earliestSubmitMinutes: 0,
  maxAttempts: 1,
  attemptScoring: 'highest',
  paperMode: 'fixed',
  papers: [],
  shuffleQuestions: true,
  shuffleOptions: true,
  passScore: 60,
  markingMode: 'single',
  markDiffPercent: 15,
  anonymousMarking: true,
  showScore: 'after_publish',
  showAnswer: 'never',
  maxAbsence: 33,
  requireFee: false,
  includeDeferred: true,
  classIds: [],
  antiCheat: {
    fullScreen: true,
    disableCopy: true,
    switchLimit: 3,
    switchToleranceSeconds: 5,
    faceMode: 'none',
    snapshotSeconds: 0,
    singleDevice: true,
    ipLock: false,
  },
  ...begun,
})

const withoutNulls = (values: object) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))

/** A form's values as they are typed: controls take no null, neither within what is watched. */
export const draftOf = (form: ExamBody): Partial<ExamBody> => ({
  ...form,
  antiCheat: form.antiCheat && (withoutNulls(form.antiCheat) as ExamBody['antiCheat']),
})

/** What goes to the server: of one drawn by a rule no papers, of others no rule. */
export const examBody = <Draft extends Partial<ExamBody>>(draft: Draft): Draft => ({
  ...draft,
  papers: draft.paperMode === 'random_rule' ? [] : (draft.papers ?? []),
  ruleId: draft.paperMode === 'random_rule' ? draft.ruleId : null,
})

/** Why the papers do not go with how they are given out. */
export const papersRefusal = (mode: string | null | undefined, papers: readonly SlotPaper[]) => {
  if (mode === 'random_rule') return undefined
  if (papers.length === 0) return '请选择试卷'
  return mode === 'random_pool' && papers.length < 2 ? '多套随机至少选择2份试卷' : undefined
}
