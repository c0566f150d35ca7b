//! The foundations of a demonstration school (05 G4): units, sites, levels, grades, semesters, majors, classrooms, classes.

mod buildings;
mod plan;

use std::collections::{BTreeMap, HashMap};

use chrono::{Datelike, NaiveDate};
use infra::{Error, Result, Tx, pinyin};

pub use plan::{LEVELS, Level, Programme};

/// Courses of the programmes that demonstration schools offer, in the order of their plans.
pub const COURSES: &str = include_str!("demo/data/demo_course.csv");
const TEXTS: &str = include_str!("demo/data/demo_text.csv");

/// Seats of a class (the default of the setting classCapacityDefault).
pub const CLASS_CAPACITY: i32 = 50;

/// Phrases of a kind: names of units, employers, streets.
pub fn texts(kind: &str) -> Vec<&'static str> {
    TEXTS
        .lines()
        .skip(1)
        .filter_map(|line| line.split_once(','))
        .filter(|(of, _)| *of == kind)
        .map(|(_, text)| text.trim_matches('"'))
        .collect()
}

/// A programme as this school's major.
pub struct Major {
    pub id: i64,
    /// Place in [`LEVELS`].
    pub level: usize,
    pub programme: Programme,
    pub study_form: &'static str,
}

/// What a school has before it has people.
pub struct Places {
    pub organizations: Vec<i64>,
    /// Number and short name.
    pub sites: Vec<(i64, String)>,
    /// In the order of [`LEVELS`].
    pub levels: Vec<i64>,
    /// Number and year, the oldest first.
    pub grades: Vec<(i64, i32)>,
    pub majors: Vec<Major>,
}

impl Places {
    /// The grade that began last.
    ///
    /// # Errors
    /// 404 when there is none.
    pub fn newest(&self) -> Result<(i64, i32)> {
        self.grades.last().copied().ok_or_else(Error::not_found)
    }
}

/// What the school is made from.
pub struct Shape<'a> {
    /// Two digits of its province.
    pub province: &'a str,
    pub students: usize,
    /// Cohorts, this year's and those before.
    pub years: i32,
    pub today: NaiveDate,
}

/// Writes what a school has before it has people.
///
/// # Errors
/// Only internal ones.
pub async fn fill(tx: &mut Tx, shape: &Shape<'_>) -> Result<Places> {
    let organizations = organizations(tx).await?;
    let first = organizations.first().copied().ok_or_else(Error::not_found)?;
    let sites = sites(tx, shape.province, shape.students, first).await?;
    let levels = levels(tx).await?;
    let years: Vec<i32> = (0..shape.years).map(|back| shape.today.year() - back).rev().collect();
    let grades = grades(tx, &years).await?;
    semesters(tx, years[0], shape.today).await?;
    let majors = majors(tx, &levels, &organizations).await?;
    let places = Places { organizations, sites, levels, grades, majors };
    buildings::fill(tx, &places.sites, places.newest()?).await?;
    Ok(places)
}

/// Sites of a school with so many students.
pub fn sites_for(students: usize) -> usize {
    (students as f64 / 250.0).round().clamp(2.0, 80.0) as usize
}

/// Share of the students that each site has.
pub fn site_weights(sites: usize) -> Vec<(usize, f64)> {
    plan::site_weights(sites)
}

/// Gives a site's classes to a manager.
///
/// # Errors
/// Only internal ones.
pub async fn lead(tx: &mut Tx, site: i64, manager: i64) -> Result<()> {
    sqlx::query!("update class set manager_id = $1 where site_id = $2", manager, site).execute(&mut **tx).await?;
    Ok(())
}

async fn organizations(tx: &mut Tx) -> Result<Vec<i64>> {
    let mut ids = Vec::new();
    for (n, name) in texts("organization").into_iter().enumerate() {
        let kind =
            if name.contains("学院教学部") || name.contains("办公室") { "department" } else { "college" };
        ids.push(
            sqlx::query_scalar!(
                "insert into organization (code, name, kind, initials, sort_no, created_by, updated_by) values ($1, $2, $3, $4, $5, 0, 0) returning id",
                format!("O{:02}", n + 1),
                name,
                kind,
                pinyin::text_initials(name),
                i32::try_from(n).unwrap_or(0)
            )
            .fetch_one(&mut **tx)
            .await?,
        );
    }
    Ok(ids)
}

/// One headquarter and a teaching point in each of the first prefectures of the province.
async fn sites(tx: &mut Tx, province: &str, students: usize, organization: i64) -> Result<Vec<(i64, String)>> {
    let count = sites_for(students);
    let mut platform = tx.app().platform_read().await?;
    let prefectures = sqlx::query!(
        "select code, name from platform.region where parent_code = $1 and kind = 'official' and level = 'prefecture' order by code",
        format!("{province}0000")
    )
    .fetch_all(&mut *platform)
    .await?;
    drop(platform);
    let hosts = texts("site_host");
    // The first has more students than places.
    let capacity_of = |n: usize| {
        let places = if n == 0 { students / count } else { students * 13 / 10 / count };
        i32::try_from(places + 1).unwrap_or(i32::MAX)
    };
    let mut sites = Vec::new();
    for n in 0..count {
        let place = prefectures.get(n % prefectures.len().max(1));
        let short = place.map_or("本地", |place| place.name.trim_end_matches('市'));
        let name = if n == 0 { "校本部".to_owned() } else { format!("{short}教学点") };
        let short_name = if n == 0 { "校本部".to_owned() } else { short.to_owned() };
        let host = hosts.get(n % hosts.len().max(1)).map(|host| format!("{short}{host}"));
        let id = sqlx::query_scalar!(
            "insert into site (code, name, short_name, kind, organization_id, host_unit, filing_no, filing_expires_on, region, address, contact,
                 phone, capacity, initials, created_by, updated_by)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, 0, 0) returning id",
            format!("{:03}", n + 1),
            name,
            short_name,
            if n == 0 { "headquarter" } else { "external" },
            organization,
            if n == 0 { None } else { host },
            (n > 0).then(|| format!("演示备{:04}", n)),
            (n > 0).then(|| NaiveDate::from_ymd_opt(2028, 12, 31)).flatten(),
            place.map(|place| place.code.clone()),
            format!("{short}某路{}号", n + 1),
            "站点负责人",
            format!("1540000{:04}", n),
            capacity_of(n),
            pinyin::text_initials(&name)
        )
        .fetch_one(&mut **tx)
        .await?;
        sites.push((id, short_name));
    }
    Ok(sites)
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

/// Each programme in the present study form, and in 函授 for the cohorts before it was replaced.
async fn majors(tx: &mut Tx, levels: &[i64], organizations: &[i64]) -> Result<Vec<Major>> {
    let mut majors = Vec::new();
    for (n, programme) in plan::programmes(17).into_iter().enumerate() {
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

/// Places of a class's grade, major and site in [`Places`].
pub type Group = (usize, usize, usize);

/// Classes of at most fifty for each cohort, major and site: the group's numbers in order.
///
/// # Errors
/// Only internal ones.
pub async fn classes(tx: &mut Tx, sizes: BTreeMap<Group, usize>, places: &Places) -> Result<HashMap<Group, Vec<i64>>> {
    let Places { sites, grades, majors, levels, .. } = places;
    let mut classes: HashMap<Group, Vec<i64>> = HashMap::new();
    let mut number = 0;
    for ((grade, major, site), size) in sizes {
        let needed = size.div_ceil(CLASS_CAPACITY as usize);
        for seq in 1..=needed {
            number += 1;
            let level = &LEVELS[majors[major].level];
            let name =
                format!("{}级{}{}{}{seq}班", grades[grade].1, level.name, majors[major].programme.name, sites[site].1);
            let id = sqlx::query_scalar!(
                "insert into class (code, name, grade_id, level_id, major_id, site_id, seq, capacity, initials, created_by, updated_by)
                 values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, 0) returning id",
                format!("C{number:05}"),
                name,
                grades[grade].0,
                levels[majors[major].level],
                majors[major].id,
                sites[site].0,
                i32::try_from(seq).unwrap_or(1),
                CLASS_CAPACITY,
                pinyin::text_initials(&name)
            )
            .fetch_one(&mut **tx)
            .await?;
            classes.entry((grade, major, site)).or_default().push(id);
        }
        sqlx::query!(
            "insert into class_counter (grade_id, level_id, major_id, site_id, last_seq) values ($1, $2, $3, $4, $5)",
            grades[grade].0,
            levels[majors[major].level],
            majors[major].id,
            sites[site].0,
            i32::try_from(needed).unwrap_or(1)
        )
        .execute(&mut **tx)
        .await?;
    }
    Ok(classes)
}
