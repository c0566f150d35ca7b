//! 一键登录: a member of the staff sees the student client as this student does (02 §12.1; [`people::one_click`]).

use infra::{Allowed, Error, Reply, Result};
use people::{
    account::OwnerKind,
    one_click::{OneClick, sign_in_as, within},
};
use poem_openapi::{OpenApi, param::Query};

use super::{SignInAsStudent, owner};

pub struct SignInAs;

#[OpenApi(prefix_path = "/user/pc/student", tag = "crate::Tag::StudentStatus")]
impl SignInAs {
    /// 学生一键登录
    #[oai(path = "/oneClickLogin", method = "get", operation_id = "signInAsStudent")]
    async fn one_click(
        &self,
        caller: Allowed<SignInAsStudent>,
        /// 学生编号
        id: Query<i64>,
        /// 原因
        reason: Query<Option<String>>,
    ) -> Result<Reply<OneClick>> {
        let mut tx = caller.begin().await?;
        let student = owner(&mut tx, id.0, &caller.scope()).await.map_err(|error| match error.code {
            404 => Error::not_found(),
            _ => error,
        })?;
        let may_write = match caller.rights().get("user:pc:student:oneClickLogin:write") {
            Some(scope) => within(owner(&mut tx, id.0, scope).await)?,
            None => false,
        };
        sign_in_as(caller.caller(), tx, (OwnerKind::Student, "student", student.id), reason.0, may_write).await
    }
}
