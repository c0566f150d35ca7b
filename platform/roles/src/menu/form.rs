//! What an operator types of a menu, and what of it is refused.

use infra::{Error, Result};
use poem_openapi::{Object, types::Example};
use sqlx::PgConnection;

use super::{Menu, MenuType};

/// Levels of the tree (01 §2.1).
const DEPTH: i64 = 4;

/// What an operator types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct MenuForm {
    /// 上级编号
    /// 0为最上级
    #[oai(default)]
    pub parent_id: i64,
    /// 菜单端
    /// 0平台 1院校
    #[oai(validator(minimum(value = "0"), maximum(value = "1")))]
    pub client_type: i16,
    /// 名称
    #[oai(validator(min_length = 1, max_length = 30))]
    pub menu_name: String,
    /// 类型
    pub menu_type: MenuType,
    /// 路径
    /// 以 / 开头；页面必填，外链页面自动生成
    #[oai(validator(max_length = 200, pattern = "^/[^\\s]*$"))]
    pub path: Option<String>,
    /// 图标
    #[oai(validator(max_length = 50))]
    pub icon: Option<String>,
    /// 排序
    #[oai(default = "first", validator(minimum(value = "0"), maximum(value = "9999")))]
    pub sort: i32,
    /// 隐藏
    #[oai(default)]
    pub hidden: bool,
    /// 缓存
    #[oai(default = "yes")]
    pub keep_alive: bool,
    /// 外链
    /// 以 https:// 开头的网址
    #[oai(validator(max_length = 180, pattern = r"^https://[^\s/\\?#@]+([/?#][^\s\\]*)?$"))]
    pub frame_url: Option<String>,
    /// 备注
    #[oai(validator(max_length = 255))]
    pub remark: Option<String>,
}

fn first() -> i32 {
    1
}

fn yes() -> bool {
    true
}

impl Example for MenuForm {
    fn example() -> Self {
        Self {
            parent_id: 0,
            client_type: 1,
            menu_name: "常用网站".to_owned(),
            menu_type: MenuType::Directory,
            path: None,
            icon: Some("link".to_owned()),
            sort: 99,
            hidden: false,
            keep_alive: true,
            frame_url: None,
            remark: None,
        }
    }
}

pub(super) fn explain_constraint(constraint: &str) -> Option<Error> {
    (constraint == "sys_menu_path_taken").then(|| Error::field("path", "该路径已有菜单"))
}

/// The form with what follows from it; `before` is the menu that is edited.
///
/// # Errors
/// 422 at the field.
pub(super) async fn checked(
    connection: &mut PgConnection,
    mut form: MenuForm,
    before: Option<&Menu>,
) -> Result<MenuForm> {
    if let Some(before) = before {
        if before.client_type != form.client_type {
            return Err(Error::field("clientType", "菜单端不能修改"));
        }
        if before.built_in && before.menu_type != form.menu_type {
            return Err(Error::field("menuType", "内置菜单的类型不能修改"));
        }
        if before.built_in && Some(before.path.as_str()) != form.path.as_deref() {
            return Err(Error::field("path", "内置菜单的路径由系统使用，不能修改"));
        }
        if form.menu_type == MenuType::Page && before.child_count > 0 && before.menu_type == MenuType::Directory {
            return Err(Error::field("menuType", "该目录下还有菜单，不能改为页面"));
        }
    }
    match (form.menu_type, &form.frame_url) {
        (MenuType::Directory, Some(_)) => return Err(Error::field("frameUrl", "目录不能有外链")),
        // One page of the console shows all outside pages; the address tells them apart.
        (MenuType::Page, Some(url)) => form.path = Some(frame_path(url)),
        (MenuType::Page, None) if form.path.is_none() => return Err(Error::field("path", "页面的路径不能为空")),
        _ => {}
    }
    if form.parent_id != 0 {
        under(connection, &form, before).await?;
    }
    Ok(form)
}

fn frame_path(url: &str) -> String {
    let query = serde_urlencoded::to_string([("url", url)]).unwrap_or_default();
    format!("/iframe?{query}")
}

async fn under(connection: &mut PgConnection, form: &MenuForm, before: Option<&Menu>) -> Result<()> {
    let moved = before.map(|menu| menu.id);
    let place = sqlx::query!(
        r#"with recursive up as (
               select id, parent_id, client_type, 1 as level from platform.sys_menu where id = $1
               union all
               select m.id, m.parent_id, m.client_type, up.level + 1 from platform.sys_menu m join up on up.parent_id = m.id
               where up.level < 10),
           down as (
               select id, 1 as level from platform.sys_menu where id = $2
               union all
               select m.id, down.level + 1 from platform.sys_menu m join down on m.parent_id = down.id where down.level < 10)
           select (select count(*) from up) as "above!", (select bool_and(client_type = $3) from up) as same_area,
                  (select coalesce(bool_or(id = $2), false) from up) as "inside!",
                  coalesce((select max(level) from down), 1)::bigint as "height!""#,
        form.parent_id,
        moved,
        form.client_type
    )
    .fetch_one(connection)
    .await?;
    if place.same_area != Some(true) {
        return Err(Error::field("parentId", "上级菜单不存在"));
    }
    if place.inside {
        return Err(Error::field("parentId", "不能移到自己或自己的下级之下"));
    }
    if place.above + place.height > DEPTH {
        return Err(Error::field("parentId", "菜单最多四级"));
    }
    Ok(())
}
