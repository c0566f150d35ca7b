//! 两步验证 as its owner sets it up, renews its recovery codes and switches it off.

use accounts::{
    password,
    totp::{self, Second},
};
use infra::{
    Body, Change, Error, Reply, Result, SignedIn, Tx, Writes,
    access::{Caller, WritesBeforeSecondStep},
    reply,
};
use poem_openapi::{Object, OpenApi, types::Example};
use serde_json::json;

/// One's own password, as a cipher text.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct TotpBegin {
    /// 登录密码
    #[oai(validator(max_length = 1024))]
    old_password: String,
}

impl Example for TotpBegin {
    fn example() -> Self {
        Self { old_password: "Base64 of the RSA-OAEP cipher text".to_owned() }
    }
}

/// What the authenticator scans or what is typed into it; shown this once.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub struct TotpSecret {
    /// 密钥
    secret: String,
    /// 二维码内容
    url: String,
}

/// The first code of the authenticator.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct TotpConfirm {
    /// 动态验证码
    /// 6位数字
    #[oai(validator(pattern = "^[0-9]{6}$"))]
    code: String,
}

impl Example for TotpConfirm {
    fn example() -> Self {
        Self { code: "123456".to_owned() }
    }
}

/// Password and a code, for what weakens the account.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct TotpProof {
    /// 登录密码
    #[oai(validator(max_length = 1024))]
    old_password: String,
    /// 动态验证码
    /// 6位数字，或一个恢复码
    #[oai(validator(min_length = 6, max_length = 20))]
    code: String,
}

impl Example for TotpProof {
    fn example() -> Self {
        Self { old_password: "Base64 of the RSA-OAEP cipher text".to_owned(), code: "123456".to_owned() }
    }
}

/// Recovery codes; shown this once.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub struct RecoveryCodes {
    /// 恢复码
    recovery_codes: Vec<String>,
}

pub struct TwoFactor;

#[OpenApi(prefix_path = "/system/pc/sys/user/totp", tag = "crate::Tag::SignIn")]
impl TwoFactor {
    /// 生成两步验证密钥
    #[oai(path = "/begin", method = "post", operation_id = "beginTotp")]
    async fn begin(
        &self,
        caller: SignedIn<WritesBeforeSecondStep>,
        Body(form): Body<TotpBegin>,
    ) -> Result<Reply<TotpSecret>> {
        let mut tx = by_password(&caller, &form.old_password, caller.begin().await?).await?;
        let begun = totp::begin(&mut tx, caller.user_id(), &caller.session.login_name).await?;
        tx.commit(Change::event("sys_user", caller.user_id(), "update", json!({ "totp": "begun" }))).await?;
        Ok(reply(TotpSecret { secret: begun.secret, url: begun.url }))
    }

    /// 启用两步验证
    #[oai(path = "/confirm", method = "post", operation_id = "confirmTotp")]
    async fn confirm(
        &self,
        caller: SignedIn<WritesBeforeSecondStep>,
        Body(form): Body<TotpConfirm>,
    ) -> Result<Reply<RecoveryCodes>> {
        let now = caller.app().clock().now();
        let mut tx = caller.begin().await?;
        let recovery_codes = totp::confirm(&mut tx, caller.user_id(), &form.code, now).await?;
        let change = Change::status("sys_user", caller.user_id(), "totp", "off", "on");
        tx.commit(change).await?;
        Ok(reply(RecoveryCodes { recovery_codes }))
    }

    /// 停用两步验证
    #[oai(path = "/disable", method = "post", operation_id = "disableTotp")]
    async fn disable(&self, caller: SignedIn<Writes>, Body(proof): Body<TotpProof>) -> Result<Reply<bool>> {
        let required = sqlx::query_scalar!(
            r#"select exists (select from platform.sys_user_role ur join platform.sys_role r on r.id = ur.role_id
                              where ur.user_id = $1 and r.enabled and r.totp_required) as "required!""#,
            caller.user_id()
        )
        .fetch_one(&mut *caller.platform().await?)
        .await?;
        if required {
            return Err(Error::conflict("您的角色要求启用两步验证，不能停用"));
        }
        let mut tx = proved(&caller, &proof, caller.begin().await?).await?;
        totp::remove(&mut tx, caller.user_id()).await?;
        tx.commit(Change::status("sys_user", caller.user_id(), "totp", "on", "off")).await?;
        Ok(reply(true))
    }

    /// 重新生成恢复码
    #[oai(path = "/recovery", method = "post", operation_id = "renewRecoveryCodes")]
    async fn renew(&self, caller: SignedIn<Writes>, Body(proof): Body<TotpProof>) -> Result<Reply<RecoveryCodes>> {
        let mut tx = proved(&caller, &proof, caller.begin().await?).await?;
        let recovery_codes = totp::recovery_codes(&mut tx, caller.user_id()).await?;
        let what = json!({ "recoveryCodes": "renewed" });
        tx.commit(Change::event("sys_user", caller.user_id(), "update", what)).await?;
        Ok(reply(RecoveryCodes { recovery_codes }))
    }
}

/// # Errors
/// 422 at `oldPassword`; wrong ones are counted and end the session.
async fn by_password(caller: &Caller, cipher: &str, tx: Tx) -> Result<Tx> {
    let app = caller.app();
    let own = app.keys().decrypt(cipher, app.random()).await?;
    password::confirmed(tx, caller, &own, app.clock().now()).await
}

/// Password and code of the acting person.
///
/// # Errors
/// 409 without a second step, 422 at the wrong field; wrong codes are counted like wrong passwords.
async fn proved(caller: &Caller, proof: &TotpProof, tx: Tx) -> Result<Tx> {
    let now = caller.app().clock().now();
    let mut tx = by_password(caller, &proof.old_password, tx).await?;
    match totp::check(&mut tx, caller.user_id(), Some(&proof.code), now).await? {
        Second::Passed => Ok(tx),
        Second::NotNeeded => Err(Error::conflict("尚未启用两步验证")),
        Second::Missing | Second::Wrong => {
            password::count_wrong(tx, caller, now).await?;
            Err(Error::field("code", "动态验证码不正确"))
        }
    }
}
