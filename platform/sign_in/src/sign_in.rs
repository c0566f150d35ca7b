//! 登录: a signed challenge, then one login that consumes it (01 §1.4.1–1.4.7).

use accounts::{
    account,
    guard::{self, Wrong},
    password,
    session::{self, Event, NewSession, Which},
    totp::{self, Second},
    user::invitation::{self, OwnInvitation},
};
use aws_lc_rs::digest;
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use chrono::Duration;
use infra::{
    App, Body, Error, OnConstraint, Public, Reply, Result, Tx, Writes, WritesAlways, audit::Actor, clock::Moment,
    http::RequestOrigin, reply, token::Area,
};
use poem_openapi::{Enum, Object, OpenApi, types::ToJSON};
use serde_json::json;

/// A challenge must be made by a clock that is right to five minutes.
const CLOCK_TOLERANCE_SECONDS: i64 = 300;
/// A signature is good for two minutes, once.
const SIGNATURE_SECONDS: i64 = 120;

/// Which entrance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[oai(rename_all = "snake_case")]
pub enum Stage {
    Login,
    SchoolLogin,
    ClientLogin,
}

impl Stage {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Login => "login",
            Self::SchoolLogin => "school_login",
            Self::ClientLogin => "client_login",
        }
    }
}

/// What a client signs before it sends a password.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct Challenge {
    /// 账号
    #[oai(validator(min_length = 1, max_length = 64))]
    login_name: String,
    /// 签名
    /// 小写十六进制 SHA-256
    #[oai(validator(pattern = "^[0-9a-f]{64}$"))]
    sign: String,
    /// 随机数
    #[oai(validator(minimum(value = "0"), maximum(value = "9999")))]
    signature_nonce: i32,
    /// 时间戳
    #[oai(validator(minimum(value = "0")))]
    timestamp: i64,
    /// 登录阶段
    stage: Stage,
}

impl poem_openapi::types::Example for Challenge {
    fn example() -> Self {
        Self {
            login_name: "admin".to_owned(),
            sign: digest_hex("loginadmin17952048000001234"),
            signature_nonce: 1234,
            timestamp: 1_795_204_800_000,
            stage: Stage::Login,
        }
    }
}

/// Account and password; the second pair of names is accepted when the first is absent.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct Login {
    /// 账号
    #[oai(validator(max_length = 64))]
    login_name: Option<String>,
    /// 密码密文
    #[oai(validator(max_length = 1024))]
    login_password: Option<String>,
    /// 账号（别名）
    #[oai(validator(max_length = 64))]
    user_name: Option<String>,
    /// 密码密文（别名）
    #[oai(validator(max_length = 1024))]
    password: Option<String>,
    /// 登录校验签名
    #[oai(validator(max_length = 128))]
    signature: Option<String>,
    /// 动态验证码
    /// 启用两步验证的账号在第二步填写；也可填一个恢复码
    #[oai(validator(max_length = 20))]
    totp_code: Option<String>,
    /// 同意的邀请编号
    /// 尚未绑定院校的账号，从登录的提示中得知
    agree_to: Option<i64>,
}

impl poem_openapi::types::Example for Login {
    fn example() -> Self {
        Self {
            login_name: Some("admin".to_owned()),
            login_password: Some("Base64 of the RSA-OAEP cipher text".to_owned()),
            user_name: None,
            password: None,
            signature: None,
            totp_code: None,
            agree_to: None,
        }
    }
}

/// The answer of a platform sign-in and of entering a school.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub struct SignedInAs {
    /// 令牌
    pub token: String,
    /// 院校编号
    pub school_id: Option<i64>,
    /// 院校名称
    pub school_name: Option<String>,
    /// 须修改密码
    pub must_change_password: bool,
}

pub struct SignIn;

#[OpenApi(prefix_path = "/system/pc/api/sys/user", tag = "crate::Tag::SignIn")]
impl SignIn {
    /// 登录校验
    #[oai(path = "/authenticate", method = "post", operation_id = "authenticate")]
    async fn authenticate(&self, caller: Public<WritesAlways>, Body(form): Body<Challenge>) -> Result<Reply<String>> {
        let now = caller.app.clock().now();
        // What is refused counts too, so the count does not wait for the outcome.
        let mut tx = caller.begin().await?;
        let counted = guard::count_call(&mut tx, &caller.visit.ip, now).await;
        tx.commit_untracked("the count of an address").await?;
        counted?;
        let mut tx = caller.begin().await?;
        let signature = challenge(&mut tx, &caller.visit, &form, now).await?;
        tx.commit_untracked("a challenge is no change of business data").await?;
        Ok(reply(signature))
    }

    /// 平台登录
    #[oai(path = "/login", method = "post", operation_id = "login")]
    async fn login(&self, caller: Public<Writes>, Body(form): Body<Login>) -> Result<Reply<SignedInAs>> {
        let entered = sign_in(&caller, &form, Stage::Login).await?;
        Ok(reply(SignedInAs {
            token: entered.token,
            school_id: None,
            school_name: None,
            must_change_password: entered.must_change_password,
        }))
    }

    /// 院校登录
    #[oai(path = "/schoolLogin", method = "post", operation_id = "schoolLogin")]
    async fn school_login(&self, caller: Public<Writes>, Body(form): Body<Login>) -> Result<Reply<String>> {
        let entered = sign_in(&caller, &form, Stage::SchoolLogin).await?;
        Ok(reply(entered.token))
    }
}

fn digest_hex(text: &str) -> String {
    digest::digest(&digest::SHA256, text.as_bytes()).as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn digest_of(signature: &str) -> Vec<u8> {
    digest::digest(&digest::SHA256, signature.as_bytes()).as_ref().to_vec()
}

/// Checks what the client signed and answers our signature over it.
async fn challenge(tx: &mut Tx, visit: &RequestOrigin, form: &Challenge, now: Moment) -> Result<String> {
    let milliseconds = if form.timestamp < 100_000_000_000 { form.timestamp * 1000 } else { form.timestamp };
    if (now.timestamp_millis() - milliseconds).abs() > CLOCK_TOLERANCE_SECONDS * 1000 {
        return Err(Error::new(400, "请求已过期，请校准本机时间后重试"));
    }
    let words = format!("login{}{}{}", form.login_name, form.timestamp, form.signature_nonce);
    if digest_hex(&words) != form.sign {
        return Err(Error::new(400, "签名错误"));
    }
    let issued_at = now;
    let message = format!(
        "{}\n{}\n{}\n{}\n{}\n{}",
        form.login_name,
        form.signature_nonce,
        form.timestamp,
        form.stage.as_str(),
        visit.ip,
        issued_at.timestamp_micros()
    );
    let signature = BASE64_URL_SAFE_NO_PAD.encode(tx.app().keys().sign(message.as_bytes()));
    // The clock's tolerance is shorter than ten minutes, so a triple that is younger cannot have been swept away.
    sqlx::query!("delete from platform.sys_challenge where issued_at < $1", (now - Duration::minutes(11)))
        .execute(&mut **tx)
        .await?;
    sqlx::query!(
        "insert into platform.sys_challenge (login_name, signature_digest, stage, client_ip, timestamp_ms, nonce, issued_at, expires_at)
         values (lower($1), $2, $3, $4, $5, $6, $7, $8)",
        form.login_name,
        digest_of(&signature),
        form.stage.as_str(),
        visit.ip,
        milliseconds,
        form.signature_nonce,
        issued_at,
        (now + Duration::seconds(SIGNATURE_SECONDS))
    )
    .execute(&mut **tx)
    .await
    .on_constraint(|name| (name == "sys_challenge_repeated").then(|| Error::conflict("请求重复，请重试")))?;
    Ok(signature)
}

/// Uses up a challenge, that of the signature or the newest of this name, address and entrance. One conditional update:
/// of two logins with one signature, one wins.
pub async fn consume(
    tx: &mut Tx,
    visit: &RequestOrigin,
    login_name: &str,
    signature: Option<&str>,
    stage: Stage,
    now: Moment,
) -> Result<bool> {
    let consumed = sqlx::query!(
        "update platform.sys_challenge set consumed_at = $1
         where consumed_at is null and id = (
             select id from platform.sys_challenge
             where login_name = lower($2) and client_ip = $3 and stage = $4 and consumed_at is null and expires_at > $1
               and ($5::bytea is null or signature_digest = $5)
             order by id desc limit 1 for update)",
        now,
        login_name,
        visit.ip,
        stage.as_str(),
        signature.map(digest_of)
    )
    .execute(&mut **tx)
    .await?;
    Ok(consumed.rows_affected() == 1)
}

/// Whether a challenge that is given once more opened a sign-in before. They are swept away after some minutes.
async fn was_used(
    tx: &mut Tx,
    visit: &RequestOrigin,
    login_name: &str,
    signature: Option<&str>,
    stage: Stage,
) -> Result<bool> {
    let used = sqlx::query_scalar!(
        r#"select exists (
               select from platform.sys_challenge
               where login_name = lower($1) and client_ip = $2 and stage = $3 and consumed_at is not null
                 and ($4::bytea is null or signature_digest = $4)) as "used!""#,
        login_name,
        visit.ip,
        stage.as_str(),
        signature.map(digest_of)
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(used)
}

struct Entered {
    token: String,
    must_change_password: bool,
}

struct Account {
    id: i64,
    login_name: String,
    real_name: String,
    user_type: String,
    password_hash: String,
    enabled: bool,
    gmt_expires: Option<Moment>,
    must_change_password: bool,
}

impl Account {
    /// As the trail names whoever has just proven who they are.
    fn actor(&self, visit: &RequestOrigin) -> Actor {
        Actor {
            kind: self.user_type.clone(),
            id: self.id,
            name: self.real_name.clone(),
            on_behalf_of: None,
            ip: visit.ip.clone(),
            trace_id: visit.trace_id.clone(),
        }
    }
}

/// The checks in the order of 01 §1.4.4. Never answers 301–303: the client would reload and lose the message.
///
/// The try is counted and committed before the password is looked at, and nothing of the database is held meanwhile.
async fn sign_in(caller: &Public<Writes>, form: &Login, stage: Stage) -> Result<Entered> {
    let (app, visit) = (&caller.app, &caller.visit);
    let now = app.clock().now();
    let login_name = form.login_name.as_deref().or(form.user_name.as_deref()).unwrap_or_default().trim().to_owned();
    let cipher = form.login_password.as_deref().or(form.password.as_deref()).unwrap_or_default();
    if login_name.is_empty() {
        return Err(Error::field("loginName", "请输入账号"));
    }
    if cipher.is_empty() {
        return Err(Error::field("loginPassword", "请输入密码"));
    }
    let mut tx = caller.begin().await?;
    guard::check_address(&mut tx, &visit.ip, now).await?;
    let fresh = consume(&mut tx, visit, &login_name, form.signature.as_deref(), stage, now).await?;
    let account = find(&mut tx, &login_name).await?;
    let failed = |reason: &'static str| Event {
        user_id: account.as_ref().map(|account| account.id),
        login_name: &login_name,
        real_name: account.as_ref().map(|account| account.real_name.as_str()),
        school_id: None,
        event: "login_failed",
        success: false,
        reason: Some(reason),
        session: None,
    };
    if !fresh {
        if was_used(&mut tx, visit, &login_name, form.signature.as_deref(), stage).await? {
            session::log(&mut tx, visit, failed("replay"), now).await?;
            tx.commit_untracked("a refused sign-in").await?;
        }
        return Err(Error::conflict("登录校验已失效，请重试"));
    }
    let attempt = match guard::attempt(&mut tx, app, &login_name, now).await {
        Ok(attempt) => attempt,
        Err(locked) if locked.code == 429 => {
            session::log(&mut tx, visit, failed("locked"), now).await?;
            tx.commit_untracked("a refused sign-in").await?;
            return Err(locked);
        }
        Err(broken) => return Err(broken),
    };
    tx.commit_untracked("a try is counted before it is made").await?;
    let password = app.keys().decrypt(cipher, app.random()).await;
    let right = match &password {
        Ok(password) => {
            password::matches(app, password, account.as_ref().map(|account| account.password_hash.clone())).await?
        }
        Err(_) => false,
    };
    let mut tx = caller.begin().await?;
    if let Err(refused) = password {
        attempt.spared(&mut tx).await?;
        tx.commit_untracked("nothing was tried").await?;
        return Err(refused);
    }
    if !right {
        let told = attempt.wrong(&mut tx, &visit.ip, Wrong::Password, now).await?;
        session::log(&mut tx, visit, failed(if account.is_some() { "wrong_password" } else { "unknown_account" }), now)
            .await?;
        tx.commit_untracked("the count of wrong passwords").await?;
        return Err(told);
    }
    let Some(known) = &account else { return Err(Error::internal("a password matched no account")) };
    let place = match admit(&mut tx, visit, known, stage, now).await {
        Ok(place) => place,
        Err((reason, told)) => {
            attempt.spared(&mut tx).await?;
            session::log(&mut tx, visit, failed(reason), now).await?;
            tx.commit_untracked("a refused sign-in").await?;
            return Err(told);
        }
    };
    match totp::check(&mut tx, known.id, form.totp_code.as_deref(), now).await? {
        Second::NotNeeded | Second::Passed => {}
        Second::Missing => {
            attempt.spared(&mut tx).await?;
            tx.commit_untracked("nothing was tried").await?;
            return Err(Error::field("totpCode", "请输入动态验证码"));
        }
        Second::Wrong => {
            let told = attempt.wrong(&mut tx, &visit.ip, Wrong::Code, now).await?;
            session::log(&mut tx, visit, failed("wrong_code"), now).await?;
            tx.commit_untracked("the count of wrong codes").await?;
            return Err(told);
        }
    }
    guard::clear(&mut tx, &login_name).await?;
    let school_id = match place {
        Destination::Platform => None,
        Destination::School(id) => Some(id),
        Destination::Invited(invitations) => {
            let agreed = form.agree_to.filter(|id| invitations.iter().any(|invitation| invitation.id == *id));
            let Some(agreed) = agreed else {
                session::log(&mut tx, visit, failed("not_bound"), now).await?;
                tx.commit_untracked("a refused sign-in").await?;
                return Err(invited(&invitations));
            };
            tx.acts_now(known.actor(visit));
            let (changes, school) = invitation::accept(&mut tx, known.id, agreed, now).await?;
            tx.record(&changes).await?;
            Some(school)
        }
    };
    enter(app, visit, tx, known, school_id, now).await
}

/// 403 with what the person may agree to; the console asks, and signs in again with the answer.
fn invited(invitations: &[OwnInvitation]) -> Error {
    let names: Vec<&str> = invitations.iter().map(|invitation| invitation.school_name.as_str()).collect();
    Error::new(403, format!("“{}”邀请您加入，同意后即可登录", names.join("”、“")))
        .with_data(json!({ "invitations": invitations.to_json() }))
}

async fn find(tx: &mut Tx, login_name: &str) -> Result<Option<Account>> {
    let account = sqlx::query_as!(
        Account,
        "select id, login_name, real_name, user_type, password_hash, enabled, gmt_expires, must_change_password
         from platform.sys_user where lower(login_name) = lower($1)",
        login_name
    )
    .fetch_optional(&mut **tx)
    .await?;
    Ok(account)
}

/// Where an account may go.
enum Destination {
    Platform,
    School(i64),
    /// To none of its schools, but it is asked to another, which it enters by agreeing.
    Invited(Vec<OwnInvitation>),
}

/// Where the account may go. The refusal carries the log's reason.
async fn admit(
    tx: &mut Tx,
    visit: &RequestOrigin,
    account: &Account,
    stage: Stage,
    now: Moment,
) -> Result<Destination, (&'static str, Error)> {
    let refuse = |reason, text: &'static str| Err((reason, Error::new(403, text)));
    let broken = |error: Error| ("internal", error);
    if !account.enabled {
        return refuse("disabled", "账号已停用，请联系管理员");
    }
    if account.gmt_expires.is_some_and(|end| end <= now) {
        return refuse("expired", "账号已过期，请联系管理员");
    }
    if stage == Stage::Login {
        if account.user_type != "platform" {
            return refuse("not_bound", "该账号不是平台账号，请从院校入口登录");
        }
        if !tx.app().config().server.admits_operators(&visit.host) {
            return refuse("not_bound", "平台账号请从平台网址登录");
        }
        return Ok(Destination::Platform);
    }
    if account.user_type != "school" {
        return refuse("not_bound", "该账号不是院校账号，请从平台入口登录");
    }
    let bound = sqlx::query!(
        r#"select b.school_id, s.status in ('trial', 'active') as "open!"
           from platform.sys_user_school b join platform.school s on s.id = b.school_id and s.deleted_at is null
           where b.user_id = $1 and b.enabled and (b.gmt_expires is null or b.gmt_expires > $2)
           order by b.last_used_at desc nulls last, b.school_id"#,
        account.id,
        now
    )
    .fetch_all(&mut **tx)
    .await
    .map_err(|error| broken(error.into()))?;
    let of_host = tx.app().school_of_host(&visit.host).await.map_err(broken)?;
    let here = match &of_host {
        Some(school) => bound.iter().find(|row| row.school_id == school.id),
        None => bound.iter().find(|row| row.open),
    };
    if let Some(row) = here {
        return Ok(Destination::School(row.school_id));
    }
    let invitations =
        invitation::of_account(tx, account.id, of_host.as_ref().map(|school| school.id), now).await.map_err(broken)?;
    if !invitations.is_empty() {
        return Ok(Destination::Invited(invitations));
    }
    match of_host {
        _ if bound.is_empty() => refuse("not_bound", "账号未绑定院校"),
        Some(_) => refuse("not_bound", "账号未绑定该院校"),
        None => refuse("school_closed", "院校已停用，请联系平台运营方"),
    }
}

async fn enter(
    app: &App,
    visit: &RequestOrigin,
    mut tx: Tx,
    known: &Account,
    school_id: Option<i64>,
    now: Moment,
) -> Result<Entered> {
    if app.flag(session::SINGLE).await? {
        session::revoke(&mut tx, Which::OfUser(known.id), "replaced", now).await?;
    }
    let new = NewSession {
        user_id: known.id,
        area: if school_id.is_some() { Area::School } else { Area::Platform },
        school_id,
        below: None,
        act: None,
        reason: None,
        read_only: false,
        expires_at: session::absolute_end(app, now).await?,
    };
    let session::Opened { jti, token } = session::open(&mut tx, visit, new, now).await?;
    account::signed_in(&mut tx, known.id, school_id, &visit.ip, now).await?;
    let event = Event {
        user_id: Some(known.id),
        login_name: &known.login_name,
        real_name: Some(&known.real_name),
        school_id,
        event: "login",
        success: true,
        reason: None,
        session: Some(jti),
    };
    session::log(&mut tx, visit, event, now).await?;
    tx.commit_untracked("a sign-in stands in the login log").await?;
    Ok(Entered { token, must_change_password: known.must_change_password })
}
