//! 分配角色: which roles an account has, at the platform or at a school, and with which sites or classes.

use std::collections::{BTreeMap, BTreeSet};

use infra::{
    Change, Error, Result, Tx,
    access::{Allowed, Caller, Permission},
};
use poem_openapi::Object;
use serde_json::json;
use sqlx::PgConnection;

use super::{
    change_status,
    grant::{self, Extent},
    known::{self, Known},
};

/// The roles of an account at one place, in the order of their numbers.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase")]
pub struct Roles {
    /// 角色编号
    pub role_id: i64,
    /// 角色名称
    pub role_name: String,
    /// 数据范围
    pub data_scope: String,
    /// 指定站点
    pub site_ids: Vec<i64>,
    /// 指定班级
    pub class_ids: Vec<i64>,
}

/// The sites or classes that a role reaches for this person, instead of its own.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct RoleTargets {
    /// 角色编号
    pub role_id: i64,
    /// 站点
    #[oai(default, validator(max_items = 500))]
    pub site_ids: Vec<i64>,
    /// 班级
    #[oai(default, validator(max_items = 500))]
    pub class_ids: Vec<i64>,
}

/// Where roles are given: at a school, or (none) at the platform, whose people may also hold school roles everywhere.
pub(super) type At = Option<i64>;

struct Role {
    id: i64,
    role_name: String,
    client_type: i16,
    data_scope: String,
    sites: Vec<i64>,
    classes: Vec<i64>,
    is_super: bool,
}

/// # Errors
/// 422 at `scopes` when a site or class is none of the school's.
pub(super) async fn check_targets<P: Permission>(
    caller: &Allowed<P>,
    school: i64,
    targets: &[RoleTargets],
) -> Result<()> {
    let sites: Vec<i64> = targets.iter().flat_map(|each| each.site_ids.clone()).collect();
    let classes: Vec<i64> = targets.iter().flat_map(|each| each.class_ids.clone()).collect();
    if sites.is_empty() && classes.is_empty() {
        return Ok(());
    }
    let mut tx = match known::own_school(caller) {
        Some(_) => caller.home_read().await?,
        None => {
            let school = caller.app().school(school).await?.ok_or_else(Error::not_found)?;
            caller.look_into(&school).await?
        }
    };
    let unknown = sqlx::query_scalar!(
        r#"select exists (select from unnest($1::bigint[]) as w (id) where not exists (select from site where site.id = w.id))
               or exists (select from unnest($2::bigint[]) as w (id) where not exists (select from class where class.id = w.id))
               as "unknown!""#,
        &sites,
        &classes
    )
    .fetch_one(&mut *tx)
    .await?;
    if unknown { Err(Error::field("scopes", "所选站点或班级不存在，请重新选择")) } else { Ok(()) }
}

/// Gives an account exactly these roles at one place.
///
/// # Errors
/// 409 for one's own roles and for the last super administrator; 403 for what the acting person does not hold; 422 when
/// a role cannot be given there.
pub(super) async fn assign(
    tx: &mut Tx,
    caller: &Caller,
    user: &Known,
    at: At,
    role_ids: &[i64],
    targets: &[RoleTargets],
) -> Result<Change> {
    if caller.user_id() == user.id {
        return Err(Error::conflict("不能修改自己的角色"));
    }
    give(tx, user, at, role_ids, targets).await
}

/// The same for an account that was just made or bound.
pub(super) async fn give(
    tx: &mut Tx,
    user: &Known,
    at: At,
    role_ids: &[i64],
    targets: &[RoleTargets],
) -> Result<Change> {
    let wanted = wanted(tx, user.is_of_platform(), user.id, at, role_ids).await?;
    let targets = targets_of(&wanted, targets)?;
    let before = held(tx, user.id, at).await?;
    check_held(tx, at, &wanted, &targets, &before).await?;
    let loses_super = before.iter().any(|role| role.is_super) && !wanted.iter().any(|role| role.is_super);
    if loses_super {
        if user.built_in {
            return Err(Error::conflict("内置账号的超级管理员角色不能移除"));
        }
        change_status::keep_a_super_administrator(tx, user.id).await?;
    }
    write(tx, user.id, at, role_ids, &targets).await?;
    let after = held(tx, user.id, at).await?;
    tx.notice("rights", user.id);
    known::touch(tx, user.id).await?;
    Ok(Change::status("sys_user", user.id, "roles", shown(&before), shown(&after)))
}

/// Whether whoever acts holds what these roles give, where it goes beyond what the person has already.
async fn check_held(tx: &mut Tx, at: At, wanted: &[Role], targets: &Targets, before: &[Held]) -> Result<()> {
    let extents: Vec<(i64, i16, Extent)> = wanted
        .iter()
        .map(|role| {
            let (sites, classes) = targets.get(&role.id).map_or((&role.sites, &role.classes), |own| (&own.0, &own.1));
            (role.id, role.client_type, Extent::of(&role.data_scope, sites, classes))
        })
        .collect();
    for client_type in [0, 1] {
        let added: Vec<(i64, &Extent)> = extents
            .iter()
            .filter(|(id, kind, extent)| *kind == client_type && !reaches_already(before, *id, extent))
            .map(|(id, _, extent)| (*id, extent))
            .collect();
        grant::check(tx, client_type, at, &added).await?;
    }
    Ok(())
}

/// Whether whoever acts could give these roles at a school to somebody who has none there yet.
///
/// # Errors
/// As [`assign`].
pub(super) async fn check_offered(tx: &mut Tx, school: i64, role_ids: &[i64], targets: &[RoleTargets]) -> Result<()> {
    let wanted = wanted(tx, false, 0, Some(school), role_ids).await?;
    let targets = targets_of(&wanted, targets)?;
    check_held(tx, Some(school), &wanted, &targets, &[]).await
}

/// Gives what a school offered, as far as the roles are still there; whoever offered it was asked then whether they may.
///
/// # Errors
/// 409 when none of them is.
pub(super) async fn give_offered(
    tx: &mut Tx,
    user_id: i64,
    school: i64,
    role_ids: &[i64],
    targets: &[RoleTargets],
) -> Result<Change> {
    let left = sqlx::query_scalar!(
        "select id from platform.sys_role
         where id = any($1) and client_type = 1 and enabled and (school_id is null or school_id = $2) order by id",
        role_ids,
        school
    )
    .fetch_all(&mut **tx)
    .await?;
    if left.is_empty() {
        return Err(Error::conflict("邀请中的角色已不存在或已停用，请联系该院校重新邀请"));
    }
    let targets = targets
        .iter()
        .filter(|each| left.contains(&each.role_id) && !(each.site_ids.is_empty() && each.class_ids.is_empty()))
        .map(|each| (each.role_id, (each.site_ids.clone(), each.class_ids.clone())))
        .collect();
    write(tx, user_id, Some(school), &left, &targets).await?;
    let after = shown(&held(tx, user_id, Some(school)).await?);
    tx.notice("rights", user_id);
    Ok(Change::status("sys_user", user_id, "roles", Vec::<serde_json::Value>::new(), after))
}

/// Roles as the trail names them.
fn shown(roles: &[Held]) -> Vec<serde_json::Value> {
    roles.iter().map(|role| json!({ "role": role.role_name, "sites": role.sites, "classes": role.classes })).collect()
}

/// Whether these roles can be given to platform accounts that do not exist yet.
///
/// # Errors
/// 422 when a role cannot be given, 403 for what the acting person does not hold.
pub(super) async fn check_new(tx: &mut Tx, role_ids: &[i64]) -> Result<()> {
    let wanted = wanted(tx, true, 0, None, role_ids).await?;
    for client_type in [0, 1] {
        let extents: Vec<(i64, Extent)> = wanted
            .iter()
            .filter(|role| role.client_type == client_type)
            .map(|role| (role.id, Extent::of(&role.data_scope, &role.sites, &role.classes)))
            .collect();
        let given: Vec<(i64, &Extent)> = extents.iter().map(|(id, extent)| (*id, extent)).collect();
        grant::check(tx, client_type, None, &given).await?;
    }
    Ok(())
}

/// Gives checked roles to platform accounts that were just made.
pub(super) async fn give_to_new(tx: &mut Tx, user_ids: &[i64], role_ids: &[i64]) -> Result<()> {
    let by = tx.by();
    sqlx::query!(
        "insert into platform.sys_user_role (user_id, role_id, created_by)
         select u.id, r.id, $3 from unnest($1::bigint[]) as u (id) cross join unnest($2::bigint[]) as r (id)
         on conflict on constraint sys_user_role_given_once do nothing",
        user_ids,
        role_ids,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

fn reaches_already(before: &[Held], id: i64, extent: &Extent) -> bool {
    before.iter().any(|role| {
        role.role_id == id && Extent::of(&role.data_scope, &role.reached_sites, &role.reached_classes) == *extent
    })
}

/// The roles by their numbers, each of a kind that can be given there.
async fn wanted(tx: &mut Tx, of_platform: bool, user_id: i64, at: At, role_ids: &[i64]) -> Result<Vec<Role>> {
    let found = sqlx::query_as!(
        Role,
        r#"select r.id, r.role_name, r.client_type, r.data_scope, coalesce(r.seed_key = 'super', false) as "is_super!",
                  array(select target_id from platform.sys_role_scope s where s.role_id = r.id and s.target_type = 'site') as "sites!",
                  array(select target_id from platform.sys_role_scope s where s.role_id = r.id and s.target_type = 'class') as "classes!"
           from platform.sys_role r
           where r.id = any($1) and (r.school_id is null or r.school_id = $2) and (r.client_type = 1 or $3)
             and (r.enabled or exists (select from platform.sys_user_role ur where ur.user_id = $4 and ur.role_id = r.id))"#,
        role_ids,
        at,
        of_platform,
        user_id
    )
    .fetch_all(&mut **tx)
    .await?;
    let asked: BTreeSet<i64> = role_ids.iter().copied().collect();
    if asked.is_empty() {
        return Err(Error::field("roleIdList", "请选择角色"));
    }
    if found.len() != asked.len() {
        return Err(Error::field("roleIdList", "所选角色不存在或已停用，请重新选择"));
    }
    Ok(found)
}

type Targets = BTreeMap<i64, (Vec<i64>, Vec<i64>)>;

/// What was named for each role; a role whose reach is the whole school takes no names.
fn targets_of(wanted: &[Role], targets: &[RoleTargets]) -> Result<Targets> {
    let mut out = Targets::new();
    for each in targets.iter().filter(|each| !each.site_ids.is_empty() || !each.class_ids.is_empty()) {
        let Some(role) = wanted.iter().find(|role| role.id == each.role_id) else {
            return Err(Error::field("scopes", "数据范围只能指定给所选的角色"));
        };
        let fits = match role.data_scope.as_str() {
            "named_sites" => each.class_ids.is_empty(),
            "named_classes" => each.site_ids.is_empty(),
            _ => false,
        };
        if !fits {
            let message = format!("角色“{}”的数据范围不是这一类，不能指定", role.role_name);
            return Err(Error::field("scopes", message));
        }
        out.insert(role.id, (each.site_ids.clone(), each.class_ids.clone()));
    }
    Ok(out)
}

/// A role as an account has it.
pub(super) struct Held {
    pub(super) role_id: i64,
    pub(super) role_name: String,
    pub(super) data_scope: String,
    /// Of the person's own.
    pub(super) sites: Vec<i64>,
    pub(super) classes: Vec<i64>,
    /// Of the person's own, else of the role's.
    reached_sites: Vec<i64>,
    reached_classes: Vec<i64>,
    is_super: bool,
}

impl From<Held> for Roles {
    fn from(held: Held) -> Self {
        Self {
            role_id: held.role_id,
            role_name: held.role_name,
            data_scope: held.data_scope,
            site_ids: held.sites,
            class_ids: held.classes,
        }
    }
}

pub(super) async fn held(connection: &mut PgConnection, user_id: i64, at: At) -> Result<Vec<Held>> {
    let held = sqlx::query_as!(
        Held,
        r#"select r.id as role_id, r.role_name, r.data_scope, coalesce(r.seed_key = 'super', false) as "is_super!",
                  array(select target_id from platform.sys_user_role_scope s
                        where s.user_role_id = ur.id and s.target_type = 'site' order by 1) as "sites!",
                  array(select target_id from platform.sys_user_role_scope s
                        where s.user_role_id = ur.id and s.target_type = 'class' order by 1) as "classes!",
                  case when own.any then array(select target_id from platform.sys_user_role_scope s
                                               where s.user_role_id = ur.id and s.target_type = 'site')
                       else array(select target_id from platform.sys_role_scope s
                                  where s.role_id = r.id and s.target_type = 'site') end as "reached_sites!",
                  case when own.any then array(select target_id from platform.sys_user_role_scope s
                                               where s.user_role_id = ur.id and s.target_type = 'class')
                       else array(select target_id from platform.sys_role_scope s
                                  where s.role_id = r.id and s.target_type = 'class') end as "reached_classes!"
           from platform.sys_user_role ur
           join platform.sys_role r on r.id = ur.role_id
           cross join lateral (select exists (select from platform.sys_user_role_scope s
                                              where s.user_role_id = ur.id) as any) own
           where ur.user_id = $1 and ur.school_id is not distinct from $2
           order by r.id"#,
        user_id,
        at
    )
    .fetch_all(connection)
    .await?;
    Ok(held)
}

async fn write(tx: &mut Tx, user_id: i64, at: At, role_ids: &[i64], targets: &Targets) -> Result<()> {
    let by = tx.by();
    sqlx::query!(
        "delete from platform.sys_user_role
         where user_id = $1 and school_id is not distinct from $2 and not role_id = any($3)",
        user_id,
        at,
        role_ids
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "insert into platform.sys_user_role (user_id, role_id, school_id, created_by)
         select $1, id, $2, $4 from unnest($3::bigint[]) as w (id)
         on conflict on constraint sys_user_role_given_once do nothing",
        user_id,
        at,
        role_ids,
        by
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "delete from platform.sys_user_role_scope s using platform.sys_user_role ur
         where ur.id = s.user_role_id and ur.user_id = $1 and ur.school_id is not distinct from $2",
        user_id,
        at
    )
    .execute(&mut **tx)
    .await?;
    let rows: Vec<(i64, &str, i64)> = targets
        .iter()
        .flat_map(|(role, (sites, classes))| {
            let sites = sites.iter().map(|id| (*role, "site", *id));
            sites.chain(classes.iter().map(|id| (*role, "class", *id)))
        })
        .collect();
    let roles: Vec<i64> = rows.iter().map(|row| row.0).collect();
    let kinds: Vec<String> = rows.iter().map(|row| row.1.to_owned()).collect();
    let ids: Vec<i64> = rows.iter().map(|row| row.2).collect();
    sqlx::query!(
        "insert into platform.sys_user_role_scope (user_role_id, target_type, target_id)
         select ur.id, w.kind, w.target from unnest($3::bigint[], $4::text[], $5::bigint[]) as w (role, kind, target)
         join platform.sys_user_role ur on ur.role_id = w.role and ur.user_id = $1 and ur.school_id is not distinct from $2
         on conflict do nothing",
        user_id,
        at,
        &roles,
        &kinds,
        &ids
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!("update platform.sys_user set permission_version = permission_version + 1 where id = $1", user_id)
        .execute(&mut **tx)
        .await?;
    Ok(())
}

/// The numbers of the roles of an account at one place.
pub(super) async fn ids(connection: &mut PgConnection, user_id: i64, at: At) -> Result<Vec<i64>> {
    Ok(held(connection, user_id, at).await?.into_iter().map(|role| role.role_id).collect())
}
