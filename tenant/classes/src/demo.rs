//! The foundations of a demonstration school (05 G4): what it has before it has people, and its classes.

use std::collections::{BTreeMap, HashMap};

use calendar::demo::{Calendar, LEVELS};
use chrono::NaiveDate;
use infra::{Result, Tx, pinyin};
use majors::demo::Major;
use units::demo::Units;

/// Seats of a class (the default of the setting classCapacityDefault).
pub const CLASS_CAPACITY: i32 = 50;

/// What a school has before it has people.
pub struct Places {
    pub calendar: Calendar,
    pub units: Units,
    pub majors: Vec<Major>,
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
    let units = units::demo::fill(tx, shape.province, shape.students).await?;
    let calendar = calendar::demo::fill(tx, shape.years, shape.today).await?;
    let majors = majors::demo::fill(tx, &calendar.levels, &units.organizations, &calendar.grades).await?;
    Ok(Places { calendar, units, majors })
}

/// The classes of a site in order.
///
/// # Errors
/// Only internal ones.
pub async fn of_site(tx: &mut Tx, site: i64) -> Result<Vec<i64>> {
    let classes =
        sqlx::query_scalar!("select id from class where site_id = $1 order by code", site).fetch_all(&mut **tx).await?;
    Ok(classes)
}

/// Gives classes to a manager.
///
/// # Errors
/// Only internal ones.
pub async fn lead(tx: &mut Tx, classes: &[i64], manager: i64) -> Result<()> {
    sqlx::query!("update class set manager_id = $1 where id = any($2)", manager, classes).execute(&mut **tx).await?;
    Ok(())
}

/// Places of a class's grade, major and site in [`Places`].
pub type Group = (usize, usize, usize);

/// Classes of at most fifty for each cohort, major and site: the group's numbers in order.
///
/// # Errors
/// Only internal ones.
pub async fn classes(tx: &mut Tx, sizes: BTreeMap<Group, usize>, places: &Places) -> Result<HashMap<Group, Vec<i64>>> {
    let Places { calendar: Calendar { levels, grades }, units: Units { sites, .. }, majors } = places;
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
