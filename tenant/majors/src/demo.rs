//! The majors of a demonstration school (05 G4), and those that it files for its newest year.

use calendar::demo::LEVELS;
use infra::{Result, Tx, pinyin};
pub use major_rules::demo::{COURSES, Programme, programmes};

/// A programme as this school's major.
pub struct Major {
    pub id: i64,
    /// Place in [`LEVELS`].
    pub level: usize,
    pub programme: Programme,
    pub study_form: &'static str,
}

/// Writes the majors of a school with these levels, units and grades, the oldest first.
///
/// # Errors
/// Only internal ones.
pub async fn fill(tx: &mut Tx, levels: &[i64], organizations: &[i64], grades: &[(i64, i32)]) -> Result<Vec<Major>> {
    let majors = majors(tx, levels, organizations).await?;
    if let Some((newest, older)) = grades.split_last() {
        for grade in older {
            filed(tx, *grade).await?;
        }
        forecast(tx, *newest).await?;
    }
    Ok(majors)
}

/// Each programme in the present study form, and in 函授 for the cohorts before it was replaced.
async fn majors(tx: &mut Tx, levels: &[i64], organizations: &[i64]) -> Result<Vec<Major>> {
    let mut majors = Vec::new();
    for (n, programme) in programmes(17).into_iter().enumerate() {
        let Some(level) = LEVELS.iter().position(|level| level.entry_level == programme.entry_level) else { continue };
        let mut platform = tx.app().platform_read().await?;
        let national = sqlx::query!(
            "select id, name, degrees from platform.national_major where code = $1 and level = $2 order by year desc limit 1",
            programme.national_code,
            LEVELS[level].national_level
        )
        .fetch_optional(&mut *platform)
        .await?;
        drop(platform);
        let Some(national) = national else { continue };
        for (suffix, study_form) in [("", "non_full_time"), ("H", "correspondence")] {
            let credits = match LEVELS[level].entry_level {
                "associate_to_bachelor" => 92.0,
                "high_school_to_associate" => 96.0,
                _ => 168.0_f64,
            };
            let name = programme.name;
            let id = sqlx::query_scalar!(
                "insert into major (code, name, national_major_id, national_code, national_name, level_id, study_form, schooling_years,
                     total_credits, organization_id, degree_awarded, degree, tuition_per_year, initials, enabled, sort_no, created_by, updated_by)
                 values ($1, $2, $3, $4, $5, $6, $7, $8::float8::numeric, $9::float8::numeric, $10, $11, $12, $13, $14, $15, $16, 0, 0) returning id",
                format!("{:02}{:02}{suffix}", level + 1, n + 1),
                name,
                national.id,
                programme.national_code,
                national.name,
                levels[level],
                study_form,
                LEVELS[level].schooling_years,
                credits,
                organizations[n % organizations.len().min(6)],
                national.degrees.first().is_some(),
                national.degrees.first(),
                240_000_i64,
                pinyin::text_initials(name),
                suffix.is_empty(),
                i32::try_from(n).unwrap_or(0)
            )
            .fetch_one(&mut **tx)
            .await?;
            majors.push(Major { id, level, programme: programme.clone(), study_form });
        }
    }
    Ok(majors)
}

/// What an older grade was recruited for.
async fn filed(tx: &mut Tx, (grade, year): (i64, i32)) -> Result<()> {
    sqlx::query!(
        "insert into forecast_major (year, grade_id, major_id, planned_quota, tuition_per_year, status, filing_no, filed_on, created_by, updated_by)
         select $1::integer, $2, id, 100 + (id % 5)::integer * 40, tuition_per_year, 'filed',
                '备' || $1::integer || '-' || lpad(id::text, 3, '0'), make_date($1::integer - 1, 11, 2), 0, 0
         from major where enabled",
        year,
        grade
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

async fn forecast(tx: &mut Tx, newest: (i64, i32)) -> Result<()> {
    let (grade, year) = newest;
    // Of three majors one is filed, one waits for its result, one is a draft; the last was refused.
    sqlx::query!(
        "insert into forecast_major (year, grade_id, major_id, planned_quota, tuition_per_year, status, filing_no, filed_on, created_by, updated_by)
         select $1::integer, $2, major.id, 100 + (major.id % 5)::integer * 40, tuition_per_year,
                case when major.id = newest.id then 'rejected' when major.id % 3 = 0 then 'filed' when major.id % 3 = 1 then 'submitted' else 'draft' end,
                case when major.id <> newest.id and major.id % 3 = 0 then '备' || $1::integer || '-' || lpad(major.id::text, 3, '0') end,
                case when major.id <> newest.id and major.id % 3 = 0 then make_date($1::integer - 1, 11, 2) end, 0, 0
         from major, (select max(id) as id from major where enabled) as newest where enabled",
        year,
        grade
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "insert into forecast_major_site (forecast_major_id, site_id)
         select f.id, s.id from forecast_major f cross join site s where s.status = 'active' and (f.id + s.id) % 2 = 0"
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
