import { Table as ArcoTable, Button, Drawer, Pagination, Skeleton, Space } from '@arco-design/web-react'
import { useState } from 'react'
import { useAllowed } from '@/api/identity'
import { isOverAll, useSchoolContext } from '@/api/schoolContext'
import { classes, grades, levels, majors, semesters, sites, teachers } from '@/basic_data/choices'
import { type BulkEntry, bulkStep } from '@/kit/actions'
import { BulkBar } from '@/kit/BulkBar'
import { Can } from '@/kit/Can'
import { DialogName } from '@/kit/DialogName'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { OptionFilter, SelectFilter } from '@/kit/filters'
import { formatNumber } from '@/kit/format'
import { ImportButton } from '@/kit/ImportWizard'
import { Failed } from '@/kit/Loaded'
import { Nothing } from '@/kit/Nothing'
import { TableRowOfSchool } from '@/kit/OfSchool'
import type { Choice } from '@/kit/OptionSelect'
import { SchoolNotices } from '@/kit/SchoolNotices'
import { useSchoolChoice } from '@/kit/schoolChoice'
import { useDrawer } from '@/kit/useDrawer'
import { useHeight } from '@/kit/useHeight'
import { usePrinting } from '@/kit/useMedia'
import { useQueryTable } from '@/kit/useQueryTable'
import { AssignForm } from './AllocationForms'
import {
  allOwnOf,
  type Grid,
  groupName,
  hoursOf,
  isOpen,
  type Line,
  lineName,
  linesOf,
  type Role,
  roles,
} from './allocationRules'
import {
  copyAllocations,
  deleteAllocations,
  exportAllocations,
  fetchCourseAllocationImportTemplate,
  importCourseAllocations,
  listAllocations,
  saveAllocations,
  transferAllocations,
  viewAllocation,
} from './api'
import { CopyAllocations } from './CopyAllocations'
import { courses, roleWord } from './choices'
import { OpeningTeachers } from './OpeningTeachers'
import { SemesterFilter } from './SemesterFilter'
import { TeacherCell } from './TeacherCell'
import { TransferAllocations } from './TransferAllocations'
import { useShownSemester } from './useSemester'

const HEAD_PX = 41
const LEAST_BODY_PX = 160
const WIDTH_PX = 1102
const SCHOOL_PX = 160
const rowsOfSchools = { body: { row: TableRowOfSchool } }

const columnOf = (role: Role, fixed: boolean) => ({
  title: roleWord(role),
  dataIndex: role,
  width: role === 'lecturer' ? 110 : 120,
  render: (_: unknown, line: Line) => <TeacherCell line={line} role={role} fixed={fixed} />,
})

/** A line in full: all who teach the opening, with their hours and remarks. */
const OfOpening = ({ opening, onClose }: { opening: Grid | undefined; onClose: () => void }) => {
  const title = `任课 ${opening?.courseName ?? ''}`
  return (
    <Drawer title={title} width={760} visible={opening !== undefined} footer={null} onCancel={onClose} unmountOnExit>
      <DialogName name={title} />
      {opening && <OpeningTeachers key={opening.id} openingId={opening.id} />}
    </Drawer>
  )
}

const schoolColumn = {
  title: '院校',
  dataIndex: 'school',
  ellipsis: true,
  width: SCHOOL_PX,
  fixed: 'left' as const,
  render: (_: unknown, { opening }: Line) => opening.schoolName ?? '',
}

/** 按课程: the openings with their classes, a line a class, whose teachers are chosen in place; those of many schools are only read. */
export const AllocationGrid = ({ semester }: { semester: Choice | undefined }) => {
  const table = useQueryTable(listAllocations, { usual: { semesterId: semester?.code } })
  const { query, rows, total } = table
  const shown = useShownSemester(table.filters.semesterId, semester)
  const [ticked, setTicked] = useState<readonly string[]>([])
  const [box, height] = useHeight()
  const printing = usePrinting()
  const allowed = useAllowed()
  const overAll = isOverAll(useSchoolContext())
  const choice = useSchoolChoice()
  const assign = useDrawer<readonly Line[]>()
  const opened = useDrawer<Grid>()
  const [dialog, setDialog] = useState<'copy' | 'transfer'>()
  const lines = linesOf(rows)
  const chosen = lines.filter(({ key }) => ticked.includes(key))
  const clearSelection = () => setTicked([])
  const entries: BulkEntry[] = [
    { label: '批量安排', do: saveAllocations, open: () => assign.open(chosen) },
    bulkStep(deleteAllocations, {
      label: '批量移除',
      danger: true,
      confirm: (count) => ({
        title: `移除选中的${formatNumber(count)}行的任课安排？`,
        content: '行内自己的主讲、辅导和批阅都移除，来自全部班级的保持不变。',
      }),
      input: () => ({ body: { ids: chosen.flatMap((line) => allOwnOf(line).map(({ teacher }) => teacher.id)) } }),
    }),
  ]
  // Where nothing of its own is allocated there is nothing to take away.
  const bulk = chosen.some((line) => allOwnOf(line).length > 0) ? entries : entries.slice(0, 1)
  const selectable = !overAll && entries.some((entry) => allowed(entry.do))
  const selection = {
    selected: chosen.map((_, at) => at),
    everything: false,
    total: chosen.length,
    selectEverything: () => {},
    clearSelection,
    body: table.body,
  }
  return (
    <>
      <FilterBar table={table}>
        <SemesterFilter of={listAllocations} field="semesterId" {...semesters} usual={semester} />
        <OptionFilter of={listAllocations} field="courseId" {...courses} />
        <OptionFilter of={listAllocations} field="classId" {...classes} />
        <SelectFilter
          of={listAllocations}
          field="allocated"
          options={[
            { value: 'true', label: '已安排主讲' },
            { value: 'false', label: '未安排完' },
          ]}
        />
        <OptionFilter of={listAllocations} field="gradeId" {...grades} />
        <OptionFilter of={listAllocations} field="levelId" {...levels} />
        <OptionFilter of={listAllocations} field="majorId" {...majors} />
        <OptionFilter of={listAllocations} field="siteId" {...sites} />
        <OptionFilter of={listAllocations} field="teacherId" {...teachers} />
      </FilterBar>
      <div className="toolbar">
        <div className="toolbar-right">
          <Space size={4}>
            <Can do={copyAllocations}>
              <Button onClick={() => setDialog('copy')}>沿用上学期</Button>
            </Can>
            <Can do={transferAllocations}>
              <Button onClick={() => setDialog('transfer')}>转交</Button>
            </Can>
            <ImportButton do={importCourseAllocations} template={fetchCourseAllocationImportTemplate} what="任课安排" />
            <ExportButton do={exportAllocations} table={table} />
          </Space>
        </div>
        <BulkBar actions={bulk} table={selection} />
      </div>
      <SchoolNotices operation={listAllocations} notices={table.notices} />
      <div className={query.isPlaceholderData ? 'table-box still table-stale' : 'table-box still'} ref={box}>
        {query.isPending && <Skeleton className="table-skeleton" text={{ rows: 10 }} animation />}
        {query.isError && <Failed error={query.error} retry={() => query.refetch()} title="列表没有加载成功" />}
        {query.data && !query.isError && (
          <ArcoTable
            rowKey="key"
            components={overAll ? rowsOfSchools : undefined}
            size="small"
            border={{ wrapper: true }}
            data={lines}
            pagination={false}
            noDataElement={
              <Nothing
                filtered={table.isFiltered}
                reset={table.reset}
                empty={overAll ? '所查看的院校还没有记录' : '该学期还没有开课，请先在“开课管理”中按计划生成。'}
              />
            }
            scroll={
              printing
                ? undefined
                : { x: WIDTH_PX + (overAll ? SCHOOL_PX : 0), y: Math.max(LEAST_BODY_PX, height - HEAD_PX) }
            }
            rowSelection={
              selectable && !printing
                ? {
                    type: 'checkbox',
                    fixed: true,
                    columnWidth: 44,
                    selectedRowKeys: [...ticked],
                    onChange: (keys) => setTicked(keys.map(String)),
                    checkboxProps: (line) => ({
                      'aria-label': `选择${lineName(line)}`,
                      disabled: !isOpen(line.opening),
                    }),
                  }
                : undefined
            }
            onRow={(line) => ({ 'data-row': line.key, className: line.group ? undefined : 'grid-all' })}
            columns={[
              ...(overAll ? [schoolColumn] : []),
              {
                title: '课程',
                dataIndex: 'course',
                ellipsis: true,
                width: 150,
                fixed: 'left',
                render: (_: unknown, { opening }: Line) => (
                  <>
                    {opening.courseName} <small className="nothing">{opening.courseCode}</small>
                  </>
                ),
              },
              {
                title: '年级专业',
                dataIndex: 'major',
                ellipsis: true,
                width: 130,
                render: (_, { opening }) => [opening.gradeName, opening.majorName].filter(Boolean).join(' ') || '不限',
              },
              { title: '班级', dataIndex: 'class', ellipsis: true, width: 146, render: (_, line) => groupName(line) },
              {
                title: '站点',
                dataIndex: 'site',
                ellipsis: true,
                width: 98,
                render: (_, { group }) => group?.siteName ?? '—',
              },
              {
                title: '人数',
                dataIndex: 'students',
                width: 64,
                align: 'right',
                render: (_, { group }) => (group ? formatNumber(group.studentCount) : '—'),
              },
              ...roles.map((role) => columnOf(role, overAll)),
              {
                title: <span title="主讲教师的学时，没有填写时为课程的学时">学时</span>,
                dataIndex: 'hours',
                width: 56,
                align: 'right',
                render: (_: unknown, line: Line) => formatNumber(hoursOf(line)),
              },
              {
                title: '操作',
                dataIndex: 'actions',
                width: overAll ? 86 : 64,
                fixed: 'right',
                render: (_: unknown, line: Line) =>
                  overAll ? (
                    <Button
                      type="text"
                      size="mini"
                      onClick={() =>
                        line.schoolId !== undefined &&
                        choice?.choose({ code: line.schoolId, desc: line.opening.schoolName ?? '' })
                      }
                    >
                      选定院校
                    </Button>
                  ) : (
                    <Can do={viewAllocation}>
                      <Button
                        type="text"
                        size="mini"
                        aria-label={`${lineName(line)}的任课详情`}
                        onClick={() => opened.open(line.opening)}
                      >
                        详情
                      </Button>
                    </Can>
                  ),
              },
            ]}
          />
        )}
      </div>
      <Pagination
        className="pager"
        size="small"
        current={table.pageCurrent}
        pageSize={table.pageSize}
        total={total}
        showTotal={(count) => query.data && `共 ${formatNumber(count)} 个开课`}
        sizeCanChange
        sizeOptions={[20, 50, 100, 200]}
        onChange={(page, size) => {
          clearSelection()
          table.setPage(page, size)
        }}
      />
      <AssignForm key={`assign-${assign.key}`} {...assign.props} onDone={clearSelection} />
      <OfOpening opening={opened.props.visible ? opened.props.record : undefined} onClose={opened.props.onClose} />
      {dialog === 'copy' && <CopyAllocations to={shown} onClose={() => setDialog(undefined)} />}
      {dialog === 'transfer' && (
        <TransferAllocations semester={shown} from={undefined} onClose={() => setDialog(undefined)} />
      )}
    </>
  )
}
