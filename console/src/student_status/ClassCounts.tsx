import { Button, Drawer, Empty, Table, Tooltip } from '@arco-design/web-react'
import { IconQuestionCircle } from '@arco-design/web-react/icon'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useAllowed } from '@/api/identity'
import type { BodyOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import type { MajorCount } from '@/api/types/student_status'
import { listClasses } from '@/basic_data/api'
import { grades, levels, majors, sites } from '@/basic_data/choices'
import { columnsOf } from '@/kit/columns'
import { DialogName } from '@/kit/DialogName'
import { FilterBar } from '@/kit/FilterBar'
import { EnabledFilter, OptionFilter, TextFilter } from '@/kit/filters'
import { formatNumber, formatTime } from '@/kit/format'
import { ImportButton } from '@/kit/ImportWizard'
import { QueryTable } from '@/kit/QueryTable'
import { usePlaces } from '@/kit/usePlaces'
import { useQueryTable } from '@/kit/useQueryTable'
import { AutoDivide } from './AutoDivide'
import { countStudents, fetchDivisionImportTemplate, importDivision, listStudents } from './api'

type Filter = BodyOf<typeof listStudents>

/** Who counts in a class: everybody in the register. */
const EVERYBODY = 'all'
const COUNTED = '待注册、在籍、休学和超学制的学生'

const columns = columnsOf(listClasses, [
  { field: 'name', width: 270, fixed: 'left' },
  {
    field: 'studentCount',
    title: '人数/容量',
    help: COUNTED,
    width: 120,
    render: (group) => `${formatNumber(group.studentCount)} / ${formatNumber(group.capacity)}`,
  },
  {
    field: 'capacity',
    title: '空余',
    help: '容量减去人数；负数为超员',
    width: 90,
    render: (group) => formatNumber(group.capacity - group.studentCount),
  },
  { field: 'gradeName', title: '年级', width: 90 },
  { field: 'levelName', title: '层次', width: 90 },
  { field: 'majorName', title: '专业', width: 140 },
  { field: 'siteName', title: '站点', width: 120 },
  'studyForm',
  { field: 'code', width: 110 },
  'enabled',
])

const number = (value: string | undefined) => (value === undefined ? undefined : Number(value))

/** How many students have no class, by grade and major, and the way to them. */
const Unassigned = ({ filters }: { filters: Record<string, string> }) => {
  const navigate = useNavigate()
  const places = usePlaces()
  const request = useRequest()
  const [open, setOpen] = useState(false)
  const body: Filter = {
    gradeId: number(filters.gradeId),
    levelId: number(filters.levelId),
    majorId: number(filters.majorId),
    siteId: number(filters.siteId),
    assigned: false,
    scope: EVERYBODY,
  }
  const { data, dataUpdatedAt } = useQuery({
    queryKey: [countStudents.path, body],
    queryFn: ({ signal }) => request(countStudents, { body }, { signal }),
  })
  if (!data) return <p className="figures">未分班人数统计中</p>
  const show = ({ gradeId, majorId }: MajorCount) => {
    setOpen(false)
    navigate(places('students', { gradeId, majorId, assigned: 'false', siteId: filters.siteId }))
  }
  return (
    <p className="figures">
      <Tooltip content={`还没有班级的${COUNTED}，按上面的年级、层次、专业、站点筛选`}>
        <span>
          未分班 <strong>{formatNumber(data.unassigned)}</strong> 人 <IconQuestionCircle />
        </span>
      </Tooltip>
      <span>截至{formatTime(new Date(dataUpdatedAt), 'HH:mm:ss')}</span>
      <Button type="text" size="small" onClick={() => setOpen(true)}>
        按专业查看
      </Button>
      <Drawer title="未分班人数" width={640} visible={open} footer={null} onCancel={() => setOpen(false)} unmountOnExit>
        <DialogName name="未分班人数" />
        <Table
          rowKey={(row) => `${row.gradeId}-${row.majorId}`}
          size="small"
          border={{ wrapper: true }}
          pagination={false}
          data={data.majors}
          noDataElement={<Empty description="学生都已分班。" />}
          columns={[
            { title: '年级', dataIndex: 'gradeName', width: 100 },
            { title: '层次', dataIndex: 'levelName', width: 100 },
            { title: '专业', dataIndex: 'majorName' },
            {
              title: '未分班人数',
              dataIndex: 'unassigned',
              width: 120,
              align: 'right',
              render: (count: number) => formatNumber(count),
            },
            {
              title: '操作',
              dataIndex: 'majorId',
              width: 110,
              render: (_: unknown, row: MajorCount) => (
                <Button type="text" size="small" onClick={() => show(row)}>
                  查看学生
                </Button>
              ),
            },
          ]}
        />
      </Drawer>
    </p>
  )
}

/** 班级人数: how full the classes are, and who has none yet. */
export const ClassCounts = () => {
  const table = useQueryTable(listClasses)
  const allowed = useAllowed()
  const navigate = useNavigate()
  const places = usePlaces()
  return (
    <>
      <FilterBar table={table}>
        <OptionFilter of={listClasses} field="gradeId" {...grades} />
        <OptionFilter of={listClasses} field="levelId" {...levels} />
        <OptionFilter of={listClasses} field="majorId" {...majors} />
        <OptionFilter of={listClasses} field="siteId" {...sites} />
        <TextFilter of={listClasses} field="keyword" />
        <EnabledFilter of={listClasses} field="enabled" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(group) => group.name}
        primary={allowed(countStudents) && <Unassigned filters={table.filters} />}
        tools={
          <>
            <AutoDivide />
            <ImportButton do={importDivision} template={fetchDivisionImportTemplate} what="分班" />
          </>
        }
        actionsWidth={190}
        actions={(group) => [
          {
            label: '查看学生',
            do: listStudents,
            onClick: () => navigate(places('students', { classId: group.id })),
          },
          { label: '班级管理', do: listClasses, onClick: () => navigate(places('classes', { keyword: group.code })) },
        ]}
        empty="还没有班级。请在“班级管理”中新增。"
      />
    </>
  )
}
