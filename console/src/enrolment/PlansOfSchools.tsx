import { Button } from '@arco-design/web-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '@/api/errors'
import type { BodyOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import { shareOf } from '@/kit/chartOption'
import { formatNumber, formatTime } from '@/kit/format'
import { SchoolBars } from '@/kit/SchoolBars'
import { FIRST_PAGE } from '@/kit/useQueryTable'
import { listSiteEnrollments } from './api'
import { bySchool, type Plan } from './planRules'

type Filter = BodyOf<typeof listSiteEnrollments>

/** As many as one answer may have, and so many answers at most. */
const PAGE_SIZE = 500
const PAGES = 10

/** 各院校计划完成: how many were admitted of what the sites of each school were granted, of the plans that the list shows. */
export const PlansOfSchools = ({ filter }: { filter: Filter }) => {
  const request = useRequest()
  const [folded, setFolded] = useState(true)
  const asked = { ...filter, pageCurrent: undefined, pageSize: undefined }
  const plans = useQuery({
    queryKey: [listSiteEnrollments.path, 'schools', asked],
    queryFn: async ({ signal }) => {
      const rows: Plan[] = []
      let asOf: string | undefined
      for (let pageCurrent = FIRST_PAGE; ; pageCurrent++) {
        const body = { ...asked, pageCurrent, pageSize: PAGE_SIZE }
        const page = await request(listSiteEnrollments, { query: { asOf }, body }, { signal })
        asOf ??= page.asOf ?? undefined
        rows.push(...page.list)
        if (pageCurrent >= page.totalPage) return bySchool(rows)
        // Half a chart would tell of other schools than there are.
        if (pageCurrent === PAGES) return null
      }
    },
    placeholderData: keepPreviousData,
    enabled: !folded,
  })
  return (
    <section className="plan-schools" aria-label="各院校计划完成">
      <Button type="text" size="mini" aria-expanded={!folded} onClick={() => setFolded(!folded)}>
        {folded ? '展开各院校计划完成' : '收起各院校计划完成'}
      </Button>
      {!folded && plans.isError && <span role="alert">{messageOf(plans.error)}</span>}
      {!folded && plans.isSuccess && !plans.data && (
        <span role="status">计划超过{formatNumber(PAGE_SIZE * PAGES)}份，请按状态或站点筛选后查看</span>
      )}
      {!folded && plans.data && (
        <>
          <small>
            完成率为录取占核定的百分比，录取为已分配站点的学生；范围与列表的筛选相同；截至{' '}
            {formatTime(new Date(plans.dataUpdatedAt), 'HH:mm')}
          </small>
          <SchoolBars
            caption="各院校计划完成"
            bars="核定，其中录取"
            heads={['计划', '申报', '核定', '录取', '完成率']}
            rows={plans.data.map(({ schoolId, schoolName, plans: count, applied, approved, admitted }) => ({
              schoolId,
              schoolName,
              whole: approved,
              part: admitted,
              figures: [...[count, applied, approved, admitted].map(formatNumber), shareOf(admitted, approved)],
            }))}
          />
        </>
      )}
    </section>
  )
}
