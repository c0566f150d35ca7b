//! 放弃, 补报到, 取消资格: who does not come, who comes after all, and who may not (02 §7).

use infra::{
    Allowed, Body, BulkResult, Change, Error, Reply, Result, Saved, Scope, Tx, reply,
    steps::{Chosen, Step, Stepped, inside},
};
use poem_openapi::{Object, OpenApi, types::Example};
use registration_rules::leave::{abandonable, said};

use super::{
    ChangeRegistrationStatus, ExportRegistrations, RevokeRegistration,
    attached::let_go,
    held::{Arriving, RegistrationItem, Rows, adopted, changed, held_one, rows, write},
    list::{RegistrationFilter, RegistrationRow},
};
use crate::enums::RegistrationStatus;

/// Who gives their place up, and why.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct RegistrationsAbandon {
    #[oai(flatten)]
    pub rows: Chosen<RegistrationItem, RegistrationFilter>,
    /// 原因
    /// 2至200个字符
    #[oai(validator(max_length = 200))]
    pub reason: Option<String>,
}

impl Example for RegistrationsAbandon {
    fn example() -> Self {
        Self {
            rows: Chosen::items(vec![RegistrationItem { id: 1, version: 1 }]),
            reason: Some("本人放弃入学".to_owned()),
        }
    }
}

/// A registration, as it was read.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct RegistrationTurn {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
}

impl Example for RegistrationTurn {
    fn example() -> Self {
        Self { id: 1, version: 1 }
    }
}

/// Whose right to begin is taken away, and why.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct RegistrationRevoke {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 原因
    /// 2至200个字符
    #[oai(validator(max_length = 200))]
    pub remark: Option<String>,
    /// 附件
    /// 上传后的文件标识
    #[oai(validator(max_length = 200))]
    pub attachment: Option<String>,
}

impl Example for RegistrationRevoke {
    fn example() -> Self {
        Self { id: 1, version: 1, remark: Some("前置学历不符合要求".to_owned()), attachment: None }
    }
}

pub struct Leave;

#[OpenApi(prefix_path = "/adult/pc/registration", tag = "crate::Tag::Registration")]
impl Leave {
    /// 放弃入学资格
    #[oai(path = "/abandon", method = "post", operation_id = "abandonRegistrations")]
    async fn abandon(
        &self,
        caller: Allowed<ChangeRegistrationStatus>,
        Body(wanted): Body<RegistrationsAbandon>,
    ) -> Result<Reply<Stepped>> {
        let reason = said("reason", wanted.reason)?;
        Ok(reply(inside(&caller, wanted.rows, AbandonAll { reason }).await?))
    }

    /// 补报到
    /// 逾期未报到的人员恢复为待报到
    #[oai(path = "/reinstate", method = "post", operation_id = "reinstateRegistration")]
    async fn reinstate(
        &self,
        caller: Allowed<ChangeRegistrationStatus>,
        Body(wanted): Body<RegistrationTurn>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let before = held_one(&mut tx, wanted.id, Some(wanted.version), &caller.scope()).await?;
        before.only(&[RegistrationStatus::NoShow], "补报到").map_err(Error::conflict)?;
        open(&mut tx, before.batch_id, "补报到").await?;
        let mut after = before.clone();
        let paper = after.wait();
        write(&mut tx, std::slice::from_ref(&after)).await?;
        let_go(&mut tx, paper, wanted.id).await?;
        tx.commit(changed(&before, &after)).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 取消入学资格
    #[oai(path = "/revoke", method = "post", operation_id = "revokeRegistration")]
    async fn revoke(
        &self,
        caller: Allowed<RevokeRegistration>,
        Body(wanted): Body<RegistrationRevoke>,
    ) -> Result<Reply<Saved>> {
        let remark = said("remark", wanted.remark)?;
        let mut tx = caller.begin().await?;
        let before = held_one(&mut tx, wanted.id, Some(wanted.version), &caller.scope()).await?;
        let from = [RegistrationStatus::Pending, RegistrationStatus::Reserved];
        before.only(&from, "取消入学资格").map_err(Error::conflict)?;
        let mut after = before.clone();
        after.status = RegistrationStatus::Revoked;
        after.reason = Some(remark);
        if let Some(key) = wanted.attachment {
            let paper = adopted(&mut tx, "attachment", &key, wanted.id).await?;
            let_go(&mut tx, before.attachment_id.filter(|former| *former != paper), wanted.id).await?;
            after.attachment_id = Some(paper);
        }
        write(&mut tx, std::slice::from_ref(&after)).await?;
        tx.commit(changed(&before, &after)).await?;
        Ok(reply(Saved { id: wanted.id }))
    }
}

/// # Errors
/// 409 when the batch is no longer open. It is held by the rows' step.
pub(super) async fn open(tx: &mut Tx, batch: i64, step: &str) -> Result<()> {
    let batch = sqlx::query!(r#"select name, status = 'open' as "open!" from enrollment_batch where id = $1"#, batch)
        .fetch_one(&mut **tx)
        .await?;
    if batch.open {
        Ok(())
    } else {
        Err(Error::conflict(format!("招生批次“{}”已结束，不能{step}", batch.name)))
    }
}

/// Gives the place of somebody who is held up.
///
/// # Errors
/// 409 for another status.
pub(super) async fn abandon(tx: &mut Tx, before: Arriving, reason: &str) -> Result<Change> {
    abandonable(&before).map_err(Error::conflict)?;
    let after = given_up(&before, reason);
    write(tx, std::slice::from_ref(&after)).await?;
    Ok(changed(&before, &after))
}

fn given_up(before: &Arriving, reason: &str) -> Arriving {
    Arriving { status: RegistrationStatus::Abandoned, reason: Some(reason.to_owned()), ..before.clone() }
}

/// 放弃入学资格
#[derive(Debug, Object)]
pub(crate) struct AbandonAll {
    reason: String,
}

impl Step for AbandonAll {
    const KIND: &'static str = "registration.abandon";
    const TITLE: &'static str = "放弃入学资格";
    type Permission = ChangeRegistrationStatus;
    type Item = RegistrationItem;
    type List = ExportRegistrations;

    fn item(row: &RegistrationRow) -> RegistrationItem {
        RegistrationItem { id: row.id, version: row.version }
    }

    async fn run(&self, mut tx: Tx, items: Vec<RegistrationItem>, scope: &Scope) -> Result<BulkResult> {
        let Rows { people, failed } = rows(&mut tx, &items, scope, abandonable).await?;
        let after: Vec<Arriving> = people.iter().map(|before| given_up(before, &self.reason)).collect();
        write(&mut tx, &after).await?;
        let done = i64::try_from(after.len()).unwrap_or(i64::MAX);
        tx.commit_all(people.iter().zip(&after).map(|(before, after)| changed(before, after)).collect()).await?;
        Ok(BulkResult { done, failed })
    }
}
