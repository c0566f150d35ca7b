//! How what the authority says is written: many rows a statement.

use std::collections::{BTreeMap, HashMap, HashSet};

use infra::{Result, Tx, pinyin};
use serde::Serialize;
use serde_json::{Value, json};
use sqlx::{PgConnection, types::Json};

use super::read::{Read, Taken};
use crate::enums::{AdmissionIssue, AdmissionMatchStatus, AdmissionStatus};

/// What stands of a 考生号.
#[derive(Debug, Clone)]
pub(super) struct Standing {
    pub id: i64,
    pub status: AdmissionStatus,
    pub match_status: AdmissionMatchStatus,
    pub pre_registration_id: Option<i64>,
    pub site_id: Option<i64>,
    /// The file that wrote the row last.
    pub import_id: i64,
    pub issues: Vec<AdmissionIssue>,
    pub phone: Option<String>,
    pub address: Option<String>,
    pub postal_code: Option<String>,
    pub cancel_remark: Option<String>,
    pub taken: Taken,
}

/// What a batch has of some numbers.
#[derive(Debug, Default)]
pub(super) struct There {
    /// By 考生号.
    pub standing: HashMap<String, Standing>,
    /// 考生号 by identity number.
    pub by_card: HashMap<String, String>,
    /// 考生号 and identity numbers of the recycle bin.
    pub in_bin: HashSet<String>,
    /// Identity numbers of active students.
    pub students: HashSet<String>,
}

/// Whether the rows that stand are held until the transaction ends is `hold`.
///
/// # Errors
/// Those of the database.
pub(super) async fn there(
    connection: &mut PgConnection,
    batch: i64,
    examinee_nos: &[String],
    id_card_nos: &[String],
    hold: bool,
) -> Result<There> {
    let mut there = There::default();
    let ids = if hold {
        sqlx::query_scalar!(
            "select id from admission where batch_id = $1 and examinee_no = any($2) and deleted_at is null
             order by id for update",
            batch,
            examinee_nos
        )
        .fetch_all(&mut *connection)
        .await?
    } else {
        sqlx::query_scalar!(
            "select id from admission where batch_id = $1 and examinee_no = any($2) and deleted_at is null",
            batch,
            examinee_nos
        )
        .fetch_all(&mut *connection)
        .await?
    };
    let found = standing(connection, &ids).await?;
    there.standing = found.into_iter().map(|one| (one.taken.examinee_no.clone(), one)).collect();
    let cards = sqlx::query!(
        "select id_card_no, examinee_no from admission where batch_id = $1 and id_card_no = any($2) and deleted_at is null",
        batch,
        id_card_nos
    )
    .fetch_all(&mut *connection)
    .await?;
    there.by_card = cards.into_iter().map(|row| (row.id_card_no, row.examinee_no)).collect();
    let bin = sqlx::query!(
        "select examinee_no, id_card_no from admission
         where batch_id = $1 and examinee_no = any($2) and deleted_at is not null
         union all
         select examinee_no, id_card_no from admission
         where batch_id = $1 and id_card_no = any($3) and deleted_at is not null",
        batch,
        examinee_nos,
        id_card_nos
    )
    .fetch_all(&mut *connection)
    .await?;
    there.in_bin = bin.into_iter().flat_map(|row| [row.examinee_no, row.id_card_no]).flatten().collect();
    let students =
        sqlx::query_scalar!("select id_card_no from student where id_card_no = any($1) and active", id_card_nos)
            .fetch_all(connection)
            .await?;
    there.students = students.into_iter().collect();
    Ok(there)
}

/// These rows as they are now, in the order of their numbers.
///
/// # Errors
/// Those of the database.
pub(super) async fn standing(connection: &mut PgConnection, ids: &[i64]) -> Result<Vec<Standing>> {
    let rows = sqlx::query!(
        r#"select id, status as "status: AdmissionStatus", match_status as "match_status: AdmissionMatchStatus",
                  pre_registration_id, site_id, import_id, issues as "issues: Vec<AdmissionIssue>", phone, address, postal_code,
                  cancel_remark, examinee_no, ticket_no, name, gender, birthday, id_card_no, ethnicity, political_status,
                  enrollment_major_id, authority_major_code, authority_major_name, exam_category, total_score, bonus_score,
                  scores as "scores: Json<BTreeMap<String, i64>>", pre_edu_level, pre_edu_school, pre_edu_graduated_on,
                  work_started_on, admitted_on, raw as "raw: Json<BTreeMap<String, String>>"
           from admission where id = any($1) and deleted_at is null order by id"#,
        ids
    )
    .fetch_all(connection)
    .await?;
    let mut found = Vec::with_capacity(rows.len());
    for row in rows {
        let taken = Taken {
            examinee_no: row.examinee_no,
            ticket_no: row.ticket_no,
            name: row.name,
            gender: row.gender,
            birthday: row.birthday,
            id_card_no: row.id_card_no,
            ethnicity: row.ethnicity,
            political_status: row.political_status,
            enrollment_major_id: row.enrollment_major_id,
            authority_major_code: row.authority_major_code,
            authority_major_name: row.authority_major_name,
            exam_category: row.exam_category,
            total_score: row.total_score,
            bonus_score: row.bonus_score,
            scores: row.scores.0,
            pre_edu_level: row.pre_edu_level,
            pre_edu_school: row.pre_edu_school,
            pre_edu_graduated_on: row.pre_edu_graduated_on,
            work_started_on: row.work_started_on,
            admitted_on: row.admitted_on,
            raw: row.raw.0,
        };
        found.push(Standing {
            id: row.id,
            status: row.status,
            match_status: row.match_status,
            pre_registration_id: row.pre_registration_id,
            site_id: row.site_id,
            import_id: row.import_id,
            issues: row.issues,
            phone: row.phone,
            address: row.address,
            postal_code: row.postal_code,
            cancel_remark: row.cancel_remark,
            taken,
        });
    }
    Ok(found)
}

/// A row as a statement takes it.
#[derive(Debug, Serialize)]
struct Line<'r> {
    /// Of the row that is changed.
    id: Option<i64>,
    #[serde(flatten)]
    taken: &'r Taken,
    name_grams: Vec<String>,
    pinyin: String,
    initials: String,
    phone: Option<&'r str>,
    address: Option<&'r str>,
    postal_code: Option<&'r str>,
    major_id: i64,
    level_id: i64,
    study_form: &'static str,
    schooling_years: f64,
    issues: Vec<&'static str>,
    /// Of a row that is changed: the lead is looked for again, the site given again.
    anew: bool,
}

fn lines<'r>(rows: &[(&'r Read, Option<i64>, bool)]) -> Value {
    let of = |(read, id, anew): &(&'r Read, Option<i64>, bool)| Line {
        id: *id,
        taken: &read.taken,
        name_grams: pinyin::grams(&read.taken.name),
        pinyin: pinyin::pinyin(&read.taken.name),
        initials: pinyin::initials(&read.taken.name),
        phone: read.phone.as_deref(),
        address: read.address.as_deref(),
        postal_code: read.postal_code.as_deref(),
        major_id: read.major.major_id,
        level_id: read.major.level_id,
        study_form: read.major.study_form.as_str(),
        schooling_years: read.major.schooling_years as f64 / 10.0,
        issues: read.issues.iter().map(|issue| issue.as_str()).collect(),
        anew: *anew,
    };
    json!(rows.iter().map(of).collect::<Vec<_>>())
}

/// Where rows are written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Into {
    pub batch: i64,
    pub grade: i64,
    pub import: i64,
}

/// New rows, imported; answers their numbers by 考生号.
///
/// # Errors
/// Those of the database.
pub(super) async fn insert(tx: &mut Tx, into: Into, rows: &[&Read]) -> Result<HashMap<String, i64>> {
    if rows.is_empty() {
        return Ok(HashMap::new());
    }
    let by = tx.by();
    let rows: Vec<(&Read, Option<i64>, bool)> = rows.iter().map(|read| (*read, None, true)).collect();
    let made = sqlx::query!(
        "insert into admission (batch_id, grade_id, import_id, examinee_no, ticket_no, name, name_grams, pinyin, initials, gender,
             birthday, id_card_no, ethnicity, political_status, phone, address, postal_code, enrollment_major_id, major_id,
             level_id, study_form, schooling_years, authority_major_code, authority_major_name, exam_category, total_score,
             bonus_score, scores, pre_edu_level, pre_edu_school, pre_edu_graduated_on, work_started_on, admitted_on, raw,
             issues, created_by, updated_by)
         select $1, $2, $3, r.examinee_no, r.ticket_no, r.name, r.name_grams, r.pinyin, r.initials, r.gender, r.birthday,
                r.id_card_no, r.ethnicity, r.political_status, r.phone, r.address, r.postal_code, r.enrollment_major_id,
                r.major_id, r.level_id, r.study_form, r.schooling_years, r.authority_major_code, r.authority_major_name,
                r.exam_category, r.total_score, r.bonus_score, r.scores, r.pre_edu_level, r.pre_edu_school,
                r.pre_edu_graduated_on, r.work_started_on, r.admitted_on, r.raw, r.issues, $4, $4
         from jsonb_to_recordset($5) as r (
             examinee_no text, ticket_no text, name text, name_grams text[], pinyin text, initials text, gender text,
             birthday date, id_card_no text, ethnicity text, political_status text, phone text, address text,
             postal_code text, enrollment_major_id bigint, major_id bigint, level_id bigint, study_form text,
             schooling_years numeric, authority_major_code text, authority_major_name text, exam_category text,
             total_score integer, bonus_score integer, scores jsonb, pre_edu_level text, pre_edu_school text,
             pre_edu_graduated_on date, work_started_on date, admitted_on date, raw jsonb, issues text[])
         returning id, examinee_no",
        into.batch,
        into.grade,
        into.import,
        by,
        lines(&rows)
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(made.into_iter().map(|row| (row.examinee_no, row.id)).collect())
}

/// Rows that stand are what the authority says now; how people are reached stays as it is, but for what was empty. Who was cancelled
/// is admitted again. Who lacks a picture lacks it still. Of those whose number or major changed (`anew`) lead and site are looked for again.
///
/// # Errors
/// Those of the database.
pub(super) async fn update(tx: &mut Tx, into: Into, rows: &[(&Read, i64, bool)]) -> Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    let by = tx.by();
    let rows: Vec<(&Read, Option<i64>, bool)> = rows.iter().map(|(read, id, anew)| (*read, Some(*id), *anew)).collect();
    sqlx::query!(
        "update admission a
         set import_id = $1, ticket_no = r.ticket_no, name = r.name, name_grams = r.name_grams, pinyin = r.pinyin,
             initials = r.initials, gender = r.gender, birthday = r.birthday, id_card_no = r.id_card_no,
             ethnicity = r.ethnicity, political_status = r.political_status, phone = coalesce(a.phone, r.phone),
             address = coalesce(a.address, r.address), postal_code = coalesce(a.postal_code, r.postal_code),
             enrollment_major_id = r.enrollment_major_id, major_id = r.major_id, level_id = r.level_id,
             study_form = r.study_form, schooling_years = r.schooling_years, authority_major_code = r.authority_major_code,
             authority_major_name = r.authority_major_name, exam_category = r.exam_category, total_score = r.total_score,
             bonus_score = r.bonus_score, scores = r.scores, pre_edu_level = r.pre_edu_level,
             pre_edu_school = r.pre_edu_school, pre_edu_graduated_on = r.pre_edu_graduated_on,
             work_started_on = r.work_started_on, admitted_on = r.admitted_on, raw = r.raw,
             issues = r.issues
                 || case when not r.anew and a.site_id is null and 'site_missing' = any(a.issues)
                          and not 'site_missing' = any(r.issues) then array['site_missing'] else '{}' end
                 || case when not r.anew and 'over_quota' = any(a.issues) then array['over_quota'] else '{}' end
                 || case when a.photo_id is null and 'photo_missing' = any(a.issues) then array['photo_missing']
                         else '{}' end,
             pre_registration_id = case when not r.anew then a.pre_registration_id end,
             match_status = case when r.anew then 'unmatched' else a.match_status end,
             site_id = case when not r.anew then a.site_id end,
             status = case when r.anew then 'imported' else a.status end, cancel_remark = null,
             updated_at = now(), updated_by = $2, version = a.version + 1
         from jsonb_to_recordset($3) as r (
             id bigint, ticket_no text, name text, name_grams text[], pinyin text, initials text, gender text,
             birthday date, id_card_no text, ethnicity text, political_status text, phone text, address text,
             postal_code text, enrollment_major_id bigint, major_id bigint, level_id bigint, study_form text,
             schooling_years numeric, authority_major_code text, authority_major_name text, exam_category text,
             total_score integer, bonus_score integer, scores jsonb, pre_edu_level text, pre_edu_school text,
             pre_edu_graduated_on date, work_started_on date, admitted_on date, raw jsonb, issues text[], anew boolean)
         where a.id = r.id",
        into.import,
        by,
        lines(&rows)
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
