//! Face-to-face instruction of a demonstration school: attendance of what was held, and scores in every state.

use chrono::NaiveDate;
use infra::{Result, Tx, clock::day_began};

/// Registers who came to the sessions before a day, and how they did. In the first weeks of a semester, when nothing was held
/// yet, that of its first session.
///
/// # Errors
/// Only internal ones.
pub async fn fill(tx: &mut Tx, today: NaiveDate) -> Result<()> {
    sqlx::query!(
        "insert into instruction_attendance (session_id, selection_id, result, source, created_by, updated_by)
         select q.id, z.id,
                case (q.id * 7 + z.id * 13) % 20 when 3 then 'late' when 7 then 'leave' when 11 then 'absent' else 'present' end,
                case when q.id % 3 = 0 then 'teacher' else 'staff' end, 0, 0
         from course_arrange_session q
         join course_arrange a on a.id = q.arrange_id and a.status <> 'draft'
         join course_arrange_class c on c.arrange_id = a.id
         join course_selection z on z.opening_id = c.opening_id and z.class_id = c.class_id and z.status in ('selected', 'completed')
         where q.status = 'scheduled'
           and (q.starts_at < $1
                or q.id = (select min(f.id) from course_arrange_session f join course_arrange b on b.id = f.arrange_id
                           where f.status = 'scheduled' and b.status = 'published'))
           and q.id in (select x.id from (
                            select s.id, row_number() over (partition by s.arrange_id order by s.held_on) as place
                            from course_arrange_session s where s.status = 'scheduled') x where x.place <= 4)",
        day_began(today) as _
    )
    .execute(&mut **tx)
    .await?;
    // By the usual weights: attendance 40, performance 60.
    sqlx::query!(
        "insert into instruction_score (selection_id, required_sessions, attended_count, attendance_rate, attendance_score,
             performance_score, total_score, status, submitted_by, submitted_at, confirmed_by, confirmed_at, return_reason,
             created_by, updated_by)
         select n.id, n.required, n.halves / 2.0, n.rate, n.rate, n.performance,
                case when n.rate is null then n.performance else round(n.exact * 0.4 + n.performance * 0.6, 1) end, n.status,
                case when n.status <> 'draft' then 0 end, case when n.status <> 'draft' then $1::timestamptz end,
                case when n.status = 'confirmed' then 0 end, case when n.status = 'confirmed' then $1::timestamptz end,
                case when n.status = 'draft' and n.performance is not null and n.id % 9 = 0 then '请核对缺勤记录' end, 0, 0
         from (
             select x.*, x.halves * 50.0 / nullif(x.required, 0) as exact, round(x.halves * 50.0 / nullif(x.required, 0), 1) as rate,
                    case when x.place % 10 = 9 then null else (60 + (x.id * 11) % 40)::numeric end as performance,
                    case when x.place % 10 = 9 then 'draft' when x.place % 3 = 0 then 'confirmed'
                         when x.place % 3 = 1 then 'submitted' else 'draft' end as status
             from (
                 select y.selection_id as id, count(*) filter (where y.result <> 'leave') as required,
                        sum(case y.result when 'present' then 2 when 'late' then 1 else 0 end) as halves,
                        row_number() over (order by y.selection_id) as place
                 from instruction_attendance y group by y.selection_id) x) n",
        day_began(today) as _
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
