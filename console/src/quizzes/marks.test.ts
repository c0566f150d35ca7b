import { expect, it } from 'vitest'
import { answerWords, itemsOf, marksDraftOf, seqsOf } from './marks'

it('a marker gives what no machine can, and goes on from what was given', () => {
  const mark = { type: 'essay' as const, fullScore: 10, objective: false, score: null, hint: null, comment: null }
  const draft = marksDraftOf([
    { ...mark, seq: '1', objective: true, score: 2 },
    { ...mark, seq: '7.2', score: 8.5, comment: '要点齐全' },
    { ...mark, seq: '8', hint: 4 },
    { ...mark, seq: '9' },
  ])
  expect(draft).toEqual({ q7_2: { score: 8.5, comment: '要点齐全' }, q8: { score: 4 }, q9: {} })
  expect(itemsOf(draft)).toEqual([
    { seq: '7.2', score: 8.5, comment: '要点齐全' },
    { seq: '8', score: 4, comment: null },
  ])
})

it('tells what was answered', () => {
  expect(answerWords(undefined)).toBe('')
  expect(answerWords({ letters: ['A', 'C'] })).toBe('AC')
  expect(answerWords({ value: false })).toBe('错误')
  expect(answerWords({ texts: ['价值', ''] })).toBe('价值；（空）')
})

it('a frame is answered in its parts', () => {
  const question = {
    problemId: 1,
    seq: '7',
    type: 'case_analysis' as const,
    stem: '材料',
    options: [],
    answer: null,
    analysis: null,
    score: 10,
    mediaKey: null,
    playLimit: null,
  }
  const part = { type: 'essay' as const, stem: '问', options: [], answer: null, analysis: null, score: 5 }
  expect(seqsOf({ ...question, parts: [] })).toEqual(['7'])
  expect(
    seqsOf({
      ...question,
      parts: [
        { ...part, seq: '7.1' },
        { ...part, seq: '7.2' },
      ],
    }),
  ).toEqual(['7.1', '7.2'])
})
