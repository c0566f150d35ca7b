//! How lecturers are read.

use chrono::NaiveDate;
use futures_util::TryStreamExt;
use infra::{
    Error, Paging, Result,
    clock::{day_began, day_ended},
    transfer::Rows,
};
use lecturer_rules::lecturer::Lecturer;
use poem_openapi::Object;
use sqlx::PgConnection;

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct LecturerFilter {
    /// 姓名或手机
    #[oai(validator(max_length = 50))]
    pub keyword: Option<String>,
    /// 启用
    pub enabled: Option<bool>,
    /// 创建日期起
    pub created_from: Option<NaiveDate>,
    /// 创建日期止
    pub created_to: Option<NaiveDate>,
}

/// Newest first.
pub(super) fn select<'c>(
    connection: &'c mut PgConnection,
    only: Option<i64>,
    filter: &LecturerFilter,
    page: Option<Paging>,
) -> Rows<'c, Lecturer> {
    let rows = sqlx::query_as!(
        Lecturer,
        r#"select l.id, l.lecturer_name, l.phone, l.email, l.position, l.head_img, l.introduce,
                  l.lecturer_proportion::float8 as "lecturer_proportion!",
                  (select count(*) from platform.online_course c where c.lecturer_id = l.id) as "course_count!",
                  case when l.learner_id is not null then coalesce(a.total_income, 0) end as "total_income?",
                  case when l.learner_id is not null then coalesce(a.available, 0) end as "available?",
                  case when l.learner_id is not null then coalesce(a.frozen, 0) end as "frozen?",
                  case when l.learner_id is not null then coalesce(a.withdrawn, 0) end as "withdrawn?",
                  l.enabled, l.created_at, l.version
           from platform.lecturer l left join platform.user_account a on a.learner_id = l.learner_id
           where ($1::bigint is null or l.id = $1)
             and ($2::text is null or strpos(l.lecturer_name, $2) > 0 or starts_with(l.initials, lower($2)) or l.phone = $2)
             and ($3::boolean is null or l.enabled = $3)
             and ($4::timestamptz is null or l.created_at >= $4)
             and ($5::timestamptz is null or l.created_at < $5)
           order by l.created_at desc, l.id desc limit $6 offset $7"#,
        only,
        filter.keyword,
        filter.enabled,
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended),
        page.map(Paging::limit),
        page.map(Paging::offset)
    )
    .fetch(connection);
    Box::pin(rows)
}

pub(super) async fn count(connection: &mut PgConnection, filter: &LecturerFilter) -> Result<i64> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from platform.lecturer l
           where ($1::text is null or strpos(l.lecturer_name, $1) > 0 or starts_with(l.initials, lower($1)) or l.phone = $1)
             and ($2::boolean is null or l.enabled = $2)
             and ($3::timestamptz is null or l.created_at >= $3)
             and ($4::timestamptz is null or l.created_at < $4)"#,
        filter.keyword,
        filter.enabled,
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended)
    )
    .fetch_one(connection)
    .await?;
    Ok(total)
}

pub(super) async fn find(connection: &mut PgConnection, id: i64) -> Result<Lecturer> {
    let found = select(connection, Some(id), &LecturerFilter::default(), None).try_next().await?;
    found.ok_or_else(Error::not_found)
}
