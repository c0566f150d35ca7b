//! 隐藏平台文章: a school's word over what its own people find of the platform (part 05 B3).

use infra::{Change, Error, Result, Tx};
use poem_openapi::{Object, types::Example};
use serde_json::json;
use support_rules::enums::{SupportAudience, SupportSource};

use super::{Asked, HelpArticleFilter, rows};

/// Whether a school's people find an article of the platform.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct HelpHiding {
    /// 编号
    pub id: i64,
    /// 隐藏
    pub hidden: bool,
}

impl Example for HelpHiding {
    fn example() -> Self {
        Self { id: 1, hidden: true }
    }
}

/// The transaction is `platform`'s.
///
/// # Errors
/// 404 for an article that the school does not find.
pub(crate) async fn hide(mut tx: Tx, audience: SupportAudience, school: i64, wanted: HelpHiding) -> Result<i64> {
    let filter = HelpArticleFilter::default();
    let asked = Asked { audience, only: Some(wanted.id), school: Some(school), filter: &filter };
    let before = rows(&mut tx, asked, SupportSource::Platform, None).await?.pop().ok_or_else(Error::not_found)?;
    if before.hidden == wanted.hidden {
        tx.commit(Change::nothing("support_article", wanted.id)).await?;
        return Ok(wanted.id);
    }
    if wanted.hidden {
        let by = tx.by();
        sqlx::query!(
            "insert into platform.support_hidden (article_id, school_id, created_by) values ($1, $2, $3)
             on conflict (article_id, school_id) do nothing",
            wanted.id,
            school,
            by
        )
        .execute(&mut *tx)
        .await?;
    } else {
        sqlx::query!("delete from platform.support_hidden where article_id = $1 and school_id = $2", wanted.id, school)
            .execute(&mut *tx)
            .await?;
    }
    let what = json!({ "schoolId": school, "hidden": wanted.hidden });
    tx.commit(Change::event("support_article", wanted.id, "status", what)).await?;
    Ok(wanted.id)
}
