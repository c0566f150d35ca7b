import { expect, it } from 'vitest'
import { draftOf, newProblem, type ProblemView, problemBody } from './problemDraft'

const view: ProblemView = {
  id: 7,
  version: 3,
  categoryId: 5,
  categoryName: '货币',
  type: 'single_choice',
  stemText: '货币最基本的职能是',
  hasImage: false,
  difficulty: 'easy',
  defaultScore: 2,
  subCount: 0,
  examCount: 0,
  source: 'manual',
  revision: 1,
  enabled: true,
  createdAt: '2026-11-22T08:00:00+08:00',
  stem: '<p>货币最基本的职能是</p>',
  options: [
    { letter: 'A', content: '贮藏手段' },
    { letter: 'B', content: '价值尺度' },
  ],
  answer: { letters: ['B'] },
  analysis: null,
  mediaKey: null,
  playLimit: null,
  upload: null,
  allowAttachment: false,
  subQuestions: [],
  media: [],
  usage: [],
  typeFixed: false,
}

it('a question that is read is sent as it was', () => {
  const body = problemBody(draftOf(view))
  expect(body).toMatchObject({
    categoryId: 5,
    type: 'single_choice',
    options: view.options,
    answer: { letters: ['B'] },
    defaultScore: 2,
    difficulty: 'easy',
    enabled: true,
  })
  expect(body).not.toHaveProperty('bankId')
})

it('a new one stands in its category, and a frame has a part', () => {
  expect(newProblem(5)).toMatchObject({ categoryId: 5, enabled: true, type: 'single_choice', subQuestions: [] })
  expect(newProblem(5, 'case_analysis').subQuestions).toHaveLength(1)
})
