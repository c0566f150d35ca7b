//! How a setup is written, from whichever facade (part 04 §2.1, §4.2).

use exam_rules::enums::AssessMode;
use exam_rules::enums::AttemptScoring;
use exam_rules::setup::{SetupPlan, as_published, assess_mode_of, check, round_of};
use infra::{Change, Error, OnConstraint, Result, Scope, Tx, naming::tidy, pinyin};
use papers::enums::{PaperStatus, PaperVariant};
use poem_openapi::types::Any;
use question_bank::{enums::PaperKind, score::points};
use scores_rules::enums::ExamRound;
use serde_json::{Value, json};
use sqlx::{PgConnection, types::Json};

use super::{HeldSetup, held};
use crate::{
    NOT_ALL_CLASSES,
    batch::{HeldBatch, held_for_setup},
    enums::{ExamMode, ExamPaperMode, ExamSetupStatus, MarkingMode, ShowScoreMode, TestBatchKind},
};

/// Characters of a name.
const LONGEST_NAME: usize = 80;

/// A plan as the trail tells it.
pub fn told(plan: &SetupPlan) -> Any<Value> {
    Any(json!({
        "batchId": plan.batch_id, "courseId": plan.course_id, "semesterId": plan.semester_id, "name": plan.name,
        "round": plan.round.as_str(), "assessMode": plan.assess_mode.as_str(), "startsAt": plan.starts_at,
        "endsAt": plan.ends_at, "durationMinutes": plan.duration_minutes, "lateLimitMinutes": plan.late_limit_minutes,
        "earliestSubmitMinutes": plan.earliest_submit_minutes, "maxAttempts": plan.max_attempts,
        "attemptScoring": plan.attempt_scoring.as_str(), "paperMode": plan.paper_mode.map(ExamPaperMode::as_str),
        "ruleId": plan.rule_id, "shuffleQuestions": plan.shuffle_questions, "shuffleOptions": plan.shuffle_options,
        "passScore": points(plan.pass_score), "markingMode": plan.marking_mode.as_str(),
        "markDiffPercent": plan.mark_diff_percent, "anonymousMarking": plan.anonymous_marking,
        "showScore": plan.show_score.as_str(), "showAnswer": plan.show_answer.as_str(),
        "minProgress": plan.min_progress.map(points), "minHomework": plan.min_homework.map(points),
        "maxAbsence": plan.max_absence.map(points), "requireFee": plan.require_fee, "includeDeferred": plan.include_deferred,
        "antiCheat": plan.anti_cheat.kept(), "sessionId": plan.session_id, "noSeating": plan.no_seating,
        "remark": plan.remark, "classIds": plan.class_ids,
        "papers": plan.papers.iter().map(|(slot, paper)| json!({ "slot": slot.as_str(), "paperId": paper })).collect::<Vec<_>>(),
    }))
}

fn explain(constraint: &str) -> Option<Error> {
    match constraint {
        "exam_setup_of_course" => Some(Error::field("courseId", "所选课程不存在，请重新选择")),
        "exam_setup_of_semester" => Some(Error::field("semesterId", "所选学期不存在，请重新选择")),
        "exam_setup_of_session" => Some(Error::field("sessionId", "所选场次不存在，请重新选择")),
        "exam_setup_of_rule" => Some(Error::field("ruleId", "所选组卷策略不存在，请重新选择")),
        "exam_setup_class_of_class" => Some(Error::field("classIds", "所选班级不存在，请重新选择")),
        "exam_setup_paper_of_paper" => Some(Error::field("papers", "所选试卷不存在，请重新选择")),
        "exam_candidate_of_setup" => Some(Error::conflict("已有考生名单，不能修改批次和课程")),
        _ => None,
    }
}

/// A plan with what nobody says: the round of its batch, and the way in which its course is examined.
///
/// # Errors
/// 422 when there is no such batch.
pub async fn usual(
    connection: &mut PgConnection,
    (batch, course, semester): (i64, i64, i64),
    mode: ExamMode,
) -> Result<SetupPlan> {
    let kind = sqlx::query_scalar!(r#"select kind as "kind: TestBatchKind" from test_batch where id = $1"#, batch)
        .fetch_optional(&mut *connection)
        .await?
        .ok_or_else(|| Error::field("batchId", "所选批次不存在，请重新选择"))?;
    let stated = sqlx::query_scalar!(
        r#"select assess_mode as "mode!: AssessMode" from course_opening
           where course_id = $1 and semester_id = $2 and status in ('opened', 'closed') and assess_mode is not null
           group by assess_mode order by count(*) desc, min(id)"#,
        course,
        semester
    )
    .fetch_all(connection)
    .await?;
    let assess_mode = assess_mode_of(&stated, mode);
    Ok(SetupPlan { assess_mode, ..SetupPlan::usual(batch, course, semester, round_of(kind)) })
}

/// What a plan names: a course that is there, a session of the batch, approved papers and a rule of the course for examinations.
/// A paper that it has kept may have gone out of use since.
async fn check_referred(connection: &mut PgConnection, plan: &SetupPlan, kept: &[i64]) -> Result<String> {
    let course = sqlx::query_scalar!("select name from course where id = $1", plan.course_id)
        .fetch_optional(&mut *connection)
        .await?
        .ok_or_else(|| Error::field("courseId", "所选课程不存在，请重新选择"))?;
    if let Some(session) = plan.session_id {
        let fits = sqlx::query_scalar!(
            r#"select exists (select from offline_session where id = $1 and batch_id = $2) as "fits!""#,
            session,
            plan.batch_id
        )
        .fetch_one(&mut *connection)
        .await?;
        if !fits {
            return Err(Error::field("sessionId", "所选场次不属于该批次，请重新选择"));
        }
    }
    let ids: Vec<i64> = plan.papers.iter().map(|(_, paper)| *paper).collect();
    let papers = sqlx::query!(
        r#"select id, name, course_id, kind as "kind: PaperKind", status as "status: PaperStatus",
                  (total_score * 10)::bigint as "total!"
           from paper where id = any($1)"#,
        &ids
    )
    .fetch_all(&mut *connection)
    .await?;
    if papers.len() < ids.len() {
        return Err(Error::field("papers", "所选试卷不存在，请重新选择"));
    }
    for paper in &papers {
        if paper.course_id != plan.course_id {
            return Err(Error::field("papers", format!("试卷“{}”不是该课程的试卷", paper.name)));
        }
        if !matches!(paper.kind, PaperKind::Exam | PaperKind::Makeup) {
            return Err(Error::field("papers", format!("试卷“{}”用于{}，不能用于考试", paper.name, paper.kind.zh())));
        }
        if paper.status != PaperStatus::Approved && !kept.contains(&paper.id) {
            let told = format!("试卷“{}”的状态为{}，请选择已通过的试卷", paper.name, paper.status.zh());
            return Err(Error::field("papers", told));
        }
    }
    if papers.windows(2).any(|pair| pair[0].total != pair[1].total) {
        return Err(Error::field("papers", "各试卷的总分应相同"));
    }
    if let Some(rule) = plan.rule_id {
        let rule = sqlx::query!(
            r#"select name, course_id, kind as "kind: PaperKind", enabled from paper_rule where id = $1"#,
            rule
        )
        .fetch_optional(&mut *connection)
        .await?
        .ok_or_else(|| Error::field("ruleId", "所选组卷策略不存在，请重新选择"))?;
        if rule.course_id != plan.course_id || !matches!(rule.kind, PaperKind::Exam | PaperKind::Makeup) {
            return Err(Error::field("ruleId", format!("组卷策略“{}”不是该课程的考试策略", rule.name)));
        }
        if !rule.enabled {
            return Err(infra::naming::switched_off("ruleId", &rule.name));
        }
    }
    Ok(course)
}

/// # Errors
/// 403 when a class lies beyond the scope.
async fn all_within(connection: &mut PgConnection, classes: &[i64], scope: &Scope) -> Result<()> {
    if scope.is_whole() {
        return Ok(());
    }
    let seen = sqlx::query_scalar!(
        r#"select count(*) as "seen!" from class
           where id = any($1) and (site_id = any($2::bigint[]) or id = any($3::bigint[]))"#,
        classes,
        scope.sites(),
        scope.classes()
    )
    .fetch_one(connection)
    .await?;
    if usize::try_from(seen).is_ok_and(|seen| seen == classes.len()) {
        Ok(())
    } else {
        Err(Error::new(403, NOT_ALL_CLASSES))
    }
}

/// A plan with what it leaves open decided, of a setup that has these papers.
async fn resolved(
    tx: &mut Tx,
    (plan, kept): (&SetupPlan, &[i64]),
    batch: &HeldBatch,
    mode: ExamMode,
    scope: &Scope,
) -> Result<SetupPlan> {
    let wrong = check(plan, &batch.facts(), mode);
    if !wrong.is_empty() {
        return Err(Error::fields(wrong));
    }
    all_within(tx, &plan.class_ids, scope).await?;
    let course = check_referred(tx, plan, kept).await?;
    let mut plan = plan.clone();
    let name = plan.name.as_deref().map(tidy).filter(|name| !name.is_empty());
    let name = name.unwrap_or_else(|| format!("{course} {}", batch.name));
    plan.name = Some(name.chars().take(LONGEST_NAME).collect());
    plan.remark = plan.remark.filter(|text| !text.is_empty());
    plan.class_ids.sort_unstable();
    plan.papers.sort_by_key(|(slot, _)| slot.as_str());
    Ok(plan)
}

/// Makes a setup, a draft.
///
/// # Errors
/// 403 for classes beyond the scope; 422 for what is wrong or cannot be chosen.
pub async fn insert(tx: &mut Tx, plan: &SetupPlan, mode: ExamMode, scope: &Scope) -> Result<(i64, Change)> {
    let batch = held_for_setup(tx, plan.batch_id).await?;
    let plan = resolved(tx, (plan, &[]), &batch, mode, scope).await?;
    let (by, actor) = (tx.by(), tx.actor().name.clone());
    let name = plan.name.clone().unwrap_or_default();
    let id = sqlx::query_scalar!(
        "insert into exam_setup (batch_id, mode, course_id, semester_id, name, initials, round, assess_mode, starts_at, ends_at,
             duration_minutes, late_limit_minutes, earliest_submit_minutes, max_attempts, attempt_scoring, paper_mode, rule_id,
             shuffle_questions, shuffle_options, pass_score, marking_mode, mark_diff_percent, anonymous_marking, show_score,
             show_answer, min_progress, min_homework, max_absence, require_fee, include_deferred, anti_cheat, session_id,
             no_seating, remark, created_by_name, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20::float8::numeric, $21,
             $22, $23, $24, $25, $26::float8::numeric, $27::float8::numeric, $28::float8::numeric, $29, $30, $31, $32, $33, $34,
             $35, $36, $36)
         returning id",
        plan.batch_id,
        mode.as_str(),
        plan.course_id,
        plan.semester_id,
        name,
        pinyin::text_initials(&name),
        plan.round.as_str(),
        plan.assess_mode.as_str(),
        plan.starts_at as _,
        plan.ends_at as _,
        plan.duration_minutes,
        plan.late_limit_minutes,
        plan.earliest_submit_minutes,
        plan.max_attempts,
        plan.attempt_scoring.as_str(),
        plan.paper_mode.map(ExamPaperMode::as_str),
        plan.rule_id,
        plan.shuffle_questions,
        plan.shuffle_options,
        points(plan.pass_score),
        plan.marking_mode.as_str(),
        plan.mark_diff_percent,
        plan.anonymous_marking,
        plan.show_score.as_str(),
        plan.show_answer.as_str(),
        plan.min_progress.map(points),
        plan.min_homework.map(points),
        plan.max_absence.map(points),
        plan.require_fee,
        plan.include_deferred,
        plan.anti_cheat.kept(),
        plan.session_id,
        plan.no_seating,
        plan.remark,
        actor,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(explain)?;
    parts(tx, id, &plan).await?;
    Ok((id, Change::created("exam_setup", id, &told(&plan))))
}

/// Classes and papers of a setup; papers that were frozen keep their snapshots.
async fn parts(tx: &mut Tx, id: i64, plan: &SetupPlan) -> Result<()> {
    sqlx::query!("delete from exam_setup_class where setup_id = $1 and class_id <> all($2)", id, &plan.class_ids)
        .execute(&mut **tx)
        .await?;
    sqlx::query!(
        "insert into exam_setup_class (setup_id, class_id) select $1, c.id from unnest($2::bigint[]) as c (id)
         on conflict (setup_id, class_id) do nothing",
        id,
        &plan.class_ids
    )
    .execute(&mut **tx)
    .await
    .on_constraint(explain)?;
    let slots: Vec<String> = plan.papers.iter().map(|(slot, _)| slot.as_str().to_owned()).collect();
    let papers: Vec<i64> = plan.papers.iter().map(|(_, paper)| *paper).collect();
    sqlx::query!(
        "delete from exam_setup_paper p
         where p.setup_id = $1 and not exists (
             select from unnest($2::text[], $3::bigint[]) as w (slot, paper) where w.slot = p.slot and w.paper = p.paper_id)",
        id,
        &slots,
        &papers
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "insert into exam_setup_paper (setup_id, slot, paper_id)
         select $1, w.slot, w.paper from unnest($2::text[], $3::bigint[]) as w (slot, paper)
         on conflict (setup_id, slot) do nothing",
        id,
        &slots,
        &papers
    )
    .execute(&mut **tx)
    .await
    .on_constraint(explain)?;
    Ok(())
}

/// A setup as it was typed.
///
/// # Errors
/// 404 when there is none.
pub async fn plan_of(connection: &mut PgConnection, id: i64) -> Result<SetupPlan> {
    let row = sqlx::query!(
        r#"select batch_id, course_id, semester_id, name, round as "round: ExamRound", assess_mode as "assess_mode: AssessMode",
                  starts_at, ends_at, duration_minutes, late_limit_minutes, earliest_submit_minutes, max_attempts,
                  attempt_scoring as "attempt_scoring: AttemptScoring", paper_mode as "paper_mode: ExamPaperMode", rule_id,
                  shuffle_questions, shuffle_options, (pass_score * 10)::bigint as "pass!",
                  marking_mode as "marking_mode: MarkingMode", mark_diff_percent, anonymous_marking,
                  show_score as "show_score: ShowScoreMode", show_answer as "show_answer: ShowScoreMode",
                  (min_progress * 10)::bigint as progress, (min_homework * 10)::bigint as homework,
                  (max_absence * 10)::bigint as absence, require_fee, include_deferred, anti_cheat as "anti_cheat: Json<Value>",
                  session_id, no_seating, remark
           from exam_setup where id = $1"#,
        id
    )
    .fetch_optional(&mut *connection)
    .await?
    .ok_or_else(Error::not_found)?;
    let class_ids =
        sqlx::query_scalar!("select class_id from exam_setup_class where setup_id = $1 order by class_id", id)
            .fetch_all(&mut *connection)
            .await?;
    let papers = sqlx::query!(
        r#"select slot as "slot: PaperVariant", paper_id from exam_setup_paper where setup_id = $1 order by slot"#,
        id
    )
    .fetch_all(connection)
    .await?;
    Ok(SetupPlan {
        batch_id: row.batch_id,
        course_id: row.course_id,
        semester_id: row.semester_id,
        name: Some(row.name),
        round: row.round,
        assess_mode: row.assess_mode,
        starts_at: row.starts_at,
        ends_at: row.ends_at,
        duration_minutes: row.duration_minutes,
        late_limit_minutes: row.late_limit_minutes,
        earliest_submit_minutes: row.earliest_submit_minutes,
        max_attempts: row.max_attempts,
        attempt_scoring: row.attempt_scoring,
        paper_mode: row.paper_mode,
        rule_id: row.rule_id,
        shuffle_questions: row.shuffle_questions,
        shuffle_options: row.shuffle_options,
        pass_score: row.pass,
        marking_mode: row.marking_mode,
        mark_diff_percent: row.mark_diff_percent,
        anonymous_marking: row.anonymous_marking,
        show_score: row.show_score,
        show_answer: row.show_answer,
        min_progress: row.progress,
        min_homework: row.homework,
        max_absence: row.absence,
        require_fee: row.require_fee,
        include_deferred: row.include_deferred,
        anti_cheat: exam_rules::anti_cheat::AntiCheat::stored(row.anti_cheat.0),
        session_id: row.session_id,
        no_seating: row.no_seating,
        remark: row.remark,
        class_ids,
        papers: papers.into_iter().map(|row| (row.slot, row.paper_id)).collect(),
    })
}

/// # Errors
/// 404 and 403 as [`held`]; 409 when it changed since it was read, is reviewed or over; 422 for what is wrong, and for what a
/// published one keeps.
pub async fn update(
    tx: &mut Tx,
    id: i64,
    version: i32,
    plan: &SetupPlan,
    mode: ExamMode,
    scope: &Scope,
) -> Result<Change> {
    let setup: HeldSetup = held(tx, id, mode, scope).await?;
    setup.as_read(tx, version).await?;
    match setup.status {
        ExamSetupStatus::Draft | ExamSetupStatus::Published => {}
        ExamSetupStatus::Submitted | ExamSetupStatus::Approved => return Err(Error::conflict("请先退回考试安排")),
        ExamSetupStatus::Closed | ExamSetupStatus::Cancelled => {
            return Err(Error::conflict(format!("考试{}，不能修改", setup.status.zh())));
        }
    }
    let before = plan_of(tx, id).await?;
    let batch = held_for_setup(tx, plan.batch_id).await?;
    let kept: Vec<i64> = before.papers.iter().map(|(_, paper)| *paper).collect();
    let after = resolved(tx, (plan, &kept), &batch, mode, scope).await?;
    if setup.status == ExamSetupStatus::Published {
        let wrong = as_published(&before, &after);
        if !wrong.is_empty() {
            return Err(Error::fields(wrong));
        }
    }
    let by = tx.by();
    let name = after.name.clone().unwrap_or_default();
    sqlx::query!(
        "update exam_setup
         set batch_id = $2, course_id = $3, semester_id = $4, name = $5, initials = $6, round = $7, assess_mode = $8,
             starts_at = $9, ends_at = $10, duration_minutes = $11, late_limit_minutes = $12, earliest_submit_minutes = $13,
             max_attempts = $14, attempt_scoring = $15, paper_mode = $16, rule_id = $17, shuffle_questions = $18,
             shuffle_options = $19, pass_score = $20::float8::numeric, marking_mode = $21, mark_diff_percent = $22,
             anonymous_marking = $23, show_score = $24, show_answer = $25, min_progress = $26::float8::numeric,
             min_homework = $27::float8::numeric, max_absence = $28::float8::numeric, require_fee = $29, include_deferred = $30,
             anti_cheat = $31, session_id = $32, no_seating = $33, remark = $34, updated_at = now(), updated_by = $35,
             version = version + 1
         where id = $1",
        id,
        after.batch_id,
        after.course_id,
        after.semester_id,
        name,
        pinyin::text_initials(&name),
        after.round.as_str(),
        after.assess_mode.as_str(),
        after.starts_at as _,
        after.ends_at as _,
        after.duration_minutes,
        after.late_limit_minutes,
        after.earliest_submit_minutes,
        after.max_attempts,
        after.attempt_scoring.as_str(),
        after.paper_mode.map(ExamPaperMode::as_str),
        after.rule_id,
        after.shuffle_questions,
        after.shuffle_options,
        points(after.pass_score),
        after.marking_mode.as_str(),
        after.mark_diff_percent,
        after.anonymous_marking,
        after.show_score.as_str(),
        after.show_answer.as_str(),
        after.min_progress.map(points),
        after.min_homework.map(points),
        after.max_absence.map(points),
        after.require_fee,
        after.include_deferred,
        after.anti_cheat.kept(),
        after.session_id,
        after.no_seating,
        after.remark,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(explain)?;
    parts(tx, id, &after).await?;
    Ok(Change::edited("exam_setup", id, &told(&before), &told(&after)))
}
