//! 学员登录: the checks of 01 §1.4.4 for a phone with its password or a code by short message.

use accounts::{
    guard::{self, Wrong},
    password as secret,
    session::{ClientEvent, absolute_end, log_client},
};
use infra::{Error, Public, Result, Tx, Writes, clock::Moment};
use learner_rules::enums::CodeScene;
use sign_in::sign_in::{Stage, consume};
use uuid::Uuid;

use crate::{
    account::{Account, KIND, guarded, lock_by_phone},
    code,
    session::{self, Ended, NewSession},
};

/// What somebody shows.
#[derive(Debug, Clone, Copy)]
pub struct Credentials<'a> {
    pub phone: &'a str,
    /// Cipher text.
    pub password: Option<&'a str>,
    pub sms_code: Option<&'a str>,
    pub signature: Option<&'a str>,
}

/// A learner who is in.
#[derive(Debug, Clone)]
pub struct Entered {
    pub token: String,
    pub name: String,
    pub expires_at: Moment,
    pub must_change_password: bool,
}

/// What proves who it is.
#[derive(Debug, Clone, Copy)]
enum Proof<'a> {
    Password(&'a str),
    Code(&'a str),
}

impl Proof<'_> {
    fn wrong(self) -> Wrong {
        match self {
            Self::Password(_) => Wrong::Password,
            Self::Code(_) => Wrong::SmsCode,
        }
    }

    /// The reason of a failure, as the login log knows it.
    fn reason(self, known: bool) -> &'static str {
        match self {
            _ if !known => "unknown_account",
            Self::Password(_) => "wrong_password",
            Self::Code(_) => "wrong_sms_code",
        }
    }
}

/// Whoever tries to sign in, as the log names them.
struct Trying<'a> {
    caller: &'a Public<Writes>,
    phone: &'a str,
    known: Option<&'a Account>,
    now: Moment,
}

impl Trying<'_> {
    async fn log(&self, tx: &mut Tx, event: &str, reason: Option<&str>, session: Option<Uuid>) -> Result<()> {
        let name = self.known.map(Account::name);
        let event = ClientEvent {
            client: KIND,
            kind: KIND,
            person_id: self.known.map(|account| account.id),
            login_name: self.phone,
            person_name: name.as_deref(),
            school_id: None,
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

/// Signs a learner in. Never answers 301–303: the client would reload and lose the message.
///
/// # Errors
/// 403 at the host of a school and for a disabled account, 409 without a challenge, 422 for what proves nothing, 429 while the phone
/// or the address is locked.
pub async fn enter(caller: &Public<Writes>, shown: Credentials<'_>) -> Result<Entered> {
    let (app, visit) = (&caller.app, &caller.visit);
    let now = app.clock().now();
    let proof = match (filled(shown.password), filled(shown.sms_code)) {
        (Some(cipher), _) => Proof::Password(cipher),
        (None, Some(code)) => Proof::Code(code),
        (None, None) => return Err(Error::field("loginPassword", "请填写密码，或用短信验证码登录")),
    };
    let mut tx = caller.begin().await?;
    guard::check_address(&mut tx, &visit.ip, now).await?;
    if !consume(&mut tx, visit, shown.phone, shown.signature, Stage::ClientLogin, now).await? {
        return Err(Error::conflict("登录校验已失效，请重试"));
    }
    if app.school_of_host(&visit.host).await?.is_some() {
        tx.commit_untracked("the challenge is used up").await?;
        return Err(Error::new(403, "请从平台网站登录"));
    }
    let known = lock_by_phone(&mut tx, shown.phone).await?;
    let trying = Trying { caller, phone: shown.phone, known: known.as_ref(), now };
    let name = guarded(shown.phone);
    // Counted before anything is looked at; others who try this phone wait until it is known what became of it.
    let attempt = match guard::attempt(&mut tx, app, &name, now).await {
        Ok(attempt) => attempt,
        Err(locked) if locked.code == 429 => return Err(trying.refused(tx, "locked", locked).await),
        Err(broken) => return Err(broken),
    };
    let right = match proof {
        Proof::Password(cipher) => match app.keys().decrypt(cipher, app.random()).await {
            Ok(password) => {
                secret::matches(app, &password, known.as_ref().and_then(|account| account.password_hash.clone()))
                    .await?
            }
            Err(refused) => {
                attempt.spared(&mut tx).await?;
                tx.commit_untracked("the challenge is used up").await?;
                return Err(refused);
            }
        },
        Proof::Code(code) => {
            let proven = code::proves(&mut tx, CodeScene::Login, shown.phone, code, now).await?;
            proven && known.is_some()
        }
    };
    if !right {
        let told = attempt.wrong(&mut tx, &visit.ip, proof.wrong(), now).await?;
        return Err(trying.refused(tx, proof.reason(known.is_some()), told).await);
    }
    let Some(account) = &known else { return Err(Error::internal("a proof matched no account")) };
    if !account.enabled {
        let told = Error::new(403, "账号已停用，请联系客服");
        attempt.spared(&mut tx).await?;
        return Err(trying.refused(tx, "disabled", told).await);
    }
    guard::clear(&mut tx, &name).await?;
    session::end(&mut tx, account.id, Ended::Replaced).await?;
    let expires_at = absolute_end(app, now).await?;
    let new = NewSession { account, by_code: matches!(proof, Proof::Code(_)), expires_at };
    let opened = session::open(&mut tx, visit, new, now).await?;
    sqlx::query!("update platform.user_ext set last_login_at = $2 where id = $1", account.id, now)
        .execute(&mut *tx)
        .await?;
    trying.log(&mut tx, "login", None, Some(opened.jti)).await?;
    tx.commit_untracked("a sign-in stands in the login log").await?;
    Ok(Entered { token: opened.token, name: account.name(), expires_at, must_change_password: opened.must_change })
}

fn filled(text: Option<&str>) -> Option<&str> {
    text.filter(|text| !text.is_empty())
}
