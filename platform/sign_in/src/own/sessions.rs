//! 登录设备: where a person is signed in, and how to end it there.

use accounts::session::{self, Event, Which};
use infra::{Change, Error, Reply, Result, SignedIn, Writes, clock::Moment, params, reply};
use poem_openapi::{Object, OpenApi, param::Query};
use serde_json::json;
use uuid::Uuid;

/// A place where one is signed in.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct OwnSession {
    /// 编号
    id: String,
    /// 当前
    current: bool,
    /// 院校
    /// 平台会话为空
    school_name: Option<String>,
    /// 代管
    entered: bool,
    /// IP地址
    ip: String,
    /// 浏览器
    user_agent: String,
    /// 登录时间
    issued_at: Moment,
    /// 最近活动
    last_seen_at: Moment,
    /// 结束时间
    expires_at: Moment,
}

pub struct OwnSessions;

#[OpenApi(prefix_path = "/system/pc/sys/user/session", tag = "crate::Tag::SignIn")]
impl OwnSessions {
    /// 本人会话列表
    #[oai(path = "/list", method = "get", operation_id = "listOwnSessions")]
    async fn list(&self, caller: SignedIn) -> Result<Reply<Vec<OwnSession>>> {
        let now = caller.app().clock().now();
        let idle = chrono::Duration::minutes(caller.app().int(params::IDLE_MINUTES).await?);
        let mut tx = caller.platform().await?;
        let rows = sqlx::query!(
            r#"select s.jti, s.parent_jti is not null as "entered!", c.name as "school_name?", s.ip, s.user_agent, s.issued_at,
                      s.last_seen_at, s.expires_at
               from platform.sys_session s
               join platform.sys_session r on r.jti = s.root_jti
               left join platform.school c on c.id = s.school_id
               where s.user_id = $1 and s.client is null and s.revoked_at is null and s.expires_at > $2
                 and greatest(s.last_seen_at, r.last_seen_at) > $3
               order by s.issued_at desc, s.jti"#,
            caller.user_id(),
            now,
            (now - idle)
        )
        .fetch_all(&mut *tx)
        .await?;
        Ok(reply(
            rows.into_iter()
                .map(|row| OwnSession {
                    current: row.jti == caller.session.jti,
                    id: row.jti.to_string(),
                    school_name: row.school_name,
                    entered: row.entered,
                    ip: row.ip,
                    user_agent: row.user_agent,
                    issued_at: row.issued_at,
                    last_seen_at: row.last_seen_at,
                    expires_at: row.expires_at,
                })
                .collect(),
        ))
    }

    /// 结束本人会话
    #[oai(path = "/delete", method = "delete", operation_id = "endOwnSession")]
    async fn end(
        &self,
        caller: SignedIn<Writes>,
        /// 编号
        id: Query<String>,
    ) -> Result<Reply<bool>> {
        let id = Uuid::parse_str(&id.0).map_err(|_| Error::malformed())?;
        if id == caller.session.jti || id == caller.session.root {
            return Err(Error::conflict("当前登录请使用退出登录"));
        }
        let now = caller.app().clock().now();
        let mut tx = caller.begin().await?;
        let found = sqlx::query!(
            "select parent_jti, school_id from platform.sys_session
             where jti = $1 and user_id = $2 and client is null and revoked_at is null for update",
            id,
            caller.user_id()
        )
        .fetch_optional(&mut *tx)
        .await?
        .ok_or_else(Error::not_found)?;
        let which = if found.parent_jti.is_some() { Which::One(id) } else { Which::Below(id) };
        let ended = session::revoke(&mut tx, which, "logout", now).await?;
        let event = Event {
            user_id: Some(caller.user_id()),
            login_name: &caller.session.login_name,
            real_name: Some(&caller.session.real_name),
            school_id: found.school_id,
            event: "logout",
            success: true,
            reason: Some("本人在另一处结束"),
            session: Some(id),
        };
        session::log(&mut tx, &caller.visit, event, now).await?;
        let what = json!({ "sessionsEnded": ended });
        tx.commit(Change::event("sys_user", caller.user_id(), "update", what)).await?;
        Ok(reply(true))
    }
}
