//! What a scan decided of some students, written at once.

use std::collections::HashMap;

use chrono::NaiveDate;
use infra::{Change, Result, Tx, clock::Moment};
use poem_openapi::types::Any;
use serde_json::json;
use sqlx::PgConnection;
use supervision_rules::{
    decide::{Decided, Fact, FlagStep, HeldCase, HeldFlag},
    enums::{SuperviseClosedReason, SuperviseKind, SuperviseLevel, SuperviseStatus},
};

use crate::facts::Whose;

/// A case of a student with its number.
pub(super) struct Held {
    pub id: i64,
    pub manager_id: Option<i64>,
    pub class_id: Option<i64>,
    /// Whether somebody handed it over to whoever has it.
    pub handed_over: bool,
    pub case: HeldCase,
}

impl Held {
    /// Whether it goes to the manager of the class: with a student who changes their class, and with a class that changes its
    /// manager, unless people said whose it is.
    fn moves(&self, whose: &Whose) -> bool {
        let goes_on = matches!(self.case.status, SuperviseStatus::Open | SuperviseStatus::Following);
        let left_class = self.class_id != whose.class_id;
        let left_manager = !self.handed_over && whose.manager_id.is_some() && self.manager_id != whose.manager_id;
        goes_on && (left_class || left_manager)
    }
}

/// The cases of students in a semester, with all their flags.
pub(super) async fn held(connection: &mut PgConnection, students: &[i64], semester: i64) -> Result<HashMap<i64, Held>> {
    let cases = sqlx::query!(
        r#"select c.id, c.student_id, c.status as "status: SuperviseStatus", c.level as "level: SuperviseLevel", c.flag_count,
                  c.clear_since, c.last_contact_at is not null as "contacted!", c.manager_id, c.class_id,
                  c.closed_reason as "closed_reason: SuperviseClosedReason",
                  exists (select from supervise_transfer t where t.case_id = c.id and t.to_manager_id = c.manager_id)
                      as "handed_over!"
           from supervise_case c where c.semester_id = $1 and c.student_id = any($2)"#,
        semester,
        students
    )
    .fetch_all(&mut *connection)
    .await?;
    let ids: Vec<i64> = cases.iter().map(|case| case.id).collect();
    let rows = sqlx::query!(
        r#"select id, case_id, kind as "kind: SuperviseKind", ref_id, value, expected, lack, level as "level: SuperviseLevel",
                  cleared_at is not null as "cleared!", muted
           from supervise_flag where case_id = any($1) order by id"#,
        &ids
    )
    .fetch_all(connection)
    .await?;
    let mut flags: HashMap<i64, Vec<HeldFlag>> = HashMap::new();
    for row in rows {
        flags.entry(row.case_id).or_default().push(HeldFlag {
            id: row.id,
            kind: row.kind,
            ref_id: row.ref_id,
            value: row.value,
            expected: row.expected,
            lack: row.lack,
            level: row.level,
            cleared: row.cleared,
            muted: row.muted,
        });
    }
    let held = cases.into_iter().map(|row| {
        let case = HeldCase {
            status: row.status,
            level: row.level,
            flag_count: row.flag_count,
            clear_since: row.clear_since,
            contacted: row.contacted,
            closed_reason: row.closed_reason,
            flags: flags.remove(&row.id).unwrap_or_default(),
        };
        let (manager_id, class_id, handed_over) = (row.manager_id, row.class_id, row.handed_over);
        (row.student_id, Held { id: row.id, manager_id, class_id, handed_over, case })
    });
    Ok(held.collect())
}

/// What was written.
#[derive(Debug, Default)]
pub(super) struct Made {
    /// Students of whom something changed.
    pub changed: i64,
    pub opened: i64,
    /// Class and manager of each new case.
    pub assigned: Vec<(i64, i64)>,
    /// Cases that are new, stand otherwise or are somebody else's.
    pub changes: Vec<Change>,
}

/// Writes what was decided.
pub(super) async fn apply(
    tx: &mut Tx,
    semester: i64,
    now: Moment,
    decided: &[(Whose, Option<&Held>, Decided)],
) -> Result<Made> {
    let mut made = Made::default();
    let (mut raised, mut changed, mut cleared) = (Vec::new(), Vec::new(), Vec::new());
    let opened = open(tx, semester, now, decided, &mut made).await?;
    let mut updates = Vec::new();
    for (whose, held, steps) in decided {
        let case = match held {
            Some(held) => Some(held.id),
            None => opened.get(&whose.id).copied(),
        };
        let Some(case) = case else { continue };
        let mut touched = held.is_none();
        for step in &steps.flags {
            touched = true;
            match step {
                FlagStep::Raise { fact, level } => raised.push((case, fact, *level)),
                FlagStep::Change { id, fact, level, again } => changed.push((*id, fact, *level, *again)),
                FlagStep::Clear { id } => cleared.push(*id),
            }
        }
        if let Some(held) = held {
            let moves = held.moves(whose);
            if steps.case.is_some() || moves {
                touched = true;
                updates.push(After::of(held, whose, steps, moves));
                made.changes.extend(told(held, whose, steps, moves));
            }
        }
        made.changed += i64::from(touched);
    }
    follow(tx, now, &updates).await?;
    raise(tx, now, &raised).await?;
    change(tx, now, &changed).await?;
    sqlx::query!("update supervise_flag set cleared_at = $2, updated_at = $2 where id = any($1)", &cleared, now as _)
        .execute(&mut **tx)
        .await?;
    Ok(made)
}

/// Opens cases; answers them by student.
async fn open(
    tx: &mut Tx,
    semester: i64,
    now: Moment,
    decided: &[(Whose, Option<&Held>, Decided)],
    made: &mut Made,
) -> Result<HashMap<i64, i64>> {
    let new: Vec<(&Whose, &Decided)> =
        decided.iter().filter(|(_, held, _)| held.is_none()).map(|(whose, _, steps)| (whose, steps)).collect();
    let mut students = Vec::new();
    let (mut levels, mut managers, mut classes, mut counts) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (whose, steps) in new {
        let Some(case) = &steps.case else { continue };
        students.push(whose.id);
        levels.push(case.level.as_str());
        managers.push(whose.manager_id);
        classes.push(whose.class_id);
        counts.push(case.flag_count);
    }
    if students.is_empty() {
        return Ok(HashMap::new());
    }
    let rows = sqlx::query!(
        "insert into supervise_case (student_id, semester_id, level, manager_id, class_id, flag_count, first_flagged_at, created_by,
             updated_by)
         select n.student, $1, n.level, n.manager, n.class, n.flags, $7::timestamptz, 0, 0
         from unnest($2::bigint[], $3::text[], $4::bigint[], $5::bigint[], $6::integer[])
              as n (student, level, manager, class, flags)
         on conflict (student_id, semester_id) do nothing
         returning id, student_id, manager_id, class_id, level",
        semester,
        &students,
        &levels as _,
        &managers as &[Option<i64>],
        &classes as &[Option<i64>],
        &counts,
        now as _
    )
    .fetch_all(&mut **tx)
    .await?;
    made.opened += i64::try_from(rows.len()).unwrap_or(i64::MAX);
    made.assigned.extend(rows.iter().filter_map(|row| Some((row.class_id?, row.manager_id?))));
    made.changes.extend(rows.iter().map(|row| {
        let what = json!({ "studentId": row.student_id, "level": row.level, "managerId": row.manager_id });
        Change::created("supervise_case", row.id, &Any(what))
    }));
    Ok(rows.into_iter().map(|row| (row.student_id, row.id)).collect())
}

/// How a case stands afterwards.
struct After {
    id: i64,
    status: SuperviseStatus,
    level: SuperviseLevel,
    flags: i32,
    clear_since: Option<NaiveDate>,
    reason: Option<SuperviseClosedReason>,
    manager: Option<i64>,
    class: Option<i64>,
}

impl After {
    fn of(held: &Held, whose: &Whose, steps: &Decided, moves: bool) -> Self {
        let case = &held.case;
        let (status, level, flags, clear_since, reason) = match &steps.case {
            Some(after) => (after.status, after.level, after.flag_count, after.clear_since, after.closed_reason),
            None => (case.status, case.level, case.flag_count, case.clear_since, case.closed_reason),
        };
        let (manager, class) =
            if moves { (whose.manager_id, whose.class_id) } else { (held.manager_id, held.class_id) };
        Self { id: held.id, status, level, flags, clear_since, reason, manager, class }
    }
}

/// What the trail keeps of a case: another status, another manager.
fn told(held: &Held, whose: &Whose, steps: &Decided, moves: bool) -> Vec<Change> {
    let before = held.case.status;
    let status = steps.case.as_ref().map(|after| after.status).filter(|after| *after != before);
    let status =
        status.map(|after| Change::status("supervise_case", held.id, "status", before.as_str(), after.as_str()));
    let other = moves && held.manager_id != whose.manager_id;
    let manager =
        other.then(|| Change::status("supervise_case", held.id, "managerId", held.manager_id, whose.manager_id));
    status.into_iter().chain(manager).collect()
}

/// Writes cases that stand otherwise than before.
async fn follow(tx: &mut Tx, now: Moment, updates: &[After]) -> Result<()> {
    if updates.is_empty() {
        return Ok(());
    }
    let ids: Vec<i64> = updates.iter().map(|after| after.id).collect();
    let statuses: Vec<&str> = updates.iter().map(|after| after.status.as_str()).collect();
    let levels: Vec<&str> = updates.iter().map(|after| after.level.as_str()).collect();
    let flags: Vec<i32> = updates.iter().map(|after| after.flags).collect();
    let clear_since: Vec<Option<NaiveDate>> = updates.iter().map(|after| after.clear_since).collect();
    let reasons: Vec<Option<&str>> =
        updates.iter().map(|after| after.reason.map(SuperviseClosedReason::as_str)).collect();
    let managers: Vec<Option<i64>> = updates.iter().map(|after| after.manager).collect();
    let classes: Vec<Option<i64>> = updates.iter().map(|after| after.class).collect();
    sqlx::query!(
        "update supervise_case c
         set status = n.status, level = n.level, flag_count = n.flags, clear_since = n.clear_since, closed_reason = n.reason,
             manager_id = n.manager, class_id = n.class,
             relieved_at = case when n.status = 'relieved' then coalesce(c.relieved_at, $9::timestamptz) end,
             closed_at = case when n.status = 'closed' then coalesce(c.closed_at, $9) end,
             updated_at = now(), updated_by = 0, version = c.version + 1
         from unnest($1::bigint[], $2::text[], $3::text[], $4::integer[], $5::date[], $6::text[], $7::bigint[], $8::bigint[])
              as n (id, status, level, flags, clear_since, reason, manager, class)
         where c.id = n.id",
        &ids,
        &statuses as _,
        &levels as _,
        &flags,
        &clear_since as &[Option<NaiveDate>],
        &reasons as _,
        &managers as &[Option<i64>],
        &classes as &[Option<i64>],
        now as _
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

async fn raise(tx: &mut Tx, now: Moment, raised: &[(i64, &Fact, SuperviseLevel)]) -> Result<()> {
    if raised.is_empty() {
        return Ok(());
    }
    let cases: Vec<i64> = raised.iter().map(|(case, _, _)| *case).collect();
    let kinds: Vec<&str> = raised.iter().map(|(_, fact, _)| fact.kind.as_str()).collect();
    let ref_types: Vec<&str> = raised.iter().map(|(_, fact, _)| fact.ref_type.as_str()).collect();
    let refs: Vec<i64> = raised.iter().map(|(_, fact, _)| fact.ref_id).collect();
    let courses: Vec<Option<i64>> = raised.iter().map(|(_, fact, _)| fact.course_id).collect();
    let titles: Vec<&str> = raised.iter().map(|(_, fact, _)| fact.title.as_str()).collect();
    let values: Vec<i32> = raised.iter().map(|(_, fact, _)| fact.value).collect();
    let expected: Vec<Option<i32>> = raised.iter().map(|(_, fact, _)| fact.expected).collect();
    let levels: Vec<&str> = raised.iter().map(|(_, _, level)| level.as_str()).collect();
    let lacks: Vec<Option<&str>> = raised.iter().map(|(_, fact, _)| fact.lack.as_deref()).collect();
    sqlx::query!(
        "insert into supervise_flag (case_id, kind, ref_type, ref_id, course_id, title, value, expected, level, lack, since,
             updated_at)
         select n.id, n.kind, n.ref_type, n.ref, n.course, n.title, n.value, n.expected, n.level, n.lack, $11::timestamptz,
                $11::timestamptz
         from unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::text[], $7::integer[], $8::integer[],
                     $9::text[], $10::text[]) as n (id, kind, ref_type, ref, course, title, value, expected, level, lack)
         on conflict (case_id, kind, ref_id) do nothing",
        &cases,
        &kinds as _,
        &ref_types as _,
        &refs,
        &courses as &[Option<i64>],
        &titles as _,
        &values,
        &expected as &[Option<i32>],
        &levels as _,
        &lacks as _,
        now as _
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

async fn change(tx: &mut Tx, now: Moment, changed: &[(i64, &Fact, SuperviseLevel, bool)]) -> Result<()> {
    if changed.is_empty() {
        return Ok(());
    }
    let ids: Vec<i64> = changed.iter().map(|(id, _, _, _)| *id).collect();
    let values: Vec<i32> = changed.iter().map(|(_, fact, _, _)| fact.value).collect();
    let expected: Vec<Option<i32>> = changed.iter().map(|(_, fact, _, _)| fact.expected).collect();
    let titles: Vec<&str> = changed.iter().map(|(_, fact, _, _)| fact.title.as_str()).collect();
    let levels: Vec<&str> = changed.iter().map(|(_, _, level, _)| level.as_str()).collect();
    let lacks: Vec<Option<&str>> = changed.iter().map(|(_, fact, _, _)| fact.lack.as_deref()).collect();
    let again: Vec<bool> = changed.iter().map(|(_, _, _, again)| *again).collect();
    sqlx::query!(
        "update supervise_flag f
         set value = n.value, expected = n.expected, title = n.title, level = n.level, lack = n.lack, cleared_at = null,
             since = case when n.again then $8::timestamptz else f.since end, updated_at = $8
         from unnest($1::bigint[], $2::integer[], $3::integer[], $4::text[], $5::text[], $6::boolean[], $7::text[])
              as n (id, value, expected, title, level, again, lack)
         where f.id = n.id",
        &ids,
        &values,
        &expected as &[Option<i32>],
        &titles as _,
        &levels as _,
        &again,
        &lacks as _,
        now as _
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
