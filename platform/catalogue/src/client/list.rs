//! Courses as visitors see them: those on the shelf alone.

use catalogue_rules::course::SiteCourseKind;
use infra::{Paging, Result, clock::Moment, enumeration};
use poem_openapi::Object;
use sqlx::PgConnection;

use crate::{course::LiveStanding, recommend::RecommendPosition};

enumeration! {
    /// 网站课程排序
    pub enum ShownCourseSort = "shownCourseSort" {
        Newest = "newest" "最新",
        Hot = "hot" "购买数",
        Score = "score" "评分",
        Price = "price" "价格",
    }
}

/// A course on the shelf.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ShownCourse {
    /// 编号
    pub id: i64,
    /// 课程类型
    pub course_type: SiteCourseKind,
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
    /// 为空表示永久有效
    pub valid_days: Option<i32>,
    /// 课时数
    pub period_total: i64,
    /// 总时长(秒)
    pub duration_seconds: i64,
    /// 购买数
    pub count_buy: i64,
    /// 学习人数
    pub count_study: i64,
    /// 评分
    /// 一位小数，没有评分时为空
    pub score_avg: Option<f64>,
    /// 评分人数
    pub score_count: i64,
    /// 推荐
    pub recommended: bool,
    /// 直播状态
    pub live_standing: LiveStanding,
    /// 下次直播时间
    pub next_starts_at: Option<Moment>,
    /// 文件类型
    pub resource_ext: Option<String>,
    /// 页数
    pub resource_pages: Option<i32>,
    /// 大小(字节)
    pub resource_size: Option<i64>,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct ShownCourseFilter {
    /// 课程类型
    pub course_type: Option<SiteCourseKind>,
    /// 课程名称或讲师
    #[oai(validator(max_length = 60))]
    pub keyword: Option<String>,
    /// 分类
    /// 包括其下级分类
    pub category_id: Option<i64>,
    /// 讲师
    pub lecturer_id: Option<i64>,
    /// 免费
    pub is_free: Option<bool>,
    /// 推荐
    pub recommended: Option<bool>,
    /// 直播状态
    pub live_standing: Option<LiveStanding>,
}

impl ShownCourseFilter {
    /// Whose recommendations stand before the others.
    const fn position(&self) -> RecommendPosition {
        if self.category_id.is_some() { RecommendPosition::Category } else { RecommendPosition::Home }
    }
}

/// Which courses are wanted.
#[derive(Clone, Copy)]
pub(super) enum Wanted<'f> {
    Filtered(&'f ShownCourseFilter, Paging),
    One(i64),
    /// So many of those that the page of a course recommends, without that course.
    BesideOf(i64, i64),
}

/// The page is found before anything is counted of its rows.
pub(super) async fn select(connection: &mut PgConnection, now: Moment, wanted: Wanted<'_>) -> Result<Vec<ShownCourse>> {
    let every = ShownCourseFilter::default();
    let (filter, paging) = match wanted {
        Wanted::Filtered(filter, paging) => (filter, Some(paging)),
        Wanted::One(_) | Wanted::BesideOf(..) => (&every, None),
    };
    let (only, beside, most) = match wanted {
        Wanted::Filtered(_, paging) => (None, None, Some(paging.limit())),
        Wanted::One(id) => (Some(id), None, None),
        Wanted::BesideOf(id, most) => (None, Some(id), Some(most)),
    };
    let (position, recommended) = match wanted {
        Wanted::BesideOf(..) => (RecommendPosition::Detail, Some(true)),
        Wanted::Filtered(..) | Wanted::One(_) => (filter.position(), filter.recommended),
    };
    let order = paging.and_then(Paging::order);
    let rows = sqlx::query_as!(
        ShownCourse,
        r#"select c.id as "id!", c.course_type as "course_type!: _", c.course_name as "course_name!",
                  c.category_id as "category_id!", g.category_name as "category_name!", c.lecturer_id as "lecturer_id!",
                  l.lecturer_name as "lecturer_name!", c.cover as "cover!", c.is_free as "is_free!",
                  c.price_original as "price_original!", c.price_sale as "price_sale!", c.valid_days as "valid_days?",
                  t.periods as "period_total!", t.seconds as "duration_seconds!", c.count_buy_base + c.count_buy as "count_buy!",
                  c.count_study as "count_study!",
                  c.score_avg::float8 as "score_avg?", c.score_count as "score_count!", p.recommended as "recommended!",
                  case when t.living > 0 then 'living' when t.waiting > 0 then 'waiting' when t.periods > 0 then 'ended'
                       else 'none' end as "live_standing!: _",
                  t.next_starts_at as "next_starts_at?", c.resource_ext as "resource_ext?",
                  c.resource_pages as "resource_pages?", c.resource_size as "resource_size?"
           from (
               select c.id, k.id is not null as recommended,
                      row_number() over (
                          order by case when $4::text is null then k.sort end nulls last,
                                   case when $4::text is null then k.id end desc nulls last,
                                   case $4::text when 'newest' then c.id when 'hot' then c.count_buy_base + c.count_buy
                                                 when 'price' then c.price_sale when 'score' then c.score_avg end
                                       * case when $5::boolean then -1 else 1 end nulls last,
                                   c.id desc) as place
               from platform.online_course c
               join platform.lecturer l on l.id = c.lecturer_id
               left join platform.course_recommend k
                    on k.course_id = c.id and k.enabled and k.position = $2 and k.category_id is not distinct from $3
                   and coalesce(k.begins_at, $1) <= $1 and coalesce(k.ends_at > $1, true)
               where c.enabled and c.putaway = 'on' and c.audit_status = 'approved'
                 and ($6::bigint is null or c.id = $6)
                 and ($7::bigint is null or c.id <> $7)
                 and ($8::text is null or c.course_type = $8)
                 and ($9::text is null or strpos(c.course_name, $9) > 0 or strpos(l.lecturer_name, $9) > 0
                      or starts_with(c.initials, lower($9)))
                 and ($3::bigint is null or c.category_id in (
                     with recursive below as (
                         select $3::bigint as id
                         union all
                         select d.id from platform.online_category d join below b on d.parent_id = b.id)
                     select below.id from below))
                 and ($10::bigint is null or c.lecturer_id = $10)
                 and ($11::boolean is null or c.is_free = $11)
                 and ($12::boolean is null or $12 = (k.id is not null))
                 and ($13::text is null or $13 = (
                     select case when count(*) filter (where q.starts_at <= $1 and q.ends_at > $1) > 0 then 'living'
                                 when count(*) filter (where q.starts_at > $1) > 0 then 'waiting'
                                 when count(*) > 0 then 'ended' else 'none' end
                     from platform.online_period q join platform.online_chapter h on h.id = q.chapter_id
                     where h.course_id = c.id))
               order by place limit $14 offset $15) p
           join platform.online_course c on c.id = p.id
           join platform.online_category g on g.id = c.category_id
           join platform.lecturer l on l.id = c.lecturer_id
           cross join lateral (
               select count(*) as periods, count(*) filter (where q.starts_at <= $1 and q.ends_at > $1) as living,
                      count(*) filter (where q.starts_at > $1) as waiting,
                      min(q.starts_at) filter (where q.starts_at > $1) as next_starts_at,
                      coalesce(sum(coalesce(m.duration, extract(epoch from q.ends_at - q.starts_at))), 0)::bigint as seconds
               from platform.online_period q join platform.online_chapter h on h.id = q.chapter_id
               left join platform.media_asset m on m.id = coalesce(q.media_asset_id, q.replay_asset_id)
               where h.course_id = c.id) t
           order by p.place"#,
        now,
        position.as_str(),
        filter.category_id,
        order.map(|order| order.field),
        order.is_some_and(|order| order.descending),
        only,
        beside,
        filter.course_type.map(SiteCourseKind::as_str),
        filter.keyword,
        filter.lecturer_id,
        filter.is_free,
        recommended,
        filter.live_standing.map(LiveStanding::as_str),
        most,
        paging.map(Paging::offset)
    )
    .fetch_all(connection)
    .await?;
    Ok(rows)
}

pub(super) async fn count(connection: &mut PgConnection, now: Moment, filter: &ShownCourseFilter) -> Result<i64> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!"
           from platform.online_course c
           join platform.lecturer l on l.id = c.lecturer_id
           where c.enabled and c.putaway = 'on' and c.audit_status = 'approved'
             and ($4::text is null or c.course_type = $4)
             and ($5::text is null or strpos(c.course_name, $5) > 0 or strpos(l.lecturer_name, $5) > 0
                  or starts_with(c.initials, lower($5)))
             and ($3::bigint is null or c.category_id in (
                 with recursive below as (
                     select $3::bigint as id
                     union all
                     select d.id from platform.online_category d join below b on d.parent_id = b.id)
                 select below.id from below))
             and ($6::bigint is null or c.lecturer_id = $6)
             and ($7::boolean is null or c.is_free = $7)
             and ($8::boolean is null or $8 = exists (
                 select from platform.course_recommend k
                 where k.course_id = c.id and k.enabled and k.position = $2 and k.category_id is not distinct from $3
                   and coalesce(k.begins_at, $1) <= $1 and coalesce(k.ends_at > $1, true)))
             and ($9::text is null or $9 = (
                 select case when count(*) filter (where q.starts_at <= $1 and q.ends_at > $1) > 0 then 'living'
                             when count(*) filter (where q.starts_at > $1) > 0 then 'waiting'
                             when count(*) > 0 then 'ended' else 'none' end
                 from platform.online_period q join platform.online_chapter h on h.id = q.chapter_id
                 where h.course_id = c.id))"#,
        now,
        filter.position().as_str(),
        filter.category_id,
        filter.course_type.map(SiteCourseKind::as_str),
        filter.keyword,
        filter.lecturer_id,
        filter.is_free,
        filter.recommended,
        filter.live_standing.map(LiveStanding::as_str)
    )
    .fetch_one(connection)
    .await?;
    Ok(total)
}
