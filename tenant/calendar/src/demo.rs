//! The calendar of a demonstration school (05 G4).

mod plan;

use chrono::{Datelike, NaiveDate};
use infra::{Error, Result, Tx, pinyin};

pub use plan::{LEVELS, Level};

/// What a demonstration school has of the calendar.
pub struct Calendar {
    /// In the order of [`LEVELS`].
    pub levels: Vec<i64>,
    /// Number and year, the oldest first.
    pub grades: Vec<(i64, i32)>,
}

impl Calendar {
    /// The grade that began last.
    ///
    /// # Errors
    /// 404 when there is none.
    pub fn newest(&self) -> Result<(i64, i32)> {
        self.grades.last().copied().ok_or_else(Error::not_found)
    }
}

/// Writes levels, the grades of this year and those before, and their semesters.
///
/// # Errors
/// Only internal ones.
pub async fn fill(tx: &mut Tx, years: i32, today: NaiveDate) -> Result<Calendar> {
    let levels = levels(tx).await?;
    let years: Vec<i32> = (0..years).map(|back| today.year() - back).rev().collect();
    let grades = grades(tx, &years).await?;
    semesters(tx, years[0], today).await?;
    Ok(Calendar { levels, grades })
}

async fn levels(tx: &mut Tx) -> Result<Vec<i64>> {
    let mut ids = Vec::new();
    for (n, level) in LEVELS.iter().enumerate() {
        ids.push(
            sqlx::query_scalar!(
                "insert into level (code, name, entry_level, national_level, schooling_years, max_years, min_hours, initials, sort_no, created_by, updated_by)
                 values ($1, $2, $3, $4, $5::float8::numeric, $6::float8::numeric, $7, $8, $9, 0, 0) returning id",
                level.code,
                level.name,
                level.entry_level,
                level.national_level,
                level.schooling_years,
                level.max_years,
                level.min_hours,
                pinyin::text_initials(level.name),
                i32::try_from(n).unwrap_or(0)
            )
            .fetch_one(&mut **tx)
            .await?,
        );
    }
    Ok(ids)
}

async fn grades(tx: &mut Tx, years: &[i32]) -> Result<Vec<(i64, i32)>> {
    let mut grades = Vec::new();
    for (n, year) in years.iter().enumerate() {
        let id = sqlx::query_scalar!(
            "insert into grade (code, name, entry_year, entry_season, sort_no, created_by, updated_by) values ($1, $2, $3, 'spring', $4, 0, 0) returning id",
            year.to_string(),
            format!("{year}级"),
            year,
            i32::try_from(years.len() - n).unwrap_or(0)
        )
        .fetch_one(&mut **tx)
        .await?;
        grades.push((id, *year));
    }
    Ok(grades)
}

async fn semesters(tx: &mut Tx, oldest: i32, today: NaiveDate) -> Result<()> {
    let all = plan::semesters(oldest, today);
    let current = plan::current(&all, today);
    for (n, semester) in all.iter().enumerate() {
        sqlx::query!(
            "insert into semester (code, name, year, season, starts_on, ends_on, current, created_by, updated_by)
             values ($1, $2, $3, $4, $5, $6, $7, 0, 0)",
            semester.code,
            semester.name,
            semester.year,
            semester.season,
            semester.starts_on,
            semester.ends_on,
            n == current
        )
        .execute(&mut **tx)
        .await?;
    }
    Ok(())
}
