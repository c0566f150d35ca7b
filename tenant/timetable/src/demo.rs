//! The timetable of a demonstration school: what is taught face to face in the current semester, arranged by the same rules as the
//! automatic arrangement, and one of everything that a list shows.

use infra::{Result, Scope, Tx};
use sqlx::PgConnection;
use timetable_rules::{
    judge::{Asking, judge},
    proposal::{AutoForm, PeriodBlock},
};

use crate::{
    arrange::{
        ArrangeClass,
        form::{meet, write},
        pending::lacking,
    },
    auto::propose,
};

/// Classes of courses that are arranged.
const ARRANGED: usize = 60;

/// Arranges the current semester.
///
/// # Errors
/// Only internal ones.
pub async fn fill(tx: &mut Tx) -> Result<()> {
    let Some(semester) = sqlx::query_scalar!("select id from semester where current").fetch_optional(&mut **tx).await?
    else {
        return Ok(());
    };
    own_periods(tx).await?;
    arrange(tx, semester).await?;
    statuses(tx, semester).await?;
    changes(tx, semester).await?;
    blocked(tx, semester).await
}

/// The first site has lessons of its own.
async fn own_periods(connection: &mut PgConnection) -> Result<()> {
    sqlx::query!(
        "insert into lesson_period (site_id, no, starts_at, ends_at, created_by, updated_by)
         select (select min(id) from site), w.no, w.starts_at, w.ends_at, 0, 0
         from (values (1, time '08:30', time '09:15'), (2, time '09:20', time '10:05'), (3, time '10:15', time '11:00'),
                      (4, time '11:05', time '11:50'), (5, time '14:00', time '14:45'), (6, time '14:50', time '15:35'),
                      (7, time '15:45', time '16:30'), (8, time '16:35', time '17:20'), (9, time '18:30', time '19:15'),
                      (10, time '19:20', time '20:05'), (11, time '20:10', time '20:55'), (12, time '21:00', time '21:45'))
              as w (no, starts_at, ends_at)"
    )
    .execute(connection)
    .await?;
    Ok(())
}

async fn arrange(tx: &mut Tx, semester: i64) -> Result<()> {
    let scope = Scope::whole_school();
    let mut pairs = lacking(tx, semester, &scope).await?;
    pairs.truncate(ARRANGED);
    if pairs.is_empty() {
        return Ok(());
    }
    let items = pairs.iter().map(|pair| ArrangeClass { class_id: pair.class_id, opening_id: pair.opening_id });
    let form = AutoForm {
        semester_id: semester,
        items: Some(items.collect()),
        weekdays: vec![6, 7],
        dates: Vec::new(),
        blocks: vec![PeriodBlock { period_from: 1, period_to: 4 }, PeriodBlock { period_from: 5, period_to: 8 }],
        classroom_ids: None,
        room_type: None,
        merge_same_course: true,
        max_periods_per_day_teacher: 8,
        max_per_day_class: 8,
        seed: 1,
        time_limit: 10,
    };
    let (proposal, facts) = propose(tx, &form, &scope).await?;
    for placed in &proposal.placed {
        let judged = judge(&placed.form, &facts, Asking { scope: &scope, forced: Some(&scope) })?;
        let id = write(tx, &placed.form, &judged).await?;
        meet(tx, &[(id, &placed.form, &judged.meetings)]).await?;
    }
    Ok(())
}

/// Most are published; some wait, some were called off, and not all are lectures.
async fn statuses(connection: &mut PgConnection, semester: i64) -> Result<()> {
    sqlx::query!(
        "update course_arrange a
         set status = n.status, published_at = case when n.status <> 'draft' then e.starts_on::timestamptz end,
             cancel_reason = case when n.status = 'cancelled' then '教师调整' end,
             kind = case n.place % 10 when 3 then 'lab' when 5 then 'tutoring' when 7 then 'live' else 'lecture' end
         from (select id, semester_id, row_number() over (order by id) as place,
                      case when row_number() over (order by id) % 15 = 4 then 'cancelled'
                           when row_number() over (order by id) % 8 = 2 then 'draft' else 'published' end as status
               from course_arrange where semester_id = $1) n
         join semester e on e.id = n.semester_id
         where a.id = n.id",
        semester
    )
    .execute(&mut *connection)
    .await?;
    sqlx::query!(
        "update course_arrange_session s set status = 'cancelled', reason = '教师调整'
         from course_arrange a where a.id = s.arrange_id and a.semester_id = $1 and a.status = 'cancelled'",
        semester
    )
    .execute(&mut *connection)
    .await?;
    free(connection).await
}

/// What does not take place keeps nobody busy.
async fn free(connection: &mut PgConnection) -> Result<()> {
    sqlx::query!(
        "delete from resource_occupation o using course_arrange_session s
         where o.source_type = 'session' and s.id = o.source_id and s.status = 'cancelled'"
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// One lesson does not take place, one is moved into the evening of its day; somebody helps with a course.
async fn changes(connection: &mut PgConnection, semester: i64) -> Result<()> {
    let last = sqlx::query_scalar!(
        r#"select max(s.id) as "id!" from course_arrange_session s join course_arrange a on a.id = s.arrange_id
           where a.semester_id = $1 and a.status = 'published' and s.status = 'scheduled'
           group by a.id order by a.id limit 2"#,
        semester
    )
    .fetch_all(&mut *connection)
    .await?;
    sqlx::query!(
        "update course_arrange_session set status = 'cancelled', reason = '教师外出开会' where id = any($1)",
        &last
    )
    .execute(&mut *connection)
    .await?;
    free(connection).await?;
    // Lessons by day alone are arranged, so that evenings are free.
    sqlx::query!(
        "with moved as (
             insert into course_arrange_session (arrange_id, held_on, period_from, period_to, starts_at, ends_at, teacher_id,
                 classroom_id, moved_from_id, reason, created_by, updated_by)
             select s.arrange_id, s.held_on, 9, 12, (s.held_on + time '18:30') at time zone 'Asia/Shanghai',
                    (s.held_on + time '21:55') at time zone 'Asia/Shanghai', s.teacher_id, s.classroom_id, s.id, s.reason, 0, 0
             from course_arrange_session s where s.id = any($1) order by s.id limit 1
             returning id, arrange_id, starts_at, ends_at, teacher_id, classroom_id
         )
         insert into resource_occupation (kind, resource_id, during, source_type, source_id, created_by, updated_by)
         select w.kind, w.resource, tstzrange(m.starts_at, m.ends_at), 'session', m.id, 0, 0
         from moved m cross join lateral (
             select 'teacher' as kind, m.teacher_id as resource
             union all select 'classroom', m.classroom_id where m.classroom_id is not null
             union all select 'class', c.class_id from course_arrange_class c where c.arrange_id = m.arrange_id) w",
        &last
    )
    .execute(&mut *connection)
    .await?;
    sqlx::query!(
        "with helper as (
             select t.id from teacher t
             where t.status = 'active' and not exists (
                 select from resource_occupation o where o.kind = 'teacher' and o.resource_id = t.id)
             order by t.id limit 1
         ), helped as (
             insert into course_arrange_assistant (arrange_id, teacher_id)
             select (select min(a.id) from course_arrange a where a.semester_id = $1 and a.status = 'published'), h.id
             from helper h
             where exists (select from course_arrange a where a.semester_id = $1 and a.status = 'published')
             returning arrange_id, teacher_id
         )
         insert into resource_occupation (kind, resource_id, during, source_type, source_id, created_by, updated_by)
         select 'teacher', h.teacher_id, tstzrange(s.starts_at, s.ends_at), 'session', s.id, 0, 0
         from helped h join course_arrange_session s on s.arrange_id = h.arrange_id and s.status = 'scheduled'",
        semester
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// A room is repaired on a Wednesday.
async fn blocked(connection: &mut PgConnection, semester: i64) -> Result<()> {
    sqlx::query!(
        "insert into resource_occupation (kind, resource_id, during, source_type, note, created_by, updated_by)
         select 'classroom', r.id,
                tstzrange((w.day + time '08:00') at time zone 'Asia/Shanghai', (w.day + time '12:00') at time zone 'Asia/Shanghai'),
                'blocked', '设备检修', 0, 0
         from semester e
         cross join lateral (select date_trunc('week', e.starts_on)::date + 9 as day) w
         cross join lateral (select id from classroom order by id limit 1) r
         where e.id = $1",
        semester
    )
    .execute(connection)
    .await?;
    Ok(())
}
