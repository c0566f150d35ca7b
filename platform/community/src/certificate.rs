//! 认证: what learners say that they are, proved by private files (01 §9.8).
//!
//! ```text
//! pending ─approve→ approved: a badge until its last day      approved ─revoke→ revoked, with a reason
//!         ─reject→  rejected, with an opinion; they may ask again
//! ```
//! A learner has one that waits. One that holds is revoked before it is deleted.

mod apply;
mod list;
mod step;

use community_rules::enums::{CertType, CommunityCertificateStatus};
use futures_util::TryStreamExt;
use infra::{
    Allowed, Body, Bulk, BulkResult, Entity, History, Ids, Page, Paged, Part, Reply, Result, Saved, permissions, reply,
    transfer::{self, Exported, export_job},
};
use poem_openapi::{OpenApi, param::Query};

pub use apply::{CommunityCertificateForm, apply};
pub use list::{CertificateProof, CommunityCertificate, CommunityCertificateFilter, CommunityCertificateView};
pub use step::{CertificateDecision, CertificateRevocation};

use list::{count, select};

permissions! {
    pages "/community/certificate/list";
    InPlatform Reads       ListCommunityCertificates   = "user:pc:community:certificate:list" "认证列表";
    InPlatform ReadsLogged ViewCommunityCertificate    = "user:pc:community:certificate:view" "查看认证";
    InPlatform Writes      AuditCommunityCertificate   = "user:pc:community:certificate:audit" "审核认证";
    InPlatform Writes      RevokeCommunityCertificate  = "user:pc:community:certificate:revoke" "撤销认证";
    InPlatform Writes      DeleteCommunityCertificate  = "user:pc:community:certificate:delete" "删除认证";
    InPlatform Writes      DeleteCommunityCertificates = "user:pc:community:certificate:batchDel" "批量删除认证";
    InPlatform ReadsLogged ExportCommunityCertificates = "user:pc:community:certificate:export" "导出认证";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[CertType::ENUMERATION, CommunityCertificateStatus::ENUMERATION],
    entities: &[Entity { table: "community_certificate", name: "社区认证", counted: "个认证" }],
    jobs: &[export_job::<CommunityCertificates>()],
    histories: &[History { table: "community_certificate", code: "user:pc:community:certificate:view", scope: None }],
    ..Part::NONE
};

pub struct CommunityCertificates;

#[OpenApi(prefix_path = "/user/pc/community/certificate", tag = "crate::Tag::Community")]
impl CommunityCertificates {
    /// 认证列表
    #[oai(path = "/list", method = "post", operation_id = "listCommunityCertificates")]
    async fn list(
        &self,
        caller: Allowed<ListCommunityCertificates>,
        Body(asked): Body<Paged<CommunityCertificateFilter>>,
    ) -> Result<Reply<Page<CommunityCertificate>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let today = caller.app().clock().today();
        let mut tx = caller.read().await?;
        let total = count(&mut tx, &filter).await?;
        let list = select(&mut tx, today, None, &filter, Some(paging)).try_collect().await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 查看认证
    /// 附证明材料的短时地址
    #[oai(path = "/view", method = "get", operation_id = "viewCommunityCertificate")]
    async fn view(
        &self,
        caller: Allowed<ViewCommunityCertificate>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<CommunityCertificateView>> {
        let mut tx = caller.read().await?;
        Ok(reply(list::view(caller.app(), &mut tx, id.0).await?))
    }

    /// 审核认证
    #[oai(path = "/audit", method = "put", operation_id = "auditCommunityCertificate")]
    async fn decide(
        &self,
        caller: Allowed<AuditCommunityCertificate>,
        Body(decision): Body<CertificateDecision>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = step::decide(&mut tx, &decision).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: decision.id }))
    }

    /// 撤销认证
    /// 撤销后不再展示徽章，可以重新申请
    #[oai(path = "/revoke", method = "put", operation_id = "revokeCommunityCertificate")]
    async fn revoke(
        &self,
        caller: Allowed<RevokeCommunityCertificate>,
        Body(wanted): Body<CertificateRevocation>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = step::revoke(&mut tx, &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 删除认证
    /// 已通过的认证先撤销再删除
    #[oai(path = "/delete", method = "delete", operation_id = "deleteCommunityCertificate")]
    async fn delete(
        &self,
        caller: Allowed<DeleteCommunityCertificate>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = step::remove(&mut tx, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除认证
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteCommunityCertificates")]
    async fn delete_many(
        &self,
        caller: Allowed<DeleteCommunityCertificates>,
        Body(ids): Body<Ids>,
    ) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::named(caller.begin().await?, "community_certificate", "title");
        for id in ids.ids {
            let outcome = step::remove(bulk.row().await?, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 导出认证
    #[oai(path = "/export", method = "post", operation_id = "exportCommunityCertificates")]
    async fn export(
        &self,
        caller: Allowed<ExportCommunityCertificates>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<CommunityCertificateFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}
