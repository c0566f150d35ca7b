//! Whom the authority admitted to the open batch of a demonstration school: those of the leads that were admitted, some whom nobody
//! knew, and one or two with each problem; of those without one the first few and every second were audited, and are to report (05 G4).

use chrono::NaiveDate;
use classes::demo::Places;
use infra::{Result, Tx, pinyin};
use people::demo::{Dice, Person, Sources};
use registration::opening;
use serde_json::{Value, json};
use student_status::id_card::IdCardType;

/// Rows of people that nobody else of the school takes.
const FIRST_ROW: usize = 800_000;
/// Of a hundred who were admitted so many told nobody before that they want to study.
const UNKNOWN: usize = 9;
/// As many, however few there are, so that each problem occurs.
const FEWEST: usize = 12;
/// So many are audited one after the other, so that everything that becomes of people who report occurs.
const AUDITED: usize = 8;

/// Where they were admitted to.
pub struct Draw<'a> {
    pub places: &'a Places,
    pub province: u8,
    pub seed: u64,
    pub today: NaiveDate,
}

/// A major of the batch.
struct Major {
    id: i64,
    major_id: i64,
    level_id: i64,
    study_form: String,
    schooling_years: f64,
    code: String,
    name: String,
}

/// Somebody as the file has them.
struct Row {
    examinee_no: String,
    name: String,
    gender: String,
    birthday: NaiveDate,
    id_card_type: IdCardType,
    id_card_no: String,
    phone: Option<String>,
    address: Option<String>,
    lead: Option<i64>,
    site: Option<i64>,
    match_status: &'static str,
    issues: Vec<&'static str>,
    status: &'static str,
}

/// Writes one file of the authority, taken over.
///
/// # Errors
/// Only internal ones.
pub async fn fill(tx: &mut Tx, sources: &mut Sources, draw: &Draw<'_>) -> Result<()> {
    let Some(batch) = sqlx::query!(
        "select id, grade_id, enrolled_on from enrollment_batch where status = 'open' order by id limit 1"
    )
    .fetch_optional(&mut **tx)
    .await?
    else {
        return Ok(());
    };
    let majors = majors(tx, batch.id).await?;
    let mut rows = known(tx, batch.id, batch.grade_id).await?;
    // As many as the file has beside them.
    let strangers = (rows.len() * UNKNOWN / 100).max(FEWEST);
    let names: Vec<i64> = majors.iter().map(|major| major.major_id).collect();
    for nth in 0..strangers {
        let row = FIRST_ROW + nth;
        let mut dice = Dice::new(draw.seed, "admission", row);
        let major = names[dice.below(names.len())];
        let programme =
            draw.places.majors.iter().find(|known| known.id == major).map_or("", |known| known.programme.name);
        let person = sources.person(draw.seed, row, programme, draw.province, 28.0, batch.enrolled_on);
        rows.push((major, stranger(person, draw.province, row)));
    }
    planted(&mut rows);
    student(tx, &mut rows).await?;
    let mut clean: Vec<&mut Row> = rows.iter_mut().map(|(_, row)| row).filter(|row| row.status == "assigned").collect();
    // Somebody waits for the audit.
    clean.pop();
    let clean = clean.into_iter().enumerate();
    clean.filter(|(nth, _)| *nth < AUDITED || nth % 2 == 0).for_each(|(_, row)| row.status = "audited");
    let total = i32::try_from(rows.len()).unwrap_or(i32::MAX);
    let import = sqlx::query_scalar!(
        "insert into admission_import (batch_id, file_name, sha256, mode, total, inserted, updated, unchanged, created_by,
             updated_by)
         values ($1, $2, repeat('0', 64), 'insert', $3, $3, 0, 0, 0, 0) returning id",
        batch.id,
        format!("LQK{}.dbf", draw.today.format("%Y")),
        total
    )
    .fetch_one(&mut **tx)
    .await?;
    for (n, (major, row)) in rows.iter().enumerate() {
        let Some(major) = majors.iter().find(|known| known.major_id == *major) else { continue };
        let mut dice = Dice::new(draw.seed, "admission", n);
        let score = dice.normal(238.0, 48.0).clamp(120.0, 420.0);
        enter(tx, (batch.id, batch.grade_id, import), major, row, (score * 10.0) as i32).await?;
    }
    // What was beyond what its site was granted says so.
    sqlx::query!(
        "update admission a set issues = array_append(a.issues, 'over_quota')
         from (select id, row_number() over (partition by enrollment_major_id, site_id order by total_score desc, examinee_no) as place
               from admission where batch_id = $1 and status in ('assigned', 'audited')) r
         where a.id = r.id and r.place > coalesce((
             select n.quota_approved from site_enrollment p join site_enrollment_line n on n.site_enrollment_id = p.id
             where p.batch_id = $1 and p.site_id = a.site_id and p.status = 'approved'
               and n.enrollment_major_id = a.enrollment_major_id), 0)",
        batch.id
    )
    .execute(&mut **tx)
    .await?;
    let audited = sqlx::query_scalar!(
        "update admission set audited_by = 0, audited_at = now() where batch_id = $1 and status = 'audited' returning id",
        batch.id
    )
    .fetch_all(&mut **tx)
    .await?;
    opening::open(tx, &audited).await?;
    Ok(())
}

async fn majors(tx: &mut Tx, batch: i64) -> Result<Vec<Major>> {
    let rows = sqlx::query_as!(
        Major,
        r#"select e.id, e.major_id, e.level_id, m.study_form, m.schooling_years::float8 as "schooling_years!",
                  coalesce(e.authority_code, m.code) as "code!", m.name
           from enrollment_major e join major m on m.id = e.major_id where e.batch_id = $1 order by e.id"#,
        batch
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(rows)
}

/// The leads of the grade that were admitted, each with the major that they wanted, where the batch recruits for it.
async fn known(tx: &mut Tx, batch: i64, grade: i64) -> Result<Vec<(i64, Row)>> {
    let leads = sqlx::query!(
        r#"select id, examinee_no as "examinee_no!", name, gender, birthday as "birthday!",
                  id_card_type as "id_card_type: IdCardType", id_card_no, phone, address, major_id, site_id
           from pre_registration
           where grade_id = $1 and exam_status = 'admitted' and status = 'approved' and deleted_at is null
             and examinee_no is not null and birthday is not null
             and major_id in (select major_id from enrollment_major where batch_id = $2)
           order by id"#,
        grade,
        batch
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(leads
        .into_iter()
        .map(|lead| {
            let row = Row {
                examinee_no: lead.examinee_no,
                name: lead.name,
                gender: lead.gender,
                birthday: lead.birthday,
                id_card_type: lead.id_card_type,
                id_card_no: lead.id_card_no,
                phone: Some(lead.phone),
                address: lead.address,
                lead: Some(lead.id),
                site: Some(lead.site_id),
                match_status: "matched",
                issues: Vec::new(),
                status: "assigned",
            };
            (lead.major_id, row)
        })
        .collect())
}

fn stranger(person: Person, province: u8, row: usize) -> Row {
    Row {
        examinee_no: format!("27{province:02}99{row:08}"),
        name: person.name,
        gender: if person.female { "female" } else { "male" }.to_owned(),
        birthday: person.birthday,
        id_card_type: person.id_card_type,
        id_card_no: person.id_card_no,
        phone: None,
        address: None,
        lead: None,
        site: None,
        match_status: "unmatched",
        issues: Vec::new(),
        status: "imported",
    }
}

/// Each problem occurs among those whom nobody knew, and somebody was withdrawn.
fn planted(rows: &mut [(i64, Row)]) {
    let mut strangers = rows.iter_mut().filter(|(_, row)| row.lead.is_none()).map(|(_, row)| row);
    if let Some(row) = strangers.next() {
        // The last sign of the number is another one.
        let last = if row.id_card_no.ends_with('0') { '1' } else { '0' };
        row.id_card_no.pop();
        row.id_card_no.push(last);
        row.issues.push("id_checksum");
    }
    if let Some(row) = strangers.next() {
        row.name.pop();
        row.name.push('?');
        row.issues.push("name_differs");
    }
    if let Some(row) = strangers.next() {
        row.issues.push("site_missing");
    }
    if let Some(row) = strangers.next() {
        row.status = "cancelled";
    }
    // Somebody gave a site to every second of the others but the last one, who is a student.
    let site = rows.iter().find_map(|(_, row)| row.site);
    let others = rows.iter_mut().map(|(_, row)| row);
    let others = others.filter(|row| row.lead.is_none() && row.issues.is_empty() && row.status == "imported");
    let mut others: Vec<&mut Row> = others.collect();
    others.pop();
    for row in others.into_iter().step_by(2) {
        row.site = site;
        row.status = if site.is_some() { "assigned" } else { "imported" };
    }
    // The authority writes the name otherwise; nobody looked yet who is right.
    if let Some((_, row)) = rows.iter_mut().find(|(_, row)| row.lead.is_some()) {
        row.name.push('兰');
        row.match_status = "conflict";
        row.issues.push("name_differs");
        row.status = "imported";
        row.site = None;
    }
}

/// One of them studies here already.
async fn student(tx: &mut Tx, rows: &mut [(i64, Row)]) -> Result<()> {
    let student = sqlx::query!(
        r#"select name, gender as "gender!", birthday as "birthday!", id_card_no from student
           where active and id_card_type = 'resident_id' and gender is not null and birthday is not null order by id limit 1"#
    )
    .fetch_optional(&mut **tx)
    .await?;
    let last = rows.iter_mut().rev().find(|(_, row)| row.lead.is_none());
    if let (Some(student), Some((_, row))) = (student, last) {
        row.name = student.name;
        row.gender = student.gender;
        row.birthday = student.birthday;
        row.id_card_type = IdCardType::ResidentId;
        row.id_card_no = student.id_card_no;
        row.issues = vec!["active_student"];
    }
    Ok(())
}

fn raw(major: &Major, row: &Row, score: i32) -> Value {
    json!({
        "KSH": row.examinee_no, "XM": row.name, "XBDM": if row.gender == "male" { "1" } else { "2" },
        "CSRQ": row.birthday.format("%Y%m%d").to_string(), "SFZH": row.id_card_no, "LQZY": major.code, "LQZYMC": major.name,
        "CCDM": "1", "ZF": format!("{}.{}", score / 10, score % 10), "LXDH": row.phone.as_deref().unwrap_or_default(),
    })
}

async fn enter(
    tx: &mut Tx,
    (batch, grade, import): (i64, i64, i64),
    major: &Major,
    row: &Row,
    score: i32,
) -> Result<()> {
    let issues: Vec<String> = row.issues.iter().map(|issue| (*issue).to_owned()).collect();
    sqlx::query!(
        "insert into admission (batch_id, grade_id, import_id, examinee_no, name, name_grams, pinyin, initials, gender, birthday,
             id_card_type, id_card_no, phone, address, enrollment_major_id, major_id, level_id, study_form, schooling_years,
             authority_major_code, authority_major_name, total_score, raw, pre_registration_id, match_status, issues, site_id,
             status, cancel_remark, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19::float8::numeric, $20, $21,
             $22, $23, $24, $25, $26, $27, $28, case when $28 = 'cancelled' then '考生放弃，招办撤销录取' end, 0, 0)",
        batch,
        grade,
        import,
        row.examinee_no,
        row.name,
        &pinyin::grams(&row.name),
        pinyin::pinyin(&row.name),
        pinyin::initials(&row.name),
        row.gender,
        row.birthday,
        row.id_card_type.as_str(),
        row.id_card_no,
        row.phone,
        row.address,
        major.id,
        major.major_id,
        major.level_id,
        major.study_form,
        major.schooling_years,
        major.code,
        major.name,
        score,
        raw(major, row, score),
        row.lead,
        row.match_status,
        &issues,
        row.site,
        row.status
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
