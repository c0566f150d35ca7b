import { Descriptions } from '@arco-design/web-react'
import { useAllowed } from '@/api/identity'
import type { RowOf } from '@/api/operation'
import { type Column, columnsOf } from '@/kit/columns'
import { formatNumber } from '@/kit/format'
import { ShortList } from '@/kit/ShortList'
import { TabPanels } from '@/kit/TabList'
import { RecordHistory } from '@/logs/RecordHistory'
import { listSiteStaff } from '@/people/api'
import { listClasses, listClassrooms, viewSite } from './api'
import { Classrooms } from './Classrooms'
import { StaffOfSite } from './StaffOfSite'

type Site = RowOf<typeof viewSite>

const classColumns = columnsOf(listClasses, [
  { field: 'name', width: 260 },
  { field: 'gradeName', title: '年级', width: 90 },
  { field: 'studyForm', width: 90 },
  {
    field: 'studentCount',
    title: '人数/容量',
    width: 110,
    render: (group) => `${formatNumber(group.studentCount)} / ${formatNumber(group.capacity)}`,
  },
  'enabled',
])

/** A site's file: its fields, its rooms, its people, its classes. */
export const SiteFile = ({ site, fields }: { site: Site; fields: readonly Column<Site>[] }) => {
  const allowed = useAllowed()
  const basic = (
    <Descriptions
      column={2}
      labelStyle={{ width: 112 }}
      data={fields.map((field) => ({ key: field.key, label: field.title, value: field.render(site) }))}
    />
  )
  const classes = (
    <ShortList
      of={listClasses}
      filter={{ siteId: site.id }}
      columns={classColumns}
      page="班级管理"
      empty="该站点还没有班级。"
    />
  )
  return (
    <TabPanels
      key={site.id}
      label="站点资料"
      panels={[
        { title: '基本信息', content: basic },
        ...(allowed(listClassrooms) ? [{ title: '教室', content: <Classrooms site={site} />, late: true }] : []),
        ...(allowed(listSiteStaff) ? [{ title: '人员', content: <StaffOfSite siteId={site.id} />, late: true }] : []),
        ...(allowed(listClasses) ? [{ title: '班级', content: classes, late: true }] : []),
        ...(allowed(viewSite)
          ? [{ title: '操作日志', content: <RecordHistory of="site" id={site.id} />, late: true }]
          : []),
      ]}
    />
  )
}
