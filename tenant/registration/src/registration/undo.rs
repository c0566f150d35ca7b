//! 撤销报到: somebody reported by mistake; the file is taken back, the number is never given again (02 §7).

use information_review::opening;
use infra::{Allowed, Body, Change, Error, Reply, Result, Saved, Scope, Tx, reply};
use poem_openapi::{Object, OpenApi, types::Example};
use registration_rules::{leave::said, reserve::last_day};
use student_status::student::arrival::{depart, strike};

use super::{
    ChangeRegistrationStatus,
    held::{Arriving, changed, held, held_one, write},
    reserve::{Keeping, keep},
};
use crate::enums::{RegistrationStatus, ReserveReason};

/// Whose report, and why.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct ReportUndo {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 原因
    /// 2至200个字符
    #[oai(validator(max_length = 200))]
    pub reason: Option<String>,
}

impl Example for ReportUndo {
    fn example() -> Self {
        Self { id: 1, version: 2, reason: Some("误操作".to_owned()) }
    }
}

/// What becomes of somebody whom 学信网 did not take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Untaken {
    /// 保留入学资格
    Reserved,
    /// 取消入学资格
    Revoked,
}

/// Holds the registrations of students, in the order of their numbers.
///
/// # Errors
/// Those of the database.
pub async fn hold_of(tx: &mut Tx, students: &[i64]) -> Result<()> {
    let ids =
        sqlx::query_scalar!("select id from registration where student_id = any($1) and deleted_at is null", students)
            .fetch_all(&mut **tx)
            .await?;
    held(tx, &ids, &Scope::whole_school()).await?;
    Ok(())
}

/// Takes the report of a student back whom 学信网 did not take: the file goes, with the forms of the student, and the place is kept
/// or lost (02 §9.9).
///
/// # Errors
/// 404 for nobody who reported, or beyond the scope; 409 of who is registered, or to whom something refers.
pub async fn untaken(tx: &mut Tx, student: i64, to: Untaken, reason: &str, scope: &Scope) -> Result<Vec<Change>> {
    let id = sqlx::query_scalar!("select id from registration where student_id = $1 and deleted_at is null", student)
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(|| Error::conflict("该生不是由报到入学的，请走学籍异动"))?;
    let before = held_one(tx, id, None, scope).await?;
    before.only(&[RegistrationStatus::Reported], "撤销报到").map_err(Error::conflict)?;
    let mut waiting = before.clone();
    waiting.wait();
    write(tx, std::slice::from_ref(&waiting)).await?;
    // Everybody holds a student before their forms.
    tx.lock("student", student).await?;
    opening::struck(tx, student).await?;
    let gone = strike(tx, student, reason, scope).await?;
    let last = match to {
        Untaken::Reserved => {
            let entry = sqlx::query_scalar!("select enrolled_on from enrollment_batch where id = $1", before.batch_id)
                .fetch_one(&mut **tx)
                .await?;
            let military = reason.contains("应征入伍") || reason.contains("服兵役");
            let reserve_reason = if military { ReserveReason::Military } else { ReserveReason::Other };
            let reserve_until = last_day(entry, reserve_reason);
            let reason = Some(reason.to_owned());
            let keeping = Keeping { reserve_reason, reserve_until, reason, attachment: None };
            keep(tx, waiting.clone(), &keeping).await?
        }
        Untaken::Revoked => {
            let mut after = waiting.clone();
            after.status = RegistrationStatus::Revoked;
            after.reason = Some(reason.to_owned());
            write(tx, std::slice::from_ref(&after)).await?;
            changed(&waiting, &after)
        }
    };
    Ok(vec![changed(&before, &waiting).because(Some(reason)), gone, last])
}

pub struct Undo;

#[OpenApi(prefix_path = "/adult/pc/registration", tag = "crate::Tag::Registration")]
impl Undo {
    /// 撤销报到
    /// 删除学籍和账号，已生成的学号不再使用
    #[oai(path = "/undoReport", method = "post", operation_id = "undoReport")]
    async fn undo(
        &self,
        caller: Allowed<ChangeRegistrationStatus>,
        Body(wanted): Body<ReportUndo>,
    ) -> Result<Reply<Saved>> {
        let reason = said("reason", wanted.reason)?;
        let mut tx = caller.begin().await?;
        let before = held_one(&mut tx, wanted.id, Some(wanted.version), &caller.scope()).await?;
        let mut after = before.clone();
        after.wait();
        let changes = take_back(&mut tx, &before, &after, &reason, &caller.scope()).await?;
        tx.commit_all(changes.into()).await?;
        Ok(reply(Saved { id: wanted.id }))
    }
}

/// Takes back the report of somebody who is held, and is as `after` then: the file goes with account and forms, the number is given to
/// nobody. Answers their record and the student's.
///
/// # Errors
/// 404 and 409 as the step says.
pub(super) async fn take_back(
    tx: &mut Tx,
    before: &Arriving,
    after: &Arriving,
    reason: &str,
    scope: &Scope,
) -> Result<[Change; 2]> {
    before.only(&[RegistrationStatus::Reported], "撤销报到").map_err(Error::conflict)?;
    let student = before.student_id.ok_or_else(|| Error::internal("somebody reported and is no student"))?;
    write(tx, std::slice::from_ref(after)).await?;
    // Everybody holds a student before their forms.
    tx.lock("student", student).await?;
    opening::departing(tx, student).await?;
    let gone = depart(tx, student, reason, scope).await?;
    Ok([changed(before, after).because(Some(reason)), gone])
}
