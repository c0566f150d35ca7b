//! 学习日 of selections. Where its student was on a day stays as it was told first; how far they were at the end of a day that is over
//! stays too.

use chrono::NaiveDate;
use infra::{Result, Tx};

use super::{Key, mark};

/// Computes the days of selections from a day on, and takes away those of which no fact is left.
pub(super) async fn compute(tx: &mut Tx, selections: &[i64], from: NaiveDate) -> Result<u64> {
    let (now, today) = (tx.app().clock().now(), tx.app().clock().today());
    let gone = sqlx::query!(
        "delete from stat_study_day s
         where s.selection_id = any($1)
           and not exists (select from study_day d where d.selection_id = s.selection_id and d.day = s.date)
         returning s.date, s.class_id",
        selections
    )
    .fetch_all(&mut **tx)
    .await?;
    let told = sqlx::query!(
        r#"insert into stat_study_day as s (date, selection_id, student_id, semester_id, course_id, opening_id, class_id, site_id,
               grade_id, level_id, major_id, credited_seconds, rejected_seconds, sessions, periods_finished, progress_end,
               computed_at)
           select d.day, c.id, c.student_id, c.semester_id, c.course_id, c.opening_id, coalesce(c.class_id, 0), y.site_id,
                  y.grade_id, y.level_id, y.major_id, d.seconds, coalesce(z.rejected, 0), coalesce(z.sessions, 0),
                  coalesce(f.finished, 0),
                  coalesce(case when d.day < $4 then o.progress_end end, (p.progress * 10)::integer, 0), $3::timestamptz
           from study_day d
           join course_selection c on c.id = d.selection_id
           join student y on y.id = c.student_id
           left join study_course_progress p on p.id = c.id
           left join stat_study_day o on o.date = d.day and o.selection_id = d.selection_id
           left join lateral (
               select least(sum(x.rejected_seconds), 2000000000)::integer as rejected, count(*)::integer as sessions
               from study_session x
               where x.selection_id = d.selection_id
                 and x.started_at >= d.day::timestamp at time zone 'Asia/Shanghai'
                 and x.started_at < (d.day + 1)::timestamp at time zone 'Asia/Shanghai') z on true
           left join lateral (
               select count(*)::integer as finished from study_progress x
               where x.selection_id = d.selection_id
                 and x.finished_at >= d.day::timestamp at time zone 'Asia/Shanghai'
                 and x.finished_at < (d.day + 1)::timestamp at time zone 'Asia/Shanghai') f on true
           where d.selection_id = any($1) and d.day >= $2
           on conflict (date, selection_id) do update
           set credited_seconds = excluded.credited_seconds, rejected_seconds = excluded.rejected_seconds,
               sessions = excluded.sessions, periods_finished = excluded.periods_finished,
               progress_end = excluded.progress_end, computed_at = excluded.computed_at
           where (s.credited_seconds, s.rejected_seconds, s.sessions, s.periods_finished, s.progress_end)
                 is distinct from (excluded.credited_seconds, excluded.rejected_seconds, excluded.sessions,
                                   excluded.periods_finished, excluded.progress_end)
           returning s.date, s.class_id"#,
        selections,
        from,
        now as _,
        today
    )
    .fetch_all(&mut **tx)
    .await?;
    let mut days: Vec<Key> = gone.iter().map(|row| Key { k1: row.class_id, k2: 0, day: row.date }).collect();
    days.extend(told.iter().map(|row| Key { k1: row.class_id, k2: 0, day: row.date }));
    mark(tx, "class_day", &days).await?;
    Ok((gone.len() + told.len()) as u64)
}
