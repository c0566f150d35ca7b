//! The people's own calls: signing in and out, the own password, renewing what a member of the staff began (01 §1.4.15).
//!
//! ```text
//! authenticate (stage client_login) → signature ─login→ session ─password→ signed out everywhere, in again
//! ```
//! The login log and the counts of wrong passwords stand in `platform`, account and session in the school; the host of the
//! request says which. Customers of the operators' own site use the same calls; theirs is the module of learners.

mod sign_in;
mod upload;

use accounts::session::{ClientEvent, ENTRY_MINUTES, log_client};
use chrono::Duration;
use infra::{
    Body, Error, Public, Reply, Result, Writes, WritesAlways,
    access::{Person, WritesOwnSession, WritesOwnSessionAlways},
    clients, reply,
    token::{self, Claims},
};
use learners::account::{OwnPassword, change_password};
use poem_openapi::{Object, OpenApi, types::Example};

use crate::{
    account::{OwnerKind, lock},
    person,
    session::{self, Ended},
};

pub use sign_in::{ClientLogin, ClientSignedIn};
pub use upload::{ClientUploads, PART as UPLOADS};

clients! {
    /// Everybody who signs in to a client; `learner` are the customers of the operator's own platform.
    pub AnyClient = "student", "teacher", "site", "learner";
    /// The clients of a school.
    pub SchoolClient = "student", "teacher", "site";
}

/// Wrong own passwords within one session that end it.
const WRONG_OWN_PASSWORDS: i32 = 5;

/// The former password and the new one twice; all as cipher texts.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ClientPassword {
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

impl Example for ClientPassword {
    fn example() -> Self {
        let cipher = || "Base64 of the RSA-OAEP cipher text".to_owned();
        Self { old_password: cipher(), login_password: cipher(), confirm_password: cipher() }
    }
}

/// A token that lasts longer.
#[derive(Debug, Object)]
pub struct Renewed {
    /// 令牌
    token: String,
}

pub struct ClientAccess;

#[OpenApi(prefix_path = "/user/client", tag = "crate::Tag::People")]
impl ClientAccess {
    /// 客户端登录
    #[oai(path = "/login", method = "post", operation_id = "loginClient")]
    async fn login(&self, caller: Public<Writes>, Body(form): Body<ClientLogin>) -> Result<Reply<ClientSignedIn>> {
        Ok(reply(sign_in::sign_in(&caller, &form).await?))
    }

    /// 客户端退出登录
    #[oai(path = "/logout", method = "post", operation_id = "logoutClient")]
    async fn logout(&self, caller: Person<AnyClient, WritesOwnSessionAlways>) -> Result<Reply<bool>> {
        let caller = match caller {
            Person::OfSchool(caller) => caller,
            Person::OfSite(learner) => {
                learners::session::sign_out(&learner).await?;
                return Ok(reply(true));
            }
        };
        let now = caller.app.clock().now();
        let mut tx = caller.begin().await?;
        session::end_one(&mut tx, caller.session.jti, Ended::Logout).await?;
        let mut log = caller.begin_platform().await?;
        let event = ClientEvent {
            client: &caller.session.client,
            kind: &caller.session.kind,
            person_id: Some(caller.session.person_id),
            login_name: &caller.session.login_name,
            person_name: Some(&caller.session.person_name),
            school_id: Some(caller.school.id),
            event: "logout",
            success: true,
            reason: None,
            session: Some(caller.session.jti),
        };
        log_client(&mut log, &caller.visit, event, now).await?;
        tx.commit_untracked("a sign-out stands in the login log").await?;
        log.commit_untracked("a sign-out stands in the login log").await?;
        Ok(reply(true))
    }

    /// 客户端修改密码
    /// 平台学员用短信验证码登录后15分钟内，或尚未设密码时，原密码可以不填
    #[oai(path = "/password", method = "put", operation_id = "changeClientPassword")]
    async fn password(
        &self,
        caller: Person<AnyClient, WritesAlways>,
        Body(form): Body<ClientPassword>,
    ) -> Result<Reply<bool>> {
        let caller = match caller {
            Person::OfSchool(caller) => caller,
            Person::OfSite(learner) => {
                let typed =
                    OwnPassword { old: &form.old_password, new: &form.login_password, again: &form.confirm_password };
                change_password(&learner, typed).await?;
                return Ok(reply(true));
            }
        };
        caller.in_person("代登录不能修改密码，请本人登录后修改")?;
        let (keys, random) = (caller.app.keys(), caller.app.random());
        let old = keys.decrypt(&form.old_password, random).await?;
        let new = keys.decrypt(&form.login_password, random).await?;
        if keys.decrypt(&form.confirm_password, random).await? != new {
            return Err(Error::field("confirmPassword", "登录密码和确认密码不一致"));
        }
        let mut tx = caller.begin().await?;
        let kind = OwnerKind::parse(&caller.session.kind).ok_or_else(Error::not_found)?;
        let id = caller.session.person_id;
        let account = lock(&mut tx, kind, id).await?.ok_or_else(Error::not_found)?;
        let person = person::find(&mut tx, kind, id).await?.ok_or_else(Error::not_found)?;
        let initial = person.initial_password(&mut tx).await?;
        if !account.is_password(&caller.app, &old, initial.as_deref()).await? {
            let failures = sqlx::query_scalar!(
                "update client_session set password_failures = password_failures + 1 where jti = $1
                 returning password_failures",
                caller.session.jti
            )
            .fetch_one(&mut *tx)
            .await?;
            if failures >= WRONG_OWN_PASSWORDS {
                session::end_one(&mut tx, caller.session.jti, Ended::Kicked).await?;
            }
            tx.commit_untracked("the count of wrong own passwords").await?;
            return Err(Error::field("oldPassword", "原密码不正确"));
        }
        let change = account.set_password(&mut tx, &caller.app, &new, initial.as_deref()).await?;
        tx.commit(change).await?;
        Ok(reply(true))
    }

    /// 代登录续期
    #[oai(path = "/renew", method = "put", operation_id = "renewClientToken")]
    async fn renew(&self, caller: Person<AnyClient, WritesOwnSession>) -> Result<Reply<Renewed>> {
        let own = || Error::new(403, "当前不是代登录，无需续期");
        // Nobody acts for a customer of the operators' site.
        let Person::OfSchool(caller) = caller else { return Err(own()) };
        let now = caller.app.clock().now();
        let acting = caller.session.acting.as_ref().ok_or_else(own)?;
        let mut platform = caller.platform().await?;
        // The check of the request found that session alive; it also is the limit.
        let own_end = sqlx::query_scalar!("select expires_at from platform.sys_session where jti = $1", acting.session)
            .fetch_one(&mut *platform)
            .await?;
        drop(platform);
        let end = (now + Duration::minutes(ENTRY_MINUTES)).min(own_end);
        let mut tx = caller.begin().await?;
        sqlx::query!("update client_session set expires_at = $2 where jti = $1", caller.session.jti, end)
            .execute(&mut *tx)
            .await?;
        tx.notice(infra::client_session::TOPIC, caller.session.jti);
        let claims = Claims { iat: now.timestamp(), exp: end.timestamp(), ..caller.claims.clone() };
        let token = token::issue(caller.app.keys(), &claims)?;
        tx.commit_untracked("a renewal is no change of business data").await?;
        Ok(reply(Renewed { token }))
    }
}
