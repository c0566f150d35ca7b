//! 审核 and 撤销 of applications, and what they do to candidates, seats and scores (part 04 §3).

use chrono::TimeDelta;
use exam_rules::deferral::{DeferralTurn, after};
use infra::{Allowed, Body, Change, Error, Reply, Result, Saved, Scope, Tx, access::Permission, across::Keyed, reply};
use poem_openapi::{Object, OpenApi, types::Example};
use scenes::{Person, PersonKind, Persons, notify};
use scores::offered::{FixedMark, fix_marks};
use scores_rules::enums::ScoreMark;

use super::{
    AuditDeferral, AuditLateDeferral, Deferrals, RevokeDeferral,
    save::{BEGUN, begins, with_files},
};
use crate::{
    candidate::judged_again,
    enums::{DeferralStatus, ExamMode},
    setup,
};

/// Days after the beginning in which a deferral may still be approved by the extra right.
const LATE_DAYS: i64 = 7;

/// What is decided.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct DeferralAudit {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 通过
    pub pass: bool,
    /// 审核意见
    /// 驳回时必填
    #[oai(validator(max_length = 200))]
    pub opinion: Option<String>,
    /// 补充材料
    /// 考试开始后批准时必填
    #[oai(default, validator(max_items = 9))]
    pub file_ids: Vec<i64>,
}

impl Example for DeferralAudit {
    fn example() -> Self {
        Self { id: 1, version: 1, pass: true, opinion: None, file_ids: Vec::new() }
    }
}

/// What is taken back.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct DeferralRevocation {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 原因
    #[oai(validator(min_length = 2, max_length = 200))]
    pub reason: String,
}

impl Example for DeferralRevocation {
    fn example() -> Self {
        Self { id: 1, version: 1, reason: "学生可以按时参加考试".to_owned() }
    }
}

pub struct Decisions;

#[OpenApi(prefix_path = "/exam/pc/deferral", tag = "crate::Tag::Exams")]
impl Decisions {
    /// 审核缓考申请
    /// 考试开始后7天内批准须有单独的权限和证明材料
    #[oai(path = "/audit", method = "put", operation_id = "auditDeferral")]
    async fn audit(&self, caller: Allowed<AuditDeferral>, Body(wanted): Body<DeferralAudit>) -> Result<Reply<Saved>> {
        let opinion = wanted.opinion.as_deref().map(str::trim).filter(|text| !text.is_empty());
        if !wanted.pass && opinion.is_none() {
            return Err(Error::field("opinion", "请填写驳回的意见"));
        }
        let late = caller.rights().get(AuditLateDeferral::CODE);
        let mut tx = caller.begin().await?;
        let held = held(&mut tx, wanted.id, wanted.version, &caller.scope()).await?;
        let turn = if wanted.pass { DeferralTurn::Approve } else { DeferralTurn::Reject };
        let to = after(held.status, turn).map_err(Error::conflict)?;
        let mut changes = Vec::new();
        if wanted.pass {
            in_time(&mut tx, &held, late, &wanted.file_ids).await?;
            changes.extend(excused(&mut tx, &held).await?);
        }
        with_files(&mut tx, held.id, &wanted.file_ids, true).await?;
        changes.insert(0, write(&mut tx, &held, to, opinion).await?);
        tell(&mut tx, &held, if wanted.pass { "同意" } else { "不同意" }, opinion.unwrap_or_default()).await?;
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 撤销缓考申请
    /// 考试开始前可以撤销
    #[oai(path = "/revoke", method = "put", operation_id = "revokeDeferral")]
    async fn revoke(
        &self,
        caller: Allowed<RevokeDeferral>,
        Body(wanted): Body<DeferralRevocation>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let held = held(&mut tx, wanted.id, wanted.version, &caller.scope()).await?;
        let changes = cancelled(&mut tx, &held, Some(&wanted.reason)).await?;
        tell(&mut tx, &held, "已撤销", &wanted.reason).await?;
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id: wanted.id }))
    }
}

/// An application that is held.
pub(super) struct Held {
    pub id: i64,
    pub student_id: i64,
    site_id: i64,
    class_id: Option<i64>,
    batch_id: i64,
    course_id: i64,
    course_name: String,
    selection_id: i64,
    status: DeferralStatus,
}

/// Holds an application behind its batch.
///
/// # Errors
/// 404 beyond the scope; 409 when it changed since it was read.
async fn held(tx: &mut Tx, id: i64, version: i32, scope: &Scope) -> Result<Held> {
    Deferrals::find(tx, id, scope).await?;
    let (held, now) = known(tx, id).await?;
    if now != version {
        return Err(tx.stale("exam_deferral", id).await);
    }
    let archived = sqlx::query_scalar!(
        r#"select status = 'archived' as "archived!" from test_batch where id = $1"#,
        held.batch_id
    )
    .fetch_one(&mut **tx)
    .await?;
    if archived { Err(Error::conflict("批次已归档，不能处理缓考申请")) } else { Ok(held) }
}

/// The application and its version, held.
pub(super) async fn known(tx: &mut Tx, id: i64) -> Result<(Held, i32)> {
    sqlx::query_scalar!(
        "select id from test_batch where id = (select batch_id from exam_deferral where id = $1) for share",
        id
    )
    .fetch_optional(&mut **tx)
    .await?;
    // Its candidate before it, as the steps of the setup hold them.
    let setup = sqlx::query!(
        r#"select c.setup_id, s.mode as "mode: ExamMode"
           from exam_deferral d
           join exam_candidate c on c.batch_id = d.batch_id and c.course_id = d.course_id and c.student_id = d.student_id and not c.removed
           join exam_setup s on s.id = c.setup_id
           where d.id = $1"#,
        id
    )
    .fetch_optional(&mut **tx)
    .await?;
    if let Some(setup) = setup {
        setup::hold(tx, setup.setup_id, setup.mode).await?;
    }
    tx.lock("exam_deferral", id).await?;
    let row = sqlx::query!(
        r#"select d.student_id, y.site_id, y.class_id, d.batch_id, d.course_id, u.name as course_name, d.selection_id,
                  d.status as "status: DeferralStatus", d.version
           from exam_deferral d join course u on u.id = d.course_id join student y on y.id = d.student_id where d.id = $1"#,
        id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)?;
    let held = Held {
        id,
        student_id: row.student_id,
        site_id: row.site_id,
        class_id: row.class_id,
        batch_id: row.batch_id,
        course_id: row.course_id,
        course_name: row.course_name,
        selection_id: row.selection_id,
        status: row.status,
    };
    Ok((held, row.version))
}

/// # Errors
/// 409 after the beginning without the right for it over the student, or beyond its days; 422 without a file.
async fn in_time(tx: &mut Tx, held: &Held, late: Option<&Scope>, files: &[i64]) -> Result<()> {
    let now = tx.app().clock().now();
    let begins = begins(tx, (held.student_id, held.batch_id, held.course_id)).await?;
    match begins {
        Some(begins) if now >= begins => {
            if !late.is_some_and(|late| late.sees(Some(held.site_id), held.class_id)) {
                return Err(Error::conflict("考试已开始，不能批准缓考"));
            }
            if now > begins + TimeDelta::days(LATE_DAYS) {
                return Err(Error::conflict("考试开始已超过7天，不能批准缓考"));
            }
            if files.is_empty() {
                return Err(Error::field("fileIds", "考试开始后批准缓考须上传证明材料"));
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

async fn write(tx: &mut Tx, held: &Held, to: DeferralStatus, opinion: Option<&str>) -> Result<Change> {
    let (by, name, now) = (tx.by(), tx.actor().name.clone(), tx.app().clock().now());
    sqlx::query!(
        "update exam_deferral
         set status = $2, reviewed_by = case when $2 in ('approved', 'rejected') then $3 else reviewed_by end,
             reviewed_by_name = case when $2 in ('approved', 'rejected') then $4 else reviewed_by_name end,
             reviewed_at = case when $2 in ('approved', 'rejected') then $5::timestamptz else reviewed_at end,
             opinion = coalesce($6, opinion), updated_at = now(), updated_by = $3, version = version + 1
         where id = $1",
        held.id,
        to.as_str(),
        by,
        name,
        now as _,
        opinion
    )
    .execute(&mut **tx)
    .await?;
    let change = Change::status("exam_deferral", held.id, "status", held.status.as_str(), to.as_str());
    Ok(change.because(opinion))
}

/// The candidate of an application, as it stands.
async fn candidate(tx: &mut Tx, held: &Held) -> Result<Option<(i64, i64, ExamMode)>> {
    let row = sqlx::query!(
        r#"select c.id, c.setup_id, s.mode as "mode: ExamMode" from exam_candidate c join exam_setup s on s.id = c.setup_id
           where c.batch_id = $1 and c.course_id = $2 and c.student_id = $3 and not c.removed for update of c"#,
        held.batch_id,
        held.course_id,
        held.student_id
    )
    .fetch_optional(&mut **tx)
    .await?;
    Ok(row.map(|row| (row.id, row.setup_id, row.mode)))
}

/// Takes the student off their seat, and says in their score that they are excused. What was decided about them by hand before is
/// over: whose deferral is taken back is judged anew.
async fn excused(tx: &mut Tx, held: &Held) -> Result<Vec<Change>> {
    let Some((id, ..)) = candidate(tx, held).await? else { return Ok(Vec::new()) };
    let by = tx.by();
    sqlx::query!(
        "update exam_candidate
         set eligibility = 'deferred', eligibility_reason = '已批准缓考', eligibility_override = false, override_reason = null,
             override_by_name = null, updated_at = now(), updated_by = $2, version = version + 1
         where id = $1",
        id,
        by
    )
    .execute(&mut **tx)
    .await?;
    let mut changes = exam_seats::offered::free(tx, &[id]).await?;
    let fixed = FixedMark {
        selection: held.selection_id,
        candidate: id,
        mark: Some(ScoreMark::Deferred),
        zero_exam: false,
        violation: None,
        reason: "缓考已批准".to_owned(),
    };
    changes.extend(fix_marks(tx, &[fixed]).await?.changes);
    changes.push(Change::event("exam_candidate", id, "status", serde_json::json!({ "eligibility": "deferred" })));
    Ok(changes)
}

/// Takes an application back, as long as its examination has not begun.
///
/// # Errors
/// 409 for one that is over, and when the examination began.
pub(super) async fn cancelled(tx: &mut Tx, held: &Held, reason: Option<&str>) -> Result<Vec<Change>> {
    let to = after(held.status, DeferralTurn::Cancel).map_err(Error::conflict)?;
    let now = tx.app().clock().now();
    let begins = begins(tx, (held.student_id, held.batch_id, held.course_id)).await?;
    if begins.is_some_and(|begins| now >= begins) {
        return Err(Error::conflict(BEGUN.replace("申请", "撤销")));
    }
    let mut changes = vec![write(tx, held, to, None).await?.because(reason)];
    if held.status != DeferralStatus::Approved {
        return Ok(changes);
    }
    if let Some((id, setup, mode)) = candidate(tx, held).await? {
        let fixed = FixedMark {
            selection: held.selection_id,
            candidate: id,
            mark: None,
            zero_exam: false,
            violation: None,
            reason: "缓考已撤销".to_owned(),
        };
        changes.extend(fix_marks(tx, &[fixed]).await?.changes);
        let setup = setup::known(tx, setup, mode).await?;
        changes.extend(judged_again(tx, &setup, &[id]).await?);
    }
    Ok(changes)
}

async fn tell(tx: &mut Tx, held: &Held, result: &str, remark: &str) -> Result<()> {
    let person = Person { kind: PersonKind::Student, id: held.student_id };
    let values = [
        ("course".to_owned(), held.course_name.clone()),
        ("result".to_owned(), result.to_owned()),
        ("remark".to_owned(), remark.to_owned()),
    ];
    let once = format!("deferral_result:{}:{result}", held.id);
    notify(tx, "deferral_result", Persons::Recipients(vec![person]), values.into(), Some(&once)).await
}

/// Ends the deferrals that were made up for: a later score of the course with this round is published.
///
/// # Errors
/// Those of the database.
pub async fn used(tx: &mut Tx) -> Result<Vec<Change>> {
    let by = tx.by();
    let ids = sqlx::query_scalar!(
        "update exam_deferral d set status = 'used', updated_at = now(), updated_by = $1, version = d.version + 1
         where d.status = 'approved' and exists (
             select from exam_score e join course_score s on s.id = e.course_score_id
             where s.student_id = d.student_id and s.course_id = d.course_id and e.round = 'deferred' and e.published
               and e.created_at > d.created_at)
         returning d.id",
        by
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(ids.into_iter().map(|id| Change::status("exam_deferral", id, "status", "approved", "used")).collect())
}
