//! How the figures are counted.

use catalogue_rules::course::SiteCourseKind;
use chrono::NaiveDate;
use infra::{
    Paging, Result,
    clock::{day_began, day_ended},
    transfer::Rows,
};
use poem_openapi::{Object, types::Example};
use sqlx::PgConnection;

/// The figures of a course.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct CourseFigures {
    /// 编号
    pub id: i64,
    /// 课程名称
    pub course_name: String,
    /// 课程类型
    pub course_type: SiteCourseKind,
    /// 分类名称
    pub category_name: String,
    /// 讲师姓名
    pub lecturer_name: String,
    /// 购买数
    pub count_buy: i64,
    /// 收入(分)
    /// 实付减已退；按统计日期内支付的订单计算
    pub income: i64,
    /// 学习人数
    pub learners: i64,
    /// 学习时长(秒)
    pub studied_seconds: i64,
    /// 完课率(%)
    /// 学完全部课时的人数÷开始学习的人数；没有人学习时为空
    pub finished_rate: Option<f64>,
    /// 平均进度(%)
    pub average_progress: Option<f64>,
    /// 评分
    pub score_avg: Option<f64>,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct CourseFiguresFilter {
    /// 课程类型
    pub course_type: Option<SiteCourseKind>,
    /// 分类
    /// 包括其下级分类
    pub category_id: Option<i64>,
    /// 讲师
    pub lecturer_id: Option<i64>,
    /// 学习日期起
    pub studied_from: Option<NaiveDate>,
    /// 学习日期止
    pub studied_to: Option<NaiveDate>,
}

impl Example for CourseFiguresFilter {
    fn example() -> Self {
        Self::default()
    }
}

/// What was studied on a day.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SiteStudyDay {
    /// 日期
    pub day: NaiveDate,
    /// 学习时长(分钟)
    pub minutes: i64,
    /// 购买数
    pub buys: i64,
}

/// A course that many bought.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct TopCourse {
    /// 课程
    pub id: i64,
    /// 课程名称
    pub course_name: String,
    /// 购买数
    pub count_buy: i64,
    /// 学习人数
    pub learners: i64,
}

/// What the charts draw.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct FigureCharts {
    /// 每天的学习时长
    pub days: Vec<SiteStudyDay>,
    /// 购买最多的课程
    pub top: Vec<TopCourse>,
}

/// What most bought first.
pub(super) fn select<'c>(
    connection: &'c mut PgConnection,
    filter: &CourseFiguresFilter,
    page: Option<Paging>,
) -> Rows<'c, CourseFigures> {
    let rows = sqlx::query_as!(
        CourseFigures,
        r#"select c.id, c.course_name, c.course_type as "course_type: _", g.category_name, l.lecturer_name, c.count_buy,
                  (select coalesce(sum(o.price_paid - o.refunded_amount), 0)::bigint from platform.order_info o
                   where o.product_type = c.course_type and o.product_id = c.id and o.paid_at is not null
                     and ($8::timestamptz is null or o.paid_at >= $8) and ($9::timestamptz is null or o.paid_at < $9))
                      as "income!",
                  f.learners as "learners!",
                  (select coalesce(sum(d.seconds), 0)::bigint from platform.online_study_day d
                   where d.course_id = c.id and ($4::date is null or d.day >= $4) and ($5::date is null or d.day <= $5))
                      as "studied_seconds!",
                  round(100.0 * f.complete / nullif(f.learners, 0), 1)::float8 as "finished_rate?",
                  round(f.progress, 1)::float8 as "average_progress?", c.score_avg::float8 as "score_avg?"
           from platform.online_course c
           join platform.online_category g on g.id = c.category_id
           join platform.lecturer l on l.id = c.lecturer_id
           cross join lateral (
               select count(*) as periods from platform.online_chapter h join platform.online_period p on p.chapter_id = h.id
               where h.course_id = c.id) t
           cross join lateral (
               select count(*) as learners, count(*) filter (where t.periods > 0 and n.finished >= t.periods) as complete,
                      avg(100.0 * n.finished / greatest(t.periods, 1)) as progress
               from platform.online_course_study s
               cross join lateral (
                   select count(*) as finished from platform.online_study o
                   join platform.online_period p on p.id = o.period_id
                   where o.course_id = c.id and o.learner_id = s.learner_id and o.finished_at is not null) n
               where s.course_id = c.id) f
           where ($1::text is null or c.course_type = $1)
             and ($2::bigint is null or c.category_id in (
                 with recursive below as (
                     select $2::bigint as id
                     union all
                     select k.id from platform.online_category k join below b on k.parent_id = b.id)
                 select below.id from below))
             and ($3::bigint is null or c.lecturer_id = $3)
           order by c.count_buy desc, c.id desc limit $6 offset $7"#,
        filter.course_type.map(SiteCourseKind::as_str),
        filter.category_id,
        filter.lecturer_id,
        filter.studied_from,
        filter.studied_to,
        page.map(Paging::limit),
        page.map(Paging::offset),
        filter.studied_from.map(day_began),
        filter.studied_to.map(day_ended)
    )
    .fetch(connection);
    Box::pin(rows)
}

pub(super) async fn count(connection: &mut PgConnection, filter: &CourseFiguresFilter) -> Result<i64> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from platform.online_course c
           where ($1::text is null or c.course_type = $1)
             and ($2::bigint is null or c.category_id in (
                 with recursive below as (
                     select $2::bigint as id
                     union all
                     select k.id from platform.online_category k join below b on k.parent_id = b.id)
                 select below.id from below))
             and ($3::bigint is null or c.lecturer_id = $3)"#,
        filter.course_type.map(SiteCourseKind::as_str),
        filter.category_id,
        filter.lecturer_id
    )
    .fetch_one(connection)
    .await?;
    Ok(total)
}

/// Every day from the first to the last, also those without study; the ten courses that most bought.
pub(super) async fn charts(
    connection: &mut PgConnection,
    filter: &CourseFiguresFilter,
    (from, to): (NaiveDate, NaiveDate),
) -> Result<FigureCharts> {
    let studied = sqlx::query!(
        r#"select d.day, sum(d.seconds)::bigint as "seconds!"
           from platform.online_study_day d join platform.online_course c on c.id = d.course_id
           where d.day between $1 and $2
             and ($3::text is null or c.course_type = $3)
             and ($4::bigint is null or c.category_id in (
                 with recursive below as (
                     select $4::bigint as id
                     union all
                     select k.id from platform.online_category k join below b on k.parent_id = b.id)
                 select below.id from below))
             and ($5::bigint is null or c.lecturer_id = $5)
           group by d.day"#,
        from,
        to,
        filter.course_type.map(SiteCourseKind::as_str),
        filter.category_id,
        filter.lecturer_id
    )
    .fetch_all(&mut *connection)
    .await?;
    let bought = sqlx::query!(
        r#"select (o.paid_at at time zone 'Asia/Shanghai')::date as "day!", count(*) as "buys!"
           from platform.order_info o join platform.online_course c on c.id = o.product_id and c.course_type = o.product_type
           where o.paid_at >= $1 and o.paid_at < $2
             and ($3::text is null or c.course_type = $3)
             and ($4::bigint is null or c.category_id in (
                 with recursive below as (
                     select $4::bigint as id
                     union all
                     select k.id from platform.online_category k join below b on k.parent_id = b.id)
                 select below.id from below))
             and ($5::bigint is null or c.lecturer_id = $5)
           group by 1"#,
        day_began(from) as _,
        day_ended(to) as _,
        filter.course_type.map(SiteCourseKind::as_str),
        filter.category_id,
        filter.lecturer_id
    )
    .fetch_all(&mut *connection)
    .await?;
    let of = |day: NaiveDate| studied.iter().find(|row| row.day == day).map_or(0, |row| row.seconds);
    let buys = |day: NaiveDate| bought.iter().find(|row| row.day == day).map_or(0, |row| row.buys);
    let days = from
        .iter_days()
        .take_while(|day| *day <= to)
        .map(|day| SiteStudyDay { day, minutes: of(day) / 60, buys: buys(day) })
        .collect();
    let top = sqlx::query_as!(
        TopCourse,
        r#"select c.id, c.course_name, c.count_buy,
                  (select count(*) from platform.online_course_study s where s.course_id = c.id) as "learners!"
           from platform.online_course c
           where ($1::text is null or c.course_type = $1)
             and ($2::bigint is null or c.category_id in (
                 with recursive below as (
                     select $2::bigint as id
                     union all
                     select k.id from platform.online_category k join below b on k.parent_id = b.id)
                 select below.id from below))
             and ($3::bigint is null or c.lecturer_id = $3)
           order by c.count_buy desc, c.id desc limit 10"#,
        filter.course_type.map(SiteCourseKind::as_str),
        filter.category_id,
        filter.lecturer_id
    )
    .fetch_all(connection)
    .await?;
    Ok(FigureCharts { days, top })
}
