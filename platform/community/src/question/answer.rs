//! 回答: those with a word to be looked at, or all while they wait, are decided on by the call that decides on questions.

use catalogue_rules::audit::AuditDecision;
use community_rules::enums::CommunityStatus;
use infra::{
    Allowed, Body, Change, Error, Page, Paged, Paging, Reply, Result, Saved, Tx, clock::Moment, permissions, reply,
};
use poem_openapi::{Object, OpenApi, param::Query};
use sqlx::PgConnection;

use super::step::{accept_none, hold};

permissions! {
    pages "/community/questions/list";
    InPlatform Reads  ListCommunityAnswers  = "user:pc:community:questions:answer:list" "回答列表";
    InPlatform Writes DeleteCommunityAnswer = "user:pc:community:questions:answer:delete" "删除回答";
}

/// An answer.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct CommunityAnswer {
    /// 编号
    pub id: i64,
    /// 问题
    pub question_id: i64,
    /// 回答人
    pub learner_name: String,
    /// 内容
    pub content: String,
    /// 已采纳
    pub accepted: bool,
    /// 审核状态
    pub audit_status: CommunityStatus,
    /// 审核意见
    pub audit_opinion: Option<String>,
    /// 点赞数
    pub like_count: i64,
    /// 发表地址
    pub ip: Option<String>,
    /// 回答时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

/// Of which question.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct CommunityAnswerFilter {
    /// 问题
    pub question_id: i64,
    /// 审核状态
    pub audit_status: Option<CommunityStatus>,
}

pub struct CommunityAnswers;

#[OpenApi(prefix_path = "/user/pc/community/questions/answer", tag = "crate::Tag::Community")]
impl CommunityAnswers {
    /// 回答列表
    #[oai(path = "/list", method = "post", operation_id = "listCommunityAnswers")]
    async fn list(
        &self,
        caller: Allowed<ListCommunityAnswers>,
        Body(asked): Body<Paged<CommunityAnswerFilter>>,
    ) -> Result<Reply<Page<CommunityAnswer>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let mut tx = caller.read().await?;
        let total = sqlx::query_scalar!(
            r#"select count(*) as "count!" from platform.community_answer
               where question_id = $1 and ($2::text is null or audit_status = $2)"#,
            filter.question_id,
            filter.audit_status.map(CommunityStatus::as_str)
        )
        .fetch_one(&mut *tx)
        .await?;
        let list = select(&mut tx, &filter, paging).await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 删除回答
    /// 已采纳的回答删除后，问题恢复为未采纳
    #[oai(path = "/delete", method = "delete", operation_id = "deleteCommunityAnswer")]
    async fn delete(
        &self,
        caller: Allowed<DeleteCommunityAnswer>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let changes = remove(&mut tx, id.0).await?;
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id: id.0 }))
    }
}

/// The accepted one before the others, then the newest.
async fn select(
    connection: &mut PgConnection,
    filter: &CommunityAnswerFilter,
    page: Paging,
) -> Result<Vec<CommunityAnswer>> {
    let rows = sqlx::query_as!(
        CommunityAnswer,
        r#"select a.id, a.question_id, a.learner_name, a.content, q.accepted_answer_id is not distinct from a.id as "accepted!",
                  a.audit_status as "audit_status: _", a.audit_opinion, a.like_count, a.ip, a.created_at, a.version
           from platform.community_answer a join platform.community_question q on q.id = a.question_id
           where a.question_id = $1 and ($2::text is null or a.audit_status = $2)
           order by (q.accepted_answer_id is not distinct from a.id) desc, a.created_at desc, a.id desc limit $3 offset $4"#,
        filter.question_id,
        filter.audit_status.map(CommunityStatus::as_str),
        page.limit(),
        page.offset()
    )
    .fetch_all(connection)
    .await?;
    Ok(rows)
}

async fn find(connection: &mut PgConnection, id: i64) -> Result<CommunityAnswer> {
    sqlx::query_as!(
        CommunityAnswer,
        r#"select a.id, a.question_id, a.learner_name, a.content, q.accepted_answer_id is not distinct from a.id as "accepted!",
                  a.audit_status as "audit_status: _", a.audit_opinion, a.like_count, a.ip, a.created_at, a.version
           from platform.community_answer a join platform.community_question q on q.id = a.question_id where a.id = $1"#,
        id
    )
    .fetch_optional(connection)
    .await?
    .ok_or_else(Error::not_found)
}

/// # Errors
/// 422 for a rejection without opinion; 404 for an answer to another question; 409 for one that was decided on already.
pub(super) async fn decide(tx: &mut Tx, id: i64, decision: &AuditDecision) -> Result<Change> {
    decision.check()?;
    hold(tx, decision.id, None).await?;
    tx.lock("community_answer", id).await?;
    let before = find(tx, id).await?;
    if before.question_id != decision.id {
        return Err(Error::not_found());
    }
    before.audit_status.undecided("回答")?;
    if decision.version.is_some_and(|read| read != before.version) {
        return Err(tx.stale("community_answer", id).await);
    }
    let by = tx.by();
    sqlx::query!(
        "update platform.community_answer
         set audit_status = $2, audit_opinion = $3, updated_at = now(), updated_by = $4, version = version + 1 where id = $1",
        id,
        decision.audit_status.as_str(),
        decision.audit_opinion,
        by
    )
    .execute(&mut **tx)
    .await?;
    let (from, to) = (before.audit_status.as_str(), decision.audit_status.as_str());
    Ok(Change::status("community_answer", id, "auditStatus", from, to).because(decision.audit_opinion.as_deref()))
}

/// Whoever removes the accepted answer leaves the question without one.
async fn remove(tx: &mut Tx, id: i64) -> Result<Vec<Change>> {
    let known = find(tx, id).await?;
    hold(tx, known.question_id, None).await?;
    tx.lock("community_answer", id).await?;
    let before = find(tx, id).await?;
    let mut changes = Vec::new();
    if before.accepted {
        accept_none(tx, before.question_id).await?;
        let none: Option<i64> = None;
        changes.push(Change::status("community_question", before.question_id, "acceptedAnswerId", id, none));
    }
    sqlx::query!("delete from platform.community_answer where id = $1", id).execute(&mut **tx).await?;
    changes.push(Change::deleted("community_answer", id, &before));
    Ok(changes)
}
