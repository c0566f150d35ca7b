import { expect, it } from 'vitest'
import { can } from './certificateWords'

it('prints before it issues, but for numbers from elsewhere', () => {
  expect(can.issue({ status: 'printed', imported: false })).toBeUndefined()
  expect(can.issue({ status: 'allocated', imported: true })).toBeUndefined()
  expect(can.issue({ status: 'allocated', imported: false })).toBe('打印以后、没有发放的可以发放')
  expect(can.reissue({ status: 'printed' })).toBe('已发放的证书才能补办证明书')
})

it('changes nothing of a sealed archive', () => {
  expect(can.fill({ status: 'complete' })).toBeUndefined()
  expect(can.fill({ status: 'sealed' })).toBe('档案已归档，不能修改')
  expect(can.seal({ status: 'collecting' })).toBe('材料还没有备齐')
  expect(can.unseal({ status: 'handed_over' })).toBe('只有已归档的可以取消')
  expect(can.handOver({ status: 'sealed' })).toBeUndefined()
})
