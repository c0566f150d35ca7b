//! 博主: learners who wrote a blog (01 §9.8). Whoever is switched off keeps their blogs, which nobody on the site sees meanwhile, and
//! writes no more.

mod list;

use chrono::NaiveDate;
use futures_util::TryStreamExt;
use infra::{
    Allowed, Body, Bulk, BulkResult, Change, Edit, EnabledChange, Entity, Error, History, Ids, Page, Paged, Part,
    Reply, Result, Saved, Tx, permissions, pinyin, reply,
    transfer::{self, Exported, export_job},
};
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use serde_json::json;
use site_content::removal::remove;

pub use list::{CommunityBlogger, CommunityBloggerFilter};

use list::{count, find, select};

permissions! {
    pages "/community/blogger/list";
    InPlatform Reads       ListBloggers        = "user:pc:community:blogger:list" "博主列表";
    InPlatform Reads       ViewBlogger         = "user:pc:community:blogger:view" "查看博主";
    InPlatform Writes      EditBlogger         = "user:pc:community:blogger:edit" "设置博主等级";
    InPlatform Writes      ChangeBloggerStatus = "user:pc:community:blogger:update:status" "启用停用博主";
    InPlatform Writes      DeleteBlogger       = "user:pc:community:blogger:delete" "删除博主";
    InPlatform Writes      DeleteBloggers      = "user:pc:community:blogger:batchDel" "批量删除博主";
    InPlatform ReadsLogged ExportBloggers      = "user:pc:community:blogger:export" "导出博主";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[Entity { table: "blogger", name: "博主", counted: "位博主" }],
    jobs: &[export_job::<Bloggers>()],
    histories: &[History { table: "blogger", code: "user:pc:community:blogger:view", scope: None }],
    ..Part::NONE
};

/// What an operator types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct BloggerForm {
    /// 等级
    /// 1至10
    #[oai(validator(minimum(value = "1"), maximum(value = "10")))]
    pub level: i32,
    /// 简介
    #[oai(validator(max_length = 500))]
    pub introduce: Option<String>,
}

impl Example for BloggerForm {
    fn example() -> Self {
        Self { level: 2, introduce: None }
    }
}

pub struct Bloggers;

#[OpenApi(prefix_path = "/user/pc/community/blogger", tag = "crate::Tag::Community")]
impl Bloggers {
    /// 博主列表
    #[oai(path = "/list", method = "post", operation_id = "listBloggers")]
    async fn list(
        &self,
        caller: Allowed<ListBloggers>,
        Body(asked): Body<Paged<CommunityBloggerFilter>>,
    ) -> Result<Reply<Page<CommunityBlogger>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let today = caller.app().clock().today();
        let mut tx = caller.read().await?;
        let total = count(&mut tx, &filter).await?;
        let list = select(&mut tx, today, None, &filter, Some(paging)).try_collect().await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 查看博主
    #[oai(path = "/view", method = "get", operation_id = "viewBlogger")]
    async fn view(
        &self,
        caller: Allowed<ViewBlogger>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<CommunityBlogger>> {
        let today = caller.app().clock().today();
        let mut tx = caller.read().await?;
        Ok(reply(find(&mut tx, today, id.0).await?))
    }

    /// 设置博主等级
    #[oai(path = "/edit", method = "put", operation_id = "editBlogger")]
    async fn edit(&self, caller: Allowed<EditBlogger>, Body(edit): Body<Edit<BloggerForm>>) -> Result<Reply<Saved>> {
        let (id, today) = (edit.id, caller.app().clock().today());
        let mut tx = caller.begin().await?;
        let change = update(&mut tx, today, edit).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 启用停用博主
    /// 停用后其博客不在网站上展示，数据保留
    #[oai(path = "/update/status", method = "put", operation_id = "changeBloggerStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeBloggerStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = tx.set_enabled("blogger", &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 删除博主
    /// 有博客的博主不能删除，可以停用
    #[oai(path = "/delete", method = "delete", operation_id = "deleteBlogger")]
    async fn delete(
        &self,
        caller: Allowed<DeleteBlogger>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let today = caller.app().clock().today();
        let mut tx = caller.begin().await?;
        let change = delete(&mut tx, today, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除博主
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteBloggers")]
    async fn delete_many(&self, caller: Allowed<DeleteBloggers>, Body(ids): Body<Ids>) -> Result<Reply<BulkResult>> {
        let today = caller.app().clock().today();
        let mut bulk = Bulk::named(caller.begin().await?, "blogger", "blogger_name");
        for id in ids.ids {
            let outcome = delete(bulk.row().await?, today, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 导出博主
    #[oai(path = "/export", method = "post", operation_id = "exportBloggers")]
    async fn export(
        &self,
        caller: Allowed<ExportBloggers>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<CommunityBloggerFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}

async fn update(tx: &mut Tx, today: NaiveDate, edit: Edit<BloggerForm>) -> Result<Change> {
    let Edit { id, version, form } = edit;
    tx.lock("blogger", id).await?;
    let before = find(tx, today, id).await?;
    let by = tx.by();
    let changed = sqlx::query!(
        "update platform.blogger set level = $3, introduce = $4, updated_at = now(), updated_by = $5, version = version + 1
         where id = $1 and version = $2",
        id,
        version,
        form.level,
        form.introduce,
        by
    )
    .execute(&mut **tx)
    .await?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("blogger", id).await);
    }
    let after = find(tx, today, id).await?;
    Ok(Change::edited("blogger", id, &before, &after))
}

/// # Errors
/// 409 while there are blogs of theirs, or a recommendation shows them.
async fn delete(tx: &mut Tx, today: NaiveDate, id: i64) -> Result<Change> {
    tx.lock("blogger", id).await?;
    let before = find(tx, today, id).await?;
    remove(tx, "blogger", id, &before.blogger_name, &before).await
}

/// The blogger that a learner is, or becomes by what they are about to write; nobody switches them off meanwhile.
///
/// # Errors
/// 409 for one who is switched off.
pub(crate) async fn writing(tx: &mut Tx, (learner, name): (i64, String)) -> Result<(i64, Option<Change>)> {
    let by = tx.by();
    let initials = pinyin::initials(&name);
    let made = sqlx::query_scalar!(
        "insert into platform.blogger (learner_id, blogger_name, initials, created_by, updated_by) values ($1, $2, $3, $4, $4)
         on conflict on constraint blogger_learner_taken do nothing returning id",
        learner,
        name,
        initials,
        by
    )
    .fetch_optional(&mut **tx)
    .await?;
    if let Some(id) = made {
        return Ok((id, Some(Change::event("blogger", id, "insert", json!({ "bloggerName": name })))));
    }
    let known = sqlx::query!(
        "select id, enabled, blogger_name from platform.blogger where learner_id = $1 for update",
        learner
    )
    .fetch_one(&mut **tx)
    .await?;
    if !known.enabled {
        return Err(Error::conflict("您的博主身份已停用，不能发表博客"));
    }
    if known.blogger_name == name {
        return Ok((known.id, None));
    }
    sqlx::query!(
        "update platform.blogger set blogger_name = $2, initials = $3, updated_at = now(), updated_by = $4, version = version + 1
         where id = $1",
        known.id,
        name,
        initials,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok((known.id, Some(Change::status("blogger", known.id, "bloggerName", known.blogger_name, name))))
}
