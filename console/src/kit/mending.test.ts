import { expect, test } from 'vitest'
import { mendedAt } from './mending'

test('what a sheet names and nobody has leads to where it is made', () => {
  expect(mendedAt('年级', '“2031级”不存在')).toEqual({ place: 'grades', what: '年级' })
  expect(mendedAt('站点编码', '编码“099”不存在')).toEqual({ place: 'sites', what: '站点' })
  expect(mendedAt('班级', '该年级没有班级“春1班”')).toEqual({ place: 'classes', what: '班级' })
  expect(mendedAt('专业代码', '编码“9999”不存在')).toEqual({ place: 'schoolMajors', what: '专业' })
})

test('a mistake of the cell itself leads nowhere, nor does what is the platform’s', () => {
  expect(mendedAt('年级', '请输入年级')).toBeUndefined()
  expect(mendedAt('国家专业代码', '编码“9999”不存在')).toBeUndefined()
  expect(mendedAt('课程类型', '编码“X”不存在')).toBeUndefined()
})
