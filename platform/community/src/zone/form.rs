//! What an operator types of a shelf of blogs, and how it is written.

use infra::{Change, Edit, Error, Result, Tx, naming::tidy};
use poem_openapi::{Object, types::Example};
use site_content::removal::remove;

use super::list::find;

/// What an operator types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ArticleZoneForm {
    /// 标题
    #[oai(validator(max_length = 20))]
    pub zone_title: String,
    /// 排序
    /// 从小到大排列；拖动列表中的行也可调整
    #[oai(default = "first", validator(minimum(value = "0"), maximum(value = "9999")))]
    pub sort: i32,
    /// 启用
    #[oai(default = "on")]
    pub enabled: bool,
}

fn first() -> i32 {
    1
}

fn on() -> bool {
    true
}

impl Example for ArticleZoneForm {
    fn example() -> Self {
        Self { zone_title: "备考心得".to_owned(), sort: 1, enabled: true }
    }
}

impl ArticleZoneForm {
    /// # Errors
    /// 422 for a title of blanks.
    fn tidy(mut self) -> Result<Self> {
        self.zone_title = tidy(&self.zone_title);
        if self.zone_title.is_empty() { Err(Error::field("zoneTitle", "请填写标题")) } else { Ok(self) }
    }
}

pub(super) async fn insert(tx: &mut Tx, form: ArticleZoneForm) -> Result<(i64, Change)> {
    let form = form.tidy()?;
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into platform.article_zone (zone_title, sort, enabled, created_by, updated_by) values ($1, $2, $3, $4, $4)
         returning id",
        form.zone_title,
        form.sort,
        form.enabled,
        by
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok((id, Change::created("article_zone", id, &form)))
}

pub(super) async fn update(tx: &mut Tx, edit: Edit<ArticleZoneForm>) -> Result<Change> {
    let (id, version, form) = (edit.id, edit.version, edit.form.tidy()?);
    tx.lock("article_zone", id).await?;
    let before = find(tx, id).await?;
    let by = tx.by();
    let changed = sqlx::query!(
        "update platform.article_zone set zone_title = $3, sort = $4, enabled = $5, updated_at = now(), updated_by = $6,
                version = version + 1
         where id = $1 and version = $2",
        id,
        version,
        form.zone_title,
        form.sort,
        form.enabled,
        by
    )
    .execute(&mut **tx)
    .await?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("article_zone", id).await);
    }
    let after = find(tx, id).await?;
    Ok(Change::edited("article_zone", id, &before, &after))
}

/// What stands on the shelf leaves it.
pub(super) async fn delete(tx: &mut Tx, id: i64) -> Result<Change> {
    tx.lock("article_zone", id).await?;
    let before = find(tx, id).await?;
    sqlx::query!("delete from platform.article_zone_item where zone_id = $1", id).execute(&mut **tx).await?;
    remove(tx, "article_zone", id, &before.zone_title, &before).await
}
