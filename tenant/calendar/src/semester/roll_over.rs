//! The semesters of another year as the roll-over makes them: the same weeks, some years later. 停课日期 are not taken
//! over, because they follow each year's public holidays.

use chrono::NaiveDate;
use futures_util::TryStreamExt;
use infra::{Change, Result, Scope, Tx, across::Keyed};
use poem_openapi::Object;
use sqlx::PgConnection;
use term::Term;

use super::{Semester, SemesterFilter, SemesterForm, Semesters, insert};
use crate::roll_over::{RollOverState, moved_by, named_later};

/// A semester of the source year, and what it is or would be in the target year.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct RollOverSemester {
    /// 来源学期编号
    pub source_id: i64,
    /// 来源学期
    pub source_name: String,
    /// 学期编码
    pub code: String,
    /// 名称
    pub name: String,
    /// 开始日期
    pub starts_on: NaiveDate,
    /// 结束日期
    pub ends_on: NaiveDate,
    /// 结转情况
    pub state: RollOverState,
    /// 原因
    pub reason: Option<String>,
}

/// A semester that may stand in the way of a new one.
struct Known {
    code: String,
    name: String,
    starts_on: NaiveDate,
    ends_on: NaiveDate,
}

/// The semesters of a year, so many years later.
pub async fn semesters(connection: &mut PgConnection, year: i32, years: i32) -> Result<Vec<RollOverSemester>> {
    let of_year = SemesterFilter { year: Some(year), ..SemesterFilter::default() };
    let sources = Semesters::all(connection, &of_year, &Scope::whole_school()).await?;
    let sources: Vec<Semester> = sources.try_collect().await?;
    let new = later(sources, years);
    let codes: Vec<&str> = new.iter().map(|semester| semester.code.as_str()).collect();
    let names: Vec<&str> = new.iter().map(|semester| semester.name.as_str()).collect();
    let known = sqlx::query_as!(
        Known,
        "select code, name, starts_on, ends_on from semester
         where code = any($1) or name = any($2) or daterange(starts_on, ends_on, '[]') && daterange($3, $4, '[]')
         order by starts_on",
        &codes as &[&str],
        &names as &[&str],
        new.iter().map(|semester| semester.starts_on).min(),
        new.iter().map(|semester| semester.ends_on).max()
    )
    .fetch_all(connection)
    .await?;
    Ok(new.into_iter().map(|semester| judged(semester, &known)).collect())
}

/// All move by the days by which the first one moves, so that they keep their lengths and the weeks between them.
fn later(mut sources: Vec<Semester>, years: i32) -> Vec<RollOverSemester> {
    sources.sort_by_key(|semester| semester.starts_on);
    let days = sources.first().and_then(|first| moved_by(first.starts_on, years));
    let new = sources.into_iter().map(|source| {
        let days = days?;
        let term = Term { year: source.year + years, season: source.season };
        Some(RollOverSemester {
            source_id: source.id,
            code: term.semester_code(),
            name: named_later(&source.name, years).unwrap_or_else(|| term.semester_name()),
            starts_on: source.starts_on.checked_add_days(days)?,
            ends_on: source.ends_on.checked_add_days(days)?,
            source_name: source.name,
            state: RollOverState::New,
            reason: None,
        })
    });
    new.flatten().collect()
}

fn judged(new: RollOverSemester, known: &[Known]) -> RollOverSemester {
    if let Some(there) = known.iter().find(|semester| semester.code == new.code) {
        return RollOverSemester {
            name: there.name.clone(),
            starts_on: there.starts_on,
            ends_on: there.ends_on,
            state: RollOverState::Exists,
            ..new
        };
    }
    let overlapping = |semester: &&Known| semester.starts_on <= new.ends_on && new.starts_on <= semester.ends_on;
    let reason = if let Some(other) = known.iter().find(overlapping) {
        Some(format!("与学期“{}”的日期重叠", other.name))
    } else if known.iter().any(|semester| semester.name == new.name) {
        Some(format!("名称“{}”已存在", new.name))
    } else {
        None
    };
    match reason {
        Some(_) => RollOverSemester { state: RollOverState::Blocked, reason, ..new },
        None => new,
    }
}

/// Makes a semester that was shown; answers its record.
pub async fn make(tx: &mut Tx, shown: &RollOverSemester) -> Result<Change> {
    let form = SemesterForm {
        code: shown.code.clone(),
        name: Some(shown.name.clone()),
        starts_on: shown.starts_on,
        ends_on: shown.ends_on,
        holidays: Vec::new(),
    };
    Ok(insert(tx, form).await?.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().expect("a day")
    }

    fn semester(code: &str, name: &str, starts_on: &str, ends_on: &str) -> Semester {
        let term = Term::of_semester_code(code).expect("a code");
        Semester {
            id: 1,
            code: code.to_owned(),
            name: name.to_owned(),
            year: term.year,
            season: term.season,
            starts_on: day(starts_on),
            ends_on: day(ends_on),
            week_count: 19,
            current: false,
            closed: true,
            holidays: vec![day(starts_on)],
            version: 1,
        }
    }

    fn told(known: &[(&str, &str, &str, &str)]) -> Vec<String> {
        let sources = vec![
            semester("2026-2", "第一学期", "2026-08-31", "2027-01-10"),
            semester("2026-1", "2025-2026学年第二学期", "2026-03-02", "2026-07-12"),
        ];
        let known: Vec<Known> = known
            .iter()
            .map(|(code, name, starts_on, ends_on)| Known {
                code: (*code).to_owned(),
                name: (*name).to_owned(),
                starts_on: day(starts_on),
                ends_on: day(ends_on),
            })
            .collect();
        let told = |row: RollOverSemester| {
            let reason = row.reason.unwrap_or_default();
            format!("{} {} {} {} {} {reason}", row.state.zh(), row.code, row.name, row.starts_on, row.ends_on)
        };
        later(sources, 1).into_iter().map(|new| told(judged(new, &known))).collect()
    }

    #[test]
    fn semesters_move_together_by_whole_weeks() {
        assert_eq!(
            told(&[]),
            [
                "将新建 2027-1 2026-2027学年第二学期 2027-03-01 2027-07-11 ",
                "将新建 2027-2 2027年秋季学期 2027-08-30 2028-01-09 "
            ]
        );
    }

    #[test]
    fn what_is_there_is_left_and_what_overlaps_is_told() {
        assert_eq!(
            told(&[("2027-1", "春", "2027-03-08", "2027-07-18"), ("2028-1", "早春", "2028-01-03", "2028-06-30")]),
            [
                "已存在 2027-1 春 2027-03-08 2027-07-18 ",
                "不能新建 2027-2 2027年秋季学期 2027-08-30 2028-01-09 与学期“早春”的日期重叠"
            ]
        );
        assert_eq!(
            told(&[("2020-1", "2027年秋季学期", "2020-03-02", "2020-07-12")])[1],
            "不能新建 2027-2 2027年秋季学期 2027-08-30 2028-01-09 名称“2027年秋季学期”已存在"
        );
    }
}
