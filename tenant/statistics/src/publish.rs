//! What a school publishes of itself for the operators' pages: numbers and names of units, no person (part 05 A2, A3-5). Read as the
//! school, written as the platform: the school's own role reaches nothing there.

use chrono::{Datelike, NaiveDate};
use infra::{App, Result, Tx, audit::Actor, clock::Moment, directory::School, tx};
use serde_json::Value;
use sqlx::PgConnection;

use crate::{school_day, watch};

/// A closed semester is published once more when one of its rows was computed anew so shortly ago.
const LATELY_DAYS: i64 = 2;

/// Writes what the platform shows of a school: the day, its month, the sums of the semesters that go on, and its visits from a day
/// on, of which some may have led to something meanwhile. Who signed in during whole semesters is counted in the night alone: it is a
/// walk over all days of all students.
///
/// # Errors
/// Those of the database; 409 while the school is being migrated.
pub(crate) async fn publish(
    app: &App,
    school: &School,
    day: NaiveDate,
    visits_from: NaiveDate,
    night: bool,
) -> Result<()> {
    let mut read = tx::at_the_server_read_in(app, school).await?;
    let of_day = day_of(&mut read, day).await?;
    let of_year = school_day::of_year(&mut read, day).await?;
    let of_month = month_of(&mut read, day).await?;
    let terms = terms_of(&mut read, app.clock().now() - chrono::Duration::days(LATELY_DAYS)).await?;
    let logins = if night { logins_of(&mut read).await? } else { Vec::new() };
    let visits = visits_of(&mut read, visits_from, day).await?;
    drop(read);
    let now = app.clock().now();
    let mut tx = tx::at_work(app, None, Actor::system("statistics")).await?;
    if let Some(row) = of_day {
        sqlx::query!(
            "insert into platform.stat_school_day (school_id, date, students_by_status, active_students, joined, left_school,
                 pre_registrations, admissions, reported, graduates, degrees, login_students, login_others, logins, learners,
                 credited_seconds, homework_submitted, exams_taken, admitted_of_year, graduated_of_year)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)
             on conflict (school_id, date) do update
             set students_by_status = excluded.students_by_status, active_students = excluded.active_students,
                 joined = excluded.joined, left_school = excluded.left_school,
                 pre_registrations = excluded.pre_registrations, admissions = excluded.admissions,
                 reported = excluded.reported, graduates = excluded.graduates, degrees = excluded.degrees,
                 login_students = excluded.login_students, login_others = excluded.login_others, logins = excluded.logins,
                 learners = excluded.learners, credited_seconds = excluded.credited_seconds,
                 homework_submitted = excluded.homework_submitted, exams_taken = excluded.exams_taken,
                 admitted_of_year = excluded.admitted_of_year, graduated_of_year = excluded.graduated_of_year",
            school.id,
            day,
            row.students_by_status,
            row.active_students,
            row.joined,
            row.left_school,
            row.pre_registrations,
            row.admissions,
            row.reported,
            row.graduates,
            row.degrees,
            row.login_students,
            row.login_others,
            row.logins,
            row.learners,
            row.credited_seconds,
            row.homework_submitted,
            row.exams_taken,
            i32::try_from(of_year.admitted).unwrap_or(i32::MAX),
            i32::try_from(of_year.graduated).unwrap_or(i32::MAX)
        )
        .execute(&mut *tx)
        .await?;
    }
    sqlx::query!(
        "insert into platform.stat_school_month (school_id, month, login_students, learners, logins, active_seconds,
             never_logged_in, active_students, credited_seconds)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
         on conflict (school_id, month) do update
         set login_students = excluded.login_students, learners = excluded.learners, logins = excluded.logins,
             active_seconds = excluded.active_seconds, never_logged_in = excluded.never_logged_in,
             active_students = excluded.active_students, credited_seconds = excluded.credited_seconds",
        school.id,
        first_of(day),
        of_month.login_students,
        of_month.learners,
        of_month.logins,
        of_month.active_seconds,
        of_month.never_logged_in,
        of_month.active_students,
        of_month.credited_seconds
    )
    .execute(&mut *tx)
    .await?;
    write_terms(&mut tx, school.id, &terms).await?;
    write_logins(&mut tx, school.id, &logins).await?;
    write_visits(&mut tx, school.id, &visits).await?;
    watch::published(&mut tx, school.id, now).await?;
    tx.commit_untracked("figures follow from other rows").await
}

/// The first day of the month of a day.
pub(crate) fn first_of(day: NaiveDate) -> NaiveDate {
    day.with_day(1).unwrap_or(day)
}

/// A day as it is published.
struct Day {
    students_by_status: Value,
    active_students: i32,
    joined: i32,
    left_school: i32,
    pre_registrations: i32,
    admissions: i32,
    reported: i32,
    graduates: i32,
    degrees: i32,
    login_students: i32,
    login_others: i32,
    logins: i32,
    learners: i32,
    credited_seconds: i64,
    homework_submitted: i32,
    exams_taken: i32,
}

async fn day_of(connection: &mut PgConnection, day: NaiveDate) -> Result<Option<Day>> {
    Ok(sqlx::query_as!(
        Day,
        r#"select s.students_by_status, s.active_students, s.joined, s.left_school, s.pre_registrations, s.admissions, s.reported,
                  s.graduates, s.degrees, l.students as "login_students!", l.others as "login_others!", l.logins as "logins!",
                  (select count(distinct t.student_id)::integer from stat_study_day t where t.date = $1) as "learners!",
                  c.seconds as "credited_seconds!", c.handed as "homework_submitted!", c.sat as "exams_taken!"
           from stat_school_day s
           cross join lateral (
               select (count(*) filter (where x.owner_kind = 'student'))::integer as students,
                      (count(*) filter (where x.owner_kind <> 'student'))::integer as others,
                      coalesce(sum(x.logins), 0)::integer as logins
               from stat_login_day x where x.date = $1) l
           cross join lateral (
               select coalesce(sum(x.credited_seconds), 0)::bigint as seconds,
                      coalesce(sum(x.homework_submitted), 0)::integer as handed, coalesce(sum(x.exams_taken), 0)::integer as sat
               from stat_class_day x where x.date = $1 and x.course_id = 0) c
           where s.date = $1"#,
        day
    )
    .fetch_optional(connection)
    .await?)
}

/// A month as it is published, up to the day.
struct Month {
    login_students: i32,
    learners: i32,
    logins: i32,
    active_seconds: i64,
    never_logged_in: i32,
    active_students: i32,
    credited_seconds: i64,
}

async fn month_of(connection: &mut PgConnection, day: NaiveDate) -> Result<Month> {
    Ok(sqlx::query_as!(
        Month,
        r#"select l.people as "login_students!", l.logins as "logins!", l.seconds as "active_seconds!",
                  (select count(distinct t.student_id)::integer from stat_study_day t
                   where t.date between $1 and $2) as "learners!",
                  (select coalesce(sum(t.credited_seconds), 0)::bigint from stat_study_day t
                   where t.date between $1 and $2) as "credited_seconds!",
                  (select count(*)::integer from student y
                   where y.active and not exists (
                       select from client_account a
                       where a.owner_kind = 'student' and a.owner_id = y.id and a.first_login_at is not null))
                      as "never_logged_in!",
                  (select count(*)::integer from student y where y.active) as "active_students!"
           from (select count(distinct x.owner_id)::integer as people, coalesce(sum(x.logins), 0)::integer as logins,
                        coalesce(sum(x.active_seconds), 0)::bigint as seconds
                 from stat_login_day x join student y on y.id = x.owner_id and y.active
                 where x.owner_kind = 'student' and x.date between $1 and $2) l"#,
        first_of(day),
        day
    )
    .fetch_one(connection)
    .await?)
}

/// The sums of a semester, of one of its sites, majors, levels or courses.
#[derive(Debug)]
struct Term {
    semester_code: String,
    kind: String,
    key_code: String,
    key_name: String,
    is_current: bool,
    students: i32,
    classes: i32,
    /// Columns of `stat_school_term` behind `classes`, in order, up to `risk_high`.
    sums: Vec<i64>,
}

async fn terms_of(connection: &mut PgConnection, since: Moment) -> Result<Vec<Term>> {
    let rows = sqlx::query!(
        r#"with terms as (
               select e.id as semester_id, e.code, e.current from semester e
               where e.closed_at is null or e.current
                  or exists (select from stat_opening_class o where o.semester_id = e.id and o.computed_at >= $1::timestamptz)
                  or exists (select from stat_exam_class x where x.semester_id = e.id and x.computed_at >= $1::timestamptz)
           ), keys as (
               select t.semester_id, k.kind from terms t
               cross join (values ('total'), ('site'), ('major'), ('level'), ('course')) as k (kind)
           ), study as (
               select k.semester_id, k.kind,
                      case k.kind when 'site' then o.site_id when 'major' then o.major_id when 'level' then o.level_id
                                  when 'course' then o.course_id else 0 end as key,
                      count(distinct nullif(o.class_id, 0))::integer as classes, sum(o.roster) as roster,
                      sum(o.not_started) as not_started, sum(o.studying) as studying, sum(o.finished) as finished,
                      sum(o.reached) as reached, sum(o.progress_sum) as progress_sum, sum(o.study_seconds) as study_seconds,
                      sum(o.hw_should) as hw_should, sum(o.hw_handed) as hw_handed, sum(o.hw_on_time) as hw_on_time,
                      sum(o.hw_marked) as hw_marked, sum(o.hw_missed) as hw_missed, sum(o.hw_pending) as hw_pending,
                      sum(o.hw_scored) as hw_scored, sum(o.hw_score_sum) as hw_score_sum, sum(o.hw_passed) as hw_passed
               from keys k join stat_opening_class o on o.semester_id = k.semester_id
               group by 1, 2, 3
           ), tasks as (
               select k.semester_id, k.kind,
                      case k.kind when 'site' then o.site_id when 'major' then o.major_id when 'level' then o.level_id
                                  when 'course' then o.course_id else 0 end as key,
                      count(distinct t.homework_id) as number
               from keys k join stat_opening_class o on o.semester_id = k.semester_id
               join homework_target t on t.opening_id = o.opening_id and (t.class_id is null or t.class_id = o.class_id)
               join homework h on h.id = t.homework_id and h.purpose = 'homework' and h.status in ('published', 'closed')
               group by 1, 2, 3
           ), exam as (
               select k.semester_id, k.kind,
                      case k.kind when 'site' then x.site_id when 'major' then x.major_id when 'level' then x.level_id
                                  when 'course' then x.course_id else 0 end as key,
                      count(distinct x.setup_id) as exams, sum(x.enrolled) as enrolled, sum(x.should) as should,
                      sum(x.present) as present, sum(x.absent) as absent, sum(x.deferred) as deferred,
                      sum(x.exempt) as exempt, sum(x.disqualified) as disqualified, sum(x.cheating) as cheating,
                      sum(x.violation) as violation, sum(x.scored) as scored, sum(x.score_sum) as score_sum,
                      sum(x.score_sq_sum) as score_sq_sum, sum(x.passed) as passed, sum(x.excellent) as excellent,
                      sum(x.risk_high) as risk_high
               from keys k join stat_exam_class x on x.semester_id = k.semester_id
               group by 1, 2, 3
           ), people as (
               select case when grouping(y.site_id) = 0 then 'site' when grouping(y.major_id) = 0 then 'major'
                           when grouping(y.level_id) = 0 then 'level' else 'total' end as kind,
                      coalesce(y.site_id, y.major_id, y.level_id, 0) as key, count(*)::integer as number
               from student y where y.active
               group by grouping sets ((y.site_id), (y.major_id), (y.level_id), ())
           ), told as (
               select semester_id, kind, key from study
               union select semester_id, kind, key from exam
               union select semester_id, 'total', 0 from terms
           )
           select e.code as "code!", w.kind as "kind!", e.current as "current!", w.key as "key!",
                  coalesce(case w.kind when 'site' then i.code when 'major' then m.code when 'level' then v.code
                                       when 'course' then u.code end, '') as "key_code!",
                  coalesce(case w.kind when 'site' then i.name when 'major' then m.name when 'level' then v.name
                                       when 'course' then u.name end, '合计') as "key_name!",
                  coalesce(p.number, 0) as "students!", coalesce(s.classes, 0) as "classes!",
                  array[coalesce(s.roster, 0), coalesce(s.not_started, 0), coalesce(s.studying, 0), coalesce(s.finished, 0),
                        coalesce(s.reached, 0), coalesce(s.progress_sum, 0), coalesce(s.study_seconds, 0),
                        coalesce(t.number, 0), coalesce(s.hw_should, 0), coalesce(s.hw_handed, 0),
                        coalesce(s.hw_on_time, 0), coalesce(s.hw_marked, 0), coalesce(s.hw_missed, 0),
                        coalesce(s.hw_pending, 0), coalesce(s.hw_scored, 0), coalesce(s.hw_score_sum, 0),
                        coalesce(s.hw_passed, 0), coalesce(x.exams, 0), coalesce(x.enrolled, 0), coalesce(x.should, 0),
                        coalesce(x.present, 0), coalesce(x.absent, 0), coalesce(x.deferred, 0), coalesce(x.exempt, 0),
                        coalesce(x.disqualified, 0), coalesce(x.cheating, 0), coalesce(x.violation, 0), coalesce(x.scored, 0),
                        coalesce(x.score_sum, 0), coalesce(x.score_sq_sum, 0), coalesce(x.passed, 0),
                        coalesce(x.excellent, 0), coalesce(x.risk_high, 0)]::bigint[] as "sums!"
           from told w
           join terms e on e.semester_id = w.semester_id
           left join study s on s.semester_id = w.semester_id and s.kind = w.kind and s.key = w.key
           left join tasks t on t.semester_id = w.semester_id and t.kind = w.kind and t.key = w.key
           left join exam x on x.semester_id = w.semester_id and x.kind = w.kind and x.key = w.key
           left join people p on p.kind = w.kind and p.key = w.key
           left join site i on w.kind = 'site' and i.id = w.key
           left join major m on w.kind = 'major' and m.id = w.key
           left join level v on w.kind = 'level' and v.id = w.key
           left join course u on w.kind = 'course' and u.id = w.key
           order by e.code, w.kind, w.key"#,
        since as _
    )
    .fetch_all(connection)
    .await?;
    let terms = rows.into_iter().map(|row| {
        // A unit without a code is told by its number.
        let key_code = if row.key_code.is_empty() && row.key != 0 { row.key.to_string() } else { row.key_code };
        Term {
            semester_code: row.code,
            kind: row.kind,
            key_code,
            key_name: row.key_name,
            is_current: row.current,
            students: row.students,
            classes: row.classes,
            sums: row.sums,
        }
    });
    Ok(terms.collect())
}

/// Writes the sums of semesters. A unit that nobody of stands in any more goes, and what is no longer current is not told as such.
async fn write_terms(tx: &mut Tx, school: i64, terms: &[Term]) -> Result<()> {
    let now = tx.app().clock().now();
    let codes: Vec<&str> = terms.iter().map(|term| term.semester_code.as_str()).collect();
    let kinds: Vec<&str> = terms.iter().map(|term| term.kind.as_str()).collect();
    let keys: Vec<&str> = terms.iter().map(|term| term.key_code.as_str()).collect();
    let current: Vec<&str> =
        terms.iter().filter(|term| term.is_current).map(|term| term.semester_code.as_str()).collect();
    sqlx::query!(
        "delete from platform.stat_school_term t
         where t.school_id = $1 and t.semester_code = any($2)
           and not exists (select from unnest($2::text[], $3::text[], $4::text[]) as k (code, kind, key)
                           where k.code = t.semester_code and k.kind = t.kind and k.key = t.key_code)",
        school,
        &codes as _,
        &kinds as _,
        &keys as _
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "update platform.stat_school_term set is_current = false
         where school_id = $1 and is_current and semester_code <> all($2::text[])",
        school,
        &current as _
    )
    .execute(&mut **tx)
    .await?;
    for term in terms {
        sqlx::query!(
            "insert into platform.stat_school_term (school_id, semester_code, kind, key_code, key_name, is_current, students,
                 classes, roster, not_started, studying, finished, reached, progress_sum, study_seconds, hw_tasks, hw_should,
                 hw_handed, hw_on_time, hw_marked, hw_missed, hw_pending, hw_scored, hw_score_sum, hw_passed, exams, enrolled,
                 should, present, absent, deferred, exempt, disqualified, cheating, violation, scored, score_sum, score_sq_sum,
                 passed, excellent, risk_high, login_students, logins, active_seconds, computed_at)
             select $1, $2, $3, $4, $5, $6, $7, $8, v.s[1], v.s[2], v.s[3], v.s[4], v.s[5], v.s[6], v.s[7], v.s[8], v.s[9],
                    v.s[10], v.s[11], v.s[12], v.s[13], v.s[14], v.s[15], v.s[16], v.s[17], v.s[18], v.s[19], v.s[20],
                    v.s[21], v.s[22], v.s[23], v.s[24], v.s[25], v.s[26], v.s[27], v.s[28], v.s[29], v.s[30], v.s[31],
                    v.s[32], v.s[33], 0, 0, 0, $10::timestamptz
             from (select $9::bigint[] as s) v
             on conflict (school_id, semester_code, kind, key_code) do update
             set key_name = excluded.key_name, is_current = excluded.is_current, students = excluded.students,
                 classes = excluded.classes, roster = excluded.roster, not_started = excluded.not_started,
                 studying = excluded.studying, finished = excluded.finished, reached = excluded.reached,
                 progress_sum = excluded.progress_sum, study_seconds = excluded.study_seconds, hw_tasks = excluded.hw_tasks,
                 hw_should = excluded.hw_should, hw_handed = excluded.hw_handed, hw_on_time = excluded.hw_on_time,
                 hw_marked = excluded.hw_marked, hw_missed = excluded.hw_missed, hw_pending = excluded.hw_pending,
                 hw_scored = excluded.hw_scored, hw_score_sum = excluded.hw_score_sum, hw_passed = excluded.hw_passed,
                 exams = excluded.exams, enrolled = excluded.enrolled, should = excluded.should,
                 present = excluded.present, absent = excluded.absent, deferred = excluded.deferred,
                 exempt = excluded.exempt, disqualified = excluded.disqualified, cheating = excluded.cheating,
                 violation = excluded.violation, scored = excluded.scored, score_sum = excluded.score_sum,
                 score_sq_sum = excluded.score_sq_sum, passed = excluded.passed, excellent = excluded.excellent,
                 risk_high = excluded.risk_high, computed_at = excluded.computed_at",
            school,
            term.semester_code,
            term.kind,
            term.key_code,
            term.key_name,
            term.is_current,
            term.students,
            term.classes,
            &term.sums,
            now as _
        )
        .execute(&mut **tx)
        .await?;
    }
    Ok(())
}

/// Who signed in during a semester, of all and of each site.
struct Logins {
    semester_code: String,
    kind: String,
    key_code: String,
    people: i32,
    logins: i32,
    seconds: i64,
}

async fn logins_of(connection: &mut PgConnection) -> Result<Vec<Logins>> {
    Ok(sqlx::query_as!(
        Logins,
        r#"select g.code as "semester_code!", g.kind as "kind!",
                  case when g.kind = 'total' then '' else coalesce(nullif(i.code, ''), g.key::text) end as "key_code!",
                  g.people as "people!", g.logins as "logins!", g.seconds as "seconds!"
           from (select e.code, case when grouping(l.site_id) = 0 then 'site' else 'total' end as kind,
                        coalesce(l.site_id, 0) as key, count(distinct l.owner_id)::integer as people,
                        sum(l.logins)::integer as logins, sum(l.active_seconds)::bigint as seconds
                 from semester e
                 join stat_login_day l on l.owner_kind = 'student' and l.date between e.starts_on and e.ends_on
                 where e.closed_at is null
                 group by grouping sets ((e.code, l.site_id), (e.code))) g
           left join site i on g.kind = 'site' and i.id = g.key"#
    )
    .fetch_all(connection)
    .await?)
}

async fn write_logins(tx: &mut Tx, school: i64, logins: &[Logins]) -> Result<()> {
    let codes: Vec<&str> = logins.iter().map(|row| row.semester_code.as_str()).collect();
    let kinds: Vec<&str> = logins.iter().map(|row| row.kind.as_str()).collect();
    let keys: Vec<&str> = logins.iter().map(|row| row.key_code.as_str()).collect();
    let people: Vec<i32> = logins.iter().map(|row| row.people).collect();
    let times: Vec<i32> = logins.iter().map(|row| row.logins).collect();
    let seconds: Vec<i64> = logins.iter().map(|row| row.seconds).collect();
    sqlx::query!(
        "update platform.stat_school_term t set login_students = k.people, logins = k.logins, active_seconds = k.seconds
         from unnest($2::text[], $3::text[], $4::text[], $5::integer[], $6::integer[], $7::bigint[])
              as k (code, kind, key, people, logins, seconds)
         where t.school_id = $1 and t.semester_code = k.code and t.kind = k.kind and t.key_code = k.key",
        school,
        &codes as _,
        &kinds as _,
        &keys as _,
        &people,
        &times,
        &seconds
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Where the visitors of a day came from.
struct Visits {
    date: NaiveDate,
    channel: String,
    terminal: String,
    pv: i32,
    uv: i32,
    pre_registrations: i32,
    admissions: i32,
    registrations: i32,
    learners: i32,
}

async fn visits_of(connection: &mut PgConnection, from: NaiveDate, to: NaiveDate) -> Result<Vec<Visits>> {
    Ok(sqlx::query_as!(
        Visits,
        r#"select date as "date!", channel as "channel!", terminal as "terminal!", sum(pv)::integer as "pv!", sum(uv)::integer as "uv!",
                  sum(pre_registrations)::integer as "pre_registrations!", sum(admissions)::integer as "admissions!",
                  sum(registrations)::integer as "registrations!", sum(learners)::integer as "learners!"
           from visit_day where date between $1 and $2 group by date, channel, terminal order by date, channel, terminal"#,
        from,
        to
    )
    .fetch_all(connection)
    .await?)
}

async fn write_visits(tx: &mut Tx, school: i64, visits: &[Visits]) -> Result<()> {
    let dates: Vec<NaiveDate> = visits.iter().map(|row| row.date).collect();
    let channels: Vec<&str> = visits.iter().map(|row| row.channel.as_str()).collect();
    let terminals: Vec<&str> = visits.iter().map(|row| row.terminal.as_str()).collect();
    let of = |value: fn(&Visits) -> i32| visits.iter().map(value).collect::<Vec<i32>>();
    let (pv, uv, learners) = (of(|row| row.pv), of(|row| row.uv), of(|row| row.learners));
    let (pre, admitted) = (of(|row| row.pre_registrations), of(|row| row.admissions));
    let reported = of(|row| row.registrations);
    sqlx::query!(
        "insert into platform.stat_visit_day as s (school_id, date, channel, terminal, pv, uv, pre_registrations, admissions,
             registrations, learners)
         select $1, v.date, v.channel, v.terminal, v.pv, v.uv, v.pre, v.admitted, v.reported, v.learners
         from unnest($2::date[], $3::text[], $4::text[], $5::integer[], $6::integer[], $7::integer[], $8::integer[],
                     $9::integer[], $10::integer[])
              as v (date, channel, terminal, pv, uv, pre, admitted, reported, learners)
         on conflict (school_id, date, channel, terminal) do update
         set pv = excluded.pv, uv = excluded.uv, pre_registrations = excluded.pre_registrations,
             admissions = excluded.admissions, registrations = excluded.registrations, learners = excluded.learners
         where (s.pv, s.uv, s.pre_registrations, s.admissions, s.registrations, s.learners)
               is distinct from (excluded.pv, excluded.uv, excluded.pre_registrations, excluded.admissions,
                                 excluded.registrations, excluded.learners)",
        school,
        &dates,
        &channels as _,
        &terminals as _,
        &pv,
        &uv,
        &pre,
        &admitted,
        &reported,
        &learners
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// The visits of some days of the operators' own site, whose number is 0.
///
/// # Errors
/// Those of the database.
pub(crate) async fn publish_own(app: &App, from: NaiveDate, to: NaiveDate) -> Result<()> {
    let mut tx = tx::at_work(app, None, Actor::system("statistics")).await?;
    let visits = visits_of(&mut tx, from, to).await?;
    write_visits(&mut tx, 0, &visits).await?;
    tx.commit_untracked("figures follow from other rows").await
}
