//! 保留入学资格: somebody comes later, and their place is kept until then (02 §7).

use chrono::NaiveDate;
use infra::{Allowed, Body, Change, Error, Reply, Result, Saved, Scope, Tx, reply};
use poem_openapi::{Object, OpenApi, types::Example};
use registration_rules::reserve::{day, last_day};

use super::{
    ChangeRegistrationStatus,
    held::{Arriving, adopted, changed, held_one, write},
};
use crate::enums::{RegistrationStatus, ReserveReason};

/// Why, and until when.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct RegistrationReserve {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 保留原因
    pub reserve_reason: ReserveReason,
    /// 保留至
    /// 最长至入学日期后一年；应征入伍为退役后两年
    pub reserve_until: NaiveDate,
    /// 说明
    #[oai(validator(max_length = 200))]
    pub reason: Option<String>,
    /// 附件
    /// 上传后的文件标识
    #[oai(validator(min_length = 1, max_length = 200))]
    pub attachment: String,
}

impl Example for RegistrationReserve {
    fn example() -> Self {
        Self {
            id: 1,
            version: 1,
            reserve_reason: ReserveReason::Illness,
            reserve_until: NaiveDate::from_ymd_opt(2027, 3, 1).unwrap_or_default(),
            reason: Some("住院治疗".to_owned()),
            attachment: "private/s1/202603/k3.pdf".to_owned(),
        }
    }
}

pub struct Reserve;

#[OpenApi(prefix_path = "/adult/pc/registration", tag = "crate::Tag::Registration")]
impl Reserve {
    /// 保留入学资格
    #[oai(path = "/reserve", method = "post", operation_id = "reserveRegistration")]
    async fn reserve(
        &self,
        caller: Allowed<ChangeRegistrationStatus>,
        Body(wanted): Body<RegistrationReserve>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let id = wanted.id;
        let change = reserve(&mut tx, wanted, &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }
}

/// The place of one person, as the desk asks for it.
///
/// # Errors
/// 404, 409 and 422 as the step says.
pub(super) async fn reserve(tx: &mut Tx, wanted: RegistrationReserve, scope: &Scope) -> Result<Change> {
    let person = held_one(tx, wanted.id, Some(wanted.version), scope).await?;
    let RegistrationReserve { id, reserve_reason, reserve_until, reason, attachment, .. } = wanted;
    let attachment = Some(adopted(tx, "attachment", &attachment, id).await?);
    keep(tx, person, &Keeping { reserve_reason, reserve_until, reason, attachment }).await
}

/// What is kept for whom, and why.
#[derive(Debug, Clone)]
pub(super) struct Keeping {
    pub reserve_reason: ReserveReason,
    pub reserve_until: NaiveDate,
    pub reason: Option<String>,
    pub attachment: Option<i64>,
}

/// Keeps the place of somebody who is held.
///
/// # Errors
/// 409 for another status; 422 at `reserveUntil` for a day that cannot be.
pub(super) async fn keep(tx: &mut Tx, before: Arriving, keeping: &Keeping) -> Result<Change> {
    before.only(&[RegistrationStatus::Pending], "保留入学资格").map_err(Error::conflict)?;
    let entry = sqlx::query_scalar!("select enrolled_on from enrollment_batch where id = $1", before.batch_id)
        .fetch_one(&mut **tx)
        .await?;
    let last = last_day(entry, keeping.reserve_reason);
    let wrong = |message: String| Err(Error::field("reserveUntil", message));
    if keeping.reserve_until < tx.app().clock().today() {
        return wrong("保留期限不能早于今天".to_owned());
    }
    if keeping.reserve_until > last {
        return wrong(format!("保留期限不能晚于{}", day(last)));
    }
    let mut after = before.clone();
    after.status = RegistrationStatus::Reserved;
    after.reserve_reason = Some(keeping.reserve_reason);
    after.reserve_until = Some(keeping.reserve_until);
    after.reason.clone_from(&keeping.reason);
    after.attachment_id = keeping.attachment;
    write(tx, std::slice::from_ref(&after)).await?;
    Ok(changed(&before, &after))
}
