import { Button, Empty, Table } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useCall, useRequest } from '@/api/schoolContext'
import { type RowAction, step } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { formatNumber } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { RowActions } from '@/kit/RowActions'
import { useDrawer } from '@/kit/useDrawer'
import { FIRST_PAGE } from '@/kit/useQueryTable'
import { type Allocation, AllocationForm } from './AllocationForms'
import { allOwnOf, type Grid, groupName, isOpen, linesOf } from './allocationRules'
import { deleteAllocation, editAllocation, listAllocations, saveAllocations, viewAllocation } from './api'
import { roleWord } from './choices'

/** Who teaches an opening, a line a teacher and class. */
const Teachers = ({ opening }: { opening: Grid }) => {
  const call = useCall()
  const form = useDrawer<Allocation>()
  const opens = isOpen(opening)
  const opened = useMutation({
    mutationFn: (id: number) => call(viewAllocation, { query: { id } }),
    onSuccess: (allocation) => form.open(allocation),
  })
  const rows = linesOf([opening]).flatMap((line) => allOwnOf(line).map((own) => ({ ...own, group: groupName(line) })))
  type Row = (typeof rows)[number]
  const actionsOf = ({ teacher, group }: Row): RowAction[] =>
    opens
      ? [
          { label: '编辑', do: editAllocation, onClick: () => opened.mutate(teacher.id) },
          step(deleteAllocation, {
            label: '移除',
            danger: true,
            with: { query: { id: teacher.id } },
            confirm: { title: `移除“${teacher.name}”在${group}的任课？`, content: '移除后可以重新安排。' },
            done: `已移除“${teacher.name}”的任课`,
          }),
        ]
      : []
  return (
    <>
      {opens && (
        <Can do={saveAllocations}>
          <div className="toolbar">
            <Button icon={<IconPlus />} onClick={() => form.open()}>
              新增任课安排
            </Button>
          </div>
        </Can>
      )}
      <Table
        size="small"
        rowKey={({ teacher }: Row) => teacher.id}
        border={{ wrapper: true }}
        pagination={{ pageSize: 20, hideOnSinglePage: true }}
        data={rows}
        noDataElement={<Empty description="还没有安排教师" />}
        columns={[
          { title: '班级', dataIndex: 'group' },
          { title: '角色', dataIndex: 'role', width: 70, render: roleWord },
          { title: '教师', dataIndex: 'teacher', width: 110, render: (teacher: Row['teacher']) => teacher.name },
          {
            title: '学时',
            dataIndex: 'hours',
            width: 70,
            align: 'right',
            render: (_: unknown, { teacher: { hours } }: Row) => formatNumber(hours) || '—',
          },
          {
            title: '操作',
            dataIndex: 'actions',
            width: 120,
            render: (_: unknown, row: Row) => <RowActions actions={actionsOf(row)} />,
          },
        ]}
      />
      <AllocationForm key={form.key} {...form.props} opening={opening} />
    </>
  )
}

/** 任课 of an opening, where it is looked at. */
export const OpeningTeachers = ({ openingId }: { openingId: number }) => {
  const request = useRequest()
  const body = { openingId, pageCurrent: FIRST_PAGE, pageSize: 1 }
  const query = useQuery({
    queryKey: [listAllocations.path, body],
    queryFn: ({ signal }) => request(listAllocations, { body }, { signal }),
  })
  return (
    <Loaded query={query} rows={4}>
      {({ list: [opening] }) =>
        opening ? <Teachers opening={opening} /> : <p className="nothing">已取消的开课没有任课安排。</p>
      }
    </Loaded>
  )
}
