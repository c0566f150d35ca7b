import { expect, it } from 'vitest'
import { ApiError, fieldErrors } from '@/api/errors'
import {
  acceptedIn,
  answerOf,
  answerRefusal,
  answerWords,
  atItsFields,
  blanksIn,
  bodyOf,
  type Choice,
  newQuestion,
  newSub,
  optionsRefusal,
  type QuestionDraft,
  type QuestionType,
  scoreOf,
  stemRefusal,
  subsRefusal,
  sumOf,
  switched,
} from './questionRules'

const choices = (...texts: string[]): Choice[] =>
  texts.map((text, key) => ({ key, content: text.replace('*', ''), right: text.startsWith('*') }))

const draft = (type: QuestionType, more: Partial<QuestionDraft> = {}): QuestionDraft => ({
  ...newQuestion(type),
  id: 1,
  version: 1,
  bankId: 7,
  stem: '<p>题干</p>',
  ...more,
})

it('letters follow the order, and what is right moves with its option', () => {
  const body = bodyOf(draft('multiple_choice', { options: choices('<p>甲</p>', '*<p>乙</p>', '*<p>丙</p>') }))
  expect(body.options?.map(({ letter }) => letter)).toEqual(['A', 'B', 'C'])
  expect(body.answer).toEqual({ letters: ['B', 'C'] })
})

it('refuses options that nobody could choose between', () => {
  expect(optionsRefusal('single_choice', choices('*甲', '乙'))).toBeUndefined()
  expect(optionsRefusal('single_choice', choices('*甲', '乙', '<p>甲</p>'))).toBe('选项A与C内容相同')
  expect(optionsRefusal('single_choice', choices('甲', '乙'))).toBe('请选择1个正确选项')
  expect(optionsRefusal('single_choice', choices('*甲'))).toBe('至少需要2个选项')
  expect(optionsRefusal('multiple_choice', choices('*甲', '乙'))).toBe('多选题至少有2个正确选项')
  expect(optionsRefusal('multiple_choice', choices('*甲', '*<p> </p>'))).toBe('请填写选项B')
  expect(optionsRefusal('single_choice', choices('*0', ...Array.from({ length: 26 }, (_, at) => `${at + 1}`)))).toBe(
    '选项最多26个(A–Z)',
  )
  expect(optionsRefusal('essay', [])).toBeUndefined()
})

it('sends no answer that was not shown, and asks for none', () => {
  const unseen = draft('single_choice', { unseen: true, options: choices('甲', '乙'), analysis: '' })
  expect(optionsRefusal(unseen.type, unseen.options, unseen.unseen)).toBeUndefined()
  expect(answerRefusal({ ...unseen, type: 'essay' })).toBeUndefined()
  const subs = [{ ...newSub('true_false'), id: 3, stem: '对吗', unseen: true }]
  expect(subsRefusal('case_analysis', subs)).toBeUndefined()
  const body = bodyOf({ ...unseen, type: 'case_analysis', subQuestions: subs })
  expect([body.answer, body.subQuestions?.[0]?.answer]).toEqual([null, null])
  expect(bodyOf(unseen)).toMatchObject({ answer: null, analysis: null })
})

it('counts blanks in the stem and the scores of their answers', () => {
  expect(blanksIn('<p>货币的两个基本职能是____和___。</p><p>__</p>')).toBe(2)
  expect(blanksIn('<p><strong>__</strong>__</p>')).toBe(1)
  const blank = { key: 1, accept: '价值尺度| 流通手段', match: 'loose' as const, score: 1 }
  const parts = { type: 'fill_blank' as const, stem: '<p>____和____和____</p>', defaultScore: 2 }
  expect(answerRefusal({ ...parts, answer: { blanks: [blank, blank] } })).toBe('题干有3个空，答案有2个')
  const two = { ...parts, stem: '<p>____、____</p>' }
  expect(answerRefusal({ ...two, answer: { blanks: [blank, blank] } })).toBeUndefined()
  expect(answerRefusal({ ...two, answer: { blanks: [blank, { ...blank, score: 0.5 }] } })).toBe(
    '各空分值合计1.5，与分值2.0不一致',
  )
  expect(answerRefusal({ ...two, answer: { blanks: [blank, { ...blank, match: 'number' }] } })).toBe(
    '第2空按数值比较，答案应为数字',
  )
  expect(acceptedIn('价值尺度| 流通手段 ||')).toEqual(['价值尺度', '流通手段'])
  const answer = answerOf({ type: 'fill_blank', options: [], answer: { blanks: [blank], unordered: true } })
  expect(answer).toEqual({
    blanks: [{ accept: ['价值尺度', '流通手段'], match: 'loose', score: 1, tolerance: null }],
    unordered: true,
    manual: false,
  })
  expect(answerWords('fill_blank', answer)).toBe('价值尺度或流通手段')
})

it('asks what a person marks for a reference answer', () => {
  const essay = { type: 'essay' as const, stem: '<p>论述</p>', defaultScore: 10 }
  expect(answerRefusal({ ...essay, answer: {} })).toBe('请输入参考答案')
  expect(answerRefusal({ ...essay, answer: { text: '<p>要点</p>' } })).toBeUndefined()
  expect(answerRefusal({ ...essay, type: 'file_upload', answer: {} })).toBeUndefined()
})

it('keeps the stem when the type changes, and the options between choices', () => {
  const typed = draft('multiple_choice', { options: choices('*甲', '*乙') })
  const single = switched(typed, 'single_choice')
  expect(single.options.map(({ content, right }) => [content, right])).toEqual([
    ['甲', true],
    ['乙', false],
  ])
  const essay = switched(typed, 'essay')
  expect([essay.stem, essay.options]).toEqual(['<p>题干</p>', []])
})

it('a parent counts what its own count, and none of its own has a mistake', () => {
  const subs = [
    { ...newSub(), stem: '<p>一</p>', options: choices('*甲', '乙'), defaultScore: 0.1 },
    { ...newSub('true_false'), stem: '<p>二</p>', answer: {}, defaultScore: 0.2 },
  ]
  expect(scoreOf(draft('case_analysis', { subQuestions: subs }))).toBe(0.3)
  expect(subsRefusal('case_analysis', subs)).toBe('第2小题：请选择正确或错误')
  expect(subsRefusal('case_analysis', [])).toBe('至少需要1个小题')
  expect(bodyOf(draft('case_analysis', { subQuestions: subs })).answer).toBeNull()
  expect(sumOf([3.5, 3.5, 3])).toBe(10)
})

it('a picture or a formula is a stem too, blanks of paper are not', () => {
  expect(stemRefusal('<p><img data-key="a.png"></p>')).toBeUndefined()
  expect([undefined, '', '<p> </p>'].map(stemRefusal)).toEqual(Array(3).fill('请输入题干'))
})

it('sentences of the server stand at the fields of the form', () => {
  const refusal = new ApiError(422, '题干有3个空，答案有2个', [
    { field: 'subQuestions[1].answer', message: '题干有3个空，答案有2个' },
    { field: 'answer.letters', message: '请选择1个正确选项' },
  ])
  expect(fieldErrors(atItsFields('single_choice', refusal))).toEqual([
    { field: 'subQuestions', message: '第2小题：题干有3个空，答案有2个' },
    { field: 'options', message: '请选择1个正确选项' },
  ])
  const other = new Error('x')
  expect(atItsFields('essay', other)).toBe(other)
})
