import type { Operation } from '@/api/operation'
import { step } from './actions'
import { undoBy } from './undo'

interface Named {
  id: number
  name: string
}

/** 删除 of a row; the server names what refers to it. */
export const removal = <Data>(operation: Operation<{ id: number }, undefined, Data>, row: Named) =>
  step(operation, {
    label: '删除',
    danger: true,
    with: { query: { id: row.id } },
    confirm: { title: `确定删除“${row.name}”吗？`, content: '删除后不能恢复。' },
    done: `已删除“${row.name}”`,
  })

interface Change {
  id: number
  enabled: boolean
  version?: number | null
}

/** 启用 or 停用; `effect` is what follows when the row is switched off. What refers to it keeps it either way. */
export const switching = <Data>(
  operation: Operation<undefined, Change, Data>,
  row: Named & { enabled: boolean; version: number },
  effect = '已有的引用保持不变，新增时不能再选择它。',
) =>
  step(operation, {
    label: row.enabled ? '停用' : '启用',
    with: { body: { id: row.id, enabled: !row.enabled, version: row.version } },
    confirm: row.enabled ? { title: `停用“${row.name}”？`, content: effect } : undefined,
    done: row.enabled ? `已停用“${row.name}”` : `已启用“${row.name}”`,
    undo: () => undoBy(operation, { body: { id: row.id, enabled: row.enabled, version: row.version + 1 } }),
  })

/** What the question of 批量删除 says. */
export const askRemoval = (what: string) => (count: number) => ({
  title: `确定删除选中的${count}个${what}吗？`,
  content: '删除后不能恢复；被引用的会保留并说明原因。',
})
