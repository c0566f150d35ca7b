import { Button } from '@arco-design/web-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '@/api/errors'
import type { BodyOf } from '@/api/operation'
import { useOptions } from '@/api/options'
import { useRequest } from '@/api/schoolContext'
import { shareOf } from '@/kit/chartOption'
import { formatNumber, formatTime } from '@/kit/format'
import { SchoolBars } from '@/kit/SchoolBars'
import { FIRST_PAGE } from '@/kit/useQueryTable'
import { listAvailableSchools } from '@/schools/api'
import { schoolOptions } from '@/schools/SchoolsSelect'
import { listAdmissions } from './api'
import { figuresOf, type OfSchool } from './schoolFigures'

type Filter = BodyOf<typeof listAdmissions>

/** Each school is asked for its figures alone: so many at most, so many at once. */
const SCHOOLS = 60
const AT_ONCE = 4

/** 各院校录取: how many each school has of the people that the list shows, and how many of them are matched. */
export const AdmissionsOfSchools = ({ filter }: { filter: Filter }) => {
  const request = useRequest()
  const [folded, setFolded] = useState(true)
  const schools = useOptions(listAvailableSchools, schoolOptions(''))
  const asked = { ...filter, pageCurrent: FIRST_PAGE, pageSize: 1 }
  const offered = schools.data ?? []
  const figures = useQuery({
    queryKey: [listAdmissions.path, 'schools', asked, offered.map(({ code }) => code)],
    queryFn: async ({ signal }) => {
      const told: OfSchool[] = []
      for (let at = 0; at < offered.length; at += AT_ONCE) {
        const some = offered.slice(at, at + AT_ONCE)
        const pages = await Promise.all(
          some.map(({ code }) => request(listAdmissions, { query: { schoolId: code }, body: asked }, { signal })),
        )
        told.push(...some.map((school, index) => figuresOf(school, pages[index])))
      }
      return told.filter(({ total }) => total > 0).sort((a, b) => b.total - a.total || a.schoolId - b.schoolId)
    },
    placeholderData: keepPreviousData,
    enabled: !folded && schools.isSuccess && offered.length <= SCHOOLS,
  })
  return (
    <section className={folded ? 'admission-fold' : 'admission-fold open'} aria-label="各院校录取">
      <Button type="text" size="mini" aria-expanded={!folded} onClick={() => setFolded(!folded)}>
        {folded ? '展开各院校录取' : '收起各院校录取'}
      </Button>
      {!folded && figures.isError && <span role="alert">{messageOf(figures.error)}</span>}
      {!folded && offered.length > SCHOOLS && (
        <span role="status">可查看的院校超过{formatNumber(SCHOOLS)}所，请选定院校后查看</span>
      )}
      {!folded && figures.data && (
        <>
          <small>
            匹配率为已匹配占录取的百分比，范围与列表的筛选相同（匹配和问题除外）；截至{' '}
            {formatTime(new Date(figures.dataUpdatedAt), 'HH:mm')}
          </small>
          <SchoolBars
            caption="各院校录取"
            bars="录取，其中已匹配"
            heads={['录取', '已匹配', '未匹配', '有冲突', '有问题', '匹配率']}
            rows={figures.data.map(({ schoolId, schoolName, total, matched, unmatched, conflict, withIssue }) => ({
              schoolId,
              schoolName,
              whole: total,
              part: matched,
              figures: [...[total, matched, unmatched, conflict, withIssue].map(formatNumber), shareOf(matched, total)],
            }))}
          />
        </>
      )}
    </section>
  )
}
