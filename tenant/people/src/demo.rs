//! Who teaches and who looks after sites and classes in a demonstration school.

use chrono::NaiveDate;
use classes::demo::{Places, lead, of_site};
use infra::{Result, Tx, pinyin};
pub use people_rules::demo::{Dice, Person, Sources, document};

use crate::account::{NewAccount, OwnerKind, open_accounts};

/// Rows behind those of the students, so that no phone is given twice.
const FIRST_ROW: usize = 500_000;
const MEAN_AGE: f64 = 41.0;
const TITLES: [(&str, f64); 4] =
    [("professor", 12.0), ("associate_professor", 33.0), ("lecturer", 40.0), ("assistant", 15.0)];
const DUTIES: [&[&str]; 4] =
    [&["lecturer"], &["lecturer", "marker"], &["tutor", "adviser"], &["invigilator", "reviewer"]];

/// Who looks after a site: duty, and the last sign of the number.
const AT_SITES: [(&str, u8); 3] = [("principal", 1), ("academic", 2), ("admission", 3)];
/// Classes that one manager looks after.
const CLASSES_EACH: usize = 3;
/// Some do not work any more; of those who look after classes they have none.
const AWAY: [&str; 2] = ["disabled", "left"];

/// Teachers of a school with so many students.
pub fn teachers_for(students: usize) -> usize {
    (students / 60).clamp(5, 600)
}

/// Managers of a school with so many classes, at least: each site's are its own.
pub fn managers_for(classes: i64) -> i64 {
    AWAY.len() as i64 + (classes + CLASSES_EACH as i64 - 1) / CLASSES_EACH as i64
}

/// Where they work, and from what they are drawn.
pub struct Place<'a> {
    pub places: &'a Places,
    /// Of the school.
    pub students: usize,
    pub province: u8,
    pub seed: u64,
    pub today: NaiveDate,
}

fn gender(person: &Person) -> &'static str {
    if person.female { "female" } else { "male" }
}

/// Somebody to whom an account is given.
struct Hired {
    id: i64,
    work_no: String,
    status: &'static str,
}

/// Teachers at the colleges; at each site three who look after it, and a manager for every three of its classes. Of each kind one is
/// switched off and one has left.
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
    for n in 0..teachers_for(place.students) {
        // The first of them works.
        let status = n.checked_sub(1).and_then(|n| AWAY.get(n)).copied().unwrap_or("active");
        let work_no = format!("T{:04}", n + 1);
        let id = teacher(tx, place, n, (&work_no, status), &next("会计学")).await?;
        teachers.push(Hired { id, work_no, status });
    }
    accounts(tx, OwnerKind::Teacher, &teachers).await?;
    let sites = place.places.units.staffed();
    let (mut staff, mut managers) = (Vec::new(), Vec::new());
    for (n, (site, _)) in sites.iter().enumerate() {
        for (duty, suffix) in AT_SITES {
            let status = AWAY.get(n).filter(|_| duty == "admission").copied().unwrap_or("active");
            let work_no = format!("Z{:02}{suffix}", n + 1);
            let id = site_staff(tx, *site, (&work_no, status), duty, &next("学前教育")).await?;
            staff.push(Hired { id, work_no, status });
        }
    }
    accounts(tx, OwnerKind::SiteStaff, &staff).await?;
    for (n, (site, _)) in sites.iter().enumerate() {
        let classes = of_site(tx, *site).await?;
        let away = if n == 0 { &AWAY[..] } else { &[] };
        let none: &[i64] = &[];
        let working = classes.chunks(CLASSES_EACH).map(|classes| (classes, "active"));
        let all: Vec<(&[i64], &'static str)> = away.iter().map(|status| (none, *status)).chain(working).collect();
        for (classes, status) in all {
            let work_no = format!("B{:03}", managers.len() + 1);
            let id = manager(tx, *site, (&work_no, status), &next("护理学")).await?;
            lead(tx, classes, id).await?;
            managers.push(Hired { id, work_no, status });
        }
    }
    accounts(tx, OwnerKind::ClassManager, &managers).await
}

async fn accounts(tx: &mut Tx, kind: OwnerKind, people: &[Hired]) -> Result<()> {
    let new: Vec<NewAccount<'_>> = people
        .iter()
        .map(|hired| NewAccount { owner_id: hired.id, login_name: &hired.work_no, enabled: hired.status == "active" })
        .collect();
    open_accounts(tx, kind, &new).await.map(|_| ())
}

async fn teacher(
    tx: &mut Tx,
    place: &Place<'_>,
    n: usize,
    (work_no, status): (&str, &str),
    person: &Person,
) -> Result<i64> {
    let duties: Vec<&str> = DUTIES[n % DUTIES.len()].to_vec();
    let id = sqlx::query_scalar!(
        "insert into teacher (work_no, name, initials, gender, birthday, id_card_type, id_card_no, ethnicity, phone, organization_id,
             education, title, kind, duties, status, created_by, updated_by)
         values ($1, $2, $3, $4, $5, 'resident_id', $6, $7, $8, $9, 'master', $10, $11, $12::text[], $13, 0, 0) returning id",
        work_no,
        person.name,
        pinyin::initials(&person.name),
        gender(person),
        person.birthday,
        person.id_card_no,
        person.ethnicity,
        person.phone,
        place.places.units.organizations[n % place.places.units.organizations.len()],
        Dice::new(place.seed, "title", n).weighted(&TITLES),
        if n % 6 == 5 { "external" } else { "full_time" },
        &duties as &[&str],
        status
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(id)
}

async fn site_staff(
    tx: &mut Tx,
    site: i64,
    (work_no, status): (&str, &str),
    duty: &str,
    person: &Person,
) -> Result<i64> {
    let id = sqlx::query_scalar!(
        "insert into site_staff (site_id, work_no, name, initials, gender, id_card_no, phone, duty, is_primary, status, created_by,
             updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $8 = 'principal', $9, 0, 0) returning id",
        site,
        work_no,
        person.name,
        pinyin::initials(&person.name),
        gender(person),
        person.id_card_no,
        person.phone,
        duty,
        status
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(id)
}

async fn manager(tx: &mut Tx, site: i64, (work_no, status): (&str, &str), person: &Person) -> Result<i64> {
    let id = sqlx::query_scalar!(
        "insert into class_manager (work_no, name, initials, gender, id_card_no, phone, status, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, 0, 0) returning id",
        work_no,
        person.name,
        pinyin::initials(&person.name),
        gender(person),
        person.id_card_no,
        person.phone,
        status
    )
    .fetch_one(&mut **tx)
    .await?;
    sqlx::query!("insert into class_manager_site (manager_id, site_id) values ($1, $2)", id, site)
        .execute(&mut **tx)
        .await?;
    Ok(id)
}
