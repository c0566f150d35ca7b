//! Changes of a demonstration school: of every state some, what has taken effect, these days or long ago, written into the register as in
//! life (05 G).

use chrono::{Duration, NaiveDate};
use infra::{
    Change, Error, Result, Scope, Tx,
    clock::{Moment, day_began},
};
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
    /// How many days ago it took effect; none for those of these days.
    ago: Option<i64>,
    /// Of a thousand students; of fewer there is one.
    per_thousand: i64,
}

const SITE: (ChangeStage, Option<ChangeResult>) = (ChangeStage::Site, Some(ChangeResult::Pass));
const SCHOOL: (ChangeStage, Option<ChangeResult>) = (ChangeStage::School, Some(ChangeResult::Pass));
const TARGET: (ChangeStage, Option<ChangeResult>) = (ChangeStage::TargetSite, Some(ChangeResult::Pass));

/// When what was asked for in the window that is over took effect.
const IN_WINDOW: i64 = 150;
/// Days from the submission to the effect of what took effect long ago.
const TAKES: i64 = 35;
/// Nothing happens to somebody before they have been here for so long.
const SETTLED: i64 = 60;

const CASES: [Case; 10] = [
    Case {
        kind: ChangeType::Suspension,
        source: "back_office",
        reason_code: Some("illness"),
        reason: "因病需要长期治疗，附医院证明",
        status: ChangeStatus::Draft,
        way: &[],
        remark: None,
        ago: None,
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
        ago: None,
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
        ago: None,
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
        ago: None,
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
        ago: None,
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
        ago: None,
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
        ago: None,
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
        ago: None,
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
        ago: None,
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
        ago: None,
        per_thousand: 1,
    },
];

/// What took effect long ago.
const HISTORY: [Case; 4] = [
    Case {
        kind: ChangeType::Professional,
        source: "student_client",
        reason_code: None,
        reason: "现从事岗位与新专业对口",
        status: ChangeStatus::Executed,
        way: &[SITE, SCHOOL],
        remark: None,
        ago: Some(IN_WINDOW),
        per_thousand: 20,
    },
    Case {
        kind: ChangeType::ClassChange,
        source: "student_client",
        reason_code: None,
        reason: "迁居外地，申请转到就近站点",
        status: ChangeStatus::Executed,
        way: &[SITE, TARGET, SCHOOL],
        remark: None,
        ago: Some(IN_WINDOW),
        per_thousand: 30,
    },
    Case {
        kind: ChangeType::Hierarchical,
        source: "back_office",
        reason_code: None,
        reason: "学习时间不足，申请改读高起专",
        status: ChangeStatus::Executed,
        way: &[SITE, SCHOOL],
        remark: None,
        ago: Some(IN_WINDOW),
        per_thousand: 1,
    },
    // Who comes back as soon as it is over.
    Case {
        kind: ChangeType::Suspension,
        source: "back_office",
        reason_code: Some("illness"),
        reason: "手术后需要休养，附医院证明",
        status: ChangeStatus::Executed,
        way: &[SITE, SCHOOL],
        remark: None,
        ago: Some(230),
        per_thousand: 4,
    },
];

/// The end of a suspension of long ago.
const RETURN: Case = Case {
    kind: ChangeType::Return,
    source: "back_office",
    reason_code: None,
    reason: "身体已康复，申请复学",
    status: ChangeStatus::Executed,
    way: &[SITE, SCHOOL],
    remark: None,
    ago: Some(40),
    per_thousand: 0,
};

/// Writes a window that is over, one that is open, and the changes, each of another registered student. The first that took
/// effect these days is taken back.
///
/// # Errors
/// Only internal ones.
pub async fn fill(tx: &mut Tx, today: NaiveDate) -> Result<()> {
    let month = |days| today + Duration::days(days);
    let over = (month(-200), month(-170));
    let past = batch(tx, ("YD-1", "上一期学籍异动"), over, Some(month(-IN_WINDOW))).await?;
    let open = batch(tx, ("YD-2", "本期学籍异动"), (month(-20), month(20)), None).await?;
    let students = sqlx::query_scalar!(r#"select count(*) as "count!" from student"#).fetch_one(&mut **tx).await?;
    let mut met = sqlx::query_scalar!("select student_id from student_correction").fetch_all(&mut **tx).await?;
    let mut undone = false;
    for case in CASES.iter().chain(&HISTORY) {
        let window = match case.ago {
            None => Some(open),
            Some(IN_WINDOW) => Some(past),
            // The school asked by itself.
            Some(_) => None,
        };
        // From the other end of the register than the corrections.
        let found = sqlx::query_scalar!(
            "select id from student
             where status = 'registered' and id <> all($1) and ($3::date is null or enrolled_on <= $3)
               and (not $4::boolean or level_id in (select id from level where entry_level = 'high_school_to_bachelor'))
             order by id desc limit $2",
            &met,
            (students * case.per_thousand / 1_000).max(1),
            case.ago.map(|ago| month(-ago - SETTLED)),
            case.kind == ChangeType::Hierarchical
        )
        .fetch_all(&mut **tx)
        .await?;
        for student in found {
            met.push(student);
            let Some(id) = one(tx, (student, window), case, today).await? else { continue };
            if case.kind == ChangeType::Suspension && case.ago.is_some() {
                one(tx, (student, None), &RETURN, today).await?;
            }
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

/// Months of a suspension; that of long ago is over.
const fn months(case: &Case) -> u32 {
    if case.ago.is_some() { 6 } else { 12 }
}

/// What becomes of the student.
fn effect(case: &Case, until: NaiveDate) -> Effect {
    let months = months(case).cast_signed();
    match case.kind {
        ChangeType::Suspension => Effect::Suspension { until, months, military: case.reason_code == Some("military") },
        ChangeType::Return => Effect::Return { months },
        ChangeType::TransferOut => Effect::TransferOut,
        ChangeType::ClassChange => Effect::ClassChange,
        ChangeType::Professional => Effect::Professional,
        ChangeType::Hierarchical => Effect::Hierarchical,
        ChangeType::Dropout => Effect::Dropout(WithdrawReason::Voluntary),
    }
}

/// Where the student is to be; nowhere when there is no other major of the kind.
async fn placement(tx: &mut Tx, student: &Student, case: &Case, effect: Effect) -> Result<Option<Placement>> {
    let stays = matches!(effect, Effect::Suspension { .. } | Effect::Return { .. });
    let mut after = Placement {
        status: effect.status(student.status),
        class_id: student.class_id.filter(|_| stays),
        ..Placement::of(student)
    };
    match case.kind {
        ChangeType::ClassChange => {
            let other = sqlx::query_scalar!(
                "select id from site where id <> $1 and status = 'active' order by id limit 1",
                student.site_id
            );
            after.site_id = other.fetch_optional(&mut **tx).await?.unwrap_or(student.site_id);
        }
        ChangeType::Professional | ChangeType::Hierarchical => {
            let other = sqlx::query!(
                r#"select m.id, m.level_id, m.schooling_years::float8 as "schooling_years!"
                   from major m join level l on l.id = m.level_id
                   where m.id <> $1 and m.study_form = $2
                     and case when $4::boolean then l.entry_level = 'high_school_to_associate' else l.id = $3 end
                   order by m.id limit 1"#,
                student.major_id,
                student.study_form.as_str(),
                student.level_id,
                case.kind == ChangeType::Hierarchical
            );
            let Some(other) = other.fetch_optional(&mut **tx).await? else { return Ok(None) };
            after.level_id = other.level_id;
            after.major_id = other.id;
            after.schooling_years = other.schooling_years;
        }
        _ => {}
    }
    if case.ago.is_some() && !stays {
        let free = sqlx::query_scalar!(
            "select c.id from class c
             where c.grade_id = $1 and c.level_id = $2 and c.major_id = $3 and c.site_id = $4 and c.enabled
               and c.capacity > (select count(*) from student s where s.class_id = c.id)
             order by c.id limit 1",
            after.grade_id,
            after.level_id,
            after.major_id,
            after.site_id
        );
        after.class_id = free.fetch_optional(&mut **tx).await?;
    }
    Ok(Some(after))
}

/// When a change was sent in, and when it takes effect.
struct Days {
    submitted_at: Moment,
    effective_on: NaiveDate,
    executed_at: Moment,
}

impl Days {
    fn of(case: &Case, today: NaiveDate, now: Moment) -> Self {
        match case.ago {
            None => {
                let later = if case.status == ChangeStatus::Approved { 30 } else { 0 };
                Self { submitted_at: now, effective_on: today + Duration::days(later), executed_at: now }
            }
            Some(ago) => {
                let effective_on = today - Duration::days(ago);
                Self {
                    submitted_at: day_began(effective_on - Duration::days(TAKES)) + Duration::hours(9),
                    effective_on,
                    executed_at: day_began(effective_on) + Duration::hours(1),
                }
            }
        }
    }
}

/// Answers the change; none where the student has no other place to go.
async fn one(tx: &mut Tx, (student, batch): (i64, Option<i64>), case: &Case, today: NaiveDate) -> Result<Option<i64>> {
    let days = Days::of(case, today, tx.app().clock().now());
    let begins = if case.ago.is_some() { days.effective_on } else { today };
    let until = begins.checked_add_months(chrono::Months::new(months(case))).and_then(|day| day.pred_opt());
    let until = until.ok_or_else(|| Error::internal("a suspension has no end"))?;
    let student: Student = correct::hold(tx, student, &Scope::whole_school()).await?;
    let effect = effect(case, until);
    let before = Placement::of(&student);
    let Some(after) = placement(tx, &student, case, effect).await? else { return Ok(None) };
    let change_no = next_no(tx, case.ago.map_or(today, |ago| today - Duration::days(ago + TAKES))).await?;
    let suspends = case.kind == ChangeType::Suspension;
    let settled = matches!(case.status, ChangeStatus::Approved | ChangeStatus::Executed);
    let executed = case.status == ChangeStatus::Executed;
    let applicant = if case.source == "student_client" { student.name.as_str() } else { "学籍管理员" };
    let json = |placement: &Placement| placement.to_json().unwrap_or_default();
    let id = sqlx::query_scalar!(
        "insert into student_change (change_no, change_batch_id, student_id, type, status, before, after, reason_code, reason,
             suspend_from, suspend_until, suspend_months, target_school_name, effective_on, executed_at, source,
             applicant_name, submitted_at, target_major_id, target_site_id, target_class_id, created_at, moved_at, created_by,
             updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22,
             $23, 0, 0) returning id",
        change_no,
        batch,
        student.id,
        case.kind.as_str(),
        case.status.as_str(),
        json(&before),
        json(&after),
        case.reason_code,
        case.reason,
        suspends.then_some(begins),
        suspends.then_some(until),
        suspends.then(|| months(case).cast_signed()),
        (case.kind == ChangeType::TransferOut).then_some("演示开放大学"),
        settled.then_some(days.effective_on),
        executed.then_some(days.executed_at),
        case.source,
        applicant,
        (case.status != ChangeStatus::Draft).then_some(days.submitted_at),
        (after.major_id != before.major_id).then_some(after.major_id),
        (after.site_id != before.site_id).then_some(after.site_id),
        after.class_id.filter(|class| Some(*class) != before.class_id),
        days.submitted_at,
        if executed { days.executed_at } else { days.submitted_at }
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
            effective_on: days.effective_on,
        };
        transfer::execute(tx, &student, &moved).await?;
        note(tx, id, ChangeStage::Execute, None, None).await?;
    }
    if case.ago.is_some() {
        put_back(tx, id, &days).await?;
    }
    tx.record(&[Change::status("student_change", id, "status", None::<&str>, case.status.as_str())]).await?;
    Ok(Some(id))
}

/// The steps of a change of long ago: a week after each other.
async fn put_back(tx: &mut Tx, id: i64, days: &Days) -> Result<()> {
    sqlx::query!(
        "update student_change_step s
         set created_at = case when s.step = 'execute' then $3::timestamptz
                               else $2::timestamptz + (o.place - 1) * interval '7 days' end
         from (select id, row_number() over (order by id) as place from student_change_step where student_change_id = $1) o
         where s.id = o.id",
        id,
        days.submitted_at,
        days.executed_at
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
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
