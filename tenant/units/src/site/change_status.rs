//! 停招, 恢复, 撤销: what becomes of a site.

use infra::{Allowed, Body, Change, Error, Reply, Result, Saved, across::Keyed, permissions, reply};
use poem_openapi::{Object, OpenApi, types::Example};
use unit_rules::site::{Load, Refusal, allow};

use super::{SiteStatus, Sites};

permissions! {
    pages "/schoolPC/basicData/site", "/platformPC/basicData/site";
    EachSchool Writes ChangeSiteStatus = "adult:pc:site:changeStatus" "变更站点状态";
}

/// Which site, as it was read, is to become what, and why.
#[derive(Debug, Object)]
#[oai(example)]
struct SiteStatusChange {
    /// 编号
    id: i64,
    /// 状态
    status: SiteStatus,
    /// 原因
    #[oai(validator(min_length = 2, max_length = 200))]
    reason: Option<String>,
    /// 版本
    version: i32,
}

impl Example for SiteStatusChange {
    fn example() -> Self {
        Self {
            id: 1, status: SiteStatus::Suspended, reason: Some("备案到期，暂停招生".to_owned()), version: 1
        }
    }
}

pub struct ChangeStatus;

#[OpenApi(prefix_path = "/adult/pc/site", tag = "crate::Tag::Units")]
impl ChangeStatus {
    /// 变更站点状态
    #[oai(path = "/changeStatus", method = "put", operation_id = "changeSiteStatus")]
    async fn change(
        &self,
        caller: Allowed<ChangeSiteStatus>,
        Body(wanted): Body<SiteStatusChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        // Nobody comes to the site meanwhile: a student or class that refers to it must wait.
        tx.lock("site", wanted.id).await?;
        let before = Sites::find(&mut tx, wanted.id, &caller.scope()).await?;
        let load = sqlx::query_as!(
            Load,
            r#"select (select count(*) from student where site_id = $1 and status in ('registered', 'suspended')) as "students!",
                      (select count(*) from class where site_id = $1 and enabled) as "enabled_classes!""#,
            wanted.id
        )
        .fetch_one(&mut *tx)
        .await?;
        let reason = wanted.reason.as_deref();
        allow(before.status, wanted.status, reason, load).map_err(|refusal| match refusal {
            Refusal::NoReason => Error::field("reason", refusal.to_string()),
            other => Error::conflict(other.to_string()),
        })?;
        let by = tx.by();
        let changed = sqlx::query!(
            "update site set status = $3, updated_at = now(), updated_by = $4, version = version + 1 where id = $1 and version = $2",
            wanted.id,
            wanted.version,
            wanted.status.as_str(),
            by
        )
        .execute(&mut *tx)
        .await?;
        if changed.rows_affected() == 0 {
            return Err(tx.stale("site", wanted.id).await);
        }
        let change = Change::status("site", wanted.id, "status", before.status.as_str(), wanted.status.as_str());
        tx.commit(change.because(reason)).await?;
        Ok(reply(Saved { id: wanted.id }))
    }
}
