//! 学生账号: the accounts with which students sign in to their client, and how to reach the students (02 §12.3).
//!
//! A line is a student, with or without an account. The accounts themselves belong to [`people`].

mod contact;
mod ending;
mod export;
mod generate;
mod list;
mod one_click;
mod steps;

use infra::{Error, Part, Result, Scope, Tx, permissions, steps::job, transfer::export_job};
use people::account::{Account, OwnerKind, lock};
use poem_openapi::OpenApi;
use student_status_rules::{
    account::{Owner, StudentItem},
    check::NOT_YOURS,
};

use crate::enums::StudentStatus;

pub(crate) use crate::account::export::ExportAccounts;

permissions! {
    pages "/schoolPC/userManagerment/studentList", "/platformPC/userManagerment/studentList";
    EachSchool  Reads       ListStudentAccounts        = "user:pc:student:list" "学生账号列表";
    EachSchool  Reads       ViewStudentAccount         = "user:pc:student:view" "查看学生账号";
    InSchool    Writes      EditStudentContact         = "user:pc:student:edit" "编辑学生联系方式";
    ManySchools Writes      ChangeStudentAccountStatus = "user:pc:student:changeStatus" "启用停用学生账号";
    ManySchools Writes      ResetStudentPasswords      = "user:pc:student:resetPassword" "重置学生密码";
    InSchool    Writes      GenerateStudentAccounts    = "user:pc:student:save" "生成学生账号";
    EachSchool  Writes      SignInAsStudent            = "user:pc:student:oneClickLogin" "学生一键登录";
    EachSchool  Writes      WriteAsStudent             = "user:pc:student:oneClickLogin:write" "学生一键登录后可修改";
    EachSchool  ReadsLogged ExportStudentAccounts      = "user:pc:student:export" "导出学生账号";
    EachSchool  ReadsLogged ExportPlainStudentAccounts = "user:pc:student:exportPlain" "导出学生账号完整手机";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    jobs: &[
        export_job::<ExportAccounts>(),
        ending::JOB,
        job::<generate::Open>(),
        job::<steps::SetEnabled>(),
        job::<steps::Reset>(),
        job::<steps::Unlock>(),
        job::<steps::Unbind>(),
    ],
    schedules: &[ending::SCHEDULE],
    option_pages: PAGES,
    ..Part::NONE
};

/// The student of a bulk row, locked.
///
/// # Errors
/// The reason for the list of failures: gone, or not the caller's to change.
async fn owner(tx: &mut Tx, id: i64, scope: &Scope) -> Result<Owner> {
    let row = sqlx::query!(
        r#"select id, status as "status: StudentStatus", student_no, examinee_no, version, site_id, class_id
           from student where id = $1 for update"#,
        id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)?;
    if !scope.sees(Some(row.site_id), row.class_id) {
        // The code keeps the name of somebody else's student out of the answer.
        return Err(Error::new(404, NOT_YOURS));
    }
    let (student_no, examinee_no) = (row.student_no, row.examinee_no);
    Ok(Owner { id: row.id, status: row.status, student_no, examinee_no, version: row.version })
}

/// The account of a bulk row, locked, with its owner.
///
/// # Errors
/// As [`owner`]; 409 when there is no account, or when it changed since it was read.
async fn account(tx: &mut Tx, item: StudentItem, scope: &Scope) -> Result<(Owner, Account)> {
    let owner = owner(tx, item.id, scope).await?;
    let account =
        lock(tx, OwnerKind::Student, owner.id).await?.ok_or_else(|| Error::conflict("该生还没有账号，请先生成账号"))?;
    account.unchanged_since(tx, item.version).await?;
    Ok((owner, account))
}

/// The operations on students' accounts.
pub(crate) fn api() -> impl OpenApi {
    (list::List, contact::Contact, steps::Steps, one_click::SignInAs, generate::Generate, ExportAccounts)
}
