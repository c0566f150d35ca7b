//! Into a school and back, renewal, sign-out (01 §1.4.8–1.4.9, §1.6).

use accounts::{
    account,
    session::{self, ENTRY_MINUTES, Event, NewSession, Which},
};
use chrono::Duration;
use infra::{
    App, Change, Error, Public, Reply, Result, SignedIn, Tx, Writes, WritesAlways,
    access::Caller,
    audit::Actor,
    clock::Moment,
    directory::School,
    http::RequestOrigin,
    reply,
    token::{Act, Area},
    tx::record_in_school,
};
use poem_openapi::{OpenApi, param::Query};
use serde_json::json;
use uuid::Uuid;

use crate::sign_in::SignedInAs;

pub struct Entry;

#[OpenApi(tag = "crate::Tag::SignIn")]
impl Entry {
    /// 进入院校
    #[oai(path = "/system/pc/api/sys/user/createSchoolToken", method = "get", operation_id = "createSchoolToken")]
    async fn create_school_token(
        &self,
        caller: SignedIn<Writes>,
        /// 院校编号
        id: Query<i64>,
        /// 进入原因
        reason: Query<Option<String>>,
    ) -> Result<Reply<SignedInAs>> {
        let reason = reason.0.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        if reason.as_ref().is_some_and(|text| !(2..=200).contains(&text.chars().count())) {
            return Err(Error::field("reason", "进入原因应为2至200个字符"));
        }
        let school = caller.app().school(id.0).await?.ok_or_else(no_right)?;
        let tx = caller.begin().await?;
        if caller.session.user_type == "platform" {
            enter_as_operator(&caller, tx, &school, reason).await
        } else {
            switch_school(&caller, tx, &school).await
        }
    }

    /// 返回平台
    #[oai(path = "/system/pc/sys/user/leaveSchool", method = "post", operation_id = "leaveSchool")]
    async fn leave_school(&self, caller: Public<WritesAlways>) -> Result<Reply<Back>> {
        let now = caller.app.clock().now();
        let mut tx = caller.begin().await?;
        let (claims, child) =
            session::of_token(&mut tx, caller.token.as_deref()).await?.ok_or_else(|| Error::new(301, "请先登录"))?;
        let parent_jti = child.parent_jti.ok_or_else(|| Error::new(403, "当前未进入院校"))?;
        let parent = sqlx::query!(
            "select jti, expires_at, revoked_at from platform.sys_session where jti = $1 for update",
            parent_jti
        )
        .fetch_one(&mut *tx)
        .await?;
        let ends_at = parent.expires_at;
        if parent.revoked_at.is_some() || ends_at <= now {
            return Err(session::over());
        }
        let left = Left {
            jti: child.jti,
            user_id: child.user_id,
            login_name: &child.login_name,
            real_name: &child.real_name,
            school_id: child.school_id,
        };
        caller.log_as(left.actor(&caller.app, &caller.visit).await?, child.school_id, child.jti);
        // An entry that ran out has been noted as left already.
        if session::revoke(&mut tx, Which::One(child.jti), "left_school", now).await? > 0 {
            left.note(&mut tx, &caller.visit, "主动返回", now).await?;
        }
        let back = infra::token::Claims {
            jti: parent.jti,
            area: Area::Platform,
            school_id: None,
            act: None,
            ro: false,
            ..claims
        };
        let token = session::sign_again(&caller.app, back, ends_at, now)?;
        tx.commit_untracked("an exit stands in the login log").await?;
        Ok(reply(Back { token }))
    }

    /// 院校会话续期
    #[oai(path = "/system/pc/sys/user/renew", method = "put", operation_id = "renewSchoolEntry")]
    async fn renew(&self, caller: SignedIn<WritesRenewal>) -> Result<Reply<Back>> {
        let now = caller.app().clock().now();
        let mut tx = caller.begin().await?;
        if caller.session.parent.is_none() {
            return Err(Error::new(403, "当前未进入院校"));
        }
        let root_end = sqlx::query_scalar!(
            "select expires_at from platform.sys_session where jti = $1 and revoked_at is null",
            caller.session.root
        )
        .fetch_optional(&mut *tx)
        .await?
        .ok_or_else(session::over)?;
        let end = (now + Duration::minutes(ENTRY_MINUTES)).min(root_end);
        session::renew(&mut tx, caller.session.jti, end).await?;
        let token = session::sign_again(caller.app(), caller.claims.clone(), end, now)?;
        tx.commit_untracked("a renewal is no change of business data").await?;
        Ok(reply(Back { token }))
    }

    /// 退出登录
    #[oai(path = "/system/pc/sys/user/logout", method = "post", operation_id = "logout")]
    async fn logout(&self, caller: Public<WritesAlways>) -> Result<Reply<bool>> {
        let now = caller.app.clock().now();
        let mut tx = caller.begin().await?;
        if let Some((_, session)) = session::of_token(&mut tx, caller.token.as_deref()).await? {
            let ended = session::revoke(&mut tx, Which::Below(session.root_jti), "logout", now).await?;
            if ended > 0 {
                let event = Event {
                    user_id: Some(session.user_id),
                    login_name: &session.login_name,
                    real_name: Some(&session.real_name),
                    school_id: session.school_id,
                    event: "logout",
                    success: true,
                    reason: None,
                    session: Some(session.jti),
                };
                session::log(&mut tx, &caller.visit, event, now).await?;
            }
            tx.commit_untracked("a sign-out stands in the login log").await?;
        }
        Ok(reply(true))
    }
}

/// A read-only entry may be renewed too: the renewal writes nothing in the school.
pub type WritesRenewal = infra::access::WritesOwnSession;

/// The way back, or on.
#[derive(Debug, poem_openapi::Object)]
pub struct Back {
    /// 令牌
    token: String,
}

/// An operator who is no longer in a school; both sides keep when and why (05 E1).
pub(crate) struct Left<'a> {
    pub(crate) jti: Uuid,
    pub(crate) user_id: i64,
    pub(crate) login_name: &'a str,
    pub(crate) real_name: &'a str,
    pub(crate) school_id: Option<i64>,
}

impl Left<'_> {
    /// As they stand in the school's trail and in the log.
    async fn actor(&self, app: &App, visit: &RequestOrigin) -> Result<Actor> {
        let school = match self.school_id {
            Some(id) => app.school(id).await?,
            None => None,
        };
        Ok(Actor {
            kind: "platform".to_owned(),
            id: self.user_id,
            name: self.real_name.to_owned(),
            on_behalf_of: school.map(|school| format!("平台人员 {} 进入 {}", self.real_name, school.name)),
            ip: visit.ip.clone(),
            trace_id: visit.trace_id.clone(),
        })
    }

    pub(crate) async fn note(&self, tx: &mut Tx, visit: &RequestOrigin, how: &str, now: Moment) -> Result<()> {
        let event = Event {
            user_id: Some(self.user_id),
            login_name: self.login_name,
            real_name: Some(self.real_name),
            school_id: self.school_id,
            event: "school_leave",
            success: true,
            reason: None,
            session: Some(self.jti),
        };
        session::log(tx, visit, event, now).await?;
        let app = tx.app().clone();
        let Some(id) = self.school_id else { return Ok(()) };
        // A school that is archived or deleted meanwhile keeps no trail any more.
        if let Some(school) = app.school(id).await?.filter(|school| school.key().is_ok()) {
            let change = Change::event("school", id, "leave", json!({ "actor": self.real_name, "how": how }));
            record_in_school(&app, &school, &self.actor(&app, visit).await?, change).await?;
        }
        Ok(())
    }
}

fn no_right() -> Error {
    Error::new(403, "没有进入该院校的权限")
}

/// An operator steps into a school: a child session of half an hour, seen by both sides (00 §3).
async fn enter_as_operator(
    caller: &Caller,
    mut tx: Tx,
    school: &School,
    reason: Option<String>,
) -> Result<Reply<SignedInAs>> {
    let now = caller.app().clock().now();
    let user_id = caller.user_id();
    let platform = caller.app().rights(user_id, Area::Platform, None).await?;
    let in_scope = sqlx::query_scalar!(
        r#"select exists (
               select from platform.sys_user u where u.id = $1 and (u.school_scope = 'all' or exists (
                   select from platform.sys_user_school b where b.user_id = u.id and b.school_id = $2 and b.enabled))
           ) and exists (
               select from platform.sys_user_role ur join platform.sys_role r on r.id = ur.role_id and r.enabled
               where ur.user_id = $1 and r.client_type = 1 and (ur.school_id is null or ur.school_id = $2)
           ) as "yes!""#,
        user_id,
        school.id
    )
    .fetch_one(&mut *tx)
    .await?;
    if !platform.contains_key("system:pc:sys:school:enter") || !in_scope {
        return Err(no_right());
    }
    if !school.is_ready() {
        return Err(Error::conflict("院校未开通完成"));
    }
    if caller.session.parent.is_some() {
        session::revoke(&mut tx, Which::One(caller.session.jti), "left_school", now).await?;
        let left = Left {
            jti: caller.session.jti,
            user_id,
            login_name: &caller.session.login_name,
            real_name: &caller.session.real_name,
            school_id: caller.session.school_id,
        };
        left.note(&mut tx, &caller.visit, "转入其他院校", now).await?;
    }
    let root = caller.session.root;
    let root_end = sqlx::query_scalar!("select expires_at from platform.sys_session where jti = $1", root)
        .fetch_one(&mut *tx)
        .await?;
    let name = caller.session.real_name.clone();
    let told = reason.unwrap_or_else(|| "未填写原因".to_owned());
    let new = NewSession {
        user_id,
        area: Area::School,
        school_id: Some(school.id),
        below: Some((root, root)),
        act: Some(Act { sub: user_id, name: name.clone() }),
        reason: Some(told.clone()),
        read_only: !school.is_open(),
        expires_at: (now + Duration::minutes(ENTRY_MINUTES)).min(root_end),
    };
    let session::Opened { jti, token } = session::open(&mut tx, &caller.visit, new, now).await?;
    let event = Event {
        user_id: Some(user_id),
        login_name: &caller.session.login_name,
        real_name: Some(&name),
        school_id: Some(school.id),
        event: "school_enter",
        success: true,
        reason: Some(&told),
        session: Some(jti),
    };
    session::log(&mut tx, &caller.visit, event, now).await?;
    let what = json!({ "actor": name, "reason": told, "minutes": ENTRY_MINUTES });
    record_in_school(caller.app(), school, &caller.actor(), Change::event("school", school.id, "enter", what)).await?;
    tx.commit_untracked("an entry stands in the login log and in the school's trail").await?;
    Ok(reply(SignedInAs {
        token,
        school_id: Some(school.id),
        school_name: Some(school.name.clone()),
        must_change_password: false,
    }))
}

/// School staff change to another school they are bound to: a new root session takes the place of this one.
async fn switch_school(caller: &Caller, mut tx: Tx, school: &School) -> Result<Reply<SignedInAs>> {
    let now = caller.app().clock().now();
    if !account::works_at(&mut tx, caller.user_id(), school.id, now).await? {
        return Err(no_right());
    }
    if !school.is_ready() {
        return Err(Error::conflict("院校未开通完成"));
    }
    if !school.is_open() {
        return Err(Error::new(403, "院校已停用，请联系平台运营方"));
    }
    session::revoke(&mut tx, Which::Below(caller.session.root), "left_school", now).await?;
    let new = NewSession {
        user_id: caller.user_id(),
        area: Area::School,
        school_id: Some(school.id),
        below: None,
        act: None,
        reason: None,
        read_only: false,
        expires_at: caller.session.expires_at,
    };
    let session::Opened { jti, token } = session::open(&mut tx, &caller.visit, new, now).await?;
    let event = Event {
        user_id: Some(caller.user_id()),
        login_name: &caller.session.login_name,
        real_name: Some(&caller.session.real_name),
        school_id: Some(school.id),
        event: "school_enter",
        success: true,
        reason: None,
        session: Some(jti),
    };
    session::log(&mut tx, &caller.visit, event, now).await?;
    tx.commit_untracked("a change of school stands in the login log").await?;
    Ok(reply(SignedInAs {
        token,
        school_id: Some(school.id),
        school_name: Some(school.name.clone()),
        must_change_password: caller.session.must_change_password,
    }))
}
