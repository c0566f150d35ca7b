import type { BodyOf, DataOf, RowOf } from '@/api/operation'
import type { Tone } from '@/kit/Status'
import type {
  listCourseHomework,
  listHomework,
  listStudentHomework,
  saveHomework,
  saveHomeworkBatch,
  viewHomework,
  viewStudentHomework,
} from './api'

/** Homework and the work of students, as their screens show them (03 B6). Pure; the server repeats every check. */

export type Homework = RowOf<typeof listHomework>
export type HomeworkView = DataOf<typeof viewHomework>
export type HomeworkBody = BodyOf<typeof saveHomework>
export type CourseHomework = RowOf<typeof listCourseHomework>
export type Work = RowOf<typeof listStudentHomework>
export type WorkView = DataOf<typeof viewStudentHomework>
export type Batch = BodyOf<typeof saveHomeworkBatch>
export type Batched = DataOf<typeof saveHomeworkBatch>
export type Target = HomeworkBody['targets'][number]
export type Marker = NonNullable<HomeworkBody['markers']>[number]

/** The tones of homework by its state. */
export const statusTones: Partial<Record<Homework['status'], Tone>> = {
  draft: 'quiet',
  published: 'good',
  closed: 'quiet',
  withdrawn: 'warning',
}

/** The tones of where now lies in its time. */
export const phaseTones: Partial<Record<Homework['phase'], Tone>> = {
  not_started: 'quiet',
  running: 'busy',
  late: 'warning',
  over: 'quiet',
}

/** The tones of a student's work by its state. */
export const workTones: Partial<Record<Work['state'], Tone>> = {
  not_started: 'quiet',
  in_progress: 'busy',
  submitted: 'warning',
  marked: 'good',
  returned: 'bad',
  missed: 'bad',
  exempt: 'quiet',
  void: 'quiet',
}

/** 第一次作业（会计学原理）. */
export const titleOf = ({ title, courseName }: Pick<Homework, 'title' | 'courseName'>) => `${title}（${courseName}）`

/** 张三《第一次作业》. */
export const workName = ({ name, title }: Pick<Work, 'name' | 'title'>) => `${name}《${title}》`

/** A score as people write it: 86.0; nothing for none. */
export const score = (value: number | null | undefined) => (typeof value === 'number' ? value.toFixed(1) : '—')

type InStatus = Pick<Homework, 'status'>

const is = ({ status }: InStatus, ...wanted: Homework['status'][]) => wanted.includes(status)

/** Why a step is not to be had now; the server has the last word (03 B6). */
export const can = {
  publish: (row: InStatus) => (is(row, 'draft', 'withdrawn') ? undefined : '作业已发布'),
  remove: (row: InStatus) => (is(row, 'draft', 'withdrawn') ? undefined : '只有草稿和已撤回的可以删除'),
  /** There are rows of students. */
  follow: (row: InStatus) => (is(row, 'published', 'closed') ? undefined : '作业还没有发布'),
  extendOne: ({ state }: Pick<Work, 'state'>) =>
    state === 'exempt' || state === 'void' ? '免做和作废的作业不能延期' : undefined,
  exempt: ({ state }: Pick<Work, 'state'>) =>
    state === 'exempt' ? '该学生已免做' : state === 'void' ? '作业已作废' : undefined,
  giveBack: ({ state, sheetId }: Pick<Work, 'state' | 'sheetId'>) =>
    sheetId && (state === 'submitted' || state === 'marked') ? undefined : '没有可退回的答卷',
}

/** The newest sheets of those who have one. */
export const sheetsOf = (works: readonly Pick<Work, 'sheetId'>[]) => works.flatMap(({ sheetId }) => sheetId ?? [])

/** Whose the sheets are that a step names by their numbers. */
export const withSheets = <Row extends Pick<Work, 'id' | 'sheetId'>>(
  works: readonly Row[],
  sheets: readonly { id: number }[],
) => works.filter(({ sheetId }) => sheets.some(({ id }) => id === sheetId))

/** Whether it can be set anew; afterwards only what B6 leaves open. */
export const isOpen = (status: Homework['status'] | undefined) =>
  status === undefined || status === 'draft' || status === 'withdrawn'

const WEEKS_MS = 14 * 24 * 3600 * 1000

/** What a new homework begins with. */
export const newHomework = (now: Date, begun: Partial<HomeworkBody> = {}): Partial<HomeworkBody> => ({
  purpose: 'homework',
  kind: 'paper',
  paperMode: 'fixed',
  paperIds: [],
  startsAt: now.toISOString(),
  endsAt: new Date(now.getTime() + WEEKS_MS).toISOString(),
  latePenalty: 0,
  maxAttempts: 1,
  attemptScoring: 'highest',
  minIntervalMinutes: 0,
  shuffleQuestions: false,
  shuffleOptions: false,
  showAnswer: 'after_close',
  weight: 1,
  similarityThreshold: 60,
  targets: [],
  markers: [],
  ...begun,
})

/** The fields that a homework of a kind has not are not sent with it. */
export const bodyOf = (typed: Partial<HomeworkBody>): Partial<HomeworkBody> => {
  const isPaper = typed.kind === 'paper'
  const isDrawn = typed.paperMode === 'random_rule'
  return {
    ...typed,
    chapterId: typed.purpose === 'chapter_test' ? typed.chapterId : null,
    paperMode: isPaper ? typed.paperMode : null,
    paperIds: isPaper && !isDrawn ? typed.paperIds : [],
    ruleId: isPaper && isDrawn ? typed.ruleId : null,
    instruction: isPaper ? null : typed.instruction,
    upload: isPaper ? null : typed.upload,
    totalScore: isPaper ? null : typed.totalScore,
  }
}

/** An opening, with the classes that are chosen in it. */
interface Offered {
  id: number
  classes: readonly { classId: number }[]
}

const without = (targets: readonly Target[], openingId: number) =>
  targets.filter((target) => target.openingId !== openingId)

/** All classes of an opening, or none of it. */
export const withOpening = (targets: readonly Target[], { id }: Offered, chosen: boolean): Target[] => [
  ...without(targets, id),
  ...(chosen ? [{ openingId: id }] : []),
]

/** One class of an opening more or less; all of them are said one by one then, as the others may stay away. */
export const withClass = (targets: readonly Target[], opening: Offered, classId: number, chosen: boolean): Target[] => {
  const own = targets.filter(({ openingId }) => openingId === opening.id)
  const isWhole = own.some((target) => !target.classId)
  const before = isWhole ? opening.classes.map((each) => each.classId) : own.flatMap((target) => target.classId ?? [])
  const after = chosen ? [...new Set([...before, classId])] : before.filter((id) => id !== classId)
  return [...without(targets, opening.id), ...after.map((id) => ({ openingId: opening.id, classId: id }))]
}

/** Whether an opening is meant as a whole, in part, or not. */
export const chosenOf = (targets: readonly Target[], { id }: Offered) => {
  const own = targets.filter(({ openingId }) => openingId === id)
  if (own.some((target) => !target.classId)) return 'whole'
  return own.length > 0 ? 'part' : 'none'
}

/** Numbers of questions as people type them: 3、7.2. */
export const seqsIn = (text: string) => text.split(/[,，、\s]+/).filter(Boolean)

/** Scores of a hundred as a list asks for them. */
const bins = [
  { name: '60分以下', scoreFrom: 0, scoreTo: 59.9 },
  { name: '60–69分', scoreFrom: 60, scoreTo: 69.9 },
  { name: '70–79分', scoreFrom: 70, scoreTo: 79.9 },
  { name: '80–89分', scoreFrom: 80, scoreTo: 89.9 },
  { name: '90–100分', scoreFrom: 90, scoreTo: 100 },
] as const

/** Those of them that lie within the scores for which a list is asked, cut to these. */
export const binsWithin = ({ scoreFrom = 0, scoreTo = 100 }: { scoreFrom?: number; scoreTo?: number }) =>
  bins
    .map((bin) => ({
      name: bin.name,
      scoreFrom: Math.max(bin.scoreFrom, scoreFrom),
      scoreTo: Math.min(bin.scoreTo, scoreTo),
    }))
    .filter((bin) => bin.scoreFrom <= bin.scoreTo)

/** What became of a batch, in words. */
export const batchWords = ({ created, ready, rows }: Batched, dryRun: boolean) => {
  const refused = rows.length - ready
  const left = refused > 0 ? `，${refused}门未布置` : ''
  return dryRun ? `${ready}门课程可以布置${refused > 0 ? `，${refused}门有问题` : ''}` : `已布置${created}门课程${left}`
}
