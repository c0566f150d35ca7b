//! 班级日: who of a class studied, signed in, handed in and sat for an examination on a day. Out of the days of its students, which stay
//! with the class in which they were.

use chrono::NaiveDate;
use infra::{Result, Tx};

use super::Key;

/// Computes classes on their days anew, and takes away what has no fact left.
pub(super) async fn compute(tx: &mut Tx, keys: &[Key]) -> Result<u64> {
    let now = tx.app().clock().now();
    let classes: Vec<i64> = keys.iter().map(|key| key.k1).collect();
    let days: Vec<NaiveDate> = keys.iter().map(|key| key.day).collect();
    let done = sqlx::query!(
        r#"with wanted as (
               select distinct w.class_id, w.day from unnest($1::bigint[], $2::date[]) as w (class_id, day)
           ), parts as (
               select w.day, w.class_id, coalesce(s.course_id, 0) as course_id, s.site_id,
                      count(distinct s.student_id) as learners, sum(s.credited_seconds) as seconds,
                      sum(s.periods_finished) as periods, 0::bigint as people, 0::bigint as logins, 0::bigint as active,
                      0::bigint as handed, 0::bigint as sat
               from wanted w join stat_study_day s on s.class_id = w.class_id and s.date = w.day
               group by grouping sets ((w.day, w.class_id, s.site_id, s.course_id), (w.day, w.class_id, s.site_id))
               union all
               select w.day, w.class_id, 0, l.site_id, 0, 0, 0, count(*), sum(l.logins), sum(l.active_seconds), 0, 0
               from wanted w
               join stat_login_day l on l.date = w.day and l.owner_kind = 'student' and l.class_id = w.class_id
               group by w.day, w.class_id, l.site_id
               union all
               select w.day, w.class_id, coalesce(c.course_id, 0), k.site_id, 0, 0, 0, 0, 0, 0, count(*), 0
               from wanted w
               join class k on k.id = w.class_id
               join course_selection c on c.class_id = w.class_id
               join homework_student h on h.selection_id = c.id
                    and h.submitted_at >= w.day::timestamp at time zone 'Asia/Shanghai'
                    and h.submitted_at < (w.day + 1)::timestamp at time zone 'Asia/Shanghai'
               group by grouping sets ((w.day, w.class_id, k.site_id, c.course_id), (w.day, w.class_id, k.site_id))
               union all
               select w.day, w.class_id, 0, k.site_id, 0, 0, 0, 0, 0, 0, 0, count(*)
               from wanted w
               join class k on k.id = w.class_id
               join course_selection c on c.class_id = w.class_id
               join exam_candidate e on e.selection_id = c.id and e.attendance = 'present' and not e.removed
               join exam_setup t on t.id = e.setup_id
               left join offline_session z on z.id = t.session_id
               where coalesce(t.starts_at, z.starts_at) >= w.day::timestamp at time zone 'Asia/Shanghai'
                 and coalesce(t.starts_at, z.starts_at) < (w.day + 1)::timestamp at time zone 'Asia/Shanghai'
               group by w.day, w.class_id, k.site_id
           ), counted as (
               select p.day, p.class_id, p.course_id, p.site_id, sum(p.learners)::integer as learners,
                      sum(p.seconds)::bigint as seconds, sum(p.periods)::integer as periods,
                      sum(p.people)::integer as people, sum(p.logins)::integer as logins, sum(p.active)::bigint as active,
                      sum(p.handed)::integer as handed, sum(p.sat)::integer as sat
               from parts p group by p.day, p.class_id, p.course_id, p.site_id
           ), gone as (
               delete from stat_class_day s using wanted w
               where s.date = w.day and s.class_id = w.class_id
                 and not exists (select from counted t
                                 where t.day = s.date and t.class_id = s.class_id and t.course_id = s.course_id
                                   and t.site_id = s.site_id)
               returning s.date
           )
           insert into stat_class_day as s (date, class_id, course_id, site_id, learners, credited_seconds, periods_finished,
               login_students, logins, active_seconds, homework_submitted, exams_taken, computed_at)
           select t.day, t.class_id, t.course_id, t.site_id, t.learners, t.seconds, t.periods, t.people, t.logins, t.active,
                  t.handed, t.sat, $3::timestamptz
           from counted t
           on conflict (date, class_id, course_id, site_id) do update
           set learners = excluded.learners, credited_seconds = excluded.credited_seconds,
               periods_finished = excluded.periods_finished, login_students = excluded.login_students,
               logins = excluded.logins, active_seconds = excluded.active_seconds,
               homework_submitted = excluded.homework_submitted, exams_taken = excluded.exams_taken,
               computed_at = excluded.computed_at
           where (s.learners, s.credited_seconds, s.periods_finished, s.login_students, s.logins, s.active_seconds,
                  s.homework_submitted, s.exams_taken)
                 is distinct from (excluded.learners, excluded.credited_seconds, excluded.periods_finished,
                  excluded.login_students, excluded.logins, excluded.active_seconds, excluded.homework_submitted,
                  excluded.exams_taken)"#,
        &classes,
        &days,
        now as _
    )
    .execute(&mut **tx)
    .await?;
    Ok(done.rows_affected())
}
