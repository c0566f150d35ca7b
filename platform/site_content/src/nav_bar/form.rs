//! What an operator types of an entry of the bar, and how it is written.

use infra::{Change, Edit, EnabledChange, Error, Result, Tx, naming::tidy};
use poem_openapi::{Object, types::Example};
use settings::banner::LinkTarget;

use super::{NavBar, list::find};
use crate::{filter::SiteTerminal, removal::remove};

/// What an operator types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct NavBarForm {
    /// 端
    pub terminal: SiteTerminal,
    /// 标题
    #[oai(validator(max_length = 20))]
    pub nav_title: String,
    /// 链接
    /// 以 http://、https:// 或 / 开头
    #[oai(validator(max_length = 300, pattern = r"^(https?://[^\s/\\?#@]+([/?#][^\s\\]*)?|/([^\s/\\][^\s\\]*)?)$"))]
    pub nav_url: String,
    /// 打开方式
    #[oai(default = "same_window")]
    pub target: LinkTarget,
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

fn same_window() -> LinkTarget {
    LinkTarget::Self_
}

fn on() -> bool {
    true
}

impl Example for NavBarForm {
    fn example() -> Self {
        Self {
            terminal: SiteTerminal::Pc,
            nav_title: "课程中心".to_owned(),
            nav_url: "/courses".to_owned(),
            target: LinkTarget::Self_,
            icon: None,
            sort: 0,
            enabled: true,
        }
    }
}

impl NavBarForm {
    /// Inner runs of blanks become one blank.
    fn tidy(mut self) -> Self {
        self.nav_title = tidy(&self.nav_title);
        self
    }
}

/// # Errors
/// 409 for one more than the bar of its terminal has room for.
pub(super) async fn insert(tx: &mut Tx, form: NavBarForm) -> Result<(i64, Change)> {
    let form = form.tidy();
    lock(tx).await?;
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into platform.nav_bar (terminal, nav_title, nav_url, target, icon, sort, enabled, created_by,
             updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $8) returning id",
        form.terminal.as_str(),
        form.nav_title,
        form.nav_url,
        form.target.as_str(),
        form.icon,
        form.sort,
        form.enabled,
        by
    )
    .fetch_one(&mut **tx)
    .await?;
    few_enough(tx, form.terminal).await?;
    Ok((id, Change::created("nav_bar", id, &form)))
}

/// # Errors
/// As [`insert`], and 409 when somebody else changed it meanwhile.
pub(super) async fn update(tx: &mut Tx, edit: Edit<NavBarForm>) -> Result<Change> {
    let form = edit.form.tidy();
    lock(tx).await?;
    let before: NavBar = find(tx, edit.id).await?;
    let by = tx.by();
    let changed = sqlx::query!(
        "update platform.nav_bar set terminal = $3, nav_title = $4, nav_url = $5, target = $6, icon = $7, sort = $8,
                enabled = $9, updated_at = now(), updated_by = $10, version = version + 1
         where id = $1 and version = $2",
        edit.id,
        edit.version,
        form.terminal.as_str(),
        form.nav_title,
        form.nav_url,
        form.target.as_str(),
        form.icon,
        form.sort,
        form.enabled,
        by
    )
    .execute(&mut **tx)
    .await?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("nav_bar", edit.id).await);
    }
    few_enough(tx, form.terminal).await?;
    let after = find(tx, edit.id).await?;
    Ok(Change::edited("nav_bar", edit.id, &before, &after))
}

pub(super) async fn delete(tx: &mut Tx, id: i64) -> Result<Change> {
    let before = find(tx, id).await?;
    remove(tx, "nav_bar", id, &before.nav_title, &before).await
}

/// # Errors
/// 409 for one more than the bar of its terminal has room for.
pub(super) async fn switch(tx: &mut Tx, wanted: &EnabledChange) -> Result<Change> {
    lock(tx).await?;
    let change = tx.set_enabled("nav_bar", wanted).await?;
    let terminal = find(tx, wanted.id).await?.terminal;
    few_enough(tx, terminal).await?;
    Ok(change)
}

/// So many have room beside each other (01 §9.1).
const MOST_ENABLED: i64 = 10;

/// Nobody else changes the bars until this transaction ends: two that are each the tenth would together be eleven.
async fn lock(tx: &mut Tx) -> Result<()> {
    sqlx::query!("lock table platform.nav_bar in share row exclusive mode").execute(&mut **tx).await?;
    Ok(())
}

async fn few_enough(tx: &mut Tx, terminal: SiteTerminal) -> Result<()> {
    let enabled = sqlx::query_scalar!(
        r#"select count(*) as "count!" from platform.nav_bar where terminal = $1 and enabled"#,
        terminal.as_str()
    )
    .fetch_one(&mut **tx)
    .await?;
    if enabled > MOST_ENABLED { Err(Error::conflict("启用的导航不能超过10个")) } else { Ok(()) }
}
