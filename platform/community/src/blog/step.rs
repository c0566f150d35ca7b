//! 审核, 置顶, 推荐, 上下架, 删除.

use catalogue::course::Putaway;
use catalogue_rules::audit::AuditDecision;
use community_rules::enums::CommunityStatus;
use infra::{Change, Error, Result, Tx};
use poem_openapi::{Object, types::Example};
use site_content::removal;

use super::list::{CommunityBlog, find};

/// A decision, of the blog or of one of its comments.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct BlogDecision {
    #[oai(flatten)]
    pub decision: AuditDecision,
    /// 评论编号
    /// 填写时审核该博客的这条评论
    pub comment_id: Option<i64>,
}

impl Example for BlogDecision {
    fn example() -> Self {
        Self { decision: AuditDecision::example(), comment_id: None }
    }
}

/// `{id, isTop}`; the version is checked when it is sent.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct BlogTopChange {
    /// 编号
    pub id: i64,
    /// 置顶
    pub is_top: bool,
    /// 版本
    pub version: Option<i32>,
}

impl Example for BlogTopChange {
    fn example() -> Self {
        Self { id: 1, is_top: true, version: None }
    }
}

/// `{id, isRecommend}`; the version is checked when it is sent.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct BlogRecommendation {
    /// 编号
    pub id: i64,
    /// 推荐
    pub is_recommend: bool,
    /// 版本
    pub version: Option<i32>,
}

impl Example for BlogRecommendation {
    fn example() -> Self {
        Self { id: 1, is_recommend: true, version: None }
    }
}

/// `{id, putaway}`; the version is checked when it is sent.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct BlogPutaway {
    /// 编号
    pub id: i64,
    /// 上架状态
    pub putaway: Putaway,
    /// 版本
    pub version: Option<i32>,
}

impl Example for BlogPutaway {
    fn example() -> Self {
        Self { id: 1, putaway: Putaway::Off, version: None }
    }
}

/// A blog that nobody else changes until the transaction ends.
pub(super) async fn hold(tx: &mut Tx, id: i64, version: Option<i32>) -> Result<CommunityBlog> {
    tx.lock("blog", id).await?;
    let today = tx.app().clock().today();
    let blog = find(tx, today, id).await?;
    if version.is_some_and(|read| read != blog.version) {
        return Err(tx.stale("blog", id).await);
    }
    Ok(blog)
}

/// # Errors
/// 422 for a rejection without opinion; 409 for a blog that was decided on already.
pub(super) async fn decide(tx: &mut Tx, decision: &AuditDecision) -> Result<Change> {
    decision.check()?;
    let before = hold(tx, decision.id, None).await?;
    before.audit_status.undecided("博客")?;
    if decision.version.is_some_and(|read| read != before.version) {
        return Err(tx.stale("blog", decision.id).await);
    }
    let by = tx.by();
    sqlx::query!(
        "update platform.blog
         set audit_status = $2, audit_opinion = $3, audited_by = $4, audited_at = now(), updated_at = now(), updated_by = $4,
             version = version + 1
         where id = $1",
        decision.id,
        decision.audit_status.as_str(),
        decision.audit_opinion,
        by
    )
    .execute(&mut **tx)
    .await?;
    let (from, to) = (before.audit_status.as_str(), decision.audit_status.as_str());
    let change = Change::status("blog", decision.id, "auditStatus", from, to);
    Ok(change.because(decision.audit_opinion.as_deref()))
}

/// # Errors
/// 409 for a blog that visitors do not see.
fn is_shown(blog: &CommunityBlog, step: &str) -> Result<()> {
    match (blog.audit_status, blog.visible) {
        (CommunityStatus::Approved, true) => Ok(()),
        (CommunityStatus::Approved, false) => {
            Err(Error::conflict(format!("该博客已下架或博主已停用，恢复展示后才能{step}")))
        }
        (CommunityStatus::Pending | CommunityStatus::Rejected, _) => {
            Err(Error::conflict(format!("博客审核通过后才能{step}")))
        }
    }
}

/// # Errors
/// 409 for a blog that visitors do not see, and when it is so already.
pub(super) async fn put_on_top(tx: &mut Tx, wanted: &BlogTopChange) -> Result<Change> {
    let before = hold(tx, wanted.id, wanted.version).await?;
    if wanted.is_top {
        is_shown(&before, "置顶")?;
    }
    if before.is_top == wanted.is_top {
        return Err(Error::conflict(if wanted.is_top { "该博客已置顶" } else { "该博客未置顶" }));
    }
    let by = tx.by();
    sqlx::query!(
        "update platform.blog set is_top = $2, updated_at = now(), updated_by = $3, version = version + 1 where id = $1",
        wanted.id,
        wanted.is_top,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(Change::status("blog", wanted.id, "isTop", before.is_top, wanted.is_top))
}

/// # Errors
/// 409 for a blog that is gone or that visitors do not see, and when it is so already.
pub(super) async fn recommend(tx: &mut Tx, wanted: &BlogRecommendation) -> Result<Change> {
    let before = hold(tx, wanted.id, wanted.version).await.map_err(gone)?;
    if wanted.is_recommend {
        is_shown(&before, "推荐")?;
    }
    if before.is_recommend == wanted.is_recommend {
        return Err(Error::conflict(if wanted.is_recommend { "该博客已推荐" } else { "该博客未推荐" }));
    }
    let by = tx.by();
    sqlx::query!(
        "update platform.blog set is_recommend = $2, updated_at = now(), updated_by = $3, version = version + 1 where id = $1",
        wanted.id,
        wanted.is_recommend,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(Change::status("blog", wanted.id, "isRecommend", before.is_recommend, wanted.is_recommend))
}

/// Whoever recommends looks at a list that somebody else deletes from (01 §9.10).
fn gone(error: Error) -> Error {
    if error.code == 404 { Error::conflict("博客不存在或已被删除，请刷新") } else { error }
}

/// # Errors
/// 409 when it is so already.
pub(super) async fn shelve(tx: &mut Tx, wanted: &BlogPutaway) -> Result<Change> {
    let before = hold(tx, wanted.id, wanted.version).await?;
    if before.putaway == wanted.putaway {
        return Err(Error::conflict(match wanted.putaway {
            Putaway::On => "该博客已上架",
            Putaway::Off => "该博客已下架",
        }));
    }
    let by = tx.by();
    sqlx::query!(
        "update platform.blog set putaway = $2, updated_at = now(), updated_by = $3, version = version + 1 where id = $1",
        wanted.id,
        wanted.putaway.as_str(),
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(Change::status("blog", wanted.id, "putaway", before.putaway.as_str(), wanted.putaway.as_str()))
}

/// A blog goes with its comments and labels.
///
/// # Errors
/// 409 while a zone or a recommendation shows it.
pub(super) async fn remove(tx: &mut Tx, id: i64) -> Result<Change> {
    let before = hold(tx, id, None).await?;
    sqlx::query!("delete from platform.blog_label where blog_id = $1", id).execute(&mut **tx).await?;
    sqlx::query!("delete from platform.blog_comment where blog_id = $1", id).execute(&mut **tx).await?;
    removal::remove(tx, "blog", id, &before.title, &before).await
}
