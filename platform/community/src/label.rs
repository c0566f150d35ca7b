//! 标签: what blogs and questions are about. Labels that mean the same fall together: what hung on them hangs on the one that stays.

mod form;
mod list;
mod merge;

use community_rules::enums::LabelType;
use futures_util::TryStreamExt;
use infra::{
    Allowed, Body, Bulk, BulkResult, Edit, EnabledChange, Entity, History, Ids, Page, Paged, Part, Reply, Result,
    Saved, permissions, reply,
    transfer::{self, Exported, export_job},
};
use poem_openapi::{OpenApi, param::Query};

pub use form::CommunityLabelForm;
pub use list::{CommunityLabel, CommunityLabelFilter};
pub use merge::CommunityLabelMerge;

pub(crate) use form::{held, insert};

use list::{count, find, select};

permissions! {
    pages "/community/label/list";
    InPlatform Reads       ListCommunityLabels        = "user:pc:community:label:list" "标签列表";
    InPlatform Reads       ViewCommunityLabel         = "user:pc:community:label:view" "查看标签";
    InPlatform Writes      SaveCommunityLabel         = "user:pc:community:label:save" "新增标签";
    InPlatform Writes      EditCommunityLabel         = "user:pc:community:label:edit" "编辑标签";
    InPlatform Writes      DeleteCommunityLabel       = "user:pc:community:label:delete" "删除标签";
    InPlatform Writes      DeleteCommunityLabels      = "user:pc:community:label:batchDel" "批量删除标签";
    InPlatform Writes      ChangeCommunityLabelStatus = "user:pc:community:label:update:status" "启用停用标签";
    InPlatform Writes      MergeCommunityLabels       = "user:pc:community:label:merge" "合并标签";
    InPlatform ReadsLogged ExportCommunityLabels      = "user:pc:community:label:export" "导出标签";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[LabelType::ENUMERATION],
    entities: &[
        Entity { table: "community_label", name: "社区标签", counted: "个标签" },
        Entity { table: "blog_label", name: "博客标签", counted: "条博客" },
        Entity { table: "community_question_label", name: "问答标签", counted: "条问答" },
    ],
    jobs: &[export_job::<CommunityLabels>()],
    histories: &[History { table: "community_label", code: "user:pc:community:label:view", scope: None }],
    ..Part::NONE
};

pub struct CommunityLabels;

#[OpenApi(prefix_path = "/user/pc/community/label", tag = "crate::Tag::Community")]
impl CommunityLabels {
    /// 标签列表
    #[oai(path = "/list", method = "post", operation_id = "listCommunityLabels")]
    async fn list(
        &self,
        caller: Allowed<ListCommunityLabels>,
        Body(asked): Body<Paged<CommunityLabelFilter>>,
    ) -> Result<Reply<Page<CommunityLabel>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let mut tx = caller.read().await?;
        let total = count(&mut tx, &filter).await?;
        let list = select(&mut tx, None, &filter, Some(paging)).try_collect().await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 查看标签
    #[oai(path = "/view", method = "get", operation_id = "viewCommunityLabel")]
    async fn view(
        &self,
        caller: Allowed<ViewCommunityLabel>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<CommunityLabel>> {
        let mut tx = caller.read().await?;
        Ok(reply(find(&mut tx, id.0).await?))
    }

    /// 新增标签
    #[oai(path = "/save", method = "post", operation_id = "saveCommunityLabel")]
    async fn save(
        &self,
        caller: Allowed<SaveCommunityLabel>,
        Body(form): Body<CommunityLabelForm>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = insert(&mut tx, form).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑标签
    #[oai(path = "/edit", method = "put", operation_id = "editCommunityLabel")]
    async fn edit(
        &self,
        caller: Allowed<EditCommunityLabel>,
        Body(edit): Body<Edit<CommunityLabelForm>>,
    ) -> Result<Reply<Saved>> {
        let id = edit.id;
        let mut tx = caller.begin().await?;
        let change = form::update(&mut tx, edit).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除标签
    #[oai(path = "/delete", method = "delete", operation_id = "deleteCommunityLabel")]
    async fn delete(
        &self,
        caller: Allowed<DeleteCommunityLabel>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = form::delete(&mut tx, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除标签
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteCommunityLabels")]
    async fn delete_many(
        &self,
        caller: Allowed<DeleteCommunityLabels>,
        Body(ids): Body<Ids>,
    ) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::named(caller.begin().await?, "community_label", "label_name");
        for id in ids.ids {
            let outcome = form::delete(bulk.row().await?, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 启用停用标签
    #[oai(path = "/update/status", method = "put", operation_id = "changeCommunityLabelStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeCommunityLabelStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = tx.set_enabled("community_label", &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 合并标签
    /// 引用改为合并后的标签，同一条内容上重复的只留一个；被合并的标签删除
    #[oai(path = "/merge", method = "put", operation_id = "mergeCommunityLabels")]
    async fn merge(
        &self,
        caller: Allowed<MergeCommunityLabels>,
        Body(wanted): Body<CommunityLabelMerge>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let changes = merge::merge(&mut tx, &wanted).await?;
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id: wanted.to_id }))
    }

    /// 导出标签
    #[oai(path = "/export", method = "post", operation_id = "exportCommunityLabels")]
    async fn export(
        &self,
        caller: Allowed<ExportCommunityLabels>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<CommunityLabelFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}
