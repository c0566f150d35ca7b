import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { BodyOf } from '@/api/operation'
import { useRequest } from '@/api/schoolContext'
import { Chart } from '@/kit/Chart'
import { Loaded } from '@/kit/Loaded'
import { listStudyFigures } from './api'
import { binWords } from './studyRules'
import '@/kit/figures.css'

/** 进度分布 and 每日学习人数, of the students whom the list shows. */
export const LearnerFigures = ({ body }: { body: object }) => {
  const request = useRequest()
  const asked: BodyOf<typeof listStudyFigures> = Object.fromEntries(
    Object.entries(body).filter(([name]) => name in listStudyFigures.fields),
  )
  const told = useQuery({
    queryKey: [listStudyFigures.path, asked],
    queryFn: ({ signal }) => request(listStudyFigures, { body: asked }, { signal }),
    placeholderData: keepPreviousData,
  })
  return (
    <Loaded query={told} rows={6}>
      {({ bins, days }) => (
        <section aria-label="学习统计">
          <h3>进度分布</h3>
          <Chart
            data={{
              title: '进度分布',
              kind: 'bar',
              unit: '人',
              series: [{ name: '人数', points: bins.map((bin) => ({ name: binWords(bin), value: bin.count })) }],
            }}
          />
          <h3>每日学习人数</h3>
          <Chart
            data={{
              title: '每日学习人数',
              kind: 'line',
              unit: '人',
              series: [{ name: '学习人数', points: days.map(({ day, learners }) => ({ name: day, value: learners })) }],
            }}
          />
        </section>
      )}
    </Loaded>
  )
}
