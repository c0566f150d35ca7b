//! 我的咨询: a school's people ask in the clients where they study, teach or work, and read what they were answered; so do a school's staff
//! in the console (part 05 B5, B6).

use std::collections::HashMap;

use infra::{
    App, Body, Change, Client, Error, Page, Paging, ReadTx, Reads, Reply, Result, Saved, Tx,
    access::{Mode, Once},
    clock::Moment,
    naming::tidy,
    reply,
};
use poem_openapi::{Object, OpenApi, types::Example};
use serde_json::json;
use settings::sensitive::{Screened, screen};
use sqlx::PgConnection;
use support_rules::{
    enums::{SupportAskerKind, SupportQuestionStatus},
    question::may_be_asked_again,
};

use super::{
    Held, HelpReply, Said,
    ask::{Asker, HelpClosing, Words, add, end, insert},
    replies_of,
};
use crate::{
    HelpClient, QUESTION_OPEN, WritesOwn, due,
    files::{self, SupportFile, shown},
    reading,
};

/// A question as its asker sees it.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct OwnHelpQuestion {
    /// 编号
    pub id: i64,
    /// 分类
    pub category_name: Option<String>,
    /// 标题
    pub title: String,
    /// 内容
    pub content: String,
    /// 附件
    pub files: Vec<SupportFile>,
    /// 状态
    pub status: SupportQuestionStatus,
    /// 提问时间
    pub created_at: Moment,
    /// 回复时间
    pub replied_at: Option<Moment>,
    /// 关闭时间
    pub closed_at: Option<Moment>,
    /// 满意
    pub satisfied: Option<bool>,
    /// 可以追问
    pub may_append: bool,
    /// 回复
    /// 按时间先后
    pub replies: Vec<HelpReply>,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct OwnHelpQuestions {
    /// 当前页
    pub page_current: Option<i64>,
    /// 每页条数
    pub page_size: Option<i64>,
    /// 状态
    pub status: Option<SupportQuestionStatus>,
}

impl Example for OwnHelpQuestions {
    fn example() -> Self {
        Self { page_current: Some(1), page_size: Some(10), status: None }
    }
}

/// What somebody asks.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct OwnHelpQuestionForm {
    /// 请求编号
    /// 24小时内以同一编号重发时，只办理一次，返回第一次的结果
    #[oai(validator(min_length = 1, max_length = 64))]
    pub request_id: String,
    /// 分类
    /// 目录中本校的分类
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

impl Example for OwnHelpQuestionForm {
    fn example() -> Self {
        Self {
            request_id: "7d1f0c84".to_owned(),
            category_id: None,
            title: "如何缴纳学费".to_owned(),
            content: "请问本学期学费从哪一天开始缴纳？".to_owned(),
            file_ids: Vec::new(),
        }
    }
}

/// What an asker adds.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct OwnHelpAppending {
    /// 请求编号
    /// 24小时内以同一编号重发时，只办理一次，返回第一次的结果
    #[oai(validator(min_length = 1, max_length = 64))]
    pub request_id: String,
    /// 编号
    pub id: i64,
    /// 内容
    #[oai(validator(min_length = 1, max_length = 1000))]
    pub content: String,
    /// 附件编号
    #[oai(default, validator(max_items = 4))]
    pub file_ids: Vec<i64>,
}

impl Example for OwnHelpAppending {
    fn example() -> Self {
        Self {
            request_id: "7d1f0c85".to_owned(), id: 1, content: "请问可以分期吗？".to_owned(), file_ids: Vec::new()
        }
    }
}

pub struct OwnQuestions;

#[OpenApi(prefix_path = "/system/client/support/question", tag = "crate::Tag::Support")]
impl OwnQuestions {
    /// 客户端提交咨询
    #[oai(path = "/save", method = "post", operation_id = "saveOwnHelpQuestion")]
    async fn save(
        &self,
        caller: Client<HelpClient, WritesOwn>,
        Body(form): Body<OwnHelpQuestionForm>,
    ) -> Result<Reply<Saved>> {
        open(&caller).await?;
        let (title, title_waits) = screened(&caller, &tidy(&form.title)).await?;
        let (content, content_waits) = screened(&caller, form.content.trim()).await?;
        if title.chars().count() < 2 {
            return Err(Error::field("title", "标题不能少于2个字"));
        }
        if content.is_empty() {
            return Err(Error::field("content", "请填写内容"));
        }
        let mut tx = caller.begin_once(&form.request_id, &form).await?;
        if !QUESTION_OPEN.is_on(&mut tx).await? {
            return Err(Error::conflict("本校暂未开放咨询"));
        }
        let asker = asker(&caller, &mut tx).await?;
        let words = Words { title, content, pending_review: title_waits || content_waits };
        let what = json!({
            "categoryId": form.category_id, "title": words.title, "content": words.content, "fileIds": form.file_ids,
            "pendingReview": words.pending_review,
        });
        let id = insert(&mut tx, &asker, &words, form.category_id, &form.file_ids).await?;
        files::keep(&mut tx, ("support_question", id), &form.file_ids, files::PAPERS, &[]).await?;
        let answer = tx.commit(Change::event("support_question", id, "insert", what), Saved { id }).await?;
        due::changed(&caller.app, Some(caller.school.id)).await?;
        Ok(answer)
    }

    /// 我的咨询
    #[oai(path = "/list", method = "post", operation_id = "listOwnHelpQuestions")]
    async fn list(
        &self,
        caller: Client<HelpClient, Reads>,
        Body(asked): Body<OwnHelpQuestions>,
    ) -> Result<Reply<Page<OwnHelpQuestion>>> {
        open(&caller).await?;
        let paging = Paging::of(asked.page_current, asked.page_size)?;
        let of = Mine {
            kind: kind_of(&caller.session.kind)?,
            person: caller.session.person_id,
            school: None,
            only: None,
            status: asked.status,
        };
        Ok(reply(page_of(&caller.app, caller.read().await?, None, of, paging).await?))
    }

    /// 追问咨询
    #[oai(path = "/append", method = "post", operation_id = "appendOwnHelpQuestion")]
    async fn append(
        &self,
        caller: Client<HelpClient, WritesOwn>,
        Body(form): Body<OwnHelpAppending>,
    ) -> Result<Reply<Saved>> {
        open(&caller).await?;
        let (content, waits) = screened(&caller, form.content.trim()).await?;
        if content.is_empty() {
            return Err(Error::field("content", "请填写内容"));
        }
        let mut tx = caller.begin_once(&form.request_id, &form).await?;
        let before = own(&mut tx, (&caller.session.kind, caller.session.person_id), form.id).await?;
        let by = (caller.session.person_id, caller.session.person_name.as_str());
        let change = add(&mut tx, form.id, &before, by, (&content, waits), &form.file_ids).await?;
        files::keep(&mut tx, ("support_question", form.id), &form.file_ids, files::PAPERS, &[]).await?;
        let answer = tx.commit(change, Saved { id: form.id }).await?;
        due::changed(&caller.app, Some(caller.school.id)).await?;
        Ok(answer)
    }

    /// 关闭咨询
    #[oai(path = "/close", method = "put", operation_id = "closeOwnHelpQuestion")]
    async fn close(
        &self,
        caller: Client<HelpClient, WritesOwn>,
        Body(form): Body<HelpClosing>,
    ) -> Result<Reply<Saved>> {
        open(&caller).await?;
        let mut tx = caller.begin().await?;
        let before = own(&mut tx, (&caller.session.kind, caller.session.person_id), form.id).await?;
        let change = end(&mut tx, &before, &form).await?;
        tx.commit(change).await?;
        due::changed(&caller.app, Some(caller.school.id)).await?;
        Ok(reply(Saved { id: form.id }))
    }
}

/// # Errors
/// 409 while the school's people have no help centre.
async fn open<M: Mode>(caller: &Client<HelpClient, M>) -> Result<()> {
    reading::open(&caller.app, Some(&*caller.school)).await
}

/// A text as it may be kept, and whether somebody should look at it (D6).
async fn screened<M: Mode>(caller: &Client<HelpClient, M>, text: &str) -> Result<(String, bool)> {
    Ok(match screen(&caller.app, text).await? {
        Screened::Publish(text) => (text, false),
        Screened::Review(text) => (text, true),
    })
}

/// Who asks; the site and class of somebody who has exactly one.
async fn asker<M: Mode>(caller: &Client<HelpClient, M>, tx: &mut Once) -> Result<Asker> {
    let kind = kind_of(&caller.session.kind)?;
    let id = caller.session.person_id;
    let place = sqlx::query!(
        r#"select w.site_id as "site_id?", i.name as "site_name?", w.class_id as "class_id?", c.name as "class_name?"
           from (
               select s.site_id, s.class_id from student s where $1 = 'student' and s.id = $2
               union all
               select f.site_id, null from site_staff f where $1 = 'site_staff' and f.id = $2
               union all
               select min(m.site_id), null from class_manager_site m where $1 = 'class_manager' and m.manager_id = $2
               having count(*) = 1
           ) w
           left join site i on i.id = w.site_id
           left join class c on c.id = w.class_id"#,
        kind.as_str(),
        id
    )
    .fetch_optional(&mut ***tx)
    .await?;
    let (site, class) = match place {
        Some(place) => (place.site_id.zip(place.site_name), place.class_id.zip(place.class_name)),
        None => (None, None),
    };
    Ok(Asker { kind, id, name: caller.session.person_name.clone(), school_id: None, site, class })
}

/// # Errors
/// 403 for somebody whom the help centre does not know.
pub(crate) fn kind_of(kind: &str) -> Result<SupportAskerKind> {
    let known = SupportAskerKind::CHOICES.iter().find(|(_, known)| known.as_str() == kind);
    known.map(|(_, known)| *known).ok_or_else(|| Error::new(403, "当前身份不能访问"))
}

/// # Errors
/// 404 for a question of somebody else.
async fn own(tx: &mut Tx, (kind, person): (&str, i64), id: i64) -> Result<Held> {
    tx.lock("support_question", id).await?;
    sqlx::query_as!(
        Held,
        r#"select school_id, asker_kind as "asker_kind: _", asker_id, title, status as "status: _", replied_at, assigned_to, as_article_id,
                  version
           from support_question where id = $1 and asker_kind = $2 and asker_id = $3"#,
        id,
        kind,
        person
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)
}

/// Whose own questions are asked for, and which.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mine {
    pub kind: SupportAskerKind,
    pub person: i64,
    /// In `platform`, in which school they asked.
    pub school: Option<i64>,
    pub only: Option<i64>,
    pub status: Option<SupportQuestionStatus>,
}

/// A page of somebody's own questions with all that was said, the newest first. What they sent in lies in `askers` where that is not the
/// questions' own schema, as for a school's staff.
///
/// # Errors
/// Those of the database and of the store.
pub(crate) async fn page_of(
    app: &App,
    mut tx: ReadTx,
    mut askers: Option<ReadTx>,
    of: Mine,
    paging: Paging,
) -> Result<Page<OwnHelpQuestion>> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from support_question
           where asker_kind = $1 and asker_id = $2 and ($3::bigint is null or school_id = $3) and ($4::bigint is null or id = $4)
             and ($5::text is null or status = $5)"#,
        of.kind.as_str(),
        of.person,
        of.school,
        of.only,
        of.status.map(SupportQuestionStatus::as_str)
    )
    .fetch_one(&mut *tx)
    .await?;
    let rows = rows(&mut tx, of, paging).await?;
    let now = app.clock().now();
    let ids: Vec<i64> = rows.iter().map(|row| row.id).collect();
    let replies = replies_of(&mut tx, &ids).await?;
    let (theirs, answers): (Vec<&Said>, Vec<&Said>) = replies.iter().partition(|reply| reply.from_asker);
    let sent: Vec<i64> = rows
        .iter()
        .flat_map(|row| &row.file_ids)
        .chain(theirs.into_iter().flat_map(|reply| &reply.file_ids))
        .copied()
        .collect();
    let got: Vec<i64> = answers.into_iter().flat_map(|reply| &reply.file_ids).copied().collect();
    let sent = match &mut askers {
        Some(school) => by_number(shown(app, school, &sent).await?),
        None => by_number(shown(app, &mut tx, &sent).await?),
    };
    let got = by_number(shown(app, &mut tx, &got).await?);
    let papers_of = |known: &HashMap<i64, SupportFile>, ids: &[i64]| -> Vec<SupportFile> {
        ids.iter().filter_map(|id| known.get(id).cloned()).collect()
    };
    let mut said: HashMap<i64, Vec<HelpReply>> = HashMap::new();
    for reply in replies {
        let papers = papers_of(if reply.from_asker { &sent } else { &got }, &reply.file_ids);
        said.entry(reply.question_id).or_default().push(reply.shown(papers));
    }
    let own = |row: Row| OwnHelpQuestion {
        files: papers_of(&sent, &row.file_ids),
        may_append: may_be_asked_again(row.status, row.replied_at, now).is_ok(),
        replies: said.remove(&row.id).unwrap_or_default(),
        id: row.id,
        category_name: row.category_name,
        title: row.title,
        content: row.content,
        status: row.status,
        created_at: row.created_at,
        replied_at: row.replied_at,
        closed_at: row.closed_at,
        satisfied: row.satisfied,
    };
    let list = rows.into_iter().map(own).collect();
    Ok(paging.page(total, list))
}

fn by_number(files: Vec<SupportFile>) -> HashMap<i64, SupportFile> {
    files.into_iter().map(|file| (file.id, file)).collect()
}

struct Row {
    id: i64,
    category_name: Option<String>,
    title: String,
    content: String,
    file_ids: Vec<i64>,
    status: SupportQuestionStatus,
    created_at: Moment,
    replied_at: Option<Moment>,
    closed_at: Option<Moment>,
    satisfied: Option<bool>,
}

async fn rows(connection: &mut PgConnection, of: Mine, paging: Paging) -> Result<Vec<Row>> {
    let rows = sqlx::query_as!(
        Row,
        r#"select q.id as "id!", c.name as "category_name?", q.title as "title!", q.content as "content!", q.file_ids as "file_ids!",
                  q.status as "status!: _", q.created_at as "created_at!", q.replied_at as "replied_at?",
                  q.closed_at as "closed_at?", q.satisfied as "satisfied?"
           from support_question q left join support_category c on c.id = q.category_id
           where q.asker_kind = $1 and q.asker_id = $2 and ($3::bigint is null or q.school_id = $3)
             and ($4::bigint is null or q.id = $4) and ($5::text is null or q.status = $5)
           order by q.created_at desc, q.id desc limit $6 offset $7"#,
        of.kind.as_str(),
        of.person,
        of.school,
        of.only,
        of.status.map(SupportQuestionStatus::as_str),
        paging.limit(),
        paging.offset()
    )
    .fetch_all(connection)
    .await?;
    Ok(rows)
}
