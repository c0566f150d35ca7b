import { Avatar, Button, Drawer } from '@arco-design/web-react'
import { IconPlus } from '@arco-design/web-react/icon'
import { useNavigate } from 'react-router'
import type { RowOf } from '@/api/operation'
import { listLiveCourses, listRecordCourses, listResourceCourses } from '@/catalogue/api'
import { yuanOf } from '@/catalogue/courseContent'
import { bulkStep } from '@/kit/actions'
import { Can } from '@/kit/Can'
import { columnsOf } from '@/kit/columns'
import { DialogName } from '@/kit/DialogName'
import { ExportButton } from '@/kit/ExportButton'
import { FilterBar } from '@/kit/FilterBar'
import { DateRangeFilter, EnabledFilter, TextFilter } from '@/kit/filters'
import { Masked } from '@/kit/Masked'
import { Page } from '@/kit/Page'
import { QueryTable } from '@/kit/QueryTable'
import { rateOf } from '@/kit/rate'
import { askRemoval, removal, switching } from '@/kit/steps'
import { type DrawerProps, useDrawer } from '@/kit/useDrawer'
import { useQueryTable } from '@/kit/useQueryTable'
import { historyOf } from '@/logs/RecordHistory'
import { listOrders } from '@/orders/api'
import { OrderRows } from '@/orders/OrderRows'
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
import './lecturers.css'

type Lecturer = RowOf<typeof listLecturers>

/** Of a lecturer without an account on the site there is nothing to tell. */
const moneyOf = (fen: number | null | undefined, unit = '') => (typeof fen === 'number' ? yuanOf(fen) + unit : '—')

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
    render: ({ lecturerProportion }) => rateOf(lecturerProportion),
  },
  'courseCount',
  {
    field: 'totalIncome',
    title: '收入(元)',
    width: 110,
    help: '累计收入，已扣除退款收回的部分',
    render: ({ totalIncome }) => moneyOf(totalIncome),
  },
  { field: 'available', title: '可提现(元)', width: 110, hidden: true, render: ({ available }) => moneyOf(available) },
  { field: 'frozen', title: '冻结(元)', width: 110, hidden: true, render: ({ frozen }) => moneyOf(frozen) },
  { field: 'withdrawn', title: '已提现(元)', width: 110, hidden: true, render: ({ withdrawn }) => moneyOf(withdrawn) },
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
/** 收益: what a lecturer has, and the orders from which it came. */
const Income = ({ record, visible, onClose }: DrawerProps<Lecturer>) => {
  const title = `收益 ${record?.lecturerName ?? ''}`
  return (
    <Drawer title={title} width={900} visible={visible} footer={null} onCancel={onClose} unmountOnExit>
      <DialogName name={title} />
      {record && (
        <>
          <p className="figures-line">
            <span>累计收入：{moneyOf(record.totalIncome, '元')}</span>
            <span>可提现：{moneyOf(record.available, '元')}</span>
            <span>冻结：{moneyOf(record.frozen, '元')}</span>
            <span>已提现：{moneyOf(record.withdrawn, '元')}</span>
          </p>
          <OrderRows of={{ lecturerId: record.id }} />
        </>
      )}
    </Drawer>
  )
}

/** 讲师管理: who teaches the courses of the site. */
export const LecturersPage = () => {
  const table = useQueryTable(listLecturers)
  const navigate = useNavigate()
  const form = useDrawer<Lecturer>()
  const share = useDrawer<Lecturer>()
  const income = useDrawer<Lecturer>()
  return (
    <Page title="讲师管理" help="网站课程的讲师和分成比例；停用讲师会下架其全部课程和试卷。" personal>
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
          { label: '收益', do: listOrders, onClick: () => income.open(row) },
          switching(
            changeLecturerStatus,
            { ...row, name: row.lecturerName },
            '其在售的课程和试卷将全部下架；重新启用后不会自动上架。',
          ),
          removal(deleteLecturer, { id: row.id, name: row.lecturerName }),
        ]}
        empty="还没有讲师。新增讲师后即可为其添加课程。"
      />
      <LecturerForm key={form.key} {...form.props} />
      <ProportionForm key={`share-${share.key}`} {...share.props} />
      <Income key={`income-${income.key}`} {...income.props} />
    </Page>
  )
}
