//! 刷新名单: who is due for an examination, and whether they may sit (part 04 §2.3). Repeated, it adds, judges anew and takes off;
//! what a person decided or added stays.

use std::collections::{HashMap, HashSet};

use chrono::NaiveDate;
use exam_rules::eligible::{Facts, judge};
use infra::{Change, Error, Result, Scope, Tx};
use scores::rule::{Place, Resolver};
use scores_rules::{
    enums::{ExamRound, ScoreKind, ScoreMark},
    makeup::chances,
    params::Params,
    settings::CONVERSION_YEARS,
};
use serde_json::json;
use sqlx::PgConnection;

use super::{LEFT_COURSE, LEFT_SCHOOL, NOT_DUE};
use crate::{
    enums::{ExamEligibility, ExamSetupStatus},
    setup::HeldSetup,
};

/// What a refresh did.
#[derive(Debug, Default)]
pub struct Refreshed {
    pub added: i64,
    pub updated: i64,
    pub removed: i64,
    pub changes: Vec<Change>,
}

/// Somebody who is due.
struct Due {
    selection: i64,
    student: i64,
    round: ExamRound,
}

/// How many a refresh would look at.
///
/// # Errors
/// Those of the database.
pub async fn expected(connection: &mut PgConnection, setup: &HeldSetup) -> Result<i64> {
    Ok(sqlx::query_scalar!(
        r#"select count(*) as "expected!" from course_selection c
           where c.course_id = $1 and (c.semester_id = $2 or $3 <> 'first') and c.status in ('selected', 'completed')
             and (not exists (select from exam_setup_class t where t.setup_id = $4)
                  or exists (select from exam_setup_class t where t.setup_id = $4 and t.class_id = c.class_id))"#,
        setup.course_id,
        setup.semester_id,
        setup.round.as_str(),
        setup.id
    )
    .fetch_one(connection)
    .await?)
}

/// Those of the first round: on the roster of the course, in a class that sits for it, not passed yet.
async fn first(connection: &mut PgConnection, setup: &HeldSetup) -> Result<Vec<Due>> {
    let rows = sqlx::query!(
        r#"select distinct on (c.student_id) c.id as "selection!", c.student_id as "student!"
           from course_selection c join student y on y.id = c.student_id
           where c.course_id = $1 and c.semester_id = $2 and c.status = 'selected'
             and y.status in ('registered', 'pending_registration')
             and exists (select from exam_setup_class t where t.setup_id = $3 and t.class_id = c.class_id)
             and not exists (
                 select from transcript_score x
                 where x.student_id = c.student_id and x.course_id = c.course_id and coalesce(x.passed, false))
           order by c.student_id, c.attempt_no desc"#,
        setup.course_id,
        setup.semester_id,
        setup.id
    )
    .fetch_all(connection)
    .await?;
    let due = |selection, student| Due { selection, student, round: setup.round };
    Ok(rows.into_iter().map(|row| due(row.selection, row.student)).collect())
}

/// Those of a make-up: failed, with a chance left by their rule. Who cheated in any round has no more than in the first.
async fn again(connection: &mut PgConnection, setup: &HeldSetup, today: NaiveDate) -> Result<Vec<Due>> {
    let last = setup.round == ExamRound::FinalMakeup;
    let years = i32::try_from(CONVERSION_YEARS.number(&mut *connection).await?).unwrap_or(2);
    let rows = sqlx::query!(
        r#"select distinct on (c.student_id) c.id as "selection!", c.student_id as "student!", y.grade_id as "grade!",
                  y.level_id as "level!", y.major_id as "major!",
                  case when exists (select from exam_score e
                                    where e.course_score_id = s.id and e.published and e.mark = 'cheating')
                       then 'cheating' else s.mark end as "mark!: ScoreMark",
                  (select count(*) from exam_score e where e.course_score_id = s.id and e.round = 'makeup' and e.published)
                      as "makeups!",
                  (select count(*) from exam_score e where e.course_score_id = s.id and e.round = 'final_makeup' and e.published)
                      as "finals!"
           from course_score s
           join course_selection c on c.id = s.selection_id
           join student y on y.id = c.student_id
           where s.course_id = $1 and s.status in ('published', 'locked') and s.passed = false
             and ($5 or c.semester_id = $2)
             and (y.status in ('registered', 'pending_registration')
                  or $3 and (y.status = 'expired'
                             or y.status = 'completed' and y.ended_on >= $7::date - make_interval(years => $4)))
             and (not exists (select from exam_setup_class t where t.setup_id = $6)
                  or exists (select from exam_setup_class t where t.setup_id = $6 and t.class_id = y.class_id))
             and not exists (
                 select from transcript_score x
                 where x.student_id = c.student_id and x.course_id = c.course_id and coalesce(x.passed, false))
           order by c.student_id, c.attempt_no desc"#,
        setup.course_id,
        setup.semester_id,
        last,
        years,
        last,
        setup.id,
        today
    )
    .fetch_all(&mut *connection)
    .await?;
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let rules = Resolver::load(connection, ScoreKind::FinalExam).await?;
    let due = rows.into_iter().filter(|row| {
        let place = Place { grade: row.grade, level: row.level, major: row.major, course: Some(setup.course_id) };
        let Params::FinalExam(params) = &rules.of(place).params else { return false };
        let used = |count: i64| i32::try_from(count).unwrap_or(i32::MAX);
        let left = chances(params, row.mark, (used(row.makeups), used(row.finals)));
        (if last { left.final_makeup } else { left.makeup }) > 0
    });
    Ok(due.map(|row| Due { selection: row.selection, student: row.student, round: setup.round }).collect())
}

/// Whose examination of the course was put off in another batch and has not been made up for; of the sites that sit here.
async fn deferred(connection: &mut PgConnection, setup: &HeldSetup) -> Result<Vec<Due>> {
    let rows = sqlx::query!(
        r#"select distinct on (d.student_id) d.selection_id as "selection!", d.student_id as "student!"
           from exam_deferral d
           join course_selection c on c.id = d.selection_id and c.status in ('selected', 'completed')
           join student y on y.id = d.student_id
           where d.course_id = $1 and d.batch_id <> $2 and d.status = 'approved'
             and (y.status in ('registered', 'pending_registration') or $4 and y.status = 'expired')
             and (not exists (select from exam_setup_class t where t.setup_id = $3)
                  or exists (select from exam_setup_class t join class k on k.id = t.class_id
                             where t.setup_id = $3 and k.site_id = y.site_id))
           order by d.student_id, d.id desc"#,
        setup.course_id,
        setup.batch_id,
        setup.id,
        setup.round == ExamRound::FinalMakeup
    )
    .fetch_all(connection)
    .await?;
    let due = |selection, student| Due { selection, student, round: ExamRound::Deferred };
    Ok(rows.into_iter().map(|row| due(row.selection, row.student)).collect())
}

/// What is known of selections, for [`judge`].
async fn facts_of(connection: &mut PgConnection, setup: &HeldSetup, selections: &[i64]) -> Result<HashMap<i64, Facts>> {
    let rows = sqlx::query!(
        r#"select c.id as "id!", coalesce((p.progress * 10)::bigint, 0) as "progress!", w.handed as "handed!", w.given as "given!",
                  coalesce(a.absent, 0) as "absent!", coalesce(a.required, 0) as "required!", y.fee_flag = 'arrears' as "arrears!",
                  exists (select from exam_deferral d
                          where d.student_id = c.student_id and d.batch_id = $2 and d.course_id = $3 and d.status = 'approved')
                      as "deferred!",
                  c.status = 'exempted' as "exempt!"
           from course_selection c
           join student y on y.id = c.student_id
           left join study_course_progress p on p.id = c.id
           left join attendance_summary a on a.selection_id = c.id
           cross join lateral (
               select count(*) filter (where h.state in ('submitted', 'marked', 'returned')) as handed,
                      count(*) filter (where h.state not in ('exempt', 'void')) as given
               from homework_student h where h.selection_id = c.id) w
           where c.id = any($1)"#,
        selections,
        setup.batch_id,
        setup.course_id
    )
    .fetch_all(connection)
    .await?;
    let facts = rows.into_iter().map(|row| {
        let facts = Facts {
            progress: row.progress,
            homework: Some((row.handed, row.given)),
            sessions: Some((row.absent, row.required)),
            arrears: row.arrears,
            deferred: row.deferred,
            exempt: row.exempt,
        };
        (row.id, facts)
    });
    Ok(facts.collect())
}

struct Existing {
    id: i64,
    selection: i64,
    student: i64,
    round: ExamRound,
    eligibility: ExamEligibility,
    reason: Option<String>,
    decided: bool,
    by_hand: bool,
    removed: bool,
    remove_reason: Option<String>,
    selection_status: String,
    student_status: String,
    busy: bool,
}

async fn existing(connection: &mut PgConnection, setup: i64) -> Result<Vec<Existing>> {
    Ok(sqlx::query_as!(
        Existing,
        r#"select c.id as "id!", c.selection_id as "selection!", c.student_id as "student!", c.round as "round!: _",
                  c.eligibility as "eligibility!: _", c.eligibility_reason as reason, c.eligibility_override as "decided!",
                  c.added_by_hand as "by_hand!", c.removed as "removed!", c.remove_reason, o.status as "selection_status!",
                  y.status as "student_status!",
                  exists (select from answer_sheet a where a.exam_candidate_id = c.id)
                      or exists (select from exam_violation v where v.candidate_id = c.id)
                      or exists (select from score_sheet_row r where r.candidate_id = c.id) as "busy!"
           from exam_candidate c
           join course_selection o on o.id = c.selection_id
           join student y on y.id = c.student_id
           where c.setup_id = $1 order by c.id"#,
        setup
    )
    .fetch_all(connection)
    .await?)
}

/// Brings the candidates of a setup, which is held, up to the rosters.
///
/// # Errors
/// 409 for one that is over, or in a batch that is.
pub async fn refresh(tx: &mut Tx, setup: &HeldSetup, scope: &Scope) -> Result<Refreshed> {
    if matches!(setup.status, ExamSetupStatus::Closed | ExamSetupStatus::Cancelled) {
        return Err(Error::conflict(format!("考试{}，不能刷新名单", setup.status.zh())));
    }
    setup.in_live_batch()?;
    let today = tx.app().clock().today();
    let mut due =
        if setup.round == ExamRound::First { first(tx, setup).await? } else { again(tx, setup, today).await? };
    if setup.include_deferred {
        let put_off = deferred(tx, setup).await?;
        let students: HashSet<i64> = put_off.iter().map(|one| one.student).collect();
        due.retain(|one| !students.contains(&one.student));
        due.extend(put_off);
    }
    within(tx, scope, &mut due).await?;
    let here = existing(tx, setup.id).await?;
    let elsewhere: HashSet<i64> = sqlx::query_scalar!(
        "select student_id from exam_candidate where batch_id = $1 and course_id = $2 and setup_id <> $3 and not removed",
        setup.batch_id,
        setup.course_id,
        setup.id
    )
    .fetch_all(&mut **tx)
    .await?
    .into_iter()
    .collect();
    due.retain(|one| !elsewhere.contains(&one.student));
    let wanted: HashMap<i64, ExamRound> = due.iter().map(|one| (one.selection, one.round)).collect();
    let mut selections: Vec<i64> = wanted.keys().copied().chain(here.iter().map(|one| one.selection)).collect();
    selections.sort_unstable();
    selections.dedup();
    let facts = facts_of(tx, setup, &selections).await?;
    let said = |selection: i64| judge(&setup.limits, &facts.get(&selection).copied().unwrap_or_default());
    let mut done = Refreshed::default();
    add_new(tx, setup, &due, &here, said, &mut done).await?;
    let mut gone: Vec<(i64, &str)> = Vec::new();
    for one in &here {
        let round = wanted.get(&one.selection).copied();
        if round.is_none() && !one.by_hand {
            if !one.removed {
                gone.push((one.id, why_gone(one)));
            }
            continue;
        }
        let back = one.removed
            && one.remove_reason.as_deref().is_some_and(|why| [LEFT_COURSE, LEFT_SCHOOL, NOT_DUE].contains(&why))
            && round.is_some()
            && !elsewhere.contains(&one.student);
        if one.removed && !back {
            continue;
        }
        let (eligibility, reason) =
            if one.decided { (one.eligibility, one.reason.clone()) } else { said(one.selection) };
        let round = round.unwrap_or(one.round);
        if !back && (eligibility, &reason, round) == (one.eligibility, &one.reason, one.round) {
            continue;
        }
        changed(tx, one, (eligibility, reason.as_deref(), round), &mut done).await?;
    }
    take_off(tx, setup, &here, &gone, &mut done).await?;
    let what = json!({ "added": done.added, "updated": done.updated, "removed": done.removed });
    done.changes.push(Change::event("exam_setup", setup.id, "refresh", what));
    Ok(done)
}

/// Keeps those whom the caller sees: a setup without classes is of everybody who failed.
async fn within(connection: &mut PgConnection, scope: &Scope, due: &mut Vec<Due>) -> Result<()> {
    if scope.is_whole() {
        return Ok(());
    }
    let students: Vec<i64> = due.iter().map(|one| one.student).collect();
    let seen: HashSet<i64> = sqlx::query_scalar!(
        "select id from student where id = any($1) and (site_id = any($2::bigint[]) or class_id = any($3::bigint[]))",
        &students,
        scope.sites(),
        scope.classes()
    )
    .fetch_all(connection)
    .await?
    .into_iter()
    .collect();
    due.retain(|one| seen.contains(&one.student));
    Ok(())
}

fn why_gone(one: &Existing) -> &'static str {
    if !matches!(one.student_status.as_str(), "registered" | "pending_registration" | "expired" | "completed") {
        return LEFT_SCHOOL;
    }
    if matches!(one.selection_status.as_str(), "selected" | "completed") { NOT_DUE } else { LEFT_COURSE }
}

async fn add_new(
    tx: &mut Tx,
    setup: &HeldSetup,
    due: &[Due],
    here: &[Existing],
    said: impl Fn(i64) -> (ExamEligibility, Option<String>),
    done: &mut Refreshed,
) -> Result<()> {
    let known: HashSet<i64> = here.iter().map(|one| one.selection).collect();
    // Somebody's other selection of the course sits here already.
    let seated: HashSet<i64> = here.iter().filter(|one| !one.removed).map(|one| one.student).collect();
    let new: Vec<&Due> =
        due.iter().filter(|one| !known.contains(&one.selection) && !seated.contains(&one.student)).collect();
    let judged: Vec<(ExamEligibility, Option<String>)> = new.iter().map(|one| said(one.selection)).collect();
    let by = tx.by();
    let added = sqlx::query_scalar!(
        "insert into exam_candidate (setup_id, selection_id, batch_id, course_id, student_id, round, eligibility, eligibility_reason,
             created_by, updated_by)
         select $1, w.selection, $2, $3, w.student, w.round, w.eligibility, w.reason, $4, $4
         from unnest($5::bigint[], $6::bigint[], $7::text[], $8::text[], $9::text[])
              as w (selection, student, round, eligibility, reason)
         on conflict do nothing returning id",
        setup.id,
        setup.batch_id,
        setup.course_id,
        by,
        &new.iter().map(|one| one.selection).collect::<Vec<i64>>(),
        &new.iter().map(|one| one.student).collect::<Vec<i64>>(),
        &new.iter().map(|one| one.round.as_str().to_owned()).collect::<Vec<String>>(),
        &judged.iter().map(|(eligibility, _)| eligibility.as_str().to_owned()).collect::<Vec<String>>(),
        &judged.iter().map(|(_, reason)| reason.clone()).collect::<Vec<Option<String>>>() as &[Option<String>]
    )
    .fetch_all(&mut **tx)
    .await?;
    done.added = i64::try_from(added.len()).unwrap_or(i64::MAX);
    Ok(())
}

async fn changed(
    tx: &mut Tx,
    one: &Existing,
    (eligibility, reason, round): (ExamEligibility, Option<&str>, ExamRound),
    done: &mut Refreshed,
) -> Result<()> {
    let by = tx.by();
    sqlx::query!(
        "update exam_candidate
         set eligibility = $2, eligibility_reason = $3, round = $4, removed = false, remove_reason = null, updated_at = now(),
             updated_by = $5, version = version + 1
         where id = $1",
        one.id,
        eligibility.as_str(),
        reason,
        round.as_str(),
        by
    )
    .execute(&mut **tx)
    .await?;
    done.updated += 1;
    // Who may not sit keeps no seat; the others stay on theirs.
    if eligibility != ExamEligibility::Eligible {
        done.changes.extend(exam_seats::offered::free(tx, &[one.id]).await?);
    }
    let (before, after) = (one.eligibility.as_str(), eligibility.as_str());
    let change = Change::status("exam_candidate", one.id, "eligibility", before, after);
    done.changes.push(change.because(reason));
    Ok(())
}

/// Of a draft they go, of what was given they are marked; whoever has answers, a case or a score stays to be seen.
async fn take_off(
    tx: &mut Tx,
    setup: &HeldSetup,
    here: &[Existing],
    gone: &[(i64, &str)],
    done: &mut Refreshed,
) -> Result<()> {
    if gone.is_empty() {
        return Ok(());
    }
    let ids: Vec<i64> = gone.iter().map(|(id, _)| *id).collect();
    done.changes.extend(exam_seats::offered::free(tx, &ids).await?);
    let busy: HashSet<i64> = here.iter().filter(|one| one.busy).map(|one| one.id).collect();
    let open = !matches!(setup.status, ExamSetupStatus::Published | ExamSetupStatus::Closed);
    let (deleted, marked) = gone.iter().copied().partition::<Vec<_>, _>(|(id, _)| open && !busy.contains(id));
    let by = tx.by();
    sqlx::query!(
        "delete from exam_candidate where id = any($1)",
        &deleted.iter().map(|(id, _)| *id).collect::<Vec<i64>>()
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "update exam_candidate c
         set removed = true, remove_reason = w.reason, updated_at = now(), updated_by = $3, version = c.version + 1
         from unnest($1::bigint[], $2::text[]) as w (id, reason) where c.id = w.id",
        &marked.iter().map(|(id, _)| *id).collect::<Vec<i64>>(),
        &marked.iter().map(|(_, why)| (*why).to_owned()).collect::<Vec<String>>(),
        by
    )
    .execute(&mut **tx)
    .await?;
    done.removed = i64::try_from(gone.len()).unwrap_or(i64::MAX);
    done.changes.extend(
        gone.iter().map(|(id, why)| Change::status("exam_candidate", *id, "removed", false, true).because(Some(why))),
    );
    Ok(())
}

/// Judges candidates anew whose deferral was taken back. Whoever decided about them by hand is left.
///
/// # Errors
/// Those of the database.
pub async fn judged_again(tx: &mut Tx, setup: &HeldSetup, candidates: &[i64]) -> Result<Vec<Change>> {
    let here: Vec<Existing> =
        existing(tx, setup.id).await?.into_iter().filter(|one| candidates.contains(&one.id) && !one.decided).collect();
    let selections: Vec<i64> = here.iter().map(|one| one.selection).collect();
    let facts = facts_of(tx, setup, &selections).await?;
    let mut done = Refreshed::default();
    for one in here.iter().filter(|one| !one.removed) {
        let (eligibility, reason) = judge(&setup.limits, &facts.get(&one.selection).copied().unwrap_or_default());
        if eligibility != one.eligibility || reason != one.reason {
            changed(tx, one, (eligibility, reason.as_deref(), one.round), &mut done).await?;
        }
    }
    Ok(done.changes)
}
