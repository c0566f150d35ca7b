//! What learners do with an exam: begin it, save their answers, hand them in (01 §9.11).
//!
//! An attempt is begun under the learner's own row, so that of several that begin at once each counts those before it. Whoever begins
//! while one of theirs runs goes on with it. On the site an exam is public and free or bought; in a class it is what the class was
//! arranged, in its time, whether or not it is sold on the site.

mod admit;

use infra::{Body, Change, Customer, Error, OnConstraint, Reply, Result, Tx, Writes, clock::Moment, reply};
use learners::{LearnerClient, account};
use poem_openapi::{
    Object, OpenApi,
    types::{Example, ToJSON},
};
use question_bank_rules::score::{points, tenths};
use quiz_rules::{
    answer::{QuizAnswer, checked, merged},
    attempt::{deadline, is_over, next_attempt},
    enums::{QuizRecordState, QuizSubmitKind},
    paper::{AskedSection, asked, files, frozen},
};
use serde_json::json;
use sqlx::PgConnection;

use crate::{
    problem::{QuizMedia, media::shown, select::for_papers},
    record::write::{Held, lock, submit},
};

use admit::{Admitted, admitted};

/// 开始考试.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct QuizStart {
    /// 试卷
    pub exam_id: i64,
    /// 考试班级
    /// 在班级安排中考试时填写
    pub grade_id: Option<i64>,
}

impl Example for QuizStart {
    fn example() -> Self {
        Self { exam_id: 1, grade_id: None }
    }
}

/// 保存或提交的答案.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct QuizAnswers {
    /// 考试记录
    pub record_id: i64,
    /// 答案
    /// 只需列出有变化的题，其余保持不变
    #[oai(default, validator(max_items = 10000))]
    pub answers: Vec<QuizAnswer>,
}

impl Example for QuizAnswers {
    fn example() -> Self {
        Self { record_id: 1, answers: Vec::new() }
    }
}

/// An attempt as its learner reads it while it runs: nothing of what is right.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct QuizSheet {
    /// 考试记录
    pub record_id: i64,
    /// 试卷
    pub exam_id: i64,
    /// 试卷名称
    pub exam_name: String,
    /// 第几次
    pub attempt_no: i32,
    /// 总分
    pub total_score: f64,
    /// 及格分
    pub pass_score: f64,
    /// 开始时间
    pub started_at: Moment,
    /// 截止时间
    pub deadline_at: Moment,
    /// 剩余秒数
    pub remaining_seconds: i64,
    /// 大题
    pub sections: Vec<AskedSection>,
    /// 已保存的答案
    pub answers: Vec<QuizAnswer>,
    /// 图片和音频
    /// 地址数分钟内有效
    pub media: Vec<QuizMedia>,
}

/// What is kept of a running attempt.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct QuizKept {
    /// 考试记录
    pub record_id: i64,
    /// 保存时间
    pub saved_at: Moment,
    /// 剩余秒数
    pub remaining_seconds: i64,
}

/// What an attempt came to.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct QuizResult {
    /// 考试记录
    pub record_id: i64,
    /// 状态
    pub state: QuizRecordState,
    /// 客观题得分
    pub objective_score: f64,
    /// 得分
    /// 待批改时为空
    pub score: Option<f64>,
    /// 及格
    /// 待批改时为空
    pub passed: Option<bool>,
}

fn remaining(deadline: Moment, now: Moment) -> i64 {
    (deadline - now).num_seconds().max(0)
}

pub struct OwnQuizzes;

#[OpenApi(prefix_path = "/exam/client/info", tag = "crate::Tag::Quizzes")]
impl OwnQuizzes {
    /// 开始线上试卷
    /// 有正在进行的考试时继续作答
    #[oai(path = "/start", method = "post", operation_id = "startOwnQuiz")]
    async fn start(
        &self,
        caller: Customer<LearnerClient, Writes>,
        Body(wanted): Body<QuizStart>,
    ) -> Result<Reply<QuizSheet>> {
        let learner = caller.session.person_id;
        let mut tx = caller.begin().await?;
        account::lock(&mut tx, learner).await?;
        let (held, changes) = begun(&mut tx, learner, &wanted).await?;
        let sheet = sheet(&mut tx, &held).await?;
        tx.commit_all(changes).await?;
        Ok(reply(sheet))
    }

    /// 保存线上试卷答案
    #[oai(path = "/save", method = "post", operation_id = "saveOwnQuiz")]
    async fn save(
        &self,
        caller: Customer<LearnerClient, Writes>,
        Body(sent): Body<QuizAnswers>,
    ) -> Result<Reply<QuizKept>> {
        let now = caller.app.clock().now();
        let mut tx = caller.begin().await?;
        let held = own(&mut tx, sent.record_id, caller.session.person_id).await?;
        if held.state != QuizRecordState::Doing {
            return Err(Error::conflict("已交卷，不能再修改答案"));
        }
        if is_over(held.deadline_at, now) {
            let (_, change) = submit(&mut tx, &held, QuizSubmitKind::Time).await?;
            tx.commit(change).await?;
            return Err(Error::conflict("考试时间已到，已自动交卷"));
        }
        let count = sent.answers.len();
        keep(&mut tx, &held, sent.answers, now).await?;
        tx.commit(Change::event("online_exam_record", held.id, "save", json!({ "answers": count }))).await?;
        let remaining_seconds = remaining(held.deadline_at, now);
        Ok(reply(QuizKept { record_id: held.id, saved_at: now, remaining_seconds }))
    }

    /// 提交线上试卷
    /// 重复提交返回已有结果
    #[oai(path = "/submit", method = "post", operation_id = "submitOwnQuiz")]
    async fn submit(
        &self,
        caller: Customer<LearnerClient, Writes>,
        Body(sent): Body<QuizAnswers>,
    ) -> Result<Reply<QuizResult>> {
        let now = caller.app.clock().now();
        let mut tx = caller.begin().await?;
        let mut held = own(&mut tx, sent.record_id, caller.session.person_id).await?;
        if held.state != QuizRecordState::Doing {
            let again = json!({ "state": held.state.as_str(), "repeated": true });
            tx.commit(Change::event("online_exam_record", held.id, "submit", again)).await?;
            return Ok(reply(QuizResult {
                record_id: held.id,
                state: held.state,
                objective_score: points(held.objective_score.unwrap_or_default()),
                score: held.score.map(points),
                passed: held.passed,
            }));
        }
        // What comes behind the time does not count any more; what was saved before does.
        let kind = if is_over(held.deadline_at, now) {
            QuizSubmitKind::Time
        } else {
            keep(&mut tx, &held, sent.answers, now).await?;
            held = lock(&mut tx, held.id).await?;
            QuizSubmitKind::Learner
        };
        let (outcome, change) = submit(&mut tx, &held, kind).await?;
        tx.commit(change).await?;
        let state = if outcome.total.is_some() { QuizRecordState::Finished } else { QuizRecordState::Marking };
        Ok(reply(QuizResult {
            record_id: held.id,
            state,
            objective_score: points(outcome.objective),
            score: outcome.total.map(points),
            passed: outcome.passed(held.pass_score),
        }))
    }
}

/// A learner's attempt, held.
///
/// # Errors
/// 404 also for one of somebody else.
async fn own(tx: &mut Tx, record: i64, learner: i64) -> Result<Held> {
    let held = lock(tx, record).await?;
    if held.learner_id == learner { Ok(held) } else { Err(Error::not_found()) }
}

pub(crate) async fn keep(tx: &mut Tx, held: &Held, answers: Vec<QuizAnswer>, now: Moment) -> Result<()> {
    let given = checked(&held.paper()?, answers)?;
    let kept = merged(held.given()?, given);
    let by = tx.by();
    sqlx::query!(
        "update platform.online_exam_record set answers = $2, saved_at = $3, updated_at = now(), updated_by = $4, version = version + 1
         where id = $1",
        held.id,
        kept.to_json().unwrap_or_default(),
        now,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// The attempt that runs, or a new one. The caller holds the learner.
///
/// # Errors
/// As [`admitted`]; 409 `考试次数已用完`, and while an attempt runs that was begun elsewhere.
pub(crate) async fn begun(tx: &mut Tx, learner: i64, wanted: &QuizStart) -> Result<(Held, Vec<Change>)> {
    let now = tx.app().clock().now();
    let mut changes = Vec::new();
    let running = sqlx::query_scalar!(
        "select id from platform.online_exam_record where exam_id = $1 and learner_id = $2 and state = 'doing'",
        wanted.exam_id,
        learner
    )
    .fetch_optional(&mut **tx)
    .await?;
    if let Some(running) = running {
        let held = lock(tx, running).await?;
        // It may have ended while this waited for it.
        if held.state == QuizRecordState::Doing {
            if !is_over(held.deadline_at, now) {
                // What was begun on the site would not count in the class, nor the other way round.
                if held.grade_id != wanted.grade_id {
                    return Err(Error::conflict("您在其他入口已开始这份试卷，请先交卷"));
                }
                let what = json!({ "attemptNo": held.attempt_no });
                changes.push(Change::event("online_exam_record", held.id, "resume", what));
                return Ok((held, changes));
            }
            changes.push(submit(tx, &held, QuizSubmitKind::Time).await?.1);
        }
    }
    let (id, change) = new_attempt(tx, learner, wanted, now).await?;
    changes.push(change);
    Ok((lock(tx, id).await?, changes))
}

async fn new_attempt(tx: &mut Tx, learner: i64, wanted: &QuizStart, now: Moment) -> Result<(i64, Change)> {
    let Admitted { content, closes_at } = admitted(tx, learner, wanted, now).await?;
    let begun = sqlx::query_scalar!(
        r#"select coalesce(max(attempt_no), 0) as "begun!" from platform.online_exam_record where exam_id = $1 and learner_id = $2"#,
        wanted.exam_id,
        learner
    )
    .fetch_one(&mut **tx)
    .await?;
    let attempt_no = next_attempt(content.attempt_limit, begun)?;
    let problems = for_papers(tx, &content.problem_ids()).await?;
    let paper = frozen(&content.sections, &problems);
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into platform.online_exam_record (exam_id, learner_id, attempt_no, grade_id, exam_name, total_score, pass_score, snapshot,
             started_at, deadline_at, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11) returning id",
        wanted.exam_id,
        learner,
        attempt_no,
        wanted.grade_id,
        content.exam_name,
        tenths(content.total_score),
        tenths(content.pass_score),
        paper.to_json().unwrap_or_default(),
        now,
        deadline(now, content.duration_minutes, closes_at),
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(|constraint| match constraint {
        "online_exam_record_once" | "online_exam_record_doing_once" => Some(Error::conflict("考试已经开始，请刷新后继续作答")),
        _ => None,
    })?;
    let what = json!({ "examId": wanted.exam_id, "attemptNo": attempt_no, "gradeId": wanted.grade_id });
    Ok((id, Change::event("online_exam_record", id, "start", what)))
}

async fn sheet(tx: &mut Tx, held: &Held) -> Result<QuizSheet> {
    let app = tx.app().clone();
    let now = app.clock().now();
    let paper = held.paper()?;
    let connection: &mut PgConnection = tx;
    let media = shown(&app, connection, &files(&paper, false)).await?;
    Ok(QuizSheet {
        record_id: held.id,
        exam_id: held.exam_id,
        exam_name: held.exam_name.clone(),
        attempt_no: held.attempt_no,
        total_score: points(held.total_score),
        pass_score: points(held.pass_score),
        started_at: held.started_at,
        deadline_at: held.deadline_at,
        remaining_seconds: remaining(held.deadline_at, now),
        sections: asked(&paper),
        answers: held.given()?,
        media,
    })
}
