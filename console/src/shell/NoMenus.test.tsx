// @vitest-environment happy-dom
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it, vi } from 'vitest'
import { NoMenus } from './NoMenus'

vi.mock('@/accounts/signOut', () => ({ signOut: vi.fn() }))
vi.mock('@/kit/Drawings', () => ({ Drawing: () => null }))

/** 01 §10.3: who has no page is told so, and can leave. */
it('tells who has no page, with the way out', () => {
  const shown = renderToStaticMarkup(<NoMenus />)
  expect(shown).toContain('暂无可用菜单，请联系管理员')
  expect(shown).toContain('退出登录')
})
