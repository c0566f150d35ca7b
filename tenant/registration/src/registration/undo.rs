//! 撤销报到: somebody reported by mistake; the file is taken back, the number is never given again (02 §7).

use information_review::opening;
use infra::{Allowed, Body, Error, Reply, Result, Saved, reply};
use poem_openapi::{Object, OpenApi, types::Example};
use student_status::student::arrival::depart;

use super::{
    ChangeRegistrationStatus,
    held::{changed, held_one, write},
    leave::said,
};
use crate::enums::RegistrationStatus;

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
        before.only(&[RegistrationStatus::Reported], "撤销报到").map_err(Error::conflict)?;
        let student = before.student_id.ok_or_else(|| Error::internal("somebody reported and is no student"))?;
        let mut after = before.clone();
        after.wait();
        write(&mut tx, std::slice::from_ref(&after)).await?;
        opening::departing(&mut tx, student).await?;
        let gone = depart(&mut tx, student, &reason, &caller.scope()).await?;
        tx.commit_all(vec![changed(&before, &after).because(Some(&reason)), gone]).await?;
        Ok(reply(Saved { id: wanted.id }))
    }
}
