//! Two windows of pre-registration in a demonstration school: one that is over, whose people went on to the province's
//! exam, and one that is open, whose people wait for the audit.

use calendar::demo::LEVELS;
use chrono::{Duration, NaiveDate};
use classes::demo::Places;
use infra::{Result, Tx, clock::day_began, pinyin};
use people::demo::{Dice, Person, Sources, document};
use student_status::demo::mean_age;
use term::{Season, Term};

use crate::batch::link::new_token;

/// Rows of people that nobody else of the school takes.
const FIRST_ROW: usize = 900_000;

/// Where they may study.
pub struct Offer<'a> {
    pub places: &'a Places,
    pub province: u8,
    /// Of the school.
    pub students: usize,
    pub seed: u64,
    pub today: NaiveDate,
}

/// People of each window in a school of so many students.
pub fn people_for(students: usize) -> usize {
    (students * 12 / 100).max(40)
}

/// What the majors of the present study form offer: number, level, name, mean age of its people.
struct Choice {
    /// The grade that begins next, and the day on which it enters.
    grade: (i64, NaiveDate),
    majors: Vec<(i64, i64, &'static str, f64)>,
    sites: Vec<i64>,
    province: u8,
    seed: u64,
    today: NaiveDate,
}

impl Choice {
    fn of(offer: &Offer<'_>) -> Result<Self> {
        let places = offer.places;
        let (grade, year) = places.calendar.newest()?;
        let entry = Term { year, season: Season::Spring }.entry_on().unwrap_or(offer.today);
        let present = places.majors.iter().filter(|major| major.study_form == "non_full_time");
        let majors = present.map(|major| {
            let age = mean_age(LEVELS[major.level].entry_level);
            (major.id, places.calendar.levels[major.level], major.programme.name, age)
        });
        Ok(Self {
            grade: (grade, entry),
            majors: majors.collect(),
            sites: places.units.open().iter().map(|(site, _)| *site).collect(),
            province: offer.province,
            seed: offer.seed,
            today: offer.today,
        })
    }
}

/// A window: code, name, how many days before today it began and ended, and what usually became of its people.
struct Window {
    code: &'static str,
    name: &'static str,
    days: (i64, i64),
    outcomes: &'static [((&'static str, &'static str), f64)],
}

const WINDOWS: [Window; 2] = [
    Window {
        code: "YBM-1",
        name: "预报名",
        days: (400, 340),
        outcomes: &[
            (("approved", "admitted"), 60.0),
            (("approved", "registered"), 10.0),
            (("approved", "not_admitted"), 8.0),
            (("approved", "none"), 12.0),
            (("rejected", "none"), 6.0),
            (("cancelled", "none"), 4.0),
        ],
    },
    Window {
        code: "YBM-2",
        name: "补录预报名",
        days: (40, -50),
        outcomes: &[
            (("pending", "none"), 55.0),
            (("returned", "none"), 8.0),
            (("approved", "none"), 25.0),
            (("approved", "registered"), 12.0),
        ],
    },
];

/// Writes both windows with their people.
///
/// # Errors
/// Only internal ones.
pub async fn fill(tx: &mut Tx, sources: &mut Sources, offer: &Offer<'_>) -> Result<()> {
    let people = people_for(offer.students);
    let offer = &Choice::of(offer)?;
    for (n, window) in WINDOWS.iter().enumerate() {
        let batch = batch(tx, window, offer).await?;
        for nth in 0..people {
            let row = FIRST_ROW + n * people + nth;
            let mut dice = Dice::new(offer.seed, "pre_registration", row);
            let (major, level, name, mean_age) = offer.majors[dice.below(offer.majors.len())];
            let person = sources.person(offer.seed, row, name, offer.province, mean_age, offer.grade.1);
            let person = sources.with_document(person, document(offer.seed, row), offer.seed, row);
            let site = offer.sites[dice.below(offer.sites.len())];
            let drawn = dice.weighted(window.outcomes);
            // Each outcome occurs, however few people there are.
            let outcome = window.outcomes.get(nth).map_or(drawn, |(outcome, _)| *outcome);
            enter(tx, (batch, window, outcome), offer, (major, level, site), &person, &mut dice, row).await?;
        }
    }
    Ok(())
}

async fn batch(tx: &mut Tx, window: &Window, offer: &Choice) -> Result<i64> {
    let day = |before: i64| day_began(offer.today - Duration::days(before));
    let batch = sqlx::query_scalar!(
        "insert into pre_registration_batch (code, name, grade_id, starts_at, ends_at, need_audit, public_token, created_by, updated_by)
         values ($1, $2, $3, $4, $5, true, $6, 0, 0) returning id",
        window.code,
        window.name,
        offer.grade.0,
        day(window.days.0),
        day(window.days.1),
        new_token(tx.app())
    )
    .fetch_one(&mut **tx)
    .await?;
    let majors: Vec<i64> = offer.majors.iter().map(|(major, ..)| *major).collect();
    let levels: Vec<i64> = offer.majors.iter().map(|(_, level, ..)| *level).collect();
    sqlx::query!(
        "insert into pre_registration_batch_level (batch_id, level_id)
         select distinct $1::bigint, level from unnest($2::bigint[]) as l (level)",
        batch,
        &levels
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "insert into pre_registration_batch_major (batch_id, major_id, every_site)
         select $1, major, true from unnest($2::bigint[]) as m (major)",
        batch,
        &majors
    )
    .execute(&mut **tx)
    .await?;
    Ok(batch)
}

async fn enter(
    tx: &mut Tx,
    (batch, window, (status, exam_status)): (i64, &Window, (&'static str, &'static str)),
    offer: &Choice,
    (major, level, site): (i64, i64, i64),
    person: &Person,
    dice: &mut Dice,
    row: usize,
) -> Result<()> {
    let (began, ended) = window.days;
    let span = began - ended.max(0);
    let before = began - (dice.unit() * span as f64) as i64;
    let at = day_began(offer.today - Duration::days(before)) + Duration::minutes((dice.unit() * 1_200.0) as i64);
    let at = at.min(tx.app().clock().now());
    let examinee_no = (exam_status != "none").then(|| format!("27{:02}99{row:08}", offer.province));
    sqlx::query!(
        "insert into pre_registration (batch_id, grade_id, name, name_grams, pinyin, initials, gender, birthday, ethnicity,
             political_status, id_card_type, id_card_no, phone, address, level_id, major_id, site_id, study_form, pre_edu_level,
             work_unit, source, status, exam_status, examinee_no, created_at, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, 'non_full_time', $18, $19, $20, $21,
             $22, $23, $24, 0, 0)",
        batch,
        offer.grade.0,
        person.name,
        &pinyin::grams(&person.name),
        pinyin::pinyin(&person.name),
        pinyin::initials(&person.name),
        if person.female { "female" } else { "male" },
        person.birthday,
        person.ethnicity,
        person.political,
        person.id_card_type.as_str(),
        person.id_card_no,
        person.phone,
        person.street,
        level,
        major,
        site,
        dice.weighted(&[("associate", 8.0), ("bachelor", 1.0)]),
        person.employer,
        dice.weighted(&[("student_client", 6.0), ("site_client", 2.0), ("back_office", 1.0), ("import", 3.0)]),
        status,
        exam_status,
        examinee_no,
        at
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
