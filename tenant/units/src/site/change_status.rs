//! 停招, 恢复, 撤销: what becomes of a site.

use infra::{Allowed, Body, Change, Error, Reply, Result, Saved, across::Keyed, permissions, reply};
use poem_openapi::{Object, OpenApi, types::Example};

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

/// What still hangs on a site.
#[derive(Debug, Clone, Copy)]
struct Load {
    /// In status registered or suspended.
    students: i64,
    enabled_classes: i64,
}

/// Why a site may not become what is wanted.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
enum Refusal {
    #[error("站点已经是{}状态", .0.zh())]
    Already(SiteStatus),
    #[error("该站点还有{0}，不能撤销")]
    InUse(String),
    #[error("请填写原因")]
    NoReason,
    #[error("已撤销的站点只能恢复为停招")]
    ClosedFirst,
}

/// A closed site comes back as suspended, with a reason; closing waits until nobody studies there.
fn allow(from: SiteStatus, to: SiteStatus, reason: Option<&str>, load: Load) -> Result<(), Refusal> {
    use SiteStatus::{Active, Closed, Suspended};
    match (from, to) {
        (Active, Active) | (Suspended, Suspended) | (Closed, Closed) => Err(Refusal::Already(to)),
        (Active, Suspended) | (Suspended, Active) => Ok(()),
        (Active | Suspended, Closed) => {
            let kinds = [(load.students, "名在籍学生"), (load.enabled_classes, "个启用班级")];
            let left: Vec<String> =
                kinds.iter().filter(|(n, _)| *n > 0).map(|(n, counted)| format!("{n}{counted}")).collect();
            if left.is_empty() { Ok(()) } else { Err(Refusal::InUse(left.join("、"))) }
        }
        (Closed, Suspended) if reason.is_none() => Err(Refusal::NoReason),
        (Closed, Suspended) => Ok(()),
        (Closed, Active) => Err(Refusal::ClosedFirst),
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

#[cfg(test)]
mod tests {
    use super::*;
    use SiteStatus::{Active, Closed, Suspended};

    const NOBODY: Load = Load { students: 0, enabled_classes: 0 };

    fn told(from: SiteStatus, to: SiteStatus, reason: Option<&str>, load: Load) -> String {
        allow(from, to, reason, load).map_or_else(|refusal| refusal.to_string(), |()| "可以".to_owned())
    }

    #[test]
    fn closing_waits_for_students_and_classes() {
        let told = |students, enabled_classes| told(Active, Closed, None, Load { students, enabled_classes });
        assert_eq!(told(0, 0), "可以");
        assert_eq!(told(40, 2), "该站点还有40名在籍学生、2个启用班级，不能撤销");
        assert_eq!(told(40, 0), "该站点还有40名在籍学生，不能撤销");
    }

    #[test]
    fn a_closed_site_comes_back_as_suspended_with_a_reason() {
        assert_eq!(told(Closed, Suspended, None, NOBODY), "请填写原因");
        assert_eq!(told(Closed, Suspended, Some("重新备案"), NOBODY), "可以");
        assert_eq!(told(Closed, Active, Some("重新备案"), NOBODY), "已撤销的站点只能恢复为停招");
    }

    #[test]
    fn suspending_goes_both_ways() {
        assert_eq!(told(Active, Suspended, None, NOBODY), "可以");
        assert_eq!(told(Suspended, Active, None, NOBODY), "可以");
        assert_eq!(told(Suspended, Suspended, None, NOBODY), "站点已经是停招状态");
    }
}
