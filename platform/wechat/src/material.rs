//! 素材: pictures, voices, videos and articles that replies send (01 §9.9).
//!
//! ```text
//! kept here, without a number there ─sync→ at the provider, with its number      what the provider has ─sync→ here
//! edited or deleted: what lies at the provider goes with the next sync
//! ```
//! What a reply or an article uses is not deleted.

mod form;
mod list;
mod sync;

use infra::{
    Allowed, Body, Change, Edit, Entity, Error, History, Page, Paged, Part, Reply, Result, Saved,
    access::Permission,
    jobs::{self, JobKind, JobStarted, NewJob},
    permissions, reply,
};
use poem_openapi::{Object, OpenApi, param::Query};
use serde_json::json;
use wechat_rules::enums::GzhMaterialType;

pub use form::{GzhArticleForm, GzhMaterialForm};
pub use list::{GzhArticle, GzhMaterial, GzhMaterialFilter, GzhMaterialView};

permissions! {
    pages "/gzh/sck";
    InPlatform Reads  ListGzhMaterials  = "system:pc:gzh:sck:list" "公众号素材列表";
    InPlatform Reads  ViewGzhMaterial   = "system:pc:gzh:sck:view" "查看公众号素材";
    InPlatform Writes SaveGzhMaterial   = "system:pc:gzh:sck:save" "新增公众号素材";
    InPlatform Writes EditGzhMaterial   = "system:pc:gzh:sck:edit" "编辑公众号素材";
    InPlatform Writes DeleteGzhMaterial = "system:pc:gzh:sck:delete" "删除公众号素材";
    InPlatform Writes SyncGzhMaterials  = "system:pc:gzh:sck:sync" "同步公众号素材";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[GzhMaterialType::ENUMERATION],
    entities: &[
        Entity { table: "gzh_material", name: "公众号素材", counted: "个素材" },
        Entity { table: "gzh_article", name: "公众号图文", counted: "篇图文" },
    ],
    jobs: &[SYNC],
    histories: &[History { table: "gzh_material", code: "system:pc:gzh:sck:view", scope: None }],
    ..Part::NONE
};

/// The exchange with the provider.
const SYNC: JobKind = JobKind {
    kind: "gzh_material.sync",
    code: Some(SyncGzhMaterials::CODE),
    run: |run| Box::pin(sync::sync(run)),
    headings: None,
};

/// A page of materials, with whether there is an account that they belong to.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub struct GzhMaterialPage {
    #[oai(flatten)]
    page: Page<GzhMaterial>,
    /// 公众号已设置
    configured: bool,
}

pub struct GzhMaterials;

#[OpenApi(prefix_path = "/system/pc/gzh/sck", tag = "crate::Tag::Wechat")]
impl GzhMaterials {
    /// 公众号素材列表
    /// 附文件的短时地址
    #[oai(path = "/list", method = "post", operation_id = "listGzhMaterials")]
    async fn list(
        &self,
        caller: Allowed<ListGzhMaterials>,
        Body(asked): Body<Paged<GzhMaterialFilter>>,
    ) -> Result<Reply<GzhMaterialPage>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let configured = crate::account::config(caller.app()).await?.is_some();
        let mut tx = caller.read().await?;
        let total = list::count(&mut tx, &filter).await?;
        let rows = list::select(caller.app(), &mut tx, None, &filter, Some(paging)).await?;
        Ok(reply(GzhMaterialPage { page: paging.page(total, rows), configured }))
    }

    /// 查看公众号素材
    /// 图文附其文章
    #[oai(path = "/view", method = "get", operation_id = "viewGzhMaterial")]
    async fn view(
        &self,
        caller: Allowed<ViewGzhMaterial>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<GzhMaterialView>> {
        let mut tx = caller.read().await?;
        Ok(reply(list::view(caller.app(), &mut tx, id.0).await?))
    }

    /// 新增公众号素材
    /// 同步后才在微信中可用
    #[oai(path = "/save", method = "post", operation_id = "saveGzhMaterial")]
    async fn save(&self, caller: Allowed<SaveGzhMaterial>, Body(form): Body<GzhMaterialForm>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = form::insert(&mut tx, form).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑公众号素材
    /// 文件或图文修改后须重新同步
    #[oai(path = "/edit", method = "put", operation_id = "editGzhMaterial")]
    async fn edit(
        &self,
        caller: Allowed<EditGzhMaterial>,
        Body(edit): Body<Edit<GzhMaterialForm>>,
    ) -> Result<Reply<Saved>> {
        let id = edit.id;
        let mut tx = caller.begin().await?;
        let change = form::update(&mut tx, edit).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除公众号素材
    /// 被回复或图文使用的不能删除；微信中的在下次同步时删除
    #[oai(path = "/delete", method = "delete", operation_id = "deleteGzhMaterial")]
    async fn delete(
        &self,
        caller: Allowed<DeleteGzhMaterial>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = form::delete(&mut tx, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 同步公众号素材
    /// 上传未同步的素材，拉取微信已有的素材，在任务中心查看结果
    #[oai(path = "/sync", method = "post", operation_id = "syncGzhMaterials")]
    async fn sync(&self, caller: Allowed<SyncGzhMaterials>) -> Result<Reply<JobStarted>> {
        crate::account::account(caller.app()).await?;
        let job =
            NewJob {
                kind: SYNC.kind, target: String::new(), title: "同步公众号素材".to_owned(), params: json!({})
            };
        let mut tx = caller.begin().await?;
        let job_id = jobs::start_in(&mut tx, None, &job).await.map_err(|error| match error.code {
            409 => Error::conflict("同步任务正在执行"),
            _ => error,
        })?;
        tx.commit(Change::event("job", job_id, "start", json!({ "kind": SYNC.kind }))).await?;
        jobs::wake(caller.app());
        Ok(reply(JobStarted { job_id }))
    }
}
