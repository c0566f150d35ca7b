//! How record courses are read.

use catalogue_rules::content::{CourseMedia, RecordContent, stored};
use chrono::NaiveDate;
use futures_util::TryStreamExt;
use infra::{
    Error, Paging, Result,
    clock::{Moment, day_began, day_ended},
    transfer::Rows,
};
use poem_openapi::Object;
use sqlx::PgConnection;

use super::{CourseAuditStatus, Putaway, content::media_of};

/// A course as the list shows it: what is published of it, or before that what was typed last.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct RecordCourse {
    /// 编号
    pub id: i64,
    /// 课程名称
    pub course_name: String,
    /// 分类
    pub category_id: i64,
    /// 分类名称
    pub category_name: String,
    /// 讲师
    pub lecturer_id: i64,
    /// 讲师姓名
    pub lecturer_name: String,
    /// 封面
    pub cover: String,
    /// 免费
    pub is_free: bool,
    /// 原价(分)
    pub price_original: i64,
    /// 优惠价(分)
    pub price_sale: i64,
    /// 有效天数
    pub valid_days: Option<i32>,
    /// 课时数
    pub period_total: i64,
    /// 上架状态
    pub putaway: Putaway,
    /// 审核状态
    pub audit_status: CourseAuditStatus,
    /// 未发布版本
    /// 还没有通过审核的版本的状态
    pub revision_status: Option<CourseAuditStatus>,
    /// 审核意见
    pub audit_opinion: Option<String>,
    /// 供院校使用
    pub school_shared: bool,
    /// 启用
    pub enabled: bool,
    /// 创建时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

/// A course with its whole content.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct RecordCourseView {
    #[oai(flatten)]
    pub course: RecordCourse,
    /// 内容
    pub content: RecordContent,
    /// 音视频
    pub media: Vec<CourseMedia>,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct RecordCourseFilter {
    /// 课程名称
    #[oai(validator(max_length = 60))]
    pub course_name: Option<String>,
    /// 分类
    /// 包括其下级分类
    pub category_id: Option<i64>,
    /// 讲师
    pub lecturer_id: Option<i64>,
    /// 免费
    pub is_free: Option<bool>,
    /// 上架状态
    pub putaway: Option<Putaway>,
    /// 审核状态
    pub audit_status: Option<CourseAuditStatus>,
    /// 供院校使用
    pub school_shared: Option<bool>,
    /// 启用
    pub enabled: Option<bool>,
    /// 创建日期起
    pub created_from: Option<NaiveDate>,
    /// 创建日期止
    pub created_to: Option<NaiveDate>,
}

struct Row {
    id: i64,
    course_name: String,
    category_id: i64,
    category_name: String,
    lecturer_id: i64,
    lecturer_name: String,
    cover: String,
    is_free: bool,
    price_original: i64,
    price_sale: i64,
    valid_days: Option<i32>,
    period_total: i64,
    putaway: Putaway,
    audit_status: CourseAuditStatus,
    revision_status: Option<CourseAuditStatus>,
    audit_opinion: Option<String>,
    school_shared: bool,
    enabled: bool,
    created_at: Moment,
    version: i32,
}

impl From<Row> for RecordCourse {
    fn from(row: Row) -> Self {
        Self {
            id: row.id,
            course_name: row.course_name,
            category_id: row.category_id,
            category_name: row.category_name,
            lecturer_id: row.lecturer_id,
            lecturer_name: row.lecturer_name,
            cover: row.cover,
            is_free: row.is_free,
            price_original: row.price_original,
            price_sale: row.price_sale,
            valid_days: row.valid_days,
            period_total: row.period_total,
            putaway: row.putaway,
            audit_status: row.audit_status,
            revision_status: row.revision_status,
            audit_opinion: row.audit_opinion,
            school_shared: row.school_shared,
            enabled: row.enabled,
            created_at: row.created_at,
            version: row.version,
        }
    }
}

/// Courses, the newest first.
pub(super) fn select<'c>(
    connection: &'c mut PgConnection,
    only: Option<i64>,
    filter: &RecordCourseFilter,
    page: Option<Paging>,
) -> Rows<'c, RecordCourse> {
    let rows = sqlx::query_as!(
        Row,
        r#"select c.id, c.course_name, c.category_id, g.category_name, c.lecturer_id, l.lecturer_name, c.cover, c.is_free,
                  c.price_original, c.price_sale, c.valid_days,
                  (select count(*) from platform.online_period p join platform.online_chapter h on h.id = p.chapter_id
                   where h.course_id = c.id) as "period_total!",
                  c.putaway as "putaway: _", c.audit_status as "audit_status: _",
                  (select r.audit_status from platform.online_course_revision r
                   where r.course_id = c.id and r.audit_status <> 'approved') as "revision_status: _",
                  (select r.audit_opinion from platform.online_course_revision r
                   where r.course_id = c.id and r.audit_status <> 'approved') as audit_opinion,
                  c.school_shared, c.enabled, c.created_at, c.version
           from platform.online_course c
           join platform.online_category g on g.id = c.category_id
           join platform.lecturer l on l.id = c.lecturer_id
           where c.course_type = 'record'
             and ($1::bigint is null or c.id = $1)
             and ($2::text is null or strpos(c.course_name, $2) > 0 or starts_with(c.initials, lower($2)))
             and ($3::bigint is null or c.category_id in (
                 with recursive below as (
                     select $3::bigint as id
                     union all
                     select k.id from platform.online_category k join below b on k.parent_id = b.id)
                 select below.id from below))
             and ($4::bigint is null or c.lecturer_id = $4)
             and ($5::boolean is null or c.is_free = $5)
             and ($6::text is null or c.putaway = $6)
             and ($7::text is null or c.audit_status = $7)
             and ($8::boolean is null or c.school_shared = $8)
             and ($9::boolean is null or c.enabled = $9)
             and ($10::timestamptz is null or c.created_at >= $10)
             and ($11::timestamptz is null or c.created_at < $11)
           order by c.id desc limit $12 offset $13"#,
        only,
        filter.course_name,
        filter.category_id,
        filter.lecturer_id,
        filter.is_free,
        filter.putaway.map(Putaway::as_str),
        filter.audit_status.map(CourseAuditStatus::as_str),
        filter.school_shared,
        filter.enabled,
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended),
        page.map(Paging::limit),
        page.map(Paging::offset)
    )
    .fetch(connection);
    Box::pin(rows.map_ok(RecordCourse::from))
}

pub(super) async fn count(connection: &mut PgConnection, filter: &RecordCourseFilter) -> Result<i64> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from platform.online_course c
           where c.course_type = 'record'
             and ($1::text is null or strpos(c.course_name, $1) > 0 or starts_with(c.initials, lower($1)))
             and ($2::bigint is null or c.category_id in (
                 with recursive below as (
                     select $2::bigint as id
                     union all
                     select k.id from platform.online_category k join below b on k.parent_id = b.id)
                 select below.id from below))
             and ($3::bigint is null or c.lecturer_id = $3)
             and ($4::boolean is null or c.is_free = $4)
             and ($5::text is null or c.putaway = $5)
             and ($6::text is null or c.audit_status = $6)
             and ($7::boolean is null or c.school_shared = $7)
             and ($8::boolean is null or c.enabled = $8)
             and ($9::timestamptz is null or c.created_at >= $9)
             and ($10::timestamptz is null or c.created_at < $10)"#,
        filter.course_name,
        filter.category_id,
        filter.lecturer_id,
        filter.is_free,
        filter.putaway.map(Putaway::as_str),
        filter.audit_status.map(CourseAuditStatus::as_str),
        filter.school_shared,
        filter.enabled,
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended)
    )
    .fetch_one(connection)
    .await?;
    Ok(total)
}

async fn find(connection: &mut PgConnection, id: i64) -> Result<RecordCourse> {
    let found = select(connection, Some(id), &RecordCourseFilter::default(), None).try_next().await?;
    found.ok_or_else(Error::not_found)
}

/// The version that is not approved stands before the one that is published.
pub(super) async fn view(connection: &mut PgConnection, id: i64) -> Result<RecordCourseView> {
    let course = find(connection, id).await?;
    let content = sqlx::query_scalar!(
        "select r.content from platform.online_course_revision r join platform.online_course c on c.id = r.course_id
         where c.id = $1 and (r.audit_status <> 'approved' or r.id = c.published_revision_id)
         order by r.audit_status = 'approved' limit 1",
        id
    )
    .fetch_optional(&mut *connection)
    .await?
    .ok_or_else(Error::not_found)?;
    let content = stored(content)?;
    let media = media_of(connection, &[&content]).await?;
    Ok(RecordCourseView { course, content, media })
}
