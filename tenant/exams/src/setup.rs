//! 考试安排: the examination of one course in one batch (part 04 §2.1, §4.2). Two facades step it: `online_exams` and `offline_exams`;
//! what both do to it stands here.

pub mod list;
mod options;
mod write;

use exam_rules::enums::AttemptScoring;
use exam_rules::{
    anti_cheat::AntiCheat,
    eligible::Limits,
    setup::{SetupTurn, after},
};
use infra::{Change, Entity, Error, History, Part, Result, Scope, Tx, clock::Moment, options::Source};
use papers::enums::PaperVariant;
use question_bank::score::points;
use scores_rules::enums::ExamRound;
use serde_json::Value;
use sqlx::{PgConnection, types::Json};

pub use exam_rules::setup::SetupPlan;
pub use list::{SetupFilter, SetupRow};
pub use write::{insert, plan_of, told, update, usual};

use crate::{
    NOT_ALL_CLASSES,
    enums::{
        ExamMode, ExamPaperMode, ExamSetupStatus, MarkingMode, MarkingStatus, ShowScoreMode, TestBatchKind,
        TestBatchStatus,
    },
};

pub const PART: Part = Part {
    entities: &[
        Entity { table: "exam_setup", name: "考试安排", counted: "个考试安排" },
        Entity { table: "exam_setup_class", name: "考试对象", counted: "个考试安排" },
        Entity { table: "exam_setup_paper", name: "考试试卷", counted: "个考试安排" },
    ],
    histories: &[History {
        table: "exam_setup",
        code: "exam:pc:online:setup:view",
        // A setup lies where one of its classes or candidates is: the first of those that the caller sees.
        scope: Some((
            "coalesce(
                (select k.site_id from exam_setup_class t join class k on k.id = t.class_id
                 where t.setup_id = exam_setup.id and k.site_id = any($2) limit 1),
                (select y.site_id from exam_candidate c join student y on y.id = c.student_id
                 where c.setup_id = exam_setup.id and y.site_id = any($2) limit 1))",
            Some(
                "coalesce(
                    (select t.class_id from exam_setup_class t
                     where t.setup_id = exam_setup.id and t.class_id = any($3) limit 1),
                    (select y.class_id from exam_candidate c join student y on y.id = c.student_id
                     where c.setup_id = exam_setup.id and y.class_id = any($3) limit 1))",
            ),
        )),
    }],
    options: &[Source::new("examSetup", |connection, asked| Box::pin(options::options(connection, asked)))
        .below("考试安排的批次")
        .with::<options::SetupOption>()],
    ..Part::NONE
};

/// A setup that is held, as its steps know it. Scores are tenths.
#[derive(Debug, Clone)]
pub struct HeldSetup {
    pub id: i64,
    pub version: i32,
    pub batch_id: i64,
    pub batch_name: String,
    pub batch_status: TestBatchStatus,
    pub batch_kind: TestBatchKind,
    pub mode: ExamMode,
    pub course_id: i64,
    pub course_name: String,
    pub semester_id: i64,
    pub name: String,
    pub round: ExamRound,
    /// Of its session, where it stands in one.
    pub starts_at: Option<Moment>,
    pub ends_at: Option<Moment>,
    pub duration_minutes: Option<i32>,
    pub late_limit_minutes: Option<i32>,
    pub earliest_submit_minutes: i32,
    pub max_attempts: i32,
    pub attempt_scoring: AttemptScoring,
    pub paper_mode: Option<ExamPaperMode>,
    pub rule_id: Option<i64>,
    pub seed: i64,
    pub shuffle_questions: bool,
    pub shuffle_options: bool,
    pub paper_total: Option<i64>,
    pub marking_mode: MarkingMode,
    pub mark_diff_percent: i32,
    pub anonymous_marking: bool,
    pub show_score: ShowScoreMode,
    pub show_answer: ShowScoreMode,
    pub limits: Limits,
    pub include_deferred: bool,
    pub anti_cheat: AntiCheat,
    pub session_id: Option<i64>,
    pub no_seating: bool,
    pub status: ExamSetupStatus,
    pub marking_status: MarkingStatus,
    pub submitted_by: Option<i64>,
    pub reopened_until: Option<Moment>,
}

impl HeldSetup {
    /// # Errors
    /// 409 when it changed since it was read.
    pub async fn as_read(&self, tx: &mut Tx, version: i32) -> Result<()> {
        if self.version == version { Ok(()) } else { Err(tx.stale("exam_setup", self.id).await) }
    }

    /// # Errors
    /// 409 where such a step leads nowhere.
    pub fn after(&self, turn: SetupTurn) -> Result<ExamSetupStatus> {
        after(self.status, turn, self.mode).map_err(Error::conflict)
    }

    /// # Errors
    /// 409 when its batch is over: nothing of it changes any more.
    pub fn in_live_batch(&self) -> Result<()> {
        live(self.batch_status)
    }

    /// Whether candidates may already have seen it.
    pub fn is_given(&self) -> bool {
        matches!(self.status, ExamSetupStatus::Published | ExamSetupStatus::Closed)
    }
}

/// # Errors
/// 409 for a batch that is over.
pub fn live(batch: TestBatchStatus) -> Result<()> {
    match batch {
        TestBatchStatus::Draft | TestBatchStatus::Active => Ok(()),
        TestBatchStatus::Closed | TestBatchStatus::Archived => {
            Err(Error::conflict(format!("批次{}，不能修改考试安排", batch.zh())))
        }
    }
}

/// A setup without holding it, whoever sees it.
///
/// # Errors
/// 404 when there is none of this mode.
pub async fn known(connection: &mut PgConnection, id: i64, mode: ExamMode) -> Result<HeldSetup> {
    let row = sqlx::query!(
        r#"select s.id as "id!", s.version as "version!", s.batch_id as "batch_id!", b.name as "batch_name!",
                  b.status as "batch_status!: TestBatchStatus", b.kind as "batch_kind!: TestBatchKind",
                  s.course_id as "course_id!", u.name as "course_name!", s.semester_id as "semester_id!", s.name as "name!",
                  s.round as "round!: ExamRound", t.starts_at as "starts_at?", t.ends_at as "ends_at?",
                  coalesce(s.duration_minutes, x.duration_minutes) as duration, s.late_limit_minutes,
                  s.earliest_submit_minutes as "earliest!", s.max_attempts as "attempts!",
                  s.attempt_scoring as "scoring!: AttemptScoring", s.paper_mode as "paper_mode: ExamPaperMode", s.rule_id,
                  s.seed as "seed!", s.shuffle_questions as "questions!", s.shuffle_options as "options!",
                  (s.paper_total * 10)::bigint as paper_total, s.marking_mode as "marking_mode!: MarkingMode",
                  s.mark_diff_percent as "diff!", s.anonymous_marking as "anonymous!",
                  s.show_score as "show_score!: ShowScoreMode", s.show_answer as "show_answer!: ShowScoreMode",
                  (s.min_progress * 10)::bigint as progress, (s.min_homework * 10)::bigint as homework,
                  (s.max_absence * 10)::bigint as absence, s.require_fee as "fee!", s.include_deferred as "deferred!",
                  s.anti_cheat as "anti_cheat!: Json<Value>", s.session_id, s.no_seating as "no_seating!",
                  s.status as "status!: ExamSetupStatus", s.marking_status as "marking_status!: MarkingStatus",
                  s.submitted_by, s.reopened_until
           from exam_setup s
           join test_batch b on b.id = s.batch_id
           join course u on u.id = s.course_id
           join exam_setup_time t on t.setup_id = s.id
           left join offline_session x on x.id = s.session_id
           where s.id = $1 and s.mode = $2"#,
        id,
        mode.as_str()
    )
    .fetch_optional(connection)
    .await?
    .ok_or_else(Error::not_found)?;
    Ok(HeldSetup {
        id: row.id,
        version: row.version,
        batch_id: row.batch_id,
        batch_name: row.batch_name,
        batch_status: row.batch_status,
        batch_kind: row.batch_kind,
        mode,
        course_id: row.course_id,
        course_name: row.course_name,
        semester_id: row.semester_id,
        name: row.name,
        round: row.round,
        starts_at: row.starts_at,
        ends_at: row.ends_at,
        duration_minutes: row.duration,
        late_limit_minutes: row.late_limit_minutes,
        earliest_submit_minutes: row.earliest,
        max_attempts: row.attempts,
        attempt_scoring: row.scoring,
        paper_mode: row.paper_mode,
        rule_id: row.rule_id,
        seed: row.seed,
        shuffle_questions: row.questions,
        shuffle_options: row.options,
        paper_total: row.paper_total,
        marking_mode: row.marking_mode,
        mark_diff_percent: row.diff,
        anonymous_marking: row.anonymous,
        show_score: row.show_score,
        show_answer: row.show_answer,
        limits: Limits { progress: row.progress, homework: row.homework, absence: row.absence, fee: row.fee },
        include_deferred: row.deferred,
        anti_cheat: AntiCheat::stored(row.anti_cheat.0),
        session_id: row.session_id,
        no_seating: row.no_seating,
        status: row.status,
        marking_status: row.marking_status,
        submitted_by: row.submitted_by,
        reopened_until: row.reopened_until,
    })
}

/// Holds a setup behind its batch and session, whoever changes it: its candidates, its steps.
///
/// # Errors
/// 404 when there is none of this mode.
pub async fn hold(tx: &mut Tx, id: i64, mode: ExamMode) -> Result<HeldSetup> {
    sqlx::query_scalar!(
        "select id from test_batch where id = (select batch_id from exam_setup where id = $1) for share",
        id
    )
    .fetch_optional(&mut **tx)
    .await?;
    sqlx::query_scalar!(
        "select id from offline_session where id = (select session_id from exam_setup where id = $1) for share",
        id
    )
    .fetch_optional(&mut **tx)
    .await?;
    tx.lock("exam_setup", id).await?;
    known(tx, id, mode).await
}

/// # Errors
/// 404 for a setup of which the scope opens neither class nor candidate.
pub async fn viewable(connection: &mut PgConnection, id: i64, mode: ExamMode, scope: &Scope) -> Result<()> {
    let wanted = infra::across::KeyQuery { id: Some(id), limit: Some(1), ..Default::default() };
    let keys = list::matching(connection, mode, &SetupFilter::default(), scope, wanted).await?;
    if keys.is_empty() { Err(Error::not_found()) } else { Ok(()) }
}

/// The same for whoever changes it as a whole.
///
/// # Errors
/// 404 outside the scope; 403 when it has classes or candidates beyond it.
pub async fn held(tx: &mut Tx, id: i64, mode: ExamMode, scope: &Scope) -> Result<HeldSetup> {
    viewable(tx, id, mode, scope).await?;
    let setup = hold(tx, id, mode).await?;
    all_within(tx, id, scope).await?;
    Ok(setup)
}

/// The same without holding it, for whoever only starts the work on it.
///
/// # Errors
/// As [`held`].
pub async fn changeable(connection: &mut PgConnection, id: i64, mode: ExamMode, scope: &Scope) -> Result<HeldSetup> {
    viewable(connection, id, mode, scope).await?;
    all_within(connection, id, scope).await?;
    known(connection, id, mode).await
}

/// # Errors
/// 403 for a setup with classes or candidates beyond the scope.
async fn all_within(connection: &mut PgConnection, id: i64, scope: &Scope) -> Result<()> {
    if !scope.is_whole() {
        let beyond = sqlx::query_scalar!(
            r#"select exists (
                          select from exam_setup_class t join class k on k.id = t.class_id
                          where t.setup_id = $1 and not (k.site_id = any($2::bigint[]) or k.id = any($3::bigint[])))
                      or exists (
                          select from exam_candidate c join student y on y.id = c.student_id
                          where c.setup_id = $1 and not c.removed
                            and not coalesce(y.site_id = any($2) or y.class_id = any($3), false)) as "beyond!""#,
            id,
            scope.sites(),
            scope.classes()
        )
        .fetch_one(connection)
        .await?;
        if beyond {
            return Err(Error::new(403, NOT_ALL_CLASSES));
        }
    }
    Ok(())
}

/// What a step says.
#[derive(Debug, Clone, Copy, Default)]
pub struct Said<'a> {
    /// Why it was cancelled or taken back.
    pub reason: Option<&'a str>,
    /// What the reviewer says.
    pub opinion: Option<&'a str>,
    /// Until when it is opened again.
    pub until: Option<Moment>,
}

/// Writes the status behind a step with the columns that tell of it. Whoever calls asked [`HeldSetup::after`].
///
/// # Errors
/// Those of the database.
pub async fn turned(tx: &mut Tx, setup: &HeldSetup, to: ExamSetupStatus, said: Said<'_>) -> Result<Change> {
    let (by, name, now) = (tx.by(), tx.actor().name.clone(), tx.app().clock().now());
    let reviewed = match setup.status {
        ExamSetupStatus::Submitted => to != ExamSetupStatus::Cancelled,
        ExamSetupStatus::Approved => to == ExamSetupStatus::Draft,
        _ => false,
    };
    sqlx::query!(
        "update exam_setup
         set status = $2,
             submitted_by = case when $2 = 'submitted' then $4 else submitted_by end,
             submitted_by_name = case when $2 = 'submitted' then $5 else submitted_by_name end,
             submitted_at = case when $2 = 'submitted' then $6::timestamptz else submitted_at end,
             reviewed_by = case when $10 then $4 when $2 = 'submitted' then null else reviewed_by end,
             reviewed_by_name = case when $10 then $5 when $2 = 'submitted' then null else reviewed_by_name end,
             reviewed_at = case when $10 then $6::timestamptz when $2 = 'submitted' then null else reviewed_at end,
             review_opinion = case when $10 then $7 when $2 = 'submitted' then null else review_opinion end,
             published_at = case when $2 = 'published' and $3 <> 'closed' then $6::timestamptz
                                 when $2 in ('draft', 'approved') then null else published_at end,
             closed_at = case when $2 = 'closed' then $6::timestamptz when $2 = 'published' then null else closed_at end,
             reopened_until = case when $2 = 'published' and $3 = 'closed' then greatest(reopened_until, $8::timestamptz)
                                   else reopened_until end,
             cancel_reason = case when $2 = 'cancelled' then $9 else cancel_reason end,
             updated_at = now(), updated_by = $4, version = version + 1
         where id = $1",
        setup.id,
        to.as_str(),
        setup.status.as_str(),
        by,
        name,
        now as _,
        said.opinion,
        said.until as _,
        said.reason,
        reviewed
    )
    .execute(&mut **tx)
    .await?;
    let change = Change::status("exam_setup", setup.id, "status", setup.status.as_str(), to.as_str());
    Ok(change.because(said.reason.or(said.opinion)))
}

/// Writes how far the marking of a setup is.
///
/// # Errors
/// 404 when there is none.
pub async fn marking(tx: &mut Tx, setup: i64, to: MarkingStatus) -> Result<Change> {
    let by = tx.by();
    let before = sqlx::query_scalar!(
        r#"select marking_status as "status: MarkingStatus" from exam_setup where id = $1 for update"#,
        setup
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)?;
    if before == to {
        return Ok(Change::nothing("exam_setup", setup));
    }
    sqlx::query!(
        "update exam_setup set marking_status = $2, updated_at = now(), updated_by = $3, version = version + 1 where id = $1",
        setup,
        to.as_str(),
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(Change::status("exam_setup", setup, "markingStatus", before.as_str(), to.as_str()))
}

/// Takes a draft away with its candidates.
///
/// # Errors
/// 409 for another than a draft, and when something else refers to it.
pub async fn remove(tx: &mut Tx, setup: &HeldSetup) -> Result<Change> {
    if setup.status != ExamSetupStatus::Draft {
        return Err(Error::conflict(format!("考试“{}”{}，只有草稿可以删除", setup.name, setup.status.zh())));
    }
    let reported = sqlx::query_scalar!(
        r#"select exists (
               select from exam_violation v join exam_candidate c on c.id = v.candidate_id where c.setup_id = $1) as "reported!""#,
        setup.id
    )
    .fetch_one(&mut **tx)
    .await?;
    if reported {
        return Err(Error::conflict(format!("考试“{}”已登记违规，不能删除", setup.name)));
    }
    let before = told(&plan_of(tx, setup.id).await?);
    sqlx::query!("delete from exam_candidate where setup_id = $1", setup.id).execute(&mut **tx).await?;
    sqlx::query!("delete from exam_setup_class where setup_id = $1", setup.id).execute(&mut **tx).await?;
    sqlx::query!("delete from exam_setup_paper where setup_id = $1", setup.id).execute(&mut **tx).await?;
    sqlx::query!("delete from exam_marker where setup_id = $1", setup.id).execute(&mut **tx).await?;
    tx.remove("exam_setup", setup.id, &setup.name).await?;
    Ok(Change::deleted("exam_setup", setup.id, &before))
}

/// Keeps what the papers of a setup were frozen to, what they come to (in tenths; none where there are no papers) and by which seed
/// they are dealt.
///
/// # Errors
/// Those of the database.
pub async fn frozen(
    tx: &mut Tx,
    setup: i64,
    (seed, total): (i64, Option<i64>),
    papers: &[(PaperVariant, i64)],
) -> Result<()> {
    sqlx::query!(
        "update exam_setup set seed = $2, paper_total = $3::float8::numeric where id = $1",
        setup,
        seed,
        total.map(points)
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "update exam_setup_paper p set snapshot_id = w.snapshot
         from unnest($2::text[], $3::bigint[]) as w (slot, snapshot) where p.setup_id = $1 and p.slot = w.slot",
        setup,
        &papers.iter().map(|(slot, _)| slot.as_str().to_owned()).collect::<Vec<String>>(),
        &papers.iter().map(|(_, snapshot)| *snapshot).collect::<Vec<i64>>()
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
