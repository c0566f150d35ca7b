//! 确认: what was decided takes effect, all or nothing (part 04 §9.3).

use std::collections::{BTreeMap, HashMap};

use certificates::{enums::CertificateKind, offered as certificates_of, settings::PRESIDENT_NAME};
use graduation_rules::{
    enums::{GraduationBatchKind, GraduationDecision, GraduationUserStatus},
    steps::{BatchTurn, batch_after},
};
use infra::{Allowed, Body, Change, Error, Reply, Result, Saved, Tx, reply};
use poem_openapi::OpenApi;
use scenes::{Person, PersonKind, Persons, notify};
use scores::offered::{lock_students, standing_of};
use serde_json::{Value, json};
use sqlx::PgConnection;
use student_status::{
    enums::{StatusChangeKind, StudentStatus},
    student::ending::{Ending, convert_completion, end_status},
};

use super::{
    ConfirmGraduationBatch,
    steps::{GraduationBatchStep, HeldBatch, held, turned},
};

pub struct Confirmations;

#[OpenApi(prefix_path = "/adult/pc/graduate/batch", tag = "crate::Tag::Graduation")]
impl Confirmations {
    /// 确认毕业批次
    /// 按终审结论变更学籍、锁定成绩、建立档案，全部成功或全部不变
    #[oai(path = "/confirm", method = "put", operation_id = "confirmGraduationBatch")]
    async fn confirm(
        &self,
        caller: Allowed<ConfirmGraduationBatch>,
        Body(wanted): Body<GraduationBatchStep>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin_long().await?;
        let code = certificates_of::national_code(caller.app(), &mut tx).await?;
        let changes = confirm(&mut tx, wanted, &code).await?;
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id: wanted.id }))
    }
}

/// A graduate whose decision takes effect.
pub(crate) struct Decided {
    id: i64,
    pub student: i64,
    pub decision: GraduationDecision,
    reason: Option<String>,
    former: StudentStatus,
    status: GraduationUserStatus,
}

/// The students of a batch who are not removed, by id, with what was decided of them.
async fn students_of(connection: &mut PgConnection, batch: i64) -> Result<Vec<(i64, GraduationDecision)>> {
    let rows = sqlx::query!(
        r#"select student_id, decision as "decision: GraduationDecision" from graduation_user
           where batch_id = $1 and status in ('listed', 'site_checked', 'decided') order by student_id"#,
        batch
    )
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(|row| (row.student_id, row.decision)).collect())
}

/// # Errors
/// 409 in the order of what a registrar does next: confirmed already, somebody undecided, an audit out of date, the school's code.
pub(crate) async fn confirm(tx: &mut Tx, wanted: GraduationBatchStep, national_code: &str) -> Result<Vec<Change>> {
    // Students and their scores before the batch: the order in which everybody holds them.
    let expected = students_of(tx, wanted.id).await?;
    let students: Vec<i64> = expected.iter().map(|(student, _)| *student).collect();
    sqlx::query_scalar!("select id from student where id = any($1) order by id for update", &students)
        .fetch_all(&mut **tx)
        .await?;
    // Who is delayed studies on.
    let leaving = expected.iter().filter(|(_, decision)| *decision != GraduationDecision::Delay);
    let leaving: Vec<i64> = leaving.map(|(student, _)| *student).collect();
    let mut changes = lock_students(tx, &leaving).await?;
    let batch = held(tx, wanted).await?;
    batch_after(batch.status, BatchTurn::Confirm).map_err(|why| Error::conflict(why.to_string()))?;
    let rows = decided_of(tx, wanted.id).await?;
    let mut now: Vec<(i64, GraduationDecision)> = rows.iter().map(|row| (row.student, row.decision)).collect();
    now.sort_by_key(|(student, _)| *student);
    if now != expected {
        return Err(Error::conflict("毕业生名单刚有变化，请重试"));
    }
    refuse(tx, wanted.id, &rows, national_code).await?;
    changes.extend(ended(tx, &batch, &rows).await?);
    tell(tx, wanted.id, &rows).await?;
    Ok(changes)
}

/// The graduates of a batch who are not removed, held, by id.
///
/// # Errors
/// Those of the database.
pub(crate) async fn decided_of(tx: &mut Tx, batch: i64) -> Result<Vec<Decided>> {
    Ok(sqlx::query_as!(
        Decided,
        r#"select g.id, g.student_id as student, g.decision as "decision: _", g.decision_reason as reason,
                  y.status as "former: _", g.status as "status: _"
           from graduation_user g join student y on y.id = g.student_id
           where g.batch_id = $1 and g.status in ('listed', 'site_checked', 'decided')
           order by g.id for update of g"#,
        batch
    )
    .fetch_all(&mut **tx)
    .await?)
}

/// What the decisions on a batch come to: statuses, snapshots, archives, and the batch itself, all of them held.
///
/// # Errors
/// 409 without the dates of the batch, and for who is neither registered nor beyond the longest study time.
pub(crate) async fn ended(tx: &mut Tx, batch: &HeldBatch, rows: &[Decided]) -> Result<Vec<Change>> {
    let mut changes = Vec::new();
    let on = batch.graduates_on.ok_or_else(|| Error::conflict("请先填写毕业日期和发证日期"))?;
    let students: Vec<i64> = rows.iter().map(|row| row.student).collect();
    let standing = standing_of(tx, &students).await?;
    let mut endings = Vec::new();
    for row in rows {
        let kind = match row.decision {
            GraduationDecision::Graduate => StatusChangeKind::Graduate,
            GraduationDecision::Complete => StatusChangeKind::Complete,
            GraduationDecision::Incomplete => StatusChangeKind::Incomplete,
            GraduationDecision::Delay | GraduationDecision::None => continue,
        };
        endings.push(Ending {
            student: row.student,
            kind,
            effective_on: on,
            document_no: None,
            reason: row.reason.as_deref(),
        });
    }
    match batch.kind {
        GraduationBatchKind::Regular => changes.extend(end_status(tx, &endings).await?),
        GraduationBatchKind::Conversion => {
            // Whoever is not to graduate stays completed.
            endings.retain(|ending| ending.kind == StatusChangeKind::Graduate);
            changes.extend(convert_completion(tx, &endings).await?);
            for ending in &endings {
                let voided =
                    certificates_of::void_returned(tx, ending.student, CertificateKind::Completion, "结业换毕业")
                        .await?;
                changes.extend(voided);
            }
        }
    }
    write(tx, rows, &standing_json(rows, &standing)).await?;
    let mut ended: Vec<i64> = endings.iter().map(|ending| ending.student).collect();
    ended.sort_unstable();
    changes.extend(certificates_of::open_archives(tx, batch.id, &ended).await?);
    for row in rows {
        let to = GraduationUserStatus::Confirmed;
        changes.push(Change::status("graduation_user", row.id, "status", row.status.as_str(), to.as_str()));
    }
    changes.insert(0, turned(tx, batch, BatchTurn::Confirm).await?);
    Ok(changes)
}

/// # Errors
/// 409 with what is to be done first.
async fn refuse(connection: &mut PgConnection, batch: i64, rows: &[Decided], national_code: &str) -> Result<()> {
    let open = rows.iter().filter(|row| row.status != GraduationUserStatus::Decided).count();
    if open > 0 {
        return Err(Error::conflict(format!("还有 {open} 名学生未终审")));
    }
    if rows.is_empty() {
        return Err(Error::conflict("批次没有毕业生，不能确认"));
    }
    let stale = sqlx::query_scalar!(
        r#"select count(*) as "count!" from graduation_user g
           where g.batch_id = $1 and g.status = 'decided' and g.decision = 'graduate'
             and exists (select from course_score c where c.student_id = g.student_id and c.counted_at > g.audited_at)"#,
        batch
    )
    .fetch_one(&mut *connection)
    .await?;
    if stale > 0 {
        return Err(Error::conflict(format!("有 {stale} 名学生审核结果已过期")));
    }
    let failed = sqlx::query_scalar!(
        r#"select count(*) as "count!" from graduation_user
           where batch_id = $1 and status = 'decided' and decision = 'graduate' and audit_result <> 'passed'"#,
        batch
    )
    .fetch_one(&mut *connection)
    .await?;
    if failed > 0 {
        return Err(Error::conflict(format!("有 {failed} 名学生终审为毕业，但审核结果不符合")));
    }
    if national_code.len() != 5 || !national_code.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(Error::conflict("请先在学校信息中填写院校代码（5位数字）"));
    }
    if PRESIDENT_NAME.value(connection).await?.as_str().is_none_or(str::is_empty) {
        return Err(Error::conflict("请先在学校信息中填写校长姓名"));
    }
    Ok(())
}

/// Credits and averages of each, as they are now.
fn standing_json(rows: &[Decided], standing: &HashMap<i64, scores::offered::Standing>) -> Vec<Value> {
    let tenths = |number: i64| number as f64 / 10.0;
    let one = |row: &Decided| {
        let own = standing.get(&row.student);
        json!({
            "earnedCredits": own.map_or(0.0, |own| tenths(own.earned)),
            "average": own.and_then(|own| own.average).map(tenths),
            "gpa": own.and_then(|own| own.gpa).map(|gpa| gpa as f64 / 100.0),
        })
    };
    rows.iter().map(one).collect()
}

async fn write(tx: &mut Tx, rows: &[Decided], snapshots: &[Value]) -> Result<()> {
    let by = tx.by();
    let ids: Vec<i64> = rows.iter().map(|row| row.id).collect();
    let former: Vec<String> = rows.iter().map(|row| row.former.as_str().to_owned()).collect();
    sqlx::query!(
        "update graduation_user g set status = 'confirmed', former_status = w.former, snapshot = w.snapshot, updated_at = now(),
                updated_by = $4, version = g.version + 1
         from unnest($1::bigint[], $2::text[], $3::jsonb[]) as w (id, former, snapshot) where g.id = w.id",
        &ids,
        &former,
        snapshots,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Everybody is told what was decided of them, and why.
async fn tell(tx: &mut Tx, batch: i64, rows: &[Decided]) -> Result<()> {
    let mut told: BTreeMap<(&'static str, &str), Vec<Person>> = BTreeMap::new();
    for row in rows {
        let why = row.reason.as_deref().unwrap_or_default();
        told.entry((row.decision.zh(), why)).or_default().push(Person { kind: PersonKind::Student, id: row.student });
    }
    for (place, ((result, why), people)) in told.into_iter().enumerate() {
        let values = [("result".to_owned(), result.to_owned()), ("remark".to_owned(), why.to_owned())].into();
        let key = format!("graduation_result:{batch}:{result}:{place}");
        notify(tx, "graduation_result", Persons::Recipients(people), values, Some(&key)).await?;
    }
    Ok(())
}
