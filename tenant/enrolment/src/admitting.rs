//! What the admission of people asks of recruitment (02 §6, §16): the open batch with its maps, the majors that the
//! authority means, and the places that the sites were granted. Whoever takes places holds the majors first, as whoever
//! grants them does, so that the last place of a site is taken once.

use std::collections::HashMap;

use chrono::NaiveDate;
use enrolment_rules::mapping::{Told, check_columns, merge_columns, merge_values};
use infra::{
    Change, Error, Result, Tx,
    setting::{Setting, kind::Kind},
    transfer::Imported,
};
use majors::major::StudyForm;
use poem_openapi::types::{ParseFromJSON, ToJSON};
use sqlx::PgConnection;
use student_status::enums::ExamCategory;
use term::EntryLevel;

use crate::batch::{EnrollmentBatchStatus, EnrollmentColumn, EnrollmentValue, check_values};

pub use enrolment_rules::places::Places;

/// What happens when a site has more people of a major than it was granted (01 §13).
pub const QUOTA_POLICY: Setting = Setting::new(
    "quotaPolicy",
    "超出招生计划时",
    Kind::Select { default: "warn", options: &[("warn", "提醒"), ("refuse", "拒绝")] },
    "站点的录取人数超出核定计划时：提醒后仍可分配，或拒绝分配",
);

/// Whether nobody is assigned beyond what a site was granted.
///
/// # Errors
/// Those of the database.
pub async fn refuses_beyond_quota(connection: &mut PgConnection) -> Result<bool> {
    Ok(QUOTA_POLICY.value(connection).await? == "refuse")
}

/// A batch whose people are admitted now.
#[derive(Debug, Clone)]
pub struct OpenBatch {
    pub id: i64,
    pub name: String,
    pub grade_id: i64,
    pub enrolled_on: NaiveDate,
    pub columns: Vec<EnrollmentColumn>,
    pub values: Vec<EnrollmentValue>,
}

/// The batch, when it is open.
///
/// # Errors
/// 422 at `batchId` when there is none, 409 when it is not open.
pub async fn open(connection: &mut PgConnection, id: i64) -> Result<OpenBatch> {
    let batch = sqlx::query!(
        r#"select name, grade_id, enrolled_on, column_map, value_maps, status as "status: EnrollmentBatchStatus"
           from enrollment_batch where id = $1"#,
        id
    )
    .fetch_optional(connection)
    .await?
    .ok_or_else(|| Error::field("batchId", "所选招生批次不存在，请重新选择"))?;
    if batch.status != EnrollmentBatchStatus::Open {
        let (name, status) = (batch.name, batch.status.zh());
        return Err(Error::conflict(format!("招生批次“{name}”为{status}，只有进行中的批次可以办理录取")));
    }
    Ok(OpenBatch {
        id,
        name: batch.name,
        grade_id: batch.grade_id,
        enrolled_on: batch.enrolled_on,
        columns: ParseFromJSON::parse_from_json(Some(batch.column_map)).unwrap_or_default(),
        values: ParseFromJSON::parse_from_json(Some(batch.value_maps)).unwrap_or_default(),
    })
}

/// The same, held until the transaction ends: nobody closes it, and nobody else holds it so.
///
/// # Errors
/// As [`open`].
pub async fn hold_open(tx: &mut Tx, id: i64) -> Result<OpenBatch> {
    tx.lock("enrollment_batch", id).await?;
    open(tx, id).await
}

/// The same beside others who do: nobody closes it.
///
/// # Errors
/// As [`open`].
pub async fn share_open(tx: &mut Tx, id: i64) -> Result<OpenBatch> {
    sqlx::query!("select id from enrollment_batch where id = $1 for share", id).fetch_optional(&mut **tx).await?;
    open(tx, id).await
}

/// The maps of the batch with those that were sent: a field or a code that was not sent keeps what stands.
///
/// # Errors
/// 422 at `columnMap` or `valueMaps` for what cannot be.
pub async fn merged(
    connection: &mut PgConnection,
    batch: &OpenBatch,
    columns: &[EnrollmentColumn],
    values: &[EnrollmentValue],
) -> Result<(Vec<EnrollmentColumn>, Vec<EnrollmentValue>)> {
    let (columns, values) = (merge_columns(&batch.columns, columns), merge_values(&batch.values, values));
    check_columns(&columns)?;
    check_values(connection, &values).await?;
    Ok((columns, values))
}

/// Keeps the maps with which a file was read, for the next one; none when they stand already.
///
/// # Errors
/// Those of the database.
pub async fn keep_mapping(
    tx: &mut Tx,
    batch: &OpenBatch,
    columns: &[EnrollmentColumn],
    values: &[EnrollmentValue],
) -> Result<Option<Change>> {
    if batch.columns == columns && batch.values == values {
        return Ok(None);
    }
    let by = tx.by();
    sqlx::query!(
        "update enrollment_batch set column_map = $2, value_maps = $3, updated_at = now(), updated_by = $4, version = version + 1
         where id = $1",
        batch.id,
        columns.to_vec().to_json(),
        values.to_vec().to_json(),
        by
    )
    .execute(&mut **tx)
    .await?;
    let (before, after) = (Told::of(&batch.columns, &batch.values), Told::of(columns, values));
    Ok(Some(Change::edited("enrollment_batch", batch.id, &before, &after)))
}

/// Takes back what [`keep_mapping`] kept with a file: the batch has the maps from before.
///
/// # Errors
/// 409 when the batch is not open, or has other maps by now.
pub async fn mapping_back(tx: &mut Tx, record: &Imported) -> Result<Option<Change>> {
    let batch = hold_open(tx, record.id).await?;
    let former: Told = record.former(&Told::of(&batch.columns, &batch.values))?;
    let (columns, values) = former.read().ok_or_else(|| Error::internal("the trail tells no maps"))?;
    keep_mapping(tx, &batch, &columns, &values).await
}

/// A major of a batch as the authority's file names it.
#[derive(Debug, Clone, PartialEq)]
pub struct RecruitedMajor {
    /// Of the batch.
    pub id: i64,
    /// Of the school.
    pub major_id: i64,
    pub level_id: i64,
    pub entry_level: EntryLevel,
    pub name: String,
    pub authority_name: Option<String>,
    pub exam_category: Option<ExamCategory>,
    pub study_form: StudyForm,
    /// Tenths of a year.
    pub schooling_years: i64,
}

/// The majors of a batch by level and the authority's code, in upper case.
///
/// # Errors
/// Those of the database.
pub async fn known(connection: &mut PgConnection, batch: i64) -> Result<HashMap<(i64, String), RecruitedMajor>> {
    let rows = sqlx::query!(
        r#"select e.id, e.major_id, e.level_id, l.entry_level as "entry_level: EntryLevel", m.name,
                  e.authority_code as "authority_code!", e.authority_name,
                  e.exam_category as "exam_category: ExamCategory", m.study_form as "study_form: StudyForm",
                  (m.schooling_years * 10)::bigint as "schooling_years!"
           from enrollment_major e join major m on m.id = e.major_id join level l on l.id = e.level_id
           where e.batch_id = $1 and e.authority_code is not null order by e.id"#,
        batch
    )
    .fetch_all(connection)
    .await?;
    let of = rows.into_iter().map(|row| {
        let major = RecruitedMajor {
            id: row.id,
            major_id: row.major_id,
            level_id: row.level_id,
            entry_level: row.entry_level,
            name: row.name,
            authority_name: row.authority_name,
            exam_category: row.exam_category,
            study_form: row.study_form,
            schooling_years: row.schooling_years,
        };
        ((row.level_id, row.authority_code.to_uppercase()), major)
    });
    Ok(of.collect())
}

/// Places by major of the batch and site.
pub type PlacesOf = HashMap<(i64, i64), Places>;

/// The places of these majors at these sites. Nobody else takes or grants any of them until the transaction ends.
///
/// # Errors
/// Those of the database.
pub async fn places(tx: &mut Tx, majors: &[i64], sites: &[i64]) -> Result<PlacesOf> {
    sqlx::query_scalar!("select id from enrollment_major where id = any($1) order by id for no key update", majors)
        .fetch_all(&mut **tx)
        .await?;
    // Read after they are held, so that what others took until then is seen.
    places_now(tx, majors, sites).await
}

/// The same as they are now, held by nobody: for a check.
///
/// # Errors
/// Those of the database.
pub async fn places_now(connection: &mut PgConnection, majors: &[i64], sites: &[i64]) -> Result<PlacesOf> {
    let rows = sqlx::query!(
        r#"select e.id as major_id, s.id as site_id, m.name as major_name, s.name as site_name,
                  (select n.quota_approved from site_enrollment p join site_enrollment_line n on n.site_enrollment_id = p.id
                   where p.batch_id = e.batch_id and p.site_id = s.id and p.status = 'approved'
                     and n.enrollment_major_id = e.id) as approved,
                  coalesce(a.taken, 0) as "taken!"
           from enrollment_major e
           join major m on m.id = e.major_id
           cross join site s
           left join (select enrollment_major_id, site_id, count(*) as taken from admission
                      where enrollment_major_id = any($1) and site_id = any($2) and status in ('assigned', 'audited')
                        and deleted_at is null
                      group by enrollment_major_id, site_id) a on a.enrollment_major_id = e.id and a.site_id = s.id
           where e.id = any($1) and s.id = any($2)"#,
        majors,
        sites
    )
    .fetch_all(connection)
    .await?;
    let of = |row: i32| i64::from(row);
    Ok(rows
        .into_iter()
        .map(|row| {
            let places =
                Places { site: row.site_name, major: row.major_name, approved: row.approved.map(of), taken: row.taken };
            ((row.major_id, row.site_id), places)
        })
        .collect())
}
