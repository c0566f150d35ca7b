//! No escalation (01 §2.2.3): a person gives only what they hold themself, with no wider data scope, and acts only on accounts
//! and roles whose every right they could give.

use std::collections::BTreeMap;

use account_rules::grant::{Refusal, Right, first_beyond};
use infra::{Result, Tx};
use sqlx::PgConnection;

pub use account_rules::grant::Extent;
pub(super) use account_rules::grant::helper;

/// Roles to be given, each with how far it will reach for the person who gets it.
pub type Wanted<'a> = [(i64, &'a Extent)];

/// # Errors
/// 403 with the first right that the acting person lacks in the area of these roles: the platform's for `client_type` 0,
/// else the school's. The super administrator is exempt.
pub async fn check(tx: &mut Tx, client_type: i16, school: Option<i64>, wanted: &Wanted<'_>) -> Result<()> {
    match beyond(tx, client_type, school, wanted).await? {
        Some(refusal) => Err(refusal.into()),
        None => Ok(()),
    }
}

async fn beyond(tx: &mut Tx, client_type: i16, school: Option<i64>, wanted: &Wanted<'_>) -> Result<Option<Refusal>> {
    if wanted.is_empty() || is_super(tx).await? {
        return Ok(None);
    }
    let ids: Vec<i64> = wanted.iter().map(|(role, _)| *role).collect();
    let rights: Vec<Right> = sqlx::query!(
        "select rp.role_id, p.permission_code, p.permission_name
         from platform.sys_role_permission rp join platform.sys_permission p on p.id = rp.permission_id
         where rp.role_id = any($1) order by p.menu_id, p.id",
        &ids
    )
    .fetch_all(&mut **tx)
    .await?
    .into_iter()
    .flat_map(|row| {
        let (id, code, name) = (row.role_id, row.permission_code, row.permission_name);
        let given = wanted.iter().find(|(role, _)| *role == id);
        given.map(|(_, extent)| Right { code, name, extent: (*extent).clone() })
    })
    .collect();
    Ok(first_beyond(&held(tx, client_type, school).await?, &rights))
}

/// Area and school for which a role was given.
type Place = (i16, Option<i64>);

/// Whether the acting person could give all that an account holds: everywhere, or (`at`) at one school. Roles that are
/// switched off count too, for whoever takes the account has them when they are on again.
///
/// # Errors
/// 403 with the first right that goes beyond, and who may act.
pub(super) async fn check_account(tx: &mut Tx, user_id: i64, at: Option<i64>, inside: Option<i64>) -> Result<()> {
    let roles = sqlx::query!(
        r#"select ur.school_id, r.id, r.client_type, r.data_scope,
                  coalesce(array_agg(coalesce(us.target_id, rs.target_id))
                      filter (where coalesce(us.target_type, rs.target_type) = 'site'), '{}') as "sites!",
                  coalesce(array_agg(coalesce(us.target_id, rs.target_id))
                      filter (where coalesce(us.target_type, rs.target_type) = 'class'), '{}') as "classes!"
           from platform.sys_user_role ur
           join platform.sys_role r on r.id = ur.role_id
           left join platform.sys_user_role_scope us on us.user_role_id = ur.id
           left join platform.sys_role_scope rs on rs.role_id = r.id and us.user_role_id is null
           where ur.user_id = $1 and ($2::bigint is null or ur.school_id = $2)
           group by ur.id, r.id"#,
        user_id,
        at
    )
    .fetch_all(&mut **tx)
    .await?;
    let mut places: BTreeMap<Place, Vec<(i64, Extent)>> = BTreeMap::new();
    for role in roles {
        let extent = Extent::of(&role.data_scope, &role.sites, &role.classes);
        places.entry((role.client_type, role.school_id)).or_default().push((role.id, extent));
    }
    for ((client_type, school), roles) in places {
        let wanted: Vec<(i64, &Extent)> = roles.iter().map(|(id, extent)| (*id, extent)).collect();
        if let Some(refusal) = beyond(tx, client_type, school, &wanted).await? {
            return Err(refusal.of("该账号", helper(inside)));
        }
    }
    Ok(())
}

/// Whether the acting person could give all that a role gives.
///
/// # Errors
/// As [`check_account`].
pub async fn check_role(tx: &mut Tx, client_type: i16, school: Option<i64>, role: i64, data_scope: &str) -> Result<()> {
    let targets = targets_of(tx, role).await?;
    let extent = Extent::of(data_scope, &targets.sites, &targets.classes);
    match beyond(tx, client_type, school, &[(role, &extent)]).await? {
        Some(refusal) => Err(refusal.of("该角色", helper(school))),
        None => Ok(()),
    }
}

/// The same for codes that a role is to get, by the numbers of their rows.
///
/// # Errors
/// As [`check`].
pub async fn check_permissions(
    tx: &mut Tx,
    client_type: i16,
    school: Option<i64>,
    permissions: &[i64],
    extent: &Extent,
) -> Result<()> {
    if permissions.is_empty() || is_super(tx).await? {
        return Ok(());
    }
    let rights: Vec<Right> = sqlx::query!(
        "select permission_code, permission_name from platform.sys_permission where id = any($1) order by menu_id, id",
        permissions
    )
    .fetch_all(&mut **tx)
    .await?
    .into_iter()
    .map(|row| Right { code: row.permission_code, name: row.permission_name, extent: extent.clone() })
    .collect();
    match first_beyond(&held(tx, client_type, school).await?, &rights) {
        Some(refusal) => Err(refusal.into()),
        None => Ok(()),
    }
}

/// The sites and classes that a role names.
#[derive(Debug, Clone, Default)]
pub struct Targets {
    pub sites: Vec<i64>,
    pub classes: Vec<i64>,
}

pub async fn targets_of(connection: &mut PgConnection, role: i64) -> Result<Targets> {
    let targets = sqlx::query_as!(
        Targets,
        r#"select coalesce(array_agg(target_id order by target_id) filter (where target_type = 'site'), '{}') as "sites!",
                  coalesce(array_agg(target_id order by target_id) filter (where target_type = 'class'), '{}') as "classes!"
           from platform.sys_role_scope where role_id = $1"#,
        role
    )
    .fetch_one(connection)
    .await?;
    Ok(targets)
}

async fn is_super(tx: &mut Tx) -> Result<bool> {
    let by = tx.by();
    let found = sqlx::query_scalar!(
        r#"select exists (
               select from platform.sys_user_role ur join platform.sys_role r on r.id = ur.role_id
               where ur.user_id = $1 and r.seed_key = 'super' and r.enabled) as "found!""#,
        by
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(found)
}

/// What the acting person was given there, also through permissions and menus that are switched off at the moment:
/// whether those are on is not theirs to decide when they pass a role on. A machine token passes on what both it and its
/// owner hold.
async fn held(tx: &mut Tx, client_type: i16, school: Option<i64>) -> Result<BTreeMap<String, Extent>> {
    let by = tx.by();
    let rows = sqlx::query!(
        r#"with mine as (
               select r.id as role_id, r.data_scope,
                      coalesce(array_agg(coalesce(us.target_id, rs.target_id))
                          filter (where coalesce(us.target_type, rs.target_type) = 'site'), '{}') as sites,
                      coalesce(array_agg(coalesce(us.target_id, rs.target_id))
                          filter (where coalesce(us.target_type, rs.target_type) = 'class'), '{}') as classes
               from platform.sys_user_role ur
               join platform.sys_role r on r.id = ur.role_id and r.enabled
               left join platform.sys_user_role_scope us on us.user_role_id = ur.id
               left join platform.sys_role_scope rs on rs.role_id = r.id and us.user_role_id is null
               where ur.user_id = coalesce((select owner_id from platform.sys_machine_token where account_id = $1), $1)
                 and r.client_type = $2
                 and ($2 = 0 or ur.school_id is null or ur.school_id = $3)
                 and (r.school_id is null or r.school_id = $3)
               group by ur.id, r.id)
           select p.permission_code, mine.data_scope, mine.sites as "sites!", mine.classes as "classes!"
           from mine
           join platform.sys_role_permission rp on rp.role_id = mine.role_id
           join platform.sys_permission p on p.id = rp.permission_id
           where not exists (select from platform.sys_machine_token t
                             where t.account_id = $1 and not p.permission_code = any(t.permission_codes))"#,
        by,
        client_type,
        school
    )
    .fetch_all(&mut **tx)
    .await?;
    let mut held: BTreeMap<String, Extent> = BTreeMap::new();
    for row in rows {
        let extent = Extent::of(&row.data_scope, &row.sites, &row.classes);
        held.entry(row.permission_code).or_default().widen(&extent);
    }
    Ok(held)
}
