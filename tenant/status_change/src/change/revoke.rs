//! 撤销: a change that has taken effect is taken back within 90 days, while nothing came after it (02 §10).

use information_review::opening::levelled;
use infra::{Allowed, Body, Change, Error, Reply, Result, Saved, Scope, Tx, reply};
use poem_openapi::{Object, OpenApi, types::Example};
use student_status::student::{
    correct,
    transfer::{self, Placement},
};

use crate::ChangeType;

use super::{
    ChangeStage, ChangeStatus, RevokeChange,
    form::find_own,
    locked,
    rules::{self, Refusal},
    steps::note,
};

const MOVED_ON: &str = "异动后数据已变化，不能撤销";

/// A change that is to be undone.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct ChangeRevoke {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 说明
    #[oai(validator(max_length = 200))]
    pub remark: Option<String>,
}

impl Example for ChangeRevoke {
    fn example() -> Self {
        Self { id: 1, version: 1, remark: Some("误操作".to_owned()) }
    }
}

pub struct Revoke;

#[OpenApi(prefix_path = "/adult/pc/change", tag = "crate::Tag::StatusChange")]
impl Revoke {
    /// 撤销学籍异动
    #[oai(path = "/revoke", method = "post", operation_id = "revokeChange")]
    async fn revoke(&self, caller: Allowed<RevokeChange>, Body(wanted): Body<ChangeRevoke>) -> Result<Reply<Saved>> {
        let id = wanted.id;
        let mut tx = caller.begin().await?;
        let change = revoke(&mut tx, &wanted, &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }
}

/// Takes a change back that has taken effect.
///
/// # Errors
/// 404 outside the scope; 403 when the student came from a site outside of it; 409 when it has not taken effect, after 90 days,
/// when anything came after it, or when it changed since it was read.
pub(super) async fn revoke(tx: &mut Tx, wanted: &ChangeRevoke, scope: &Scope) -> Result<Change> {
    let found = find_own(tx, wanted.id, scope).await?;
    let student = correct::hold(tx, found.student_id, scope).await?;
    let before = locked(tx, wanted.id, scope).await?;
    if !scope.sees(Some(before.before.site_id), before.before.class_id) {
        return Err(Error::new(403, "该异动涉及其他站点，请由数据范围包含两个站点的人员撤销"));
    }
    let executed_on = match (before.status, before.executed_at) {
        (ChangeStatus::Executed, Some(at)) => at.date_naive(),
        _ => return Err(Refusal::NotExecuted(before.status).into()),
    };
    if before.version != wanted.version {
        return Err(tx.stale("student_change", wanted.id).await);
    }
    rules::may_revoke(executed_on, tx.app().clock().today()).map_err(Error::conflict)?;
    let later = sqlx::query_scalar!(
        r#"select exists (select from student_change
                          where student_id = $1 and status = 'executed' and id <> $2
                            and (executed_at, id) > ($3::timestamptz, $2)) as "later!""#,
        before.student_id,
        before.id,
        before.executed_at
    )
    .fetch_one(&mut **tx)
    .await?;
    if later || Placement::of(&student) != before.after {
        return Err(Error::conflict(MOVED_ON));
    }
    transfer::revoke(tx, &student, before.id, wanted.remark.as_deref()).await?;
    if before.kind == ChangeType::Hierarchical {
        levelled(tx, student.id).await?;
    }
    let (by, now) = (tx.by(), tx.app().clock().now());
    sqlx::query!(
        "update student_change set status = 'revoked', moved_at = $2, updated_at = now(), updated_by = $3,
                version = version + 1
         where id = $1",
        before.id,
        now,
        by
    )
    .execute(&mut **tx)
    .await?;
    note(tx, before.id, ChangeStage::Revoke, None, wanted.remark.as_deref()).await?;
    let change =
        Change::status("student_change", before.id, "status", before.status.as_str(), ChangeStatus::Revoked.as_str());
    Ok(change.because(wanted.remark.as_deref()))
}
