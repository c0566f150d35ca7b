//! What a signed-in person asks about themself: codes, menu, identity, password (01 §1.6, §2.4).

use std::collections::BTreeSet;

use accounts::{
    password,
    session::{self, Which},
};
use infra::{
    App, Body, Change, Error, ReadTx, ReadsAlways, Reply, Result, Scope, SignedIn, WritesAlways, access::Caller, mask,
    pinyin, reply, session::Rights, token::Area,
};
use poem_openapi::{Object, OpenApi};
use serde_json::json;

/// A node of the console's menu.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct MenuNode {
    /// 编号
    id: i64,
    /// 上级编号
    parent_id: i64,
    /// 路径
    path: String,
    /// 名称
    name: String,
    /// 标题
    title: String,
    /// 拼音
    /// 标题的全拼，供菜单查找
    pinyin: String,
    /// 拼音首字母
    initials: String,
    /// 图标
    icon: String,
    /// 隐藏
    hidden: bool,
    /// 缓存
    keep_alive: bool,
    /// 外链
    frame_url: Option<String>,
    /// 下级
    children: Vec<MenuNode>,
}

/// Who is signed in, where, and on whose behalf.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub struct AccountInfo {
    /// 账号编号
    user_id: i64,
    /// 账号
    login_name: String,
    /// 姓名
    real_name: String,
    /// 手机号
    phone: Option<String>,
    /// 头像
    avatar: Option<String>,
    /// 账号类型
    user_type: String,
    /// 区域
    area: String,
    /// 院校编号
    school_id: Option<i64>,
    /// 院校名称
    school_name: Option<String>,
    /// 院校标志
    school_logo: Option<String>,
    /// 院校状态
    school_status: Option<String>,
    /// 演示院校
    school_demo: bool,
    /// 品牌色
    brand_color: Option<String>,
    /// 只读
    read_only: bool,
    /// 角色
    role_names: Vec<String>,
    /// 数据范围
    data_scope: OwnScope,
    /// 代管人员
    actor: Option<ActorInfo>,
    /// 会话结束时间
    expires_at: String,
    /// 可进入的院校
    schools: Vec<SchoolChoice>,
    /// 须修改密码
    must_change_password: bool,
    /// 须启用两步验证
    must_set_totp: bool,
    /// 密码到期日
    password_expires_on: Option<String>,
    /// 账号有效期至
    gmt_expires: Option<String>,
    /// 权限版本
    permission_version: i32,
    /// 未读消息数
    unread_msg_count: i64,
    /// 系统版本
    server_version: String,
}

/// The widest scope of the person's roles here, in words.
#[derive(Debug, Object)]
pub struct OwnScope {
    /// 类型
    kind: String,
    /// 名称
    names: Vec<String>,
}

/// The operator behind a school entry.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub struct ActorInfo {
    /// 账号编号
    user_id: i64,
    /// 姓名
    real_name: String,
}

/// A school the account works at.
#[derive(Debug, Object)]
pub struct SchoolChoice {
    /// 编号
    id: i64,
    /// 名称
    name: String,
    /// 标志
    logo: Option<String>,
    /// 状态
    status: String,
}

/// Three cipher texts.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct PasswordChange {
    /// 原密码
    #[oai(validator(max_length = 1024))]
    old_password: String,
    /// 登录密码
    #[oai(validator(max_length = 1024))]
    login_password: String,
    /// 确认密码
    #[oai(validator(max_length = 1024))]
    confirm_password: String,
}

impl poem_openapi::types::Example for PasswordChange {
    fn example() -> Self {
        let cipher = || "Base64 of the RSA-OAEP cipher text".to_owned();
        Self { old_password: cipher(), login_password: cipher(), confirm_password: cipher() }
    }
}

pub struct Me;

#[OpenApi(prefix_path = "/system/pc", tag = "crate::Tag::SignIn")]
impl Me {
    /// 当前权限码
    #[oai(path = "/sys/user/permission", method = "get", operation_id = "listOwnPermissions")]
    async fn permission(&self, caller: SignedIn<ReadsAlways>) -> Result<Reply<Vec<String>>> {
        let mut codes: Vec<String> = caller.rights().keys().cloned().collect();
        codes.sort_unstable();
        Ok(reply(codes))
    }

    /// 平台用户菜单
    #[oai(path = "/sys/user/menu", method = "get", operation_id = "viewPlatformMenu")]
    async fn platform_menu(&self, caller: SignedIn<ReadsAlways>) -> Result<Reply<Vec<MenuNode>>> {
        menu_in(&caller, Area::Platform).await
    }

    /// 院校用户菜单
    #[oai(path = "/sys/school/user/menu", method = "get", operation_id = "viewSchoolMenu")]
    async fn school_menu(&self, caller: SignedIn<ReadsAlways>) -> Result<Reply<Vec<MenuNode>>> {
        menu_in(&caller, Area::School).await
    }

    /// 当前登录信息
    #[oai(path = "/api/sys/user/getSchoolAccountInfo", method = "get", operation_id = "viewOwnAccount")]
    async fn account_info(&self, caller: SignedIn<ReadsAlways>) -> Result<Reply<AccountInfo>> {
        let mut tx = caller.platform().await?;
        Ok(reply(info(&caller, &mut tx).await?))
    }

    /// 修改本人密码
    #[oai(path = "/sys/user/update/password/current", method = "put", operation_id = "changeOwnPassword")]
    async fn change_password(
        &self,
        caller: SignedIn<WritesAlways>,
        Body(form): Body<PasswordChange>,
    ) -> Result<Reply<bool>> {
        let app = caller.app().clone();
        let now = app.clock().now();
        let old = decrypt(&app, &form.old_password).await?;
        let new = decrypt(&app, &form.login_password).await?;
        let confirmed = decrypt(&app, &form.confirm_password).await?;
        if new != confirmed {
            return Err(Error::field("confirmPassword", "登录密码和确认密码不一致"));
        }
        let mut tx = password::confirmed(caller.begin().await?, caller.caller(), &old, now).await?;
        password::set(&mut tx, caller.user_id(), &new, false, now).await?;
        session::revoke(&mut tx, Which::OfUser(caller.user_id()), "password_changed", now).await?;
        tx.commit(Change::event("sys_user", caller.user_id(), "update", json!({ "password": "changed" }))).await?;
        Ok(reply(true))
    }
}

async fn decrypt(app: &App, cipher: &str) -> Result<String> {
    app.keys().decrypt(cipher, app.random()).await
}

struct MenuRow {
    id: i64,
    parent_id: i64,
    path: String,
    menu_name: String,
    menu_type: String,
    icon: String,
    hidden: bool,
    keep_alive: bool,
    frame_url: Option<String>,
    open_code: Option<String>,
}

async fn menu_in(caller: &Caller, area: Area) -> Result<Reply<Vec<MenuNode>>> {
    if caller.session.area != area {
        return Err(Error::new(403, "当前身份与所选区域不一致，请重新进入"));
    }
    let mut tx = caller.app().platform_read().await?;
    let rows = sqlx::query_as!(
        MenuRow,
        "select id, parent_id, path, menu_name, menu_type, icon, hidden, keep_alive, frame_url, open_code
         from platform.sys_menu where client_type = $1 and enabled and (shipped or menu_type = 'directory')
         order by sort, id",
        if area == Area::School { 1_i16 } else { 0 }
    )
    .fetch_all(&mut *tx)
    .await?;
    Ok(reply(tree(&rows, 0, caller.rights())))
}

/// Pages without the right are left out, and directories in which nothing is left.
fn tree(rows: &[MenuRow], parent: i64, rights: &Rights) -> Vec<MenuNode> {
    rows.iter()
        .filter(|row| row.parent_id == parent)
        .filter_map(|row| {
            let children = tree(rows, row.id, rights);
            let shown = if row.menu_type == "directory" {
                !children.is_empty()
            } else {
                row.open_code.as_ref().is_none_or(|code| rights.contains_key(code))
            };
            shown.then(|| MenuNode {
                id: row.id,
                parent_id: row.parent_id,
                path: row.path.clone(),
                name: row.menu_name.clone(),
                title: row.menu_name.clone(),
                pinyin: pinyin::text_pinyin(&row.menu_name),
                initials: pinyin::text_initials(&row.menu_name),
                icon: row.icon.clone(),
                hidden: row.hidden,
                keep_alive: row.keep_alive,
                frame_url: row.frame_url.clone(),
                children,
            })
        })
        .collect()
}

async fn info(caller: &Caller, tx: &mut ReadTx) -> Result<AccountInfo> {
    let session = &caller.session;
    let client_type: i16 = if session.area == Area::School { 1 } else { 0 };
    let account =
        sqlx::query!("select phone, avatar, permission_version from platform.sys_user where id = $1", session.user_id)
            .fetch_one(&mut **tx)
            .await?;
    let roles = sqlx::query!(
        "select distinct r.role_name, r.data_scope from platform.sys_user_role ur join platform.sys_role r on r.id = ur.role_id and r.enabled
         where ur.user_id = $1 and r.client_type = $2 and ($2 = 0 or ur.school_id is null or ur.school_id = $3)
         order by r.role_name",
        session.user_id,
        client_type,
        session.school_id
    )
    .fetch_all(&mut **tx)
    .await?;
    let schools = sqlx::query_as!(
        SchoolChoice,
        "select s.id, s.name, s.logo, s.status from platform.sys_user_school b
         join platform.school s on s.id = b.school_id and s.deleted_at is null
         where b.user_id = $1 and b.enabled and (b.gmt_expires is null or b.gmt_expires > now())
         order by b.last_used_at desc nulls last, s.id",
        session.user_id
    )
    .fetch_all(&mut **tx)
    .await?;
    let brand_color = match session.school_id {
        Some(id) => {
            sqlx::query_scalar!("select brand_color from platform.school where id = $1", id)
                .fetch_one(&mut **tx)
                .await?
        }
        None => None,
    };
    let days = caller.app().int(infra::params::PASSWORD_MAX_DAYS).await?;
    let password_end = (days > 0).then(|| session.password_changed_at + chrono::Duration::days(days));
    let kind = if roles.iter().any(|role| role.data_scope == "whole_school") || roles.is_empty() {
        "whole_school".to_owned()
    } else {
        roles[0].data_scope.clone()
    };
    let names = if kind == "whole_school" { Vec::new() } else { scope_names(caller).await? };
    let now = caller.app().clock().now();
    Ok(AccountInfo {
        user_id: session.user_id,
        login_name: session.login_name.clone(),
        real_name: session.real_name.clone(),
        phone: account.phone.as_deref().map(mask::phone),
        avatar: account.avatar,
        user_type: session.user_type.clone(),
        area: session.area.as_str().to_owned(),
        school_id: session.school_id,
        school_name: caller.school.as_ref().map(|school| school.name.clone()),
        school_logo: caller.school.as_ref().and_then(|school| school.logo.clone()),
        school_status: caller.school.as_ref().map(|school| school.status.clone()),
        school_demo: caller.school.as_ref().is_some_and(|school| school.demo),
        brand_color,
        read_only: session.read_only,
        role_names: roles.iter().map(|role| role.role_name.clone()).collect(),
        data_scope: OwnScope { kind, names },
        actor: caller.claims.act.as_ref().map(|act| ActorInfo { user_id: act.sub, real_name: act.name.clone() }),
        expires_at: session.expires_at.to_rfc3339(),
        schools,
        must_change_password: session.must_change_password || password_end.is_some_and(|end| end < now),
        must_set_totp: session.must_set_totp,
        password_expires_on: password_end.map(|end| end.date_naive().to_string()),
        gmt_expires: session.gmt_expires.map(|end| end.to_rfc3339()),
        permission_version: account.permission_version,
        unread_msg_count: unread(caller).await?,
        // For whoever is signed in: what a server runs says to others where to begin.
        server_version: infra::release::VERSION.to_owned(),
    })
}

/// A snapshot of where the session is; none of a school that is being migrated, which is closed for a moment: its people may
/// still see who they are.
async fn home(caller: &Caller) -> Result<Option<ReadTx>> {
    match caller.home_read().await {
        Ok(tx) => Ok(Some(tx)),
        Err(error) if error.code == 409 => Ok(None),
        Err(error) => Err(error),
    }
}

/// The sites and classes that any of the account's codes reaches, by name.
async fn scope_names(caller: &Caller) -> Result<Vec<String>> {
    let Some(mut tx) = home(caller).await?.filter(|_| caller.session.school_id.is_some()) else {
        return Ok(Vec::new());
    };
    let all = |of: fn(&Scope) -> Option<&[i64]>| -> Vec<i64> {
        let ids: BTreeSet<i64> = caller.rights().values().filter_map(of).flatten().copied().collect();
        ids.into_iter().collect()
    };
    let names = sqlx::query_scalar!(
        r#"select name as "name!" from (
               select 1 as kind, id, name from site where id = any($1)
               union all
               select 2, id, name from class where id = any($2)) n
           order by kind, id"#,
        &all(Scope::sites),
        &all(Scope::classes)
    )
    .fetch_all(&mut *tx)
    .await?;
    Ok(names)
}

/// Messages in the account's own inbox that were not read; they lie where the session is.
async fn unread(caller: &Caller) -> Result<i64> {
    let Some(mut tx) = home(caller).await? else { return Ok(0) };
    let count = sqlx::query_scalar!(
        r#"select count(*) as "count!" from msg_delivery
           where recipient_type = 'account' and recipient_id = $1 and channel = 'in_app' and status = 'sent' and read_at is null"#,
        caller.user_id()
    )
    .fetch_one(&mut *tx)
    .await?;
    Ok(count)
}
