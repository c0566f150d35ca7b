//! What an operator types of a shelf, and how it is written.

use infra::{Change, Edit, Error, Result, Tx, naming::tidy};
use poem_openapi::{Object, types::Example};

use super::{SiteZone, ZoneLayout, ZoneType, list::find};
use crate::{filter::SiteTerminal, removal::remove};

/// What an operator types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct SiteZoneForm {
    /// 端
    pub terminal: SiteTerminal,
    /// 标题
    #[oai(validator(max_length = 20))]
    pub zone_title: String,
    /// 说明
    #[oai(validator(max_length = 100))]
    pub zone_desc: Option<String>,
    /// 类型
    /// 已有内容的专区不能修改
    pub zone_type: ZoneType,
    /// 展示数量
    #[oai(default = "five", validator(minimum(value = "1"), maximum(value = "20")))]
    pub show_count: i32,
    /// 布局
    #[oai(default = "grid")]
    pub layout: ZoneLayout,
    /// 排序
    /// 从小到大排列；拖动列表中的行也可调整
    #[oai(default, validator(minimum(value = "0"), maximum(value = "9999")))]
    pub sort: i32,
    /// 启用
    #[oai(default = "on")]
    pub enabled: bool,
}

fn five() -> i32 {
    5
}

fn grid() -> ZoneLayout {
    ZoneLayout::Grid
}

fn on() -> bool {
    true
}

impl Example for SiteZoneForm {
    fn example() -> Self {
        Self {
            terminal: SiteTerminal::Pc,
            zone_title: "名师好课".to_owned(),
            zone_desc: None,
            zone_type: ZoneType::Record,
            show_count: 5,
            layout: ZoneLayout::Grid,
            sort: 0,
            enabled: true,
        }
    }
}

impl SiteZoneForm {
    /// Inner runs of blanks become one blank.
    fn tidy(mut self) -> Self {
        self.zone_title = tidy(&self.zone_title);
        self
    }
}

pub(super) async fn insert(tx: &mut Tx, form: SiteZoneForm) -> Result<(i64, Change)> {
    let form = form.tidy();
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into platform.zone (terminal, zone_title, zone_desc, zone_type, show_count, layout, sort, enabled,
             created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9) returning id",
        form.terminal.as_str(),
        form.zone_title,
        form.zone_desc,
        form.zone_type.as_str(),
        form.show_count,
        form.layout.as_str(),
        form.sort,
        form.enabled,
        by
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok((id, Change::created("zone", id, &form)))
}

/// # Errors
/// 409 for another type of a shelf that has content, or when somebody else changed it meanwhile.
pub(super) async fn update(tx: &mut Tx, edit: Edit<SiteZoneForm>) -> Result<Change> {
    let form = edit.form.tidy();
    tx.lock("zone", edit.id).await?;
    let before: SiteZone = find(tx, edit.id).await?;
    if before.item_count > 0 && before.zone_type != form.zone_type {
        return Err(Error::conflict("专区已有内容，不能修改类型，请先移除内容"));
    }
    let by = tx.by();
    let changed = sqlx::query!(
        "update platform.zone set terminal = $3, zone_title = $4, zone_desc = $5, zone_type = $6, show_count = $7,
                layout = $8, sort = $9, enabled = $10, updated_at = now(), updated_by = $11, version = version + 1
         where id = $1 and version = $2",
        edit.id,
        edit.version,
        form.terminal.as_str(),
        form.zone_title,
        form.zone_desc,
        form.zone_type.as_str(),
        form.show_count,
        form.layout.as_str(),
        form.sort,
        form.enabled,
        by
    )
    .execute(&mut **tx)
    .await?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("zone", edit.id).await);
    }
    let after = find(tx, edit.id).await?;
    Ok(Change::edited("zone", edit.id, &before, &after))
}

/// What stands on the shelf goes with it.
pub(super) async fn delete(tx: &mut Tx, id: i64) -> Result<Change> {
    let before = find(tx, id).await?;
    tx.lock("zone", id).await?;
    sqlx::query!("delete from platform.zone_item where zone_id = $1", id).execute(&mut **tx).await?;
    remove(tx, "zone", id, &before.zone_title, &before).await
}
