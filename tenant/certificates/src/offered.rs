//! What graduation has done with certificates and archives: opened, numbered, voided, registered; and what it asks of them.

pub mod audit_form;

use std::collections::{BTreeMap, HashMap};

use certificate_rules::{
    archive_no::{Values, prefix, render},
    enums::{ArchiveItemCode, ArchiveItemOrigin, ArchiveItemStatus, ArchiveStatus, CertificateKind, CertificateStatus},
    items::{self, HasParts},
    number::level_code,
    steps::{CertificateTurn, after},
};
use graduation_rules::settings::DEGREE_UNIT_CODE;
use infra::{Change, Error, Result, Tx};
use serde_json::json;
use sqlx::PgConnection;

use crate::{
    numbers::{Codes, give, wanted},
    settings::ARCHIVE_NO_RULE,
};

pub use chsi::national_code;

/// What the national register said of a certificate.
#[derive(Debug, Clone, Default)]
pub struct RegistrationResult {
    pub certificate_no: String,
    pub examinee_no: String,
    pub name: String,
    pub success: bool,
    pub message: Option<String>,
}

/// Opens the archives of students whose studies ended in a batch, with the papers that apply to each. One from an earlier batch goes on
/// in this one: it is open again, and what tells of the end of the studies is to be made anew.
///
/// # Errors
/// Those of the database.
pub async fn open_archives(tx: &mut Tx, batch: i64, students: &[i64]) -> Result<Vec<Change>> {
    let mut changes = carried_on(tx, batch, students).await?;
    let rule = ARCHIVE_NO_RULE.value(tx).await?.as_str().unwrap_or_default().to_owned();
    let rows = sqlx::query!(
        r#"select y.id as "student!", coalesce(y.student_no, '') as "student_no!", l.entry_level as "entry_level!",
                  m.code as "major_code!", t.code as "site_code!", b.year as "year!",
                  exists (select from course_selection c join course u on u.id = c.course_id and u.kind = 'thesis'
                          where c.student_id = y.id and c.status in ('selected', 'completed')) as "thesis!",
                  exists (select from course_selection c join course u on u.id = c.course_id and u.kind = 'internship'
                          where c.student_id = y.id and c.status in ('selected', 'completed')) as "internship!",
                  exists (select from graduation_user g where g.student_id = y.id and g.batch_id = b.id
                            and g.decision in ('graduate', 'complete')) as "certificate!"
           from student y
           join level l on l.id = y.level_id
           join major m on m.id = y.major_id
           join site t on t.id = y.site_id
           join graduation_batch b on b.id = $1
           where y.id = any($2) and not exists (select from archive a where a.student_id = y.id)
           order by l.entry_level, m.code, y.student_no, y.id"#,
        batch,
        students
    )
    .fetch_all(&mut **tx)
    .await?;
    let values: Vec<Values> = rows
        .iter()
        .map(|row| Values {
            year: row.year.to_string(),
            level_code: level_code(&row.entry_level).to_owned(),
            major_code: row.major_code.clone(),
            site_code: row.site_code.clone(),
            student_no: row.student_no.clone(),
        })
        .collect();
    let mut next: BTreeMap<String, i32> = values.iter().map(|values| (prefix(&rule, values), 1)).collect();
    for (prefix, value) in &mut next {
        *value = sqlx::query_scalar!(
            "insert into archive_sequence as s (prefix) values ($1)
             on conflict (prefix) do update set next = s.next returning next",
            prefix
        )
        .fetch_one(&mut **tx)
        .await?;
    }
    let opened: Vec<Opened> = rows
        .into_iter()
        .zip(&values)
        .map(|(row, values)| {
            let place = next.entry(prefix(&rule, values)).or_insert(1);
            let number = render(&rule, values, i64::from(*place));
            *place += 1;
            let has = HasParts { thesis: row.thesis, internship: row.internship, certificate: row.certificate };
            Opened { student: row.student, number, parts: items::of(has) }
        })
        .collect();
    changes.extend(opened_with(tx, batch, &opened).await?);
    for (prefix, value) in &next {
        sqlx::query!("update archive_sequence set next = $2 where prefix = $1", prefix, value)
            .execute(&mut **tx)
            .await?;
    }
    Ok(changes)
}

/// An archive that is opened.
struct Opened {
    student: i64,
    number: String,
    parts: Vec<(ArchiveItemCode, ArchiveItemOrigin, bool)>,
}

/// Writes archives with their papers, all of which are missing.
async fn opened_with(tx: &mut Tx, batch: i64, opened: &[Opened]) -> Result<Vec<Change>> {
    let students: Vec<i64> = opened.iter().map(|one| one.student).collect();
    let numbers: Vec<String> = opened.iter().map(|one| one.number.clone()).collect();
    let needed = |one: &Opened| i32::try_from(one.parts.iter().filter(|(.., needed)| *needed).count());
    let needed: Vec<i32> = opened.iter().map(|one| needed(one).unwrap_or_default()).collect();
    let by = tx.by();
    let rows = sqlx::query!(
        "insert into archive (student_id, batch_id, archive_no, needed_count, created_by, updated_by)
         select w.student, $4::bigint, w.number, w.needed, $5::bigint, $5::bigint
         from unnest($1::bigint[], $2::text[], $3::integer[]) as w (student, number, needed)
         returning id, student_id",
        &students,
        &numbers,
        &needed,
        batch,
        by
    )
    .fetch_all(&mut **tx)
    .await?;
    let ids: HashMap<i64, i64> = rows.into_iter().map(|row| (row.student_id, row.id)).collect();
    let (mut archives, mut codes, mut origins, mut wanted) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut changes = Vec::with_capacity(opened.len());
    for one in opened {
        let Some(id) = ids.get(&one.student).copied() else { continue };
        for (code, origin, needed) in &one.parts {
            archives.push(id);
            codes.push(code.as_str().to_owned());
            origins.push(origin.as_str().to_owned());
            wanted.push(*needed);
        }
        let what = json!({ "archiveNo": one.number, "studentId": one.student });
        changes.push(Change::event("archive", id, "insert", what));
    }
    sqlx::query!(
        "insert into archive_item (archive_id, code, origin, needed, status, created_by, updated_by)
         select w.archive, w.code, w.origin, w.needed, $5::text, $6::bigint, $6::bigint
         from unnest($1::bigint[], $2::text[], $3::text[], $4::boolean[]) with ordinality as w (archive, code, origin, needed, place)
         order by w.place",
        &archives,
        &codes,
        &origins,
        &wanted,
        ArchiveItemStatus::Missing.as_str(),
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(changes)
}

/// Archives from earlier batches, which this one goes on with.
async fn carried_on(tx: &mut Tx, batch: i64, students: &[i64]) -> Result<Vec<Change>> {
    let rows = sqlx::query!(
        r#"select id, batch_id, status as "status: ArchiveStatus" from archive
           where student_id = any($1) and batch_id <> $2 order by id for update"#,
        students,
        batch
    )
    .fetch_all(&mut **tx)
    .await?;
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<i64> = rows.iter().map(|row| row.id).collect();
    let (by, now) = (tx.by(), tx.app().clock().now());
    // The files stay where they are until something else is put there: then they are its former versions.
    sqlx::query!(
        "update archive_item set status = 'missing', waive_reason = null, updated_at = $2, updated_by = $3, version = version + 1
         where archive_id = any($1) and code in ('cover', 'roll', 'transcript', 'audit', 'certificate')",
        &ids,
        now as _,
        by
    )
    .execute(&mut **tx)
    .await?;
    // Who left without a certificate may have one now.
    sqlx::query!(
        "insert into archive_item (archive_id, code, origin, needed, status, created_by, updated_by)
         select a.id, 'certificate', 'generated', true, 'missing', $3::bigint, $3::bigint
         from archive a
         join graduation_user g on g.student_id = a.student_id and g.batch_id = $2 and g.decision in ('graduate', 'complete')
         where a.id = any($1)
         on conflict (archive_id, code) do nothing",
        &ids,
        batch,
        by
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "update archive a
         set batch_id = $2, status = 'collecting', unseal_reason = '在新的毕业批次中生效', handed_to = null, handed_on = null,
             tracking_no = null, ready_count = n.ready, needed_count = n.needed, updated_at = $3, updated_by = $4,
             version = a.version + 1
         from (select i.archive_id, (count(*) filter (where i.needed and i.status <> 'missing'))::integer as ready,
                      (count(*) filter (where i.needed))::integer as needed
               from archive_item i where i.archive_id = any($1) group by i.archive_id) n
         where n.archive_id = a.id",
        &ids,
        batch,
        now as _,
        by
    )
    .execute(&mut **tx)
    .await?;
    let change = |id: i64, from: (i64, ArchiveStatus)| {
        Change::edited(
            "archive",
            id,
            &json!({ "batchId": from.0, "status": from.1.as_str() }),
            &json!({ "batchId": batch, "status": ArchiveStatus::Collecting.as_str() }),
        )
    };
    Ok(rows.into_iter().map(|row| change(row.id, (row.batch_id, row.status))).collect())
}

/// Voids what somebody holds of a kind; nothing for who holds none.
///
/// # Errors
/// 409 for one that was issued: it is taken back first.
pub async fn void_of(tx: &mut Tx, student: i64, kind: CertificateKind, reason: &str) -> Result<Option<Change>> {
    voided(tx, student, kind, reason, false).await
}

/// The same of one that was taken back.
///
/// # Errors
/// Those of the database.
pub async fn void_returned(tx: &mut Tx, student: i64, kind: CertificateKind, reason: &str) -> Result<Option<Change>> {
    voided(tx, student, kind, reason, true).await
}

async fn voided(
    tx: &mut Tx,
    student: i64,
    kind: CertificateKind,
    reason: &str,
    returned: bool,
) -> Result<Option<Change>> {
    let held = sqlx::query!(
        r#"select id, status as "status: CertificateStatus" from certificate
           where student_id = $1 and kind = $2 and status <> 'voided' for update"#,
        student,
        kind.as_str()
    )
    .fetch_optional(&mut **tx)
    .await?;
    let Some(held) = held else { return Ok(None) };
    if held.status == CertificateStatus::Issued && !returned {
        return Err(Error::conflict("证书已发放，请先收回"));
    }
    Ok(Some(void(tx, held.id, held.status, reason).await?))
}

/// Voids a certificate that is held.
///
/// # Errors
/// 409 for one that is void.
pub(crate) async fn void(tx: &mut Tx, id: i64, from: CertificateStatus, reason: &str) -> Result<Change> {
    let to = after(from, CertificateTurn::Void).map_err(Error::conflict)?;
    let (by, now) = (tx.by(), tx.app().clock().now());
    sqlx::query!(
        "update certificate set status = $2, void_reason = $3, voided_at = $4, updated_at = $4, updated_by = $5, version = version + 1
         where id = $1",
        id,
        to.as_str(),
        reason,
        now as _,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(Change::edited(
        "certificate",
        id,
        &json!({ "status": from.as_str(), "voidReason": null }),
        &json!({ "status": to.as_str(), "voidReason": reason }),
    ))
}

/// Numbers degree certificates, in the order of numbers.
///
/// # Errors
/// 409 for a school without a code of its degrees, and for somebody who has one.
pub async fn award_degrees(tx: &mut Tx, students: &[(i64, i64)]) -> Result<Vec<Change>> {
    let unit = DEGREE_UNIT_CODE.value(tx).await?.as_str().unwrap_or_default().to_owned();
    let who: Vec<_> = students.iter().map(|(student, batch)| (*student, *batch, CertificateKind::Degree)).collect();
    let wanted = wanted(tx, &who).await?;
    give(tx, &wanted, &Codes { unit, ..Codes::default() }).await
}

/// What the register said of certificates.
///
/// # Errors
/// By field for a number that nobody holds, one of somebody else, and a failure without a reason.
pub async fn registered(tx: &mut Tx, rows: &[RegistrationResult]) -> Result<Vec<Change>> {
    let mut changes = Vec::with_capacity(rows.len());
    for row in rows {
        let held = sqlx::query!(
            r#"select c.id, c.status as "status: CertificateStatus", c.register_result, c.register_message, y.name,
                      coalesce(y.examinee_no, '') as "examinee_no!"
               from certificate c join student y on y.id = c.student_id
               where c.number = $1 and c.kind <> 'degree' for update of c"#,
            row.certificate_no
        )
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(|| Error::field("certificateNo", "证书编号不存在"))?;
        if held.status == CertificateStatus::Voided {
            return Err(Error::field("certificateNo", "证书已作废"));
        }
        if held.examinee_no != row.examinee_no {
            return Err(Error::field("examineeNo", "考生号与证书编号不符"));
        }
        if held.name != row.name {
            return Err(Error::field("name", "姓名与证书编号不符"));
        }
        if !row.success && row.message.as_deref().is_none_or(str::is_empty) {
            return Err(Error::field("message", "注册失败请填写说明"));
        }
        let result = if row.success { "success" } else { "failed" };
        let (by, now) = (tx.by(), tx.app().clock().now());
        sqlx::query!(
            "update certificate set register_result = $2, register_message = $3, registered_at = $4, updated_at = $4, updated_by = $5,
                    version = version + 1
             where id = $1",
            held.id,
            result,
            row.message,
            now as _,
            by
        )
        .execute(&mut **tx)
        .await?;
        changes.push(Change::edited(
            "certificate",
            held.id,
            &json!({ "registerResult": held.register_result, "registerMessage": held.register_message }),
            &json!({ "registerResult": result, "registerMessage": row.message }),
        ));
    }
    Ok(changes)
}

/// Graduates of a batch who have no number yet.
///
/// # Errors
/// Those of the database.
pub async fn unnumbered_of(connection: &mut PgConnection, batch: i64) -> Result<i64> {
    Ok(sqlx::query_scalar!(
        r#"select count(*) as "count!" from graduation_outcome g
           where g.batch_id = $1 and g.decision in ('graduate', 'complete')
             and not exists (
                 select from certificate c
                 where c.student_id = g.student_id and c.status <> 'voided'
                   and c.kind = case g.decision when 'graduate' then 'graduation' else 'completion' end
             )"#,
        batch
    )
    .fetch_one(connection)
    .await?)
}

/// Archives of a batch that are not sealed; of who left it again none is asked for.
///
/// # Errors
/// Those of the database.
pub async fn unsealed_of(connection: &mut PgConnection, batch: i64) -> Result<i64> {
    Ok(sqlx::query_scalar!(
        r#"select count(*) as "count!" from archive a
           where a.batch_id = $1 and a.status not in ('sealed', 'handed_over')
             and not exists (select from graduation_user g
                             where g.batch_id = a.batch_id and g.student_id = a.student_id and g.status = 'revoked')"#,
        batch
    )
    .fetch_one(connection)
    .await?)
}

/// Whether somebody's archive is sealed: nothing in it may change.
///
/// # Errors
/// Those of the database.
pub async fn sealed(connection: &mut PgConnection, student: i64) -> Result<bool> {
    Ok(sqlx::query_scalar!(
        r#"select exists (select from archive where student_id = $1 and status in ('sealed', 'handed_over')) as "sealed!""#,
        student
    )
    .fetch_one(connection)
    .await?)
}
