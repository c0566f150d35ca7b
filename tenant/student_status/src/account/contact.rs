//! 编辑联系方式: how to reach a student, changed from the list of accounts.

use infra::{Allowed, Body, Change, Error, Reply, Result, Saved, reply};
use poem_openapi::{Object, OpenApi, types::Example};
use student_status_rules::{check::unmasked, edit::whole, form::FreeFields};

use super::EditStudentContact;
use crate::student::{find, lock};

/// The ways to reach a student, with the student's version that was read.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct StudentContactEdit {
    /// 学生编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 手机
    /// 应为11位手机号
    #[oai(validator(pattern = "^1[3-9][0-9]([0-9]{4}|[*]{4})[0-9]{4}$"))]
    pub phone: Option<String>,
    /// 邮箱
    /// 例如 name@example.com
    #[oai(validator(max_length = 100, pattern = "^[^@ ]+@[^@ ]+[.][^@ ]+$"))]
    pub email: Option<String>,
    /// 通讯地址
    #[oai(validator(max_length = 200))]
    pub address: Option<String>,
    /// 邮编
    /// 应为6位数字
    #[oai(validator(pattern = "^[0-9]{6}$"))]
    pub postal_code: Option<String>,
    /// 工作单位
    #[oai(validator(max_length = 100))]
    pub work_unit: Option<String>,
    /// 紧急联系人
    #[oai(validator(max_length = 50))]
    pub emergency_contact: Option<String>,
    /// 紧急联系电话
    /// 手机号，或带区号的固定电话，如 027-87654321
    #[oai(validator(pattern = "^[0-9*-]{5,20}$"))]
    pub emergency_phone: Option<String>,
}

impl Example for StudentContactEdit {
    fn example() -> Self {
        Self {
            id: 1,
            version: 1,
            phone: Some("13900000001".to_owned()),
            email: Some("zhang@example.com".to_owned()),
            address: None,
            postal_code: None,
            work_unit: None,
            emergency_contact: None,
            emergency_phone: None,
        }
    }
}

pub struct Contact;

#[OpenApi(prefix_path = "/user/pc/student", tag = "crate::Tag::StudentStatus")]
impl Contact {
    /// 编辑学生联系方式
    #[oai(path = "/edit", method = "put", operation_id = "editStudentContact")]
    async fn edit(
        &self,
        caller: Allowed<EditStudentContact>,
        Body(edit): Body<StudentContactEdit>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let scope = caller.scope();
        let before = lock(&mut tx, edit.id, &scope).await?;
        let typed = FreeFields {
            phone: edit.phone,
            email: edit.email,
            address: edit.address,
            emergency_phone: edit.emergency_phone,
            ..FreeFields::default()
        };
        let typed = whole(typed, &before);
        let wrong = unmasked(&typed);
        if !wrong.is_empty() {
            return Err(Error::fields(wrong));
        }
        let by = tx.by();
        let changed = sqlx::query!(
            "update student set phone = $3, email = $4, address = $5, postal_code = $6, work_unit = $7,
                    emergency_contact = $8, emergency_phone = $9, updated_at = now(), updated_by = $10, version = version + 1
             where id = $1 and version = $2",
            edit.id,
            edit.version,
            typed.phone,
            typed.email,
            typed.address,
            edit.postal_code,
            edit.work_unit,
            edit.emergency_contact,
            typed.emergency_phone,
            by
        )
        .execute(&mut *tx)
        .await?;
        if changed.rows_affected() == 0 {
            return Err(tx.stale("student", edit.id).await);
        }
        let after = find(&mut tx, Some(edit.id), None, &scope).await?;
        tx.commit(Change::edited("student", edit.id, &before, &after)).await?;
        Ok(reply(Saved { id: edit.id }))
    }
}
