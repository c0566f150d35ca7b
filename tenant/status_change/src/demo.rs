//! Changes of a demonstration school: of every state some, what has taken effect written into the register as in life (05 G).

use chrono::{Duration, NaiveDate};
use infra::{Change, Error, Result, Scope, Tx, clock::day_began};
use poem_openapi::types::ToJSON;
use student_status::{
    enums::WithdrawReason,
    student::{
        Student, correct,
        transfer::{self, Effect, Placement, Transfer},
    },
};

use crate::{
    ChangeType,
    change::{ChangeResult, ChangeStage, ChangeStatus, next_no, note},
};

struct Case {
    kind: ChangeType,
    source: &'static str,
    reason_code: Option<&'static str>,
    reason: &'static str,
    /// Where it stands.
    status: ChangeStatus,
    /// The way that it went behind its submission.
    way: &'static [(ChangeStage, Option<ChangeResult>)],
    remark: Option<&'static str>,
    /// Of a thousand students; of fewer there is one.
    per_thousand: i64,
}

const SITE: (ChangeStage, Option<ChangeResult>) = (ChangeStage::Site, Some(ChangeResult::Pass));
const SCHOOL: (ChangeStage, Option<ChangeResult>) = (ChangeStage::School, Some(ChangeResult::Pass));

const CASES: [Case; 10] = [
    Case {
        kind: ChangeType::Suspension,
        source: "back_office",
        reason_code: Some("illness"),
        reason: "因病需要长期治疗，附医院证明",
        status: ChangeStatus::Draft,
        way: &[],
        remark: None,
        per_thousand: 1,
    },
    Case {
        kind: ChangeType::Suspension,
        source: "student_client",
        reason_code: Some("work"),
        reason: "单位外派一年，无法参加学习",
        status: ChangeStatus::PendingSite,
        way: &[],
        remark: None,
        per_thousand: 4,
    },
    Case {
        kind: ChangeType::Dropout,
        source: "student_client",
        reason_code: Some("voluntary"),
        reason: "因家庭原因不再继续学习",
        status: ChangeStatus::PendingSchool,
        way: &[SITE],
        remark: None,
        per_thousand: 4,
    },
    Case {
        kind: ChangeType::ClassChange,
        source: "student_client",
        reason_code: None,
        reason: "工作地点变动，申请转到就近站点",
        status: ChangeStatus::PendingTargetSite,
        way: &[SITE],
        remark: None,
        per_thousand: 2,
    },
    Case {
        kind: ChangeType::TransferOut,
        source: "site_client",
        reason_code: None,
        reason: "随配偶迁往外省",
        status: ChangeStatus::PendingSchool,
        way: &[SITE],
        remark: None,
        per_thousand: 1,
    },
    Case {
        kind: ChangeType::Suspension,
        source: "back_office",
        reason_code: Some("military"),
        reason: "应征入伍，附入伍通知书",
        status: ChangeStatus::Approved,
        way: &[SITE, SCHOOL],
        remark: None,
        per_thousand: 2,
    },
    Case {
        kind: ChangeType::Dropout,
        source: "back_office",
        reason_code: Some("voluntary"),
        reason: "工作调动，无法继续学习",
        status: ChangeStatus::Executed,
        way: &[SITE, SCHOOL],
        remark: None,
        per_thousand: 3,
    },
    Case {
        kind: ChangeType::Suspension,
        source: "student_client",
        reason_code: Some("childbirth"),
        reason: "生育休养",
        status: ChangeStatus::Executed,
        way: &[SITE, SCHOOL],
        remark: None,
        per_thousand: 3,
    },
    Case {
        kind: ChangeType::Dropout,
        source: "student_client",
        reason_code: Some("voluntary"),
        reason: "个人原因",
        status: ChangeStatus::Rejected,
        way: &[SITE, (ChangeStage::School, Some(ChangeResult::Reject))],
        remark: Some("缺少本人签字的申请书"),
        per_thousand: 1,
    },
    Case {
        kind: ChangeType::Suspension,
        source: "student_client",
        reason_code: Some("family"),
        reason: "需要照顾家人",
        status: ChangeStatus::Cancelled,
        way: &[(ChangeStage::Cancel, None)],
        remark: Some("已安排好家庭事务"),
        per_thousand: 1,
    },
];

/// Writes a window that is over, one that is open, and the changes, each of another registered student. The first that took
/// effect is taken back.
///
/// # Errors
/// Only internal ones.
pub async fn fill(tx: &mut Tx, today: NaiveDate) -> Result<()> {
    let month = |days| today + Duration::days(days);
    batch(tx, ("YD-1", "上一期学籍异动"), (month(-200), month(-170)), Some(month(-150))).await?;
    let open = batch(tx, ("YD-2", "本期学籍异动"), (month(-20), month(20)), None).await?;
    let students = sqlx::query_scalar!(r#"select count(*) as "count!" from student"#).fetch_one(&mut **tx).await?;
    let mut met = sqlx::query_scalar!("select student_id from student_correction").fetch_all(&mut **tx).await?;
    let mut undone = false;
    for case in &CASES {
        // From the other end of the register than the corrections.
        let found = sqlx::query_scalar!(
            "select id from student where status = 'registered' and id <> all($1) order by id desc limit $2",
            &met,
            (students * case.per_thousand / 1_000).max(1)
        )
        .fetch_all(&mut **tx)
        .await?;
        for student in found {
            met.push(student);
            let id = one(tx, (student, open), case, today).await?;
            if case.status == ChangeStatus::Executed && !undone {
                undone = true;
                revoke(tx, student, id).await?;
            }
        }
    }
    Ok(())
}

async fn batch(
    tx: &mut Tx,
    (code, name): (&str, &str),
    (from, until): (NaiveDate, NaiveDate),
    effective_on: Option<NaiveDate>,
) -> Result<i64> {
    let types: Vec<&str> = ChangeType::CHOICES.iter().map(|(_, kind)| kind.as_str()).collect();
    let id = sqlx::query_scalar!(
        "insert into change_batch (code, name, types, starts_at, ends_at, effective_on, site_review, client_entry, created_by,
                                   updated_by)
         values ($1, $2, $3, $4, $5, $6, true, true, 0, 0) returning id",
        code,
        name,
        &types as _,
        day_began(from),
        day_began(until),
        effective_on
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(id)
}

/// What becomes of the student.
fn effect(case: &Case, until: NaiveDate) -> Effect {
    match case.kind {
        ChangeType::Suspension => {
            Effect::Suspension { until, months: 12, military: case.reason_code == Some("military") }
        }
        ChangeType::TransferOut => Effect::TransferOut,
        ChangeType::ClassChange => Effect::ClassChange,
        _ => Effect::Dropout(WithdrawReason::Voluntary),
    }
}

async fn one(tx: &mut Tx, (student, batch): (i64, i64), case: &Case, today: NaiveDate) -> Result<i64> {
    let change_no = next_no(tx, today).await?;
    let student: Student = correct::hold(tx, student, &Scope::whole_school()).await?;
    let until = today.checked_add_months(chrono::Months::new(12)).and_then(|day| day.pred_opt());
    let until = until.ok_or_else(|| Error::internal("a year has no end"))?;
    let effect = effect(case, until);
    let before = Placement::of(&student);
    let stays = matches!(effect, Effect::Suspension { .. });
    let other_site = match case.kind {
        ChangeType::ClassChange => {
            sqlx::query_scalar!(
                "select id from site where id <> $1 and status = 'active' order by id limit 1",
                student.site_id
            )
            .fetch_optional(&mut **tx)
            .await?
        }
        _ => None,
    };
    let after = Placement {
        status: effect.status(student.status),
        site_id: other_site.unwrap_or(student.site_id),
        class_id: student.class_id.filter(|_| stays),
        ..before.clone()
    };
    let suspends = case.kind == ChangeType::Suspension;
    let settled = matches!(case.status, ChangeStatus::Approved | ChangeStatus::Executed);
    let effective_on = if case.status == ChangeStatus::Approved { today + Duration::days(30) } else { today };
    let now = tx.app().clock().now();
    let executed = case.status == ChangeStatus::Executed;
    let applicant = if case.source == "student_client" { student.name.as_str() } else { "学籍管理员" };
    let json = |placement: &Placement| placement.to_json().unwrap_or_default();
    let id = sqlx::query_scalar!(
        "insert into student_change (change_no, change_batch_id, student_id, type, status, before, after, reason_code, reason,
             suspend_from, suspend_until, suspend_months, target_school_name, effective_on, executed_at, source,
             applicant_name, submitted_at, target_site_id, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, 0, 0) returning id",
        change_no,
        batch,
        student.id,
        case.kind.as_str(),
        case.status.as_str(),
        json(&before),
        json(&after),
        case.reason_code,
        case.reason,
        suspends.then_some(today),
        suspends.then_some(until),
        suspends.then_some(12_i32),
        (case.kind == ChangeType::TransferOut).then_some("演示开放大学"),
        settled.then_some(effective_on),
        executed.then_some(now),
        case.source,
        applicant,
        (case.status != ChangeStatus::Draft).then_some(now),
        other_site
    )
    .fetch_one(&mut **tx)
    .await?;
    let first = if case.status == ChangeStatus::Draft { ChangeStage::Save } else { ChangeStage::Submit };
    note(tx, id, first, None, None).await?;
    let mut way = case.way.iter().peekable();
    while let Some((stage, result)) = way.next() {
        note(tx, id, *stage, *result, case.remark.filter(|_| way.peek().is_none())).await?;
    }
    if executed {
        let moved = Transfer {
            effect,
            after: &after,
            reason: case.reason,
            renumber: false,
            change_id: id,
            document_no: None,
            effective_on: today,
        };
        transfer::execute(tx, &student, &moved).await?;
        note(tx, id, ChangeStage::Execute, None, None).await?;
    }
    tx.record(&[Change::status("student_change", id, "status", None::<&str>, case.status.as_str())]).await?;
    Ok(id)
}

async fn revoke(tx: &mut Tx, student: i64, id: i64) -> Result<()> {
    let held = correct::hold(tx, student, &Scope::whole_school()).await?;
    let reason = "学生要求继续学习";
    transfer::revoke(tx, &held, id, Some(reason)).await?;
    sqlx::query!(
        "update student_change set status = 'revoked', updated_at = now(), updated_by = 0, version = version + 1 where id = $1",
        id
    )
    .execute(&mut **tx)
    .await?;
    note(tx, id, ChangeStage::Revoke, None, Some(reason)).await?;
    let (from, to) = (ChangeStatus::Executed.as_str(), ChangeStatus::Revoked.as_str());
    tx.record(&[Change::status("student_change", id, "status", from, to)]).await
}
