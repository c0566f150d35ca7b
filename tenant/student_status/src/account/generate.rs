//! 生成账号: for students who were entered before they had a number (02 §12.3).

use infra::{
    Allowed, Body, Bulk, BulkResult, Change, Error, Reply, Result, Scope, Tx, reply,
    steps::{Step, Stepped, inside},
};
use people::account::{NewAccount, OwnerKind, lock, open_accounts};
use poem_openapi::{Object, OpenApi};
use serde_json::json;

use super::{
    ExportAccounts, GenerateStudentAccounts, Owner, StudentItem, list::StudentAccountRow, owner,
    steps::OwnStudentAccountsChosen,
};
use crate::enums::StudentStatus;

impl Owner {
    /// The name of the account to be: 学号, before that 考生号.
    fn login_name(&self) -> Result<&str> {
        if self.status == StudentStatus::Withdrawn {
            return Err(Error::conflict("该生已退学，不能生成账号"));
        }
        let number = self.student_no.as_deref().or(self.examinee_no.as_deref());
        number.ok_or_else(|| Error::conflict("学号和考生号均为空，不能生成账号"))
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    fn named(status: StudentStatus, student_no: Option<&str>, examinee_no: Option<&str>) -> String {
        let owner = Owner {
            id: 1,
            status,
            student_no: student_no.map(str::to_owned),
            examinee_no: examinee_no.map(str::to_owned),
            version: 1,
        };
        owner.login_name().map_or_else(|error| error.msg.into_owned(), str::to_owned)
    }

    #[test]
    fn the_student_number_goes_before_the_examinee_number() {
        use StudentStatus::{PendingRegistration, Withdrawn};
        assert_eq!(named(PendingRegistration, Some("26304120070023"), Some("26420101150001")), "26304120070023");
        assert_eq!(named(PendingRegistration, None, Some("26420101150001")), "26420101150001");
        assert_eq!(named(PendingRegistration, None, None), "学号和考生号均为空，不能生成账号");
        assert_eq!(named(Withdrawn, Some("26304120070023"), None), "该生已退学，不能生成账号");
    }
}
