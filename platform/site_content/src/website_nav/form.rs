//! What an operator types of the foot of the site, where it may stand, and how it is written.

use infra::{
    Change, Edit, Error, Result, RichText, Tx,
    naming::{switched_off, tidy},
};
use poem_openapi::{Object, types::Example};
use site_content_rules::footer::leads_once;

use super::{FooterNav, list::find};
use crate::removal::remove;

/// Characters of an article.
const ARTICLE: usize = 10_000;

/// What an operator types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct FooterNavForm {
    /// 上级导航
    /// 留空为一级导航，最多两级
    pub parent_id: Option<i64>,
    /// 标题
    #[oai(validator(max_length = 20))]
    pub nav_title: String,
    /// 链接
    /// 以 http://、https:// 或 / 开头；二级导航在链接和文章内容中填写一项
    #[oai(validator(max_length = 300, pattern = r"^(https?://[^\s/\\?#@]+([/?#][^\s\\]*)?|/([^\s/\\][^\s\\]*)?)$"))]
    pub link_url: Option<String>,
    /// 文章内容
    /// 文字最多10000个字符
    pub content: Option<RichText>,
    /// 排序
    /// 同级中从小到大排列
    #[oai(default, validator(minimum(value = "0"), maximum(value = "9999")))]
    pub sort: i32,
    /// 启用
    #[oai(default = "on")]
    pub enabled: bool,
}

fn on() -> bool {
    true
}

impl Example for FooterNavForm {
    fn example() -> Self {
        Self {
            parent_id: None,
            nav_title: "关于我们".to_owned(),
            link_url: None,
            content: None,
            sort: 0,
            enabled: true,
        }
    }
}

impl FooterNavForm {
    /// # Errors
    /// 422 unless it leads to one place (or, as a column, to none), and for an article that is too long.
    fn in_itself(mut self) -> Result<Self> {
        self.nav_title = tidy(&self.nav_title);
        if let Some(article) = &self.content {
            article.at_most("content", "文章内容", ARTICLE)?;
        }
        self.content = self.content.filter(|article| !article.is_blank());
        leads_once(self.parent_id.is_some(), self.link_url.is_some(), self.content.is_some())?;
        Ok(self)
    }
}

/// # Errors
/// 422 unless it leads to one place, or for a place below no column.
pub(super) async fn insert(tx: &mut Tx, form: FooterNavForm) -> Result<(i64, Change)> {
    let form = form.in_itself()?;
    lock(tx).await?;
    may_stand(tx, None, form.parent_id).await?;
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into platform.website_nav (parent_id, nav_title, link_url, content, sort, enabled, created_by,
             updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $7) returning id",
        form.parent_id,
        form.nav_title,
        form.link_url,
        form.content.as_ref().map(RichText::as_str),
        form.sort,
        form.enabled,
        by
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok((id, Change::created("website_nav", id, &form)))
}

/// # Errors
/// As [`insert`], and 409 when somebody else changed it meanwhile.
pub(super) async fn update(tx: &mut Tx, edit: Edit<FooterNavForm>) -> Result<Change> {
    let form = edit.form.in_itself()?;
    lock(tx).await?;
    let before = find(tx, edit.id).await?;
    may_stand(tx, Some(&before), form.parent_id).await?;
    let by = tx.by();
    let changed = sqlx::query!(
        "update platform.website_nav set parent_id = $3, nav_title = $4, link_url = $5, content = $6, sort = $7,
                enabled = $8,
                updated_at = now(), updated_by = $9, version = version + 1
         where id = $1 and version = $2",
        edit.id,
        edit.version,
        form.parent_id,
        form.nav_title,
        form.link_url,
        form.content.as_ref().map(RichText::as_str),
        form.sort,
        form.enabled,
        by
    )
    .execute(&mut **tx)
    .await?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("website_nav", edit.id).await);
    }
    let after = find(tx, edit.id).await?;
    Ok(Change::edited("website_nav", edit.id, &before, &after))
}

/// # Errors
/// 409 with the number of what stands below it.
pub(super) async fn delete(tx: &mut Tx, id: i64) -> Result<Change> {
    let before = find(tx, id).await?;
    remove(tx, "website_nav", id, &before.nav_title, &before).await
}

/// Nobody else changes the tree until this transaction ends.
async fn lock(tx: &mut Tx) -> Result<()> {
    sqlx::query!("lock table platform.website_nav in share row exclusive mode").execute(&mut **tx).await?;
    Ok(())
}

/// An entry stands at the first level, or below one of it, and then has nothing below itself.
async fn may_stand(tx: &mut Tx, before: Option<&FooterNav>, parent: Option<i64>) -> Result<()> {
    let moved = before.is_none_or(|before| before.parent_id != parent);
    let Some(parent) = parent.filter(|_| moved) else { return Ok(()) };
    let own = before.map(|before| before.id);
    if own == Some(parent) {
        return Err(Error::field("parentId", "不能移动到自己的下级"));
    }
    let above = sqlx::query!("select parent_id, nav_title, enabled from platform.website_nav where id = $1", parent)
        .fetch_optional(&mut **tx)
        .await?;
    let above = above.ok_or_else(|| Error::field("parentId", "所选上级导航不存在，请重新选择"))?;
    let below = sqlx::query_scalar!(
        r#"select exists (select from platform.website_nav where parent_id = $1) as "below!""#,
        own
    )
    .fetch_one(&mut **tx)
    .await?;
    if above.parent_id.is_some() || below {
        return Err(Error::field("parentId", "底部导航最多2级"));
    }
    if above.enabled { Ok(()) } else { Err(switched_off("parentId", &above.nav_title)) }
}
