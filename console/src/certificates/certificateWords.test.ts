import { expect, it } from 'vitest'
import { can, completenessOf } from './certificateWords'

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
  expect(can.download({ status: 'handed_over' })).toBeUndefined()
  expect(can.download({ status: 'complete' })).toBe('归档以后才有全卷可以下载')
})

it('counts as complete what lacks nothing, sealed and handed over too', () => {
  const none = { collecting: 0, complete: 0, sealed: 0, handedOver: 0 }
  expect(
    completenessOf([
      { siteName: '城东站', collecting: 1, complete: 1, sealed: 0, handedOver: 1 },
      { siteName: '城西站', ...none },
    ]),
  ).toEqual([
    { name: '城东站（2/3）', value: 66 },
    { name: '城西站（0/0）', value: 0 },
  ])
})
