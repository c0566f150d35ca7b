//! A learner comes into a class with its code (01 §9.11).

use infra::{Body, Change, Customer, Error, OnConstraint, Reply, Result, Tx, Writes, pace::Pace, reply};
use learners::LearnerClient;
use poem_openapi::{Object, OpenApi, types::Example};
use quiz_rules::{
    class::{joins, typed_code},
    enums::QuizMemberState,
};
use serde_json::json;

use crate::class::lock;

/// Codes that one learner may try in a minute: at that pace nobody finds one of a thousand million.
const TRIES: Pace = Pace::per_minute(10);

/// 加入考试班级.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct QuizClassJoin {
    /// 邀请码
    /// 不区分大小写
    #[oai(validator(min_length = 1, max_length = 20))]
    pub invite_code: String,
}

impl Example for QuizClassJoin {
    fn example() -> Self {
        Self { invite_code: "AB3K9Z".to_owned() }
    }
}

/// Where somebody came in, or waits.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct QuizClassJoined {
    /// 考试班级
    pub grade_id: i64,
    /// 班级名称
    pub grade_name: String,
    /// 状态
    /// 需审核的班级为待审核
    pub state: QuizMemberState,
}

pub struct OwnQuizClasses;

#[OpenApi(prefix_path = "/exam/client/grade", tag = "crate::Tag::QuizClasses")]
impl OwnQuizClasses {
    /// 加入考试班级
    #[oai(path = "/join", method = "post", operation_id = "joinQuizClass")]
    async fn join(
        &self,
        caller: Customer<LearnerClient, Writes>,
        Body(wanted): Body<QuizClassJoin>,
    ) -> Result<Reply<QuizClassJoined>> {
        let learner = caller.session.person_id;
        caller.app.in_pace("quizClass.join", &learner.to_string(), TRIES)?;
        let mut tx = caller.begin().await?;
        let (joined, change) = join(&mut tx, learner, &wanted.invite_code).await?;
        tx.commit(change).await?;
        Ok(reply(joined))
    }
}

/// The class is held meanwhile, so that of two who want its last seat one is told.
///
/// # Errors
/// 404 for a code that no open class has; 409 `班级人数已满`, for a class that is over, and for whoever asked already.
pub(crate) async fn join(tx: &mut Tx, learner: i64, typed: &str) -> Result<(QuizClassJoined, Change)> {
    let unknown = || Error::new(404, "邀请码无效，请核对后重新输入");
    let code = typed_code(typed);
    let grade = sqlx::query_scalar!("select id from platform.exam_grade_info where invite_code = $1", code)
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(unknown)?;
    let class = lock(tx, grade).await?;
    // It may have got another code while this waited for it.
    if !class.enabled || class.invite_code != code {
        return Err(unknown());
    }
    let now = tx.app().clock().now();
    if class.ends_on < now.date_naive() {
        return Err(Error::conflict("班级已结束，不能加入"));
    }
    let before = sqlx::query_scalar!(
        r#"select state as "state: QuizMemberState" from platform.exam_grade_member where grade_id = $1 and learner_id = $2"#,
        grade,
        learner
    )
    .fetch_optional(&mut **tx)
    .await?;
    let seats = class.seats(tx).await?;
    let state = joins(class.verify, before, seats)?;
    let joined_at = (state == QuizMemberState::Joined).then_some(now);
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into platform.exam_grade_member (grade_id, learner_id, state, joined_at, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $5) returning id",
        grade,
        learner,
        state.as_str(),
        joined_at,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(|constraint| (constraint == "exam_grade_member_once").then(|| Error::conflict("您已加入该班级")))?;
    let what = json!({ "gradeId": grade, "learnerId": learner, "state": state.as_str() });
    let joined = QuizClassJoined { grade_id: grade, grade_name: class.grade_name, state };
    Ok((joined, Change::event("exam_grade_member", id, "insert", what)))
}
