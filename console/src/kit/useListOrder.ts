import { useMutation } from '@tanstack/react-query'
import { type DragEvent, useState } from 'react'
import { tellSuccess } from '@/api/errors'
import { useAllowed } from '@/api/identity'
import type { Operation } from '@/api/operation'
import { refetchAll } from '@/api/query'
import { useRequest } from '@/api/schoolContext'
import type { RowAction } from './actions'
import { movedTo } from './listOrder'

interface ListOrderProps<Row, Data> {
  /** Takes the numbers of rows in the order that they are to have among themselves. */
  sort: Operation<undefined, { ids: number[] }, Data>
  /** Those of the page. */
  rows: readonly Row[]
  nameOf: (row: Row) => string
  /** Rows of different lists may stand on one page: each moves among its own. */
  listOf?: (row: Row) => string
}

/** Moves the rows of a page among themselves, by dragging and by 上移, 下移; what other pages hold stays where it is. */
export const useListOrder = <Row extends { id: number }, Data>(props: ListOrderProps<Row, Data>) => {
  const { sort, rows, nameOf, listOf = () => '' } = props
  const allowed = useAllowed()(sort)
  const request = useRequest()
  const [dragged, setDragged] = useState<Row>()
  const [over, setOver] = useState<number>()
  const besides = (row: Row) => rows.filter((each) => listOf(each) === listOf(row)).map(({ id }) => id)
  const save = useMutation({
    mutationFn: ({ row, to }: { row: Row; to: number }) =>
      request(sort, { body: { ids: movedTo(besides(row), row.id, to) } }),
    onSuccess: (_, { row }) => tellSuccess(`已移动“${nameOf(row)}”`),
    onSettled: refetchAll,
  })
  const placeOf = (row: Row) => besides(row).indexOf(row.id)

  const by = (row: Row, label: '上移' | '下移'): RowAction => {
    const to = placeOf(row) + (label === '上移' ? -1 : 1)
    const end = label === '上移' ? '已在本页的最前面' : '已在本页的最后面'
    const none = to < 0 || to >= besides(row).length
    return {
      label,
      do: sort,
      disabled: none ? end : save.isPending ? '正在保存顺序' : undefined,
      onClick: () => save.mutate({ row, to }),
    }
  }
  const drop = () => {
    setDragged(undefined)
    setOver(undefined)
  }
  const mayDropAt = (row: Row) => dragged !== undefined && dragged.id !== row.id && listOf(dragged) === listOf(row)
  return {
    actions: (row: Row): RowAction[] => [by(row, '上移'), by(row, '下移')],
    row: (row: Row) => ({
      draggable: allowed && !save.isPending,
      className: row.id === over ? 'row-drop' : undefined,
      onDragStart: (event: DragEvent) => {
        event.dataTransfer.effectAllowed = 'move'
        setDragged(row)
      },
      onDragOver: (event: DragEvent) => {
        if (!mayDropAt(row)) return
        event.preventDefault()
        setOver(row.id)
      },
      onDrop: (event: DragEvent) => {
        event.preventDefault()
        if (dragged && mayDropAt(row)) save.mutate({ row: dragged, to: placeOf(row) })
        drop()
      },
      onDragEnd: drop,
    }),
  }
}
