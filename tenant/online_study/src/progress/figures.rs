//! 统计: how the progress of students is spread, and how many of them study on each of the last days.

use chrono::{Days, NaiveDate};
use infra::{Result, Scope};
use poem_openapi::Object;
use sqlx::PgConnection;

use super::select::{StudyProgressFilter, of_study};

/// Days of which learners are counted.
const DAYS: u64 = 30;
/// Parts of progress: below 10 %, below 20 %, …; what is done is in the last.
const BINS: usize = 10;

/// How many selections lie in a part of progress.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase")]
pub struct ProgressBin {
    /// 进度起点(%)
    pub from: i32,
    /// 进度终点(%)
    pub to: i32,
    /// 人数
    pub count: i64,
}

/// How many students studied on a day.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase")]
pub struct DayLearners {
    /// 日期
    pub day: NaiveDate,
    /// 学习人数
    pub learners: i64,
}

/// See the module.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase")]
pub struct StudyFigures {
    /// 进度分布
    pub bins: Vec<ProgressBin>,
    /// 每日学习人数
    /// 最近30天
    pub days: Vec<DayLearners>,
}

/// A part with its selections.
struct Bin {
    bin: i32,
    count: i64,
}

/// A day with its students.
struct Day {
    day: NaiveDate,
    learners: i64,
}

/// # Errors
/// Those of the database.
pub(super) async fn of(
    connection: &mut PgConnection,
    filter: &StudyProgressFilter,
    scope: &Scope,
    today: NaiveDate,
) -> Result<StudyFigures> {
    let wanted = filter.wanted(scope);
    let found = of_study!(query_as [Bin]
        [r#"select least(floor(coalesce(x.progress, 0) / 10), 9)::integer as "bin!", count(*) as "count!""#]
        wanted
        [+ " group by 1"]);
    let found: Vec<Bin> = found.fetch_all(&mut *connection).await?;
    let first = today.checked_sub_days(Days::new(DAYS - 1)).unwrap_or(today);
    let studied = of_study!(query_as [Day]
        [r#"select d.day as "day!", count(distinct z.student_id) as "learners!"
            from study_day d join course_selection z on z.id = d.selection_id
            where d.day between $18 and $19 and d.selection_id in (select c.id"#]
        wanted
        [+ ") group by d.day"],
        first,
        today);
    let studied: Vec<Day> = studied.fetch_all(connection).await?;
    let bin = |place: usize| {
        let from = i32::try_from(place * BINS).unwrap_or(0);
        let count = found.iter().find(|row| usize::try_from(row.bin) == Ok(place)).map_or(0, |row| row.count);
        ProgressBin { from, to: from + 10, count }
    };
    let day = |day: NaiveDate| {
        let learners = studied.iter().find(|row| row.day == day).map_or(0, |row| row.learners);
        DayLearners { day, learners }
    };
    Ok(StudyFigures {
        bins: (0..BINS).map(bin).collect(),
        days: first.iter_days().take_while(|at| *at <= today).map(day).collect(),
    })
}
