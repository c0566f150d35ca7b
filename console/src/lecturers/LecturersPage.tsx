import { Avatar, Button } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useNavigate } from 'react-router'
import type { RowOf } from '@/api/operation'
import { listLiveCourses, listRecordCourses, listResourceCourses } from '@/catalogue/api'
import { yuanOf } from '@/catalogue/courseContent'
import { bulkStep } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { DateRangeFilter, EnabledFilter, TextFilter } from '@/kit/filters'
import { Masked } from '@/kit/Masked'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { askRemoval, removal, switching } from '@/kit/steps'
import { useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import { paths } from '@/paths'
import {
  changeLecturerStatus,
  deleteLecturer,
  deleteLecturers,
  editLecturer,
  exportLecturers,
  listLecturers,
  saveLecturer,
  viewLecturer,
} from './api'
import { LecturerForm, ProportionForm } from './LecturerForm'
import { percentOf } from './proportion'
import './lecturers.css'

type Lecturer = RowOf<typeof listLecturers>

const columns = columnsOf(listLecturers, [
  {
    field: 'lecturerName',
    width: 170,
    fixed: 'left',
    render: ({ headImg, lecturerName }) => (
      <span className="lecturer">
        <Avatar size={22}>{headImg ? <img src={headImg} alt="" loading="lazy" /> : lecturerName.slice(0, 1)}</Avatar>
        {lecturerName}
      </span>
    ),
  },
  { field: 'enabled', fixed: 'left' },
  {
    field: 'phone',
    width: 160,
    render: (row) => <Masked entity="lecturer" id={row.id} field="phone" label="手机" value={row.phone} />,
  },
  'position',
  {
    field: 'lecturerProportion',
    help: '讲师在每笔课程收入中所得的部分',
    render: ({ lecturerProportion }) => percentOf(lecturerProportion),
  },
  'courseCount',
  { field: 'totalIncome', title: '收入(元)', width: 110, render: ({ totalIncome }) => yuanOf(totalIncome) },
  'createdAt',
  {
    field: 'email',
    width: 200,
    hidden: true,
    render: (row) => <Masked entity="lecturer" id={row.id} field="email" label="邮箱" value={row.email} />,
  },
  { field: 'introduce', width: 260, hidden: true },
])

/** Where the courses of a lecturer stand. */
const courses = [
  { label: '录播课程', do: listRecordCourses, path: paths.recordCourses },
  { label: '直播课程', do: listLiveCourses, path: paths.liveCourses },
  { label: '文库资源', do: listResourceCourses, path: paths.resourceCourses },
]

/** 讲师管理: who teaches the courses of the site. */
export const LecturersPage = () => {
  const table = useQueryTable(listLecturers)
  const navigate = useNavigate()
  const form = useDrawer<Lecturer>()
  const share = useDrawer<Lecturer>()
  return (
    <Page title="讲师管理" help="网站课程的讲师和分成比例；停用讲师会下架其全部课程。" personal>
      <FilterBar table={table}>
        <TextFilter of={listLecturers} field="keyword" />
        <EnabledFilter of={listLecturers} field="enabled" />
        <DateRangeFilter of={listLecturers} from="createdFrom" to="createdTo" label="创建日期" />
      </FilterBar>
      <QueryTable
        table={table}
        columns={columns}
        nameOf={(row) => row.lecturerName}
        primary={
          <Can do={saveLecturer}>
            <Button type="primary" icon={<IconPlus />} onClick={() => form.open()}>
              新增讲师
            </Button>
          </Can>
        }
        tools={<ExportButton do={exportLecturers} table={table} />}
        bulk={[
          bulkStep(deleteLecturers, {
            label: '批量删除',
            danger: true,
            confirm: askRemoval('讲师'),
            input: (ids) => ({ body: { ids } }),
          }),
        ]}
        detail={historyOf(viewLecturer, 'lecturer')}
        actionsWidth={240}
        actions={(row) => [
          { label: '编辑', do: editLecturer, onClick: () => form.open(row) },
          { label: '设置分成', do: editLecturer, onClick: () => share.open(row) },
          ...courses.map(({ path, ...list }) => ({ ...list, onClick: () => navigate(`${path}?lecturerId=${row.id}`) })),
          switching(
            changeLecturerStatus,
            { ...row, name: row.lecturerName },
            '其在售课程将全部下架；重新启用后不会自动上架。',
          ),
          removal(deleteLecturer, { id: row.id, name: row.lecturerName }),
        ]}
        empty="还没有讲师。新增讲师后即可为其添加课程。"
      />
      <LecturerForm key={form.key} {...form.props} />
      <ProportionForm key={`share-${share.key}`} {...share.props} />
    </Page>
  )
}
