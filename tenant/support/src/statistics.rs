//! 统计 of a desk: what is read, what helps least, what is looked for in vain, how questions are answered (part 05 B5).

use std::{cmp::Reverse, collections::BTreeMap};

use chrono::NaiveDate;
use infra::{
    Error, Result, Scope,
    access::Caller,
    clock::{Moment, day_began, day_ended},
    share,
};
use poem_openapi::{Object, types::Example};
use sqlx::PgConnection;
use support_rules::enums::{SupportAudience, SupportSource};

use crate::{reading::of_school, source};

/// Days of a statistic, and of one that names none.
const MOST_DAYS: i64 = 366;
const DAYS: u64 = 30;
/// Articles and words of a list.
const LISTED: usize = 20;

/// Of which days.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct HelpStatisticsAsked {
    /// 开始日期
    /// 不填为最近30天
    pub from: Option<NaiveDate>,
    /// 结束日期
    pub to: Option<NaiveDate>,
}

impl Example for HelpStatisticsAsked {
    fn example() -> Self {
        Self::default()
    }
}

/// How the help of an audience is used.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct HelpStatistics {
    /// 开始日期
    pub from: NaiveDate,
    /// 结束日期
    pub to: NaiveDate,
    /// 计算时间
    pub computed_at: Moment,
    /// 数据截至
    pub data_until: Moment,
    /// 每日阅读
    pub days: Vec<HelpDay>,
    /// 阅读最多
    pub most_read: Vec<HelpRead>,
    /// 评价最低
    /// 至少有1条“没用”的文章，按有用率从低到高
    pub least_helpful: Vec<HelpRead>,
    /// 搜索无结果
    pub misses: Vec<HelpMiss>,
    /// 咨询
    /// 当前区域没有此类咨询时为空
    pub questions: Option<HelpQuestionFigures>,
    /// 各院校咨询
    /// 仅平台
    pub schools: Vec<HelpSchoolFigures>,
}

/// Reads of a day; each person counts once an article.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
pub struct HelpDay {
    /// 日期
    pub day: NaiveDate,
    /// 阅读
    pub reads: i64,
}

/// How an article was read in these days.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct HelpRead {
    /// 来源
    pub source: SupportSource,
    /// 编号
    pub id: i64,
    /// 标题
    pub title: String,
    /// 阅读
    pub reads: i64,
    /// 有用
    pub helpful: i64,
    /// 没用
    pub unhelpful: i64,
    /// 有用率(%)
    pub helpful_rate: Option<f64>,
}

/// What was looked for in vain; each person counts once a day.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct HelpMiss {
    /// 搜索词
    pub word: String,
    /// 次数
    pub count: i64,
    /// 最近日期
    pub last_day: NaiveDate,
}

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

/// The questions of a school's people, in numbers.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct HelpSchoolFigures {
    /// 院校编号
    pub school_id: i64,
    /// 院校
    pub school_name: String,
    /// 待回复
    pub waiting: i64,
    /// 已回复
    pub replied: i64,
    /// 已关闭
    pub closed: i64,
    /// 计算时间
    pub computed_at: Moment,
}

/// First and last day.
#[derive(Debug, Clone, Copy)]
struct Days {
    from: NaiveDate,
    to: NaiveDate,
}

/// The statistics of an audience for the caller's area. Inside a school these are the reads of its people, also of the platform's
/// articles, and the questions within the caller's scope.
///
/// # Errors
/// 422 for days in the wrong order, or for more than 366 of them.
pub(crate) async fn statistics(
    caller: &Caller,
    audience: SupportAudience,
    scope: &Scope,
    asked: HelpStatisticsAsked,
) -> Result<HelpStatistics> {
    let app = caller.app();
    let days = days_of(app.clock().today(), &asked)?;
    let mut figures = Figures::default();
    let mut home = caller.home_read().await?;
    figures.add(&mut home, source::own(caller), audience, days, None).await?;
    let misses = misses(&mut home, audience, days).await?;
    let inside = caller.session.school_id;
    if let Some(school) = inside {
        let own = of_school(school);
        figures.add(&mut *app.platform_read().await?, SupportSource::Platform, audience, days, Some(&own)).await?;
    }
    let questions = match (audience, inside) {
        (SupportAudience::School, None) => {
            let schools = source::reach(app, caller.user_id()).await?;
            let of = Whose { audience, schools: schools.as_deref(), sites: None, classes: None, asker: None };
            Some(questions(&mut home, of, days).await?)
        }
        (SupportAudience::School, Some(own)) => {
            let (own, asker) = ([own], (!scope.is_whole()).then(|| caller.user_id()));
            let of = Whose { audience, schools: Some(&own), sites: None, classes: None, asker };
            Some(questions(&mut *app.platform_read().await?, of, days).await?)
        }
        (_, None) => None,
        (_, Some(_)) => {
            let of = Whose { audience, schools: None, sites: scope.sites(), classes: scope.classes(), asker: None };
            Some(questions(&mut home, of, days).await?)
        }
    };
    let schools = match (audience, inside) {
        (SupportAudience::School, _) | (_, Some(_)) => Vec::new(),
        (_, None) => {
            let reach = source::reach(app, caller.user_id()).await?;
            of_schools(&mut home, audience, reach.as_deref()).await?
        }
    };
    let now = app.clock().now();
    let by_day = figures.by_day(days);
    let (most_read, least_helpful) = figures.listed();
    Ok(HelpStatistics {
        from: days.from,
        to: days.to,
        computed_at: now,
        data_until: now,
        days: by_day,
        most_read,
        least_helpful,
        misses,
        questions,
        schools,
    })
}

/// # Errors
/// 422 for days in the wrong order, or for more than 366 of them.
fn days_of(today: NaiveDate, asked: &HelpStatisticsAsked) -> Result<Days> {
    let to = asked.to.unwrap_or(today);
    let from = asked.from.or_else(|| to.checked_sub_days(chrono::Days::new(DAYS - 1))).unwrap_or(to);
    if from > to {
        return Err(Error::field("to", "结束日期不能早于开始日期"));
    }
    if (to - from).num_days() >= MOST_DAYS {
        return Err(Error::field("to", format!("统计期间不能超过{MOST_DAYS}天")));
    }
    Ok(Days { from, to })
}

/// Reads of both sides, put together.
#[derive(Default)]
struct Figures {
    days: BTreeMap<NaiveDate, i64>,
    articles: Vec<HelpRead>,
}

impl Figures {
    /// Adds the reads of one side; with `readers`, the beginning of their keys, only theirs.
    async fn add(
        &mut self,
        connection: &mut PgConnection,
        source: SupportSource,
        audience: SupportAudience,
        days: Days,
        readers: Option<&str>,
    ) -> Result<()> {
        let by_day = sqlx::query!(
            r#"select r.day as "day!", count(*) as "reads!"
               from support_read r join support_article a on a.id = r.article_id
               where r.day between $2 and $3 and a.audience = $1 and ($4::text is null or starts_with(r.reader, $4))
               group by r.day"#,
            audience.as_str(),
            days.from,
            days.to,
            readers
        )
        .fetch_all(&mut *connection)
        .await?;
        for row in by_day {
            *self.days.entry(row.day).or_default() += row.reads;
        }
        let articles = sqlx::query!(
            r#"select a.id as "id!", v.title as "title!", count(*) as "reads!",
                      count(*) filter (where r.helpful) as "helpful!", count(*) filter (where not r.helpful) as "unhelpful!"
               from support_read r
               join support_article a on a.id = r.article_id
               join support_article_version v on v.article_id = a.id and v.version_no = a.version_no
               where r.day between $2 and $3 and a.audience = $1 and ($4::text is null or starts_with(r.reader, $4))
               group by a.id, v.id"#,
            audience.as_str(),
            days.from,
            days.to,
            readers
        )
        .fetch_all(connection)
        .await?;
        self.articles.extend(articles.into_iter().map(|row| HelpRead {
            source,
            id: row.id,
            title: row.title,
            reads: row.reads,
            helpful: row.helpful,
            unhelpful: row.unhelpful,
            helpful_rate: share::percent(row.helpful, row.helpful + row.unhelpful),
        }));
        Ok(())
    }

    /// Every day, also those on which nobody read.
    fn by_day(&self, days: Days) -> Vec<HelpDay> {
        let all = days.from.iter_days().take_while(|day| *day <= days.to);
        all.map(|day| HelpDay { day, reads: self.days.get(&day).copied().unwrap_or_default() }).collect()
    }

    /// What is read most, and what helps least.
    fn listed(mut self) -> (Vec<HelpRead>, Vec<HelpRead>) {
        self.articles.sort_by_key(|row| (Reverse(row.reads), row.source as u8, row.id));
        let most = self.articles.iter().take(LISTED).cloned().collect();
        let mut least: Vec<HelpRead> = self.articles.into_iter().filter(|row| row.unhelpful > 0).collect();
        // The share of 有用 as a fraction, so that equal shares stay together: a/b < c/d where a·d < c·b.
        least.sort_by(|one, other| {
            let (here, there) = (one.helpful + one.unhelpful, other.helpful + other.unhelpful);
            (one.helpful * there).cmp(&(other.helpful * here)).then(other.unhelpful.cmp(&one.unhelpful))
        });
        least.truncate(LISTED);
        (most, least)
    }
}

async fn misses(connection: &mut PgConnection, audience: SupportAudience, days: Days) -> Result<Vec<HelpMiss>> {
    let rows = sqlx::query_as!(
        HelpMiss,
        r#"select word as "word!", count(*) as "count!", max(day) as "last_day!" from support_search_miss
           where audience = $1 and day between $2 and $3
           group by word order by 2 desc, 3 desc, 1 limit $4"#,
        audience.as_str(),
        days.from,
        days.to,
        i64::try_from(LISTED).map_err(Error::internal)?
    )
    .fetch_all(connection)
    .await?;
    Ok(rows)
}

/// Whose questions are counted; none for all.
#[derive(Debug, Clone, Copy)]
struct Whose<'a> {
    audience: SupportAudience,
    schools: Option<&'a [i64]>,
    sites: Option<&'a [i64]>,
    classes: Option<&'a [i64]>,
    asker: Option<i64>,
}

async fn questions(connection: &mut PgConnection, of: Whose<'_>, days: Days) -> Result<HelpQuestionFigures> {
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
        of.audience.as_str(),
        of.schools,
        of.sites,
        of.classes,
        of.asker,
        day_began(days.from),
        day_ended(days.to)
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
        of.audience.as_str(),
        of.schools,
        of.sites,
        of.classes,
        of.asker,
        day_began(days.from),
        day_ended(days.to)
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

/// The counts of the schools that an operator may act for, as the job of every minute found them.
async fn of_schools(
    platform: &mut PgConnection,
    audience: SupportAudience,
    reach: Option<&[i64]>,
) -> Result<Vec<HelpSchoolFigures>> {
    let rows = sqlx::query_as!(
        HelpSchoolFigures,
        r#"select c.school_id, s.name as school_name, c.waiting, c.replied, c.closed, c.computed_at
           from platform.support_count c join platform.school s on s.id = c.school_id and s.deleted_at is null
           where c.audience = $1 and ($2::bigint[] is null or c.school_id = any($2))
           order by c.waiting desc, s.name"#,
        audience.as_str(),
        reach
    )
    .fetch_all(platform)
    .await?;
    Ok(rows)
}
