//! How a thesis comes to its topic and its adviser.

use infra::{Change, Error, Result, Tx};
use serde_json::json;
use thesis_rules::{
    enums::{SelectMode, ThesisStage, ThesisStageStatus, TopicStatus},
    stage::ThesisTurn,
};

use super::hold::{Held, turned};

/// A topic that is held.
pub(crate) struct Topic {
    pub id: i64,
    pub plan_id: i64,
    pub title: String,
    pub teacher_id: Option<i64>,
    /// The student whose own idea it is.
    pub proposed_by: Option<i64>,
    pub major_ids: Vec<i64>,
    pub capacity: i32,
    pub taken: i32,
    pub status: TopicStatus,
}

/// # Errors
/// 404 for no topic.
pub(crate) async fn topic(tx: &mut Tx, id: i64) -> Result<Topic> {
    sqlx::query_as!(
        Topic,
        r#"select id, plan_id, title, teacher_id, proposed_by, major_ids, capacity, taken, status as "status: _"
           from thesis_topic where id = $1"#,
        id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)
}

/// A place of a topic more or less.
///
/// # Errors
/// Those of the database.
pub(crate) async fn place(tx: &mut Tx, id: i64, more: i32) -> Result<()> {
    let by = tx.by();
    sqlx::query!(
        "update thesis_topic set taken = greatest(taken + $2, 0), updated_at = now(), updated_by = $3, version = version + 1
         where id = $1",
        id,
        more,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Gives a place of the thesis' topic back.
///
/// # Errors
/// Those of the database.
pub(crate) async fn give_back(tx: &mut Tx, thesis: &Held) -> Result<()> {
    match thesis.topic_id {
        Some(topic) => place(tx, topic, -1).await,
        None => Ok(()),
    }
}

/// Takes a topic for a thesis. `asks`: where advisers confirm, this one has to; else the topic that waits for its adviser is
/// confirmed. Topics and thesis are held.
///
/// # Errors
/// 409 for a topic that is not approved, full, or of another plan or major; for a thesis that is past its topic.
pub(crate) async fn take(tx: &mut Tx, thesis: &Held, topic: &Topic, asks: bool) -> Result<Vec<Change>> {
    if topic.plan_id != thesis.plan_id {
        return Err(Error::conflict("该题目不属于本论文批次"));
    }
    if thesis.topic_id == Some(topic.id) {
        // Staff agree in place of the adviser for whom the choice waits.
        let waits = (thesis.stage, thesis.stage_status) == (ThesisStage::Topic, ThesisStageStatus::Submitted);
        if waits && !asks {
            return Ok(vec![turned(tx, thesis, thesis.to(ThesisTurn::TakeTopic)?, None).await?]);
        }
        return Err(Error::conflict("已选择该题目"));
    }
    if topic.proposed_by.is_some_and(|student| student != thesis.student_id) {
        return Err(Error::conflict("该题目由其他学生申报，不能选择"));
    }
    if topic.status != TopicStatus::Approved {
        return Err(Error::conflict(format!("该题目{}，不能选择", topic.status.zh())));
    }
    if !topic.major_ids.is_empty() && !topic.major_ids.contains(&thesis.major_id) {
        return Err(Error::conflict("该题目不适用于本专业"));
    }
    if topic.taken >= topic.capacity {
        return Err(Error::conflict("该题目已被选满"));
    }
    if thesis.stage != ThesisStage::Topic {
        return Err(Error::conflict(format!("论文已进入{}阶段，请变更题目", thesis.stage.zh())));
    }
    let turn = if asks && thesis.select_mode == SelectMode::AdviserConfirm && topic.teacher_id.is_some() {
        ThesisTurn::AskTopic
    } else {
        ThesisTurn::TakeTopic
    };
    let to = thesis.to(turn)?;
    give_back(tx, thesis).await?;
    place(tx, topic.id, 1).await?;
    let adviser = match (topic.teacher_id, thesis.adviser_id) {
        (Some(teacher), own) if own != Some(teacher) => {
            room(tx, thesis, teacher).await?;
            Some(teacher)
        }
        (_, own) => own,
    };
    let (by, now) = (tx.by(), tx.app().clock().now());
    sqlx::query!(
        "update thesis set topic_id = $2, title = $3, title_changed_at = $4, adviser_id = $5, updated_at = now(), updated_by = $6,
                version = version + 1
         where id = $1",
        thesis.id,
        topic.id,
        topic.title,
        now as _,
        adviser,
        by
    )
    .execute(&mut **tx)
    .await?;
    let what = json!({ "topicId": topic.id, "title": topic.title, "adviserId": adviser });
    Ok(vec![Change::event("thesis", thesis.id, "topic", what), turned(tx, thesis, to, None).await?])
}

/// # Errors
/// 409 for a teacher who advises nobody in the plan, or not this major, or has as many as they may.
pub(crate) async fn room(tx: &mut Tx, thesis: &Held, teacher: i64) -> Result<()> {
    let adviser = sqlx::query!(
        "select quota, major_ids from thesis_adviser where plan_id = $1 and teacher_id = $2 for update",
        thesis.plan_id,
        teacher
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(|| Error::conflict("该教师不是本批次的指导教师"))?;
    if !adviser.major_ids.is_empty() && !adviser.major_ids.contains(&thesis.major_id) {
        return Err(Error::conflict("该教师不指导该学生的专业"));
    }
    let quota = i64::from(adviser.quota.unwrap_or(thesis.adviser_quota));
    let has = sqlx::query_scalar!(
        r#"select count(*) as "has!" from thesis
           where plan_id = $1 and adviser_id = $2 and id <> $3 and status in ('active', 'finished')"#,
        thesis.plan_id,
        teacher,
        thesis.id
    )
    .fetch_one(&mut **tx)
    .await?;
    if has >= quota {
        return Err(Error::conflict(format!("该教师已指导{has}人，达到上限")));
    }
    Ok(())
}

/// Gives a thesis its adviser. The thesis is held.
///
/// # Errors
/// 409 as [`room`].
pub(crate) async fn advise(tx: &mut Tx, thesis: &Held, teacher: i64) -> Result<Change> {
    if thesis.adviser_id == Some(teacher) {
        return Ok(Change::nothing("thesis", thesis.id));
    }
    room(tx, thesis, teacher).await?;
    let reviews = sqlx::query_scalar!(
        r#"select exists (select from thesis_review where thesis_id = $1 and reviewer_id = $2) as "reviews!""#,
        thesis.id,
        teacher
    )
    .fetch_one(&mut **tx)
    .await?;
    if reviews {
        return Err(Error::conflict("评阅教师不能是指导教师"));
    }
    let by = tx.by();
    sqlx::query!(
        "update thesis set adviser_id = $2, updated_at = now(), updated_by = $3, version = version + 1 where id = $1",
        thesis.id,
        teacher,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(Change::status("thesis", thesis.id, "adviserId", json!(thesis.adviser_id), teacher))
}
