//! Fills one school: basic data, then students through the register's own door.

use std::collections::{BTreeMap, HashMap};

use basic_data::term::{Season, Term};
use chrono::{Datelike, NaiveDate};
use infra::{Change, Error, Result, Tx, pinyin};
use serde_json::json;
use student_status::{
    dates::{GraduateDates, expected_graduation_on, max_study_end_on},
    id_card::{Gender, IdCardType},
    student::{
        enrol::{NewStudent, enrol},
        form::FreeFields,
    },
    words::{PreEduLevel, RegisterResult, StudentSource, StudentStatus, StudyForm, WithdrawReason},
};

use super::{
    courses, people as staff,
    person::{Dice, Sources},
    plan::{self, LEVELS, Programme},
    recruitment, rooms,
};

/// Seats of a class (the default of the setting classCapacityDefault).
const CLASS_CAPACITY: i32 = 50;
/// Cohorts: this year's and those before.
const YEARS: i32 = 3;

pub(super) async fn is_empty(tx: &mut Tx) -> Result<bool> {
    let known = sqlx::query_scalar!(
        r#"select exists (select from grade) or exists (select from site) or exists (select from student) as "known!""#
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(!known)
}

/// A programme as this school's major.
struct Major {
    id: i64,
    level: usize,
    programme: Programme,
    study_form: &'static str,
}

/// Writes everything in one transaction; answers the number of the first site.
pub(super) async fn school(mut tx: Tx, province: &str, students: usize, seed: u64) -> Result<i64> {
    let today = tx.app().clock().today();
    let mut sources = Sources::read();
    let organizations = organizations(&mut tx, &sources).await?;
    let sites = sites(&mut tx, &sources, province, students, organizations[0]).await?;
    let levels = levels(&mut tx).await?;
    let years: Vec<i32> = (0..YEARS).map(|back| today.year() - back).rev().collect();
    let grades = grades(&mut tx, &years).await?;
    semesters(&mut tx, years[0], today).await?;
    let majors = majors(&mut tx, &levels, &organizations).await?;
    courses::fill(&mut tx, &organizations).await?;
    rooms::fill(&mut tx, &sites, *grades.last().ok_or_else(Error::not_found)?).await?;
    let places = Places { sites: &sites, grades: &grades, majors: &majors, levels: &levels };
    let drawn = draw(&mut sources, &places, province, students, seed, today);
    let classes = classes(&mut tx, &drawn, &places).await?;
    people(&mut tx, drawn, &classes, &places, today).await?;
    applicants(&mut tx, &mut sources, &places, (province, seed, today)).await?;
    let at = staff::Place {
        organizations: &organizations,
        sites: &sites,
        province: province.parse().unwrap_or(42),
        seed,
        today,
    };
    staff::fill(&mut tx, &mut sources, &at).await?;
    tx.commit(Change::event("school", 0, "import", json!({ "students": students, "seed": seed }))).await?;
    Ok(sites[0].0)
}

/// People who want to begin with the newest grade.
async fn applicants(
    tx: &mut Tx,
    sources: &mut Sources,
    places: &Places<'_>,
    (province, seed, today): (&str, u64, NaiveDate),
) -> Result<()> {
    let (grade, year) = *places.grades.last().ok_or_else(Error::not_found)?;
    let entry = Term { year, season: Season::Spring }.entry_on().unwrap_or(today);
    let present = places.majors.iter().filter(|major| major.study_form == "non_full_time");
    let majors: Vec<(i64, i64, &'static str, f64)> = present
        .map(|major| {
            let mean_age = mean_age(LEVELS[major.level].entry_level);
            (major.id, places.levels[major.level], major.programme.name, mean_age)
        })
        .collect();
    let sites: Vec<i64> = places.sites.iter().map(|(site, _)| *site).collect();
    let province = province.parse().unwrap_or(42);
    let offer = recruitment::Offer { grade: (grade, entry), majors: &majors, sites: &sites, province, seed, today };
    recruitment::fill(tx, sources, &offer).await
}

struct Places<'a> {
    sites: &'a [(i64, String)],
    grades: &'a [(i64, i32)],
    majors: &'a [Major],
    levels: &'a [i64],
}

async fn organizations(tx: &mut Tx, sources: &Sources) -> Result<Vec<i64>> {
    let mut ids = Vec::new();
    for (n, name) in sources.texts("organization").iter().enumerate() {
        let kind =
            if name.contains("学院教学部") || name.contains("办公室") { "department" } else { "college" };
        ids.push(
            sqlx::query_scalar!(
                "insert into organization (code, name, kind, initials, sort_no, created_by, updated_by) values ($1, $2, $3, $4, $5, 0, 0) returning id",
                format!("O{:02}", n + 1),
                *name,
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
async fn sites(
    tx: &mut Tx,
    sources: &Sources,
    province: &str,
    students: usize,
    organization: i64,
) -> Result<Vec<(i64, String)>> {
    let count = (students as f64 / 250.0).round().clamp(2.0, 80.0) as usize;
    let mut platform = tx.app().platform_read().await?;
    let prefectures = sqlx::query!(
        "select code, name from platform.region where parent_code = $1 and kind = 'official' and level = 'prefecture' order by code",
        format!("{province}0000")
    )
    .fetch_all(&mut *platform)
    .await?;
    drop(platform);
    let hosts = sources.texts("site_host");
    let capacity = i32::try_from(students * 13 / 10 / count + 1).unwrap_or(i32::MAX);
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
            capacity,
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

/// Of those who begin at a level.
fn mean_age(entry_level: &str) -> f64 {
    match entry_level {
        "associate_to_bachelor" => 29.0,
        "high_school_to_associate" => 27.0,
        _ => 26.0,
    }
}

/// A student before there is a row of him.
struct Drawn {
    grade: usize,
    major: usize,
    site: usize,
    status: &'static str,
    person: super::person::Person,
    examinee_no: String,
    score: f64,
}

fn draw(
    sources: &mut Sources,
    places: &Places<'_>,
    province: &str,
    students: usize,
    seed: u64,
    today: NaiveDate,
) -> Vec<Drawn> {
    let site_weights = plan::site_weights(places.sites.len());
    let newest = places.grades.last().map_or(today.year(), |(_, year)| *year);
    let mut drawn = Vec::with_capacity(students);
    for row in 0..students {
        let mut dice = Dice::new(seed, "student", row);
        let grade = dice.below(places.grades.len());
        let year = places.grades[grade].1;
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
        let site = dice.weighted(&site_weights);
        let level = &LEVELS[places.majors[major].level];
        let mean_age = mean_age(level.entry_level);
        let entry = NaiveDate::from_ymd_opt(year, 3, 1).unwrap_or(today);
        let status = plan::standing(&mut dice, newest - year, false);
        let province: u8 = province.parse().unwrap_or(42);
        let person = sources.person(seed, row, places.majors[major].programme.name, province, mean_age, entry);
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

type Group = (usize, usize, usize);

/// Classes of at most fifty for each cohort, major and site: the group's numbers in order.
async fn classes(tx: &mut Tx, drawn: &[Drawn], places: &Places<'_>) -> Result<HashMap<Group, Vec<i64>>> {
    let Places { sites, grades, majors, levels } = places;
    let mut sizes: BTreeMap<Group, usize> = BTreeMap::new();
    for student in drawn {
        *sizes.entry((student.grade, student.major, student.site)).or_default() += 1;
    }
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

/// Everybody through [`student_status::enrol`], which writes history and account too.
async fn people(
    tx: &mut Tx,
    drawn: Vec<Drawn>,
    classes: &HashMap<Group, Vec<i64>>,
    places: &Places<'_>,
    today: NaiveDate,
) -> Result<()> {
    let dates = GraduateDates::default();
    let mut seats: HashMap<Group, usize> = HashMap::new();
    let mut students = Vec::with_capacity(drawn.len());
    for (row, drawn) in drawn.into_iter().enumerate() {
        let group = (drawn.grade, drawn.major, drawn.site);
        let major = &places.majors[drawn.major];
        let level = &LEVELS[major.level];
        let (grade_id, year) = places.grades[drawn.grade];
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
            id_card_type: IdCardType::ResidentId,
            id_card_no: person.id_card_no,
            // The newest few have no number yet, as in life.
            student_no: is_registered.then(|| format!("{:02}{}{:04}{row:05}", year % 100, major.level + 1, major.id)),
            examinee_no: Some(drawn.examinee_no),
            grade_id,
            level_id: places.levels[major.level],
            major_id: major.id,
            study_form: StudyForm::parse(major.study_form).unwrap_or(StudyForm::NonFullTime),
            schooling_half_years: half_years,
            site_id: places.sites[drawn.site].0,
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
