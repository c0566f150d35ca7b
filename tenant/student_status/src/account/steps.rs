//! 启用禁用, 重置密码, 解锁, 解绑微信: each student succeeds or fails by itself (02 §12.1).

use infra::{
    Allowed, Body, Bulk, BulkResult, Change, Error, Reply, Result, Scope, Tx,
    across::{self, BulkOfSchools, ItemOfSchool},
    reply,
};
use poem_openapi::{Object, OpenApi, types::Example};

use super::{
    ChangeStudentAccountStatus, EditStudentContact, ResetStudentPasswords, StudentItem, StudentItems,
    StudentItemsOfSchools, account,
};
use crate::words::StudentStatus;

/// `{items, enabled}`, in one school or in several.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct StudentAccountStatusChange {
    /// 学生
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub items: Vec<ItemOfSchool<StudentItem>>,
    /// 启用
    pub enabled: bool,
}

impl Example for StudentAccountStatusChange {
    fn example() -> Self {
        Self { items: StudentItemsOfSchools::example().items, enabled: false }
    }
}

/// Only who has not withdrawn may sign in again.
fn allow_enabling(status: StudentStatus) -> Result<()> {
    match status {
        StudentStatus::Withdrawn => Err(Error::conflict("该生已退学，账号不可启用")),
        StudentStatus::PendingRegistration
        | StudentStatus::Registered
        | StudentStatus::Suspended
        | StudentStatus::TransferredOut
        | StudentStatus::Expired
        | StudentStatus::Graduated
        | StudentStatus::Completed
        | StudentStatus::Incomplete => Ok(()),
    }
}

async fn set_enabled(tx: &mut Tx, item: StudentItem, enabled: bool, scope: &Scope) -> Result<Change> {
    let (owner, account) = account(tx, item, scope).await?;
    if enabled {
        allow_enabling(owner.status)?;
    }
    account.set_enabled(tx, enabled).await
}

async fn set_all_enabled(tx: Tx, items: Vec<StudentItem>, enabled: bool, scope: &Scope) -> Result<BulkResult> {
    let mut bulk = Bulk::new(tx, "student");
    for item in items {
        let outcome = set_enabled(bulk.row().await?, item, enabled, scope).await;
        bulk.ended(item.id, outcome).await?;
    }
    bulk.commit().await
}

async fn reset(tx: &mut Tx, item: StudentItem, scope: &Scope) -> Result<Change> {
    let (_, account) = account(tx, item, scope).await?;
    account.reset_password(tx).await
}

async fn reset_all(tx: Tx, items: Vec<StudentItem>, scope: &Scope) -> Result<BulkResult> {
    let mut bulk = Bulk::new(tx, "student");
    for item in items {
        let outcome = reset(bulk.row().await?, item, scope).await;
        bulk.ended(item.id, outcome).await?;
    }
    bulk.commit().await
}

async fn unlock(tx: &mut Tx, item: StudentItem, scope: &Scope) -> Result<Change> {
    let (_, account) = account(tx, item, scope).await?;
    account.unlock(tx).await
}

async fn unlock_all(tx: Tx, items: Vec<StudentItem>, scope: &Scope) -> Result<BulkResult> {
    let mut bulk = Bulk::new(tx, "student");
    for item in items {
        let outcome = unlock(bulk.row().await?, item, scope).await;
        bulk.ended(item.id, outcome).await?;
    }
    bulk.commit().await
}

async fn unbind(tx: &mut Tx, item: StudentItem, scope: &Scope) -> Result<Change> {
    let (_, account) = account(tx, item, scope).await?;
    account.unbind_wechat(tx).await
}

pub struct Steps;

#[OpenApi(prefix_path = "/user/pc/student", tag = "crate::Tag::StudentStatus")]
impl Steps {
    /// 启用停用学生账号
    #[oai(path = "/update/status", method = "put", operation_id = "changeStudentAccountStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeStudentAccountStatus>,
        Body(wanted): Body<StudentAccountStatusChange>,
    ) -> Result<Reply<BulkOfSchools>> {
        let StudentAccountStatusChange { items, enabled } = wanted;
        let scope = caller.scope();
        let change = |tx, items| set_all_enabled(tx, items, enabled, &scope);
        Ok(reply(across::step(&caller, items, change).await?))
    }

    /// 重置学生密码
    #[oai(path = "/resetPassword", method = "post", operation_id = "resetStudentPasswords")]
    async fn reset_password(
        &self,
        caller: Allowed<ResetStudentPasswords>,
        Body(wanted): Body<StudentItemsOfSchools>,
    ) -> Result<Reply<BulkOfSchools>> {
        let scope = caller.scope();
        let reset = |tx, items| reset_all(tx, items, &scope);
        Ok(reply(across::step(&caller, wanted.items, reset).await?))
    }

    /// 解锁学生账号
    #[oai(path = "/unlock", method = "put", operation_id = "unlockStudentAccount")]
    async fn unlock(
        &self,
        caller: Allowed<ChangeStudentAccountStatus>,
        Body(wanted): Body<StudentItemsOfSchools>,
    ) -> Result<Reply<BulkOfSchools>> {
        let scope = caller.scope();
        let unlock = |tx, items| unlock_all(tx, items, &scope);
        Ok(reply(across::step(&caller, wanted.items, unlock).await?))
    }

    /// 学生解绑微信
    #[oai(path = "/unbindWechat", method = "put", operation_id = "unbindStudentWechat")]
    async fn unbind_wechat(
        &self,
        caller: Allowed<EditStudentContact>,
        Body(wanted): Body<StudentItems>,
    ) -> Result<Reply<BulkResult>> {
        let scope = caller.scope();
        let mut bulk = Bulk::new(caller.begin().await?, "student");
        for item in wanted.items {
            let outcome = unbind(bulk.row().await?, item, &scope).await;
            bulk.ended(item.id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_withdrew_stays_out() {
        for (_, status) in StudentStatus::CHOICES {
            assert_eq!(allow_enabling(*status).is_ok(), *status != StudentStatus::Withdrawn, "{status:?}");
        }
        assert_eq!(allow_enabling(StudentStatus::Withdrawn).unwrap_err().msg, "该生已退学，账号不可启用");
    }
}
