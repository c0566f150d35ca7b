//! Selections of a demonstration school: the rosters of what is taught, the scores of what is over, and electives in every state.

use infra::{Result, Tx};

/// Puts the students into the openings that stand.
///
/// # Errors
/// Only internal ones.
pub async fn fill(tx: &mut Tx) -> Result<()> {
    // Everybody of the grade and major; of what is over with a score: two in three passed everything. A thesis may take longer.
    sqlx::query!(
        "insert into course_selection (student_id, opening_id, semester_id, course_id, class_id, source, status, selected_at,
             final_score, passed, created_by, updated_by)
         select s.id, o.id, o.semester_id, o.course_id, s.class_id, 'plan',
                case when n.ended then 'completed' else 'selected' end, o.opened_at,
                case when n.ended then n.score end, case when n.ended then n.score >= 60 end, 0, 0
         from course_opening o
         join course u on u.id = o.course_id
         join student s on s.grade_id = o.grade_id and s.major_id = o.major_id
                       and s.status in ('registered', 'pending_registration')
         cross join lateral (
             select o.status = 'closed' and (u.kind <> 'thesis' or s.id % 5 > 0) as ended,
                    case when s.id % 3 = 0 then 55 + (s.id * 7 + o.id * 13) % 44 else 61 + (s.id * 7 + o.id * 13) % 38 end
                        as score) n
         where o.kind = 'plan' and o.nature = 'compulsory' and o.status in ('opened', 'closed')"
    )
    .execute(&mut **tx)
    .await?;
    // Electives that are over were passed by everybody.
    sqlx::query!(
        "insert into course_selection (student_id, opening_id, semester_id, course_id, class_id, source, status, selected_at,
             final_score, passed, created_by, updated_by)
         select s.id, o.id, o.semester_id, o.course_id, s.class_id, 'self', 'completed', o.opened_at,
                65 + (s.id * 7 + o.id * 13) % 34, true, 0, 0
         from course_opening o
         join student s on s.grade_id = o.grade_id and s.major_id = o.major_id
                       and s.status in ('registered', 'pending_registration')
         where o.kind = 'plan' and o.nature <> 'compulsory' and o.status = 'closed'"
    )
    .execute(&mut **tx)
    .await?;
    // Of the electives of now two students in three chose one; some wait, left it, or need not take it.
    sqlx::query!(
        "insert into course_selection (student_id, opening_id, semester_id, course_id, class_id, source, status, selected_at,
             dropped_at, drop_reason, exempt_reason, created_by, updated_by)
         select s.id, o.id, o.semester_id, o.course_id, s.class_id, 'self', n.status,
                case when n.status <> 'pending' then o.opened_at end,
                case when n.status = 'dropped' then o.opened_at end,
                case when n.status = 'dropped' then '本人申请' end,
                case when n.status = 'exempted' then '自学考试已通过同名课程' end, 0, 0
         from course_opening o
         join student s on s.grade_id = o.grade_id and s.major_id = o.major_id
                       and s.status in ('registered', 'pending_registration')
         cross join lateral (
             select case s.id % 12 when 0 then 'pending' when 1 then 'dropped' when 2 then 'exempted' else 'selected' end
                    as status) n
         where o.kind = 'plan' and o.nature <> 'compulsory' and o.status = 'opened' and (s.id + o.id) % 3 <> 0"
    )
    .execute(&mut **tx)
    .await?;
    // Who did not pass repeats it where there is a class for that.
    sqlx::query!(
        "insert into course_selection (student_id, opening_id, semester_id, course_id, class_id, source, attempt_no, status,
             selected_at, created_by, updated_by)
         select c.student_id, o.id, o.semester_id, o.course_id, s.class_id, 'retake', 2, 'selected', o.opened_at, 0, 0
         from course_opening o
         join course_selection c on c.course_id = o.course_id and c.status = 'completed' and not c.passed
         join student s on s.id = c.student_id and s.status = 'registered'
         where o.kind = 'retake' and o.status = 'opened'
         on conflict do nothing"
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
