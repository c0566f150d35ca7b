//! What nobody may do with roles (01 §2.2.3, §2.2.4, §2.2.6).

use accounts::user::grant;
use infra::{Error, Result, Tx};

use super::{DataScope, Role, RoleForm, RoleKind, list};

/// 0 the operators' area, 1 the schools'.
pub(super) fn client_type(kind: RoleKind) -> i16 {
    if kind == RoleKind::Platform { 0 } else { 1 }
}

/// # Errors
/// 422 when the area has no such roles.
pub(super) fn check_kind(form: &RoleForm, school: Option<i64>) -> Result<()> {
    match (form.kind, school) {
        (RoleKind::Own, None) => return Err(Error::field("kind", "本校角色由院校自己新增")),
        (RoleKind::Platform | RoleKind::Template, Some(_)) => {
            return Err(Error::field("kind", "院校只能新增本校角色"));
        }
        _ => {}
    }
    if form.kind == RoleKind::Platform && form.data_scope != DataScope::WholeSchool {
        return Err(Error::field("dataScope", "平台角色的数据范围固定为全校"));
    }
    Ok(())
}

/// The role, held until the transaction ends. Whoever changes it could give all of it; at the platform, where a role is held
/// at every school, they act for every school.
///
/// # Errors
/// 404 when the area does not see it, 403 when it only may look at it or it gives more than the acting person holds.
pub(super) async fn editable(tx: &mut Tx, id: i64, school: Option<i64>) -> Result<Role> {
    sqlx::query!("select id from platform.sys_role where id = $1 for update", id).fetch_optional(&mut **tx).await?;
    let role = list::find(tx, id, school).await?;
    if school.is_some() && role.kind != RoleKind::Own {
        return Err(Error::new(403, "院校模板由平台维护，请复制为本校角色后修改"));
    }
    if school.is_none() && !acts_everywhere(tx).await? {
        return Err(Error::new(403, "平台角色和院校模板用于全部院校，请由可管全部院校的人员办理"));
    }
    grant::check_role(tx, client_type(role.kind), school, role.id, role.data_scope.as_str()).await?;
    Ok(role)
}

async fn acts_everywhere(tx: &mut Tx) -> Result<bool> {
    let by = tx.by();
    let everywhere =
        sqlx::query_scalar!(r#"select school_scope = 'all' as "all!" from platform.sys_user where id = $1"#, by)
            .fetch_one(&mut **tx)
            .await?;
    Ok(everywhere)
}

/// Nobody changes the role through which they hold the right to allocate, nor does a token of theirs.
///
/// # Errors
/// 409 when the acting person holds it that way.
pub(super) async fn not_own(tx: &mut Tx, role: i64) -> Result<()> {
    let by = tx.by();
    let own = sqlx::query_scalar!(
        r#"select exists (
               select from platform.sys_user_role ur
               join platform.sys_role_permission rp on rp.role_id = ur.role_id
               join platform.sys_permission p on p.id = rp.permission_id
               where ur.user_id = coalesce((select owner_id from platform.sys_machine_token where account_id = $1), $1)
                 and ur.role_id = $2 and p.permission_code = 'system:pc:sys:role:allocation') as "own!""#,
        by,
        role
    )
    .fetch_one(&mut **tx)
    .await?;
    if own { Err(Error::conflict("不能修改自己的角色")) } else { Ok(()) }
}

/// The super administrator's role has every code and is kept so.
///
/// # Errors
/// 409 for that role.
pub(super) async fn not_super(tx: &mut Tx, role: i64) -> Result<()> {
    let key =
        sqlx::query_scalar!("select seed_key from platform.sys_role where id = $1", role).fetch_one(&mut **tx).await?;
    if key.as_deref() == Some("super") {
        return Err(Error::conflict("超级管理员始终拥有全部权限，不需要分配"));
    }
    Ok(())
}
