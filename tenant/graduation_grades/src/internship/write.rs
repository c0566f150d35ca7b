//! How internships are written, by whoever may.

use chrono::NaiveDate;
use infra::{Change, Error, Result, Tx, files};
use poem_openapi::Object;
use scores_rules::arith::{NO_SCORE, in_tenths};
use thesis_rules::{enums::InternshipStatus, total::internship};

use super::hold::{Held, stale};

/// What a paper may be.
const KINDS: [&str; 6] = ["pdf", "doc", "docx", "jpg", "jpeg", "png"];
const MOST_MB: i64 = 20;

/// What is written of an internship.
#[derive(Debug, Clone, Default, PartialEq, Object)]
#[oai(rename_all = "camelCase")]
pub struct InternshipContent {
    pub unit: Option<String>,
    pub post: Option<String>,
    pub starts_on: Option<NaiveDate>,
    pub ends_on: Option<NaiveDate>,
    pub mentor: Option<String>,
    pub mentor_phone: Option<String>,
    pub apply_waiver: bool,
    pub unit_score: Option<f64>,
    pub teacher_score: Option<f64>,
}

/// Papers that come with it, by their keys.
#[derive(Debug, Clone, Default)]
pub(crate) struct Papers<'k> {
    pub report: Option<&'k str>,
    pub appraisal: Option<&'k str>,
}

/// A score that was typed, in tenths.
///
/// # Errors
/// 422 at its field.
pub(crate) fn typed(field: &str, score: Option<f64>) -> Result<Option<i64>> {
    score.map(|score| in_tenths(score, 1_000).ok_or_else(|| Error::field(field, NO_SCORE))).transpose()
}

/// What somebody typed without its ends; nothing of a blank.
pub(crate) fn filled(text: Option<String>) -> Option<String> {
    text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// Writes what somebody entered into an internship that is held, making it where there is none. `scored_by`: who gave the scores.
///
/// # Errors
/// 422 by field; 409 where somebody else wrote first.
pub(crate) async fn put(
    tx: &mut Tx,
    held: &Held,
    content: &InternshipContent,
    papers: &Papers<'_>,
    scored_by: Option<(i64, &str)>,
) -> Result<(i64, Change)> {
    if let (Some(from), Some(to)) = (content.starts_on, content.ends_on)
        && to < from
    {
        return Err(Error::field("endsOn", "结束日期不能早于开始日期"));
    }
    let unit_score = typed("unitScore", content.unit_score)?;
    let teacher_score = typed("teacherScore", content.teacher_score)?;
    let id = match held.record {
        Some(id) => id,
        None => made(tx, held).await?,
    };
    let report = adopted(tx, "reportFileKey", papers.report, id).await?.or(held.report);
    let appraisal = adopted(tx, "appraisalFileKey", papers.appraisal, id).await?.or(held.appraisal);
    let score = match (unit_score, teacher_score) {
        (Some(unit), Some(teacher)) => Some(internship(unit, teacher, weights(tx).await?)),
        _ => None,
    };
    let (scored, name) = scored_by.map_or((None, None), |(id, name)| (Some(id), Some(name)));
    let by = tx.by();
    sqlx::query!(
        "update internship
         set unit = $2, post = $3, starts_on = $4, ends_on = $5, mentor = $6, mentor_phone = $7, apply_waiver = $8,
             report_file_id = $9, appraisal_file_id = $10, unit_score = $11::bigint / 10.0, teacher_score = $12::bigint / 10.0,
             score = $13::bigint / 10.0, scored_by = coalesce($14::bigint, scored_by),
             scored_by_name = coalesce($15::text, scored_by_name),
             given_by = case when $14::bigint is null or $14 = any(given_by) then given_by else given_by || $14::bigint end, updated_at = now(), updated_by = $16, version = version + 1
         where id = $1",
        id,
        content.unit,
        content.post,
        content.starts_on,
        content.ends_on,
        content.mentor,
        content.mentor_phone,
        content.apply_waiver,
        report,
        appraisal,
        unit_score,
        teacher_score,
        score,
        scored,
        name,
        by
    )
    .execute(&mut **tx)
    .await?;
    let change = match held.record {
        Some(_) => Change::edited("internship", id, &held.content, content),
        None => Change::created("internship", id, content),
    };
    Ok((id, change))
}

/// The record of a selection that has none.
async fn made(tx: &mut Tx, held: &Held) -> Result<i64> {
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into internship (selection_id, student_id, created_by, updated_by) values ($1, $2, $3, $3)
         on conflict (selection_id) do nothing returning id",
        held.selection,
        held.student,
        by
    )
    .fetch_optional(&mut **tx)
    .await?;
    match id {
        Some(id) => Ok(id),
        None => Err(stale(tx, None).await),
    }
}

/// # Errors
/// 422 at `field` for a file of another kind, or of somebody else.
pub(crate) async fn adopted(tx: &mut Tx, field: &str, key: Option<&str>, id: i64) -> Result<Option<i64>> {
    let Some(key) = key else { return Ok(None) };
    let file = files::adopt_kind(tx, key, ("internship", id), &KINDS, MOST_MB).await;
    file.map(Some).map_err(|error| match error.code {
        422 => Error::field(field, error.msg),
        _ => error,
    })
}

/// What unit and teacher weigh here.
///
/// # Errors
/// Those of the database.
pub(crate) async fn weights(tx: &mut Tx) -> Result<(i64, i64)> {
    let set = thesis_rules::settings::INTERNSHIP_WEIGHTS.value(tx).await?;
    Ok((set["unit"].as_i64().unwrap_or(40), set["teacher"].as_i64().unwrap_or(60)))
}

/// Writes where an internship went, and why. It is held and has a record.
///
/// # Errors
/// Those of the database.
pub(crate) async fn turned(
    tx: &mut Tx,
    held: &Held,
    id: i64,
    to: InternshipStatus,
    (account, name): (i64, &str),
    why: Option<&str>,
) -> Result<Change> {
    let (by, now) = (tx.by(), tx.app().clock().now());
    sqlx::query!(
        "update internship
         set status = $2, submitted_at = case $2 when 'submitted' then $3::timestamptz else submitted_at end,
             audited_by = case when $2 in ('passed', 'returned') then $4::bigint else audited_by end,
             audited_by_name = case when $2 in ('passed', 'returned') then $5::text else audited_by_name end,
             audited_at = case when $2 in ('passed', 'returned') then $3::timestamptz else audited_at end,
             return_reason = case $2 when 'returned' then $6::text end, updated_at = now(), updated_by = $7, version = version + 1
         where id = $1",
        id,
        to.as_str(),
        now as _,
        account,
        name,
        why,
        by
    )
    .execute(&mut **tx)
    .await?;
    let change = Change::status("internship", id, "status", held.status.as_str(), to.as_str());
    Ok(change.because(why))
}
