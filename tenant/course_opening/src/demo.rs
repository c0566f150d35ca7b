//! Openings of a demonstration school: those of the current semester by the plans, opened but for a few that wait or were
//! cancelled; those of the semester before, over; of the oldest grade, whose graduates have scores, those of all its semesters;
//! classes for those who repeat a course, rules of selection, and teachers.

use chrono::{Days, NaiveDate};
use infra::{Error, Result, Tx, clock::day_began};

use crate::opening::{Wish, generate};

/// Semesters, from the current one back, in which every grade has openings.
const WHOLE: usize = 2;

/// Openings that a school of so many grades has at least.
pub fn openings_for(years: i32) -> i64 {
    20 * i64::from(years)
}

/// Makes them of the plans in effect.
///
/// # Errors
/// Only internal ones.
pub async fn fill(tx: &mut Tx, today: NaiveDate) -> Result<()> {
    let semesters = sqlx::query!(
        "select id, starts_on, ends_on, current from semester
         where code <= (select code from semester where current) order by code desc limit 10"
    )
    .fetch_all(&mut **tx)
    .await?;
    let oldest =
        sqlx::query_scalar!("select id from grade order by entry_year, id limit 1").fetch_optional(&mut **tx).await?;
    for (place, semester) in semesters.iter().enumerate() {
        let is_early = place >= WHOLE;
        let grade_ids = oldest.filter(|_| is_early).map(|grade| vec![grade]);
        let wish = Wish { semester_id: semester.id, grade_ids, major_ids: None };
        generate(tx, &wish).await?;
        let began = day_began(semester.starts_on.min(today));
        // Every ninth of what is taught now waits to be opened, every thirtieth was called off.
        sqlx::query!(
            "update course_opening o
             set status = n.status, opened_at = case when n.status <> 'draft' then $2::timestamptz end,
                 closed_at = case when n.status = 'closed' then $3::timestamptz end,
                 cancel_reason = case when n.status = 'cancelled' then '选课人数不足' end,
                 capacity = case when o.nature <> 'compulsory' then
                     (select 20 + count(*) from student s where s.grade_id = o.grade_id and s.major_id = o.major_id)::integer end
             from (select id, case when not $4 then 'closed' when row_number() over (order by id) % 30 = 0 then 'cancelled'
                                   when row_number() over (order by id) % 9 = 0 then 'draft' else 'opened' end as status
                   from course_opening where semester_id = $1) n
             where o.id = n.id",
            semester.id,
            began as _,
            day_began(semester.ends_on) as _,
            semester.current
        )
        .execute(&mut **tx)
        .await?;
        if is_early {
            continue;
        }
        rule(tx, semester.id, semester.starts_on).await?;
        teachers(tx, semester.id).await?;
    }
    let Some(current) = semesters.iter().find(|semester| semester.current) else { return Ok(()) };
    retakes(tx, current.id, current.starts_on.min(today)).await
}

/// Three courses that were taught are repeated by those who did not pass.
async fn retakes(tx: &mut Tx, semester: i64, on: NaiveDate) -> Result<()> {
    sqlx::query!(
        "insert into course_opening (semester_id, kind, course_id, type_id, nature, credits, hours, lecture_hours, online_hours,
             practice_hours, self_study_hours, exam_form, assess_mode, teaching_mode, capacity, status, opened_at, created_by,
             updated_by)
         select $1, 'retake', u.id, u.type_id, 'compulsory', u.credits, u.hours, u.lecture_hours, u.online_hours,
                u.practice_hours, u.self_study_hours, u.exam_form, u.assess_mode, 'blended', 100, 'opened', $2, 0, 0
         from course u
         where u.id in (select course_id from course_opening
                        where status = 'closed' and kind = 'plan' and nature = 'compulsory' and semester_id <> $1
                        group by course_id order by count(*) desc, course_id limit 3)",
        semester,
        day_began(on) as _
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Of the whole semester one, and of its newest grade one with an audit.
async fn rule(tx: &mut Tx, semester: i64, starts_on: NaiveDate) -> Result<()> {
    let day =
        |days: u64| starts_on.checked_add_days(Days::new(days)).map(day_began).ok_or_else(|| Error::internal("a day"));
    let (from, until, drop_until) = (day_began(starts_on), day(28)?, day(42)?);
    sqlx::query!(
        "insert into selection_rule (semester_id, grade_id, min_credits, max_credits, select_starts_at, select_ends_at,
             drop_ends_at, need_audit, created_by, updated_by)
         select $1, g.id, 10, 40, $2, $3, $4, g.id is not null, 0, 0
         from (select null::bigint as id union all
               (select id from grade where enabled order by code desc limit 1)) g",
        semester,
        from as _,
        until as _,
        drop_until as _
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// A lecturer for all classes of each opening, another for one class of every fourth, and a marker; every tenth has nobody yet.
async fn teachers(tx: &mut Tx, semester: i64) -> Result<()> {
    sqlx::query!(
        "with teacher_of as (
             select o.id as opening_id, o.grade_id, o.major_id, o.lecture_hours + o.practice_hours as hours,
                    row_number() over (order by o.id) as place
             from course_opening o where o.semester_id = $1 and o.status in ('opened', 'closed')
         ), staff as (
             select id, row_number() over (order by id) - 1 as place, count(*) over () as all_of from teacher
             where status = 'active'
         )
         insert into course_allocation (opening_id, class_id, teacher_id, role, hours, created_by, updated_by)
         select x.opening_id, null, t.id, 'lecturer', least(x.hours, 60), 0, 0
         from teacher_of x join staff t on t.place = x.place % t.all_of where x.place % 10 <> 0
         union all
         select x.opening_id, k.id, t.id, 'lecturer', least(x.hours, 60), 0, 0
         from teacher_of x
         join staff t on t.place = (x.place + 7) % t.all_of
         join lateral (select id from class where grade_id = x.grade_id and major_id = x.major_id order by id limit 1) k on true
         where x.place % 4 = 1
         union all
         select x.opening_id, null, t.id, 'marker', null, 0, 0
         from teacher_of x join staff t on t.place = (x.place + 3) % t.all_of where x.place % 2 = 0",
        semester
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
