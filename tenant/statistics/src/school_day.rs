//! 学校日: the register and the year of a school as a day ended. Kept for ever, so that the table of a past day can be printed again.

use chrono::{Datelike, NaiveDate};
use infra::{Result, Tx};
use sqlx::PgConnection;

/// Writes a day as it stands by now; a day that is over is written once more by the night after it, and never again.
///
/// # Errors
/// Those of the database.
pub(crate) async fn write(tx: &mut Tx, day: NaiveDate) -> Result<()> {
    let now = tx.app().clock().now();
    sqlx::query!(
        r#"insert into stat_school_day as s (date, students_by_status, active_students, joined, left_school, changes,
               pre_registrations, admissions, reported, graduates, degrees, computed_at)
           select $1::date,
                  (select coalesce(jsonb_object_agg(g.status, g.number), '{}')
                   from (select status, count(*) as number from student group by status) g),
                  (select count(*)::integer from student where active),
                  (select count(distinct h.student_id)::integer from student_status_change h
                   where h.effective_on = $1
                     and h.to_status in ('pending_registration', 'registered', 'suspended', 'expired')
                     and (h.from_status is null
                          or h.from_status not in ('pending_registration', 'registered', 'suspended', 'expired'))),
                  (select count(distinct h.student_id)::integer from student_status_change h
                   where h.effective_on = $1
                     and h.to_status not in ('pending_registration', 'registered', 'suspended', 'expired')
                     and h.from_status in ('pending_registration', 'registered', 'suspended', 'expired')),
                  (select coalesce(jsonb_object_agg(g.kind, g.number), '{}')
                   from (select kind, count(*) as number from student_status_change where effective_on = $1 group by kind) g),
                  (select count(*)::integer from pre_registration p
                   where p.deleted_at is null and p.created_at >= $1::date::timestamp at time zone 'Asia/Shanghai'
                     and p.created_at < ($1::date + 1)::timestamp at time zone 'Asia/Shanghai'),
                  (select count(*)::integer from admission a
                   where a.deleted_at is null and a.created_at >= $1::date::timestamp at time zone 'Asia/Shanghai'
                     and a.created_at < ($1::date + 1)::timestamp at time zone 'Asia/Shanghai'),
                  (select count(*)::integer from registration r
                   where r.deleted_at is null and r.reported_at >= $1::date::timestamp at time zone 'Asia/Shanghai'
                     and r.reported_at < ($1::date + 1)::timestamp at time zone 'Asia/Shanghai'),
                  (select count(*)::integer from student_status_change h
                   where h.effective_on = $1 and h.kind = 'graduate'),
                  (select count(*)::integer from degree_application d
                   where d.status = 'awarded' and d.awarded_at >= $1::date::timestamp at time zone 'Asia/Shanghai'
                     and d.awarded_at < ($1::date + 1)::timestamp at time zone 'Asia/Shanghai'),
                  $2::timestamptz
           on conflict (date) do update
           set students_by_status = excluded.students_by_status, active_students = excluded.active_students,
               joined = excluded.joined, left_school = excluded.left_school, changes = excluded.changes,
               pre_registrations = excluded.pre_registrations, admissions = excluded.admissions,
               reported = excluded.reported, graduates = excluded.graduates, degrees = excluded.degrees,
               computed_at = excluded.computed_at"#,
        day,
        now as _
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Admitted for the year of a day, and graduated in it.
pub(crate) struct OfYear {
    pub admitted: i64,
    pub graduated: i64,
}

/// # Errors
/// Those of the database.
pub(crate) async fn of_year(connection: &mut PgConnection, day: NaiveDate) -> Result<OfYear> {
    Ok(sqlx::query_as!(
        OfYear,
        r#"select (select count(*) from admission a join grade g on g.id = a.grade_id
                   where a.deleted_at is null and a.status <> 'cancelled' and g.entry_year = $1) as "admitted!",
                  (select count(*) from student_status_change h
                   where h.kind = 'graduate' and extract(year from h.effective_on)::integer = $1) as "graduated!""#,
        day.year()
    )
    .fetch_one(connection)
    .await?)
}

/// How far each site is in the semesters that go on, as the day ends.
///
/// # Errors
/// Those of the database.
pub(crate) async fn write_progress(tx: &mut Tx, day: NaiveDate) -> Result<()> {
    sqlx::query!(
        "insert into stat_progress_day (date, semester_id, site_id, roster, progress_sum)
         select $1::date, o.semester_id, o.site_id, sum(o.roster)::integer, sum(o.progress_sum)::bigint
         from stat_opening_class o join semester e on e.id = o.semester_id and e.closed_at is null
         group by o.semester_id, o.site_id
         on conflict (date, semester_id, site_id) do update
         set roster = excluded.roster, progress_sum = excluded.progress_sum",
        day
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Writes days that are over out of the history of each student, where they were not kept: of a demonstration, which began today.
///
/// # Errors
/// Those of the database.
pub(crate) async fn restore(tx: &mut Tx, days: &[NaiveDate]) -> Result<()> {
    let now = tx.app().clock().now();
    sqlx::query!(
        r#"with wanted as (
               select w.day from unnest($1::date[]) as w (day)
           ), later as (
               select d.day, h.student_id, bool_or(h.kind = 'enrol') as entered,
                      (array_agg(h.from_status order by h.effective_on, h.id)
                           filter (where h.from_status <> h.to_status))[1] as status
               from wanted d join student_status_change h on h.effective_on > d.day
               group by d.day, h.student_id
           ), stood as (
               select d.day, coalesce(h.status, s.status) as status, count(*) as number
               from wanted d
               join student s on s.enrolled_on <= d.day
               left join later h on h.day = d.day and h.student_id = s.id
               where h.entered is not true
               group by 1, 2
           ), changed as (
               select h.effective_on as day, h.kind, count(*) as number,
                      count(*) filter (where h.to_status in ('pending_registration', 'registered', 'suspended', 'expired')
                          and (h.from_status is null or h.from_status not in (
                                   'pending_registration', 'registered', 'suspended', 'expired'))) as joined,
                      count(*) filter (where h.to_status not in ('pending_registration', 'registered', 'suspended', 'expired')
                          and h.from_status in ('pending_registration', 'registered', 'suspended', 'expired')) as gone
               from wanted d join student_status_change h on h.effective_on = d.day
               group by 1, 2
           )
           insert into stat_school_day (date, students_by_status, active_students, joined, left_school, changes, pre_registrations,
               admissions, reported, graduates, degrees, computed_at)
           select d.day,
                  coalesce((select jsonb_object_agg(s.status, s.number) from stood s where s.day = d.day), '{}'),
                  coalesce((select sum(s.number) from stood s
                            where s.day = d.day and s.status in ('pending_registration', 'registered', 'suspended', 'expired')),
                           0)::integer,
                  coalesce((select sum(c.joined) from changed c where c.day = d.day), 0)::integer,
                  coalesce((select sum(c.gone) from changed c where c.day = d.day), 0)::integer,
                  coalesce((select jsonb_object_agg(c.kind, c.number) from changed c where c.day = d.day), '{}'),
                  0, 0, 0,
                  coalesce((select sum(c.number) from changed c where c.day = d.day and c.kind = 'graduate'), 0)::integer,
                  0, $2::timestamptz
           from wanted d
           on conflict (date) do nothing"#,
        days,
        now as _
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
