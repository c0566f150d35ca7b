//! Corrections of a demonstration school: of every state some, the approved ones written into the register as in life. Of a
//! thousand students six wait in each place and eight are decided (part 05 G3).

use correction_rules::changes::changes;
use infra::{Change, Error, Result, Scope, Tx};
use serde_json::Value;
use student_status::student::correct::{self, Approval, KeyFields};

use crate::correction::CorrectionStatus;

struct Case {
    /// Where the student stands.
    of: &'static str,
    kind: &'static str,
    source: &'static str,
    reason: &'static str,
    /// Through which states it went.
    way: &'static [CorrectionStatus],
    remark: Option<&'static str>,
    /// Of a thousand students; of fewer there is one.
    per_thousand: i64,
}

const CASES: [Case; 6] = {
    use CorrectionStatus::{Approved, Cancelled, PendingProvince, PendingSchool, PendingSite, Rejected};
    const POLICE: &str = "changed_by_police";
    const RENAMED: &str = "经公安机关批准更名，户口簿已变更";
    [
        Case {
            of: "pending_registration",
            kind: "data_error",
            source: "student_client",
            reason: "录取库中的民族有误",
            way: &[PendingSite],
            remark: None,
            per_thousand: 6,
        },
        Case {
            of: "registered",
            kind: POLICE,
            source: "back_office",
            reason: RENAMED,
            way: &[PendingSchool],
            remark: None,
            per_thousand: 6,
        },
        Case {
            of: "registered",
            kind: POLICE,
            source: "student_client",
            reason: RENAMED,
            way: &[PendingSite, PendingSchool, PendingProvince],
            remark: None,
            per_thousand: 6,
        },
        Case {
            of: "registered",
            kind: POLICE,
            source: "back_office",
            reason: RENAMED,
            way: &[PendingSchool, PendingProvince, Approved],
            remark: None,
            per_thousand: 6,
        },
        Case {
            of: "registered",
            kind: POLICE,
            source: "student_client",
            reason: RENAMED,
            way: &[PendingSite, PendingSchool, Rejected],
            remark: Some("户口簿中没有变更记录"),
            per_thousand: 1,
        },
        Case {
            of: "registered",
            kind: POLICE,
            source: "back_office",
            reason: RENAMED,
            way: &[PendingSchool, Cancelled],
            remark: Some("学生要求撤回"),
            per_thousand: 1,
        },
    ]
};

/// Writes the corrections, each of another student.
///
/// # Errors
/// Only internal ones.
pub async fn fill(tx: &mut Tx) -> Result<()> {
    let students = sqlx::query_scalar!(r#"select count(*) as "count!" from student"#).fetch_one(&mut **tx).await?;
    let mut met = Vec::new();
    for case in &CASES {
        // A school of a handful has nobody who waits.
        let found = sqlx::query_scalar!(
            "select id from student where status = $1 and id <> all($2) order by id limit $3",
            case.of,
            &met,
            (students * case.per_thousand / 1_000).max(1)
        )
        .fetch_all(&mut **tx)
        .await?;
        for student in found {
            met.push(student);
            one(tx, student, case).await?;
        }
    }
    Ok(())
}

async fn one(tx: &mut Tx, student: i64, case: &Case) -> Result<()> {
    let student = correct::hold(tx, student, &Scope::whole_school()).await?;
    let after = if case.kind == "data_error" {
        let other = if student.ethnicity.as_deref() == Some("02") { "01" } else { "02" };
        KeyFields { ethnicity: Some(other.to_owned()), ..KeyFields::default() }
    } else {
        KeyFields { name: Some(format!("{}一", student.name)), ..KeyFields::default() }
    };
    let last = *case.way.last().ok_or_else(|| Error::internal("a correction without a state"))?;
    let ends = matches!(last, CorrectionStatus::Approved | CorrectionStatus::Rejected);
    let today = tx.app().clock().today();
    let document_no = (last == CorrectionStatus::Approved).then(|| format!("省教学籍〔{}〕12号", today.format("%Y")));
    let applicant = if case.source == "student_client" { student.name.as_str() } else { "学籍管理员" };
    let changed: Value = changes(&KeyFields::of(&student).beside(&after), &after);
    let id = sqlx::query_scalar!(
        "insert into student_correction (student_id, kind, reason, changes, status, source, applicant_name, province_doc_no,
                                         decided_on, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, 0) returning id",
        student.id,
        case.kind,
        case.reason,
        changed,
        last.as_str(),
        case.source,
        applicant,
        document_no,
        ends.then_some(today)
    )
    .fetch_one(&mut **tx)
    .await?;
    let mut from = None;
    for to in case.way {
        sqlx::query!(
            "insert into student_correction_step (student_correction_id, from_status, to_status, remark, actor_kind, actor_id,
                                                  actor_name)
             values ($1, $2, $3, $4, 'job', 0, $5)",
            id,
            from.map(CorrectionStatus::as_str),
            to.as_str(),
            case.remark.filter(|_| *to == last),
            if from.is_none() { applicant } else { "演示数据" }
        )
        .execute(&mut **tx)
        .await?;
        from = Some(*to);
    }
    if last == CorrectionStatus::Approved {
        let approval = Approval { reason: case.reason, document_no: document_no.as_deref(), on: today };
        correct::correct(tx, &student, &after, &approval).await?;
    }
    tx.record(&[Change::status("student_correction", id, "status", None::<&str>, last.as_str())]).await
}
