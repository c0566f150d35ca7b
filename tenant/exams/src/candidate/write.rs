//! What people do to candidates, from whichever facade (part 04 §2.3, §2.5, §4.6). Whoever changes many holds their setups, then them,
//! each by id.

use std::collections::BTreeMap;

use exam_rules::violation::mark;
use infra::{BulkFailure, BulkResult, Change, Error, OnConstraint, Result, Scope, Tx, clock::Moment};
use papers::enums::PaperVariant;
use question_bank::score::points;
use scores::offered::{FixedMark, fix_marks};
use scores_rules::enums::{ExamRound, ScoreMark};
use serde_json::json;

use crate::{
    enums::{ExamAttendance, ExamEligibility, ExamMode, ExamSetupStatus, TestBatchStatus, ViolationLevel},
    of_row,
    setup::{self, HeldSetup},
};

/// Told to whoever puts somebody into a second examination of a course.
const ELSEWHERE: &str = "该生已在本批次该课程的其他考试中";
/// Minutes that a candidate may have more.
const MOST_EXTRA: i32 = 120;

/// Adds selections by hand to a setup that is held.
///
/// # Errors
/// 404 for a selection beyond the scope; 409 for who sits elsewhere or is here already, and in a batch that is over; 422 for another
/// course.
pub async fn add(
    tx: &mut Tx,
    setup: &HeldSetup,
    selections: &[i64],
    reason: &str,
    scope: &Scope,
) -> Result<Vec<Change>> {
    if matches!(setup.status, ExamSetupStatus::Closed | ExamSetupStatus::Cancelled) {
        return Err(Error::conflict(format!("考试{}，不能添加考生", setup.status.zh())));
    }
    setup.in_live_batch()?;
    let mut ids = selections.to_vec();
    ids.sort_unstable();
    ids.dedup();
    let rows = sqlx::query!(
        r#"select c.id as "id!", c.student_id as "student_id!", c.course_id as "course_id!", y.name as "name!",
                  c.status in ('selected', 'completed') as "here!",
                  exists (select from exam_deferral d
                          where d.student_id = c.student_id and d.course_id = c.course_id and d.batch_id <> $4
                            and d.status = 'approved') as "deferred!",
                  x.id as "candidate_id?", coalesce(x.removed, true) as "removed!"
           from course_selection c
           join student y on y.id = c.student_id
           left join exam_candidate x on x.setup_id = $5 and x.selection_id = c.id
           where c.id = any($1) and ($2::bigint[] is null or y.site_id = any($2) or y.class_id = any($3::bigint[]))
           order by c.id"#,
        &ids,
        scope.sites(),
        scope.classes(),
        setup.batch_id,
        setup.id
    )
    .fetch_all(&mut **tx)
    .await?;
    if rows.len() < ids.len() {
        return Err(of_row(Error::not_found()));
    }
    let by = tx.by();
    let mut changes = Vec::with_capacity(rows.len());
    for row in rows {
        if row.course_id != setup.course_id || !row.here {
            return Err(Error::field("selectionIds", format!("“{}”没有选修该课程", row.name)));
        }
        let taken = |name: &str| (name == "exam_candidate_course_taken").then(|| Error::conflict(ELSEWHERE));
        if let Some(id) = row.candidate_id {
            if !row.removed {
                return Err(Error::conflict(format!("“{}”已在考生名单中", row.name)));
            }
            sqlx::query!(
                "update exam_candidate set removed = false, remove_reason = null, added_by_hand = true, updated_at = now(),
                        updated_by = $2, version = version + 1
                 where id = $1",
                id,
                by
            )
            .execute(&mut **tx)
            .await
            .on_constraint(taken)?;
            changes.push(Change::status("exam_candidate", id, "removed", true, false).because(Some(reason)));
            continue;
        }
        let round = if row.deferred { ExamRound::Deferred } else { setup.round };
        let id = sqlx::query_scalar!(
            "insert into exam_candidate (setup_id, selection_id, batch_id, course_id, student_id, round, added_by_hand, created_by,
                 updated_by)
             values ($1, $2, $3, $4, $5, $6, true, $7, $7) returning id",
            setup.id,
            row.id,
            setup.batch_id,
            setup.course_id,
            row.student_id,
            round.as_str(),
            by
        )
        .fetch_one(&mut **tx)
        .await
        .on_constraint(taken)?;
        let what = json!({ "setupId": setup.id, "selectionId": row.id, "round": round.as_str() });
        changes.push(Change::event("exam_candidate", id, "insert", what).because(Some(reason)));
    }
    let added: Vec<i64> = changes.iter().map(Change::id).collect();
    changes.extend(super::judged_again(tx, setup, &added).await?);
    Ok(changes)
}

/// A candidate that is held.
struct Held {
    id: i64,
    setup_name: String,
    status: ExamSetupStatus,
    batch: TestBatchStatus,
    selection_id: i64,
    name: String,
    eligibility: ExamEligibility,
    extra: i32,
    removed: bool,
    answered: bool,
}

/// Holds these candidates behind their batches and setups; those beyond the scope are missing.
async fn hold(tx: &mut Tx, ids: &[i64], mode: ExamMode, scope: &Scope) -> Result<BTreeMap<i64, Held>> {
    sqlx::query_scalar!(
        "select id from test_batch where id in (select batch_id from exam_candidate where id = any($1)) order by id for share",
        ids
    )
    .fetch_all(&mut **tx)
    .await?;
    sqlx::query_scalar!(
        "select id from exam_setup where id in (select setup_id from exam_candidate where id = any($1)) order by id for update",
        ids
    )
    .fetch_all(&mut **tx)
    .await?;
    sqlx::query_scalar!("select id from exam_candidate where id = any($1) order by id for update", ids)
        .fetch_all(&mut **tx)
        .await?;
    let rows = sqlx::query_as!(
        Held,
        r#"select c.id as "id!", s.name as "setup_name!", s.status as "status!: _", b.status as "batch!: _",
                  c.selection_id as "selection_id!", y.name as "name!", c.eligibility as "eligibility!: _",
                  c.extra_minutes as "extra!", c.removed as "removed!",
                  exists (select from answer_sheet a where a.exam_candidate_id = c.id and a.mark_state <> 'void') as "answered!"
           from exam_candidate c
           join exam_setup s on s.id = c.setup_id
           join test_batch b on b.id = s.batch_id
           join student y on y.id = c.student_id
           where c.id = any($1) and s.mode = $4
             and ($2::bigint[] is null or y.site_id = any($2) or y.class_id = any($3::bigint[]))"#,
        ids,
        scope.sites(),
        scope.classes(),
        mode.as_str()
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(rows.into_iter().map(|row| (row.id, row)).collect())
}

/// What people do to one of several.
#[derive(Clone, Copy)]
enum Deed {
    Remove,
    Decide(bool),
    Extend(i32),
}

/// Does it to each for itself and keeps its trail; whoever calls commits.
async fn each(
    tx: &mut Tx,
    ids: &[i64],
    (deed, reason): (Deed, &str),
    mode: ExamMode,
    scope: &Scope,
) -> Result<BulkResult> {
    let mut ids = ids.to_vec();
    ids.sort_unstable();
    ids.dedup();
    let held = hold(tx, &ids, mode, scope).await?;
    let (mut told, mut changes) = (BulkResult::default(), Vec::new());
    for id in ids {
        tx.savepoint().await?;
        let outcome = match held.get(&id) {
            Some(one) => done_to(tx, one, (deed, reason)).await,
            None => Err(of_row(Error::not_found())),
        };
        match outcome {
            Ok(change) => {
                tx.row_done().await?;
                told.done += 1;
                changes.extend(change);
            }
            Err(error) => {
                let msg = tx.row_failed(error).await?.0;
                let name = held.get(&id).map(|one| one.name.clone()).unwrap_or_default();
                told.failed.push(BulkFailure { id, name, msg });
            }
        }
    }
    tx.record(&changes).await?;
    Ok(told)
}

async fn done_to(tx: &mut Tx, one: &Held, (deed, reason): (Deed, &str)) -> Result<Vec<Change>> {
    if one.status == ExamSetupStatus::Cancelled {
        return Err(Error::conflict(format!("考试“{}”已取消", one.setup_name)));
    }
    setup::live(one.batch)?;
    if one.removed {
        return Err(Error::conflict("该考生已移除"));
    }
    let by = tx.by();
    match deed {
        Deed::Remove => {
            if one.answered {
                return Err(Error::conflict("该考生已有答卷，不能移除"));
            }
            // Who did not come is absent, and does not disappear.
            if one.status == ExamSetupStatus::Closed {
                return Err(Error::conflict("考试已结束，不能移除考生"));
            }
            let mut changes = exam_seats::offered::free(tx, &[one.id]).await?;
            sqlx::query!(
                "update exam_candidate set removed = true, remove_reason = $2, updated_at = now(), updated_by = $3,
                        version = version + 1
                 where id = $1",
                one.id,
                reason,
                by
            )
            .execute(&mut **tx)
            .await?;
            changes.push(Change::status("exam_candidate", one.id, "removed", false, true).because(Some(reason)));
            Ok(changes)
        }
        Deed::Decide(eligible) => decided(tx, one, eligible, reason).await,
        Deed::Extend(minutes) => {
            let extra = one.extra + minutes;
            if !(0..=MOST_EXTRA).contains(&extra) {
                return Err(Error::conflict(format!("加时合计不能超过{MOST_EXTRA}分钟")));
            }
            if one.status == ExamSetupStatus::Closed {
                return Err(Error::conflict("考试已结束，不能加时"));
            }
            sqlx::query!(
                "update exam_candidate set extra_minutes = $2, updated_at = now(), updated_by = $3, version = version + 1
                 where id = $1",
                one.id,
                extra,
                by
            )
            .execute(&mut **tx)
            .await?;
            let change = Change::status("exam_candidate", one.id, "extraMinutes", one.extra, extra);
            Ok(vec![change.because(Some(reason))])
        }
    }
}

async fn decided(tx: &mut Tx, one: &Held, eligible: bool, reason: &str) -> Result<Vec<Change>> {
    if matches!(one.eligibility, ExamEligibility::Deferred | ExamEligibility::Exempt) {
        return Err(Error::conflict(format!("该考生{}，不能核准资格", one.eligibility.zh())));
    }
    if !eligible && one.answered {
        return Err(Error::conflict("该考生已有答卷，请登记违规处理"));
    }
    let to = if eligible { ExamEligibility::Eligible } else { ExamEligibility::Disqualified };
    let (by, name) = (tx.by(), tx.actor().name.clone());
    sqlx::query!(
        "update exam_candidate
         set eligibility = $2, eligibility_reason = case when $2 = 'eligible' then null else $3 end, eligibility_override = true,
             override_reason = $3, override_by_name = $4, updated_at = now(), updated_by = $5, version = version + 1
         where id = $1",
        one.id,
        to.as_str(),
        reason,
        name,
        by
    )
    .execute(&mut **tx)
    .await?;
    let mut changes = Vec::new();
    if !eligible {
        changes.extend(exam_seats::offered::free(tx, &[one.id]).await?);
    }
    if matches!(one.status, ExamSetupStatus::Published | ExamSetupStatus::Closed) {
        let fixed = FixedMark {
            selection: one.selection_id,
            candidate: one.id,
            mark: (!eligible).then_some(ScoreMark::Disqualified),
            zero_exam: !eligible,
            violation: None,
            reason: reason.to_owned(),
        };
        if !eligible || one.eligibility == ExamEligibility::Disqualified {
            changes.extend(fix_marks(tx, &[fixed]).await?.changes);
        }
    }
    let change = Change::status("exam_candidate", one.id, "eligibility", one.eligibility.as_str(), to.as_str());
    changes.push(change.because(Some(reason)));
    Ok(changes)
}

/// Takes candidates off, each for themselves. Whoever calls commits.
///
/// # Errors
/// Those of the database.
pub async fn remove(tx: &mut Tx, ids: &[i64], reason: &str, mode: ExamMode, scope: &Scope) -> Result<BulkResult> {
    each(tx, ids, (Deed::Remove, reason), mode, scope).await
}

/// Decides by hand whether candidates may sit; a refresh leaves it. Whoever calls commits.
///
/// # Errors
/// Those of the database.
pub async fn decide_eligibility(
    tx: &mut Tx,
    ids: &[i64],
    eligible: bool,
    reason: &str,
    mode: ExamMode,
    scope: &Scope,
) -> Result<BulkResult> {
    each(tx, ids, (Deed::Decide(eligible), reason), mode, scope).await
}

/// Gives candidates more minutes. Whoever calls commits.
///
/// # Errors
/// Those of the database.
pub async fn extend(
    tx: &mut Tx,
    ids: &[i64],
    minutes: i32,
    reason: &str,
    mode: ExamMode,
    scope: &Scope,
) -> Result<BulkResult> {
    each(tx, ids, (Deed::Extend(minutes), reason), mode, scope).await
}

/// Writes who came; whoever did not has it in their score, and whoever did after all has it no more. What a case or a deferral says
/// of them goes before.
///
/// # Errors
/// 409 when their score is past entering.
pub async fn attended(tx: &mut Tx, marks: &[(i64, ExamAttendance)]) -> Result<Vec<Change>> {
    let mut marks: Vec<(i64, ExamAttendance)> = marks.to_vec();
    marks.sort_by_key(|(id, _)| *id);
    let ids: Vec<i64> = marks.iter().map(|(id, _)| *id).collect();
    let rows = sqlx::query!(
        r#"select c.id as "id!", c.selection_id as "selection_id!", c.attendance as "attendance!: ExamAttendance",
                  c.eligibility as "eligibility!: ExamEligibility", c.violation_id,
                  case when c.violation_level = 'violation' and v.penalty is distinct from 'score_void'
                            and v.penalty is distinct from 'batch_void'
                       then 'none' else c.violation_level end as "level!: ViolationLevel"
           from exam_candidate c left join exam_violation v on v.id = c.violation_id
           where c.id = any($1) order by c.id for update of c"#,
        &ids
    )
    .fetch_all(&mut **tx)
    .await?;
    let wanted: BTreeMap<i64, ExamAttendance> = marks.into_iter().collect();
    let (mut changes, mut fixed) = (Vec::new(), Vec::new());
    let (mut moved, mut words) = (Vec::new(), Vec::new());
    for row in rows {
        let Some(to) = wanted.get(&row.id).copied().filter(|to| *to != row.attendance) else { continue };
        moved.push(row.id);
        words.push(to.as_str().to_owned());
        changes.push(Change::status("exam_candidate", row.id, "attendance", row.attendance.as_str(), to.as_str()));
        let plain = row.eligibility == ExamEligibility::Eligible;
        let (mark, zero_exam) = match (to, row.level) {
            // Whoever was only warned counts as others do.
            (_, level @ (ViolationLevel::Violation | ViolationLevel::Cheating)) => (Some(mark(level)), true),
            (ExamAttendance::Absent, ViolationLevel::None) => (Some(ScoreMark::Absent), true),
            (ExamAttendance::Present | ExamAttendance::Unknown, ViolationLevel::None) => (None, false),
        };
        let was = row.attendance == ExamAttendance::Absent;
        if plain && (to == ExamAttendance::Absent || was) {
            fixed.push(FixedMark {
                selection: row.selection_id,
                candidate: row.id,
                mark,
                zero_exam,
                violation: row.violation_id,
                reason: "考场情况登记".to_owned(),
            });
        }
    }
    let by = tx.by();
    sqlx::query!(
        "update exam_candidate c set attendance = w.attendance, updated_at = now(), updated_by = $3, version = c.version + 1
         from unnest($1::bigint[], $2::text[]) as w (id, attendance) where c.id = w.id",
        &moved,
        &words,
        by
    )
    .execute(&mut **tx)
    .await?;
    if !fixed.is_empty() {
        changes.extend(fix_marks(tx, &fixed).await?.changes);
    }
    Ok(changes)
}

/// Writes what a transfer handed in: the score of the paper and of a hundred, in tenths.
///
/// # Errors
/// Those of the database.
pub async fn scored(tx: &mut Tx, finals: &[(i64, Option<i64>, Option<i64>)]) -> Result<()> {
    let ids: Vec<i64> = finals.iter().map(|(id, ..)| *id).collect();
    let raws: Vec<Option<f64>> = finals.iter().map(|(_, raw, _)| raw.map(points)).collect();
    let scores: Vec<Option<f64>> = finals.iter().map(|(_, _, score)| score.map(points)).collect();
    let by = tx.by();
    sqlx::query!(
        "update exam_candidate c
         set final_raw = w.raw::numeric, final_score = w.score::numeric, updated_at = now(), updated_by = $4, version = c.version + 1
         from unnest($1::bigint[], $2::float8[], $3::float8[]) as w (id, raw, score) where c.id = w.id",
        &ids,
        &raws as &[Option<f64>],
        &scores as &[Option<f64>],
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Writes which paper candidates got.
///
/// # Errors
/// Those of the database.
pub async fn dealt(tx: &mut Tx, papers: &[(i64, i64, Option<PaperVariant>)]) -> Result<()> {
    let ids: Vec<i64> = papers.iter().map(|(id, ..)| *id).collect();
    let snapshots: Vec<i64> = papers.iter().map(|(_, snapshot, _)| *snapshot).collect();
    let slots: Vec<Option<String>> =
        papers.iter().map(|(_, _, slot)| slot.map(|slot| slot.as_str().to_owned())).collect();
    sqlx::query!(
        "update exam_candidate c set snapshot_id = w.snapshot, slot = w.slot
         from unnest($1::bigint[], $2::bigint[], $3::text[]) as w (id, snapshot, slot) where c.id = w.id",
        &ids,
        &snapshots,
        &slots as &[Option<String>]
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Lets candidates enter again until then.
///
/// # Errors
/// Those of the database.
pub async fn reopen(tx: &mut Tx, ids: &[i64], until: Moment) -> Result<()> {
    let by = tx.by();
    sqlx::query!(
        "update exam_candidate
         set reopened_until = $2, attendance = case when attendance = 'absent' then 'unknown' else attendance end,
             updated_at = now(), updated_by = $3, version = version + 1
         where id = any($1)",
        ids,
        until as _,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
