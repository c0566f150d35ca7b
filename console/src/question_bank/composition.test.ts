import { expect, it } from 'vitest'
import {
  composedOf,
  distributed,
  firstNumbers,
  gapWords,
  movedTo,
  type PaperQuestion,
  type Section,
  sectionStepped,
  sorted,
  stepped,
  titleAt,
  totalOf,
  totalWords,
  withoutQuestions,
  withScore,
  withSubScore,
} from './composition'

const question = (questionId: number, more: Partial<PaperQuestion> = {}): PaperQuestion => ({
  questionId,
  seq: String(questionId),
  type: 'single_choice',
  stem: '<p>题</p>',
  options: [],
  difficulty: 'medium',
  allowAttachment: false,
  knowledgePointNames: [],
  revision: 1,
  knowledgePointIds: [],
  score: 2,
  status: 'enabled',
  usedCount: 0,
  subQuestions: [],
  ...more,
})

const section = (title: string, questions: PaperQuestion[], more: Partial<Section> = {}): Section => ({
  id: 1,
  title,
  multipleRule: 'all_or_nothing',
  questions,
  ...more,
})

const sub = (defaultScore: number) => ({
  id: 1,
  subNo: 1,
  type: 'single_choice' as const,
  stem: '',
  options: [],
  defaultScore,
  allowAttachment: false,
  knowledgePointNames: [],
  knowledgePointIds: [],
  revision: 1,
})

const idsOf = (sections: readonly Section[]) =>
  sections.map(({ questions }) => questions.map(({ questionId }) => questionId))

const paper = [section('一', [question(1), question(2)], { type: 'single_choice' }), section('二', [question(3)])]
const words = () => '单选题'

it('hands a score on in halves, the rest to the last', () => {
  expect(distributed(10, [3, 3, 3])).toEqual([3.5, 3.5, 3])
  expect(distributed(10, [5, 5])).toEqual([5, 5])
  expect(distributed(1, [1, 1, 1, 1])).toEqual([0.3, 0.3, 0.3, 0.1])
  expect(distributed(4, [0, 0])).toEqual([0, 0])
})

it('counts what is chosen and what is missing', () => {
  expect(totalOf([section('一', [question(1, { score: 0.1 }), question(2, { score: 0.2 })])])).toEqual({
    count: 2,
    score: 0.3,
  })
  expect(totalWords(paper, 100)).toBe('已选 3题 / 6.0分 / 目标 100.0分')
  expect([gapWords(paper, 6), gapWords(paper, 10), gapWords(paper, 5.5)]).toEqual([undefined, '还差4.0分', '超出0.5分'])
})

it('moves questions, and none into a section of another type', () => {
  expect(movedTo(paper, [3], 0, 1, words)).toEqual({ sections: [expect.anything(), expect.anything()] })
  const there = movedTo(paper, [3], 0, 1, words)
  expect('sections' in there && idsOf(there.sections)).toEqual([[1, 3, 2], []])
  const down = movedTo(paper, [1], 0, 2, words)
  expect('sections' in down && idsOf(down.sections)).toEqual([[2, 1], [3]])
  const essay = [...paper, section('三', [question(4, { type: 'essay' })])]
  expect(movedTo(essay, [4], 0, undefined, words)).toEqual({ refusal: '该大题只能放单选题' })
  expect(idsOf(stepped(paper, 1, 1))).toEqual([[2, 1], [3]])
  expect(idsOf(stepped(paper, 1, -1))).toEqual(idsOf(paper))
  expect(idsOf(sectionStepped(paper, 0, 1))).toEqual([[3], [1, 2]])
  expect(idsOf(withoutQuestions(paper, [2]))).toEqual([[1], [3]])
})

it('a score reaches the parts of a question, and a part its question', () => {
  const parent = [section('一', [question(1, { type: 'case_analysis', subQuestions: [sub(3), sub(3), sub(3)] })])]
  const [whole] = withScore(parent, [1], 10)
  expect(whole?.questions[0]).toMatchObject({ score: 10, subScores: [3.5, 3.5, 3] })
  const [part] = withSubScore(parent, 1, 2, 4)
  expect(part?.questions[0]).toMatchObject({ score: 10, subScores: [3, 3, 4] })
  expect(composedOf(withScore(parent, [1], 10))[0]?.questions).toEqual([
    { questionId: 1, score: 10, subScores: [3.5, 3.5, 3] },
  ])
})

it('sorts within sections, what is alike as it was', () => {
  const mixed = [section('一', [question(1, { type: 'essay' }), question(2), question(3)])]
  expect(idsOf(sorted(mixed, 'type', ['single_choice', 'essay'], []))).toEqual([[2, 3, 1]])
  const chapters = [section('一', [question(1), question(2, { chapterId: 9 }), question(3, { chapterId: 4 })])]
  expect(idsOf(sorted(chapters, 'chapter', [], []))).toEqual([[3, 2, 1]])
})

it('numbers go on over the sections, and titles have theirs', () => {
  expect(firstNumbers(paper)).toEqual([0, 2])
  expect([titleAt(2, '填空题'), titleAt(11, '填空题')]).toEqual(['三、填空题', '12、填空题'])
})
