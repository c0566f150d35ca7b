//! 发布 and 拉取: the menu goes to the provider and comes from it. Nothing waits for the provider inside a transaction.

use infra::{Allowed, Change, Result, Tx};
use poem_openapi::Object;
use serde_json::json;
use wechat_rules::{
    enums::GzhMenuType,
    menu::{Entry, published, pulled, shown},
};

use super::{
    PublishGzhMenu, PullGzhMenu,
    form::held,
    list::{all, entries},
};
use crate::account::{account, is_refused_with, refused};

/// What the provider says when it has no menu.
const NO_MENU: &str = "46003";

/// What came.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct GzhMenuPulled {
    /// 菜单数
    pub count: i64,
    /// 提醒
    pub warnings: Vec<String>,
}

/// Sends the whole tree and keeps what was sent. Answers the number of the version.
///
/// # Errors
/// 409 without a config, and with the provider's code and text; 422 for a menu that it would not take.
pub(super) async fn publish(caller: &Allowed<PublishGzhMenu>) -> Result<i64> {
    let app = caller.app();
    let account = account(app).await?;
    let mut look = caller.read().await?;
    let menu = all(&mut look).await?;
    drop(look);
    let count = menu.len();
    let content = published(&entries(menu))?;
    account.post(app.clock().now(), "menu/create", &content).await.map_err(refused)?;
    let mut tx = caller.begin().await?;
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into platform.gzh_publish (content, created_by, updated_by) values ($1, $2, $2) returning id",
        content,
        by
    )
    .fetch_one(&mut *tx)
    .await?;
    tx.commit(Change::event("gzh_publish", id, "publish", json!({ "menuCount": count }))).await?;
    Ok(id)
}

/// What the provider has takes the place of what is kept here.
///
/// # Errors
/// 409 without a config, and with the provider's code and text.
pub(super) async fn pull(caller: &Allowed<PullGzhMenu>) -> Result<GzhMenuPulled> {
    let app = caller.app();
    let account = account(app).await?;
    let (menu, unknown) = match account.get(app.clock().now(), "menu/get").await {
        Ok(answer) => pulled(&answer),
        Err(outcome) if is_refused_with(&outcome, NO_MENU) => (Vec::new(), Vec::new()),
        Err(outcome) => return Err(refused(outcome)),
    };
    let mut tx = caller.begin().await?;
    held(&mut tx).await?;
    sqlx::query!("delete from platform.gzh_menu where parent_id is not null").execute(&mut *tx).await?;
    sqlx::query!("delete from platform.gzh_menu").execute(&mut *tx).await?;
    let (mut count, mut names) = (0, Vec::new());
    for (entry, sort) in menu.iter().zip(1..) {
        let parent = kept(&mut tx, None, entry, sort).await?;
        names.push(entry.name.as_str());
        count += 1;
        for (below, sort) in entry.below.iter().zip(1..) {
            kept(&mut tx, Some(parent), below, sort).await?;
            names.push(below.name.as_str());
            count += 1;
        }
    }
    // What followers see is what stands here now; what the console has no action for is still to be changed.
    if let Some(content) = shown(&menu) {
        let by = tx.by();
        sqlx::query!(
            "insert into platform.gzh_publish (content, pulled, created_by, updated_by) values ($1, true, $2, $2)",
            content,
            by
        )
        .execute(&mut *tx)
        .await?;
    }
    tx.commit(Change::event("gzh_menu", 0, "pull", json!({ "menuNames": names }))).await?;
    let warnings = unknown.iter().map(|name| format!("菜单“{name}”的动作这里不支持，请重新设置")).collect();
    Ok(GzhMenuPulled { count, warnings })
}

async fn kept(tx: &mut Tx, parent: Option<i64>, entry: &Entry, sort: i32) -> Result<i64> {
    let by = tx.by();
    let action = &entry.action;
    let id = sqlx::query_scalar!(
        "insert into platform.gzh_menu (parent_id, name, menu_type, menu_key, url, app_id, page_path, sort, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9) returning id",
        parent,
        entry.name,
        action.menu_type.map(GzhMenuType::as_str),
        action.menu_key,
        action.url,
        action.app_id,
        action.page_path,
        sort,
        by
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(id)
}
