import { Chart } from '@/kit/Chart'
import { labelOf } from '@/kit/labels'
import { listQuestions } from './api'
import type { PaperDetail } from './composition'

/** 覆盖: how the scores are spread over chapters, knowledge points, difficulties and types. */
export const PaperCoverage = ({ paper: { coverage, questionCount } }: { paper: PaperDetail }) => {
  if (questionCount === 0) return <p className="nothing">加入试题后显示章节、知识点、难度和题型的覆盖。</p>
  const charts = [
    {
      title: '题型',
      kind: 'share' as const,
      points: coverage.types.map(({ type, score }) => ({ name: labelOf(listQuestions, 'type', type), value: score })),
    },
    {
      title: '难度',
      kind: 'share' as const,
      points: coverage.difficulties.map(({ difficulty, score }) => ({
        name: labelOf(listQuestions, 'difficulty', difficulty),
        value: score,
      })),
    },
    {
      title: '章节',
      kind: 'bar' as const,
      points: coverage.chapters.map(({ name, score }) => ({ name, value: score })),
    },
    {
      title: '知识点',
      kind: 'bar' as const,
      points: coverage.knowledgePoints.map(({ name, score }) => ({ name, value: score })),
    },
  ]
  return charts
    .filter(({ points }) => points.length > 0)
    .map(({ title, kind, points }) => (
      <section key={title} aria-label={`${title}覆盖`}>
        <h3>{title}</h3>
        <Chart data={{ title: `${title}覆盖`, kind, unit: '分', series: [{ name: '分值', points }] }} />
      </section>
    ))
}
