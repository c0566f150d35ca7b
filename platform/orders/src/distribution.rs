//! 分销记录: what promoters get of orders (01 §9.4). Nobody types into it; payments, settlements and refunds write it.

mod list;
mod sheet;

use futures_util::TryStreamExt;
use infra::{
    Allowed, Body, Entity, Page, Paged, Part, Reply, Result, permissions, reply,
    transfer::{self, Exported, export_job},
};
use order_rules::enums::DistributionStatus;
use poem_openapi::{OpenApi, param::Query};

pub use list::{Distribution, DistributionFilter};

use list::{count, find, select};

permissions! {
    pages "/user/distribution/list";
    InPlatform Reads       ListDistributions        = "user:pc:distribution:list" "分销记录列表";
    InPlatform Reads       ViewDistribution         = "user:pc:distribution:view" "查看分销记录";
    InPlatform ReadsLogged ExportDistributions      = "user:pc:distribution:export" "导出分销记录";
    InPlatform ReadsLogged ExportDistributionsPlain = "user:pc:distribution:exportPlain" "导出分销记录完整信息";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[DistributionStatus::ENUMERATION],
    entities: &[Entity { table: "distribution", name: "分销记录", counted: "条分销记录" }],
    jobs: &[export_job::<Distributions>()],
    ..Part::NONE
};

pub struct Distributions;

#[OpenApi(prefix_path = "/user/pc/distribution", tag = "crate::Tag::Orders")]
impl Distributions {
    /// 分销记录列表
    #[oai(path = "/list", method = "post", operation_id = "listDistributions")]
    async fn list(
        &self,
        caller: Allowed<ListDistributions>,
        Body(asked): Body<Paged<DistributionFilter>>,
    ) -> Result<Reply<Page<Distribution>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let mut tx = caller.read().await?;
        let total = count(&mut tx, &filter).await?;
        let mut list: Vec<Distribution> = select(&mut tx, None, &filter, Some(paging)).try_collect().await?;
        list.iter_mut().for_each(Distribution::mask);
        Ok(reply(paging.page(total, list)))
    }

    /// 查看分销记录
    #[oai(path = "/view", method = "get", operation_id = "viewDistribution")]
    async fn view(
        &self,
        caller: Allowed<ViewDistribution>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Distribution>> {
        let mut tx = caller.read().await?;
        let mut found = find(&mut tx, id.0).await?;
        found.mask();
        Ok(reply(found))
    }

    /// 导出分销记录
    #[oai(path = "/export", method = "post", operation_id = "exportDistributions")]
    async fn export(
        &self,
        caller: Allowed<ExportDistributions>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<DistributionFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}
