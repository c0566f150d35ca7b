import { Table as ArcoTable, Pagination, Skeleton } from '@arco-design/web-react'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { download } from '@/api/files'
import type { RowOf } from '@/api/operation'
import { useNamed, useRequest } from '@/api/schoolContext'
import { organizations, semesters } from '@/basic_data/choices'
import type { RowAction } from '@/kit/actions'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { OptionFilter, TextFilter } from '@/kit/filters'
import { formatNumber } from '@/kit/format'
import { Failed } from '@/kit/Loaded'
import { Nothing } from '@/kit/Nothing'
import type { Choice } from '@/kit/OptionSelect'
import { RowActions } from '@/kit/RowActions'
import { useAddress } from '@/kit/useAddress'
import { useDrawer } from '@/kit/useDrawer'
import { useHeight } from '@/kit/useHeight'
import { usePrinting } from '@/kit/useMedia'
import { usePlaces } from '@/kit/usePlaces'
import { bodyOf, noFilters } from '@/kit/useQueryTable'
import {
  exportTeacherWorkloads,
  listAllocations,
  listTeacherWorkloads,
  printAllocationNotice,
  transferAllocations,
} from './api'
import { SemesterFilter } from './SemesterFilter'
import { TransferAllocations } from './TransferAllocations'
import { useShownSemester } from './useSemester'

type Workload = RowOf<typeof listTeacherWorkloads>

const HEAD_PX = 41
const LEAST_BODY_PX = 160
const PAGING = ['pageCurrent', 'pageSize']

/** The figures with their filters and pages in the address; a teacher is no record of the list, so it is asked for by itself. */
const useWorkloads = (usual: number | undefined) => {
  const [search, change] = useAddress()
  const request = useRequest()
  const asked = bodyOf(listTeacherWorkloads, search)
  const body = { semesterId: usual, ...asked }
  const query = useQuery({
    queryKey: [listTeacherWorkloads.path, body],
    queryFn: ({ signal }) => request(listTeacherWorkloads, { body }, { signal }),
    placeholderData: keepPreviousData,
    enabled: body.semesterId !== undefined,
  })
  const filters = Object.fromEntries(
    [...search].filter(([name]) => name in listTeacherWorkloads.fields && !PAGING.includes(name)),
  )
  const set = (values: Record<string, string | undefined>, keepPage: boolean) =>
    change((before) => {
      const after = new URLSearchParams(before)
      if (!keepPage) after.delete('pageCurrent')
      for (const [name, value] of Object.entries(values)) {
        if (value) after.set(name, value)
        else after.delete(name)
      }
      return after
    })
  return {
    query,
    body,
    total: query.data?.totalCount ?? 0,
    bar: {
      operation: listTeacherWorkloads,
      filters,
      setFilters: (values: Record<string, string | undefined>) => set(values, false),
      reset: () => set(noFilters(filters), false),
    },
    setPage: (pageCurrent: number, pageSize: number) =>
      set({ pageCurrent: String(pageCurrent), pageSize: String(pageSize) }, true),
  }
}

const figure = (title: string, dataIndex: keyof Workload & string, help?: string) => ({
  title: help ? <span title={help}>{title}</span> : title,
  dataIndex,
  width: 100,
  align: 'right' as const,
  render: (value: number) => formatNumber(value),
})

/** 任课通知书: what a teacher has in the semester, as the paper that is sealed and signed. */
const useNotice = (semester: Choice | undefined) => {
  const named = useNamed()
  return useMutation({
    mutationFn: ({ teacherId, name }: Workload) => {
      const input = { query: { semesterId: semester?.code, teacherId } }
      return download(
        printAllocationNotice,
        named(printAllocationNotice, input),
        `任课通知书_${semester?.desc ?? ''}_${name}.pdf`,
      )
    },
  })
}

/** 按教师: how much each teacher has in a semester, and the paper that tells them. */
export const Workloads = ({ semester }: { semester: Choice | undefined }) => {
  const { query, body, total, bar, setPage } = useWorkloads(semester?.code)
  const shown = useShownSemester(bar.filters.semesterId, semester)
  const [box, height] = useHeight()
  const printing = usePrinting()
  const places = usePlaces()
  const navigate = useNavigate()
  const notice = useNotice(shown)
  const transfer = useDrawer<Choice>()
  const actionsOf = (row: Workload): RowAction[] => [
    { label: '任课通知书', do: printAllocationNotice, onClick: () => notice.mutate(row) },
    {
      label: '转交',
      do: transferAllocations,
      onClick: () => transfer.open({ code: row.teacherId, desc: `${row.name}（${row.workNo}）` }),
    },
    {
      label: '查看任课',
      do: listAllocations,
      onClick: () => navigate(places('courseAllocations', { semesterId: shown?.code, teacherId: row.teacherId })),
    },
  ]
  const isFiltered = Object.keys(bar.filters).length > 0
  return (
    <>
      <FilterBar table={bar}>
        <SemesterFilter of={listTeacherWorkloads} field="semesterId" {...semesters} usual={semester} />
        <OptionFilter of={listTeacherWorkloads} field="organizationId" {...organizations} />
        <TextFilter of={listTeacherWorkloads} field="keyword" />
      </FilterBar>
      <div className="toolbar">
        <div className="toolbar-right">
          <ExportButton do={exportTeacherWorkloads} table={{ body, total }} />
        </div>
      </div>
      <div className={query.isPlaceholderData ? 'table-box still table-stale' : 'table-box still'} ref={box}>
        {body.semesterId === undefined && <Nothing filtered={false} reset={bar.reset} empty="请选择学期" />}
        {query.isLoading && <Skeleton className="table-skeleton" text={{ rows: 10 }} animation />}
        {query.isError && <Failed error={query.error} retry={() => query.refetch()} title="列表没有加载成功" />}
        {query.data && !query.isError && (
          <ArcoTable
            rowKey="teacherId"
            size="small"
            border={{ wrapper: true }}
            data={query.data.list}
            pagination={false}
            noDataElement={
              <Nothing filtered={isFiltered} reset={bar.reset} empty="该学期还没有任课安排，请在“按课程”中安排。" />
            }
            scroll={printing ? undefined : { x: 980, y: Math.max(LEAST_BODY_PX, height - HEAD_PX) }}
            onRow={({ teacherId }) => ({ 'data-row': String(teacherId) })}
            columns={[
              { title: '教师', dataIndex: 'name', width: 110, fixed: 'left' },
              { title: '工号', dataIndex: 'workNo', width: 110 },
              { title: '机构', dataIndex: 'organizationName' },
              figure('课程数', 'courseCount'),
              figure('班级数', 'classCount', '全部班级的安排按没有另外指定教师的班级计算'),
              figure('学生数', 'studentCount', '不重复计数'),
              figure('学时', 'hours', '任课安排中填写的学时之和'),
              figure('已排学时', 'scheduledHours', '课表中未取消的课次的学时之和'),
              {
                title: '操作',
                dataIndex: 'actions',
                width: 240,
                fixed: 'right',
                render: (_: unknown, row: Workload) => <RowActions actions={actionsOf(row)} />,
              },
            ]}
          />
        )}
      </div>
      <Pagination
        className="pager"
        size="small"
        current={body.pageCurrent}
        pageSize={body.pageSize}
        total={total}
        showTotal={(count) => query.data && `共 ${formatNumber(count)} 名教师`}
        sizeCanChange
        sizeOptions={[20, 50, 100, 200, 500]}
        onChange={setPage}
      />
      {transfer.props.visible && (
        <TransferAllocations semester={shown} from={transfer.props.record} onClose={transfer.props.onClose} />
      )}
    </>
  )
}
