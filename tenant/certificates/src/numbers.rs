//! How numbers are given: one behind the other, under the lock of their sequence.

use std::collections::{BTreeMap, HashMap, HashSet};

use certificate_rules::{
    enums::CertificateKind,
    number::{degree, diploma, level_code, prefix_of},
};
use chrono::{Datelike, NaiveDate};
use infra::{Change, Error, Result, Tx};
use serde_json::{Value, json};
use student_status::{enums::StudyForm, id_card::Gender};

use crate::settings::{EDUCATION_TYPE, PRESIDENT_NAME};

/// Degrees have one line of numbers a year; the level is not in it.
const NO_LEVEL: &str = "00";

/// Somebody who is to have a certificate.
#[derive(Debug, Clone)]
pub(crate) struct Wanted {
    pub student: i64,
    pub batch: i64,
    pub kind: CertificateKind,
    pub name: String,
    /// The national code of diplomas' levels: 05, 06.
    pub level_code: &'static str,
    pub year: i32,
    /// How the holder is called, and what they learned.
    pub holder: Value,
}

impl Wanted {
    fn group(&self) -> &'static str {
        if self.kind == CertificateKind::Degree { "degree" } else { "diploma" }
    }

    fn line(&self) -> (&'static str, i32, &'static str) {
        let level = if self.kind == CertificateKind::Degree { NO_LEVEL } else { self.level_code };
        (self.group(), self.year, level)
    }
}

/// The national codes by which a school's certificates begin.
#[derive(Debug, Clone, Default)]
pub(crate) struct Codes {
    /// Of diplomas.
    pub national: String,
    /// Of degrees.
    pub unit: String,
}

/// Students with what a certificate says of them, in the order of numbers: level, major code, student number.
///
/// # Errors
/// Those of the database.
pub(crate) async fn wanted(tx: &mut Tx, who: &[(i64, i64, CertificateKind)]) -> Result<Vec<Wanted>> {
    let students: Vec<i64> = who.iter().map(|(student, ..)| *student).collect();
    let batches: Vec<i64> = who.iter().map(|(_, batch, _)| *batch).collect();
    let kinds: Vec<String> = who.iter().map(|(.., kind)| kind.as_str().to_owned()).collect();
    let rows = sqlx::query!(
        r#"select w.student as "student!", w.batch as "batch!", w.kind as "kind!: CertificateKind",
                  y.name as "name!", y.gender as "gender?: Gender",
                  y.birthday as "birthday?", y.enrolled_on as "enrolled_on!", y.study_form as "form!: StudyForm",
                  y.schooling_years::text as "years!", l.entry_level as "entry_level!", l.name as "level!",
                  m.national_code as "major_code!", m.national_name as "major!", m.degree as "degree?",
                  b.graduates_on as "graduates_on?", b.certificate_date as "certificate_date?", b.year as "year!"
           from unnest($1::bigint[], $2::bigint[], $3::text[]) as w (student, batch, kind)
           join student y on y.id = w.student
           join level l on l.id = y.level_id
           join major m on m.id = y.major_id
           join graduation_batch b on b.id = w.batch
           order by l.entry_level, m.national_code, y.student_no, y.id"#,
        &students,
        &batches,
        &kinds
    )
    .fetch_all(&mut **tx)
    .await?;
    let made = rows.into_iter().map(|row| Wanted {
        student: row.student,
        batch: row.batch,
        kind: row.kind,
        level_code: level_code(&row.entry_level),
        year: row.certificate_date.map_or(row.year, |on: NaiveDate| on.year()),
        holder: json!({
            "name": row.name,
            "gender": row.gender.map(Gender::zh),
            "birthday": row.birthday,
            "startedOn": row.enrolled_on,
            "endedOn": row.graduates_on,
            "major": row.major,
            "majorCode": row.major_code,
            "level": row.level,
            "studyForm": row.form.zh(),
            "schoolingYears": row.years,
            "degree": row.degree,
            "issuedOn": row.certificate_date,
        }),
        name: row.name,
    });
    Ok(made.collect())
}

/// Numbers as they would be given now, in the order of `wanted`.
///
/// # Errors
/// 409 for a school without codes, or numbers that are used up.
pub(crate) async fn preview(tx: &mut Tx, wanted: &[Wanted], codes: &Codes) -> Result<Vec<(i32, String)>> {
    let education = EDUCATION_TYPE.number(tx).await?;
    let mut next = Next::new();
    for line in wanted.iter().map(Wanted::line) {
        next.entry(line).or_insert(1);
    }
    for (line, value) in &mut next {
        let known = sqlx::query_scalar!(
            "select next from certificate_sequence where kind_group = $1 and year = $2 and level_code = $3",
            line.0,
            line.1,
            line.2
        )
        .fetch_optional(&mut **tx)
        .await?;
        *value = known.unwrap_or(1);
    }
    let taken = taken(tx, wanted, codes, education).await?;
    numbered(wanted, codes, education, &mut next, &taken)
}

/// Numbers that were given elsewhere and stand in the lines of these: they are passed over.
async fn taken(tx: &mut Tx, wanted: &[Wanted], codes: &Codes, education: i64) -> Result<HashSet<String>> {
    let mut prefixes = Vec::new();
    for one in wanted.iter().filter(|one| one.kind != CertificateKind::Degree) {
        let prefix = prefix_of(&codes.national, education, one.year, one.level_code).map_err(Error::conflict)?;
        if !prefixes.contains(&prefix) {
            prefixes.push(prefix);
        }
    }
    let mut taken = HashSet::new();
    for prefix in prefixes {
        let numbers = sqlx::query_scalar!(
            "select number from certificate where imported and number >= $1::text and number < $1::text || ':'",
            prefix
        )
        .fetch_all(&mut **tx)
        .await?;
        taken.extend(numbers);
    }
    Ok(taken)
}

type Next = BTreeMap<(&'static str, i32, &'static str), i32>;

fn numbered(
    wanted: &[Wanted],
    codes: &Codes,
    education: i64,
    next: &mut Next,
    taken: &HashSet<String>,
) -> Result<Vec<(i32, String)>> {
    let mut made = Vec::with_capacity(wanted.len());
    for one in wanted {
        let place = next.entry(one.line()).or_insert(1);
        loop {
            let number = match one.kind {
                CertificateKind::Degree => degree(&codes.unit, one.year, *place),
                CertificateKind::Graduation | CertificateKind::Completion => {
                    diploma(&codes.national, education, one.year, one.level_code, *place)
                }
            };
            let number = number.map_err(Error::conflict)?;
            *place += 1;
            if !taken.contains(&number) {
                made.push((*place - 1, number));
                break;
            }
        }
    }
    Ok(made)
}

/// Gives numbers: holds each sequence in order, writes the certificates, and counts on.
///
/// # Errors
/// 409 for a school without codes, numbers that are used up, and somebody who has a certificate of the kind.
pub(crate) async fn give(tx: &mut Tx, wanted: &[Wanted], codes: &Codes) -> Result<Vec<Change>> {
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let education = EDUCATION_TYPE.number(tx).await?;
    let principal = PRESIDENT_NAME.value(tx).await?.as_str().unwrap_or_default().to_owned();
    let mut next = Next::new();
    for line in wanted.iter().map(Wanted::line) {
        next.entry(line).or_insert(1);
    }
    for (line, value) in &mut next {
        // Written even when it is there: the row is held until the end, and two who give numbers wait for each other.
        *value = sqlx::query_scalar!(
            "insert into certificate_sequence as s (kind_group, year, level_code) values ($1, $2, $3)
             on conflict (kind_group, year, level_code) do update set next = s.next returning next",
            line.0,
            line.1,
            line.2
        )
        .fetch_one(&mut **tx)
        .await?;
    }
    let taken = taken(tx, wanted, codes, education).await?;
    let numbers = numbered(wanted, codes, education, &mut next, &taken)?;
    for (line, value) in &next {
        sqlx::query!(
            "update certificate_sequence set next = $4 where kind_group = $1 and year = $2 and level_code = $3",
            line.0,
            line.1,
            line.2,
            value
        )
        .execute(&mut **tx)
        .await?;
    }
    let numbers: Vec<(&Wanted, i32, String)> =
        wanted.iter().zip(numbers).map(|(one, (seq, number))| (one, seq, number)).collect();
    let mut ids = insert(tx, &numbers, &principal).await?;
    let mut changes = Vec::with_capacity(numbers.len());
    for (one, _, number) in numbers {
        let taken = || Error::conflict(format!("“{}”已有{}编号", one.name, one.kind.zh()));
        let id = ids.remove(&number).ok_or_else(taken)?;
        let what = json!({ "number": number, "kind": one.kind.as_str(), "batchId": one.batch });
        changes.push(Change::event("certificate", id, "allocate", what));
    }
    Ok(changes)
}

/// Writes certificates; answers their ids by number. Who has one of the kind gets none.
async fn insert(tx: &mut Tx, numbers: &[(&Wanted, i32, String)], principal: &str) -> Result<HashMap<String, i64>> {
    let students: Vec<i64> = numbers.iter().map(|(one, ..)| one.student).collect();
    let batches: Vec<i64> = numbers.iter().map(|(one, ..)| one.batch).collect();
    let kinds: Vec<String> = numbers.iter().map(|(one, ..)| one.kind.as_str().to_owned()).collect();
    let given: Vec<String> = numbers.iter().map(|(.., number)| number.clone()).collect();
    let years: Vec<i32> = numbers.iter().map(|(one, ..)| one.year).collect();
    let levels: Vec<String> = numbers.iter().map(|(one, ..)| one.line().2.to_owned()).collect();
    let places: Vec<i32> = numbers.iter().map(|(_, seq, _)| *seq).collect();
    let holders: Vec<Value> = numbers.iter().map(|(one, ..)| one.holder.clone()).collect();
    let by = tx.by();
    let rows = sqlx::query!(
        "insert into certificate (student_id, batch_id, kind, number, year, level_code, seq_no, holder, principal_name, created_by,
                                  updated_by)
         select w.student, w.batch, w.kind, w.number, w.year, w.level, w.place, w.holder, $9::text, $10::bigint, $10::bigint
         from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::integer[], $6::text[], $7::integer[], $8::jsonb[])
              as w (student, batch, kind, number, year, level, place, holder)
         on conflict (student_id, kind) where status <> 'voided' do nothing returning id, number",
        &students,
        &batches,
        &kinds,
        &given,
        &years,
        &levels,
        &places,
        &holders,
        principal,
        by
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(rows.into_iter().map(|row| (row.number, row.id)).collect())
}
