//! 注册: a visitor of the operators' site becomes a learner, who proves the phone by a code (01 §9.11).

use std::collections::BTreeMap;

use accounts::password as secret;
use infra::{
    Body, Change, Error, OnConstraint, Public, Reply, Result, Saved, Tx, Writes, audit::Actor, clock::Moment, mask,
    reply,
};
use learner_rules::{
    code::{APART_SECONDS, MINUTES},
    enums::{CodeScene, LearnerSource},
};
use poem_openapi::{Object, OpenApi, types::Example};
use serde_json::json;

use crate::{account::KIND, code};

/// Of the short message with the code, and what it says without a template of its own.
const SCENE: &str = "learner_code";
const WORDS: &str = "您的验证码为{{code}}，{{minutes}}分钟内有效，请勿告诉他人。";

/// Whom a code is to be sent to, and what for.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct LearnerCodeForm {
    /// 手机号
    /// 应为11位手机号
    #[oai(validator(pattern = "^1[3-9][0-9]{9}$"))]
    pub phone: String,
    /// 用途
    pub scene: CodeScene,
}

impl Example for LearnerCodeForm {
    fn example() -> Self {
        Self { phone: "13900000005".to_owned(), scene: CodeScene::Register }
    }
}

/// A code is on its way.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct LearnerCodeSent {
    /// 再次获取间隔(秒)
    pub again_after_seconds: i64,
    /// 有效分钟数
    pub valid_minutes: i64,
}

/// What a visitor sends in.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct LearnerRegistration {
    /// 手机号
    /// 应为11位手机号
    #[oai(validator(pattern = "^1[3-9][0-9]{9}$"))]
    pub phone: String,
    /// 密码密文
    #[oai(validator(min_length = 1, max_length = 1024))]
    pub password: String,
    /// 短信验证码
    /// 6位数字
    #[oai(validator(pattern = "^[0-9]{6}$"))]
    pub sms_code: String,
    /// 注册来源
    /// 不填时按设备判断
    pub source: Option<LearnerSource>,
    /// 访问标识
    /// 由访问记录给出，用于统计来源
    #[oai(validator(max_length = 64))]
    pub visitor_key: Option<String>,
}

impl Example for LearnerRegistration {
    fn example() -> Self {
        Self {
            phone: "13900000005".to_owned(),
            password: "Base64 of the RSA-OAEP cipher text".to_owned(),
            sms_code: "384201".to_owned(),
            source: Some(LearnerSource::H5),
            visitor_key: None,
        }
    }
}

pub struct Registration;

#[OpenApi(prefix_path = "/user/client/learner", tag = "crate::Tag::Learners")]
impl Registration {
    /// 学员短信验证码
    /// 同一手机间隔60秒、每天10次，同一网络地址每小时20次
    #[oai(path = "/smsCode", method = "post", operation_id = "sendLearnerCode")]
    async fn sms_code(
        &self,
        caller: Public<Writes>,
        Body(wanted): Body<LearnerCodeForm>,
    ) -> Result<Reply<LearnerCodeSent>> {
        at_site(&caller).await?;
        let LearnerCodeForm { phone, scene } = wanted;
        let now = caller.app.clock().now();
        let code = caller.app.random().text(b"0123456789", 6);
        let mut tx = caller.begin().await?;
        code::keep(&mut tx, scene, &phone, &code, (&caller.visit.ip, now)).await?;
        let reaches = scene == CodeScene::Register || has_account(&mut tx, &phone).await?;
        tx.commit_untracked("a code is no record that somebody keeps").await?;
        // Whether somebody has an account is not told: without one nothing leaves, and the answer is the same.
        if reaches {
            let values = BTreeMap::from([("code".to_owned(), code), ("minutes".to_owned(), MINUTES.to_string())]);
            messages::at_once::send(&caller.app, None, SCENE, &phone, WORDS, values).await?;
        }
        Ok(reply(LearnerCodeSent { again_after_seconds: APART_SECONDS, valid_minutes: MINUTES }))
    }

    /// 学员注册
    #[oai(path = "/register", method = "post", operation_id = "registerLearner")]
    async fn register(&self, caller: Public<Writes>, Body(form): Body<LearnerRegistration>) -> Result<Reply<Saved>> {
        at_site(&caller).await?;
        let app = &caller.app;
        if form.source == Some(LearnerSource::Admin) {
            return Err(Error::field("source", "请选择网页、APP或小程序"));
        }
        let password = app.keys().decrypt(&form.password, app.random()).await?;
        secret::check(&password, &form.phone, Some(&form.phone)).map_err(|weak| Error::field("password", weak.zh()))?;
        let now = app.clock().now();
        let mut tx = caller.begin().await?;
        if !code::proves(&mut tx, CodeScene::Register, &form.phone, &form.sms_code, now).await? {
            tx.commit_untracked("a try is counted").await?;
            return Err(code::wrong());
        }
        let hash = secret::hash(app, &password).await?;
        let id = insert(&mut tx, &form, &hash, (caller.visit.device(), now)).await?;
        // Nobody is in yet, but what follows is the learner's own doing.
        let name = mask::phone(&form.phone);
        let (ip, trace_id) = (caller.visit.ip.clone(), caller.visit.trace_id.clone());
        tx.acts_now(Actor { kind: KIND.to_owned(), id, name, on_behalf_of: None, ip, trace_id });
        tx.commit(Change::event("user_ext", id, "insert", json!({ "phone": form.phone, "source": "register" })))
            .await?;
        Ok(reply(Saved { id }))
    }
}

/// # Errors
/// 403 at the host of a school: learners are the operators'.
async fn at_site(caller: &Public<Writes>) -> Result<()> {
    match caller.app.school_of_host(&caller.visit.host).await? {
        Some(_) => Err(Error::new(403, "请从平台网站注册或登录")),
        None => Ok(()),
    }
}

async fn has_account(tx: &mut Tx, phone: &str) -> Result<bool> {
    let known = sqlx::query_scalar!(
        r#"select exists (select from platform.user_ext where phone = $1 and enabled) as "known!""#,
        phone
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(known)
}

/// # Errors
/// 409 when the phone has an account: whoever shows its code may know.
async fn insert(tx: &mut Tx, form: &LearnerRegistration, hash: &str, (device, now): (&str, Moment)) -> Result<i64> {
    let source = form.source.unwrap_or_else(|| LearnerSource::of_device(device));
    sqlx::query_scalar!(
        "insert into platform.user_ext (phone, source, password_hash, visitor_key, created_at, updated_at, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $5, 0, 0) returning id",
        form.phone,
        source.as_str(),
        hash,
        form.visitor_key.as_deref().filter(|key| !key.is_empty()),
        now
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(|name| {
        (name == "user_ext_phone_taken").then(|| Error::conflict("该手机号已注册，请直接登录"))
    })
}
