import { expect, it } from 'vitest'
import { ApiError, fieldErrors } from '@/api/errors'
import {
  atItsFields,
  chosenIn,
  countOf,
  draftsOf,
  newSection,
  sectionsOf,
  sectionsRefusal,
  totalOf,
} from './quizContent'

const read = [
  {
    title: '一、选择题',
    problems: [
      { problemId: 1, score: 40 },
      { problemId: 2, score: 57.9 },
    ],
  },
  { title: '二、论述题', problems: [{ problemId: 3, score: 0.1 }] },
]
const known = new Map([[1, { type: '单选题', stem: '货币' }]])

it('a paper that is read is sent as it was', () => {
  const drafts = draftsOf(read, known)
  expect(sectionsOf(drafts)).toEqual(read)
  expect(drafts[0]?.problems.map(({ stem }) => stem)).toEqual(['货币', '编号2'])
  expect([countOf(drafts), totalOf(drafts), chosenIn(drafts).has(3)]).toEqual([3, 98, true])
})

it('what is handed in comes to its total; a draft may lack some', () => {
  const drafts = draftsOf(read, known)
  expect(sectionsRefusal(drafts, 100, true)).toBe('题目分值合计98，与总分100不一致')
  expect(sectionsRefusal(drafts, 98, true)).toBeUndefined()
  expect(sectionsRefusal(drafts, 100, false)).toBeUndefined()
  expect(sectionsRefusal([], 100, true)).toBe('请先选择试题')
  expect(sectionsRefusal([...drafts, newSection()], 98, false)).toBe('请填写第3大题的标题')
})

it('says of which question a refusal is', () => {
  const refused = new ApiError(422, '提交的内容有误', [
    { field: 'sections[1].problems[0].score', message: '分值应在0.1到1000之间，最多一位小数' },
    { field: 'examName', message: '试卷名称不能为空' },
  ])
  expect(fieldErrors(atItsFields(refused))).toEqual([
    { field: 'sections', message: '第2大题第1题：分值应在0.1到1000之间，最多一位小数' },
    { field: 'examName', message: '试卷名称不能为空' },
  ])
})
