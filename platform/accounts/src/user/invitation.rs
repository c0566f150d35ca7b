//! 院校邀请: a school asks somebody who has an account elsewhere to work there too.
//!
//! ```text
//! pending ─agree→ accepted: the binding and its roles are made      pending ─refuse→ refused     ─withdraw→ withdrawn
//!                                                                   pending ─30 days→ expired
//! ```
//! Invariant: an invitation is no binding. Until the person agrees, nothing that asks where an account works sees it: the
//! school reads a masked name and what it typed itself, and the person's own schools lose nothing.

use chrono::Duration;
use infra::{
    App, Change, Error, OnConstraint, Reply, Result, Saved, Tx, access::Caller, clock::Moment, directory::School,
    enumeration, mask, reply, tx::record_in_school,
};
use poem_openapi::Object;
use serde_json::json;
use sqlx::PgConnection;

use super::{
    binding::{self, Terms},
    roles::{self, RoleTargets},
    school::BindForm,
};
use crate::guard;

/// Days after which an invitation ends by itself.
const DAYS: i64 = 30;
/// Days for which a school still sees that an invitation was refused or ran out.
const SHOWN_DAYS: i64 = 60;

enumeration! {
    /// 院校邀请状态
    pub enum InvitationState = "invitationState" {
        Pending = "pending" "待本人同意",
        Refused = "refused" "本人已拒绝",
        Expired = "expired" "已过期",
    }
}

/// An invitation as the school sees it: what was typed, and a masked name.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Invitation {
    /// 邀请编号
    pub id: i64,
    /// 账号
    pub login_name: String,
    /// 姓名
    pub real_name_masked: String,
    /// 角色
    pub role_names: Vec<String>,
    /// 院校管理员
    pub is_admin: bool,
    /// 有效期至
    pub gmt_expires: Option<Moment>,
    /// 状态
    pub state: InvitationState,
    /// 邀请截止
    pub ends_at: Moment,
    /// 邀请人
    pub invited_by: String,
    /// 邀请时间
    pub created_at: Moment,
}

/// An invitation as the invited person sees it.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct OwnInvitation {
    /// 邀请编号
    pub id: i64,
    /// 院校名称
    pub school_name: String,
    /// 角色
    pub role_names: Vec<String>,
    /// 院校管理员
    pub is_admin: bool,
    /// 有效期至
    pub gmt_expires: Option<Moment>,
    /// 邀请人
    pub invited_by: String,
    /// 邀请时间
    pub created_at: Moment,
    /// 邀请截止
    pub ends_at: Moment,
}

/// 409 of an account that was invited already.
pub(super) fn waits() -> Error {
    Error::conflict("已邀请该账号，待本人登录后同意")
}

/// Asks the account with this number and exactly this login name. Every try counts, and whatever is not right is told in the
/// same words, so that neither numbers nor names can be found by trying.
///
/// # Errors
/// 422 at `loginName` when there is no such account; 409 when it is bound or invited already; 429 beyond ten a minute; 403 for
/// what the inviting person does not hold.
pub(super) async fn invite(
    mut tx: Tx,
    caller: &Caller,
    school: i64,
    form: &BindForm,
    now: Moment,
) -> Result<Reply<Saved>> {
    let login_name = form.login_name.as_deref().map(str::trim).filter(|name| !name.is_empty());
    let Some(login_name) = login_name else {
        return Err(Error::field("loginName", "请填写该人员的账号"));
    };
    if let Err(too_often) = guard::count_lookup(&mut tx, school, now).await {
        tx.commit_untracked("the count of accounts that were looked for").await?;
        return Err(too_often);
    }
    let found = sqlx::query!(
        r#"select u.id, exists (select from platform.sys_user_school b where b.user_id = u.id and b.school_id = $3) as "bound!"
           from platform.sys_user u
           where u.id = $1 and lower(u.login_name) = lower($2) and u.user_type = 'school' and u.deleted_at is null
           for update of u"#,
        form.user_id,
        login_name,
        school
    )
    .fetch_optional(&mut *tx)
    .await?;
    let Some(found) = found else {
        tx.commit_untracked("the count of accounts that were looked for").await?;
        return Err(Error::field("loginName", "没有找到该账号，请向本人核对账号"));
    };
    if found.id == caller.user_id() {
        return Err(Error::conflict("不能修改自己的角色"));
    }
    if found.bound {
        return Err(Error::conflict("该账号已绑定本院校"));
    }
    roles::check_offered(&mut tx, school, &form.role_id_list, &form.scopes).await?;
    let by = tx.by();
    // One that ran out makes way for a new one.
    sqlx::query!(
        "update platform.sys_school_invitation set state = 'withdrawn', decided_at = $3, updated_at = now(), updated_by = $4,
                version = version + 1
         where user_id = $1 and school_id = $2 and state = 'pending' and ends_at <= $3",
        found.id,
        school,
        now,
        by
    )
    .execute(&mut *tx)
    .await?;
    let scopes = json!(
        form.scopes
            .iter()
            .map(|each| json!({ "roleId": each.role_id, "siteIds": each.site_ids, "classIds": each.class_ids }))
            .collect::<Vec<_>>()
    );
    let is_admin = form.is_admin.unwrap_or(false);
    let id = sqlx::query_scalar!(
        "insert into platform.sys_school_invitation
             (user_id, school_id, login_name, role_ids, scopes, gmt_expires, is_admin, ends_at, teacher_id, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $10, $9, $9) returning id",
        found.id,
        school,
        login_name,
        &form.role_id_list,
        scopes,
        form.gmt_expires,
        is_admin,
        (now + Duration::days(DAYS)),
        by,
        form.teacher_id
    )
    .fetch_one(&mut *tx)
    .await
    .on_constraint(|name| (name == "sys_school_invitation_once").then(waits))?;
    let what =
        json!({ "loginName": login_name, "schoolId": school, "isAdmin": is_admin, "roleIds": form.role_id_list });
    let there = place(caller.app(), school).await?;
    let event = || Change::event("sys_school_invitation", id, "insert", what.clone());
    record_in_school(caller.app(), &there, &caller.actor(), event()).await?;
    tx.commit(event()).await?;
    Ok(reply(Saved { id }))
}

async fn place(app: &App, school: i64) -> Result<std::sync::Arc<School>> {
    app.school(school).await?.ok_or_else(Error::not_found)
}

/// What a school has asked for and not got, the newest first.
pub(super) async fn of_school(connection: &mut PgConnection, school: i64, now: Moment) -> Result<Vec<Invitation>> {
    let rows = sqlx::query!(
        r#"select i.id, i.login_name, u.real_name, i.is_admin, i.gmt_expires, i.ends_at, i.created_at, a.real_name as invited_by,
                  case when i.state = 'pending' and i.ends_at <= $2 then 'expired' else i.state end as "state!: InvitationState",
                  array(select r.role_name from platform.sys_role r where r.id = any(i.role_ids) order by r.id) as "role_names!"
           from platform.sys_school_invitation i
           join platform.sys_user u on u.id = i.user_id
           join platform.sys_user a on a.id = i.created_by
           where i.school_id = $1 and i.state in ('pending', 'refused') and i.created_at > $3
           order by i.id desc"#,
        school,
        now,
        (now - Duration::days(SHOWN_DAYS))
    )
    .fetch_all(connection)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| Invitation {
            id: row.id,
            login_name: row.login_name,
            real_name_masked: mask::name(&row.real_name),
            role_names: row.role_names,
            is_admin: row.is_admin,
            gmt_expires: row.gmt_expires,
            state: row.state,
            ends_at: row.ends_at,
            invited_by: row.invited_by,
            created_at: row.created_at,
        })
        .collect())
}

/// What an account is asked for and may still agree to: by one school, or by all.
pub async fn of_account(
    connection: &mut PgConnection,
    user_id: i64,
    school: Option<i64>,
    now: Moment,
) -> Result<Vec<OwnInvitation>> {
    let rows = sqlx::query!(
        r#"select i.id, s.name as school_name, i.is_admin, i.gmt_expires, i.ends_at, i.created_at, a.real_name as invited_by,
                  array(select r.role_name from platform.sys_role r where r.id = any(i.role_ids) order by r.id) as "role_names!"
           from platform.sys_school_invitation i
           join platform.school s on s.id = i.school_id and s.deleted_at is null and s.status in ('trial', 'active')
           join platform.sys_user a on a.id = i.created_by
           where i.user_id = $1 and ($2::bigint is null or i.school_id = $2) and i.state = 'pending' and i.ends_at > $3
             and (i.gmt_expires is null or i.gmt_expires > $3)
           order by i.id"#,
        user_id,
        school,
        now
    )
    .fetch_all(connection)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| OwnInvitation {
            id: row.id,
            school_name: row.school_name,
            role_names: row.role_names,
            is_admin: row.is_admin,
            gmt_expires: row.gmt_expires,
            invited_by: row.invited_by,
            created_at: row.created_at,
            ends_at: row.ends_at,
        })
        .collect())
}

/// The school takes an invitation back. Answers its change, and the school.
///
/// # Errors
/// 404 when it is none of the school's, or decided already.
pub(super) async fn withdraw(tx: &mut Tx, id: i64, school: i64, now: Moment) -> Result<Change> {
    let by = tx.by();
    let login_name = sqlx::query_scalar!(
        "update platform.sys_school_invitation set state = 'withdrawn', decided_at = $3, updated_at = now(), updated_by = $4,
                version = version + 1
         where id = $1 and school_id = $2 and state in ('pending', 'refused') returning login_name",
        id,
        school,
        now,
        by
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)?;
    Ok(Change::event("sys_school_invitation", id, "withdraw", json!({ "loginName": login_name, "schoolId": school })))
}

/// The person agrees: the account is bound with what the school offered. Answers the changes, and the school.
///
/// # Errors
/// 404 when it is none of the person's, decided or out of time; 409 when nothing of the offer is left, or the school is closed.
pub async fn accept(tx: &mut Tx, user_id: i64, id: i64, now: Moment) -> Result<(Vec<Change>, i64)> {
    let open = sqlx::query!(
        "select school_id, role_ids, scopes, gmt_expires, is_admin, teacher_id, login_name from platform.sys_school_invitation
         where id = $1 and user_id = $2 and state = 'pending' and ends_at > $3 for update",
        id,
        user_id,
        now
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(over)?;
    let school = place(tx.app(), open.school_id).await?;
    if !school.is_open() {
        return Err(Error::conflict("该院校已停用，暂不能加入"));
    }
    if open.gmt_expires.is_some_and(|end| end <= now) {
        return Err(Error::conflict("邀请中的有效期已过，请联系该院校重新邀请"));
    }
    let targets: Vec<RoleTargets> = open.scopes.as_array().into_iter().flatten().map(targets).collect();
    let terms = Terms { gmt_expires: open.gmt_expires, is_admin: open.is_admin, teacher_id: open.teacher_id };
    // Settles the invitation too.
    let (_, bound) = binding::bind(tx, user_id, school.id, terms).await?;
    let given = roles::give_offered(tx, user_id, school.id, &open.role_ids, &targets).await?;
    let what = json!({ "loginName": open.login_name, "schoolId": school.id });
    let event = || Change::event("sys_school_invitation", id, "accept", what.clone());
    record_in_school(tx.app(), &school, tx.actor(), event()).await?;
    Ok((vec![event(), bound, given], school.id))
}

/// The person declines.
///
/// # Errors
/// 404 when it is none of the person's, or decided already.
pub async fn refuse(tx: &mut Tx, user_id: i64, id: i64, now: Moment) -> Result<Change> {
    let by = tx.by();
    let refused = sqlx::query!(
        "update platform.sys_school_invitation set state = 'refused', decided_at = $3, updated_at = now(), updated_by = $4,
                version = version + 1
         where id = $1 and user_id = $2 and state = 'pending' returning school_id, login_name",
        id,
        user_id,
        now,
        by
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(over)?;
    let what = json!({ "loginName": refused.login_name, "schoolId": refused.school_id });
    let event = || Change::event("sys_school_invitation", id, "refuse", what.clone());
    let school = place(tx.app(), refused.school_id).await?;
    record_in_school(tx.app(), &school, tx.actor(), event()).await?;
    Ok(event())
}

fn over() -> Error {
    Error::new(404, "邀请不存在、已处理或已过期")
}

fn targets(stored: &serde_json::Value) -> RoleTargets {
    let ids =
        |field: &str| stored[field].as_array().into_iter().flatten().filter_map(serde_json::Value::as_i64).collect();
    RoleTargets {
        role_id: stored["roleId"].as_i64().unwrap_or_default(),
        site_ids: ids("siteIds"),
        class_ids: ids("classIds"),
    }
}

/// Records a step of the school's own side in its trail too.
pub(super) async fn record(caller: &Caller, school: i64, change: Change) -> Result<()> {
    let there = place(caller.app(), school).await?;
    record_in_school(caller.app(), &there, &caller.actor(), change).await
}
