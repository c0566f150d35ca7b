//! 院校绑定: an account at a school (01 §2.1).

use infra::{Change, Error, OnConstraint, Result, Tx, clock::Moment};
use poem_openapi::Object;
use serde_json::json;
use sqlx::PgConnection;

use super::{
    change_status, known,
    roles::{self, Roles},
};
use crate::session::{self, Which};

/// An account at a school, with its roles there.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Binding {
    /// 绑定编号
    pub id: i64,
    /// 院校编号
    pub school_id: i64,
    /// 院校名称
    pub school_name: String,
    /// 启用
    pub enabled: bool,
    /// 院校管理员
    pub is_admin: bool,
    /// 有效期至
    pub gmt_expires: Option<Moment>,
    /// 教师
    pub teacher_id: Option<i64>,
    /// 版本
    pub version: i32,
    /// 最近使用
    pub last_used_at: Option<Moment>,
    /// 角色
    pub roles: Vec<Roles>,
}

/// What is decided about an account at one school.
#[derive(Debug, Clone, Copy)]
pub(super) struct Terms {
    pub(super) gmt_expires: Option<Moment>,
    pub(super) is_admin: bool,
    /// Which teacher of the school the person is.
    pub(super) teacher_id: Option<i64>,
}

/// Binds an account to a school.
///
/// # Errors
/// 409 when it is bound there already.
pub(super) async fn bind(tx: &mut Tx, user_id: i64, school: i64, terms: Terms) -> Result<(i64, Change)> {
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into platform.sys_user_school (user_id, school_id, gmt_expires, is_admin, teacher_id, created_by, updated_by)
         values ($1, $2, $3, $4, $6, $5, $5) returning id",
        user_id,
        school,
        terms.gmt_expires,
        terms.is_admin,
        by,
        terms.teacher_id
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(|name| (name == "sys_user_school_bound_once").then(|| Error::conflict("该账号已绑定本院校")))?;
    // What the school asked for has come true, whoever bound the account.
    sqlx::query!(
        "update platform.sys_school_invitation set state = 'accepted', decided_at = now(), updated_at = now(), updated_by = $3,
                version = version + 1
         where user_id = $1 and school_id = $2 and state = 'pending'",
        user_id,
        school,
        by
    )
    .execute(&mut **tx)
    .await?;
    known::touch(tx, user_id).await?;
    let what = json!({ "userId": user_id, "schoolId": school, "isAdmin": terms.is_admin, "teacherId": terms.teacher_id, "gmtExpires": terms.gmt_expires.map(|at| at.to_rfc3339()) });
    Ok((id, Change::event("sys_user_school", id, "insert", what)))
}

/// A binding as it stands, held until the transaction ends.
pub(super) struct Bound {
    pub(super) id: i64,
    pub(super) user_id: i64,
    pub(super) school_id: i64,
    pub(super) enabled: bool,
    is_admin: bool,
    gmt_expires: Option<Moment>,
    teacher_id: Option<i64>,
    version: i32,
}

impl Bound {
    pub(super) fn ends(&self) -> Option<Moment> {
        self.gmt_expires
    }
}

/// # Errors
/// 404 when there is none.
pub(super) async fn school_of(connection: &mut PgConnection, id: i64) -> Result<i64> {
    sqlx::query_scalar!("select school_id from platform.sys_user_school where id = $1", id)
        .fetch_optional(connection)
        .await?
        .ok_or_else(Error::not_found)
}

/// # Errors
/// 404 when there is none.
pub(super) async fn lock(tx: &mut Tx, id: i64) -> Result<Bound> {
    sqlx::query_as!(
        Bound,
        "select id, user_id, school_id, enabled, is_admin, gmt_expires, teacher_id, version
         from platform.sys_user_school where id = $1 for update",
        id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)
}

/// The binding of an account at one school.
///
/// # Errors
/// 404 when it is not bound there.
pub(super) async fn lock_at(tx: &mut Tx, user_id: i64, school: i64) -> Result<Bound> {
    let id = sqlx::query_scalar!(
        "select id from platform.sys_user_school where user_id = $1 and school_id = $2",
        user_id,
        school
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)?;
    lock(tx, id).await
}

/// Switches a binding as `wanted`, or round where nothing is wanted; elsewhere the account is not touched. Answers its new state.
///
/// # Errors
/// 409 for the school's last administrator.
pub(super) async fn switch(tx: &mut Tx, bound: &Bound, wanted: Option<bool>, now: Moment) -> Result<(bool, Change)> {
    let enabled = wanted.unwrap_or(!bound.enabled);
    if bound.enabled && !enabled {
        change_status::keep_an_administrator(tx, bound.school_id, bound.user_id).await?;
        session::revoke(tx, Which::OfUserAt(bound.user_id, bound.school_id), "account_disabled", now).await?;
    }
    let by = tx.by();
    sqlx::query!(
        "update platform.sys_user_school set enabled = $2, updated_at = now(), updated_by = $3, version = version + 1 where id = $1",
        bound.id,
        enabled,
        by
    )
    .execute(&mut **tx)
    .await?;
    known::touch(tx, bound.user_id).await?;
    Ok((enabled, Change::status("sys_user_school", bound.id, "enabled", bound.enabled, enabled)))
}

/// Decides anew until when, and whether as administrator; none when nothing differs. `inside` is the school area, where
/// the last administrator stays one.
pub(super) async fn change(tx: &mut Tx, bound: &Bound, terms: Terms, inside: bool) -> Result<Option<Change>> {
    let before = bound.ends();
    if before == terms.gmt_expires && bound.is_admin == terms.is_admin {
        return Ok(None);
    }
    if inside && bound.is_admin && !terms.is_admin {
        change_status::keep_an_administrator(tx, bound.school_id, bound.user_id).await?;
    }
    let by = tx.by();
    sqlx::query!(
        "update platform.sys_user_school set gmt_expires = $2, is_admin = $3, updated_at = now(), updated_by = $4, version = version + 1
         where id = $1",
        bound.id,
        terms.gmt_expires,
        terms.is_admin,
        by
    )
    .execute(&mut **tx)
    .await?;
    let shown = |ends: Option<Moment>, is_admin: bool| json!({ "gmtExpires": ends.map(|at| at.to_rfc3339()), "isAdmin": is_admin });
    let (before, after) = (shown(before, bound.is_admin), shown(terms.gmt_expires, terms.is_admin));
    Ok(Some(Change::status("sys_user_school", bound.id, "terms", before, after)))
}

/// Ties an account at a school to a teacher, none to untie it; no change when it was so before.
///
/// # Errors
/// 409 when somebody else changed the binding since it was read.
pub(super) async fn tie(
    tx: &mut Tx,
    bound: &Bound,
    teacher_id: Option<i64>,
    version: Option<i32>,
) -> Result<Option<Change>> {
    if version.is_some_and(|version| version != bound.version) {
        return Err(tx.stale("sys_user_school", bound.id).await);
    }
    if bound.teacher_id == teacher_id {
        return Ok(None);
    }
    let by = tx.by();
    sqlx::query!(
        "update platform.sys_user_school set teacher_id = $2, updated_at = now(), updated_by = $3, version = version + 1
         where id = $1",
        bound.id,
        teacher_id,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(Some(Change::status("sys_user_school", bound.id, "teacherId", bound.teacher_id, teacher_id)))
}

/// Takes an account out of a school, with its roles and sessions there.
pub(super) async fn unbind(tx: &mut Tx, bound: &Bound, now: Moment) -> Result<Change> {
    session::revoke(tx, Which::OfUserAt(bound.user_id, bound.school_id), "account_disabled", now).await?;
    sqlx::query!(
        "delete from platform.sys_user_role where user_id = $1 and school_id = $2",
        bound.user_id,
        bound.school_id
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!("delete from platform.sys_user_school where id = $1", bound.id).execute(&mut **tx).await?;
    tx.notice("rights", bound.user_id);
    known::touch(tx, bound.user_id).await?;
    let what = json!({ "userId": bound.user_id, "schoolId": bound.school_id });
    Ok(Change::event("sys_user_school", bound.id, "delete", what))
}

/// The bindings of an account: at one school, or at those that an operator may see.
pub(super) async fn of_account(
    connection: &mut PgConnection,
    user_id: i64,
    school: Option<i64>,
    operator: Option<i64>,
) -> Result<Vec<Binding>> {
    let rows = sqlx::query!(
        "select b.id, b.school_id, s.name, b.enabled, b.is_admin, b.gmt_expires, b.teacher_id, b.version, b.last_used_at
         from platform.sys_user_school b join platform.school s on s.id = b.school_id and s.deleted_at is null
         where b.user_id = $1 and ($2::bigint is null or b.school_id = $2)
           and ($3::bigint is null
                or exists (select from platform.sys_user o where o.id = $3 and o.school_scope = 'all')
                or exists (select from platform.sys_user_school m where m.user_id = $3 and m.school_id = b.school_id and m.enabled))
         order by b.school_id",
        user_id,
        school,
        operator
    )
    .fetch_all(&mut *connection)
    .await?;
    let mut bindings = Vec::with_capacity(rows.len());
    for row in rows {
        let held = roles::held(connection, user_id, Some(row.school_id)).await?;
        bindings.push(Binding {
            id: row.id,
            school_id: row.school_id,
            school_name: row.name,
            enabled: row.enabled,
            is_admin: row.is_admin,
            gmt_expires: row.gmt_expires,
            teacher_id: row.teacher_id,
            version: row.version,
            last_used_at: row.last_used_at,
            roles: held.into_iter().map(Roles::from).collect(),
        });
    }
    Ok(bindings)
}
