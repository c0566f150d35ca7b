//! 启用禁用, 重置密码, 解锁, 解绑微信: each student succeeds or fails by itself (02 §12.1).

use infra::{
    Allowed, Body, Bulk, BulkResult, Change, Reply, Result, Scope, Tx,
    across::ItemOfSchool,
    reply,
    steps::{Chosen, Step, Stepped, SteppedOfSchools, inside, over_schools},
};
use poem_openapi::{Object, OpenApi, types::Example};
use student_status_rules::{
    account::{StudentItem, allow_enabling},
    account_list::StudentAccountFilter,
};

use super::{
    ChangeStudentAccountStatus, EditStudentContact, ExportAccounts, ResetStudentPasswords, account,
    list::StudentAccountRow,
};

/// Accounts of one school or of several.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct StudentAccountsChosen {
    #[oai(flatten)]
    pub rows: Chosen<ItemOfSchool<StudentItem>, StudentAccountFilter>,
}

impl Example for StudentAccountsChosen {
    fn example() -> Self {
        Self { rows: Chosen::items(vec![StudentItem { id: 1, version: 1 }.into()]) }
    }
}

/// Accounts of the school.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct OwnStudentAccountsChosen {
    #[oai(flatten)]
    pub rows: Chosen<StudentItem, StudentAccountFilter>,
}

impl Example for OwnStudentAccountsChosen {
    fn example() -> Self {
        Self { rows: Chosen::items(vec![StudentItem { id: 1, version: 1 }]) }
    }
}

/// `{items, enabled}`, in one school or in several.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct StudentAccountStatusChange {
    #[oai(flatten)]
    pub rows: Chosen<ItemOfSchool<StudentItem>, StudentAccountFilter>,
    /// 启用
    pub enabled: bool,
}

impl Example for StudentAccountStatusChange {
    fn example() -> Self {
        Self { rows: StudentAccountsChosen::example().rows, enabled: false }
    }
}

async fn set_enabled(tx: &mut Tx, item: StudentItem, enabled: bool, scope: &Scope) -> Result<Change> {
    let (owner, account) = account(tx, item, scope).await?;
    if enabled {
        allow_enabling(owner.status)?;
    }
    account.set_enabled(tx, enabled).await
}

async fn reset(tx: &mut Tx, item: StudentItem, scope: &Scope) -> Result<Change> {
    let (_, account) = account(tx, item, scope).await?;
    account.reset_password(tx).await
}

async fn unlock(tx: &mut Tx, item: StudentItem, scope: &Scope) -> Result<Change> {
    let (_, account) = account(tx, item, scope).await?;
    account.unlock(tx).await
}

async fn unbind(tx: &mut Tx, item: StudentItem, scope: &Scope) -> Result<Change> {
    let (_, account) = account(tx, item, scope).await?;
    account.unbind_wechat(tx).await
}

/// A line as a step knows it; who has no account is told so by the step.
fn as_listed(row: &StudentAccountRow) -> StudentItem {
    StudentItem { id: row.id, version: row.account_version.unwrap_or_default() }
}

/// 启用停用学生账号
#[derive(Debug, Object)]
pub(super) struct SetEnabled {
    enabled: bool,
}

impl Step for SetEnabled {
    const KIND: &'static str = "student_account.set_enabled";
    const TITLE: &'static str = "启用停用学生账号";
    type Permission = ChangeStudentAccountStatus;
    type Item = StudentItem;
    type List = ExportAccounts;

    fn item(row: &StudentAccountRow) -> StudentItem {
        as_listed(row)
    }

    async fn run(&self, tx: Tx, items: Vec<StudentItem>, scope: &Scope) -> Result<BulkResult> {
        let mut bulk = Bulk::new(tx, "student");
        for item in items {
            let outcome = set_enabled(bulk.row().await?, item, self.enabled, scope).await;
            bulk.ended(item.id, outcome).await?;
        }
        bulk.commit().await
    }
}

/// 重置学生密码
#[derive(Debug, Object)]
pub(super) struct Reset {}

impl Step for Reset {
    const KIND: &'static str = "student_account.reset_password";
    const TITLE: &'static str = "重置学生密码";
    type Permission = ResetStudentPasswords;
    type Item = StudentItem;
    type List = ExportAccounts;

    fn item(row: &StudentAccountRow) -> StudentItem {
        as_listed(row)
    }

    async fn run(&self, tx: Tx, items: Vec<StudentItem>, scope: &Scope) -> Result<BulkResult> {
        let mut bulk = Bulk::new(tx, "student");
        for item in items {
            let outcome = reset(bulk.row().await?, item, scope).await;
            bulk.ended(item.id, outcome).await?;
        }
        bulk.commit().await
    }
}

/// 解锁学生账号
#[derive(Debug, Object)]
pub(super) struct Unlock {}

impl Step for Unlock {
    const KIND: &'static str = "student_account.unlock";
    const TITLE: &'static str = "解锁学生账号";
    type Permission = ChangeStudentAccountStatus;
    type Item = StudentItem;
    type List = ExportAccounts;

    fn item(row: &StudentAccountRow) -> StudentItem {
        as_listed(row)
    }

    async fn run(&self, tx: Tx, items: Vec<StudentItem>, scope: &Scope) -> Result<BulkResult> {
        let mut bulk = Bulk::new(tx, "student");
        for item in items {
            let outcome = unlock(bulk.row().await?, item, scope).await;
            bulk.ended(item.id, outcome).await?;
        }
        bulk.commit().await
    }
}

/// 学生解绑微信
#[derive(Debug, Object)]
pub(super) struct Unbind {}

impl Step for Unbind {
    const KIND: &'static str = "student_account.unbind_wechat";
    const TITLE: &'static str = "学生解绑微信";
    type Permission = EditStudentContact;
    type Item = StudentItem;
    type List = ExportAccounts;

    fn item(row: &StudentAccountRow) -> StudentItem {
        as_listed(row)
    }

    async fn run(&self, tx: Tx, items: Vec<StudentItem>, scope: &Scope) -> Result<BulkResult> {
        let mut bulk = Bulk::new(tx, "student");
        for item in items {
            let outcome = unbind(bulk.row().await?, item, scope).await;
            bulk.ended(item.id, outcome).await?;
        }
        bulk.commit().await
    }
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
    ) -> Result<Reply<SteppedOfSchools>> {
        let StudentAccountStatusChange { rows, enabled } = wanted;
        Ok(reply(over_schools(&caller, rows, SetEnabled { enabled }).await?))
    }

    /// 重置学生密码
    #[oai(path = "/resetPassword", method = "post", operation_id = "resetStudentPasswords")]
    async fn reset_password(
        &self,
        caller: Allowed<ResetStudentPasswords>,
        Body(wanted): Body<StudentAccountsChosen>,
    ) -> Result<Reply<SteppedOfSchools>> {
        Ok(reply(over_schools(&caller, wanted.rows, Reset {}).await?))
    }

    /// 解锁学生账号
    #[oai(path = "/unlock", method = "put", operation_id = "unlockStudentAccount")]
    async fn unlock(
        &self,
        caller: Allowed<ChangeStudentAccountStatus>,
        Body(wanted): Body<StudentAccountsChosen>,
    ) -> Result<Reply<SteppedOfSchools>> {
        Ok(reply(over_schools(&caller, wanted.rows, Unlock {}).await?))
    }

    /// 学生解绑微信
    #[oai(path = "/unbindWechat", method = "put", operation_id = "unbindStudentWechat")]
    async fn unbind_wechat(
        &self,
        caller: Allowed<EditStudentContact>,
        Body(wanted): Body<OwnStudentAccountsChosen>,
    ) -> Result<Reply<Stepped>> {
        Ok(reply(inside(&caller, wanted.rows, Unbind {}).await?))
    }
}
