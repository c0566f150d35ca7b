//! What learners send: blogs, questions, comments and answers, and what they say that they are (01 §9.8, §9.11). Words of the library
//! are looked for before a transaction begins.

use community_rules::{
    enums::{CommentRef, CommunityStatus},
    writing::said,
};
use infra::{Body, Change, Customer, Error, Reply, Result, Saved, Tx, Writes, pace::Pace, reply};
use learners::LearnerClient;
use poem_openapi::{Object, OpenApi, types::Example};
use serde_json::json;
use site_study::comment::PRE_AUDIT as COMMENTS_WAIT;

use crate::{
    PRE_AUDIT,
    blog::{CommunityBlogForm, NewBlog, write},
    certificate::{CommunityCertificateForm, apply},
    question::{CommunityQuestionForm, NewQuestion, ask},
    screening::Screening,
};

/// What one learner sends here, of all kinds together.
const SENT: Pace = Pace::per_minute(20);

/// What a learner says of a blog, or answers to a question.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct CommunityCommentForm {
    /// 评论对象
    pub ref_type: CommentRef,
    /// 对象编号
    /// 博客或问题
    pub ref_id: i64,
    /// 回复的评论
    /// 只用于博客
    pub parent_id: Option<i64>,
    /// 内容
    /// 评论最多500个字，回答最多2000个字
    #[oai(validator(max_length = 2000))]
    pub content: String,
}

impl Example for CommunityCommentForm {
    fn example() -> Self {
        Self { ref_type: CommentRef::Blog, ref_id: 1, parent_id: None, content: "写得很实用".to_owned() }
    }
}

/// What was sent, and whether others see it already.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct CommunityWritten {
    /// 编号
    pub id: i64,
    /// 审核状态
    /// 待审核的通过后才展示
    pub audit_status: CommunityStatus,
}

/// What a learner says, once its words were looked at.
#[derive(Debug, Clone)]
pub(crate) struct Said {
    pub(crate) of: CommentRef,
    pub(crate) of_id: i64,
    pub(crate) parent_id: Option<i64>,
    pub(crate) content: String,
    /// The learner, and the name under which they say it.
    pub(crate) learner: (i64, String),
    pub(crate) status: CommunityStatus,
    pub(crate) ip: Option<String>,
}

/// The learner who sends, and the name under which they do.
///
/// # Errors
/// 429 for whoever sends faster than people write.
fn who(caller: &Customer<LearnerClient, Writes>) -> Result<(i64, String)> {
    let session = &caller.session;
    caller.app.in_pace("community", &session.person_id.to_string(), SENT)?;
    Ok((session.person_id, session.person_name.clone()))
}

pub struct OwnCommunity;

#[OpenApi(prefix_path = "/user/client/community", tag = "crate::Tag::Community")]
impl OwnCommunity {
    /// 发表博客
    /// 第一次发表的学员成为博主
    #[oai(path = "/blog/save", method = "post", operation_id = "saveOwnBlog")]
    async fn blog(
        &self,
        caller: Customer<LearnerClient, Writes>,
        Body(form): Body<CommunityBlogForm>,
    ) -> Result<Reply<CommunityWritten>> {
        let mut form = form.checked()?;
        let learner = who(&caller)?;
        let mut words = Screening::of(&caller.app, PRE_AUDIT).await?;
        form.title = words.text("title", &form.title).await?;
        form.content = words.rich("content", &form.content).await?;
        if let Some(summary) = form.summary.take() {
            form.summary = Some(words.text("summary", &summary).await?);
        }
        let audit_status = words.status();
        let mut tx = caller.begin().await?;
        let new = NewBlog { form, learner, status: audit_status, ip: Some(caller.visit.ip.clone()) };
        let (id, changes) = write(&mut tx, new).await?;
        tx.commit_all(changes).await?;
        Ok(reply(CommunityWritten { id, audit_status }))
    }

    /// 发表提问
    #[oai(path = "/questions/save", method = "post", operation_id = "saveOwnQuestion")]
    async fn question(
        &self,
        caller: Customer<LearnerClient, Writes>,
        Body(form): Body<CommunityQuestionForm>,
    ) -> Result<Reply<CommunityWritten>> {
        let mut form = form.checked()?;
        let learner = who(&caller)?;
        let mut words = Screening::of(&caller.app, PRE_AUDIT).await?;
        form.title = words.text("title", &form.title).await?;
        form.content = words.rich("content", &form.content).await?;
        let audit_status = words.status();
        let mut tx = caller.begin().await?;
        let new = NewQuestion { form, learner, status: audit_status, ip: Some(caller.visit.ip.clone()) };
        let (id, change) = ask(&mut tx, new).await?;
        tx.commit(change).await?;
        Ok(reply(CommunityWritten { id, audit_status }))
    }

    /// 发表社区评论
    /// 对博客的评论，或对问题的回答
    #[oai(path = "/comment/save", method = "post", operation_id = "saveOwnCommunityComment")]
    async fn comment(
        &self,
        caller: Customer<LearnerClient, Writes>,
        Body(form): Body<CommunityCommentForm>,
    ) -> Result<Reply<CommunityWritten>> {
        let content = said(&form.content, form.ref_type == CommentRef::Question)?;
        let learner = who(&caller)?;
        let mut words = Screening::of(&caller.app, COMMENTS_WAIT).await?;
        let content = words.text("content", content).await?;
        let audit_status = words.status();
        let mut tx = caller.begin().await?;
        let new = Said {
            of: form.ref_type,
            of_id: form.ref_id,
            parent_id: form.parent_id,
            content,
            learner,
            status: audit_status,
            ip: Some(caller.visit.ip.clone()),
        };
        let (id, change) = say(&mut tx, new).await?;
        tx.commit(change).await?;
        Ok(reply(CommunityWritten { id, audit_status }))
    }

    /// 申请认证
    #[oai(path = "/certificate/save", method = "post", operation_id = "saveOwnCertificate")]
    async fn certificate(
        &self,
        caller: Customer<LearnerClient, Writes>,
        Body(form): Body<CommunityCertificateForm>,
    ) -> Result<Reply<Saved>> {
        let learner = who(&caller)?;
        let mut tx = caller.begin().await?;
        let (id, change) = apply(&mut tx, learner, form).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }
}

/// Keeps what somebody says. Answers its number.
///
/// # Errors
/// 404 for what is not seen on the site, and for a comment that is not there; 409 for a question that is closed.
pub(crate) async fn say(tx: &mut Tx, said: Said) -> Result<(i64, Change)> {
    match said.of {
        CommentRef::Blog => comment_on(tx, said).await,
        CommentRef::Question => answer_to(tx, said).await,
    }
}

async fn comment_on(tx: &mut Tx, said: Said) -> Result<(i64, Change)> {
    let seen = sqlx::query_scalar!(
        r#"select b.audit_status = 'approved' and b.putaway = 'on' and g.enabled as "seen!"
           from platform.blog b join platform.blogger g on g.id = b.blogger_id where b.id = $1 for share of b"#,
        said.of_id
    )
    .fetch_optional(&mut **tx)
    .await?;
    if seen != Some(true) {
        return Err(Error::not_found());
    }
    // An answer to an answer stands below the comment that both belong to, and which nobody removes meanwhile.
    let parent = match said.parent_id {
        None => None,
        Some(parent) => Some(
            sqlx::query_scalar!(
                r#"select r.id as "id!" from platform.blog_comment c
                   join platform.blog_comment r on r.id = coalesce(c.parent_id, c.id)
                   where c.id = $1 and c.blog_id = $2 and c.audit_status = 'approved' for share of r"#,
                parent,
                said.of_id
            )
            .fetch_optional(&mut **tx)
            .await?
            .ok_or_else(Error::not_found)?,
        ),
    };
    let (learner, name) = said.learner;
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into platform.blog_comment (blog_id, learner_id, learner_name, parent_id, content, audit_status, ip, created_by,
             updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $8) returning id",
        said.of_id,
        learner,
        name,
        parent,
        said.content,
        said.status.as_str(),
        said.ip,
        by
    )
    .fetch_one(&mut **tx)
    .await?;
    let what = json!({ "blogId": said.of_id, "content": said.content, "auditStatus": said.status.as_str() });
    Ok((id, Change::event("blog_comment", id, "insert", what)))
}

async fn answer_to(tx: &mut Tx, said: Said) -> Result<(i64, Change)> {
    let question = sqlx::query!(
        r#"select audit_status as "audit_status: CommunityStatus", closed from platform.community_question
           where id = $1 for share"#,
        said.of_id
    )
    .fetch_optional(&mut **tx)
    .await?
    .filter(|question| question.audit_status == CommunityStatus::Approved)
    .ok_or_else(Error::not_found)?;
    if question.closed {
        return Err(Error::conflict("该问题已关闭，不能再回答"));
    }
    if said.parent_id.is_some() {
        return Err(Error::field("parentId", "只有博客的评论可以回复"));
    }
    let (learner, name) = said.learner;
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into platform.community_answer (question_id, learner_id, learner_name, content, audit_status, ip, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $7) returning id",
        said.of_id,
        learner,
        name,
        said.content,
        said.status.as_str(),
        said.ip,
        by
    )
    .fetch_one(&mut **tx)
    .await?;
    let what = json!({ "questionId": said.of_id, "content": said.content, "auditStatus": said.status.as_str() });
    Ok((id, Change::event("community_answer", id, "insert", what)))
}
