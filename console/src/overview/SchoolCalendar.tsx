import type { Calendar } from '@/api/types/overview'
import { formatTime } from '@/kit/format'
import { ProgressBar } from '@/kit/ProgressBar'

/** 校历: which week of the semester it is, and what ends soon. */
export const SchoolCalendar = ({ calendar }: { calendar: Calendar }) => {
  const { semesterName, startsOn, endsOn, week, weeks, deadlines } = calendar
  return (
    <section aria-label="校历">
      <h2>校历</h2>
      <p>{semesterName}</p>
      <p>
        <strong>{week ? `第 ${week} 周，共 ${weeks} 周` : `不在学期内，共 ${weeks} 周`}</strong>
      </p>
      <ProgressBar label="学期进度" percent={Math.round(((week ?? 0) / weeks) * 100)} showText={false} />
      <p className="overview-small">
        {startsOn} 至 {endsOn}
      </p>
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
}
