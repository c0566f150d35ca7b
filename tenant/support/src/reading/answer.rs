//! What readers are answered, whichever way they come.

use std::collections::HashMap;

use chrono::NaiveDate;
use infra::{App, Error, Page, Paging, Result, clock::Moment};
use poem_openapi::{Object, types::Example};
use settings::media::PlayableMedia;
use sqlx::PgConnection;
use support_rules::{
    catalog::{ArticleLine, Shelf, ranked},
    enums::{SupportAudience, SupportSource},
    search::{Sought, excerpt},
    text::ArticleText,
};

use super::{
    counts::{Reader, said},
    shelves::Shelves,
};
use crate::{
    article::{HelpPicture, Text, pictures},
    files::{SupportFile, shown},
};

/// What a reader finds, by categories.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct HelpTree {
    /// 对象
    pub audience: SupportAudience,
    /// 可查看的对象
    pub audiences: Vec<SupportAudience>,
    /// 可以提问
    pub question_open: bool,
    /// 分类
    pub categories: Vec<HelpTreeCategory>,
}

/// A category with what stands below it. Categories of one name of the platform and of the school are one.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct HelpTreeCategory {
    /// 名称
    pub name: String,
    /// 图标
    pub icon: Option<String>,
    /// 平台分类编号
    pub platform_id: Option<i64>,
    /// 本校分类编号
    pub own_id: Option<i64>,
    /// 文章数
    /// 含下级分类
    pub count: i64,
    /// 下级分类
    pub children: Vec<HelpTreeCategory>,
}

/// What is looked for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct HelpSearch {
    /// 对象
    /// 客户端不填，按当前身份
    pub audience: Option<SupportAudience>,
    /// 关键词
    /// 多个词以空格分开，文章须包含每个词；不填时列出全部
    #[oai(validator(max_length = 50))]
    pub keyword: Option<String>,
    /// 分类
    /// 含下级分类
    pub category_id: Option<i64>,
    /// 分类来源
    /// 按分类查找时填写分类编号属于平台还是本校
    pub category_source: Option<SupportSource>,
    /// 当前页
    pub page_current: Option<i64>,
    /// 每页条数
    pub page_size: Option<i64>,
}

impl Example for HelpSearch {
    fn example() -> Self {
        Self {
            keyword: Some("准考证 打印".to_owned()), page_current: Some(1), page_size: Some(20), ..Self::default()
        }
    }
}

/// An article that was found.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct HelpHit {
    /// 来源
    pub source: SupportSource,
    /// 编号
    pub id: i64,
    /// 标题
    pub title: String,
    /// 摘要
    pub excerpt: String,
    /// 分类
    pub category_name: String,
    /// 置顶
    pub pinned: bool,
    /// 发布时间
    pub published_at: Moment,
}

/// A neighbour of an article.
#[derive(Debug, Clone, Object)]
pub struct HelpNeighbour {
    /// 来源
    pub source: SupportSource,
    /// 编号
    pub id: i64,
    /// 标题
    pub title: String,
}

/// An article as it is read.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct HelpReading {
    /// 来源
    pub source: SupportSource,
    /// 编号
    pub id: i64,
    /// 标题
    pub title: String,
    /// 分类
    pub category_name: String,
    /// 关键词
    pub keywords: Vec<String>,
    /// 正文
    pub content: ArticleText,
    /// 正文图片
    pub pictures: Vec<HelpPicture>,
    /// 附件
    pub attachments: Vec<SupportFile>,
    /// 视频
    pub video: Option<PlayableMedia>,
    /// 发布时间
    pub published_at: Moment,
    /// 阅读
    pub view_count: i64,
    /// 本人今日评价
    /// 有用为true，没用为false，未评价为空
    pub helpful: Option<bool>,
    /// 上一篇
    pub previous: Option<HelpNeighbour>,
    /// 下一篇
    pub next: Option<HelpNeighbour>,
}

/// Whether an article helped.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct HelpFeedback {
    /// 来源
    pub source: SupportSource,
    /// 编号
    pub id: i64,
    /// 有用
    pub helpful: bool,
}

impl Example for HelpFeedback {
    fn example() -> Self {
        Self { source: SupportSource::Platform, id: 1, helpful: true }
    }
}

/// What somebody said that stands now.
#[derive(Debug, Clone, Object)]
pub struct HelpRated {
    /// 编号
    pub id: i64,
    /// 有用
    pub helpful: bool,
}

pub(super) async fn tree(
    shelves: &mut Shelves,
    audiences: Vec<SupportAudience>,
    question_open: bool,
) -> Result<HelpTree> {
    let audience = shelves.audience;
    let categories = shelves.catalog().await?.shelves.iter().map(category).collect();
    Ok(HelpTree { audience, audiences, question_open, categories })
}

fn category(shelf: &Shelf) -> HelpTreeCategory {
    HelpTreeCategory {
        name: shelf.name.clone(),
        icon: shelf.icon.clone(),
        platform_id: shelf.platform_id,
        own_id: shelf.school_id,
        count: i64::try_from(shelf.count()).unwrap_or(i64::MAX),
        children: shelf.children.iter().map(category).collect(),
    }
}

/// A page of what is looked for, and the words when nothing has them.
///
/// # Errors
/// 400 for a category without its source, or pages that there cannot be.
pub(super) async fn search(shelves: &mut Shelves, asked: &HelpSearch) -> Result<(Page<HelpHit>, Option<Sought>)> {
    let paging = Paging::of(asked.page_current, asked.page_size)?;
    let category = match (asked.category_source, asked.category_id) {
        (Some(source), Some(id)) => Some((source, id)),
        (None, None) => None,
        _ => return Err(Error::malformed()),
    };
    let sought = Sought::of(asked.keyword.as_deref());
    let catalog = shelves.catalog().await?;
    let mut read = catalog.articles(category);
    if !sought.is_nothing() {
        read = ranked(read, &shelves.hits(&sought).await?);
    }
    let total = i64::try_from(read.len()).map_err(Error::internal)?;
    let (skipped, shown) = (paging.offset(), paging.limit());
    let of_page: Vec<&ArticleLine> = read
        .into_iter()
        .skip(usize::try_from(skipped).map_err(Error::internal)?)
        .take(usize::try_from(shown).map_err(Error::internal)?)
        .collect();
    let mut texts = HashMap::new();
    for source in [SupportSource::Platform, SupportSource::School] {
        let ids: Vec<i64> = of_page.iter().filter(|line| line.source == source).map(|line| line.id).collect();
        if let (false, Some(side)) = (ids.is_empty(), shelves.side(source)) {
            for (id, text) in plain_texts(side, &ids).await? {
                texts.insert((source, id), text);
            }
        }
    }
    let list = of_page
        .into_iter()
        .map(|line| HelpHit {
            source: line.source,
            id: line.id,
            title: line.title.clone(),
            excerpt: texts.get(&(line.source, line.id)).map_or_else(String::new, |text| excerpt(text, &sought.words)),
            category_name: catalog.shelf(line.source, line.id).map_or_else(String::new, |shelf| shelf.name.clone()),
            pinned: line.pinned,
            published_at: line.published_at,
        })
        .collect();
    // Within a category the words may only stand elsewhere; that is no gap in what is written.
    let missed = (total == 0 && category.is_none() && !sought.is_nothing()).then_some(sought);
    Ok((paging.page(total, list), missed))
}

/// The words of published articles, by their numbers.
async fn plain_texts(connection: &mut PgConnection, ids: &[i64]) -> Result<Vec<(i64, String)>> {
    let rows = sqlx::query!(
        "select a.id, v.content_text from support_article a
         join support_article_version v on v.article_id = a.id and v.version_no = a.version_no
         where a.id = any($1)",
        ids
    )
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(|row| (row.id, row.content_text)).collect())
}

/// An article that the reader finds, and the number of its video.
///
/// # Errors
/// 404 for an article that they do not find.
pub(super) async fn article(
    app: &App,
    shelves: &mut Shelves,
    (source, id): (SupportSource, i64),
    day: NaiveDate,
    reader: &Reader,
) -> Result<(HelpReading, Option<i64>)> {
    let catalog = shelves.catalog().await?;
    let category_name = catalog.shelf(source, id).ok_or_else(Error::not_found)?.name.clone();
    let (previous, next) = catalog.beside(source, id).ok_or_else(Error::not_found)?;
    let side = shelves.side(source).ok_or_else(Error::not_found)?;
    let row = sqlx::query!(
        "select a.version_no, v.published_at, a.view_count from support_article a
         join support_article_version v on v.article_id = a.id and v.version_no = a.version_no
         where a.id = $1",
        id
    )
    .fetch_optional(&mut **side)
    .await?
    .ok_or_else(Error::not_found)?;
    let text = Text::published(side, id, row.version_no).await?.ok_or_else(Error::not_found)?;
    let reading = HelpReading {
        source,
        id,
        category_name,
        pictures: pictures(app, &text.content).await?,
        attachments: shown(app, side, &text.file_ids).await?,
        video: None,
        published_at: row.published_at,
        view_count: row.view_count,
        helpful: said(side, id, day, &reader.key(source)).await?,
        previous: previous.map(neighbour),
        next: next.map(neighbour),
        title: text.title,
        keywords: text.keywords,
        content: text.content,
    };
    Ok((reading, text.video_asset_id))
}

fn neighbour(line: &ArticleLine) -> HelpNeighbour {
    HelpNeighbour { source: line.source, id: line.id, title: line.title.clone() }
}

/// # Errors
/// 404 for an article that the reader does not find.
pub(super) async fn finds(shelves: &mut Shelves, source: SupportSource, id: i64) -> Result<()> {
    if shelves.has(source, id).await? { Ok(()) } else { Err(Error::not_found()) }
}

/// What a video is played with; nothing while its channel cannot be asked, for the text says enough.
///
/// # Errors
/// What is not of the channel.
pub(super) fn played(video: Result<PlayableMedia>) -> Result<Option<PlayableMedia>> {
    match video {
        Ok(video) => Ok(Some(video)),
        Err(error) if matches!(error.code, 404 | 409 | 422 | 999) => Ok(None),
        Err(error) => Err(error),
    }
}
