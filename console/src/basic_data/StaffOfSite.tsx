import { useSchoolContext } from '@/api/schoolContext'
import { columnsOf } from '@/kit/columns'
import { Masked } from '@/kit/Masked'
import { ShortList } from '@/kit/ShortList'
import { accountTones, staffTones } from '@/kit/tones'
import { listSiteStaff } from '@/people/api'

const columns = columnsOf(listSiteStaff, [
  { field: 'name', width: 110 },
  { field: 'duty', width: 80 },
  { field: 'isPrimary', width: 110 },
  {
    field: 'phone',
    width: 160,
    render: (row) => <Masked entity="siteStaff" id={row.id} field="phone" label="手机" value={row.phone} />,
  },
  { field: 'status', width: 80, tones: staffTones },
  { field: 'accountState', width: 100, tones: accountTones },
])

/** Where they are entered and changed, as the menu of each area says it. */
const pages = { school: '班主任管理—站点人员', platform: '站点人员管理' } as const

/** 人员 of a site. */
export const StaffOfSite = ({ siteId }: { siteId: number }) => {
  const page = pages[useSchoolContext().area]
  return (
    <ShortList
      of={listSiteStaff}
      filter={{ siteId }}
      columns={columns}
      page={page}
      empty={`该站点还没有人员，请在“${page}”中新增。`}
    />
  )
}
