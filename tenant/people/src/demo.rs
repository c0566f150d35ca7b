//! Who teaches and who looks after sites and classes in a demonstration school.

mod person;

use chrono::NaiveDate;
use classes::demo::{Places, lead};
use infra::{Result, Tx, pinyin};

pub use self::person::{Dice, Person, Sources};
use crate::account::{NewAccount, OwnerKind, open_accounts};

/// Teachers of a school.
const TEACHERS: usize = 24;
/// Rows behind those of the students, so that no phone is given twice.
const FIRST_ROW: usize = 500_000;
const MEAN_AGE: f64 = 41.0;
const TITLES: [&str; 5] = ["lecturer", "associate_professor", "lecturer", "professor", "assistant"];
const DUTIES: [&[&str]; 4] =
    [&["lecturer"], &["lecturer", "marker"], &["tutor", "adviser"], &["invigilator", "reviewer"]];

/// Where they work, and from what they are drawn.
pub struct Place<'a> {
    pub places: &'a Places,
    pub province: u8,
    pub seed: u64,
    pub today: NaiveDate,
}

fn gender(person: &Person) -> &'static str {
    if person.female { "female" } else { "male" }
}

/// Teachers at the colleges; at each site its principal, its registrar and a class manager who has all its classes.
///
/// # Errors
/// Only internal ones.
pub async fn fill(tx: &mut Tx, sources: &mut Sources, place: &Place<'_>) -> Result<()> {
    let mut row = FIRST_ROW;
    let mut next = |field: &str| {
        row += 1;
        sources.person(place.seed, row, field, place.province, MEAN_AGE, place.today)
    };
    let mut teachers = Vec::new();
    for n in 0..TEACHERS {
        let person = next("会计学");
        teachers.push((teacher(tx, place, n, &person).await?, format!("T{:04}", n + 1)));
    }
    accounts(tx, OwnerKind::Teacher, &teachers).await?;
    let (mut staff, mut managers) = (Vec::new(), Vec::new());
    for (n, (site, _)) in place.places.units.sites.iter().enumerate() {
        for (duty, suffix) in [("principal", 1), ("academic", 2)] {
            let work_no = format!("Z{:02}{suffix}", n + 1);
            let person = next("学前教育");
            staff.push((site_staff(tx, *site, &work_no, duty, &person).await?, work_no));
        }
        let work_no = format!("B{:03}", n + 1);
        managers.push((manager(tx, *site, &work_no, &next("护理学")).await?, work_no));
    }
    accounts(tx, OwnerKind::SiteStaff, &staff).await?;
    accounts(tx, OwnerKind::ClassManager, &managers).await
}

async fn accounts(tx: &mut Tx, kind: OwnerKind, people: &[(i64, String)]) -> Result<()> {
    let new: Vec<NewAccount<'_>> = people
        .iter()
        .map(|(owner_id, login_name)| NewAccount { owner_id: *owner_id, login_name, enabled: true })
        .collect();
    open_accounts(tx, kind, &new).await.map(|_| ())
}

async fn teacher(tx: &mut Tx, place: &Place<'_>, n: usize, person: &Person) -> Result<i64> {
    let duties: Vec<&str> = DUTIES[n % DUTIES.len()].to_vec();
    let id = sqlx::query_scalar!(
        "insert into teacher (work_no, name, initials, gender, birthday, id_card_type, id_card_no, ethnicity, phone, organization_id,
             education, title, kind, duties, created_by, updated_by)
         values ($1, $2, $3, $4, $5, 'resident_id', $6, $7, $8, $9, 'master', $10, $11, $12::text[], 0, 0) returning id",
        format!("T{:04}", n + 1),
        person.name,
        pinyin::initials(&person.name),
        gender(person),
        person.birthday,
        person.id_card_no,
        person.ethnicity,
        person.phone,
        place.places.units.organizations[n % place.places.units.organizations.len()],
        TITLES[n % TITLES.len()],
        if n % 6 == 5 { "external" } else { "full_time" },
        &duties as &[&str]
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(id)
}

async fn site_staff(tx: &mut Tx, site: i64, work_no: &str, duty: &str, person: &Person) -> Result<i64> {
    let id = sqlx::query_scalar!(
        "insert into site_staff (site_id, work_no, name, initials, gender, id_card_no, phone, duty, is_primary, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $8 = 'principal', 0, 0) returning id",
        site,
        work_no,
        person.name,
        pinyin::initials(&person.name),
        gender(person),
        person.id_card_no,
        person.phone,
        duty
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(id)
}

async fn manager(tx: &mut Tx, site: i64, work_no: &str, person: &Person) -> Result<i64> {
    let id = sqlx::query_scalar!(
        "insert into class_manager (work_no, name, initials, gender, id_card_no, phone, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, 0, 0) returning id",
        work_no,
        person.name,
        pinyin::initials(&person.name),
        gender(person),
        person.id_card_no,
        person.phone
    )
    .fetch_one(&mut **tx)
    .await?;
    sqlx::query!("insert into class_manager_site (manager_id, site_id) values ($1, $2)", id, site)
        .execute(&mut **tx)
        .await?;
    lead(tx, site, id).await?;
    Ok(id)
}
