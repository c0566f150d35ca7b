//! 答卷 of candidates with what is watched of them: held, handed in by time, told from others (part 04 §2.1, §2.3).

use exam_rules::{anti_cheat::AntiCheat, deadline::Window};
use exams::{
    enums::{ExamEligibility, ExamMode, ExamSetupStatus},
    setup::{HeldSetup, known},
};
use homework::{
    enums::SubmitKind,
    sheet::{Sheet, sheet, submit_sheet},
};
use homework_rules::{shuffle::Shuffle, times::grace};
use infra::{Change, Error, Result, Scope, Tx, clock::Moment};
use sqlx::PgConnection;

/// A candidate as their sheets know them.
#[derive(Debug, Clone)]
pub struct Candidate {
    pub id: i64,
    pub setup_id: i64,
    pub student_id: i64,
    pub selection_id: i64,
    pub snapshot_id: Option<i64>,
    pub eligibility: ExamEligibility,
    pub reason: Option<String>,
    pub extra_minutes: i32,
    pub reopened_until: Option<Moment>,
    pub removed: bool,
}

/// # Errors
/// 404 for none.
pub async fn candidate(connection: &mut PgConnection, id: i64) -> Result<Candidate> {
    sqlx::query_as!(
        Candidate,
        r#"select id, setup_id, student_id, selection_id, snapshot_id, eligibility as "eligibility: _",
                  eligibility_reason as reason, extra_minutes, reopened_until, removed
           from exam_candidate where id = $1"#,
        id
    )
    .fetch_optional(connection)
    .await?
    .ok_or_else(Error::not_found)
}

/// The candidate of a student in a setup.
///
/// # Errors
/// 404 for who does not sit for it.
pub async fn candidate_of(connection: &mut PgConnection, setup: i64, student: i64) -> Result<Candidate> {
    let id = sqlx::query_scalar!(
        "select id from exam_candidate where setup_id = $1 and student_id = $2 and not removed",
        setup,
        student
    )
    .fetch_optional(&mut *connection)
    .await?
    .ok_or_else(Error::not_found)?;
    candidate(connection, id).await
}

/// The time of a candidate.
pub fn window(setup: &HeldSetup, candidate: &Candidate) -> Result<Window> {
    let (Some(starts_at), Some(ends_at), Some(duration)) = (setup.starts_at, setup.ends_at, setup.duration_minutes)
    else {
        return Err(Error::internal("an examination on the net has no time"));
    };
    Ok(Window {
        starts_at,
        ends_at,
        duration,
        late: setup.late_limit_minutes,
        extra: candidate.extra_minutes,
        reopened: candidate.reopened_until,
    })
}

/// How a sheet with this seed is shown.
pub fn shuffle(setup: &HeldSetup, seed: i64) -> Shuffle {
    Shuffle { questions: setup.shuffle_questions, options: setup.shuffle_options, seed }
}

/// A sheet of an examination with its candidate and setup, the candidate and the sheet held.
#[derive(Debug, Clone)]
pub struct HeldSheet {
    pub setup: HeldSetup,
    pub candidate: Candidate,
    pub sheet: Sheet,
}

impl HeldSheet {
    pub fn anti(&self) -> &AntiCheat {
        &self.setup.anti_cheat
    }
}

/// Holds a sheet behind its candidate.
///
/// # Errors
/// 404 for none of an examination.
pub async fn held(tx: &mut Tx, id: i64) -> Result<HeldSheet> {
    let of = sqlx::query_scalar!("select exam_candidate_id from answer_sheet where id = $1", id)
        .fetch_optional(&mut **tx)
        .await?
        .flatten()
        .ok_or_else(Error::not_found)?;
    tx.lock("exam_candidate", of).await?;
    tx.lock("answer_sheet", id).await?;
    let candidate = candidate(tx, of).await?;
    let setup = known(tx, candidate.setup_id, ExamMode::Online).await?;
    Ok(HeldSheet { setup, candidate, sheet: sheet(tx, id).await? })
}

/// # Errors
/// 404 for a sheet of a student beyond the scope.
pub async fn see(connection: &mut PgConnection, id: i64, scope: &Scope) -> Result<()> {
    let seen = sqlx::query_scalar!(
        r#"select exists (
               select from answer_sheet a join exam_candidate c on c.id = a.exam_candidate_id join student y on y.id = c.student_id
               where a.id = $1
                 and ($2::bigint[] is null or y.site_id = any($2) or y.class_id = any($3::bigint[]))) as "seen!""#,
        id,
        scope.sites(),
        scope.classes()
    )
    .fetch_one(connection)
    .await?;
    if seen { Ok(()) } else { Err(Error::not_found()) }
}

/// Hands a sheet in that is held, whoever does; the change of its candidate comes with it.
///
/// # Errors
/// 409 for one that was handed in.
pub async fn hand_in(tx: &mut Tx, sheet: i64, kind: SubmitKind, why: Option<&str>) -> Result<Vec<Change>> {
    let mut changes = submit_sheet(tx, sheet, kind).await?.changes;
    if let Some(why) = why {
        let by = tx.by();
        sqlx::query!(
            "update exam_sheet_monitor set force_reason = $2, updated_at = now(), updated_by = $3, version = version + 1 where id = $1",
            sheet,
            why,
            by
        )
        .execute(&mut **tx)
        .await?;
        changes.push(Change::event("exam_sheet_monitor", sheet, "force", serde_json::json!({ "reason": why })));
    }
    Ok(changes)
}

/// Sheets whose time is over, the earliest first.
///
/// # Errors
/// Those of the database.
pub async fn overdue(connection: &mut PgConnection, now: Moment, most: i64) -> Result<Vec<i64>> {
    Ok(sqlx::query_scalar!(
        "select id from answer_sheet
         where mark_state = 'in_progress' and exam_candidate_id is not null and deadline_at < $1
         order by deadline_at, id limit $2",
        (now - grace()) as _,
        most
    )
    .fetch_all(connection)
    .await?)
}

/// Whether candidates of a setup may still answer.
pub fn is_open(setup: &HeldSetup) -> bool {
    setup.status == ExamSetupStatus::Published
}
