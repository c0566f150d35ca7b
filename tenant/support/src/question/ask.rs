//! 提问, 追问 and 关闭 by whoever asks; here of a school's staff, who ask the operators (part 05 B3, B6). What they send in lies in their
//! school.

use infra::{Change, Error, Result, Tx, access::Caller, clock::day_began, naming::tidy};
use poem_openapi::{Object, types::Example};
use serde_json::json;
use settings::sensitive;
use support_rules::{
    enums::{SupportAskerKind, SupportQuestionStatus},
    question::{may_ask, may_be_asked_again, may_be_closed},
};

use super::{Held, Reach};
use crate::{category, files};

/// Additions of an asker that may wait for one answer.
const MOST_UNANSWERED: i64 = 5;

/// What somebody asks.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct NewHelpQuestion {
    /// 分类
    pub category_id: Option<i64>,
    /// 标题
    #[oai(validator(min_length = 2, max_length = 60))]
    pub title: String,
    /// 内容
    #[oai(validator(min_length = 1, max_length = 1000))]
    pub content: String,
    /// 附件编号
    #[oai(default, validator(max_items = 4))]
    pub file_ids: Vec<i64>,
}

impl Example for NewHelpQuestion {
    fn example() -> Self {
        Self {
            category_id: None,
            title: "如何批量导入成绩".to_owned(),
            content: "导入成绩时提示课程编码不存在，请问在哪里查看课程编码？".to_owned(),
            file_ids: Vec::new(),
        }
    }
}

/// Which of one's own questions are asked for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct OwnSchoolHelpFilter {
    /// 编号
    pub id: Option<i64>,
    /// 状态
    pub status: Option<SupportQuestionStatus>,
}

/// What the asker adds.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct HelpAppending {
    /// 编号
    pub id: i64,
    /// 内容
    #[oai(validator(min_length = 1, max_length = 1000))]
    pub content: String,
    /// 附件编号
    #[oai(default, validator(max_items = 4))]
    pub file_ids: Vec<i64>,
}

impl Example for HelpAppending {
    fn example() -> Self {
        Self { id: 1, content: "按提示修改后仍然报错。".to_owned(), file_ids: Vec::new() }
    }
}

/// What the asker says at the end.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct HelpClosing {
    /// 编号
    pub id: i64,
    /// 满意
    pub satisfied: Option<bool>,
}

impl Example for HelpClosing {
    fn example() -> Self {
        Self { id: 1, satisfied: Some(true) }
    }
}

/// The texts of a question as they are kept, and whether somebody should look at them.
pub(super) struct Words {
    pub title: String,
    pub content: String,
    pub pending_review: bool,
}

/// Who asks, and from where.
pub(super) struct Asker {
    pub kind: SupportAskerKind,
    pub id: i64,
    pub name: String,
    pub school_id: Option<i64>,
    pub site: Option<(i64, String)>,
    pub class: Option<(i64, String)>,
}

/// Writes a question. The numbers of its files are those of whoever keeps them.
///
/// # Errors
/// 422 at `categoryId`, 429 for the sixth question of a day.
pub(super) async fn insert(
    tx: &mut Tx,
    asker: &Asker,
    words: &Words,
    category: Option<i64>,
    files: &[i64],
) -> Result<i64> {
    let audience = asker.kind.reads();
    if let Some(category) = category {
        category::usable(tx, audience, category).await?;
    }
    // Two questions that are sent at once are counted one after the other.
    let one_by_one = format!("support_question {} {}", asker.kind.as_str(), asker.id);
    sqlx::query_scalar!(
        r#"select pg_advisory_xact_lock(hashtextextended(current_schema() || ' ' || $1, 0))::text as "locked""#,
        one_by_one
    )
    .fetch_one(&mut **tx)
    .await?;
    let (now, today) = (tx.app().clock().now(), day_began(tx.app().clock().today()));
    let asked = sqlx::query_scalar!(
        r#"select count(*) as "count!" from support_question
           where asker_kind = $1 and asker_id = $2 and created_at >= $3"#,
        asker.kind.as_str(),
        asker.id,
        today
    )
    .fetch_one(&mut **tx)
    .await?;
    may_ask(asked).map_err(|refusal| Error::too_many(refusal.to_string()))?;
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into support_question (audience, school_id, asker_kind, asker_id, asker_name, site_id, site_name, class_id, class_name,
             category_id, title, content, file_ids, pending_review, asked_at, created_at, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $15, $16, $16) returning id",
        audience.as_str(),
        asker.school_id,
        asker.kind.as_str(),
        asker.id,
        asker.name,
        asker.site.as_ref().map(|(id, _)| *id),
        asker.site.as_ref().map(|(_, name)| name.as_str()),
        asker.class.as_ref().map(|(id, _)| *id),
        asker.class.as_ref().map(|(_, name)| name.as_str()),
        category,
        words.title,
        words.content,
        files,
        words.pending_review,
        now,
        by
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(id)
}

/// Adds what an asker says more: what was replied waits again.
///
/// # Errors
/// 409 for a question that is closed, or 15 days after the last reply; 429 for the sixth addition that nobody answered.
pub(super) async fn add(
    tx: &mut Tx,
    id: i64,
    before: &Held,
    by: (i64, &str),
    words: (&str, bool),
    files: &[i64],
) -> Result<Change> {
    let now = tx.app().clock().now();
    may_be_asked_again(before.status, before.replied_at, now)
        .map_err(|refusal| Error::conflict(refusal.to_string()))?;
    let unanswered = sqlx::query_scalar!(
        r#"select count(*) as "count!" from support_reply
           where question_id = $1 and from_asker and created_at > coalesce((
               select max(r.created_at) from support_reply r where r.question_id = $1 and not r.from_asker), '-infinity')"#,
        id
    )
    .fetch_one(&mut **tx)
    .await?;
    if unanswered >= MOST_UNANSWERED {
        return Err(Error::new(429, "您已多次补充，请等待回复后再追问"));
    }
    sqlx::query!(
        "insert into support_reply (question_id, from_asker, by_id, by_name, content, file_ids, created_at)
         values ($1, true, $2, $3, $4, $5, $6)",
        id,
        by.0,
        by.1,
        words.0,
        files,
        now
    )
    .execute(&mut **tx)
    .await?;
    let account = tx.by();
    sqlx::query!(
        "update support_question set status = 'waiting', asked_at = case when status = 'waiting' then asked_at else $2 end,
                pending_review = pending_review or $3, updated_at = now(), updated_by = $4, version = version + 1
         where id = $1",
        id,
        now,
        words.1,
        account
    )
    .execute(&mut **tx)
    .await?;
    let what = json!({ "content": words.0, "fileIds": files, "status": SupportQuestionStatus::Waiting.as_str() });
    Ok(Change::event("support_question", id, "reply", what))
}

/// Ends a question for its asker.
///
/// # Errors
/// 409 for one that is closed already.
pub(super) async fn end(tx: &mut Tx, before: &Held, closing: &HelpClosing) -> Result<Change> {
    may_be_closed(before.status).map_err(|refusal| Error::conflict(refusal.to_string()))?;
    let (now, by) = (tx.app().clock().now(), tx.by());
    sqlx::query!(
        "update support_question set status = 'closed', closed_at = $2, satisfied = $3, updated_at = now(), updated_by = $4,
                version = version + 1
         where id = $1",
        closing.id,
        now,
        closing.satisfied,
        by
    )
    .execute(&mut **tx)
    .await?;
    let closed = SupportQuestionStatus::Closed.as_str();
    Ok(Change::status("support_question", closing.id, "status", before.status.as_str(), closed))
}

/// What is worth a second look in the words of staff; nothing of it is refused (D6).
///
/// # Errors
/// Those of the database.
pub(crate) async fn warnings(caller: &Caller, texts: &[(&str, &str)]) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for (label, text) in texts {
        found.extend(sensitive::warning(caller, label, text).await?);
    }
    Ok(found)
}

/// Asks the operators. `school` is a transaction in the asker's school, `tx` one in `platform`.
///
/// # Errors
/// 422 at the fields that are not right, 429 for the sixth question of a day.
pub(crate) async fn by_staff(caller: &Caller, mut tx: Tx, mut school: Tx, form: NewHelpQuestion) -> Result<i64> {
    let words = Words { title: tidy(&form.title), content: form.content.trim().to_owned(), pending_review: false };
    if words.title.chars().count() < 2 {
        return Err(Error::field("title", "标题不能少于2个字"));
    }
    if words.content.is_empty() {
        return Err(Error::field("content", "请填写内容"));
    }
    let asker = Asker {
        kind: SupportAskerKind::SchoolStaff,
        id: caller.user_id(),
        name: caller.session.real_name.clone(),
        school_id: caller.session.school_id,
        site: None,
        class: None,
    };
    let id = insert(&mut tx, &asker, &words, form.category_id, &form.file_ids).await?;
    files::keep(&mut school, ("support_ask", id), &form.file_ids, files::PAPERS, &[]).await?;
    school.commit_untracked("the question in platform has the record").await?;
    tx.commit(Change::created("support_question", id, &form)).await?;
    Ok(id)
}

/// Says more to the operators.
///
/// # Errors
/// 404 for a question that is not the caller's own, 409 for one that is closed, or 15 days after the last reply.
pub(crate) async fn append_by_staff(
    caller: &Caller,
    mut tx: Tx,
    mut school: Tx,
    reach: &Reach,
    form: HelpAppending,
) -> Result<i64> {
    let before = own(caller, &mut tx, reach, form.id).await?;
    let content = form.content.trim();
    if content.is_empty() {
        return Err(Error::field("content", "请填写内容"));
    }
    let by = (caller.user_id(), caller.session.real_name.as_str());
    let change = add(&mut tx, form.id, &before, by, (content, false), &form.file_ids).await?;
    files::keep(&mut school, ("support_ask", form.id), &form.file_ids, files::PAPERS, &[]).await?;
    school.commit_untracked("the question in platform has the record").await?;
    tx.commit(change).await?;
    Ok(form.id)
}

/// Needs no more of the operators.
///
/// # Errors
/// 404 for a question that is not the caller's own, 409 for one that is closed already.
pub(crate) async fn close_by_staff(caller: &Caller, mut tx: Tx, reach: &Reach, form: HelpClosing) -> Result<i64> {
    let before = own(caller, &mut tx, reach, form.id).await?;
    let change = end(&mut tx, &before, &form).await?;
    tx.commit(change).await?;
    Ok(form.id)
}

/// # Errors
/// 404 for a question of somebody else.
async fn own(caller: &Caller, tx: &mut Tx, reach: &Reach, id: i64) -> Result<Held> {
    let held = reach.held(tx, id).await?;
    let theirs = held.asker_kind == SupportAskerKind::SchoolStaff && held.asker_id == caller.user_id();
    if theirs { Ok(held) } else { Err(Error::not_found()) }
}
