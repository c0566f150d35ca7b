//! Somebody who calls, and what they are answered.

use openapi::document;
use poem::{Body, Endpoint, Request, http::Method};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::{Server, trail};

/// Somebody who calls.
#[derive(Clone)]
pub struct Client<'s> {
    pub(crate) server: &'s Server,
    pub token: Option<String>,
    pub host: Option<String>,
}

impl<'s> Client<'s> {
    pub fn with_token(&self, token: Option<&str>) -> Client<'s> {
        Client { token: token.map(ToOwned::to_owned), ..self.clone() }
    }

    /// The same person at another server.
    pub fn at<'o>(&self, server: &'o Server) -> Client<'o> {
        Client { server, token: self.token.clone(), host: self.host.clone() }
    }

    pub fn at_host(&self, host: &str) -> Client<'s> {
        Client { host: Some(host.to_owned()), ..self.clone() }
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, &[], Body::empty(), None).await
    }

    pub async fn post(&self, path: &str, body: Value) -> Answer {
        self.json(Method::POST, path, &body).await
    }

    pub async fn put(&self, path: &str, body: Value) -> Answer {
        self.json(Method::PUT, path, &body).await
    }

    pub async fn json(&self, method: Method, path: &str, body: &Value) -> Answer {
        self.send(method, path, &[], Body::from_string(body.to_string()), Some("application/json")).await
    }

    pub async fn with_header(&self, method: Method, path: &str, header: (&str, &str), body: &Value) -> Answer {
        self.send(method, path, &[header], Body::from_string(body.to_string()), Some("application/json")).await
    }

    /// A call without a body.
    pub async fn bare(&self, method: Method, path: &str) -> Answer {
        self.send(method, path, &[], Body::empty(), None).await
    }

    /// A multipart upload of one file.
    pub async fn upload(&self, path: &str, field: &str, name: &str, content_type: &str, bytes: &[u8]) -> Answer {
        self.upload_with(path, &[], field, name, content_type, bytes).await
    }

    /// The same with further fields before the file.
    pub async fn upload_with(
        &self,
        path: &str,
        texts: &[(&str, &str)],
        field: &str,
        name: &str,
        content_type: &str,
        bytes: &[u8],
    ) -> Answer {
        self.send_file(Method::POST, path, texts, (field, name, content_type), bytes).await
    }

    /// The same by another method.
    pub async fn send_file(
        &self,
        method: Method,
        path: &str,
        texts: &[(&str, &str)],
        file: (&str, &str, &str),
        bytes: &[u8],
    ) -> Answer {
        let tries = texts.contains(&("dryRun", "true"));
        self.send_form(method, path, texts, file, bytes, tries).await
    }

    /// The same, of which nobody looks what it leaves in the trail.
    pub async fn send_file_unlooked(
        &self,
        method: Method,
        path: &str,
        texts: &[(&str, &str)],
        file: (&str, &str, &str),
        bytes: &[u8],
    ) -> Answer {
        self.send_form(method, path, texts, file, bytes, true).await
    }

    async fn send_form(
        &self,
        method: Method,
        path: &str,
        texts: &[(&str, &str)],
        (field, name, content_type): (&str, &str, &str),
        bytes: &[u8],
        tries: bool,
    ) -> Answer {
        let boundary = "----boundary-of-a-test";
        let mut body = String::new();
        for (field, text) in texts {
            body += &format!("--{boundary}\r\ncontent-disposition: form-data; name=\"{field}\"\r\n\r\n{text}\r\n");
        }
        body += &format!(
            "--{boundary}\r\ncontent-disposition: form-data; name=\"{field}\"; filename=\"{name}\"\r\ncontent-type: {content_type}\r\n\r\n"
        );
        let mut body = body.into_bytes();
        body.extend_from_slice(bytes);
        body.extend_from_slice(format!("\r\n--{boundary}--\r\n").as_bytes());
        let kind = format!("multipart/form-data; boundary={boundary}");
        self.send_or_try(method, path, &[], Body::from_vec(body), Some(&kind), tries).await
    }

    /// DELETE without a body.
    pub async fn delete(&self, path: &str) -> Answer {
        self.bare(Method::DELETE, path).await
    }

    /// A call of which nobody looks what it leaves in the trail.
    pub async fn unlooked(&self, method: Method, path: &str, body: Option<&Value>) -> Answer {
        let content_type = body.map(|_| "application/json");
        let body = body.map_or_else(Body::empty, |body| Body::from_string(body.to_string()));
        self.send_or_try(method, path, &[], body, content_type, true).await
    }

    /// Any other request, for example a file's signed address; the path is whole.
    pub async fn raw(&self, method: Method, path: &str, content_type: Option<&str>, bytes: Vec<u8>) -> poem::Response {
        let mut request = Request::builder().method(method).uri(path.parse().expect("an address"));
        if let Some(kind) = content_type {
            request = request.header("content-type", kind);
        }
        self.server.endpoint.get_response(request.body(bytes)).await
    }

    /// The same with headers of one's own.
    pub async fn raw_with(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        bytes: Vec<u8>,
    ) -> poem::Response {
        let mut request = Request::builder().method(method).uri(path.parse().expect("an address"));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.server.endpoint.get_response(request.body(bytes)).await
    }

    async fn send(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: Body,
        content_type: Option<&str>,
    ) -> Answer {
        self.send_or_try(method, path, headers, body, content_type, false).await
    }

    /// `tries`: nothing is to be written.
    async fn send_or_try(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: Body,
        content_type: Option<&str>,
        tries: bool,
    ) -> Answer {
        let address = format!("{}{path}", document::BASE);
        let asked = method.clone();
        let mut request = Request::builder().method(method).uri(address.parse().expect("an address"));
        if let Some(token) = &self.token {
            request = request.header("token", token);
        }
        if let Some(kind) = content_type {
            request = request.header("content-type", kind);
        }
        request = request.header("host", self.host.as_deref().unwrap_or("localhost"));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let mut response = self.server.endpoint.get_response(request.body(body)).await;
        let status = response.status().as_u16();
        let file_name =
            response.headers().get("content-disposition").and_then(|v| v.to_str().ok()).map(ToOwned::to_owned);
        let trace = response.headers().get("x-trace-id").and_then(|v| v.to_str().ok()).unwrap_or_default().to_owned();
        let bytes = response.take_body().into_vec().await.expect("a body");
        let body = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
        let answer = Answer { status, body, bytes, file_name, trace };
        // The same save again answers what it answered.
        let repeats = headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("Idempotency-Key"));
        if answer.code() == 200 && !repeats && !tries && trail::is_wanted(&asked, path, &answer) {
            let left = trail::rows(self.server, &answer.trace).await;
            assert!(left > 0, "{asked} {path} left no row in the trail: {}", answer.body);
        }
        answer
    }

    /// authenticate, then login or schoolLogin.
    pub async fn sign_in(&self, login_name: &str, password: &str, call: &str) -> Answer {
        self.challenge(login_name, call).await;
        let cipher = self.server.cipher(password);
        self.post(
            &format!("/system/pc/api/sys/user/{call}"),
            json!({ "loginName": login_name, "loginPassword": cipher }),
        )
        .await
    }

    pub async fn challenge(&self, login_name: &str, call: &str) -> Answer {
        let now = self.server.app.clock().now().timestamp_millis();
        self.challenge_at(login_name, call, now).await
    }

    pub async fn challenge_at(&self, login_name: &str, call: &str, timestamp: i64) -> Answer {
        let [a, b] = self.server.app.random().bytes::<2>();
        let nonce = (u16::from(a) * 256 + u16::from(b)) % 10_000;
        let body = signed(login_name, call, timestamp, nonce);
        self.post("/system/pc/api/sys/user/authenticate", body).await
    }
}

/// What a browser sends to `authenticate`.
pub fn signed(login_name: &str, call: &str, timestamp: i64, nonce: u16) -> Value {
    let digest = Sha256::digest(format!("login{login_name}{timestamp}{nonce}"));
    let sign: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    let stage = match call {
        "login" => "login",
        "client" => "client_login",
        _ => "school_login",
    };
    json!({ "loginName": login_name, "sign": sign, "signatureNonce": nonce, "timestamp": timestamp, "stage": stage })
}

/// What came back.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub body: Value,
    pub bytes: Vec<u8>,
    pub file_name: Option<String>,
    pub trace: String,
}

impl Answer {
    pub fn code(&self) -> i64 {
        self.body["code"].as_i64().unwrap_or(-1)
    }

    pub fn msg(&self) -> &str {
        self.body["msg"].as_str().unwrap_or_default()
    }

    /// The data of a successful answer.
    pub fn data(&self) -> &Value {
        assert_eq!(self.code(), 200, "{}", self.body);
        &self.body["data"]
    }

    pub fn id(&self) -> i64 {
        self.data()["id"].as_i64().expect("an id")
    }

    /// Code and sentence of a refusal.
    pub fn refused(&self) -> (i64, &str) {
        (self.code(), self.msg())
    }
}

/// The wrong fields of a refusal, as `field: message`.
pub fn fields(answer: &Answer) -> Vec<String> {
    assert_eq!(answer.code(), 422, "{}", answer.body);
    let fields = answer.body["data"].as_array().expect("fields");
    fields
        .iter()
        .map(|f| format!("{}: {}", f["field"].as_str().unwrap_or(""), f["message"].as_str().unwrap_or("")))
        .collect()
}

/// A body with some fields more, or others.
pub fn with(mut body: Value, more: Value) -> Value {
    for (field, value) in more.as_object().expect("fields") {
        body[field] = value.clone();
    }
    body
}
