//! What an operator types of an advertisement, when it may be shown, and how it is written.

use chrono::TimeDelta;
use infra::{Change, Edit, EnabledChange, Error, Result, Tx, clock::Moment, naming::tidy};
use poem_openapi::{Object, types::Example};
use settings::banner::LinkTarget;

use super::{Advertisement, AdvertisementPlace, list::find};
use crate::{filter::SiteTerminal, removal::remove};

/// What an operator types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct AdvertisementForm {
    /// 端
    pub terminal: SiteTerminal,
    /// 标题
    #[oai(validator(max_length = 50))]
    pub adv_title: String,
    /// 图片
    /// 以 http://、https:// 或 / 开头
    #[oai(validator(max_length = 300, pattern = r"^(https?://[^\s/\\?#@]+([/?#][^\s\\]*)?|/([^\s/\\][^\s\\]*)?)$"))]
    pub adv_img: String,
    /// 链接
    /// 以 http://、https:// 或 / 开头
    #[oai(validator(max_length = 300, pattern = r"^(https?://[^\s/\\?#@]+([/?#][^\s\\]*)?|/([^\s/\\][^\s\\]*)?)$"))]
    pub adv_url: Option<String>,
    /// 打开方式
    #[oai(default = "same_window")]
    pub target: LinkTarget,
    /// 开始时间
    pub begins_at: Moment,
    /// 结束时间
    /// 到这一刻不再展示
    pub ends_at: Moment,
    /// 可关闭
    #[oai(default = "on")]
    pub closable: bool,
    /// 背景色
    /// 仅首页轮播，例如 #165DFF
    #[oai(validator(pattern = "^#[0-9a-fA-F]{6}$"))]
    pub bg_color: Option<String>,
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

impl Example for AdvertisementForm {
    fn example() -> Self {
        let begins_at = Moment::default();
        Self {
            terminal: SiteTerminal::Pc,
            adv_title: "春季招生".to_owned(),
            adv_img: "/admin/files/public/platform/202611/spring.png".to_owned(),
            adv_url: None,
            target: LinkTarget::Self_,
            begins_at,
            ends_at: begins_at + TimeDelta::days(9),
            closable: true,
            bg_color: None,
            sort: 0,
            enabled: true,
        }
    }
}

impl AdvertisementForm {
    /// Inner runs of blanks become one blank.
    fn tidy(mut self) -> Self {
        self.adv_title = tidy(&self.adv_title);
        self
    }

    fn check(&self, place: AdvertisementPlace) -> Result<()> {
        if self.ends_at <= self.begins_at {
            return Err(Error::field("endsAt", "结束时间必须晚于开始时间"));
        }
        match (place, &self.bg_color) {
            (AdvertisementPlace::Top, Some(_)) => Err(Error::field("bgColor", "顶部广告没有背景色")),
            (AdvertisementPlace::Top, None) | (AdvertisementPlace::Carousel, _) => Ok(()),
        }
    }
}

/// # Errors
/// 422 for a period that does not begin before it ends; 409 for a second one at the top at the same time.
pub(super) async fn insert(tx: &mut Tx, place: AdvertisementPlace, form: AdvertisementForm) -> Result<(i64, Change)> {
    let form = form.tidy();
    form.check(place)?;
    lock(tx).await?;
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into platform.adv (adv_location, terminal, adv_title, adv_img, adv_url, target, begins_at, ends_at,
             closable,
             bg_color, sort, enabled, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13) returning id",
        place.as_str(),
        form.terminal.as_str(),
        form.adv_title,
        form.adv_img,
        form.adv_url,
        form.target.as_str(),
        form.begins_at,
        form.ends_at,
        form.closable,
        form.bg_color,
        form.sort,
        form.enabled,
        by
    )
    .fetch_one(&mut **tx)
    .await?;
    alone_in_time(tx, place, id).await?;
    Ok((id, Change::created("adv", id, &form)))
}

/// # Errors
/// As [`insert`], and 409 when somebody else changed it meanwhile.
pub(super) async fn update(tx: &mut Tx, place: AdvertisementPlace, edit: Edit<AdvertisementForm>) -> Result<Change> {
    let form = edit.form.tidy();
    form.check(place)?;
    lock(tx).await?;
    let before = held(tx, place, edit.id).await?;
    let by = tx.by();
    let changed = sqlx::query!(
        "update platform.adv set terminal = $3, adv_title = $4, adv_img = $5, adv_url = $6, target = $7,
                begins_at = $8,
                ends_at = $9, closable = $10, bg_color = $11, sort = $12, enabled = $13, updated_at = now(), updated_by = $14,
                version = version + 1
         where id = $1 and version = $2",
        edit.id,
        edit.version,
        form.terminal.as_str(),
        form.adv_title,
        form.adv_img,
        form.adv_url,
        form.target.as_str(),
        form.begins_at,
        form.ends_at,
        form.closable,
        form.bg_color,
        form.sort,
        form.enabled,
        by
    )
    .execute(&mut **tx)
    .await?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("adv", edit.id).await);
    }
    alone_in_time(tx, place, edit.id).await?;
    let after = held(tx, place, edit.id).await?;
    Ok(Change::edited("adv", edit.id, &before, &after))
}

/// # Errors
/// 409 for a second one at the top at the same time.
pub(super) async fn switch(tx: &mut Tx, place: AdvertisementPlace, wanted: &EnabledChange) -> Result<Change> {
    lock(tx).await?;
    held(tx, place, wanted.id).await?;
    let change = tx.set_enabled("adv", wanted).await?;
    alone_in_time(tx, place, wanted.id).await?;
    Ok(change)
}

pub(super) async fn delete(tx: &mut Tx, place: AdvertisementPlace, id: i64) -> Result<Change> {
    let before = held(tx, place, id).await?;
    remove(tx, "adv", id, &before.adv_title, &before).await
}

/// # Errors
/// 404 when the first of them, whose list the others must share, does not stand at the place.
pub(super) async fn stands(tx: &mut Tx, place: AdvertisementPlace, ids: &[i64]) -> Result<()> {
    match ids.first() {
        Some(id) => held(tx, place, *id).await.map(|_| ()),
        None => Ok(()),
    }
}

async fn held(tx: &mut Tx, place: AdvertisementPlace, id: i64) -> Result<Advertisement> {
    let now = tx.app().clock().now();
    find(tx, place, id, now).await
}

/// Nobody else changes the periods until this transaction ends: two that are each alone could together overlap.
async fn lock(tx: &mut Tx) -> Result<()> {
    sqlx::query!("lock table platform.adv in share row exclusive mode").execute(&mut **tx).await?;
    Ok(())
}

/// At the top of a terminal at most one is shown at a time.
async fn alone_in_time(tx: &mut Tx, place: AdvertisementPlace, id: i64) -> Result<()> {
    if place != AdvertisementPlace::Top {
        return Ok(());
    }
    let overlaps = sqlx::query_scalar!(
        r#"select exists (
               select from platform.adv a
               join platform.adv b on b.adv_location = a.adv_location and b.terminal = a.terminal and b.id <> a.id
                                  and b.enabled and b.begins_at < a.ends_at and b.ends_at > a.begins_at
               where a.id = $1 and a.enabled) as "overlaps!""#,
        id
    )
    .fetch_one(&mut **tx)
    .await?;
    if overlaps { Err(Error::conflict("该时段已有顶部广告")) } else { Ok(()) }
}
