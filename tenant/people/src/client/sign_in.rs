//! 客户端登录: the checks of 01 §1.4.4 for people whose account is the school's.

use accounts::{
    guard::{self, Wrong},
    password as secret,
    session::{ClientEvent, absolute_end, log_client},
};
use infra::{Error, Public, Result, Tx, Writes, clock::Moment, directory::School};
use learners::sign_in::Credentials;
use poem_openapi::{Object, types::Example};
use sign_in::sign_in::{Stage, consume};

use crate::{
    account::{Account, OwnerKind, SignInKind, lock_by_login},
    person::{self, Person},
    session::{self, Ended, NewSession},
};

/// Account and password of a person of a school; phone and password, or a code, of a customer of the operators' site.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ClientLogin {
    /// 登录名
    #[oai(validator(min_length = 1, max_length = 64))]
    login_name: String,
    /// 密码密文
    /// 平台学员用短信验证码登录时不填
    #[oai(validator(max_length = 1024))]
    login_password: Option<String>,
    /// 短信验证码
    /// 平台学员不用密码登录时填写，6位数字
    #[oai(validator(pattern = "^[0-9]{6}$"))]
    sms_code: Option<String>,
    /// 身份
    kind: SignInKind,
    /// 登录校验签名
    #[oai(validator(max_length = 128))]
    signature: Option<String>,
}

impl Example for ClientLogin {
    fn example() -> Self {
        Self {
            login_name: "26304120070023".to_owned(),
            login_password: Some("Base64 of the RSA-OAEP cipher text".to_owned()),
            sms_code: None,
            kind: SignInKind::Student,
            signature: None,
        }
    }
}

/// A person who is in.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub struct ClientSignedIn {
    /// 令牌
    token: String,
    /// 姓名
    name: String,
    /// 有效期至
    expires_at: Moment,
    /// 须修改密码
    must_change_password: bool,
}

/// Whoever tries to sign in, as the log names them.
struct Trying<'a> {
    caller: &'a Public<Writes>,
    form: &'a ClientLogin,
    kind: OwnerKind,
    school: &'a School,
    known: Option<&'a (Account, Person)>,
    now: Moment,
}

impl Trying<'_> {
    async fn log(&self, tx: &mut Tx, event: &str, reason: Option<&str>, session: Option<uuid::Uuid>) -> Result<()> {
        let event = ClientEvent {
            client: self.kind.client(),
            kind: self.kind.as_str(),
            person_id: self.known.map(|(account, _)| account.owner_id),
            login_name: &self.form.login_name,
            person_name: self.known.map(|(_, person)| person.name.as_str()),
            school_id: Some(self.school.id),
            event,
            success: reason.is_none(),
            reason,
            session,
        };
        log_client(tx, &self.caller.visit, event, self.now).await
    }

    /// Ends with a refusal that stands in the log.
    async fn refused(&self, mut tx: Tx, reason: &str, told: Error) -> Error {
        let logged = async {
            self.log(&mut tx, "login_failed", Some(reason), None).await?;
            tx.commit_untracked("a refused sign-in").await
        };
        match logged.await {
            Ok(()) => told,
            Err(error) => error,
        }
    }
}

/// The lock-out counts by school: the same number may be somebody else's in another one.
fn guard_name(school: &School, kind: OwnerKind, login_name: &str) -> String {
    format!("{}/{}/{login_name}", school.id, kind.as_str())
}

/// Never answers 301–303: the client would reload and lose the message.
pub(super) async fn sign_in(caller: &Public<Writes>, form: &ClientLogin) -> Result<ClientSignedIn> {
    let Some(kind) = form.kind.owner() else { return learner(caller, form).await };
    let cipher = form.login_password.as_deref().filter(|cipher| !cipher.is_empty());
    let cipher = cipher.ok_or_else(|| Error::field("loginPassword", "请填写密码"))?;
    let (app, visit) = (&caller.app, &caller.visit);
    let now = app.clock().now();
    let mut tx = caller.begin().await?;
    guard::check_address(&mut tx, &visit.ip, now).await?;
    if !consume(&mut tx, visit, &form.login_name, form.signature.as_deref(), Stage::ClientLogin, now).await? {
        return Err(Error::conflict("登录校验已失效，请重试"));
    }
    let Some(school) = app.school_of_host(&visit.host).await? else {
        tx.commit_untracked("the challenge is used up").await?;
        return Err(Error::new(403, "请从学校的网址登录"));
    };
    let mut inside = caller.begin_in(&school).await?;
    let known = find(&mut inside, kind, &form.login_name).await?;
    let trying = Trying { caller, form, kind, school: &school, known: known.as_ref(), now };
    let name = guard_name(&school, kind, &form.login_name);
    // 解锁 and 重置密码 clear the account's count in the school; the guard follows at the next try.
    if known.as_ref().is_some_and(|(account, _)| account.failed_count == 0) {
        guard::clear(&mut tx, &name).await?;
    }
    // Counted before the password is looked at; others who try this name wait until it is known what became of it.
    let attempt = match guard::attempt(&mut tx, app, &name, now).await {
        Ok(attempt) => attempt,
        Err(locked) if locked.code == 429 => return Err(trying.refused(tx, "locked", locked).await),
        Err(broken) => return Err(broken),
    };
    let password = match app.keys().decrypt(cipher, app.random()).await {
        Ok(password) => password,
        Err(refused) => {
            attempt.spared(&mut tx).await?;
            tx.commit_untracked("the challenge is used up").await?;
            return Err(refused);
        }
    };
    let right = match &known {
        Some((account, person)) => {
            let initial = person.initial_password(&mut inside).await?;
            account.is_password(app, &password, initial.as_deref()).await?
        }
        None => secret::matches(app, &password, None).await?,
    };
    if !right {
        let told = attempt.wrong(&mut tx, &visit.ip, Wrong::Password, now).await?;
        let until = guard::locked_until(&mut tx, &name, now).await?;
        if let Some((account, _)) = &known {
            count(&mut inside, account, until).await?;
            inside.commit_untracked("the count of wrong passwords").await?;
        }
        let reason = if known.is_some() { "wrong_password" } else { "unknown_account" };
        return Err(trying.refused(tx, reason, told).await);
    }
    let Some((account, person)) = &known else { return Err(Error::internal("a password matched no account")) };
    if !account.enabled || !person.active {
        let told = Error::new(403, "账号已停用，请联系管理员");
        attempt.spared(&mut tx).await?;
        return Err(trying.refused(tx, "disabled", told).await);
    }
    guard::clear(&mut tx, &name).await?;
    session::end(&mut inside, account.kind, account.owner_id, Ended::Replaced).await?;
    let expires_at = absolute_end(app, now).await?;
    let new = NewSession { account, person_name: &person.name, acting: None, read_only: false, expires_at };
    let opened = session::open(&mut inside, &school, visit, new, now).await?;
    sqlx::query!(
        "update client_account set failed_count = 0, locked_until = null, last_login_at = $2, last_login_ip = $3,
                first_login_at = coalesce(first_login_at, $2) where id = $1",
        account.id,
        now,
        visit.ip
    )
    .execute(&mut *inside)
    .await?;
    trying.log(&mut tx, "login", None, Some(opened.jti)).await?;
    inside.commit_untracked("a sign-in stands in the login log").await?;
    tx.commit_untracked("a sign-in stands in the login log").await?;
    Ok(ClientSignedIn {
        token: opened.token,
        name: person.name.clone(),
        expires_at,
        must_change_password: account.must_change,
    })
}

/// A customer of the operators' own site.
async fn learner(caller: &Public<Writes>, form: &ClientLogin) -> Result<ClientSignedIn> {
    let shown = Credentials {
        phone: &form.login_name,
        password: form.login_password.as_deref(),
        sms_code: form.sms_code.as_deref(),
        signature: form.signature.as_deref(),
    };
    let entered = learners::sign_in::enter(caller, shown).await?;
    Ok(ClientSignedIn {
        token: entered.token,
        name: entered.name,
        expires_at: entered.expires_at,
        must_change_password: entered.must_change_password,
    })
}

async fn find(tx: &mut Tx, kind: OwnerKind, login_name: &str) -> Result<Option<(Account, Person)>> {
    let Some(account) = lock_by_login(tx, kind, login_name).await? else { return Ok(None) };
    let person = person::find(tx, account.kind, account.owner_id).await?;
    Ok(person.map(|person| (account, person)))
}

/// Shows the console how often somebody mistyped, and until when the account is locked.
async fn count(tx: &mut Tx, account: &Account, locked_until: Option<Moment>) -> Result<()> {
    sqlx::query!(
        "update client_account set failed_count = failed_count + 1, locked_until = $2 where id = $1",
        account.id,
        locked_until
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
