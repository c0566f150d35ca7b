//! What is measured of students: read from the summaries and from the tables of the modules, nothing is computed here that they compute
//! (part 05 C2).

use std::collections::HashMap;

use chrono::NaiveDate;
use infra::{Result, clock::Moment};
use sqlx::PgConnection;
use supervision_rules::{
    decide::Fact,
    enums::{SuperviseClosedReason, SuperviseKind, SuperviseRef},
    measure::{expected, months_left, silent},
    rule::{Place, Rule, rule_of},
};

/// The semester that goes on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Semester {
    pub id: i64,
    pub starts_on: NaiveDate,
}

/// The current semester, while it goes on.
///
/// # Errors
/// Those of the database.
pub(crate) async fn current(connection: &mut PgConnection) -> Result<Option<Semester>> {
    Ok(sqlx::query_as!(Semester, "select id, starts_on from semester where current and closed_at is null")
        .fetch_optional(connection)
        .await?)
}

/// A student as a scan sees them.
#[derive(Debug, Clone)]
pub(crate) struct Whose {
    pub id: i64,
    pub place: Place,
    pub class_id: Option<i64>,
    pub manager_id: Option<i64>,
    pub gone: Option<SuperviseClosedReason>,
    pub arrears: bool,
    /// Months to the end of the longest time of study; none for whoever is about to graduate.
    pub months_left: Option<i64>,
}

/// These students.
pub(crate) async fn students(connection: &mut PgConnection, ids: &[i64], day: NaiveDate) -> Result<Vec<Whose>> {
    let rows = sqlx::query!(
        r#"select s.id, s.grade_id, s.level_id, s.site_id, s.class_id, k.manager_id as "manager_id?", s.status,
                  s.fee_flag = 'arrears' as "arrears!", s.max_study_end_on,
                  exists (select from graduation_user g join graduation_batch b on b.id = g.batch_id
                          where g.student_id = s.id and g.status not in ('removed', 'revoked')
                            and b.status in ('auditing', 'confirmed')) as "graduating!"
           from student s left join class k on k.id = s.class_id
           where s.id = any($1) order by s.id"#,
        ids
    )
    .fetch_all(connection)
    .await?;
    let whose = rows.into_iter().map(|row| Whose {
        id: row.id,
        place: Place { grade: row.grade_id, level: row.level_id, site: row.site_id },
        class_id: row.class_id,
        manager_id: row.manager_id,
        gone: gone(&row.status),
        arrears: row.arrears,
        months_left: (!row.graduating).then(|| months_left(day, row.max_study_end_on)),
    });
    Ok(whose.collect())
}

/// Why somebody of this status is supervised no more.
fn gone(status: &str) -> Option<SuperviseClosedReason> {
    match status {
        "registered" | "pending_registration" | "expired" => None,
        "suspended" => Some(SuperviseClosedReason::Suspended),
        "withdrawn" => Some(SuperviseClosedReason::Withdrawn),
        "transferred_out" => Some(SuperviseClosedReason::TransferredOut),
        _ => Some(SuperviseClosedReason::Graduated),
    }
}

/// Facts by student.
type Facts = HashMap<i64, Vec<Fact>>;

/// What is measured of these students on a day.
pub(crate) async fn facts(
    connection: &mut PgConnection,
    whose: &[Whose],
    rules: &[Rule],
    semester: Semester,
    (day, now): (NaiveDate, Moment),
) -> Result<Facts> {
    let ids: Vec<i64> = whose.iter().filter(|one| one.gone.is_none()).map(|one| one.id).collect();
    let mut facts = Facts::new();
    let has = |kind| rules.iter().any(|rule| rule.kind == kind);
    if has(SuperviseKind::VideoLag) {
        lags(&mut *connection, &ids, semester, day, &mut facts).await?;
    }
    if has(SuperviseKind::HomeworkOverdue) || has(SuperviseKind::HomeworkDue) {
        homework(&mut *connection, whose, &ids, rules, semester, now, &mut facts).await?;
    }
    if has(SuperviseKind::ExamRisk) {
        risks(&mut *connection, &ids, day, now, &mut facts).await?;
    }
    if has(SuperviseKind::ExamAbsent) {
        absences(&mut *connection, whose, &ids, rules, day, &mut facts).await?;
    }
    if has(SuperviseKind::ScoreFailed) {
        failures(&mut *connection, &ids, &mut facts).await?;
    }
    if has(SuperviseKind::Silent) {
        silences(&mut *connection, &ids, semester, day, &mut facts).await?;
    }
    if has(SuperviseKind::Information) {
        information(&mut *connection, &ids, day, now, &mut facts).await?;
    }
    for one in whose.iter().filter(|one| one.gone.is_none()) {
        let list = facts.entry(one.id).or_default();
        if one.arrears {
            list.push(of_student(SuperviseKind::Fee, one.id, 1));
        }
        if let Some(months) = one.months_left {
            list.push(of_student(SuperviseKind::StudyLimit, one.id, months));
        }
    }
    Ok(facts)
}

fn tenths(whole: i64) -> i32 {
    i32::try_from(whole.saturating_mul(10)).unwrap_or(i32::MAX)
}

fn of_student(kind: SuperviseKind, student: i64, whole: i64) -> Fact {
    Fact {
        kind,
        ref_type: SuperviseRef::Student,
        ref_id: student,
        course_id: None,
        title: String::new(),
        value: tenths(whole),
        expected: None,
        lack: None,
    }
}

/// How far each course that is studied online is behind; of a course without material nobody can be.
async fn lags(
    connection: &mut PgConnection,
    ids: &[i64],
    semester: Semester,
    day: NaiveDate,
    facts: &mut Facts,
) -> Result<()> {
    let rows = sqlx::query!(
        r#"select c.id as "id!", c.student_id as "student_id!", c.course_id as "course_id!", u.name as "name!",
                  coalesce(n.required_progress, 0)::bigint as "required!", coalesce((p.progress * 10)::integer, 0) as "progress!",
                  coalesce((n.study_starts_at at time zone 'Asia/Shanghai')::date, e.starts_on) as "starts!",
                  coalesce(((n.study_ends_at - interval '1 second') at time zone 'Asia/Shanghai')::date, e.ends_on) as "ends!"
           from course_selection c
           join course_opening o on o.id = c.opening_id and o.status = 'opened' and o.teaching_mode in ('online', 'blended')
           join semester e on e.id = c.semester_id
           join course u on u.id = c.course_id
           left join online_teaching n on n.id = o.id
           left join study_course_progress p on p.id = c.id
           where c.student_id = any($1) and c.semester_id = $2 and c.status = 'selected'
             and (n.course_record_id is not null or p.id is not null
                  or exists (select from course_record r
                             where r.course_id = o.course_id and r.is_default and r.status = 'published'))
           order by c.id"#,
        ids,
        semester.id
    )
    .fetch_all(connection)
    .await?;
    for row in rows {
        let expected = expected(row.required, row.starts, row.ends, day);
        facts.entry(row.student_id).or_default().push(Fact {
            kind: SuperviseKind::VideoLag,
            ref_type: SuperviseRef::Selection,
            ref_id: row.id,
            course_id: Some(row.course_id),
            title: row.name,
            value: expected - row.progress,
            expected: Some(expected),
            lack: None,
        });
    }
    Ok(())
}

/// Work that should be handed in or soon has to be, also what was given back to be done again; it is counted where it is decided on.
async fn homework(
    connection: &mut PgConnection,
    whose: &[Whose],
    ids: &[i64],
    rules: &[Rule],
    semester: Semester,
    now: Moment,
    facts: &mut Facts,
) -> Result<()> {
    let rows = sqlx::query!(
        r#"select x.id as "id!", c.student_id as "student_id!", c.course_id as "course_id!", h.title as "title!",
                  x.state = 'missed' as "missed!",
                  greatest(h.ends_at, x.extended_until, x.redo_until) as "ends_at!"
           from course_selection c
           join homework_student x
                on x.selection_id = c.id
                   and (x.state in ('not_started', 'in_progress', 'missed')
                        or x.state = 'returned' and x.redo_until > $3::timestamptz)
           join homework h on h.id = x.homework_id and h.status in ('published', 'closed') and h.purpose = 'homework'
           where c.student_id = any($1) and c.semester_id = $2 and c.status = 'selected' and h.starts_at <= $3::timestamptz
           order by x.id"#,
        ids,
        semester.id,
        now as _
    )
    .fetch_all(connection)
    .await?;
    let places: HashMap<i64, Place> = whose.iter().map(|one| (one.id, one.place)).collect();
    for row in rows {
        let overdue = row.missed || row.ends_at <= now;
        let kind = if overdue { SuperviseKind::HomeworkOverdue } else { SuperviseKind::HomeworkDue };
        let Some(rule) = places.get(&row.student_id).and_then(|place| rule_of(rules, kind, *place)) else { continue };
        if !overdue && row.ends_at - now > chrono::Duration::days(rule.whole("days").unwrap_or(3)) {
            continue;
        }
        facts.entry(row.student_id).or_default().push(Fact {
            kind,
            ref_type: SuperviseRef::HomeworkStudent,
            ref_id: row.id,
            course_id: Some(row.course_id),
            title: row.title,
            value: 0,
            expected: None,
            lack: None,
        });
    }
    Ok(())
}

/// Examinations that begin soon, for which something is still missing.
async fn risks(
    connection: &mut PgConnection,
    ids: &[i64],
    day: NaiveDate,
    now: Moment,
    facts: &mut Facts,
) -> Result<()> {
    let rows = sqlx::query!(
        r#"select e.id as "id!", e.student_id as "student_id!", e.course_id as "course_id!", u.name as "name!",
                  e.eligibility_reason as "lack?", coalesce(t.starts_at, z.starts_at) as "starts_at!"
           from exam_candidate e
           join exam_setup t on t.id = e.setup_id and t.status in ('approved', 'published')
           join course u on u.id = e.course_id
           left join offline_session z on z.id = t.session_id
           where e.student_id = any($1) and not e.removed and e.eligibility = 'disqualified'
             and coalesce(t.starts_at, z.starts_at) > $2::timestamptz
           order by e.id"#,
        ids,
        now as _
    )
    .fetch_all(connection)
    .await?;
    for row in rows {
        facts.entry(row.student_id).or_default().push(Fact {
            kind: SuperviseKind::ExamRisk,
            ref_type: SuperviseRef::ExamCandidate,
            ref_id: row.id,
            course_id: Some(row.course_id),
            title: row.name,
            value: tenths((row.starts_at.date_naive() - day).num_days()),
            expected: None,
            lack: row.lack,
        });
    }
    Ok(())
}

/// Examinations to which somebody did not come, and which they have not made up.
async fn absences(
    connection: &mut PgConnection,
    whose: &[Whose],
    ids: &[i64],
    rules: &[Rule],
    day: NaiveDate,
    facts: &mut Facts,
) -> Result<()> {
    let rows = sqlx::query!(
        r#"select e.id as "id!", e.student_id as "student_id!", e.course_id as "course_id!", u.name as "name!",
                  (coalesce(t.starts_at, z.starts_at) at time zone 'Asia/Shanghai')::date as "held!"
           from exam_candidate e
           join exam_setup t on t.id = e.setup_id and t.status in ('published', 'closed')
           join course u on u.id = e.course_id
           left join offline_session z on z.id = t.session_id
           where e.student_id = any($1) and not e.removed and e.attendance = 'absent'
             and coalesce(t.starts_at, z.starts_at) is not null
             and not exists (
                 select from exam_candidate m join exam_setup w on w.id = m.setup_id
                 left join offline_session v on v.id = w.session_id
                 where m.student_id = e.student_id and m.course_id = e.course_id and not m.removed
                   and m.attendance = 'present'
                   and coalesce(w.starts_at, v.starts_at) > coalesce(t.starts_at, z.starts_at))
           order by e.id"#,
        ids
    )
    .fetch_all(connection)
    .await?;
    let places: HashMap<i64, Place> = whose.iter().map(|one| (one.id, one.place)).collect();
    for row in rows {
        let rule = places.get(&row.student_id).and_then(|place| rule_of(rules, SuperviseKind::ExamAbsent, *place));
        let days = rule.and_then(|rule| rule.whole("days")).unwrap_or(60);
        let ago = (day - row.held).num_days();
        if ago < 0 || ago > days {
            continue;
        }
        facts.entry(row.student_id).or_default().push(Fact {
            kind: SuperviseKind::ExamAbsent,
            ref_type: SuperviseRef::ExamCandidate,
            ref_id: row.id,
            course_id: Some(row.course_id),
            title: row.name,
            value: 0,
            expected: None,
            lack: None,
        });
    }
    Ok(())
}

/// Compulsory courses that were failed, and are not taken again.
async fn failures(connection: &mut PgConnection, ids: &[i64], facts: &mut Facts) -> Result<()> {
    let rows = sqlx::query!(
        r#"select s.selection_id as "id!", s.student_id as "student_id!", s.course_id as "course_id!", u.name as "name!"
           from course_score s join course u on u.id = s.course_id
           where s.student_id = any($1) and s.status in ('published', 'locked') and s.passed = false
             and s.nature = 'compulsory'
             and not exists (select from course_score z
                             where z.student_id = s.student_id and z.course_id = s.course_id and z.attempt_no > s.attempt_no)
             and not exists (select from course_selection c
                             where c.student_id = s.student_id and c.course_id = s.course_id and c.attempt_no > s.attempt_no
                               and c.status in ('pending', 'selected', 'completed', 'exempted'))
           order by s.selection_id"#,
        ids
    )
    .fetch_all(connection)
    .await?;
    for row in rows {
        facts.entry(row.student_id).or_default().push(Fact {
            kind: SuperviseKind::ScoreFailed,
            ref_type: SuperviseRef::Selection,
            ref_id: row.id,
            course_id: Some(row.course_id),
            title: row.name,
            value: 0,
            expected: None,
            lack: None,
        });
    }
    Ok(())
}

/// Days since anybody signed in.
async fn silences(
    connection: &mut PgConnection,
    ids: &[i64],
    semester: Semester,
    day: NaiveDate,
    facts: &mut Facts,
) -> Result<()> {
    let rows = sqlx::query!(
        r#"select s.id as "id!", l.last as "last?"
           from unnest($1::bigint[]) as s (id)
           left join lateral (
               select max(x.date) as last from stat_login_day x
               where x.owner_kind = 'student' and x.owner_id = s.id and x.logins > 0) l on true"#,
        ids
    )
    .fetch_all(connection)
    .await?;
    for row in rows {
        let days = silent(row.last, semester.starts_on, day);
        facts.entry(row.id).or_default().push(of_student(SuperviseKind::Silent, row.id, days));
    }
    Ok(())
}

/// What somebody has to state and did not, while its window is open.
async fn information(
    connection: &mut PgConnection,
    ids: &[i64],
    day: NaiveDate,
    now: Moment,
    facts: &mut Facts,
) -> Result<()> {
    let rows = sqlx::query!(
        r#"select i.id as "id!", i.student_id as "student_id!", i.kind as "kind!", w.closes_at as "closes_at!"
           from student_information i
           join student s on s.id = i.student_id
           join information_window w on w.kind = i.kind and w.enabled and w.opens_at <= $2::timestamptz
                and w.closes_at > $2::timestamptz
           join information_window_grade g on g.information_window_id = w.id and g.grade_id = s.grade_id
           where i.student_id = any($1) and i.status in ('not_submitted', 'returned')
           order by i.id"#,
        ids,
        now as _
    )
    .fetch_all(connection)
    .await?;
    for row in rows {
        // The end is exclusive: the last day on which something can be handed in counts.
        let last = (row.closes_at - chrono::Duration::seconds(1)).date_naive();
        facts.entry(row.student_id).or_default().push(Fact {
            kind: SuperviseKind::Information,
            ref_type: SuperviseRef::Information,
            ref_id: row.id,
            course_id: None,
            title: window(&row.kind).to_owned(),
            value: tenths((last - day).num_days()),
            expected: None,
            lack: None,
        });
    }
    Ok(())
}

fn window(kind: &str) -> &'static str {
    match kind {
        "admission_information" => "学籍注册信息",
        "admission_commitment" => "入学资格承诺书",
        _ => "毕业登记信息",
    }
}
