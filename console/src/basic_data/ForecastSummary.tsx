import { Drawer } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useIdentity } from '@/api/identity'
import type { BodyOf, RowOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import { DialogName } from '@/kit/DialogName'
import { formatNumber, formatTime } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { labelOf } from '@/kit/labels'
import { Printable, type PrintColumn } from '@/kit/Printable'
import type { DrawerProps } from '@/kit/useDrawer'
import { FIRST_PAGE } from '@/kit/useQueryTable'
import { listForecastMajors } from './api'

type Filing = RowOf<typeof listForecastMajors>
/** What the list shows: one year of it. */
export type FilingsOfYear = BodyOf<typeof listForecastMajors> & { year: number }

/** As many as one answer may have. */
const PAGE_SIZE = 500

const columns: readonly PrintColumn<Filing>[] = [
  { title: '序号', width: '5%', of: (_, at) => String(at + 1) },
  { title: '专业代码', width: '10%', of: ({ nationalCode }) => nationalCode },
  { title: '专业名称', width: '20%', of: ({ name }) => name },
  { title: '层次', width: '9%', of: ({ levelName }) => levelName },
  { title: '学习形式', width: '9%', of: ({ studyForm }) => labelOf(listForecastMajors, 'studyForm', studyForm) },
  { title: '学制', width: '6%', of: ({ schoolingYears }) => String(schoolingYears) },
  { title: '拟招人数', width: '9%', of: ({ plannedQuota }) => formatNumber(plannedQuota) },
  {
    title: '学费(元/年)',
    width: '10%',
    of: ({ tuitionPerYear }) => (tuitionPerYear == null ? '' : formatNumber(tuitionPerYear / 100)),
  },
  { title: '教学点', width: '22%', of: ({ sites }) => sites.map(({ name }) => name).join('、') },
]

const SummaryOf = ({ filter }: { filter: FilingsOfYear }) => {
  const request = useRequest()
  const own = useIdentity((state) => state.account?.schoolName)
  const filings = useQuery({
    queryKey: [listForecastMajors.path, 'summary', filter],
    queryFn: async ({ signal }) => {
      const rows: Filing[] = []
      for (let pageCurrent = FIRST_PAGE; ; pageCurrent++) {
        const body = { ...filter, pageCurrent, pageSize: PAGE_SIZE }
        const page = await request(listForecastMajors, { body }, { signal })
        rows.push(...page.list)
        if (pageCurrent >= page.totalPage) return rows
      }
    },
  })
  return (
    <Loaded query={filings}>
      {(rows) => (
        <Printable
          title={`${rows[0]?.schoolName ?? own ?? ''}${filter.year}年拟招生专业汇总表`}
          about={[
            ['专业数', formatNumber(rows.length)],
            ['拟招人数合计', formatNumber(rows.reduce((sum, { plannedQuota }) => sum + plannedQuota, 0))],
            ['截至', formatTime(new Date(filings.dataUpdatedAt), 'YYYY-MM-DD HH:mm')],
          ]}
          columns={columns}
          rows={rows}
          keyOf={({ id }) => id}
          signed={['制表人', '审核人', '学校（盖章）', '日期']}
          note="按当前的筛选条件；专业代码为国家专业代码"
          empty="没有符合筛选条件的拟招生专业"
        />
      )}
    </Loaded>
  )
}

/** 拟招生专业汇总表: what is filed for a year, to be printed and signed (part 03 A3). */
export const ForecastSummary = ({ visible, record, onClose }: DrawerProps<FilingsOfYear>) => {
  const title = '拟招生专业汇总表'
  return (
    <Drawer title={title} width={1080} visible={visible} footer={null} onCancel={onClose} unmountOnExit>
      <DialogName name={title} />
      {record && <SummaryOf filter={record} />}
    </Drawer>
  )
}
