//! 个人信息清理: two years after a batch has ended, what is personal of the people whom the province never admitted is taken
//! away; what is counted stays (05 E3).
//!
//! ```text
//! batch ended ─ 24 calendar months → due ─(each night, [`scrub`])→ rows of `*`, without files
//!                                     └ privacy_hold: stays until the hold is lifted
//! ```

mod list;
mod scrub;

use infra::{
    Allowed, Body, Change, Paging, Part, Reply, Result, Saved,
    across::{self, SchoolPage},
    permissions, reply,
};
use poem_openapi::{Object, OpenApi, types::Example};

pub(crate) use scrub::{KIND, SCHEDULE};

use list::ListedSoon;
pub use list::{PersonalBatch, PersonalBatchFilter};

permissions! {
    pages
        "/schoolPC/recruitStudents/preRegistration/preRegistrationBatch",
        "/platformPC/recruitStudents/preRegistration/preRegistrationBatch";
    EachSchool Reads  ListPersonalBatches = "data:pc:privacy:list" "个人信息清理清单";
    EachSchool Writes HoldPersonalBatch   = "data:pc:privacy:hold" "暂停个人信息清理";
}

pub const PART: Part = Part { permissions: &[PERMISSIONS], jobs: &[KIND], schedules: &[SCHEDULE], ..Part::NONE };

/// `{batchId, hold}`; the version is checked when it is sent.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct PrivacyHold {
    /// 批次
    pub batch_id: i64,
    /// 暂停清理
    pub hold: bool,
    /// 版本
    pub version: Option<i32>,
}

impl Example for PrivacyHold {
    fn example() -> Self {
        Self { batch_id: 1, hold: true, version: None }
    }
}

pub struct Privacy;

#[OpenApi(prefix_path = "/data/pc/privacy", tag = "crate::Tag::Recruitment")]
impl Privacy {
    /// 个人信息清理清单
    ///
    /// 90日内到期和已经到期、仍有未录取人员个人信息的预报名批次。
    #[oai(path = "/list", method = "post", operation_id = "listPersonalBatches")]
    async fn list(
        &self,
        caller: Allowed<ListPersonalBatches>,
        Body(filter): Body<PersonalBatchFilter>,
    ) -> Result<Reply<SchoolPage<PersonalBatch>>> {
        let paging = Paging::of(filter.page_current, filter.page_size)?;
        across::list::<Self, _>(&caller, paging, ListedSoon::on(caller.app().clock().today())).await
    }

    /// 暂停个人信息清理
    #[oai(path = "/hold", method = "put", operation_id = "holdPersonalBatch")]
    async fn hold(&self, caller: Allowed<HoldPersonalBatch>, Body(wanted): Body<PrivacyHold>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let by = tx.by();
        let before = sqlx::query_scalar!(
            "update pre_registration_batch b
             set privacy_hold = $2, updated_at = now(), updated_by = $4, version = b.version + 1
             from (select id, privacy_hold from pre_registration_batch where id = $1 for update) before
             where b.id = before.id and ($3::integer is null or b.version = $3)
             returning before.privacy_hold",
            wanted.batch_id,
            wanted.hold,
            wanted.version,
            by
        )
        .fetch_optional(&mut *tx)
        .await?;
        let Some(before) = before else { return Err(tx.stale("pre_registration_batch", wanted.batch_id).await) };
        let change = Change::status("pre_registration_batch", wanted.batch_id, "privacyHold", before, wanted.hold);
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.batch_id }))
    }
}
