import { describe, expect, it } from 'vitest'
import { filtersBehind, funnelFigures } from './funnelFigures'

describe('the people behind a figure', () => {
  it('has a filter for each figure but the first, and none twice', () => {
    const behind = funnelFigures.map((figure) => JSON.stringify(figure.behind))
    expect(behind[0]).toBe('{}')
    expect(new Set(behind).size).toBe(funnelFigures.length)
  })

  it('takes away what the figure before asked for', () => {
    expect(filtersBehind({ reached: 'reported', siteId: '7' })).toEqual({
      status: undefined,
      examStatus: undefined,
      reached: 'reported',
      siteId: '7',
      majorId: undefined,
    })
  })
})
