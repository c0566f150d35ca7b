//! The server's calls: its envelope, what is tried again, and the secrets that travel as cipher texts.
//!
//! Nothing here writes the token, a body or an address with its query into an error or a log.

use std::{collections::HashMap, time::Duration};

use aws_lc_rs::rsa::{OAEP_SHA256_MGF1SHA256, OaepPublicEncryptingKey, PublicEncryptingKey};
use base64::{Engine, prelude::BASE64_STANDARD};
use reqwest::{Client, Method, StatusCode, header::HeaderMap};
use serde_json::{Map, Value as Json, json};
use tokio::sync::{Mutex, watch};

use crate::{
    failure::{Failure, Refusal, Result},
    protocol::{diagnostic::Diagnostic, random},
};

/// Where the calls are, below the address of the server.
const BASE: &str = "/admin/apis";
/// How a machine token begins.
const MACHINE: &str = "cjm_";
/// How often a call is made before it has failed.
const TRIES: u32 = 5;
/// Before the second try; doubled for each further one.
const PAUSE: Duration = Duration::from_millis(250);
/// Of one try, from the first byte sent to the last one read.
const PATIENCE: Duration = Duration::from_secs(60);

/// One call of the server.
#[derive(Debug, Clone)]
pub struct Call {
    method: Method,
    path: &'static str,
    query: Vec<(&'static str, String)>,
    body: Option<Json>,
    school: Option<i64>,
    key: Option<String>,
    /// It changes nothing, or nothing more when it is made again.
    repeatable: bool,
}

impl Call {
    fn new(method: Method, path: &'static str) -> Self {
        Self { method, path, query: Vec::new(), body: None, school: None, key: None, repeatable: false }
    }

    pub fn get(path: &'static str) -> Self {
        Self { repeatable: true, ..Self::new(Method::GET, path) }
    }

    /// A list: it is a POST that changes nothing.
    pub fn list(path: &'static str, filter: Json) -> Self {
        Self { repeatable: true, body: Some(filter), ..Self::new(Method::POST, path) }
    }

    pub fn post(path: &'static str, body: Json) -> Self {
        Self { body: Some(body), ..Self::new(Method::POST, path) }
    }

    pub fn put(path: &'static str, body: Json) -> Self {
        Self { body: Some(body), ..Self::new(Method::PUT, path) }
    }

    /// A step that begins something, whose record stands in the query.
    pub fn ask(path: &'static str) -> Self {
        Self::new(Method::POST, path)
    }

    /// A step whose record stands in the query.
    pub fn step(path: &'static str) -> Self {
        Self::new(Method::PUT, path)
    }

    pub fn delete(path: &'static str) -> Self {
        Self::new(Method::DELETE, path)
    }

    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl ToString) -> Self {
        self.query.push((name, value.to_string()));
        self
    }

    /// Inside a school; at the platform without one.
    #[must_use]
    pub fn within(mut self, school: Option<i64>) -> Self {
        self.school = school;
        self
    }

    /// A save that is made once under this key, however often it is called.
    #[must_use]
    pub fn under_key(mut self, key: &str) -> Self {
        self.key = Some(key.to_owned());
        self.repeatable = true;
        self
    }
}

/// What one try came to.
enum Tried {
    Answered(Json),
    /// It may go well when it is tried again; whether it may have been done already.
    Again(Failure, bool),
    Refused(Failure),
}

/// A server and the token with which it is called.
pub struct Api {
    client: Client,
    base: String,
    token: String,
    stop: watch::Receiver<bool>,
    /// Numbers of schools by their codes, which never change.
    schools: Mutex<HashMap<String, i64>>,
}

impl Api {
    /// # Errors
    /// A sentence, when the address is none.
    pub fn new(endpoint: &str, token: String, agent: &str, stop: watch::Receiver<bool>) -> Result<Self, String> {
        let address = reqwest::Url::parse(endpoint).map_err(|error| format!("{error}"))?;
        if !matches!(address.scheme(), "http" | "https") || address.host_str().is_none() {
            return Err("it begins with https:// and names a host".to_owned());
        }
        let client = Client::builder()
            .user_agent(agent)
            .timeout(PATIENCE)
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .map_err(|error| error.without_url().to_string())?;
        let base = format!("{}{BASE}", endpoint.trim_end_matches('/'));
        Ok(Self { client, base, token, stop, schools: Mutex::default() })
    }

    /// Makes the call, again where that does no harm, and gives what the server answered.
    ///
    /// # Errors
    /// See [`Failure`].
    pub async fn send(&self, call: Call) -> Result<Json> {
        let mut tried = 0;
        loop {
            tried += 1;
            let failure = match self.attempt(&call).await {
                Tried::Answered(data) => return Ok(data),
                Tried::Refused(failure) => return Err(failure),
                Tried::Again(failure, done_perhaps) if tried == TRIES || (done_perhaps && !call.repeatable) => {
                    return Err(failure);
                }
                Tried::Again(failure, _) => failure,
            };
            eprintln!("[WARN] {} {}: try {tried} failed, again in a moment", call.method, call.path);
            if !self.pause(PAUSE * 2_u32.pow(tried - 1)).await {
                return Err(failure);
            }
        }
    }

    /// Waits, and up to as long again by chance; false when somebody interrupted.
    pub async fn pause(&self, time: Duration) -> bool {
        let mut random = [0];
        let chance = getrandom::fill(&mut random).map_or(0, |()| u32::from(random[0]));
        let mut stop = self.stop.clone();
        tokio::select! {
            () = tokio::time::sleep(time + time * chance / 256) => true,
            _ = stop.wait_for(|stopped| *stopped) => false,
        }
    }

    /// Whether the token is a person's session. A program is told 403 of a school that is not its own; a person is told that there
    /// is none, which in a state would mean that the school is gone.
    pub fn is_session(&self) -> bool {
        !self.token.starts_with(MACHINE)
    }

    /// Whether somebody interrupted.
    pub fn is_stopped(&self) -> bool {
        *self.stop.borrow()
    }

    async fn attempt(&self, call: &Call) -> Tried {
        let mut request = self
            .client
            .request(call.method.clone(), format!("{}{}", self.base, call.path))
            .query(&call.query)
            .header("token", &self.token);
        if let Some(school) = call.school {
            request = request.header("schoolId", school);
        }
        if let Some(key) = &call.key {
            request = request.header("Idempotency-Key", key);
        }
        if let Some(body) = &call.body {
            request = request.json(body);
        }
        let response = match request.send().await {
            Ok(response) => response,
            Err(error) => {
                let reached = !error.is_connect();
                return Tried::Again(Failure::Unreachable(causes(error.without_url())), reached);
            }
        };
        let (status, trace) = (response.status(), trace_of(response.headers()));
        if let Some(done_perhaps) = before_the_server(status) {
            return Tried::Again(Failure::Unreachable(format!("it answered {status}")), done_perhaps);
        }
        let body = match response.bytes().await {
            Ok(body) => body,
            Err(error) => return Tried::Again(Failure::Unreachable(causes(error.without_url())), true),
        };
        judged(status, trace, &body)
    }

    /// The number of the school with this code.
    ///
    /// # Errors
    /// When it is not there, or not the token's.
    pub async fn school(&self, code: &str) -> Result<i64> {
        if let Some(id) = self.schools.lock().await.get(code) {
            return Ok(*id);
        }
        let school = self.send(Call::get("/system/pc/sys/school/view").with("code", code)).await?;
        let id = number(&school, "id")?;
        self.schools.lock().await.insert(code.to_owned(), id);
        Ok(id)
    }

    /// A password as the server takes it.
    ///
    /// # Errors
    /// When the server's public key cannot be had, or the password is longer than the key allows.
    pub async fn cipher(&self, password: &str) -> Result<String> {
        let info = self.send(Call::list("/system/pc/sys/config/get", json!({}))).await?;
        sealed(text(&info, "publicKey")?, password)
            .ok_or_else(|| Failure::Unreachable("its public key cannot be used for this password".to_owned()))
    }
}

/// A key that nobody has used: 128 random bits.
///
/// # Errors
/// When there are no random numbers.
pub fn random_key() -> Result<String> {
    random::hex::<16>()
        .map_err(|error| Failure::Told(Diagnostic::error(format!("There are no random numbers: {error}"))))
}

fn sealed(key: &str, password: &str) -> Option<String> {
    let der = BASE64_STANDARD.decode(key).ok()?;
    let key = OaepPublicEncryptingKey::new(PublicEncryptingKey::from_der(&der).ok()?).ok()?;
    let mut room = vec![0; key.ciphertext_size()];
    let cipher = key.encrypt(&OAEP_SHA256_MGF1SHA256, password.as_bytes(), &mut room, None).ok()?;
    Some(BASE64_STANDARD.encode(cipher))
}

fn trace_of(headers: &HeaderMap) -> Option<String> {
    headers.get("x-trace-id")?.to_str().ok().map(ToOwned::to_owned)
}

/// An error with what caused it, which is where the reason stands.
fn causes(error: reqwest::Error) -> String {
    let mut told = error.to_string();
    let mut cause = std::error::Error::source(&error);
    while let Some(deeper) = cause {
        told = format!("{told}: {deeper}");
        cause = deeper.source();
    }
    told
}

/// Whether the server may have done the work, when what stands before it says that there is no answer now; none when it is
/// the server's own answer, which has status 429 only in its envelope.
fn before_the_server(status: StatusCode) -> Option<bool> {
    match status {
        StatusCode::BAD_GATEWAY | StatusCode::GATEWAY_TIMEOUT => Some(true),
        StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS => Some(false),
        _ => None,
    }
}

/// What an answer is: of the envelope `{code, msg, data}` the code counts, not the status of HTTP.
fn judged(status: StatusCode, trace: Option<String>, body: &[u8]) -> Tried {
    let envelope: Option<Map<String, Json>> = serde_json::from_slice(body).ok();
    let Some((code, mut envelope)) = envelope.and_then(|each| Some((each.get("code")?.as_i64()?, each))) else {
        let hint = "is `endpoint` the address of the server?";
        return Tried::Refused(Failure::Unreachable(format!("it answered {status} and no envelope; {hint}")));
    };
    let data = envelope.remove("data").unwrap_or_default();
    if code == 200 {
        return Tried::Answered(data);
    }
    let msg = envelope.get("msg").and_then(Json::as_str).unwrap_or_default().to_owned();
    let each = |field: &Json| Some((field["field"].as_str()?.to_owned(), field["message"].as_str()?.to_owned()));
    let fields = data.as_array().into_iter().flatten().filter_map(each).collect();
    let failure = Failure::Refused(Refusal { code, msg, fields, trace });
    // Before it does anything, a server says that there are too many.
    if code == 429 { Tried::Again(failure, false) } else { Tried::Refused(failure) }
}

/// A whole number of an answer.
///
/// # Errors
/// When the answer has none: it is another server's.
pub fn number(answer: &Json, name: &str) -> Result<i64> {
    answer[name].as_i64().ok_or_else(|| Failure::Unreachable(format!("its answer has no `{name}`")))
}

/// A text of an answer.
///
/// # Errors
/// When the answer has none.
pub fn text<'a>(answer: &'a Json, name: &str) -> Result<&'a str> {
    answer[name].as_str().ok_or_else(|| Failure::Unreachable(format!("its answer has no `{name}`")))
}

/// Gone is none; every other failure stays one.
///
/// # Errors
/// Those of the call.
pub fn unless_gone(outcome: Result<Json>) -> Result<Option<Json>> {
    match outcome {
        Ok(record) => Ok(Some(record)),
        Err(failure) if failure.is_gone() => Ok(None),
        Err(failure) => Err(failure),
    }
}

/// A server that answers one call after the other, of these paths with these data, and gives what was sent.
#[cfg(test)]
pub(crate) async fn answering(answers: Vec<(&'static str, Json)>) -> (Api, tokio::task::JoinHandle<Vec<Json>>) {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    let served = tokio::spawn(async move {
        let mut sent = Vec::new();
        for (path, data) in answers {
            let (mut stream, _) = listener.accept().await.expect("a call");
            let (mut call, mut part) = (Vec::new(), [0; 4096]);
            let body = loop {
                let read = stream.read(&mut part).await.expect("a part");
                assert!(read > 0, "a whole call");
                call.extend_from_slice(&part[..read]);
                let text = String::from_utf8_lossy(&call).into_owned();
                let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
                let length =
                    head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
                if body.len() >= length.unwrap_or(0) {
                    assert!(head.split(' ').nth(1).is_some_and(|asked| asked.contains(path)), "{path}: {head}");
                    break body.to_owned();
                }
            };
            sent.push(serde_json::from_str(&body).unwrap_or_default());
            let answer = json!({ "code": 200, "msg": "", "data": data }).to_string();
            let head = format!("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: {}\r\n\r\n", answer.len());
            stream.write_all(format!("{head}{answer}").as_bytes()).await.expect("an answer");
        }
        sent
    });
    let (_, stop) = tokio::sync::watch::channel(false);
    (Api::new(&address, "cjm_t".to_owned(), "t", stop).expect("an address"), served)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_code_of_the_envelope_counts() {
        let body = br#"{"code":422,"msg":"no","data":[{"field":"code","message":"taken"}]}"#;
        let Tried::Refused(Failure::Refused(refusal)) = judged(StatusCode::OK, None, body) else {
            panic!("it is refused")
        };
        assert_eq!((refusal.code, refusal.fields), (422, vec![("code".to_owned(), "taken".to_owned())]));
        let busy = judged(StatusCode::OK, None, br#"{"code":429,"msg":"later","data":null}"#);
        assert!(matches!(busy, Tried::Again(_, false)));
        let well = judged(StatusCode::OK, None, br#"{"code":200,"msg":"","data":{"id":7}}"#);
        assert!(matches!(well, Tried::Answered(data) if data == json!({ "id": 7 })));
    }

    #[test]
    fn what_a_balancer_says_is_tried_again_and_a_slow_save_only_where_that_does_no_harm() {
        let told = |status: u16| before_the_server(StatusCode::from_u16(status).expect("a status"));
        assert_eq!([502, 504, 503, 429].map(told), [Some(true), Some(true), Some(false), Some(false)]);
        assert_eq!([200, 404, 500].map(told), [None, None, None]);
    }

    #[test]
    fn a_page_of_somebody_else_is_no_answer() {
        let page = judged(StatusCode::NOT_FOUND, None, b"<html>not here</html>");
        let Tried::Refused(failure) = page else { panic!("it is refused") };
        // Or every school would look deleted behind a wrong address.
        assert!(!failure.is_gone());
    }

    #[test]
    fn an_address_without_a_host_is_none() {
        let (_, stop) = watch::channel(false);
        for wrong in ["", "school.example.cn", "ftp://a", "/admin"] {
            assert!(Api::new(wrong, String::new(), "t", stop.clone()).is_err(), "{wrong}");
        }
        assert!(
            Api::new("http://127.0.0.1:8080/", String::new(), "t", stop)
                .is_ok_and(|api| api.base == "http://127.0.0.1:8080/admin/apis")
        );
    }

    #[test]
    fn a_password_is_sealed_differently_each_time() {
        use aws_lc_rs::{
            encoding::AsDer,
            rsa::{KeySize, OaepPrivateDecryptingKey, PrivateDecryptingKey},
        };
        let private = PrivateDecryptingKey::generate(KeySize::Rsa2048).expect("a key");
        let der = private.public_key().as_der().expect("SPKI");
        let key = BASE64_STANDARD.encode(der.as_ref());
        let (one, other) = (sealed(&key, "Aa@123456").expect("sealed"), sealed(&key, "Aa@123456").expect("sealed"));
        assert_ne!(one, other);
        let opener = OaepPrivateDecryptingKey::new(private).expect("OAEP");
        let mut room = vec![0; opener.min_output_size()];
        let cipher = BASE64_STANDARD.decode(one).expect("Base64");
        let plain = opener.decrypt(&OAEP_SHA256_MGF1SHA256, &cipher, &mut room, None).expect("opened");
        assert_eq!(plain, b"Aa@123456");
        assert!(sealed("AAAA", "x").is_none() && sealed(&key, &"x".repeat(300)).is_none());
    }
}
