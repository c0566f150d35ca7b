//! 同步名单: the rosters of opened courses follow what happened to their students (part 03 B4), by the button of an opening, and
//! every night in every open school.
//!
//! An opening is a transaction of its own: one that fails keeps no other from its students. What happens to a student is found
//! every ten minutes in their history, so that no step that changes a student can forget to tell; the night goes over all openings.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use chrono::Duration;
pub use course_selection_rules::sync::Synced;
use course_selection_rules::sync::{Fate, Line, MOVED_AWAY, Places};
use infra::{
    Change, Error, OnConstraint, Part, Result, Tx,
    directory::School,
    jobs::{JobKind, JobRun, Outcome},
    schedule::{Schedule, When},
};
use sqlx::PgConnection;
use student_status::nightly::in_each_school;

use crate::{
    admission::explain_constraint,
    enums::{OpeningStatus, SelectionStatus},
    opening::{self, Opening},
    roster::{hold_people, missing, put},
    tell,
};

pub const JOB: JobKind = JobKind { kind: "selection.sync", code: None, run: |run| Box::pin(work(run)), headings: None };
const SCHEDULE: Schedule =
    Schedule { kind: JOB.kind, title: "同步选课名单", when: When::Daily { hour: 2, minute: 0 } };

/// The same by day, of the openings that are out of step with their students.
pub const FOLLOW: JobKind =
    JobKind { kind: "selection.follow", code: None, run: |run| Box::pin(follow_up(run)), headings: None };
/// How far back a run looks: three of its turns, for one that came late or failed.
const LATELY: Duration = Duration::minutes(30);
const FOLLOWING: Schedule =
    Schedule { kind: FOLLOW.kind, title: "选课名单随学籍变动", when: When::Every { minutes: 10 } };

pub const PART: Part = Part { jobs: &[JOB, FOLLOW], schedules: &[SCHEDULE, FOLLOWING], ..Part::NONE };

/// Brings the roster of one opened opening up to its students. Nobody is held and nothing is written where everybody stands as they should.
///
/// # Errors
/// 404 for no opening; 409 when its semester is closed, it is not opened, or a student changed their major while it was waited for.
pub async fn sync(tx: &mut Tx, id: i64) -> Result<(Synced, Vec<Change>)> {
    let mut wanted = targets(tx, id).await?;
    wanted.push(id);
    let mut held = opening::hold(tx, &wanted).await?;
    let opening = held.remove(&id).ok_or_else(Error::not_found)?;
    opening.in_open_semester()?;
    if opening.status != OpeningStatus::Opened {
        let told = format!("“{}”为{}，只有已开课的可以同步名单", opening.course_name, opening.status.zh());
        return Err(Error::conflict(told));
    }
    let mut others: Vec<&Opening> = held.values().filter(|other| other.status == OpeningStatus::Opened).collect();
    others.sort_by_key(|other| other.id);
    let stirred = restless(tx, &opening, &others).await?;
    let absent = absent(tx, &opening, None).await?;
    let missing = missing(tx, &opening, None).await?;
    // All at once and in their order; what is found of them from now on stays so.
    let lines = stirred.iter().map(|(line, _)| line.student_id);
    let people: BTreeSet<i64> =
        lines.chain(absent.iter().map(|row| row.student_id)).chain(missing.iter().copied()).collect();
    let people: Vec<i64> = people.into_iter().collect();
    if people.is_empty() {
        return Ok((Synced::default(), Vec::new()));
    }
    hold_people(tx, &people).await?;
    // Somebody came to belong to an opening that is not held: the next sync takes them there with all that hangs on the row.
    if targets(tx, id).await?.iter().any(|target| !held.contains_key(target)) {
        return Err(Error::conflict("学生的年级或专业刚有变动，请重新同步"));
    }
    let ids: Vec<i64> = stirred.iter().map(|(line, _)| line.id).collect();
    sqlx::query_scalar!("select id from course_selection where id = any($1) order by id for update", &ids)
        .fetch_all(&mut **tx)
        .await?;
    // Whoever changed again until they were held is looked at in the next sync.
    let before: HashMap<i64, Fate> = stirred.into_iter().map(|(line, fate)| (line.id, fate)).collect();
    let again = restless(tx, &opening, &others).await?;
    let settled: Vec<(Line, Fate)> =
        again.into_iter().filter(|(line, fate)| before.get(&line.id) == Some(fate)).collect();
    let mut places = places_of(tx, others.iter().copied().chain([&opening])).await?;
    let (mut synced, mut changes) = settle(tx, &opening, &others, &settled, &mut places).await?;
    let back = absent_again(tx, &opening, &people, &mut places).await?;
    synced.added += count(back.len());
    changes.extend(take_up(tx, &opening, &back).await?);
    let added = put(tx, &opening, &missing).await?;
    synced.added += count(added.len());
    changes.extend(added);
    Ok((synced, changes))
}

/// Lets selections go, move and follow; openings, students and selections are held.
async fn settle(
    tx: &mut Tx,
    opening: &Opening,
    others: &[&Opening],
    settled: &[(Line, Fate)],
    places: &mut Places,
) -> Result<(Synced, Vec<Change>)> {
    let mut goes: BTreeMap<String, Vec<&Line>> = BTreeMap::new();
    let (mut moves, mut follows) = (Vec::new(), Vec::new());
    for (line, fate) in settled {
        match fate {
            Fate::Stays => {}
            Fate::Goes(reason) => goes.entry(reason.clone()).or_default().push(line),
            Fate::Moves(to) => moves.push((line, *to)),
            Fate::Follows => follows.push(line.id),
        }
    }
    // Whoever has a row in the other opening already goes on in that one; out of which a person took them, they stay out.
    let theirs = rows_in_others(tx, &moves).await?;
    let mut again: BTreeMap<i64, Vec<Absent>> = BTreeMap::new();
    let mut moved: BTreeMap<i64, Vec<&Line>> = BTreeMap::new();
    for (line, to) in moves {
        let stands = theirs.get(&(line.student_id, to)).copied();
        let comes = stands.is_none_or(|row| row.is_some()) && places.take(to);
        if comes && stands.is_none() {
            moved.entry(to).or_default().push(line);
        } else {
            again.entry(to).or_default().extend(stands.flatten().filter(|_| comes));
            goes.entry(MOVED_AWAY.to_owned()).or_default().push(line);
        }
    }
    let mut synced = Synced { moved: count(follows.len()), ..Synced::default() };
    let mut changes = Vec::new();
    for (reason, lines) in goes {
        synced.dropped += count(lines.len());
        changes.extend(drop_all(tx, opening, &lines, &reason).await?);
    }
    for other in others {
        if let Some(rows) = again.get(&other.id) {
            synced.added += count(rows.len());
            changes.extend(take_up(tx, other, rows).await?);
        }
        if let Some(lines) = moved.get(&other.id) {
            synced.moved += count(lines.len());
            changes.extend(move_all(tx, opening, other, lines).await?);
        }
    }
    changes.extend(follow(tx, &follows).await?);
    Ok((synced, changes))
}

fn count(len: usize) -> i64 {
    i64::try_from(len).unwrap_or(i64::MAX)
}

/// The opened openings of the same course to which somebody of this one belongs by now.
async fn targets(connection: &mut PgConnection, id: i64) -> Result<Vec<i64>> {
    Ok(sqlx::query_scalar!(
        "select distinct b.id
         from course_opening a
         join course_selection c on c.opening_id = a.id and c.status in ('pending', 'selected')
                                and c.source in ('plan', 'self')
         join student s on s.id = c.student_id and (s.grade_id <> a.grade_id or s.major_id <> a.major_id)
         join course_opening b on b.semester_id = a.semester_id and b.course_id = a.course_id and b.id <> a.id
                              and b.status = 'opened' and b.kind = 'plan' and b.grade_id = s.grade_id
                              and b.major_id = s.major_id
         where a.id = $1",
        id
    )
    .fetch_all(connection)
    .await?)
}

/// The selections of an opening that do not stay as they are.
async fn restless(connection: &mut PgConnection, opening: &Opening, others: &[&Opening]) -> Result<Vec<(Line, Fate)>> {
    let lines = sqlx::query_as!(
        Line,
        r#"select c.id, c.student_id, c.class_id, c.class_by_hand, c.source as "source: _", c.status as "status: _",
                  s.status as "student_status: _", s.grade_id, s.major_id, s.class_id as own_class_id
           from course_selection c join student s on s.id = c.student_id
           where c.opening_id = $1 and c.status in ('pending', 'selected')
           order by c.id"#,
        opening.id
    )
    .fetch_all(connection)
    .await?;
    let with_fate = lines.into_iter().map(|line| {
        let fate = line.fate(opening, others);
        (line, fate)
    });
    Ok(with_fate.filter(|(_, fate)| *fate != Fate::Stays).collect())
}

/// A selection that the student's status took away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Absent {
    id: i64,
    student_id: i64,
    /// It had not been audited.
    waited: bool,
}

impl Absent {
    const fn comes_back_as(self) -> SelectionStatus {
        if self.waited { SelectionStatus::Pending } else { SelectionStatus::Selected }
    }
}

/// What was taken away with the status of students who study again, belong to the opening, and neither are in the course nor have
/// passed it; `among` these students where they are given.
async fn absent(connection: &mut PgConnection, opening: &Opening, among: Option<&[i64]>) -> Result<Vec<Absent>> {
    Ok(sqlx::query_as!(
        Absent,
        r#"select c.id, c.student_id, c.selected_at is null as "waited!"
           from course_selection c join student s on s.id = c.student_id
           where c.opening_id = $1 and c.status = 'dropped' and c.dropped_by_sync
             and s.status in ('registered', 'pending_registration')
             and (c.source not in ('plan', 'self')
                  or ($2::bigint is null or s.grade_id = $2) and ($3::bigint is null or s.major_id = $3))
             and ($4::bigint[] is null or s.id = any($4))
             and not exists (
                 select from course_selection x
                 where x.student_id = c.student_id and x.course_id = c.course_id and x.id <> c.id
                   and (x.status in ('pending', 'selected')
                        or c.source <> 'retake' and (x.status = 'exempted' or x.status = 'completed' and x.passed)))
           order by c.dropped_at, c.id"#,
        opening.id,
        opening.grade_id,
        opening.major_id,
        among
    )
    .fetch_all(connection)
    .await?)
}

/// Those of [`absent`] for whom there is a place; the students are held.
async fn absent_again(
    connection: &mut PgConnection,
    opening: &Opening,
    students: &[i64],
    places: &mut Places,
) -> Result<Vec<Absent>> {
    let rows = absent(connection, opening, Some(students)).await?;
    Ok(rows.into_iter().filter(|_| places.take(opening.id)).collect())
}

/// The places of these openings.
async fn places_of<'a>(connection: &mut PgConnection, openings: impl Iterator<Item = &'a Opening>) -> Result<Places> {
    let limits: HashMap<i64, i64> = openings
        .filter(|opening| !opening.is_compulsory())
        .filter_map(|opening| Some((opening.id, i64::from(opening.capacity?))))
        .collect();
    let ids: Vec<i64> = limits.keys().copied().collect();
    let taken = sqlx::query!(
        r#"select opening_id, count(*) as "taken!" from course_selection
           where opening_id = any($1) and status in ('pending', 'selected') group by opening_id"#,
        &ids
    )
    .fetch_all(connection)
    .await?;
    let mut left = limits;
    for row in taken {
        if let Some(left) = left.get_mut(&row.opening_id) {
            *left -= row.taken;
        }
    }
    Ok(Places(left))
}

/// Of students who have a row in the opening to which they would go: the row that comes back with them, or none where it stands
/// otherwise.
async fn rows_in_others(
    connection: &mut PgConnection,
    moves: &[(&Line, i64)],
) -> Result<HashMap<(i64, i64), Option<Absent>>> {
    let students: Vec<i64> = moves.iter().map(|(line, _)| line.student_id).collect();
    let openings: Vec<i64> = moves.iter().map(|(_, to)| *to).collect();
    let rows = sqlx::query!(
        r#"select c.id, c.student_id, c.opening_id, c.dropped_by_sync, c.selected_at is null as "waited!"
           from unnest($1::bigint[], $2::bigint[]) as w (student, opening)
           join course_selection c on c.student_id = w.student and c.opening_id = w.opening"#,
        &students,
        &openings
    )
    .fetch_all(connection)
    .await?;
    let mut found = HashMap::new();
    for row in rows {
        let absent = Absent { id: row.id, student_id: row.student_id, waited: row.waited };
        found.insert((row.student_id, row.opening_id), row.dropped_by_sync.then_some(absent));
    }
    Ok(found)
}

async fn drop_all(tx: &mut Tx, opening: &Opening, lines: &[&Line], reason: &str) -> Result<Vec<Change>> {
    let (by, now) = (tx.by(), tx.app().clock().now());
    let ids: Vec<i64> = lines.iter().map(|line| line.id).collect();
    sqlx::query!(
        "update course_selection set status = 'dropped', dropped_at = $2, drop_reason = $3, dropped_by_sync = true,
                updated_at = now(), updated_by = $4, version = version + 1
         where id = any($1)",
        &ids,
        now as _,
        reason,
        by
    )
    .execute(&mut **tx)
    .await?;
    let students: Vec<i64> = lines.iter().map(|line| line.student_id).collect();
    tell(tx, &students, format!("退选《{}》（{reason}）", opening.course_name)).await?;
    let to = SelectionStatus::Dropped.as_str();
    let change = |line: &&Line| {
        Change::status("course_selection", line.id, "status", line.status.as_str(), to).because(Some(reason))
    };
    Ok(lines.iter().map(change).collect())
}

/// Rows that come back with their students; what had not been audited waits again.
async fn take_up(tx: &mut Tx, opening: &Opening, rows: &[Absent]) -> Result<Vec<Change>> {
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let (by, now) = (tx.by(), tx.app().clock().now());
    let ids: Vec<i64> = rows.iter().map(|row| row.id).collect();
    sqlx::query!(
        "update course_selection c
         set status = case when c.selected_at is null then 'pending' else 'selected' end,
             selected_at = case when c.selected_at is null then null else $2::timestamptz end,
             dropped_at = null, drop_reason = null, dropped_by_sync = false,
             class_id = case when c.class_by_hand then c.class_id else s.class_id end,
             updated_at = now(), updated_by = $3, version = c.version + 1
         from student s where c.id = any($1) and s.id = c.student_id",
        &ids,
        now as _,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(explain_constraint)?;
    let students: Vec<i64> = rows.iter().map(|row| row.student_id).collect();
    tell(tx, &students, format!("增加《{}》", opening.course_name)).await?;
    let from = SelectionStatus::Dropped.as_str();
    let change =
        |row: &Absent| Change::status("course_selection", row.id, "status", from, row.comes_back_as().as_str());
    Ok(rows.iter().map(change).collect())
}

/// Rows go to the opening of the students' new major with all that hangs on them.
async fn move_all(tx: &mut Tx, from: &Opening, to: &Opening, lines: &[&Line]) -> Result<Vec<Change>> {
    let by = tx.by();
    let ids: Vec<i64> = lines.iter().map(|line| line.id).collect();
    sqlx::query!(
        "update course_selection c
         set opening_id = $2, class_id = s.class_id, class_by_hand = false, updated_at = now(), updated_by = $3,
             version = c.version + 1
         from student s
         where c.id = any($1) and s.id = c.student_id",
        &ids,
        to.id,
        by
    )
    .execute(&mut **tx)
    .await?;
    let students: Vec<i64> = lines.iter().map(|line| line.student_id).collect();
    tell(tx, &students, format!("《{}》转入现年级专业的开课（{MOVED_AWAY}）", to.course_name)).await?;
    let change = |line: &&Line| {
        Change::status("course_selection", line.id, "openingId", from.id, to.id).because(Some(MOVED_AWAY))
    };
    Ok(lines.iter().map(change).collect())
}

/// Classes follow their students.
async fn follow(tx: &mut Tx, ids: &[i64]) -> Result<Vec<Change>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let by = tx.by();
    let rows = sqlx::query!(
        "update course_selection c
         set class_id = before.own, updated_at = now(), updated_by = $2, version = c.version + 1
         from (select x.id, x.class_id as former, s.class_id as own
               from course_selection x join student s on s.id = x.student_id where x.id = any($1)) before
         where c.id = before.id
         returning c.id, before.former, before.own",
        ids,
        by
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(rows.into_iter().map(|row| Change::status("course_selection", row.id, "classId", row.former, row.own)).collect())
}

async fn work(run: JobRun) -> Result<Outcome> {
    let (done, errors) = in_each_school(&run, "同步选课名单", of_school).await?;
    Ok(Outcome { message: format!("{done}条选课已同步"), errors, ..Outcome::default() })
}

async fn of_school(run: &JobRun, school: &School) -> Result<usize> {
    let openings = sqlx::query_scalar!(
        "select o.id from course_opening o join semester e on e.id = o.semester_id
         where o.status = 'opened' and e.closed_at is null order by o.id"
    )
    .fetch_all(&mut *run.read_in(school).await?)
    .await?;
    all(run, school, openings).await
}

async fn follow_up(run: JobRun) -> Result<Outcome> {
    let (done, errors) = in_each_school(&run, "选课名单随学籍变动", out_of_step).await?;
    Ok(Outcome { message: format!("{done}条选课已同步"), errors, ..Outcome::default() })
}

/// Openings of those whose status, grade, major or class changed lately, and openings to which these belong now. What no
/// change of a student brings about, the night brings.
async fn out_of_step(run: &JobRun, school: &School) -> Result<usize> {
    let since = run.app().clock().now() - LATELY;
    let openings = sqlx::query_scalar!(
        "with moved as (
             select distinct student_id from student_status_change where created_at > $1
         ), cohort as (
             select distinct s.grade_id, s.major_id from moved m join student s on s.id = m.student_id
         )
         select o.id from course_opening o join semester e on e.id = o.semester_id
         where o.status = 'opened' and e.closed_at is null and o.id in (
                   select c.opening_id from moved m join course_selection c on c.student_id = m.student_id
                   union
                   select x.id from cohort k
                   join course_opening x on x.grade_id = k.grade_id and x.major_id = k.major_id
                   where x.nature = 'compulsory' and x.kind <> 'retake')
         order by o.id",
        since as _
    )
    .fetch_all(&mut *run.read_in(school).await?)
    .await?;
    all(run, school, openings).await
}

/// Syncs openings of a school, each for itself.
async fn all(run: &JobRun, school: &School, openings: Vec<i64>) -> Result<usize> {
    let (mut done, mut failed) = (0, None);
    for id in openings {
        let mut tx = run.begin_in(school).await?;
        match sync(&mut tx, id).await {
            Ok((synced, changes)) if synced != Synced::default() => {
                if let Err(error) = tx.commit_all(changes).await {
                    failed = Some(error);
                    continue;
                }
                done += usize::try_from(synced.all()).unwrap_or(0);
            }
            Ok(_) => {}
            // Somebody else holds it, or it was closed meanwhile: the next night finds it again.
            Err(error) if matches!(error.code, 404 | 409) => {}
            // The others get their students; the night tells of the school all the same.
            Err(error) => {
                failed = Some(error);
            }
        }
    }
    failed.map_or(Ok(done), Err)
}
