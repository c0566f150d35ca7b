//! 帮助文章: written as a draft, read as it was published last (part 05 B2, B3).
//!
//! Start reading at [`form`], then [`publish`].

pub(crate) mod export;
mod form;
mod hide;
mod place;
pub(crate) mod publish;
mod remove;

use std::collections::{HashMap, HashSet};

use chrono::NaiveDate;
use infra::{
    Entity, Error, Page, Paging, Part, Result,
    access::Caller,
    clock::{Moment, day_began, day_ended},
    files, share,
};
use poem_openapi::Object;
use sqlx::PgConnection;
use support_rules::{
    enums::{SupportArticleStatus, SupportAudience, SupportPart, SupportSource},
    text::ArticleText,
};

use crate::{
    files::{SupportFile, shown},
    source,
};

pub use form::{HelpArticleForm, NewHelpArticle};
pub(crate) use form::{edit, save};
pub use hide::HelpHiding;
pub(crate) use hide::hide;
pub use place::HelpArticleOrder;
pub(crate) use place::sort;
pub use publish::HelpPublishing;
pub(crate) use remove::{delete, delete_many};

pub const PART: Part = Part {
    enumerations: &[SupportArticleStatus::ENUMERATION, SupportPart::ENUMERATION],
    entities: &[
        Entity { table: "support_article", name: "帮助文章", counted: "篇帮助文章" },
        Entity { table: "support_article_version", name: "帮助文章版本", counted: "个帮助文章版本" },
    ],
    ..Part::NONE
};

/// An article, as its desk lists it.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct HelpArticle {
    /// 编号
    pub id: i64,
    /// 来源
    pub source: SupportSource,
    /// 分类编号
    pub category_id: i64,
    /// 分类
    /// 含上级分类
    pub category_name: String,
    /// 标题
    pub title: String,
    /// 关键词
    pub keywords: Vec<String>,
    /// 适用院校编号
    /// 仅平台文章；空为全部院校
    pub school_ids: Vec<i64>,
    /// 适用院校
    pub school_names: Vec<String>,
    /// 置顶
    pub pinned: bool,
    /// 排序
    pub sort: i32,
    /// 状态
    pub status: SupportArticleStatus,
    /// 定时发布
    pub publish_at: Option<Moment>,
    /// 定时下线
    pub offline_at: Option<Moment>,
    /// 版本号
    /// 每次发布加1
    pub version_no: i32,
    /// 有未发布的修改
    pub changed: bool,
    /// 发布时间
    pub published_at: Option<Moment>,
    /// 阅读
    pub view_count: i64,
    /// 有用
    pub helpful: i64,
    /// 没用
    pub unhelpful: i64,
    /// 有用率(%)
    /// 有用÷(有用+没用)；没有评价时为空
    pub helpful_rate: Option<f64>,
    /// 已隐藏
    /// 本校对本校人员隐藏了这篇平台文章
    pub hidden: bool,
    /// 隐藏的院校数
    /// 隐藏了这篇平台文章的院校，仅平台可见
    pub hidden_schools: i64,
    /// 创建时间
    pub created_at: Moment,
    /// 更新时间
    pub updated_at: Moment,
    /// 版本
    pub version: i32,
}

/// A publication of an article.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct HelpArticleVersion {
    /// 版本号
    pub version_no: i32,
    /// 标题
    pub title: String,
    /// 发布时间
    pub published_at: Moment,
    /// 发布人
    pub published_name: String,
}

/// The address of a picture that a text names by its key.
#[derive(Debug, Clone, Object)]
pub struct HelpPicture {
    /// 文件标识
    pub key: String,
    /// 地址
    pub url: String,
}

/// An article with its text: the one that is being written, or a version of it.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct HelpArticleDetail {
    #[oai(flatten)]
    pub article: HelpArticle,
    /// 正文
    pub content: ArticleText,
    /// 正文图片
    pub pictures: Vec<HelpPicture>,
    /// 附件编号
    pub file_ids: Vec<i64>,
    /// 附件
    pub attachments: Vec<SupportFile>,
    /// 视频编号
    pub video_asset_id: Option<i64>,
    /// 视频
    pub video_title: Option<String>,
    /// 历史版本
    /// 最新的在前；院校查看平台文章时为空
    pub versions: Vec<HelpArticleVersion>,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct HelpArticleFilter {
    /// 来源
    /// 院校可查看平台的文章；不填时为当前区域自己的文章
    pub source: Option<SupportSource>,
    /// 标题
    #[oai(validator(max_length = 80))]
    pub title: Option<String>,
    /// 分类
    /// 含下级分类
    pub category_id: Option<i64>,
    /// 状态
    pub status: Option<SupportArticleStatus>,
    /// 发布日期起
    pub published_from: Option<NaiveDate>,
    /// 发布日期止
    pub published_to: Option<NaiveDate>,
}

/// Which articles are asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asked<'f> {
    pub audience: SupportAudience,
    pub only: Option<i64>,
    /// The records are the platform's, as far as this school's people find them.
    pub school: Option<i64>,
    pub filter: &'f HelpArticleFilter,
}

/// A page of the articles of an audience.
///
/// # Errors
/// 400 for a source that the caller's area does not have.
pub(crate) async fn list(
    caller: &Caller,
    audience: SupportAudience,
    filter: &HelpArticleFilter,
    paging: Paging,
) -> Result<Page<HelpArticle>> {
    let mut place = source::of(caller, filter.source).await?;
    let asked = Asked { audience, only: None, school: place.school, filter };
    let total = count(&mut place.tx, asked).await?;
    let list = rows(&mut place.tx, asked, place.source, Some(paging)).await?;
    Ok(paging.page(total, list))
}

/// An article with its text; with a number of a version, that version's.
///
/// # Errors
/// 404 for an article of another audience, and for one of the platform that the caller's school does not find; 400 for a source that
/// the area does not have.
pub(crate) async fn view(
    caller: &Caller,
    audience: SupportAudience,
    id: i64,
    of: Option<SupportSource>,
    version_no: Option<i32>,
) -> Result<HelpArticleDetail> {
    let app = caller.app();
    let mut place = source::of(caller, of).await?;
    let filter = HelpArticleFilter::default();
    let asked = Asked { audience, only: Some(id), school: place.school, filter: &filter };
    let tx = &mut place.tx;
    let article = rows(tx, asked, place.source, None).await?.pop().ok_or_else(Error::not_found)?;
    // A school never sees what the platform is still writing.
    let (wanted, versions) = match place.school {
        Some(_) => (Some(article.version_no), Vec::new()),
        None => (version_no, versions(tx, id).await?),
    };
    let text = match wanted {
        Some(version_no) => Text::published(tx, id, version_no).await?.ok_or_else(Error::not_found)?,
        None => Text::draft(tx, id).await?,
    };
    let attachments = shown(app, tx, &text.file_ids).await?;
    let video_title = match text.video_asset_id {
        Some(video) => {
            sqlx::query_scalar!("select title from media_asset where id = $1", video).fetch_optional(&mut **tx).await?
        }
        None => None,
    };
    Ok(HelpArticleDetail {
        pictures: pictures(caller.app(), &text.content).await?,
        article: HelpArticle { title: text.title, keywords: text.keywords, ..article },
        content: text.content,
        file_ids: text.file_ids,
        attachments,
        video_asset_id: text.video_asset_id,
        video_title,
        versions,
    })
}

/// The addresses of the pictures of a text.
///
/// # Errors
/// Those of the store.
pub(crate) async fn pictures(app: &infra::App, text: &ArticleText) -> Result<Vec<HelpPicture>> {
    let mut found = Vec::new();
    for key in text.keys() {
        let url = files::url_of(app, &key, "").await?;
        found.push(HelpPicture { key, url });
    }
    Ok(found)
}

async fn versions(connection: &mut PgConnection, id: i64) -> Result<Vec<HelpArticleVersion>> {
    let rows = sqlx::query_as!(
        HelpArticleVersion,
        "select version_no, title, published_at, published_name from support_article_version
         where article_id = $1 order by version_no desc",
        id
    )
    .fetch_all(connection)
    .await?;
    Ok(rows)
}

/// What of an article waits until it is published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Text {
    pub title: String,
    pub keywords: Vec<String>,
    pub content: ArticleText,
    pub file_ids: Vec<i64>,
    pub video_asset_id: Option<i64>,
}

impl Text {
    pub(crate) async fn draft(connection: &mut PgConnection, id: i64) -> Result<Self> {
        sqlx::query_as!(
            Self,
            r#"select title, keywords, content as "content: _", file_ids, video_asset_id from support_article where id = $1"#,
            id
        )
        .fetch_optional(connection)
        .await?
        .ok_or_else(Error::not_found)
    }

    pub(crate) async fn published(connection: &mut PgConnection, id: i64, version_no: i32) -> Result<Option<Self>> {
        let text = sqlx::query_as!(
            Self,
            r#"select title, keywords, content as "content: _", file_ids, video_asset_id from support_article_version
               where article_id = $1 and version_no = $2"#,
            id,
            version_no
        )
        .fetch_optional(connection)
        .await?;
        Ok(text)
    }
}

struct Row {
    id: i64,
    category_id: i64,
    category_name: String,
    parent_name: Option<String>,
    title: String,
    keywords: Vec<String>,
    school_ids: Vec<i64>,
    pinned: bool,
    sort: i32,
    status: SupportArticleStatus,
    publish_at: Option<Moment>,
    offline_at: Option<Moment>,
    version_no: i32,
    changed: bool,
    published_at: Option<Moment>,
    view_count: i64,
    helpful: i64,
    unhelpful: i64,
    created_at: Moment,
    updated_at: Moment,
    version: i32,
}

impl Row {
    fn shown(mut self, source: SupportSource, school: Option<i64>, beside: &Beside) -> HelpArticle {
        // A school is not told of the others that an article is for.
        if school.is_some() {
            self.school_ids.retain(|id| Some(*id) == school);
        }
        let category_name = match self.parent_name {
            Some(parent) => format!("{parent} / {}", self.category_name),
            None => self.category_name,
        };
        let names = self.school_ids.iter().filter_map(|id| beside.names.get(id)).cloned().collect();
        HelpArticle {
            source,
            category_name,
            school_names: names,
            helpful_rate: share::percent(self.helpful, self.helpful + self.unhelpful),
            hidden: beside.hidden.contains(&self.id),
            hidden_schools: beside.hiding.get(&self.id).copied().unwrap_or_default(),
            id: self.id,
            category_id: self.category_id,
            title: self.title,
            keywords: self.keywords,
            school_ids: self.school_ids,
            pinned: self.pinned,
            sort: self.sort,
            status: self.status,
            publish_at: self.publish_at,
            offline_at: self.offline_at,
            version_no: self.version_no,
            changed: self.changed,
            published_at: self.published_at,
            view_count: self.view_count,
            helpful: self.helpful,
            unhelpful: self.unhelpful,
            created_at: self.created_at,
            updated_at: self.updated_at,
            version: self.version,
        }
    }
}

/// What of the platform's articles stands beside their rows.
#[derive(Default)]
struct Beside {
    /// Of a school that looks: what it hides.
    hidden: HashSet<i64>,
    /// Of the operators: how many schools hide an article, and the names of those that it is for.
    hiding: HashMap<i64, i64>,
    names: HashMap<i64, String>,
}

impl Beside {
    async fn of(
        connection: &mut PgConnection,
        rows: &[Row],
        source: SupportSource,
        school: Option<i64>,
    ) -> Result<Self> {
        if let Some(school) = school {
            let hidden = source::hidden_by(connection, school).await?.into_iter().collect();
            return Ok(Self { hidden, ..Self::default() });
        }
        if source == SupportSource::School {
            return Ok(Self::default());
        }
        let articles: Vec<i64> = rows.iter().map(|row| row.id).collect();
        let mut schools: Vec<i64> = rows.iter().flat_map(|row| &row.school_ids).copied().collect();
        schools.sort_unstable();
        schools.dedup();
        Ok(Self {
            hidden: HashSet::new(),
            hiding: source::hiding(connection, &articles).await?,
            names: source::school_names(connection, &schools).await?,
        })
    }
}

/// A statement over articles with the condition of what is asked for in its middle: the macro of sqlx, the row type, the columns,
/// what is asked for, the text behind (parameters from `$9`) and its parameters. With a school the title is the one that was published.
macro_rules! of_asked {
    ($query:ident [$($row:ident)?] [$($head:tt)+] $asked:ident [$($tail:tt)*] $(, $extra:expr)*) => {
        sqlx::$query!(
            $($row,)?
            "select " + $($head)+ +
            " from support_article a
              join support_category c on c.id = a.category_id
              left join support_category p on p.id = c.parent_id
              left join support_article_version v on v.article_id = a.id and v.version_no = a.version_no
              where a.audience = $1 and ($2::bigint is null or a.id = $2)
                and ($3::bigint is null
                     or a.status = 'published' and c.enabled and coalesce(p.enabled, true)
                        and (a.school_ids = '{}' or $3 = any(a.school_ids)))
                and ($4::text is null
                     or strpos(lower(case when $3::bigint is null then a.title else v.title end), lower($4)) > 0)
                and ($5::bigint is null or a.category_id = $5 or c.parent_id = $5)
                and ($6::text is null or a.status = $6)
                and ($7::timestamptz is null or a.published_at >= $7)
                and ($8::timestamptz is null or a.published_at < $8) " $($tail)*,
            $asked.audience.as_str(),
            $asked.only,
            $asked.school,
            $asked.filter.title,
            $asked.filter.category_id,
            $asked.filter.status.map(SupportArticleStatus::as_str),
            $asked.filter.published_from.map(day_began),
            $asked.filter.published_to.map(day_ended)
            $(, $extra)*
        )
    };
}

async fn count(connection: &mut PgConnection, asked: Asked<'_>) -> Result<i64> {
    let total = of_asked!(query_scalar [] [r#"count(*) as "count!""#] asked []);
    Ok(total.fetch_one(connection).await?)
}

/// The articles in the order in which they stand within their categories; all of them without a page.
pub(crate) async fn rows(
    connection: &mut PgConnection,
    asked: Asked<'_>,
    source: SupportSource,
    page: Option<Paging>,
) -> Result<Vec<HelpArticle>> {
    let rows = of_asked!(query_as [Row]
        [r#"a.id as "id!", a.category_id as "category_id!", c.name as "category_name!", p.name as "parent_name?",
            case when $3::bigint is null then a.title else v.title end as "title!",
            case when $3::bigint is null then a.keywords else v.keywords end as "keywords!",
            a.school_ids as "school_ids!", a.pinned as "pinned!", a.sort as "sort!", a.status as "status!: _",
            a.publish_at as "publish_at?", a.offline_at as "offline_at?", a.version_no as "version_no!", a.changed as "changed!",
            a.published_at as "published_at?", a.view_count as "view_count!", a.helpful as "helpful!",
            a.unhelpful as "unhelpful!", a.created_at as "created_at!", a.updated_at as "updated_at!",
            a.version as "version!""#]
        asked
        [+ " order by a.category_id, a.pinned desc, a.sort, a.id limit $9 offset $10"],
        page.map(Paging::limit),
        page.map(Paging::offset))
    .fetch_all(&mut *connection)
    .await?;
    let beside = Beside::of(connection, &rows, source, asked.school).await?;
    Ok(rows.into_iter().map(|row| row.shown(source, asked.school, &beside)).collect())
}

/// One of the caller's own articles, which an editor is about to change.
///
/// # Errors
/// 404 for an article of another audience.
pub(crate) async fn held(connection: &mut PgConnection, audience: SupportAudience, id: i64) -> Result<Record> {
    let record = find(connection, id).await?;
    if record.audience == audience { Ok(record) } else { Err(Error::not_found()) }
}

/// An article as the trail tells of it.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename_all = "camelCase")]
pub(crate) struct Record {
    /// 对象
    pub audience: SupportAudience,
    /// 分类
    pub category_id: i64,
    /// 标题
    pub title: String,
    /// 关键词
    pub keywords: Vec<String>,
    /// 正文
    pub content: ArticleText,
    /// 附件
    pub file_ids: Vec<i64>,
    /// 视频
    pub video_asset_id: Option<i64>,
    /// 适用院校
    pub school_ids: Vec<i64>,
    /// 置顶
    pub pinned: bool,
    /// 排序
    pub sort: i32,
    /// 状态
    pub status: SupportArticleStatus,
    /// 定时发布
    pub publish_at: Option<Moment>,
    /// 定时下线
    pub offline_at: Option<Moment>,
    /// 版本号
    pub version_no: i32,
    /// 有未发布的修改
    pub changed: bool,
    /// 版本
    pub version: i32,
}

pub(crate) async fn find(connection: &mut PgConnection, id: i64) -> Result<Record> {
    sqlx::query_as!(
        Record,
        r#"select audience as "audience: _", category_id, title, keywords, content as "content: _", file_ids, video_asset_id, school_ids,
                  pinned, sort, status as "status: _", publish_at, offline_at, version_no, changed, version
           from support_article where id = $1"#,
        id
    )
    .fetch_optional(connection)
    .await?
    .ok_or_else(Error::not_found)
}
