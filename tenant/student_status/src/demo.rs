//! Students of a demonstration school, drawn from lists (05 G4) and entered through the register's own door.

use std::collections::{BTreeMap, HashMap};

use calendar::demo::LEVELS;
use chrono::{Datelike, NaiveDate};
use classes::demo::{CLASS_CAPACITY, Group, Places, classes};
use infra::{Result, Tx};
use people::demo::{Dice, Person, Sources, document};
use student_status_rules::{
    dates::{GraduateDates, expected_graduation_on, max_study_end_on},
    form::FreeFields,
    new_student::NewStudent,
};
use term::{Season, Term};
use units::demo::site_weights;

use crate::{
    enums::{PreEduLevel, RegisterResult, StudentSource, StudentStatus, StudyForm, WithdrawReason},
    id_card::{Gender, IdCardType},
    student::enrol::enrol,
};

/// Standing and document of students in the middle of the register, and whether they were at the site that was given up.
const PLANTED: [(&str, IdCardType, bool); 8] = {
    use IdCardType::{HmtResidence, Passport, ResidentId};
    [
        ("pending_registration", ResidentId, false),
        ("suspended", ResidentId, false),
        ("withdrawn", ResidentId, false),
        ("transferred_out", ResidentId, false),
        ("registered", HmtResidence, false),
        ("registered", Passport, false),
        ("withdrawn", ResidentId, true),
        ("transferred_out", ResidentId, true),
    ]
};

/// Of so many students one is at the site that takes nobody in any more.
const AT_SUSPENDED: usize = 100;

/// How many, from what they are drawn, and when.
pub struct Draw<'a> {
    pub province: &'a str,
    pub students: usize,
    pub seed: u64,
    pub today: NaiveDate,
}

/// Draws the students, makes their classes and enters them.
///
/// # Errors
/// Only internal ones.
pub async fn fill(tx: &mut Tx, sources: &mut Sources, places: &Places, wanted: &Draw<'_>) -> Result<()> {
    let drawn = draw(sources, places, wanted);
    let mut sizes: BTreeMap<Group, usize> = BTreeMap::new();
    // Whoever was at the site that was given up has left.
    for student in drawn.iter().filter(|student| Some(student.site) != places.units.closed()) {
        *sizes.entry((student.grade, student.major, student.site)).or_default() += 1;
    }
    let classes = classes(tx, sizes, places).await?;
    people(tx, drawn, &classes, places, wanted.today).await
}

/// Of those who begin at a level.
pub fn mean_age(entry_level: &str) -> f64 {
    match entry_level {
        "associate_to_bachelor" => 29.0,
        "high_school_to_associate" => 27.0,
        _ => 26.0,
    }
}

/// Status and register result of a student who entered `years` ago (05 G4).
fn standing(dice: &mut Dice, years: i32, finished: bool) -> &'static str {
    if finished {
        return dice.weighted(&[("graduated", 0.88), ("completed", 0.04), ("registered", 0.07), ("incomplete", 0.01)]);
    }
    let gone = 0.02 * f64::from(years.max(0));
    let pending = if years <= 0 { 0.03 } else { 0.0 };
    let out = 0.002 * f64::from(years.max(0));
    let rest = 1.0 - gone - pending - out - 0.012;
    dice.weighted(&[
        ("registered", rest),
        ("pending_registration", pending.max(0.004)),
        ("suspended", 0.012),
        ("withdrawn", gone.max(0.004)),
        ("transferred_out", out.max(0.001)),
    ])
}

/// A student before there is a row of them.
struct Drawn {
    grade: usize,
    major: usize,
    site: usize,
    status: &'static str,
    person: Person,
    examinee_no: String,
    score: f64,
}

fn draw(sources: &mut Sources, places: &Places, wanted: &Draw<'_>) -> Vec<Drawn> {
    let Draw { province, students, seed, today } = *wanted;
    let units = &places.units;
    let weights = site_weights(units.open().len());
    let newest = places.calendar.grades.last().map_or(today.year(), |(_, year)| *year);
    let mut drawn = Vec::with_capacity(students);
    for row in 0..students {
        let mut dice = Dice::new(seed, "student", row);
        let grade = dice.below(places.calendar.grades.len());
        let year = places.calendar.grades[grade].1;
        // From the 2026 cohort on the ministry has one study form, 非脱产.
        let study_form = if year >= 2026 { "non_full_time" } else { "correspondence" };
        let offered: Vec<(usize, f64)> = places
            .majors
            .iter()
            .enumerate()
            .filter(|(_, major)| major.study_form == study_form)
            .map(|(n, major)| (n, f64::from(major.programme.weight)))
            .collect();
        let major = dice.weighted(&offered);
        let drawn_site = dice.weighted(&weights);
        let level = &LEVELS[places.majors[major].level];
        let mean_age = mean_age(level.entry_level);
        let entry = NaiveDate::from_ymd_opt(year, 3, 1).unwrap_or(today);
        let drawn_status = standing(&mut dice, newest - year, false);
        // Each of these occurs, however few students there are.
        let planted = row.checked_sub(students / 2).and_then(|nth| PLANTED.get(nth)).copied();
        let (status, kind, was_closed) = planted.unwrap_or((drawn_status, document(seed, row), false));
        let ended = match planted {
            Some(_) => units.closed().filter(|_| was_closed),
            None => units.suspended().filter(|_| row % AT_SUSPENDED == AT_SUSPENDED / 2),
        };
        let site = ended.unwrap_or(drawn_site);
        let province: u8 = province.parse().unwrap_or(42);
        let person = sources.person(seed, row, places.majors[major].programme.name, province, mean_age, entry);
        let person = sources.with_document(person, kind, seed, row);
        drawn.push(Drawn {
            grade,
            major,
            site,
            status,
            person,
            examinee_no: format!("{:02}{province:02}99{:08}", year % 100, (seed % 90) * 1_000_000 + row as u64),
            score: dice.normal(238.0, 48.0).clamp(120.0, 420.0).round(),
        });
    }
    drawn
}

/// Everybody through [`student_status::enrol`], which writes history and account too.
async fn people(
    tx: &mut Tx,
    drawn: Vec<Drawn>,
    classes: &HashMap<Group, Vec<i64>>,
    places: &Places,
    today: NaiveDate,
) -> Result<()> {
    let dates = GraduateDates::default();
    let mut seats: HashMap<Group, usize> = HashMap::new();
    let mut students = Vec::with_capacity(drawn.len());
    for (row, drawn) in drawn.into_iter().enumerate() {
        let group = (drawn.grade, drawn.major, drawn.site);
        let major = &places.majors[drawn.major];
        let level = &LEVELS[major.level];
        let (grade_id, year) = places.calendar.grades[drawn.grade];
        let status = StudentStatus::parse(drawn.status).unwrap_or(StudentStatus::Registered);
        let seat = seats.entry(group).or_default();
        let class_id = classes.get(&group).and_then(|ids| ids.get(*seat / CLASS_CAPACITY as usize)).copied();
        *seat += 1;
        let has_left = !matches!(
            status,
            StudentStatus::PendingRegistration | StudentStatus::Registered | StudentStatus::Suspended
        );
        let entry = NaiveDate::from_ymd_opt(year, 3, 1).unwrap_or(today);
        let half_years = (level.schooling_years * 2.0) as i32;
        let is_registered = status != StudentStatus::PendingRegistration;
        let person = drawn.person;
        students.push(NewStudent {
            name: person.name,
            gender: Some(if person.female { Gender::Female } else { Gender::Male }),
            birthday: Some(person.birthday),
            ethnicity: Some(person.ethnicity.to_owned()),
            id_card_type: person.id_card_type,
            id_card_no: person.id_card_no,
            // The newest few have no number yet, as in life.
            student_no: is_registered.then(|| format!("{:02}{}{:04}{row:05}", year % 100, major.level + 1, major.id)),
            examinee_no: Some(drawn.examinee_no),
            grade_id,
            level_id: places.calendar.levels[major.level],
            major_id: major.id,
            study_form: StudyForm::parse(major.study_form).unwrap_or(StudyForm::NonFullTime),
            schooling_half_years: half_years,
            site_id: places.units.sites[drawn.site].0,
            class_id: class_id.filter(|_| !has_left),
            enrolled_on: entry,
            expected_graduation_on: expected_graduation_on(Term { year, season: Season::Spring }, half_years, dates)
                .unwrap_or(entry),
            max_study_end_on: max_study_end_on(entry, (level.max_years * 2.0) as i32, 0).unwrap_or(entry),
            status,
            status_reason: (status == StudentStatus::Withdrawn).then_some(WithdrawReason::Voluntary),
            registered_on: is_registered.then(|| entry + chrono::Duration::days(25)),
            register_result: if is_registered { RegisterResult::Accepted } else { RegisterResult::None },
            ended_on: has_left.then(|| entry + chrono::Duration::days(200)),
            source: StudentSource::Report,
            account_enabled: !has_left,
            free: FreeFields {
                political_status: Some(person.political.to_owned()),
                phone: Some(person.phone),
                email: Some(format!("s{row:05}@student.invalid")),
                address: Some(person.street.to_owned()),
                work_unit: Some(person.employer.to_owned()),
                pre_edu_level: Some(if level.entry_level == "associate_to_bachelor" {
                    PreEduLevel::Associate
                } else {
                    PreEduLevel::SeniorHigh
                }),
                pre_edu_school: Some("某市职业技术学院".to_owned()),
                pre_edu_certificate_no: Some(format!("99999{year}06{row:07}")),
                pre_edu_graduated_on: NaiveDate::from_ymd_opt(year - 3, 7, 1),
                total_score: Some(drawn.score),
                ..FreeFields::default()
            },
        });
    }
    for part in students.chunks(1_000) {
        enrol(tx, part).await?;
    }
    Ok(())
}
