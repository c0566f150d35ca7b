//! How materials are read.

use infra::{App, Error, Paging, Result, RichText, clock::Moment, files};
use poem_openapi::Object;
use sqlx::PgConnection;
use wechat_rules::enums::GzhMaterialType;

/// A material.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct GzhMaterial {
    /// 编号
    pub id: i64,
    /// 素材类型
    pub material_type: GzhMaterialType,
    /// 名称
    pub name: String,
    /// 文件
    pub file_key: Option<String>,
    /// 预览地址
    /// 短时有效；从微信拉取的语音和视频没有
    pub preview_url: Option<String>,
    /// 时长(秒)
    pub duration_seconds: Option<i32>,
    /// 图文篇数
    pub article_count: i64,
    /// 使用数
    /// 使用它的回复和图文
    pub used: i64,
    /// 已同步
    pub synced: bool,
    /// 微信素材编号
    pub media_id: Option<String>,
    /// 同步时间
    pub synced_at: Option<Moment>,
    /// 创建时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

/// An article.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct GzhArticle {
    /// 标题
    pub title: String,
    /// 作者
    pub author: Option<String>,
    /// 摘要
    pub digest: Option<String>,
    /// 封面素材
    pub cover_id: Option<i64>,
    /// 封面名称
    pub cover_name: Option<String>,
    /// 内容
    pub content: RichText,
    /// 原文链接
    pub link_url: Option<String>,
}

/// A material with its articles.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct GzhMaterialView {
    #[oai(flatten)]
    pub material: GzhMaterial,
    /// 图文
    pub articles: Vec<GzhArticle>,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct GzhMaterialFilter {
    /// 素材类型
    pub material_type: Option<GzhMaterialType>,
    /// 名称
    #[oai(validator(max_length = 60))]
    pub name: Option<String>,
    /// 已同步
    pub synced: Option<bool>,
}

/// The newest first, each with an address for a while.
pub(super) async fn select(
    app: &App,
    connection: &mut PgConnection,
    only: Option<i64>,
    filter: &GzhMaterialFilter,
    page: Option<Paging>,
) -> Result<Vec<GzhMaterial>> {
    let rows = sqlx::query!(
        r#"select m.id as "id!", m.material_type as "material_type!: GzhMaterialType", m.name as "name!", m.file_key as "file_key?",
                  m.duration_seconds as "duration_seconds?",
                  (select count(*) from platform.gzh_article a where a.material_id = m.id) as "article_count!",
                  (select count(*) from platform.gzh_auto_reply r where r.material_id = m.id)
                      + (select count(*) from platform.gzh_article a where a.cover_id = m.id) as "used!",
                  m.media_id as "media_id?", m.media_url as "media_url?", f.original_name as "original_name?",
                  m.synced_at as "synced_at?", m.created_at as "created_at!", m.version as "version!"
           from platform.gzh_material m
           left join platform.file_object f on f.key = m.file_key and f.state = 'stored'
           where ($1::bigint is null or m.id = $1)
             and ($2::text is null or m.material_type = $2)
             and ($3::text is null or strpos(m.name, $3) > 0)
             and ($4::boolean is null or (m.media_id is not null) = $4)
           order by m.created_at desc, m.id desc limit $5 offset $6"#,
        only,
        filter.material_type.map(GzhMaterialType::as_str),
        filter.name,
        filter.synced,
        page.map(Paging::limit),
        page.map(Paging::offset)
    )
    .fetch_all(connection)
    .await?;
    let mut materials = Vec::with_capacity(rows.len());
    for row in rows {
        let preview_url = match (&row.file_key, &row.original_name) {
            (Some(key), Some(name)) => Some(files::url_of(app, key, name).await?),
            // Its file is gone.
            (Some(_), None) => None,
            (None, _) => row.media_url,
        };
        materials.push(GzhMaterial {
            id: row.id,
            material_type: row.material_type,
            name: row.name,
            file_key: row.file_key,
            preview_url,
            duration_seconds: row.duration_seconds,
            article_count: row.article_count,
            used: row.used,
            synced: row.media_id.is_some(),
            media_id: row.media_id,
            synced_at: row.synced_at,
            created_at: row.created_at,
            version: row.version,
        });
    }
    Ok(materials)
}

pub(super) async fn count(connection: &mut PgConnection, filter: &GzhMaterialFilter) -> Result<i64> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from platform.gzh_material m
           where ($1::text is null or m.material_type = $1)
             and ($2::text is null or strpos(m.name, $2) > 0)
             and ($3::boolean is null or (m.media_id is not null) = $3)"#,
        filter.material_type.map(GzhMaterialType::as_str),
        filter.name,
        filter.synced
    )
    .fetch_one(connection)
    .await?;
    Ok(total)
}

pub(super) async fn find(app: &App, connection: &mut PgConnection, id: i64) -> Result<GzhMaterial> {
    let found = select(app, connection, Some(id), &GzhMaterialFilter::default(), None).await?;
    found.into_iter().next().ok_or_else(Error::not_found)
}

pub(super) async fn view(app: &App, connection: &mut PgConnection, id: i64) -> Result<GzhMaterialView> {
    let material = find(app, &mut *connection, id).await?;
    let articles = articles(connection, id).await?;
    Ok(GzhMaterialView { material, articles })
}

/// The articles of a material, in their order.
pub(super) async fn articles(connection: &mut PgConnection, id: i64) -> Result<Vec<GzhArticle>> {
    let rows = sqlx::query_as!(
        GzhArticle,
        r#"select a.title, a.author, a.digest, a.cover_id, c.name as "cover_name?", a.content as "content: _", a.link_url
           from platform.gzh_article a left join platform.gzh_material c on c.id = a.cover_id
           where a.material_id = $1 order by a.position"#,
        id
    )
    .fetch_all(connection)
    .await?;
    Ok(rows)
}
