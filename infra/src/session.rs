//! Whether a token's session still stands, and what its owner may do (01 §1.2, §2.2).

use std::{collections::HashMap, sync::Arc};

use uuid::Uuid;

use crate::{
    app::App,
    clock::Moment,
    db::Purpose,
    error::{Error, Result},
    token::Area,
};

/// Why a session ended, and what its owner is told with code 303.
pub fn ended(reason: &str) -> Error {
    let text = match reason {
        "replaced" => "账号已在其他设备登录，请重新登录",
        "kicked" => "您已被管理员强制下线",
        "password_changed" => "密码已修改，请重新登录",
        "password_reset" => "密码已被重置，请重新登录",
        "account_disabled" => "账号已停用，请联系管理员",
        "account_expired" => "账号已过期，请联系管理员",
        "school_disabled" => "院校已停用，请联系平台运营方",
        "idle" | "expired" => return crate::token::expired(),
        _ => "请重新登录",
    };
    Error::new(303, text)
}

/// A session and its account as they stood a moment ago.
#[derive(Debug, Clone)]
pub struct SessionState {
    pub jti: Uuid,
    pub root: Uuid,
    pub parent: Option<Uuid>,
    pub user_id: i64,
    pub area: Area,
    pub school_id: Option<i64>,
    pub actor_user_id: Option<i64>,
    pub actor_name: Option<String>,
    pub read_only: bool,
    pub last_seen_at: Moment,
    pub expires_at: Moment,
    pub revoke_reason: Option<String>,
    pub root_revoke_reason: Option<String>,
    pub login_name: String,
    pub real_name: String,
    pub user_type: String,
    pub user_enabled: bool,
    pub gmt_expires: Option<Moment>,
    pub must_change_password: bool,
    /// One of the roles asks for a second step of signing in, and there is none yet.
    pub must_set_totp: bool,
    pub password_changed_at: Moment,
    pub bound: bool,
}

/// The part of the register that a permission code opens to its holder (01 §2.2.2).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scope {
    whole: bool,
    sites: Vec<i64>,
    classes: Vec<i64>,
}

impl Scope {
    pub fn whole_school() -> Self {
        Self { whole: true, ..Self::default() }
    }

    pub fn limited(sites: Vec<i64>, classes: Vec<i64>) -> Self {
        Self { whole: false, sites, classes }
    }

    pub fn is_whole(&self) -> bool {
        self.whole
    }

    /// For `($1::bigint[] is null or site_id = any($1) or class_id = any($2))`: null means no filter.
    pub fn sites(&self) -> Option<&[i64]> {
        (!self.whole).then_some(self.sites.as_slice())
    }

    /// The named classes; null exactly when [`Scope::sites`] is.
    pub fn classes(&self) -> Option<&[i64]> {
        (!self.whole).then_some(self.classes.as_slice())
    }

    /// Whether a row at this site and class may be seen.
    pub fn sees(&self, site: Option<i64>, class: Option<i64>) -> bool {
        self.whole
            || site.is_some_and(|site| self.sites.contains(&site))
            || class.is_some_and(|class| self.classes.contains(&class))
    }

    /// Whether all that the other opens is surely opened by this too. Both are compared as they are named: a class is not known to
    /// be of a site.
    pub fn covers(&self, other: &Scope) -> bool {
        self.whole
            || !other.whole
                && other.sites.iter().all(|site| self.sites.contains(site))
                && other.classes.iter().all(|class| self.classes.contains(class))
    }

    /// What is open to whoever needs both: the one that the other covers. None where neither does, since the rows of both together
    /// are no sites and classes.
    pub fn narrower<'s>(&'s self, other: &'s Scope) -> Option<&'s Scope> {
        match (self.covers(other), other.covers(self)) {
            (_, true) => Some(self),
            (true, false) => Some(other),
            (false, false) => None,
        }
    }

    /// What is open to whoever needs one of the two.
    #[must_use]
    pub fn or(mut self, other: &Scope) -> Self {
        self.widen(other);
        self
    }

    fn widen(&mut self, other: &Scope) {
        self.whole |= other.whole;
        self.sites.extend(&other.sites);
        self.classes.extend(&other.classes);
    }
}

/// What a person may do in one area: code by code, with the data scope of each.
pub type Rights = HashMap<String, Scope>;

impl App {
    pub(crate) async fn session(&self, jti: Uuid) -> Result<Option<Arc<SessionState>>> {
        self.caches()
            .sessions
            .get(jti, async {
                let mut tx = self.db().in_platform(Purpose::Read).await?;
                let row = sqlx::query!(
                    r#"select s.jti, s.root_jti, s.parent_jti, s.user_id, s.area, s.school_id, s.actor_user_id, s.read_only,
                              greatest(s.last_seen_at, r.last_seen_at) as "last_seen_at!", s.expires_at, s.revoke_reason,
                              case when r.revoked_at is not null then r.revoke_reason
                                   when r.expires_at < now() then 'idle' end as root_revoke_reason,
                              u.login_name, u.real_name, u.user_type, u.enabled, u.gmt_expires, u.must_change_password,
                              u.password_changed_at, a.real_name as "actor_name?",
                              (exists (select from platform.sys_user_role ur join platform.sys_role q on q.id = ur.role_id
                                       where ur.user_id = u.id and q.enabled and q.totp_required)
                               and not exists (select from platform.sys_user_totp t
                                               where t.user_id = u.id and t.confirmed_at is not null)) as "must_set_totp!",
                              (u.user_type = 'platform' or s.school_id is null or coalesce(
                                  b.enabled and (b.gmt_expires is null or b.gmt_expires > now()), false)) as "bound!"
                       from platform.sys_session s
                       join platform.sys_session r on r.jti = s.root_jti
                       join platform.sys_user u on u.id = s.user_id
                       left join platform.sys_user a on a.id = s.actor_user_id
                       left join platform.sys_user_school b on b.user_id = s.user_id and b.school_id = s.school_id
                       where s.jti = $1"#,
                    jti
                )
                .fetch_optional(&mut *tx)
                .await?;
                Ok::<_, Error>(row.map(|row| {
                    Arc::new(SessionState {
                        jti: row.jti,
                        root: row.root_jti,
                        parent: row.parent_jti,
                        user_id: row.user_id,
                        area: if row.area == "school" { Area::School } else { Area::Platform },
                        school_id: row.school_id,
                        actor_user_id: row.actor_user_id,
                        actor_name: row.actor_name,
                        read_only: row.read_only,
                        last_seen_at: row.last_seen_at,
                        expires_at: row.expires_at,
                        revoke_reason: row.revoke_reason,
                        root_revoke_reason: row.root_revoke_reason,
                        login_name: row.login_name,
                        real_name: row.real_name,
                        user_type: row.user_type,
                        user_enabled: row.enabled,
                        gmt_expires: row.gmt_expires,
                        must_change_password: row.must_change_password,
                        must_set_totp: row.must_set_totp,
                        password_changed_at: row.password_changed_at,
                        bound: row.bound,
                    })
                }))
            })
            .await
    }

    /// The codes of an account in an area. Those of a token are its owner's of this moment, cut down to its own.
    pub async fn rights(&self, user_id: i64, area: Area, school_id: Option<i64>) -> Result<Arc<Rights>> {
        match self.machine_of_account(user_id).await? {
            None => self.rights_of_person(user_id, area, school_id).await,
            Some(machine) => {
                let owners = self.rights_of_person(machine.owner_id, area, school_id).await?;
                Ok(Arc::new(machine.within(&owners)))
            }
        }
    }

    /// The codes of a person in an area: enabled roles, enabled permissions, menus enabled up to the root.
    async fn rights_of_person(&self, user_id: i64, area: Area, school_id: Option<i64>) -> Result<Arc<Rights>> {
        self.caches()
            .rights
            .get((user_id, area, school_id), async {
                let mut tx = self.db().in_platform(Purpose::Read).await?;
                let client_type: i16 = if area == Area::School { 1 } else { 0 };
                let roles = sqlx::query!(
                    r#"select ur.id as user_role_id, r.id as role_id, r.data_scope,
                              coalesce(array_agg(coalesce(us.target_id, rs.target_id))
                                  filter (where coalesce(us.target_type, rs.target_type) = 'site'), '{}') as "sites!",
                              coalesce(array_agg(coalesce(us.target_id, rs.target_id))
                                  filter (where coalesce(us.target_type, rs.target_type) = 'class'), '{}') as "classes!"
                       from platform.sys_user_role ur
                       join platform.sys_role r on r.id = ur.role_id and r.enabled
                       left join platform.sys_user_role_scope us on us.user_role_id = ur.id
                       left join platform.sys_role_scope rs on rs.role_id = r.id and us.user_role_id is null
                       where ur.user_id = $1 and r.client_type = $2
                         and ($2 = 0 or ur.school_id is null or ur.school_id = $3)
                         and (r.school_id is null or r.school_id = $3)
                       group by ur.id, r.id"#,
                    user_id,
                    client_type,
                    school_id
                )
                .fetch_all(&mut *tx)
                .await?;
                let role_ids: Vec<i64> = roles.iter().map(|role| role.role_id).collect();
                let held = sqlx::query!(
                    r#"with recursive opened as (
                           select id from platform.sys_menu where parent_id = 0 and enabled and client_type = $1
                           union all
                           select m.id from platform.sys_menu m join opened o on m.parent_id = o.id where m.enabled
                       )
                       select distinct rp.role_id, p.permission_code
                       from platform.sys_role_permission rp
                       join platform.sys_permission p on p.id = rp.permission_id and p.enabled
                       join opened o on o.id = p.menu_id
                       where rp.role_id = any($2)"#,
                    client_type,
                    &role_ids
                )
                .fetch_all(&mut *tx)
                .await?;
                let mut scopes: HashMap<i64, Scope> = HashMap::new();
                for role in roles {
                    let scope = match role.data_scope.as_str() {
                        "whole_school" => Scope::whole_school(),
                        "named_sites" => Scope::limited(role.sites, Vec::new()),
                        _ => Scope::limited(Vec::new(), role.classes),
                    };
                    scopes.entry(role.role_id).or_default().widen(&scope);
                }
                let mut rights = Rights::new();
                for row in held {
                    if let Some(scope) = scopes.get(&row.role_id) {
                        rights.entry(row.permission_code).or_default().widen(scope);
                    }
                }
                Ok::<_, Error>(Arc::new(rights))
            })
            .await
    }

    /// Notes that a session was used; at most once a minute, and its root with it.
    pub(crate) async fn touch(&self, session: &SessionState, now: Moment) -> Result<()> {
        let mut tx = self.db().in_platform(Purpose::Write).await?;
        sqlx::query!(
            "update platform.sys_session set last_seen_at = $2 where jti = any($1) and last_seen_at < $2",
            &[session.jti, session.root],
            now
        )
        .execute(&mut *tx)
        .await?;
        crate::notice::publish(&mut tx, "session", &session.root.to_string()).await?;
        tx.commit().await?;
        self.notices().forget("session", &session.root.to_string());
        Ok(())
    }

    /// Ends a session and everything below it.
    pub(crate) async fn end_idle(&self, session: &SessionState, now: Moment) -> Result<()> {
        let mut tx = self.db().in_platform(Purpose::Write).await?;
        sqlx::query!(
            "update platform.sys_session set revoked_at = $2, revoke_reason = 'idle' where root_jti = $1 and revoked_at is null",
            session.root,
            now
        )
        .execute(&mut *tx)
        .await?;
        sqlx::query!(
            "insert into platform.login_log (at, user_id, login_name, real_name, school_id, event, success, ip, user_agent, device, session_id)
             select $2, user_id, $3, $4, school_id, 'idle', true, ip, user_agent, 'pc', jti from platform.sys_session where jti = $1",
            session.jti,
            now,
            session.login_name,
            session.real_name
        )
        .execute(&mut *tx)
        .await?;
        crate::notice::publish(&mut tx, "session", "").await?;
        tx.commit().await?;
        self.notices().forget("session", "");
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scope_covers_what_it_names_itself() {
        let whole = Scope::whole_school();
        let (two, one) = (Scope::limited(vec![1, 2], vec![7]), Scope::limited(vec![2], vec![7]));
        let class = Scope::limited(vec![], vec![8]);
        assert!(whole.covers(&whole) && whole.covers(&two) && !two.covers(&whole));
        assert!(two.covers(&two) && two.covers(&one) && !one.covers(&two));
        assert!(!two.covers(&class) && !class.covers(&two));
        assert!(class.covers(&Scope::default()) && !Scope::default().covers(&class));
        assert_eq!((whole.narrower(&one), one.narrower(&whole)), (Some(&one), Some(&one)));
        assert_eq!((two.narrower(&class), whole.narrower(&whole)), (None, Some(&whole)));
        let both = one.clone().or(&class);
        assert!(both.covers(&one) && both.covers(&class) && !both.is_whole() && class.or(&whole).is_whole());
    }
}
