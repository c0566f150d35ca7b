//! What an operator types of a client's menu.

use infra::{
    Error, Result, Tx,
    tree::{Misplaced, Shape},
};
use people_rules::menu::{ClientKind, ClientMenu, OpenKind};
use poem_openapi::{Object, types::Example};

use super::tree::all;

/// Levels of a tree.
const DEPTH: usize = 3;

/// What an operator types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ClientMenuForm {
    /// 客户端
    pub client_kind: ClientKind,
    /// 上级菜单
    pub parent_id: Option<i64>,
    /// 名称
    #[oai(validator(min_length = 1, max_length = 20))]
    pub name: String,
    /// 路径
    /// 页面以 / 开头，链接以 http:// 或 https:// 开头；目录不填
    #[oai(default, validator(max_length = 200))]
    pub path: String,
    /// 图标
    #[oai(default, validator(max_length = 50))]
    pub icon: String,
    /// 打开方式
    #[oai(default = "page")]
    pub open_kind: OpenKind,
    /// 权限标识
    /// 班主任的菜单以 class: 开头
    #[oai(validator(max_length = 60, pattern = "^[a-zA-Z0-9:_-]+$"))]
    pub permission_key: Option<String>,
    /// 适用院校
    /// 不选为全部院校
    #[oai(default, validator(max_items = 500))]
    pub school_ids: Vec<i64>,
    /// 排序
    #[oai(default = "first", validator(minimum(value = "0"), maximum(value = "9999")))]
    pub sort: i32,
    /// 启用
    #[oai(default = "yes")]
    pub enabled: bool,
}

fn page() -> OpenKind {
    OpenKind::Page
}

fn first() -> i32 {
    1
}

fn yes() -> bool {
    true
}

impl Example for ClientMenuForm {
    fn example() -> Self {
        Self {
            client_kind: ClientKind::Student,
            parent_id: None,
            name: "我的课程".to_owned(),
            path: "/course".to_owned(),
            icon: "book".to_owned(),
            open_kind: OpenKind::Page,
            permission_key: None,
            school_ids: Vec::new(),
            sort: 1,
            enabled: true,
        }
    }
}

/// # Errors
/// 422 at the field: another client's parent, a parent below the menu itself, more than three levels, an address that does
/// not fit how it is opened, a school that is gone.
pub(super) async fn check(
    tx: &mut Tx,
    mut form: ClientMenuForm,
    before: Option<&ClientMenu>,
) -> Result<ClientMenuForm> {
    if before.is_some_and(|menu| menu.client_kind != form.client_kind) {
        return Err(Error::field("clientKind", "客户端不能修改，请在目标客户端下新增"));
    }
    let fits = match form.open_kind {
        OpenKind::Page => form.path.is_empty() || form.path.starts_with('/'),
        OpenKind::Link => form.path.starts_with("http://") || form.path.starts_with("https://"),
    };
    if !fits {
        return Err(Error::field("path", "页面的路径以 / 开头，链接以 http:// 或 https:// 开头"));
    }
    // Two who move menus at once wait for each other, so that no circle and no fourth level comes about.
    sqlx::query!("select pg_advisory_xact_lock(7004, hashtext($1))", form.client_kind.as_str())
        .execute(&mut **tx)
        .await?;
    let rows = all(tx, form.client_kind).await?;
    place(&rows, form.parent_id, before.map(|menu| menu.id))?;
    form.school_ids.sort_unstable();
    form.school_ids.dedup();
    let known = sqlx::query_scalar!(
        r#"select count(*) as "count!" from platform.school where id = any($1) and deleted_at is null"#,
        &form.school_ids
    )
    .fetch_one(&mut **tx)
    .await?;
    if known != i64::try_from(form.school_ids.len()).unwrap_or(i64::MAX) {
        return Err(Error::field("schoolIds", "所选院校不存在，请重新选择"));
    }
    Ok(form)
}

/// Whether a menu may hang under this parent.
fn place(rows: &[ClientMenu], parent: Option<i64>, moved: Option<i64>) -> Result<()> {
    let Some(parent) = parent else { return Ok(()) };
    let shape: Shape = rows.iter().map(|row| (row.id, row.parent_id)).collect();
    shape.may_stand(moved, parent, DEPTH).map_err(|misplaced| {
        let reason = match misplaced {
            Misplaced::Unknown => "所选上级菜单不存在，请重新选择",
            Misplaced::BelowItself => "上级菜单不能是自身或下级",
            Misplaced::TooDeep => "菜单最多三级",
        };
        Error::field("parentId", reason)
    })
}

pub(super) fn explain_constraint(constraint: &str, form: &ClientMenuForm) -> Option<Error> {
    match constraint {
        "user_menu_name_taken" => Some(Error::field("name", format!("同级菜单中“{}”已存在", form.name))),
        _ => None,
    }
}
