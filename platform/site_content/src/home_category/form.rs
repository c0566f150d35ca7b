//! What an operator types of a category of the home page, and how it is written.

use infra::{Change, Edit, Error, OnConstraint, Result, Tx, naming::switched_off};
use poem_openapi::{Object, types::Example};

use super::{HomeCategory, list::find};
use crate::{filter::SiteTerminal, removal::remove};

/// What an operator types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct HomeCategoryForm {
    /// 端
    pub terminal: SiteTerminal,
    /// 分类
    pub category_id: i64,
    /// 标题
    /// 不填时为分类名称
    #[oai(validator(max_length = 20))]
    pub title: Option<String>,
    /// 图标
    /// 以 http://、https:// 或 / 开头
    #[oai(validator(max_length = 300, pattern = r"^(https?://[^\s/\\?#@]+([/?#][^\s\\]*)?|/([^\s/\\][^\s\\]*)?)$"))]
    pub icon: Option<String>,
    /// 排序
    /// 从小到大排列；拖动列表中的行也可调整
    #[oai(default, validator(minimum(value = "0"), maximum(value = "9999")))]
    pub sort: i32,
    /// 启用
    #[oai(default = "on")]
    pub enabled: bool,
}

fn on() -> bool {
    true
}

impl Example for HomeCategoryForm {
    fn example() -> Self {
        Self { terminal: SiteTerminal::Pc, category_id: 1, title: None, icon: None, sort: 0, enabled: true }
    }
}

/// So many have room on the home page of a terminal (01 §9.1).
const MOST: i64 = 10;

impl HomeCategoryForm {
    fn explain_constraint(&self, constraint: &str) -> Option<Error> {
        (constraint == "home_category_taken").then(|| Error::field("categoryId", "该分类已在首页中"))
    }
}

/// # Errors
/// 409 for one more than a terminal has room for; 422 for a category that is not there, switched off, or chosen already.
pub(super) async fn insert(tx: &mut Tx, form: HomeCategoryForm) -> Result<(i64, Change)> {
    lock(tx).await?;
    usable(tx, form.category_id).await?;
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into platform.home_category (terminal, category_id, title, icon, sort, enabled, created_by,
             updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $7) returning id",
        form.terminal.as_str(),
        form.category_id,
        form.title,
        form.icon,
        form.sort,
        form.enabled,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(|constraint| form.explain_constraint(constraint))?;
    few_enough(tx, form.terminal).await?;
    Ok((id, Change::created("home_category", id, &form)))
}

/// # Errors
/// As [`insert`], and 409 when somebody else changed it meanwhile.
pub(super) async fn update(tx: &mut Tx, edit: Edit<HomeCategoryForm>) -> Result<Change> {
    let form = edit.form;
    lock(tx).await?;
    let before: HomeCategory = find(tx, edit.id).await?;
    if before.category_id != form.category_id {
        usable(tx, form.category_id).await?;
    }
    let by = tx.by();
    let changed = sqlx::query!(
        "update platform.home_category set terminal = $3, category_id = $4, title = $5, icon = $6, sort = $7,
                enabled = $8, updated_at = now(), updated_by = $9, version = version + 1
         where id = $1 and version = $2",
        edit.id,
        edit.version,
        form.terminal.as_str(),
        form.category_id,
        form.title,
        form.icon,
        form.sort,
        form.enabled,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(|constraint| form.explain_constraint(constraint))?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("home_category", edit.id).await);
    }
    few_enough(tx, form.terminal).await?;
    let after = find(tx, edit.id).await?;
    Ok(Change::edited("home_category", edit.id, &before, &after))
}

pub(super) async fn delete(tx: &mut Tx, id: i64) -> Result<Change> {
    let before = find(tx, id).await?;
    remove(tx, "home_category", id, &before.name, &before).await
}

/// Nobody else changes the list until this transaction ends: two that are each the tenth would together be eleven.
async fn lock(tx: &mut Tx) -> Result<()> {
    sqlx::query!("lock table platform.home_category in share row exclusive mode").execute(&mut **tx).await?;
    Ok(())
}

async fn few_enough(tx: &mut Tx, terminal: SiteTerminal) -> Result<()> {
    let there = sqlx::query_scalar!(
        r#"select count(*) as "count!" from platform.home_category where terminal = $1"#,
        terminal.as_str()
    )
    .fetch_one(&mut **tx)
    .await?;
    if there > MOST { Err(Error::conflict("每个端的首页分类不能超过10个")) } else { Ok(()) }
}

async fn usable(tx: &mut Tx, category: i64) -> Result<()> {
    let found =
        sqlx::query!("select category_name, enabled from platform.online_category where id = $1 for share", category)
            .fetch_optional(&mut **tx)
            .await?;
    match found {
        None => Err(Error::field("categoryId", "所选分类不存在，请重新选择")),
        Some(category) if !category.enabled => Err(switched_off("categoryId", &category.category_name)),
        Some(_) => Ok(()),
    }
}
