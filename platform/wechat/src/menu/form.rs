//! What an operator types of an entry, and how it is written. Whoever writes holds the menu: two entries that each fit could together
//! be too many.

use infra::{Change, Edit, Error, Result, Tx, naming::tidy};
use poem_openapi::{Object, types::Example};
use wechat_rules::{
    enums::GzhMenuType,
    menu::{Action, has_room, may_act, may_have_below, named},
};

use super::list::{GzhMenu, all, find};

/// What an operator types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct GzhMenuForm {
    /// 上级菜单
    /// 空为一级菜单
    pub parent_id: Option<i64>,
    /// 菜单名称
    /// 一级最多4个汉字，二级最多7个汉字
    #[oai(validator(max_length = 20))]
    pub name: String,
    /// 动作
    /// 有下级的一级菜单不设置
    pub menu_type: Option<GzhMenuType>,
    /// 菜单关键词
    /// 点击后按关键词回复
    #[oai(validator(max_length = 120))]
    pub menu_key: Option<String>,
    /// 网页链接
    /// 以 http:// 或 https:// 开头
    #[oai(validator(max_length = 300, pattern = r"^https?://[^\s/\\?#@]+([/?#][^\s\\]*)?$"))]
    pub url: Option<String>,
    /// 小程序编号
    #[oai(validator(max_length = 60, pattern = "^[A-Za-z0-9]+$"))]
    pub app_id: Option<String>,
    /// 小程序页面路径
    #[oai(validator(max_length = 200))]
    pub page_path: Option<String>,
    /// 排序
    /// 同级中从小到大排列；拖动也可调整
    #[oai(default = "first", validator(minimum(value = "0"), maximum(value = "9999")))]
    pub sort: i32,
}

fn first() -> i32 {
    1
}

impl Example for GzhMenuForm {
    fn example() -> Self {
        Self {
            parent_id: None,
            name: "招生简章".to_owned(),
            menu_type: Some(GzhMenuType::View),
            menu_key: None,
            url: Some("https://www.example.com/recruit".to_owned()),
            app_id: None,
            page_path: None,
            sort: 1,
        }
    }
}

impl GzhMenuForm {
    /// The form of an entry, new or `own`, with what its action needs alone.
    ///
    /// # Errors
    /// 422 at the field for what has no place in the menu.
    fn checked(self, menu: &[GzhMenu], own: Option<i64>) -> Result<Self> {
        let parent = match self.parent_id {
            None => None,
            Some(id) => Some(
                menu.iter()
                    .find(|one| one.id == id)
                    .ok_or_else(|| Error::field("parentId", "上级菜单不存在，请重新选择"))?,
            ),
        };
        if parent.is_some_and(|parent| parent.parent_id.is_some() || own == Some(parent.id)) {
            return Err(Error::field("parentId", "菜单最多两级，请选择其他一级菜单"));
        }
        let below = menu.iter().filter(|one| own.is_some() && one.parent_id == own).count();
        if parent.is_some() && below > 0 {
            return Err(Error::field("parentId", "有下级的菜单不能移到其他菜单下"));
        }
        let beside = menu.iter().filter(|one| one.parent_id == self.parent_id && Some(one.id) != own).count();
        has_room(beside, parent.is_some())?;
        let name = tidy(&self.name);
        named(&name, parent.is_some())?;
        if let Some(parent) = parent {
            may_have_below(&parent.action(), &parent.name)?;
        }
        let Self { menu_type, menu_key, url, app_id, page_path, .. } = self;
        let action = Action { menu_type, menu_key, url, app_id, page_path };
        may_act(&action, below)?;
        let Action { menu_type, menu_key, url, app_id, page_path } = action.checked()?;
        Ok(Self { parent_id: self.parent_id, name, menu_type, menu_key, url, app_id, page_path, sort: self.sort })
    }
}

/// The menu, which nobody else writes until the transaction ends.
pub(super) async fn held(tx: &mut Tx) -> Result<Vec<GzhMenu>> {
    sqlx::query!("lock table platform.gzh_menu in share row exclusive mode").execute(&mut **tx).await?;
    all(tx).await
}

pub(crate) async fn insert(tx: &mut Tx, form: GzhMenuForm) -> Result<(i64, Change)> {
    let menu = held(tx).await?;
    let form = form.checked(&menu, None)?;
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into platform.gzh_menu (parent_id, name, menu_type, menu_key, url, app_id, page_path, sort, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9) returning id",
        form.parent_id,
        form.name,
        form.menu_type.map(GzhMenuType::as_str),
        form.menu_key,
        form.url,
        form.app_id,
        form.page_path,
        form.sort,
        by
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok((id, Change::created("gzh_menu", id, &form)))
}

/// # Errors
/// As of a new one; 409 when somebody else changed it meanwhile.
pub(super) async fn update(tx: &mut Tx, edit: Edit<GzhMenuForm>) -> Result<Change> {
    let Edit { id, version, form } = edit;
    let menu = held(tx).await?;
    let before = menu.iter().find(|one| one.id == id).cloned().ok_or_else(Error::not_found)?;
    let form = form.checked(&menu, Some(id))?;
    let by = tx.by();
    let changed = sqlx::query!(
        "update platform.gzh_menu set parent_id = $3, name = $4, menu_type = $5, menu_key = $6, url = $7, app_id = $8, page_path = $9,
                sort = $10, updated_at = now(), updated_by = $11, version = version + 1
         where id = $1 and version = $2",
        id,
        version,
        form.parent_id,
        form.name,
        form.menu_type.map(GzhMenuType::as_str),
        form.menu_key,
        form.url,
        form.app_id,
        form.page_path,
        form.sort,
        by
    )
    .execute(&mut **tx)
    .await?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("gzh_menu", id).await);
    }
    let after = find(tx, id).await?;
    Ok(Change::edited("gzh_menu", id, &before, &after))
}

/// # Errors
/// 409 for an entry with others below it.
pub(super) async fn delete(tx: &mut Tx, id: i64) -> Result<Change> {
    let menu = held(tx).await?;
    let before = menu.iter().find(|one| one.id == id).cloned().ok_or_else(Error::not_found)?;
    if menu.iter().any(|one| one.parent_id == Some(id)) {
        return Err(Error::conflict(format!("“{}”有下级菜单，请先删除下级", before.name)));
    }
    tx.remove("gzh_menu", id, &before.name).await?;
    Ok(Change::deleted("gzh_menu", id, &before))
}
