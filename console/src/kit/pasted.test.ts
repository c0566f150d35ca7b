import { expect, test } from 'vitest'
import { namesIn } from './pasted'

test('names come by lines, tabs and commas, each once', () => {
  expect(namesIn('刘亮\t2026900001\r\n王芳，刘亮；"张敏"\n\n')).toEqual(['刘亮', '2026900001', '王芳', '张敏'])
  expect(namesIn(' \n')).toEqual([])
})
