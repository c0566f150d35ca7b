//! 统计 of a desk: what is read, what helps least, what is looked for in vain, how questions are answered (part 05 B5).

use std::{cmp::Reverse, collections::BTreeMap};

use chrono::NaiveDate;
use infra::{Error, Result, Scope, access::Caller, clock::Moment, share};
use poem_openapi::{Object, types::Example};
use sqlx::PgConnection;
use support_rules::enums::{SupportAudience, SupportSource};

use crate::{
    question::{self, Reach, figures::HelpQuestionFigures},
    source,
};

/// Days of a statistic, and of one that names none.
const MOST_DAYS: i64 = 366;
const DAYS: u64 = 30;
/// Articles and words of a list.
const LISTED: usize = 20;

/// Of which days, and what.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct HelpStatisticsAsked {
    /// 开始日期
    /// 不填为最近30天
    pub from: Option<NaiveDate>,
    /// 结束日期
    pub to: Option<NaiveDate>,
    /// 只看各院校咨询
    /// 仅平台；只返回各院校的咨询数量，不统计阅读和搜索
    #[oai(default)]
    pub schools_only: bool,
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
    /// 仅平台；只看各院校咨询时返回
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
/// articles, and the questions within the caller's scope; of an operator of some schools, those of the people of these.
///
/// # Errors
/// 422 for days in the wrong order, or for more than 366 of them; 400 for the counts of schools where there are none.
pub(crate) async fn statistics(
    caller: &Caller,
    audience: SupportAudience,
    scope: &Scope,
    asked: HelpStatisticsAsked,
) -> Result<HelpStatistics> {
    let app = caller.app();
    let days = days_of(app.clock().today(), &asked)?;
    let inside = caller.session.school_id;
    let now = app.clock().now();
    let mut told = HelpStatistics {
        from: days.from,
        to: days.to,
        computed_at: now,
        data_until: now,
        days: Vec::new(),
        most_read: Vec::new(),
        least_helpful: Vec::new(),
        misses: Vec::new(),
        questions: None,
        schools: Vec::new(),
    };
    if asked.schools_only {
        if audience == SupportAudience::School || inside.is_some() {
            return Err(Error::malformed());
        }
        let reach = source::reach(app, caller.user_id()).await?;
        told.schools = of_schools(&mut *caller.home_read().await?, audience, reach.as_deref()).await?;
        return Ok(told);
    }
    let reach = Reach::within(app, (caller.user_id(), inside), audience, scope).await?;
    // An operator of some schools is told of their people alone.
    let theirs = match inside {
        Some(_) => None,
        None => source::reach(app, caller.user_id()).await?,
    };
    let mut figures = Figures::default();
    let mut home = caller.home_read().await?;
    figures.add(&mut home, source::own(caller), audience, days, theirs.as_deref()).await?;
    told.misses = misses(&mut home, audience, days, theirs.as_deref()).await?;
    let mut platform = match inside {
        Some(_) => Some(app.platform_read().await?),
        None => None,
    };
    if let (Some(platform), Some(school)) = (&mut platform, inside) {
        figures.add(platform, SupportSource::Platform, audience, days, Some(&[school])).await?;
    }
    if let Some(reach) = reach {
        // What a school's staff ask lies in `platform`.
        let connection = match (&mut platform, audience) {
            (Some(platform), SupportAudience::School) => platform,
            _ => &mut home,
        };
        told.questions = Some(question::figures::figures(connection, &reach, (days.from, days.to)).await?);
    }
    told.days = figures.by_day(days);
    (told.most_read, told.least_helpful) = figures.listed();
    Ok(told)
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
    /// Adds the reads of one side; of the platform's, with schools, those of their people.
    async fn add(
        &mut self,
        connection: &mut PgConnection,
        source: SupportSource,
        audience: SupportAudience,
        days: Days,
        schools: Option<&[i64]>,
    ) -> Result<()> {
        for row in by_day(connection, audience, days, schools).await? {
            *self.days.entry(row.day).or_default() += row.reads;
        }
        self.articles.extend(by_article(connection, audience, days, schools).await?.into_iter().map(|row| HelpRead {
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

/// How an article was read.
struct ReadRow {
    id: i64,
    title: String,
    reads: i64,
    helpful: i64,
    unhelpful: i64,
}

/// Reads by their days. Only `platform` knows whose school a reader is of: there those of some schools are found by an index of their
/// own.
async fn by_day(
    connection: &mut PgConnection,
    audience: SupportAudience,
    days: Days,
    schools: Option<&[i64]>,
) -> Result<Vec<HelpDay>> {
    let rows = match schools {
        None => {
            sqlx::query_as!(
                HelpDay,
                r#"select r.day as "day!", count(*) as "reads!"
                   from support_read r join support_article a on a.id = r.article_id
                   where r.day between $2 and $3 and a.audience = $1
                   group by r.day"#,
                audience.as_str(),
                days.from,
                days.to
            )
            .fetch_all(connection)
            .await?
        }
        Some(schools) => {
            sqlx::query_as!(
                HelpDay,
                r#"select r.day as "day!", count(*) as "reads!"
                   from platform.support_read r join platform.support_article a on a.id = r.article_id
                   where r.school_id = any($4) and r.day between $2 and $3 and a.audience = $1
                   group by r.day"#,
                audience.as_str(),
                days.from,
                days.to,
                schools
            )
            .fetch_all(connection)
            .await?
        }
    };
    Ok(rows)
}

/// The same reads by their articles, under the title that was published last.
async fn by_article(
    connection: &mut PgConnection,
    audience: SupportAudience,
    days: Days,
    schools: Option<&[i64]>,
) -> Result<Vec<ReadRow>> {
    let rows = match schools {
        None => {
            sqlx::query_as!(
                ReadRow,
                r#"select a.id as "id!", v.title as "title!", count(*) as "reads!",
                          count(*) filter (where r.helpful) as "helpful!", count(*) filter (where not r.helpful) as "unhelpful!"
                   from support_read r
                   join support_article a on a.id = r.article_id
                   join support_article_version v on v.article_id = a.id and v.version_no = a.version_no
                   where r.day between $2 and $3 and a.audience = $1
                   group by a.id, v.id"#,
                audience.as_str(),
                days.from,
                days.to
            )
            .fetch_all(connection)
            .await?
        }
        Some(schools) => {
            sqlx::query_as!(
                ReadRow,
                r#"select a.id as "id!", v.title as "title!", count(*) as "reads!",
                          count(*) filter (where r.helpful) as "helpful!", count(*) filter (where not r.helpful) as "unhelpful!"
                   from platform.support_read r
                   join platform.support_article a on a.id = r.article_id
                   join platform.support_article_version v on v.article_id = a.id and v.version_no = a.version_no
                   where r.school_id = any($4) and r.day between $2 and $3 and a.audience = $1
                   group by a.id, v.id"#,
                audience.as_str(),
                days.from,
                days.to,
                schools
            )
            .fetch_all(connection)
            .await?
        }
    };
    Ok(rows)
}

/// What was looked for in vain; with schools, of `platform`, by their people: there a reader begins with the number of their school.
async fn misses(
    connection: &mut PgConnection,
    audience: SupportAudience,
    days: Days,
    schools: Option<&[i64]>,
) -> Result<Vec<HelpMiss>> {
    let schools: Option<Vec<String>> = schools.map(|ids| ids.iter().map(ToString::to_string).collect());
    let rows = sqlx::query_as!(
        HelpMiss,
        r#"select word as "word!", count(*) as "count!", max(day) as "last_day!" from support_search_miss
           where audience = $1 and day between $2 and $3
             and ($5::text[] is null or split_part(reader, '/', 1) = any($5))
           group by word order by 2 desc, 3 desc, 1 limit $4"#,
        audience.as_str(),
        days.from,
        days.to,
        i64::try_from(LISTED).map_err(Error::internal)?,
        schools.as_deref()
    )
    .fetch_all(connection)
    .await?;
    Ok(rows)
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
