//! The wire between the clients and the server: its envelope, sign-in, and how many calls are on their way.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use aws_lc_rs::{
    digest,
    rsa::{OAEP_SHA256_MGF1SHA256, OaepPublicEncryptingKey, PublicEncryptingKey},
};
use base64::{Engine, prelude::BASE64_STANDARD};
use infra::clock::Moment;
use reqwest::{Client, Method, header};
use serde_json::{Value, json};
use tokio::{
    sync::Semaphore,
    time::{Instant, Interval, MissedTickBehavior, interval, sleep, sleep_until},
};

use super::{Act, Person, Plan, Report};

/// Of one call.
const PATIENCE: Duration = Duration::from_secs(60);
/// How often a call is made before it has failed, where the server was not reached or has too much to do.
const TRIES: u32 = 4;
/// Before the second try; doubled for each further one.
const PAUSE: Duration = Duration::from_millis(500);
/// Between two calls of one person: a token makes no more than twenty a second (part 03 B10).
const GAP: Duration = Duration::from_millis(60);
/// What people hold in their hands.
const AGENTS: [&str; 3] =
    ["Mozilla/5.0 (Linux; Android 14) Mobile", "Mozilla/5.0 (Windows NT 10.0)", "Mozilla/5.0 (iPad)"];

/// One call of a client.
pub(super) struct Call {
    act: Act,
    method: Method,
    path: &'static str,
    query: Vec<(&'static str, String)>,
    body: Option<Value>,
}

impl Call {
    pub(super) fn get(act: Act, path: &'static str) -> Self {
        Self { act, method: Method::GET, path, query: Vec::new(), body: None }
    }

    pub(super) fn post(act: Act, path: &'static str, body: Value) -> Self {
        Self { method: Method::POST, body: Some(body), ..Self::get(act, path) }
    }

    pub(super) fn put(act: Act, path: &'static str, body: Value) -> Self {
        Self { method: Method::PUT, body: Some(body), ..Self::get(act, path) }
    }

    #[must_use]
    pub(super) fn with(mut self, name: &'static str, value: impl ToString) -> Self {
        self.query.push((name, value.to_string()));
        self
    }
}

/// What one try came to.
enum Tried {
    Answered(Value),
    Refused(String),
    Again(String),
}

/// A server, and what became of the calls.
pub(super) struct Wire<'p> {
    pub(super) plan: &'p Plan,
    http: Client,
    /// Under which passwords travel.
    key: Vec<u8>,
    seats: Semaphore,
    sign_ins: tokio::sync::Mutex<Interval>,
    report: Mutex<Report>,
}

impl<'p> Wire<'p> {
    pub(super) async fn to(plan: &'p Plan) -> Result<Self, String> {
        let http = Client::builder()
            .timeout(PATIENCE)
            .pool_max_idle_per_host(plan.at_once)
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .map_err(|error| error.to_string())?;
        let per_minute = u32::try_from(plan.sign_ins.max(1)).unwrap_or(u32::MAX);
        let mut sign_ins = interval((Duration::from_secs(60) / per_minute).max(Duration::from_micros(1)));
        sign_ins.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut wire = Self {
            plan,
            http,
            key: Vec::new(),
            seats: Semaphore::new(plan.at_once.max(1)),
            sign_ins: tokio::sync::Mutex::new(sign_ins),
            report: Mutex::default(),
        };
        let site = wire.call(&Call::post(Act::SignIn, "/system/pc/sys/config/get", json!({})), None, AGENTS[0]).await?;
        let key = site["publicKey"].as_str().and_then(|key| BASE64_STANDARD.decode(key).ok());
        wire.key = key.ok_or_else(|| format!("{}: 应答中没有公钥，请核对地址", plan.address))?;
        Ok(wire)
    }

    pub(super) fn into_report(self) -> Report {
        self.report.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn report<T>(&self, write: impl FnOnce(&mut Report) -> T) -> T {
        write(&mut self.report.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Makes a call, again where the server was not reached; why it was refused.
    async fn call(&self, call: &Call, token: Option<&str>, agent: &str) -> Result<Value, String> {
        let mut tried = 0;
        loop {
            let outcome = {
                let _seat = self.seats.acquire().await.map_err(|error| error.to_string())?;
                self.once(call, token, agent).await
            };
            tried += 1;
            match outcome {
                Tried::Answered(data) => return Ok(data),
                Tried::Refused(reason) => return Err(reason),
                Tried::Again(reason) if tried == TRIES => return Err(reason),
                Tried::Again(_) => sleep(PAUSE * 2_u32.pow(tried - 1)).await,
            }
        }
    }

    async fn once(&self, call: &Call, token: Option<&str>, agent: &str) -> Tried {
        let address = format!("{}{}", self.plan.address, call.path);
        let mut request = self
            .http
            .request(call.method.clone(), address)
            .query(&call.query)
            .header(header::HOST, &self.plan.host)
            .header(header::USER_AGENT, agent);
        if let Some(token) = token {
            request = request.header("token", token);
        }
        if let Some(body) = &call.body {
            request = request.json(body);
        }
        let response = match request.send().await {
            Ok(response) => response,
            Err(error) if error.is_connect() => return Tried::Again(format!("无法连接{}", self.plan.address)),
            Err(error) => return Tried::Refused(format!("没有应答：{}", error.without_url())),
        };
        match response.bytes().await {
            Ok(bytes) => judged(&bytes),
            Err(error) => Tried::Refused(format!("应答不完整：{}", error.without_url())),
        }
    }

    /// Lets somebody in as a person of this kind. Whoever still has the initial password chooses the one that all people of the
    /// demonstration have.
    pub(super) async fn sign_in<'w>(&'w self, person: &Person, kind: &'static str) -> Option<Own<'w>> {
        let agent = AGENTS[person.place % AGENTS.len()];
        let own = |entered: &Value| {
            Some(Own {
                wire: self,
                token: entered["token"].as_str()?.to_owned(),
                agent,
                whose: format!("{}{}", &kind[..1], person.place),
                requests: 0,
                free: Instant::now(),
            })
        };
        let Some(initial) = &person.initial else {
            return own(&self.enter(person, kind, self.plan.password).await?);
        };
        let entered = self.enter(person, kind, initial).await?;
        let mut first = own(&entered)?;
        let (old, new) = (self.sealed(initial)?, [self.sealed(self.plan.password)?, self.sealed(self.plan.password)?]);
        let body = json!({ "oldPassword": old, "loginPassword": new[0], "confirmPassword": new[1] });
        first.send(Call::put(Act::Password, "/user/client/password", body)).await?;
        own(&self.enter(person, kind, self.plan.password).await?)
    }

    async fn enter(&self, person: &Person, kind: &str, password: &str) -> Option<Value> {
        self.sign_ins.lock().await.tick().await;
        let entered = self.entered(person, kind, password).await;
        self.report(|report| report.note(Act::SignIn, entered.as_ref().err().map(String::as_str)));
        entered.ok()
    }

    async fn entered(&self, person: &Person, kind: &str, password: &str) -> Result<Value, String> {
        let agent = AGENTS[person.place % AGENTS.len()];
        let name = &person.login_name;
        let now = self.plan.clock.now().timestamp_millis();
        let nonce = now.rem_euclid(10_000);
        let sign = infra::migrate::hex(
            digest::digest(&digest::SHA256, format!("login{name}{now}{nonce}").as_bytes()).as_ref(),
        );
        let challenge = json!({
            "loginName": name, "sign": sign, "signatureNonce": nonce, "timestamp": now, "stage": "client_login",
        });
        let path = "/system/pc/api/sys/user/authenticate";
        let signature = self.call(&Call::post(Act::SignIn, path, challenge), None, agent).await?;
        let cipher = self.sealed(password).ok_or("公钥不能使用")?;
        let login = json!({ "loginName": name, "loginPassword": cipher, "kind": kind, "signature": signature });
        self.call(&Call::post(Act::SignIn, "/user/client/login", login), None, agent).await
    }

    /// A password as it travels.
    fn sealed(&self, password: &str) -> Option<String> {
        let key = OaepPublicEncryptingKey::new(PublicEncryptingKey::from_der(&self.key).ok()?).ok()?;
        let mut room = vec![0; key.ciphertext_size()];
        let cipher = key.encrypt(&OAEP_SHA256_MGF1SHA256, password.as_bytes(), &mut room, None).ok()?;
        Some(BASE64_STANDARD.encode(cipher))
    }
}

/// Of the envelope `{code, msg, data}` the code counts. A field that is wrong says more than the sentence above it.
fn judged(body: &[u8]) -> Tried {
    let Ok(mut envelope) = serde_json::from_slice::<Value>(body) else {
        return Tried::Refused("应答不是本系统的".to_owned());
    };
    let data = envelope.get_mut("data").map(Value::take).unwrap_or_default();
    let reason = data[0]["message"].as_str().or(envelope["msg"].as_str()).unwrap_or("没有说明").to_owned();
    match envelope["code"].as_i64() {
        Some(200) => Tried::Answered(data),
        Some(429 | 503) => Tried::Again(reason),
        _ => Tried::Refused(reason),
    }
}

/// Somebody who is signed in.
pub(super) struct Own<'w> {
    wire: &'w Wire<'w>,
    token: String,
    agent: &'static str,
    whose: String,
    /// Numbers of requests that were given so far.
    requests: u32,
    /// When the next call may be made.
    free: Instant,
}

impl<'w> Own<'w> {
    pub(super) fn plan(&self) -> &'w Plan {
        self.wire.plan
    }

    /// A number for what is done once, however often it is sent.
    pub(super) fn request(&mut self) -> String {
        self.requests += 1;
        format!("{}-{}-{}", self.wire.plan.run, self.whose, self.requests)
    }

    /// Makes a call; what it answered, when it was accepted.
    pub(super) async fn send(&mut self, call: Call) -> Option<Value> {
        let act = call.act;
        let answer = self.ask(call).await;
        self.note(act, answer.as_ref().err().map(String::as_str));
        answer.ok()
    }

    /// Makes a call of which the caller notes what became of it; why it was refused.
    pub(super) async fn ask(&mut self, call: Call) -> Result<Value, String> {
        sleep_until(self.free).await;
        let answer = self.wire.call(&call, Some(&self.token), self.agent).await;
        self.free = Instant::now() + GAP;
        answer
    }

    pub(super) fn note(&self, act: Act, refused: Option<&str>) {
        self.wire.report(|report| report.note(act, refused));
    }

    pub(super) fn leave_out(&self, why: &'static str) {
        self.wire.report(|report| report.leave_out(why));
    }

    /// What of a beat counted, in seconds.
    pub(super) fn studied(&self, credited: i64, rejected: i64) {
        self.wire.report(|report| {
            report.credited_seconds += credited;
            report.rejected_seconds += rejected;
        });
    }
}

/// The rows of an answer.
pub(super) fn rows(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// A time of an answer.
pub(super) fn moment(value: &Value) -> Option<Moment> {
    value.as_str()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_refused_says_why() {
        let told = |body: Value| match judged(body.to_string().as_bytes()) {
            Tried::Answered(data) => format!("+{data}"),
            Tried::Refused(reason) => format!("-{reason}"),
            Tried::Again(reason) => format!("?{reason}"),
        };
        assert_eq!(told(json!({ "code": 200, "msg": "", "data": [1] })), "+[1]");
        assert_eq!(told(json!({ "code": 409, "msg": "人数已满", "data": null })), "-人数已满");
        let field = json!([{ "field": "title", "message": "请填写标题" }]);
        assert_eq!(told(json!({ "code": 422, "msg": "请检查", "data": field })), "-请填写标题");
        assert_eq!(told(json!({ "code": 429, "msg": "稍后再试", "data": null })), "?稍后再试");
        assert!(matches!(judged(b"<html>"), Tried::Refused(_)));
    }
}
