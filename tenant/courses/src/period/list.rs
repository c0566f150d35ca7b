//! How periods are read, with the state of their videos.

use infra::{Error, Result, clock::Moment};
use poem_openapi::{Object, types::Example};
use settings::media::MediaState;
use sqlx::PgConnection;

use super::PeriodKind;

/// A period, as stored and as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Period {
    /// 编号
    pub id: i64,
    /// 课程资源
    pub course_record_id: i64,
    /// 章节
    pub chapter_id: i64,
    /// 课时标题
    pub title: String,
    /// 类型
    pub kind: PeriodKind,
    /// 音视频
    pub media_asset_id: Option<i64>,
    /// 音视频标题
    pub media_title: Option<String>,
    /// 音视频状态
    pub media_state: Option<MediaState>,
    /// 失败原因
    pub fail_reason: Option<String>,
    /// 文档
    pub file_key: Option<String>,
    /// 文档文件名
    pub file_name: Option<String>,
    /// 地址
    pub url: Option<String>,
    /// 直播开始
    pub live_starts_at: Option<Moment>,
    /// 直播结束
    pub live_ends_at: Option<Moment>,
    /// 时长(秒)
    pub duration_seconds: Option<i32>,
    /// 页数
    pub page_count: Option<i32>,
    /// 权重
    pub weight: i32,
    /// 必修
    pub required: bool,
    /// 免费试看
    pub free_preview: bool,
    /// 启用
    pub enabled: bool,
    /// 排序
    pub sort_no: i32,
    /// 版本
    pub version: i32,
}

/// Which periods are wanted: of a record, or of one chapter with its sections.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct PeriodFilter {
    /// 课程资源
    pub course_record_id: i64,
    /// 章节
    pub chapter_id: Option<i64>,
}

impl Example for PeriodFilter {
    fn example() -> Self {
        Self { course_record_id: 1, chapter_id: None }
    }
}

struct Row {
    id: i64,
    course_record_id: i64,
    chapter_id: i64,
    title: String,
    kind: PeriodKind,
    media_asset_id: Option<i64>,
    media_title: Option<String>,
    media_state: Option<MediaState>,
    fail_reason: Option<String>,
    file_key: Option<String>,
    file_name: Option<String>,
    url: Option<String>,
    live_starts_at: Option<Moment>,
    live_ends_at: Option<Moment>,
    duration_seconds: Option<i32>,
    page_count: Option<i32>,
    weight: i32,
    required: bool,
    free_preview: bool,
    enabled: bool,
    sort_no: i32,
    version: i32,
}

impl From<Row> for Period {
    fn from(row: Row) -> Self {
        Self {
            id: row.id,
            course_record_id: row.course_record_id,
            chapter_id: row.chapter_id,
            title: row.title,
            kind: row.kind,
            media_asset_id: row.media_asset_id,
            media_title: row.media_title,
            media_state: row.media_state,
            fail_reason: row.fail_reason,
            file_key: row.file_key,
            file_name: row.file_name,
            url: row.url,
            live_starts_at: row.live_starts_at,
            live_ends_at: row.live_ends_at,
            duration_seconds: row.duration_seconds,
            page_count: row.page_count,
            weight: row.weight,
            required: row.required,
            free_preview: row.free_preview,
            enabled: row.enabled,
            sort_no: row.sort_no,
            version: row.version,
        }
    }
}

/// Periods in the order of the syllabus, then in their own.
pub(super) async fn select(
    connection: &mut PgConnection,
    only: Option<i64>,
    filter: &PeriodFilter,
) -> Result<Vec<Period>> {
    let rows = sqlx::query_as!(
        Row,
        r#"select p.id, p.course_record_id, p.chapter_id, p.title, p.kind as "kind: _", p.media_asset_id,
                  m.title as "media_title?", m.state as "media_state?: _", m.fail_reason as "fail_reason?",
                  f.key as "file_key?", f.original_name as "file_name?", p.url, p.live_starts_at, p.live_ends_at,
                  p.duration_seconds, p.page_count, p.weight, p.required, p.free_preview, p.enabled, p.sort_no, p.version
           from course_period p
           join course_chapter c on c.id = p.chapter_id
           left join course_chapter above on above.id = c.parent_id
           left join media_asset m on m.id = p.media_asset_id
           left join file_object f on f.id = p.file_id
           where ($1::bigint is null or p.id = $1)
             and ($1::bigint is not null or p.course_record_id = $2)
             and ($3::bigint is null or $3 in (c.id, c.parent_id))
           order by coalesce(above.sort_no, c.sort_no), coalesce(above.id, c.id), c.parent_id is not null, c.sort_no, c.id,
                    p.sort_no, p.id"#,
        only,
        filter.course_record_id,
        filter.chapter_id
    )
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(Period::from).collect())
}

pub(super) async fn find(connection: &mut PgConnection, id: i64) -> Result<Period> {
    select(connection, Some(id), &PeriodFilter::default()).await?.pop().ok_or_else(Error::not_found)
}
