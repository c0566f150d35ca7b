//! 生成账号: for students who were entered before they had a number (02 §12.3).

use infra::{
    Allowed, Body, Bulk, BulkResult, Change, Error, Reply, Result, Scope, Tx, reply,
    steps::{Step, Stepped, inside},
};
use people::account::{NewAccount, OwnerKind, lock, open_accounts};
use poem_openapi::{Object, OpenApi};
use serde_json::json;
use student_status_rules::account::StudentItem;

use super::{ExportAccounts, GenerateStudentAccounts, list::StudentAccountRow, owner, steps::OwnStudentAccountsChosen};

pub struct Generate;

#[OpenApi(prefix_path = "/user/pc/student", tag = "crate::Tag::StudentStatus")]
impl Generate {
    /// 生成学生账号
    #[oai(path = "/generate", method = "post", operation_id = "generateStudentAccounts")]
    async fn generate(
        &self,
        caller: Allowed<GenerateStudentAccounts>,
        Body(wanted): Body<OwnStudentAccountsChosen>,
    ) -> Result<Reply<Stepped>> {
        Ok(reply(inside(&caller, wanted.rows, Open {}).await?))
    }
}

/// 生成学生账号
#[derive(Debug, Object)]
pub(super) struct Open {}

impl Step for Open {
    const KIND: &'static str = "student_account.open";
    const TITLE: &'static str = "生成学生账号";
    type Permission = GenerateStudentAccounts;
    type Item = StudentItem;
    type List = ExportAccounts;

    fn item(row: &StudentAccountRow) -> StudentItem {
        StudentItem { id: row.id, version: row.version }
    }

    async fn run(&self, tx: Tx, items: Vec<StudentItem>, scope: &Scope) -> Result<BulkResult> {
        let mut bulk = Bulk::new(tx, "student");
        for item in items {
            let outcome = open(bulk.row().await?, item, scope).await;
            bulk.ended(item.id, outcome).await?;
        }
        bulk.commit().await
    }
}

async fn open(tx: &mut Tx, item: StudentItem, scope: &Scope) -> Result<Change> {
    let owner = owner(tx, item.id, scope).await?;
    if owner.version != item.version {
        return Err(tx.stale("student", owner.id).await);
    }
    if lock(tx, OwnerKind::Student, owner.id).await?.is_some() {
        return Err(Error::conflict("已有账号，无需再次生成"));
    }
    let login_name = owner.login_name()?;
    let new = NewAccount { owner_id: owner.id, login_name, enabled: true };
    let ids = open_accounts(tx, OwnerKind::Student, &[new]).await?;
    let id = ids.first().copied().ok_or_else(|| Error::internal("an account was opened without a number"))?;
    Ok(Change::event("client_account", id, "insert", json!({ "ownerId": owner.id, "loginName": login_name })))
}
