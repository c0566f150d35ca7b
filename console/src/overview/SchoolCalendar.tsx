import type { Calendar } from '@/api/types/overview'
import { formatTime } from '@/kit/format'
import { ProgressBar } from '@/kit/ProgressBar'

const Semester = ({ semester }: { semester: NonNullable<Calendar['semester']> }) => {
  const { name, startsOn, endsOn, week, weeks } = semester
  return (
    <>
      <p>{name}</p>
      <p>
        <strong>{week ? `第 ${week} 周，共 ${weeks} 周` : `不在学期内，共 ${weeks} 周`}</strong>
      </p>
      <ProgressBar label="学期进度" percent={Math.round(((week ?? 0) / weeks) * 100)} showText={false} />
      <p className="overview-small">
        {startsOn} 至 {endsOn}
      </p>
    </>
  )
}

/** 校历: which week of the semester it is, and what ends soon. */
export const SchoolCalendar = ({ calendar: { semester, deadlines } }: { calendar: Calendar }) => (
  <section aria-label="校历">
    <h2>校历</h2>
    {semester && <Semester semester={semester} />}
    {deadlines.length > 0 && (
      <ul className="overview-notices" aria-label="即将截止">
        {deadlines.map(({ title, at }) => (
          <li key={title + at}>
            <span>{title}</span>
            <small>{formatTime(at)}</small>
          </li>
        ))}
      </ul>
    )}
  </section>
)
