//! How records are read, with the figures of their periods.

use futures_util::TryStreamExt;
use infra::{
    Error, Paging, Result, RichText, Scope,
    across::{Key, Listed},
    clock::Moment,
    transfer::Rows,
};
use poem_openapi::Object;
use sqlx::PgConnection;

use super::{CourseRecordStatus, CourseRecords};
use crate::course::CourseSource;

/// A set of material, as stored and as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct CourseRecord {
    /// 编号
    pub id: i64,
    /// 课程
    pub course_id: i64,
    /// 课程代码
    pub course_code: String,
    /// 课程名称
    pub course_name: String,
    /// 资源名称
    pub name: String,
    /// 主讲
    pub lecturer_name: Option<String>,
    /// 主讲教师
    pub lecturer_teacher_id: Option<i64>,
    /// 封面
    pub cover_url: Option<String>,
    /// 简介
    pub introduction: Option<RichText>,
    /// 来源
    pub source: CourseSource,
    /// 平台课程
    /// 引用的平台课程的编号
    pub platform_course_id: Option<i64>,
    /// 版本号
    pub version_no: i32,
    /// 默认
    pub is_default: bool,
    /// 状态
    pub status: CourseRecordStatus,
    /// 课时数
    pub period_count: i64,
    /// 就绪课时数
    pub ready_count: i64,
    /// 总时长(秒)
    pub total_seconds: i64,
    /// 更新时间
    pub updated_at: Moment,
    /// 版本
    pub version: i32,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct CourseRecordFilter {
    /// 课程
    pub course_id: Option<i64>,
    /// 课程
    /// 编码或名称包含；查看全部院校时代替课程编号
    #[oai(validator(max_length = 50))]
    pub course_text: Option<String>,
    /// 资源名称
    #[oai(validator(max_length = 100))]
    pub name: Option<String>,
    /// 主讲
    #[oai(validator(max_length = 50))]
    pub lecturer_name: Option<String>,
    /// 来源
    pub source: Option<CourseSource>,
    /// 状态
    pub status: Option<CourseRecordStatus>,
}

impl CourseRecordFilter {
    /// What the code or name of the course contains.
    fn texts(&self) -> Option<Vec<Option<String>>> {
        infra::naming::sought([self.course_text.as_deref()])
    }
}

struct Row {
    id: i64,
    course_id: i64,
    course_code: String,
    course_name: String,
    name: String,
    lecturer_name: Option<String>,
    lecturer_teacher_id: Option<i64>,
    cover_url: Option<String>,
    introduction: Option<RichText>,
    source: CourseSource,
    platform_course_id: Option<i64>,
    version_no: i32,
    is_default: bool,
    status: CourseRecordStatus,
    period_count: i64,
    ready_count: i64,
    total_seconds: i64,
    updated_at: Moment,
    version: i32,
}

impl From<Row> for CourseRecord {
    fn from(row: Row) -> Self {
        Self {
            id: row.id,
            course_id: row.course_id,
            course_code: row.course_code,
            course_name: row.course_name,
            name: row.name,
            lecturer_name: row.lecturer_name,
            lecturer_teacher_id: row.lecturer_teacher_id,
            cover_url: row.cover_url,
            introduction: row.introduction,
            source: row.source,
            platform_course_id: row.platform_course_id,
            version_no: row.version_no,
            is_default: row.is_default,
            status: row.status,
            period_count: row.period_count,
            ready_count: row.ready_count,
            total_seconds: row.total_seconds,
            updated_at: row.updated_at,
            version: row.version,
        }
    }
}

impl Listed for CourseRecords {
    type Filter = CourseRecordFilter;
    type Row = CourseRecord;

    fn id(row: &CourseRecord) -> i64 {
        row.id
    }

    async fn page(
        connection: &mut PgConnection,
        filter: &CourseRecordFilter,
        _scope: &Scope,
        paging: Paging,
    ) -> Result<(i64, Vec<CourseRecord>)> {
        let total = count(connection, filter).await?;
        Ok((total, select(connection, None, filter, Some(paging)).try_collect().await?))
    }

    async fn keys(
        connection: &mut PgConnection,
        filter: &CourseRecordFilter,
        _scope: &Scope,
        until: Moment,
        most: i64,
    ) -> Result<Vec<Key>> {
        let texts = filter.texts();
        let keys = sqlx::query_as!(
            Key,
            r#"select r.id, r.created_at, count(*) over () as "total!" from course_record r
               where r.created_at <= $1
                 and ($2::bigint is null or r.course_id = $2)
                 and ($3::text is null or strpos(r.name, $3) > 0)
                 and ($4::text is null or strpos(coalesce((select t.name from teacher t where t.id = r.lecturer_teacher_id), r.lecturer_name), $4) > 0)
                 and ($5::text is null or r.source = $5)
                 and ($6::text is null or r.status = $6)
                 and (($7::text[])[1] is null or r.course_id = any(array(
                          select x.id from course x where strpos(lower(x.code), ($7::text[])[1]) > 0 or strpos(lower(x.name), ($7::text[])[1]) > 0)))
               order by r.created_at desc, r.id
               limit $8"#,
            until,
            filter.course_id,
            filter.name,
            filter.lecturer_name,
            filter.source.map(CourseSource::as_str),
            filter.status.map(CourseRecordStatus::as_str),
            texts.as_deref() as _,
            most
        )
        .fetch_all(connection)
        .await?;
        Ok(keys)
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64]) -> Result<Vec<CourseRecord>> {
        Ok(select(connection, Some(ids), &CourseRecordFilter::default(), None).try_collect().await?)
    }
}

/// Records, the last changed first. A period is ready when its video is, or when it has none.
pub(super) fn select<'c>(
    connection: &'c mut PgConnection,
    only: Option<&[i64]>,
    filter: &CourseRecordFilter,
    page: Option<Paging>,
) -> Rows<'c, CourseRecord> {
    let texts = filter.texts();
    let rows = sqlx::query_as!(
        Row,
        r#"select r.id, r.course_id, c.code as course_code, c.name as course_name, r.name,
                  coalesce(t.name, r.lecturer_name) as lecturer_name, r.lecturer_teacher_id, r.cover_url,
                  r.introduction as "introduction: _", r.source as "source: _", r.platform_course_id,
                  r.version_no, r.is_default, r.status as "status: _", p.all_of_them as "period_count!", p.ready as "ready_count!", p.seconds as "total_seconds!",
                  r.updated_at, r.version
           from course_record r
           join course c on c.id = r.course_id
           left join teacher t on t.id = r.lecturer_teacher_id
           cross join lateral (
               select count(*) as all_of_them, count(*) filter (where m.id is null or m.state = 'ready') as ready,
                      coalesce(sum(p.duration_seconds), 0)::bigint as seconds
               from course_period p left join media_asset m on m.id = p.media_asset_id where p.course_record_id = r.id) p
           where ($1::bigint[] is null or r.id = any($1))
             and ($2::bigint is null or r.course_id = $2)
             and ($3::text is null or strpos(r.name, $3) > 0)
             and ($4::text is null or strpos(coalesce(t.name, r.lecturer_name), $4) > 0)
             and ($5::text is null or r.source = $5)
             and ($6::text is null or r.status = $6)
             and (($7::text[])[1] is null or r.course_id = any(array(
                      select x.id from course x where strpos(lower(x.code), ($7::text[])[1]) > 0 or strpos(lower(x.name), ($7::text[])[1]) > 0)))
           order by r.updated_at desc, r.id desc
           limit $8 offset $9"#,
        only,
        filter.course_id,
        filter.name,
        filter.lecturer_name,
        filter.source.map(CourseSource::as_str),
        filter.status.map(CourseRecordStatus::as_str),
        texts.as_deref() as _,
        page.map(Paging::limit),
        page.map(Paging::offset)
    )
    .fetch(connection);
    Box::pin(rows.map_ok(CourseRecord::from))
}

async fn count(connection: &mut PgConnection, filter: &CourseRecordFilter) -> Result<i64> {
    let texts = filter.texts();
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from course_record r
           where ($1::bigint is null or r.course_id = $1)
             and ($2::text is null or strpos(r.name, $2) > 0)
             and ($3::text is null or strpos(coalesce((select t.name from teacher t where t.id = r.lecturer_teacher_id), r.lecturer_name), $3) > 0)
             and ($4::text is null or r.source = $4)
             and ($5::text is null or r.status = $5)
             and (($6::text[])[1] is null or r.course_id = any(array(
                      select x.id from course x where strpos(lower(x.code), ($6::text[])[1]) > 0 or strpos(lower(x.name), ($6::text[])[1]) > 0)))"#,
        filter.course_id,
        filter.name,
        filter.lecturer_name,
        filter.source.map(CourseSource::as_str),
        filter.status.map(CourseRecordStatus::as_str),
        texts.as_deref() as _
    )
    .fetch_one(connection)
    .await?;
    Ok(total)
}

pub(super) async fn find(connection: &mut PgConnection, id: i64) -> Result<CourseRecord> {
    let found = select(connection, Some(&[id]), &CourseRecordFilter::default(), None).try_next().await?;
    found.ok_or_else(Error::not_found)
}
