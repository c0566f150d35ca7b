//! What an operator types of a link, and how it is written.

use infra::{Change, Edit, Result, Tx, naming::tidy};
use poem_openapi::{Object, types::Example};
use settings::banner::LinkTarget;

use super::{FriendLink, list::find};
use crate::removal::remove;

/// What an operator types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct FriendLinkForm {
    /// 名称
    #[oai(validator(max_length = 30))]
    pub link_name: String,
    /// 链接
    /// 以 http://、https:// 或 / 开头
    #[oai(validator(max_length = 300, pattern = r"^(https?://[^\s/\\?#@]+([/?#][^\s\\]*)?|/([^\s/\\][^\s\\]*)?)$"))]
    pub link_url: String,
    /// 标志
    /// 以 http://、https:// 或 / 开头
    #[oai(validator(max_length = 300, pattern = r"^(https?://[^\s/\\?#@]+([/?#][^\s\\]*)?|/([^\s/\\][^\s\\]*)?)$"))]
    pub logo: Option<String>,
    /// 打开方式
    #[oai(default = "same_window")]
    pub target: LinkTarget,
    /// 排序
    /// 从小到大排列；拖动列表中的行也可调整
    #[oai(default, validator(minimum(value = "0"), maximum(value = "9999")))]
    pub sort: i32,
    /// 启用
    #[oai(default = "on")]
    pub enabled: bool,
}

fn same_window() -> LinkTarget {
    LinkTarget::Self_
}

fn on() -> bool {
    true
}

impl Example for FriendLinkForm {
    fn example() -> Self {
        Self {
            link_name: "中国高等教育学生信息网".to_owned(),
            link_url: "https://www.chsi.com.cn/".to_owned(),
            logo: None,
            target: LinkTarget::Self_,
            sort: 0,
            enabled: true,
        }
    }
}

impl FriendLinkForm {
    /// Inner runs of blanks become one blank.
    fn tidy(mut self) -> Self {
        self.link_name = tidy(&self.link_name);
        self
    }
}

pub(super) async fn insert(tx: &mut Tx, form: FriendLinkForm) -> Result<(i64, Change)> {
    let form = form.tidy();
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into platform.website_link (link_name, link_url, logo, target, sort, enabled, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $7) returning id",
        form.link_name,
        form.link_url,
        form.logo,
        form.target.as_str(),
        form.sort,
        form.enabled,
        by
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok((id, Change::created("website_link", id, &form)))
}

pub(super) async fn update(tx: &mut Tx, edit: Edit<FriendLinkForm>) -> Result<Change> {
    let form = edit.form.tidy();
    let before: FriendLink = find(tx, edit.id).await?;
    let by = tx.by();
    let changed = sqlx::query!(
        "update platform.website_link set link_name = $3, link_url = $4, logo = $5, target = $6, sort = $7,
                enabled = $8, updated_at = now(), updated_by = $9, version = version + 1
         where id = $1 and version = $2",
        edit.id,
        edit.version,
        form.link_name,
        form.link_url,
        form.logo,
        form.target.as_str(),
        form.sort,
        form.enabled,
        by
    )
    .execute(&mut **tx)
    .await?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("website_link", edit.id).await);
    }
    let after = find(tx, edit.id).await?;
    Ok(Change::edited("website_link", edit.id, &before, &after))
}

pub(super) async fn delete(tx: &mut Tx, id: i64) -> Result<Change> {
    let before = find(tx, id).await?;
    remove(tx, "website_link", id, &before.link_name, &before).await
}
