//! How questions are read.

use chrono::NaiveDate;
use community_rules::enums::CommunityStatus;
use futures_util::TryStreamExt;
use infra::{
    Error, Paging, Result, RichText,
    across::Segment,
    clock::{Moment, day_began, day_ended},
    transfer::Rows,
};
use poem_openapi::Object;
use sqlx::PgConnection;

use crate::blog::LabelOfContent;

/// A question.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct CommunityQuestion {
    /// 编号
    pub id: i64,
    /// 标题
    pub title: String,
    /// 提问人
    pub learner_name: String,
    /// 标签
    pub labels: Vec<String>,
    /// 审核状态
    pub audit_status: CommunityStatus,
    /// 审核意见
    pub audit_opinion: Option<String>,
    /// 审核人
    pub auditor_name: Option<String>,
    /// 审核时间
    pub audited_at: Option<Moment>,
    /// 已关闭
    pub closed: bool,
    /// 采纳的回答
    pub accepted_answer_id: Option<i64>,
    /// 已采纳
    pub accepted: bool,
    /// 回答数
    /// 审核通过的
    pub answer_count: i64,
    /// 待审核回答数
    pub waiting_answers: i64,
    /// 提问时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

/// A question with what was asked.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct CommunityQuestionView {
    #[oai(flatten)]
    pub question: CommunityQuestion,
    /// 内容
    pub content: RichText,
    /// 标签明细
    pub label_list: Vec<LabelOfContent>,
    /// 发表地址
    pub ip: Option<String>,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct CommunityQuestionFilter {
    /// 标题
    #[oai(validator(max_length = 60))]
    pub title: Option<String>,
    /// 提问人
    #[oai(validator(max_length = 30))]
    pub learner_name: Option<String>,
    /// 标签编号
    pub label_id: Option<i64>,
    /// 审核状态
    pub audit_status: Option<CommunityStatus>,
    /// 已关闭
    pub closed: Option<bool>,
    /// 已采纳
    pub accepted: Option<bool>,
    /// 提问日期起
    pub created_from: Option<NaiveDate>,
    /// 提问日期止
    pub created_to: Option<NaiveDate>,
}

/// The newest first.
pub(super) fn select<'c>(
    connection: &'c mut PgConnection,
    only: Option<i64>,
    filter: &CommunityQuestionFilter,
    page: Option<Paging>,
) -> Rows<'c, CommunityQuestion> {
    let rows = sqlx::query_as!(
        CommunityQuestion,
        r#"select q.id, q.title, q.learner_name,
                  array(select l.label_name from platform.community_question_label m
                        join platform.community_label l on l.id = m.label_id
                        where m.question_id = q.id order by l.label_name, l.id) as "labels!",
                  q.audit_status as "audit_status: _", q.audit_opinion,
                  (select u.real_name from platform.sys_user u where u.id = q.audited_by) as "auditor_name?", q.audited_at,
                  q.closed, q.accepted_answer_id, q.accepted_answer_id is not null as "accepted!",
                  (select count(*) from platform.community_answer a where a.question_id = q.id and a.audit_status = 'approved')
                      as "answer_count!",
                  (select count(*) from platform.community_answer a where a.question_id = q.id and a.audit_status = 'pending')
                      as "waiting_answers!",
                  q.created_at, q.version
           from platform.community_question q
           where ($1::bigint is null or q.id = $1)
             and ($2::text is null or strpos(q.title, $2) > 0)
             and ($3::text is null or strpos(q.learner_name, $3) > 0)
             and ($4::bigint is null or exists (
                     select from platform.community_question_label m where m.question_id = q.id and m.label_id = $4))
             and ($5::text is null or q.audit_status = $5)
             and ($6::boolean is null or q.closed = $6)
             and ($7::boolean is null or (q.accepted_answer_id is not null) = $7)
             and ($8::timestamptz is null or q.created_at >= $8)
             and ($9::timestamptz is null or q.created_at < $9)
           order by q.created_at desc, q.id desc limit $10 offset $11"#,
        only,
        filter.title,
        filter.learner_name,
        filter.label_id,
        filter.audit_status.map(CommunityStatus::as_str),
        filter.closed,
        filter.accepted,
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended),
        page.map(Paging::limit),
        page.map(Paging::offset)
    )
    .fetch(connection);
    Box::pin(rows)
}

/// How many questions are in each state, whichever of them the filter wants.
pub(super) async fn segments(connection: &mut PgConnection, filter: &CommunityQuestionFilter) -> Result<Vec<Segment>> {
    let segments = sqlx::query_as!(
        Segment,
        r#"select q.audit_status as "value!", count(*) as "count!" from platform.community_question q
           where ($1::text is null or strpos(q.title, $1) > 0)
             and ($2::text is null or strpos(q.learner_name, $2) > 0)
             and ($3::bigint is null or exists (
                     select from platform.community_question_label m where m.question_id = q.id and m.label_id = $3))
             and ($4::boolean is null or q.closed = $4)
             and ($5::boolean is null or (q.accepted_answer_id is not null) = $5)
             and ($6::timestamptz is null or q.created_at >= $6)
             and ($7::timestamptz is null or q.created_at < $7)
           group by q.audit_status order by q.audit_status"#,
        filter.title,
        filter.learner_name,
        filter.label_id,
        filter.closed,
        filter.accepted,
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended)
    )
    .fetch_all(connection)
    .await?;
    Ok(segments)
}

pub(super) async fn find(connection: &mut PgConnection, id: i64) -> Result<CommunityQuestion> {
    let found = select(connection, Some(id), &CommunityQuestionFilter::default(), None).try_next().await?;
    found.ok_or_else(Error::not_found)
}

pub(super) async fn view(connection: &mut PgConnection, id: i64) -> Result<CommunityQuestionView> {
    let question = find(connection, id).await?;
    let text =
        sqlx::query!(r#"select content as "content: RichText", ip from platform.community_question where id = $1"#, id)
            .fetch_one(&mut *connection)
            .await?;
    let label_list = sqlx::query_as!(
        LabelOfContent,
        "select l.id, l.label_name from platform.community_question_label m join platform.community_label l on l.id = m.label_id
         where m.question_id = $1 order by l.label_name, l.id",
        id
    )
    .fetch_all(connection)
    .await?;
    Ok(CommunityQuestionView { question, content: text.content, label_list, ip: text.ip })
}
