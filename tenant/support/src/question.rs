//! 咨询: what somebody asks when no article helped. A school's people ask in the school, its staff ask the operators (part 05 B2, B3).
//!
//! ```text
//! waiting ─reply→ replied ─the asker asks again→ waiting;  closed: by a reply, by the asker, 15 days after the last reply
//! ```

pub(crate) mod ask;
pub(crate) mod export;
pub mod figures;
mod hand_over;
pub mod own;
pub(crate) mod reply;

use chrono::NaiveDate;
use infra::{
    App, Change, Entity, Error, Page, Paging, Part, ReadTx, Result, Scope, Tx, Window,
    access::Caller,
    clock::{Moment, day_began, day_ended},
};
use poem_openapi::Object;
use sqlx::PgConnection;
use support_rules::{
    enums::{SupportAskerKind, SupportAudience, SupportQuestionStatus},
    question::may_be_asked_again,
};

use crate::{
    desk::reply_code,
    files::{SupportFile, shown},
    source,
};

pub use ask::{HelpAppending, HelpClosing, NewHelpQuestion, OwnSchoolHelpFilter};
pub use hand_over::{HelpAssignee, HelpAssigning};
pub(crate) use hand_over::{assign, assignees};
pub use reply::HelpReplying;

pub const PART: Part = Part {
    enumerations: &[SupportQuestionStatus::ENUMERATION, SupportAskerKind::ENUMERATION],
    entities: &[
        Entity { table: "support_question", name: "咨询", counted: "条咨询" },
        Entity { table: "support_reply", name: "咨询回复", counted: "条咨询回复" },
    ],
    ..Part::NONE
};

/// A question, as its desk lists it.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct HelpQuestion {
    /// 编号
    pub id: i64,
    /// 院校编号
    /// 院校人员的咨询
    pub school_id: Option<i64>,
    /// 院校
    pub school_name: Option<String>,
    /// 提问人类别
    pub asker_kind: SupportAskerKind,
    /// 提问人
    pub asker_name: String,
    /// 站点
    pub site_name: Option<String>,
    /// 班级
    pub class_name: Option<String>,
    /// 分类编号
    pub category_id: Option<i64>,
    /// 分类
    /// 含上级分类
    pub category_name: Option<String>,
    /// 标题
    pub title: String,
    /// 状态
    pub status: SupportQuestionStatus,
    /// 待审
    /// 内容含需人工核对的敏感词
    pub pending_review: bool,
    /// 提问时间
    pub created_at: Moment,
    /// 等待时长(分钟)
    /// 待回复的咨询从最近一次提问起算
    pub waiting_minutes: Option<i64>,
    /// 回复时间
    pub replied_at: Option<Moment>,
    /// 关闭时间
    pub closed_at: Option<Moment>,
    /// 负责人编号
    pub assigned_to: Option<i64>,
    /// 负责人
    pub assigned_name: Option<String>,
    /// 满意
    pub satisfied: Option<bool>,
    /// 转为的文章
    pub as_article_id: Option<i64>,
    /// 本人提问
    pub own: bool,
    /// 可以追问
    /// 本人的咨询，未关闭，且最近一次回复未超过15天
    pub may_append: bool,
    /// 版本
    pub version: i32,
}

/// What was said after a question.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct HelpReply {
    /// 编号
    pub id: i64,
    /// 提问人追问
    pub from_asker: bool,
    /// 回复人
    pub by_name: String,
    /// 时间
    pub at: Moment,
    /// 内容
    pub content: String,
    /// 附件
    pub files: Vec<SupportFile>,
}

/// A question with all that was said.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct HelpQuestionDetail {
    #[oai(flatten)]
    pub question: HelpQuestion,
    /// 内容
    pub content: String,
    /// 附件
    pub files: Vec<SupportFile>,
    /// 回复
    /// 按时间先后
    pub replies: Vec<HelpReply>,
    /// 可分派人员
    /// 可以回复这条咨询的人员；要求返回且本人可以分派时才有
    pub assignees: Vec<HelpAssignee>,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct HelpQuestionFilter {
    /// 状态
    pub status: Option<SupportQuestionStatus>,
    /// 分类
    /// 含下级分类
    pub category_id: Option<i64>,
    /// 标题
    #[oai(validator(max_length = 60))]
    pub title: Option<String>,
    /// 提问人
    #[oai(validator(max_length = 50))]
    pub asker: Option<String>,
    /// 站点
    pub site_id: Option<i64>,
    /// 院校
    /// 仅平台可按院校查询
    pub school_id: Option<i64>,
    /// 提问日期起
    pub created_from: Option<NaiveDate>,
    /// 提问日期止
    pub created_to: Option<NaiveDate>,
    /// 满意
    pub satisfied: Option<bool>,
    /// 由我负责
    pub mine: Option<bool>,
    /// 本人提问
    pub own: Option<bool>,
}

/// Whose questions somebody sees.
#[derive(Debug, Clone)]
pub(crate) struct Reach {
    pub audience: SupportAudience,
    /// Whoever looks.
    user: i64,
    /// In `platform`: of which schools; none for all.
    schools: Option<Vec<i64>>,
    /// In a school: of which sites or classes; none for all.
    sites: Option<Vec<i64>>,
    classes: Option<Vec<i64>>,
    /// Only what this person of the school's staff asked.
    asker: Option<i64>,
}

impl Reach {
    /// What an account sees of the questions of an audience, inside a school or among the operators; none where nobody asks those of
    /// their area.
    ///
    /// What a school's people ask, its staff see within their scope. What schools' staff ask the operators, operators see of the schools
    /// that they may act for, and staff of their own school, or their own alone where they see some of its sites or classes (00 §2, part
    /// 05 B5).
    ///
    /// # Errors
    /// Those of the database.
    pub(crate) async fn within(
        app: &App,
        (user, inside): (i64, Option<i64>),
        audience: SupportAudience,
        scope: &Scope,
    ) -> Result<Option<Self>> {
        let all = Self { audience, user, schools: None, sites: None, classes: None, asker: None };
        Ok(match (audience, inside) {
            (SupportAudience::School, None) => Some(Self { schools: source::reach(app, user).await?, ..all }),
            (SupportAudience::School, Some(own)) => {
                let asker = (!scope.is_whole()).then_some(user);
                Some(Self { schools: Some(vec![own]), asker, ..all })
            }
            (SupportAudience::Student | SupportAudience::Teacher | SupportAudience::Site, Some(_)) => {
                let (sites, classes) = (scope.sites().map(<[i64]>::to_vec), scope.classes().map(<[i64]>::to_vec));
                Some(Self { sites, classes, ..all })
            }
            (SupportAudience::Student | SupportAudience::Teacher | SupportAudience::Site, None) => None,
        })
    }

    /// The same of a caller.
    ///
    /// # Errors
    /// 400 where nobody asks those of the caller's area.
    pub(crate) async fn of(caller: &Caller, audience: SupportAudience, scope: &Scope) -> Result<Self> {
        let of = (caller.user_id(), caller.session.school_id);
        Self::within(caller.app(), of, audience, scope).await?.ok_or_else(Error::malformed)
    }

    /// The same of the questions that lie beside the articles of the caller's area: what a school's staff ask lies beside the platform's.
    ///
    /// # Errors
    /// Those of the database.
    pub(crate) async fn beside_articles(
        caller: &Caller,
        audience: SupportAudience,
        scope: &Scope,
    ) -> Result<Option<Self>> {
        match (audience, caller.session.school_id) {
            (SupportAudience::School, Some(_)) => Ok(None),
            (_, inside) => Self::within(caller.app(), (caller.user_id(), inside), audience, scope).await,
        }
    }

    /// # Errors
    /// 404 for a question that is not theirs to see.
    pub(crate) async fn held(&self, tx: &mut Tx, id: i64) -> Result<Held> {
        tx.lock("support_question", id).await?;
        sqlx::query_as!(
            Held,
            r#"select q.school_id, q.asker_kind as "asker_kind: _", q.asker_id, q.title, q.status as "status: _", q.replied_at,
                      q.assigned_to, q.as_article_id, q.version
               from support_question q
               where q.id = $1 and q.audience = $2
                 and ($3::bigint[] is null or q.school_id = any($3))
                 and ($4::bigint[] is null or q.site_id = any($4) or q.class_id = any($5))
                 and ($6::bigint is null or q.asker_id = $6)"#,
            id,
            self.audience.as_str(),
            self.schools.as_deref(),
            self.sites.as_deref(),
            self.classes.as_deref(),
            self.asker
        )
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(Error::not_found)
    }
}

/// What a step must know of a question.
#[derive(Debug, Clone)]
pub(crate) struct Held {
    pub school_id: Option<i64>,
    pub asker_kind: SupportAskerKind,
    pub asker_id: i64,
    pub title: String,
    pub status: SupportQuestionStatus,
    pub replied_at: Option<Moment>,
    pub assigned_to: Option<i64>,
    pub as_article_id: Option<i64>,
    pub version: i32,
}

/// Which questions are asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asked<'f> {
    pub reach: &'f Reach,
    pub only: Option<i64>,
    pub filter: &'f HelpQuestionFilter,
}

/// A statement over questions with the condition of what is asked for in its middle: the macro of sqlx, the row type, the text before,
/// what is asked for, the text behind (parameters from `$18`) and its parameters.
macro_rules! of_asked {
    ($query:ident [$($row:ident)?] [$($head:tt)+] $asked:ident [$($tail:tt)*] $(, $extra:expr)*) => {
        sqlx::$query!(
            $($row,)?
            $($head)+ +
            " where q.audience = $1
                and ($2::bigint[] is null or q.school_id = any($2))
                and ($3::bigint[] is null or q.site_id = any($3) or q.class_id = any($4))
                and ($5::bigint is null or q.asker_id = $5)
                and ($6::bigint is null or q.id = $6)
                and ($7::text is null or q.status = $7)
                and ($8::bigint is null or q.category_id = $8
                     or q.category_id in (select w.id from support_category w where w.parent_id = $8))
                and ($9::text is null or strpos(lower(q.title), lower($9)) > 0)
                and ($10::text is null or strpos(q.asker_name, $10) > 0)
                and ($11::bigint is null or q.site_id = $11)
                and ($12::timestamptz is null or q.created_at >= $12)
                and ($13::timestamptz is null or q.created_at < $13)
                and ($14::boolean is null or q.satisfied = $14)
                and ($15::bigint is null or q.assigned_to = $15)
                and ($16::bigint is null or q.school_id = $16)
                and ($17::bigint is null or q.asker_kind = 'school_staff' and q.asker_id = $17) " $($tail)*,
            $asked.reach.audience.as_str(),
            $asked.reach.schools.as_deref(),
            $asked.reach.sites.as_deref(),
            $asked.reach.classes.as_deref(),
            $asked.reach.asker,
            $asked.only,
            $asked.filter.status.map(SupportQuestionStatus::as_str),
            $asked.filter.category_id,
            $asked.filter.title,
            $asked.filter.asker,
            $asked.filter.site_id,
            $asked.filter.created_from.map(day_began),
            $asked.filter.created_to.map(day_ended),
            $asked.filter.satisfied,
            ($asked.filter.mine == Some(true)).then_some($asked.reach.user),
            $asked.filter.school_id,
            ($asked.filter.own == Some(true)).then_some($asked.reach.user)
            $(, $extra)*
        )
    };
}

/// A page of the questions within a reach, the newest first.
///
/// # Errors
/// 400 when somebody inside a school names a school.
pub(crate) async fn list(
    caller: &Caller,
    mut tx: ReadTx,
    reach: &Reach,
    filter: &HelpQuestionFilter,
    paging: Paging,
) -> Result<Page<HelpQuestion>> {
    if filter.school_id.is_some() && caller.session.school_id.is_some() {
        return Err(Error::malformed());
    }
    let asked = Asked { reach, only: None, filter };
    let total = count(&mut tx, asked).await?;
    let list = match Window::of(paging, total) {
        Some(window) => {
            let of_page = keys(&mut tx, asked, window).await?;
            of_ids(caller.app(), &mut tx, &of_page, reach).await?
        }
        None => Vec::new(),
    };
    Ok(paging.page(total, list))
}

/// The school whose staff asked.
///
/// # Errors
/// 404 for a question that is not theirs to see.
pub(crate) async fn school_of(connection: &mut PgConnection, reach: &Reach, id: i64) -> Result<Option<i64>> {
    let filter = HelpQuestionFilter::default();
    let asked = Asked { reach, only: Some(id), filter: &filter };
    of_asked!(query_scalar [] [r#"select q.school_id as "school_id?" from support_question q"#] asked [])
        .fetch_optional(connection)
        .await?
        .ok_or_else(Error::not_found)
}

/// A question with all that was said. What its asker sent lies in `askers` where that is not the question's own schema: the school of
/// those who ask the operators. Without it, as while that school is being migrated, these files are left out. Who may take it over is
/// looked up when `hand_over` asks for it, for whoever may hand it over.
///
/// # Errors
/// 404 for a question that is not theirs to see.
pub(crate) async fn view(
    caller: &Caller,
    mut tx: ReadTx,
    reach: &Reach,
    (id, hand_over): (i64, Option<bool>),
    mut askers: Option<ReadTx>,
) -> Result<HelpQuestionDetail> {
    let app = caller.app();
    let filter = HelpQuestionFilter::default();
    let asked = Asked { reach, only: Some(id), filter: &filter };
    let known = keys(&mut tx, asked, Window { from_end: false, limit: 1, offset: 0 }).await?;
    let question = of_ids(app, &mut tx, &known, reach).await?.pop().ok_or_else(Error::not_found)?;
    let (content, file_ids) = text_of(&mut tx, id).await?;
    let said = replies_of(&mut tx, &[id]).await?;
    let mut replies = Vec::with_capacity(said.len());
    for reply in said {
        let files = match &mut askers {
            Some(school) if reply.from_asker => shown(app, school, &reply.file_ids).await?,
            None if reply.from_asker && question.school_id.is_some() => Vec::new(),
            _ => shown(app, &mut tx, &reply.file_ids).await?,
        };
        replies.push(reply.shown(files));
    }
    let files = match &mut askers {
        Some(school) => shown(app, school, &file_ids).await?,
        None if question.school_id.is_some() => Vec::new(),
        None => shown(app, &mut tx, &file_ids).await?,
    };
    let assignees = match hand_over {
        Some(true) if caller.holds(reply_code(reach.audience)) => {
            assignees(app, reach.audience, caller.session.school_id).await?
        }
        _ => Vec::new(),
    };
    Ok(HelpQuestionDetail { question, content, files, replies, assignees })
}

/// Says that a question became an article.
///
/// # Errors
/// 404 for a question that is not theirs to see, 409 for one that became an article before.
pub(crate) async fn became(tx: &mut Tx, reach: &Reach, id: i64, article: i64) -> Result<Change> {
    let question = reach.held(tx, id).await?;
    if question.as_article_id.is_some() {
        return Err(Error::conflict("该咨询已转为文章"));
    }
    let by = tx.by();
    sqlx::query!(
        "update support_question set as_article_id = $2, updated_at = now(), updated_by = $3, version = version + 1 where id = $1",
        id,
        article,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(Change::status("support_question", id, "asArticleId", question.as_article_id, article))
}

/// What was said after questions, as it is stored.
pub(crate) struct Said {
    pub id: i64,
    pub question_id: i64,
    pub from_asker: bool,
    pub by_name: String,
    pub content: String,
    pub file_ids: Vec<i64>,
    pub created_at: Moment,
}

impl Said {
    pub(crate) fn shown(self, files: Vec<SupportFile>) -> HelpReply {
        HelpReply {
            id: self.id,
            from_asker: self.from_asker,
            by_name: self.by_name,
            at: self.created_at,
            content: self.content,
            files,
        }
    }
}

/// In the order of time.
pub(crate) async fn replies_of(connection: &mut PgConnection, questions: &[i64]) -> Result<Vec<Said>> {
    let rows = sqlx::query_as!(
        Said,
        "select id, question_id, from_asker, by_name, content, file_ids, created_at from support_reply
         where question_id = any($1) order by created_at, id",
        questions
    )
    .fetch_all(connection)
    .await?;
    Ok(rows)
}

async fn text_of(connection: &mut PgConnection, id: i64) -> Result<(String, Vec<i64>)> {
    let row = sqlx::query!("select content, file_ids from support_question where id = $1", id)
        .fetch_optional(connection)
        .await?
        .ok_or_else(Error::not_found)?;
    Ok((row.content, row.file_ids))
}

async fn count(connection: &mut PgConnection, asked: Asked<'_>) -> Result<i64> {
    let total = of_asked!(query_scalar [] [r#"select count(*) as "count!" from support_question q"#] asked []);
    Ok(total.fetch_one(connection).await?)
}

/// The numbers of the page's rows: without a filter they come out of an index.
pub(crate) async fn keys(connection: &mut PgConnection, asked: Asked<'_>, window: Window) -> Result<Vec<i64>> {
    let keys = of_asked!(query_scalar []
        ["select q.id from support_question q"]
        asked
        [+ " order by case when $18 then q.created_at end, case when $18 then q.id end, q.created_at desc, q.id desc
             limit $19 offset $20"],
        window.from_end,
        window.limit,
        window.offset);
    Ok(keys.fetch_all(connection).await?)
}

struct Row {
    id: i64,
    school_id: Option<i64>,
    asker_kind: SupportAskerKind,
    asker_id: i64,
    asker_name: String,
    site_name: Option<String>,
    class_name: Option<String>,
    category_id: Option<i64>,
    category_name: Option<String>,
    parent_name: Option<String>,
    title: String,
    status: SupportQuestionStatus,
    pending_review: bool,
    created_at: Moment,
    asked_at: Moment,
    replied_at: Option<Moment>,
    closed_at: Option<Moment>,
    assigned_to: Option<i64>,
    assigned_name: Option<String>,
    satisfied: Option<bool>,
    as_article_id: Option<i64>,
    version: i32,
}

/// The questions of these numbers, the newest first.
pub(crate) async fn of_ids(
    app: &App,
    connection: &mut PgConnection,
    ids: &[i64],
    reach: &Reach,
) -> Result<Vec<HelpQuestion>> {
    let rows = sqlx::query_as!(
        Row,
        r#"select q.id as "id!", q.school_id as "school_id?", q.asker_kind as "asker_kind!: _", q.asker_id as "asker_id!",
                  q.asker_name as "asker_name!", q.site_name as "site_name?", q.class_name as "class_name?",
                  q.category_id as "category_id?", c.name as "category_name?", p.name as "parent_name?", q.title as "title!",
                  q.status as "status!: _", q.pending_review as "pending_review!", q.created_at as "created_at!",
                  q.asked_at as "asked_at!", q.replied_at as "replied_at?", q.closed_at as "closed_at?",
                  q.assigned_to as "assigned_to?", q.assigned_name as "assigned_name?", q.satisfied as "satisfied?",
                  q.as_article_id as "as_article_id?", q.version as "version!"
           from support_question q
           left join support_category c on c.id = q.category_id
           left join support_category p on p.id = c.parent_id
           where q.id = any($1) order by q.created_at desc, q.id desc"#,
        ids
    )
    .fetch_all(&mut *connection)
    .await?;
    let mut schools: Vec<i64> = rows.iter().filter_map(|row| row.school_id).collect();
    schools.sort_unstable();
    schools.dedup();
    let names = source::school_names(connection, &schools).await?;
    let now = app.clock().now();
    let shown = rows.into_iter().map(|row| {
        let waits = row.status == SupportQuestionStatus::Waiting;
        let own = row.asker_kind == SupportAskerKind::SchoolStaff && row.asker_id == reach.user;
        HelpQuestion {
            own,
            may_append: own && may_be_asked_again(row.status, row.replied_at, now).is_ok(),
            school_name: row.school_id.and_then(|school| names.get(&school).cloned()),
            waiting_minutes: waits.then(|| (now - row.asked_at).num_minutes().max(0)),
            category_name: row.category_name.map(|name| match row.parent_name {
                Some(parent) => format!("{parent} / {name}"),
                None => name,
            }),
            id: row.id,
            school_id: row.school_id,
            asker_kind: row.asker_kind,
            asker_name: row.asker_name,
            site_name: row.site_name,
            class_name: row.class_name,
            category_id: row.category_id,
            title: row.title,
            status: row.status,
            pending_review: row.pending_review,
            created_at: row.created_at,
            replied_at: row.replied_at,
            closed_at: row.closed_at,
            assigned_to: row.assigned_to,
            assigned_name: row.assigned_name,
            satisfied: row.satisfied,
            as_article_id: row.as_article_id,
            version: row.version,
        }
    });
    Ok(shown.collect())
}
