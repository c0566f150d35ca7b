//! How questions are answered, in numbers (part 05 B5).

use chrono::NaiveDate;
use infra::{
    Result,
    clock::{day_began, day_ended},
    share,
};
use poem_openapi::Object;
use sqlx::PgConnection;

use super::Reach;

/// How questions are answered.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct HelpQuestionFigures {
    /// 待回复
    pub waiting: i64,
    /// 已回复
    pub replied: i64,
    /// 已关闭
    pub closed: i64,
    /// 期间提问
    pub asked: i64,
    /// 平均首次回复时长(小时)
    /// 期间提问且已有回复的咨询
    pub first_reply_hours: Option<f64>,
    /// 满意
    pub satisfied: i64,
    /// 不满意
    pub unsatisfied: i64,
    /// 满意率(%)
    pub satisfied_rate: Option<f64>,
}

/// The figures of the questions within a reach; those of a span are of the days from the first to the last.
///
/// # Errors
/// Those of the database.
pub(crate) async fn figures(
    connection: &mut PgConnection,
    reach: &Reach,
    (from, to): (NaiveDate, NaiveDate),
) -> Result<HelpQuestionFigures> {
    let row = sqlx::query!(
        r#"select count(*) filter (where q.status = 'waiting') as "waiting!",
                  count(*) filter (where q.status = 'replied') as "replied!",
                  count(*) filter (where q.status = 'closed') as "closed!",
                  count(*) filter (where q.created_at >= $6 and q.created_at < $7) as "asked!",
                  count(*) filter (where q.satisfied and q.closed_at >= $6 and q.closed_at < $7) as "satisfied!",
                  count(*) filter (where not q.satisfied and q.closed_at >= $6 and q.closed_at < $7) as "unsatisfied!"
           from support_question q
           where q.audience = $1
             and ($2::bigint[] is null or q.school_id = any($2))
             and ($3::bigint[] is null or q.site_id = any($3) or q.class_id = any($4))
             and ($5::bigint is null or q.asker_id = $5)"#,
        reach.audience.as_str(),
        reach.schools.as_deref(),
        reach.sites.as_deref(),
        reach.classes.as_deref(),
        reach.asker,
        day_began(from),
        day_ended(to)
    )
    .fetch_one(&mut *connection)
    .await?;
    let minutes = sqlx::query_scalar!(
        r#"select avg(extract(epoch from w.first_at - q.created_at) / 60)::float8 as "minutes?"
           from support_question q
           join lateral (select min(r.created_at) as first_at from support_reply r
                         where r.question_id = q.id and not r.from_asker) w on w.first_at is not null
           where q.audience = $1
             and ($2::bigint[] is null or q.school_id = any($2))
             and ($3::bigint[] is null or q.site_id = any($3) or q.class_id = any($4))
             and ($5::bigint is null or q.asker_id = $5)
             and q.created_at >= $6 and q.created_at < $7"#,
        reach.audience.as_str(),
        reach.schools.as_deref(),
        reach.sites.as_deref(),
        reach.classes.as_deref(),
        reach.asker,
        day_began(from),
        day_ended(to)
    )
    .fetch_one(connection)
    .await?;
    Ok(HelpQuestionFigures {
        waiting: row.waiting,
        replied: row.replied,
        closed: row.closed,
        asked: row.asked,
        first_reply_hours: minutes.map(|minutes| (minutes / 6.0).round() / 10.0),
        satisfied: row.satisfied,
        unsatisfied: row.unsatisfied,
        satisfied_rate: share::percent(row.satisfied, row.satisfied + row.unsatisfied),
    })
}
