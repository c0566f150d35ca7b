import { useMutation } from '@tanstack/react-query'
import { type DragEvent, useState } from 'react'
import { tellSuccess } from '@/api/errors'
import { useAllowed } from '@/api/identity'
import type { OperationMeta } from '@/api/operation'
import { refetchAll } from '@/api/query'
import type { RowAction } from './actions'
import { moved, type Ordered, sistersOf } from './treeOrder'

interface TreeOrderProps {
  roots: readonly Ordered[]
  /** Whose permission is asked. */
  edit: OperationMeta
  /** Writes the number of one node with the version that was read. */
  write: (id: number, sortNo: number) => Promise<unknown>
  /** Sisters are hidden by a filter, so nobody sees where something would come to stand. */
  filtered: boolean
}

/**
 * Moves nodes among their sisters, by dragging and by 上移, 下移. Each number is an edit of its node with the version that was
 * read: where somebody else was quicker the server says so, and the tree is loaded again.
 */
export const useTreeOrder = ({ roots, edit, write, filtered }: TreeOrderProps) => {
  const allowed = useAllowed()(edit)
  const [dragged, setDragged] = useState<number>()
  const [over, setOver] = useState<number>()
  const save = useMutation({
    mutationFn: async ({ id, to }: { id: number; to: number }) => {
      for (const { unit, sortNo } of moved(sistersOf(roots, id), id, to)) await write(unit.id, sortNo)
    },
    onSuccess: (_, { id }) => tellSuccess(`已移动“${sistersOf(roots, id).find((node) => node.id === id)?.name}”`),
    onSettled: refetchAll,
  })
  const placeOf = (id: number) => sistersOf(roots, id).findIndex((node) => node.id === id)
  const isSister = (id: number) => dragged !== undefined && sistersOf(roots, dragged).some((node) => node.id === id)

  const by = (id: number, label: '上移' | '下移'): RowAction => {
    const to = placeOf(id) + (label === '上移' ? -1 : 1)
    const end = label === '上移' ? '已在同级的最前面' : '已在同级的最后面'
    const none = to < 0 || to >= sistersOf(roots, id).length
    return {
      label,
      do: edit,
      disabled: filtered ? '清除筛选后才能调整顺序' : none ? end : save.isPending ? '正在保存顺序' : undefined,
      onClick: () => save.mutate({ id, to }),
    }
  }
  const drop = () => {
    setDragged(undefined)
    setOver(undefined)
  }
  return {
    actions: ({ id }: { id: number }) => [by(id, '上移'), by(id, '下移')],
    row: ({ id }: { id: number }) => ({
      draggable: allowed && !filtered && !save.isPending,
      className: id === over ? 'row-drop' : undefined,
      onDragStart: (event: DragEvent) => {
        event.dataTransfer.effectAllowed = 'move'
        setDragged(id)
      },
      onDragOver: (event: DragEvent) => {
        if (!isSister(id)) return
        event.preventDefault()
        setOver(id)
      },
      onDrop: (event: DragEvent) => {
        event.preventDefault()
        if (dragged !== undefined && isSister(id)) save.mutate({ id: dragged, to: placeOf(id) })
        drop()
      },
      onDragEnd: drop,
    }),
  }
}
