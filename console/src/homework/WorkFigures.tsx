import { Skeleton } from '@arco-design/web-react'
import { useQueries } from '@tanstack/react-query'
import type { BodyOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import { Chart } from '@/kit/Chart'
import { Failed } from '@/kit/Loaded'
import { labelOf } from '@/kit/labels'
import { FIRST_PAGE } from '@/kit/useQueryTable'
import { listStudentHomework } from './api'
import { binsWithin } from './homeworkRules'
import '@/kit/figures.css'

interface FiguresProps {
  /** What the list was asked for. */
  body: object
  filters: Record<string, string>
  segments: readonly { value: string; count: number }[]
}

const numberIn = (text: string | undefined) => (text ? Number(text) : undefined)

/** 得分分布 within the scores for which the list is asked. A part that did not come is no nought. */
const Scores = ({ body, filters }: Pick<FiguresProps, 'body' | 'filters'>) => {
  const request = useRequest()
  const bins = binsWithin({ scoreFrom: numberIn(filters.scoreFrom), scoreTo: numberIn(filters.scoreTo) })
  const counted = useQueries({
    queries: bins.map(({ scoreFrom, scoreTo }) => {
      const asked: BodyOf<typeof listStudentHomework> = {
        ...body,
        scoreFrom,
        scoreTo,
        pageCurrent: FIRST_PAGE,
        pageSize: 1,
      }
      return {
        queryKey: [listStudentHomework.path, 'bin', asked],
        queryFn: ({ signal }: { signal: AbortSignal }) => request(listStudentHomework, { body: asked }, { signal }),
      }
    }),
  })
  const failed = counted.find(({ isError }) => isError)
  if (failed) return <Failed error={failed.error} retry={() => failed.refetch()} />
  if (counted.some(({ data }) => data === undefined)) return <Skeleton text={{ rows: bins.length }} animation />
  return (
    <Chart
      data={{
        title: '得分分布',
        kind: 'bar',
        unit: '人',
        series: [
          {
            name: '人数',
            points: bins.map(({ name }, at) => ({ name, value: counted[at]?.data?.totalCount ?? 0 })),
          },
        ],
      }}
    />
  )
}

/** 作业状态 and 得分分布, of the students whom the list shows. */
export const WorkFigures = ({ body, filters, segments }: FiguresProps) => (
  <section aria-label="作业统计">
    <h3>作业状态</h3>
    <Chart
      data={{
        title: '作业状态',
        kind: 'share',
        unit: '人',
        series: [
          {
            name: '人数',
            points: segments
              .filter(({ count }) => count > 0)
              .map(({ value, count }) => ({ name: labelOf(listStudentHomework, 'state', value), value: count })),
          },
        ],
      }}
    />
    <h3>得分分布</h3>
    <Scores body={body} filters={filters} />
  </section>
)
