//! How progress is read. Only lessons that the course still has are counted.

use catalogue_rules::course::SiteCourseKind;
use chrono::NaiveDate;
use futures_util::TryStreamExt;
use infra::{
    Error, Paging, Result,
    clock::{Moment, day_began, day_ended},
    mask,
    transfer::Rows,
};
use poem_openapi::Object;
use sqlx::PgConnection;

/// How far a learner is with a course.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SiteProgress {
    /// 编号
    pub id: i64,
    /// 学员
    pub learner_name: String,
    /// 手机
    pub phone: String,
    /// 课程
    pub course_id: i64,
    /// 课程名称
    pub course_name: String,
    /// 课程类型
    pub course_type: SiteCourseKind,
    /// 已学课时
    pub finished: i64,
    /// 总课时
    pub period_total: i64,
    /// 进度(%)
    /// 已学课时÷总课时，一位小数
    pub progress: f64,
    /// 学习时长(秒)
    pub watched_seconds: i64,
    /// 开始学习
    pub started_at: Moment,
    /// 最近学习
    pub last_at: Moment,
}

impl SiteProgress {
    /// As lists show it; the whole value is one call for one person (05 E4).
    pub fn mask(&mut self) {
        self.phone = mask::phone(&self.phone);
    }
}

/// A lesson of a course, as far as the learner is with it.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct PeriodProgress {
    /// 课时编号
    pub period_id: i64,
    /// 章节
    pub chapter_name: String,
    /// 课时
    pub period_name: String,
    /// 学习时长(秒)
    pub watched_seconds: i64,
    /// 学到(秒)
    pub position_seconds: i64,
    /// 完成时间
    pub finished_at: Option<Moment>,
}

/// A learner's progress with every lesson.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SiteProgressView {
    #[oai(flatten)]
    pub progress: SiteProgress,
    /// 课时明细
    pub periods: Vec<PeriodProgress>,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct SiteProgressFilter {
    /// 课程名称
    #[oai(validator(max_length = 60))]
    pub course_name: Option<String>,
    /// 课程
    pub course_id: Option<i64>,
    /// 姓名或手机
    #[oai(validator(max_length = 30))]
    pub keyword: Option<String>,
    /// 学员
    pub learner_id: Option<i64>,
    /// 进度不低于(%)
    #[oai(validator(minimum(value = "0"), maximum(value = "100")))]
    pub progress_from: Option<f64>,
    /// 进度不高于(%)
    #[oai(validator(minimum(value = "0"), maximum(value = "100")))]
    pub progress_to: Option<f64>,
    /// 最近学习日期起
    pub last_from: Option<NaiveDate>,
    /// 最近学习日期止
    pub last_to: Option<NaiveDate>,
}

/// Who studied last, first.
pub(super) fn select<'c>(
    connection: &'c mut PgConnection,
    only: Option<i64>,
    filter: &SiteProgressFilter,
    page: Option<Paging>,
) -> Rows<'c, SiteProgress> {
    let rows = sqlx::query_as!(
        SiteProgress,
        r#"select s.id, s.learner_name, e.phone, s.course_id, c.course_name, c.course_type as "course_type: _",
                  t.finished as "finished!", t.periods as "period_total!",
                  round(100.0 * t.finished / greatest(t.periods, 1), 1)::float8 as "progress!", s.watched_seconds, s.started_at,
                  s.last_at
           from platform.online_course_study s
           join platform.user_ext e on e.id = s.learner_id
           join platform.online_course c on c.id = s.course_id
           cross join lateral (
               select count(*) as periods, count(o.finished_at) as finished
               from platform.online_chapter h
               join platform.online_period p on p.chapter_id = h.id
               left join platform.online_study o on o.period_id = p.id and o.learner_id = s.learner_id
               where h.course_id = s.course_id) t
           where ($1::bigint is null or s.id = $1)
             and ($2::text is null or strpos(c.course_name, $2) > 0 or starts_with(c.initials, lower($2)))
             and ($3::text is null or strpos(s.learner_name, $3) > 0 or e.phone = $3)
             and ($4::float8 is null or round(100.0 * t.finished / greatest(t.periods, 1), 1)::float8 >= $4)
             and ($5::float8 is null or round(100.0 * t.finished / greatest(t.periods, 1), 1)::float8 <= $5)
             and ($6::timestamptz is null or s.last_at >= $6)
             and ($7::timestamptz is null or s.last_at < $7)
             and ($10::bigint is null or s.learner_id = $10)
             and ($11::bigint is null or s.course_id = $11)
           order by s.last_at desc, s.id desc limit $8 offset $9"#,
        only,
        filter.course_name,
        filter.keyword,
        filter.progress_from,
        filter.progress_to,
        filter.last_from.map(day_began),
        filter.last_to.map(day_ended),
        page.map(Paging::limit),
        page.map(Paging::offset),
        filter.learner_id,
        filter.course_id
    )
    .fetch(connection);
    Box::pin(rows)
}

pub(super) async fn count(connection: &mut PgConnection, filter: &SiteProgressFilter) -> Result<i64> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!"
           from platform.online_course_study s
           join platform.user_ext e on e.id = s.learner_id
           join platform.online_course c on c.id = s.course_id
           where ($1::text is null or strpos(c.course_name, $1) > 0 or starts_with(c.initials, lower($1)))
             and ($2::text is null or strpos(s.learner_name, $2) > 0 or e.phone = $2)
             and (($3::float8 is null and $4::float8 is null) or (
                 select round(100.0 * count(o.finished_at) / greatest(count(*), 1), 1)::float8
                 from platform.online_chapter h
                 join platform.online_period p on p.chapter_id = h.id
                 left join platform.online_study o on o.period_id = p.id and o.learner_id = s.learner_id
                 where h.course_id = s.course_id) between coalesce($3, 0) and coalesce($4, 100))
             and ($5::timestamptz is null or s.last_at >= $5)
             and ($6::timestamptz is null or s.last_at < $6)
             and ($7::bigint is null or s.learner_id = $7)
             and ($8::bigint is null or s.course_id = $8)"#,
        filter.course_name,
        filter.keyword,
        filter.progress_from,
        filter.progress_to,
        filter.last_from.map(day_began),
        filter.last_to.map(day_ended),
        filter.learner_id,
        filter.course_id
    )
    .fetch_one(connection)
    .await?;
    Ok(total)
}

pub(super) async fn find(connection: &mut PgConnection, id: i64) -> Result<SiteProgress> {
    let found = select(connection, Some(id), &SiteProgressFilter::default(), None).try_next().await?;
    found.ok_or_else(Error::not_found)
}

/// Every lesson of the course, in its order.
pub(super) async fn periods(connection: &mut PgConnection, id: i64) -> Result<Vec<PeriodProgress>> {
    let periods = sqlx::query_as!(
        PeriodProgress,
        r#"select p.id as period_id, h.chapter_name, p.period_name, coalesce(o.watched_seconds, 0) as "watched_seconds!",
                  coalesce(o.position_seconds, 0) as "position_seconds!", o.finished_at as "finished_at?"
           from platform.online_course_study s
           join platform.online_chapter h on h.course_id = s.course_id
           join platform.online_period p on p.chapter_id = h.id
           left join platform.online_study o on o.period_id = p.id and o.learner_id = s.learner_id
           where s.id = $1
           order by h.sort, h.id, p.sort, p.id"#,
        id
    )
    .fetch_all(connection)
    .await?;
    Ok(periods)
}
