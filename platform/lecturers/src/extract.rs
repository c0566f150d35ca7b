//! 提现: what a lecturer takes out of their account (01 §9.5).
//!
//! ```text
//! pending ─approve→ approved ─pay→ paid       kept back meanwhile, then taken out
//!    └─reject→ rejected      └──→ failed      given back
//! ```
//! Who approves does not pay, unless the operator's parameter says otherwise.

mod apply;
mod list;
mod sheet;
mod step;

use catalogue_rules::audit::{AuditDecision, AuditDecisions};
use futures_util::TryStreamExt;
use infra::{
    Allowed, Body, Bulk, BulkResult, Entity, History, Page, Paged, Part, Reply, Result, Saved, UnmaskedFields,
    enumeration,
    params::{BoolParam, IntParam, Param},
    permissions, reply,
    transfer::{self, Exported, export_job},
};
use poem_openapi::{Object, OpenApi, param::Query};

pub use apply::{BankCard, apply};
pub use list::{Extract, ExtractFilter, ExtractSum};
pub use step::ExtractPayment;

use list::{find, select, sums};
use step::{decide, pay};

use crate::account::check::broken;

permissions! {
    pages "/user/account/extract/log/list";
    InPlatform Reads       ListExtracts       = "user:pc:account:extract:log:list" "提现记录列表";
    InPlatform Reads       ViewExtract        = "user:pc:account:extract:log:view" "查看提现记录";
    InPlatform ReadsLogged ViewExtractPlain   = "user:pc:account:extract:log:viewPlain" "查看提现完整信息";
    InPlatform Writes      AuditExtract       = "user:pc:account:extract:log:audit" "审核提现";
    InPlatform Writes      AuditExtracts      = "user:pc:account:extract:log:batchReview" "批量审核提现";
    InPlatform Writes      PayExtract         = "user:pc:account:extract:log:pay" "打款登记";
    InPlatform ReadsLogged ExportExtracts     = "user:pc:account:extract:log:export" "导出提现记录";
    InPlatform ReadsLogged ExportExtractsPlain = "user:pc:account:extract:log:exportPlain" "导出提现完整信息";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[ExtractStatus::ENUMERATION],
    entities: &[Entity { table: "account_extract_log", name: "提现记录", counted: "条提现记录" }],
    jobs: &[export_job::<Extracts>()],
    plain: &[PLAIN],
    histories: &[History { table: "account_extract_log", code: "user:pc:account:extract:log:view", scope: None }],
    params: &[PARAMS],
    ..Part::NONE
};

const PLAIN: UnmaskedFields = UnmaskedFields {
    entity: "extract",
    table: "platform.account_extract_log",
    code: "user:pc:account:extract:log:viewPlain",
    fields: &[("bankCardNo", "bank_card_no"), ("phone", "phone")],
    scope: ("id", None),
    live: None,
    platform: Some("$2::bigint is null and $3::bigint is not null"),
};

/// 分.
const LEAST: IntParam = IntParam { code: "account.minExtract", default: 10_000, min: 1, max: 100_000_000 };

const TWO_PERSONS: BoolParam = BoolParam { code: "extract.twoPersons", default: true };

const PARAMS: &[Param] =
    &[LEAST.entry("最低提现金额（分）", "提现"), TWO_PERSONS.entry("提现审核人与打款人须不同", "提现")];

enumeration! {
    /// 提现状态
    pub enum ExtractStatus = "extractStatus" {
        Pending = "pending" "待审核",
        Approved = "approved" "待打款",
        Paid = "paid" "已打款",
        Rejected = "rejected" "已驳回",
        Failed = "failed" "打款失败",
    }
}

/// A page of withdrawals, with what all that the filter names come to.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub struct ExtractPage {
    #[oai(flatten)]
    page: Page<Extract>,
    /// 各状态合计
    sums: Vec<ExtractSum>,
    /// 账目不平的账户数
    /// 每晚核对，总收入与流水合计不一致
    unbalanced: i64,
}

pub struct Extracts;

#[OpenApi(prefix_path = "/user/pc/account/extract/log", tag = "crate::Tag::Lecturers")]
impl Extracts {
    /// 提现记录列表
    #[oai(path = "/list", method = "post", operation_id = "listExtracts")]
    async fn list(
        &self,
        caller: Allowed<ListExtracts>,
        Body(asked): Body<Paged<ExtractFilter>>,
    ) -> Result<Reply<ExtractPage>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let mut tx = caller.read().await?;
        let sums = sums(&mut tx, &filter).await?;
        let segments = sums.iter().map(ExtractSum::segment).collect();
        let mut list: Vec<Extract> = select(&mut tx, None, &filter, Some(paging)).try_collect().await?;
        list.iter_mut().for_each(Extract::mask);
        let unbalanced = broken(&mut tx).await?;
        let page = paging.page_of_state(segments, filter.status.map(ExtractStatus::as_str), list);
        let wanted = |sum: &ExtractSum| filter.status.is_none_or(|status| status == sum.status);
        let sums = sums.into_iter().filter(wanted).collect();
        Ok(reply(ExtractPage { page, sums, unbalanced }))
    }

    /// 查看提现记录
    #[oai(path = "/view", method = "get", operation_id = "viewExtract")]
    async fn view(
        &self,
        caller: Allowed<ViewExtract>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Extract>> {
        let mut tx = caller.read().await?;
        let mut found = find(&mut tx, id.0).await?;
        found.mask();
        Ok(reply(found))
    }

    /// 审核提现
    #[oai(path = "/audit", method = "put", operation_id = "auditExtract")]
    async fn decide_one(
        &self,
        caller: Allowed<AuditExtract>,
        Body(decision): Body<AuditDecision>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = decide(&mut tx, &decision).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: decision.id }))
    }

    /// 批量审核提现
    #[oai(path = "/batchReview", method = "put", operation_id = "auditExtracts")]
    async fn decide_many(
        &self,
        caller: Allowed<AuditExtracts>,
        Body(decisions): Body<AuditDecisions>,
    ) -> Result<Reply<BulkResult>> {
        decisions.check()?;
        let mut bulk = Bulk::named(caller.begin().await?, "account_extract_log", "bank_user_name");
        for decision in decisions.each() {
            let outcome = decide(bulk.row().await?, &decision).await;
            bulk.ended(decision.id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 打款登记
    #[oai(path = "/pay", method = "put", operation_id = "payExtract")]
    async fn pay(&self, caller: Allowed<PayExtract>, Body(payment): Body<ExtractPayment>) -> Result<Reply<Saved>> {
        let two_persons = caller.app().flag(TWO_PERSONS).await?;
        let mut tx = caller.begin().await?;
        let change = pay(&mut tx, &payment, two_persons).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: payment.id }))
    }

    /// 导出提现记录
    #[oai(path = "/export", method = "post", operation_id = "exportExtracts")]
    async fn export(
        &self,
        caller: Allowed<ExportExtracts>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<ExtractFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}
