//! What surrounds every operation: request id, address, the envelope for whatever went wrong outside a handler.

use std::{collections::HashMap, net::IpAddr, time::Instant};

use aws_lc_rs::digest;
use poem::{
    Body, Endpoint, IntoResponse, Middleware, Request, Response, Result as PoemResult,
    http::{HeaderMap, StatusCode},
};
use serde_json::Value;
use tracing::Instrument;

use crate::{
    app::App,
    body,
    error::Error,
    syslog::{self, Answered},
    tx::Idempotency,
};

/// The envelope's code, beside the answer, for the log and the metrics.
#[derive(Debug, Clone, Copy)]
pub struct ResultCode(pub i32);

tokio::task_local! {
    static TRACE: String;
}

/// The request's number, as the log knows it; outside a request `-`.
pub fn current_trace() -> String {
    TRACE.try_with(Clone::clone).unwrap_or_else(|_| "-".to_owned())
}

/// What an operator's call over a school's data names beside its own parameters (00 §3, 05 F).
#[derive(Debug, Clone, Copy, Default, serde::Deserialize)]
#[serde(default)]
pub(crate) struct Named {
    /// Whose data are meant.
    #[serde(rename = "schoolId")]
    pub(crate) school: Option<i64>,
    /// Of a list over schools: rows that were created later are left out.
    #[serde(rename = "asOf")]
    pub(crate) until: Option<crate::clock::Moment>,
}

/// What the call of an export wishes of its file, beside the rows.
#[derive(Debug, Clone, Default, serde::Deserialize)]
#[serde(default)]
pub(crate) struct ExportWish {
    /// Headings of the sheet, parted by commas, in the order of the file; none means all.
    pub(crate) columns: Option<String>,
    /// Whole numbers instead of masked ones.
    pub(crate) whole: Option<bool>,
    /// For what the whole numbers are needed.
    pub(crate) reason: Option<String>,
}

/// From where a request came.
#[derive(Debug, Clone, Default)]
pub struct RequestOrigin {
    pub trace_id: String,
    pub ip: String,
    pub host: String,
    pub user_agent: String,
}

impl RequestOrigin {
    pub fn of(request: &Request) -> Self {
        request.extensions().get::<Self>().cloned().unwrap_or_default()
    }

    /// pc, mobile, tablet or mini_program, as the login log knows it.
    pub fn device(&self) -> &'static str {
        let agent = self.user_agent.to_lowercase();
        if agent.contains("miniprogram") {
            "mini_program"
        } else if agent.contains("ipad") || agent.contains("tablet") {
            "tablet"
        } else if agent.contains("mobile") {
            "mobile"
        } else {
            "pc"
        }
    }
}

/// The outermost layer of `/admin/apis`.
#[derive(Clone)]
pub struct RequestLayer {
    app: App,
    declared: &'static Declarations,
}

/// What the document says of each operation, by method and path.
pub struct Declarations(HashMap<(String, String), Declared>);

/// What the document says of an operation.
struct Declared {
    /// In Chinese, for the log.
    title: String,
    /// Names in the query, with their formats; anything else is malformed.
    queries: Vec<(String, Option<String>)>,
    /// Whether an operator names the school that they mean.
    named: bool,
}

impl Declarations {
    /// Of the served OpenAPI document.
    pub fn of(document: &Value) -> Self {
        let mut declared = HashMap::new();
        for (path, operations) in document["paths"].as_object().into_iter().flatten() {
            for (method, operation) in operations.as_object().into_iter().flatten() {
                let queries = operation["parameters"]
                    .as_array()
                    .into_iter()
                    .flatten()
                    .filter(|parameter| parameter["in"] == "query")
                    .filter_map(|parameter| {
                        let format = parameter["schema"]["format"].as_str().map(ToOwned::to_owned);
                        Some((parameter["name"].as_str()?.to_owned(), format))
                    })
                    .collect();
                let title = operation["summary"].as_str().unwrap_or_default().to_owned();
                let named = operation["x-names-school"] == true;
                declared.insert((method.to_uppercase(), path.clone()), Declared { title, queries, named });
            }
        }
        Self(declared)
    }
}

impl RequestLayer {
    pub fn new(app: App, declared: &'static Declarations) -> Self {
        Self { app, declared }
    }
}

impl<E: Endpoint> Middleware<E> for RequestLayer {
    type Output = Surrounded<E>;

    fn transform(&self, inner: E) -> Self::Output {
        Surrounded { inner, around: self.clone() }
    }
}

pub struct Surrounded<E> {
    inner: E,
    around: RequestLayer,
}

impl<E: Endpoint> Endpoint for Surrounded<E> {
    type Output = Response;

    async fn call(&self, mut request: Request) -> PoemResult<Response> {
        let app = self.around.app.clone();
        let trace_id = crate::migrate::hex(&app.random().bytes::<8>());
        let visit = RequestOrigin {
            trace_id: trace_id.clone(),
            ip: address(&app, &request),
            host: host(&request),
            user_agent: request.header("user-agent").unwrap_or_default().chars().take(300).collect(),
        };
        let span =
            tracing::info_span!("request", trace = %trace_id, method = %request.method(), path = request.uri().path());
        request.extensions_mut().insert(visit);
        request.set_data(app.clone());
        let slot = syslog::CallLog::default();
        request.extensions_mut().insert(slot.clone());
        let (method, path) = (request.method().to_string(), request.uri().path().to_owned());
        let title = self.declared(&request).map(|declared| declared.title.as_str());
        let started = Instant::now();
        let answer = TRACE.scope(trace_id.clone(), async {
            let params = match self.prepare(&mut request).await {
                Ok(params) => params,
                Err(error) => return (Value::Null, poem::error::ResponseError::as_response(&error)),
            };
            let response = tokio::select! {
                biased;
                answered = self.inner.call(request) => answered.map_or_else(told, IntoResponse::into_response),
                // A statement of this call may be under way: only the database knows what became of it.
                () = app.db().pulse().silence() => poem::error::ResponseError::as_response(&crate::db::broken_off()),
            };
            (params, response)
        });
        let (params, mut response) = answer.instrument(span).await;
        let code = response.extensions().get::<ResultCode>().map_or(200, |code| code.0);
        let took = started.elapsed();
        app.metrics().request(&method, code, took);
        if code != 200 {
            tracing::debug!(trace = %trace_id, %path, code, "refused");
        }
        slot.send(&app, Answered { method, path, title, code, took, params }).await;
        if let Ok(value) = trace_id.parse() {
            response.headers_mut().insert("x-trace-id", value);
        }
        // Unless the answer says itself how it is kept.
        let kept = poem::http::HeaderValue::from_static("no-store");
        response.headers_mut().entry("cache-control").or_insert(kept);
        Ok(response)
    }
}

impl<E: Endpoint> Surrounded<E> {
    /// Checks the query's names, turns the hidden form of an export into a plain call, reads the idempotency key.
    /// Answers what the log may keep of the parameters.
    async fn prepare(&self, request: &mut Request) -> Result<Value, Error> {
        let path = request.uri().path().to_owned();
        let is_export = request.method() == "POST" && (path.ends_with("/export") || path.ends_with("/download"));
        self.check_query(request, is_export)?;
        if self.declared(request).is_some_and(|declared| declared.named) {
            let named: Named = serde_urlencoded::from_str(request.uri().query().unwrap_or_default())
                .map_err(|_| Error::malformed())?;
            request.extensions_mut().insert(named);
        }
        if is_export {
            let wish: ExportWish = serde_urlencoded::from_str(request.uri().query().unwrap_or_default())
                .map_err(|_| Error::malformed())?;
            request.extensions_mut().insert(wish);
            self.accept_form_token(request).await?;
        }
        let content_type = request.content_type().unwrap_or_default().to_owned();
        let asked = asked(request.uri().query().unwrap_or_default());
        if !content_type.starts_with("application/json") {
            return Ok(if asked.is_empty() { Value::Null } else { Value::Object(asked) });
        }
        let limit = self.around.app.config().limits.json_bytes;
        let bytes = request.take_body().into_bytes_limit(limit).await.map_err(|_| Error::malformed())?;
        if let Some(key) = request.header("idempotency-key") {
            if key.is_empty() || key.len() > 64 {
                return Err(Error::new(400, "请求编号应为1至64个字符"));
            }
            if path.ends_with("/save") {
                let hash = digest::digest(&digest::SHA256, &bytes);
                let wanted =
                    Idempotency { key: key.to_owned(), operation: path.clone(), body_hash: hash.as_ref().to_vec() };
                request.extensions_mut().insert(wanted);
            }
        }
        let params =
            if bytes.len() <= 8192 { serde_json::from_slice(&bytes).unwrap_or(Value::Null) } else { Value::Null };
        request.set_body(Body::from_bytes(bytes));
        Ok(match params {
            Value::Object(mut fields) => {
                fields.extend(asked);
                Value::Object(fields)
            }
            Value::Null if !asked.is_empty() => Value::Object(asked),
            other => other,
        })
    }

    /// Names that the document does not know, and values that no statement can take: text with a NUL, days beyond the
    /// calendar. A body's are told by its own check.
    fn check_query(&self, request: &Request, is_export: bool) -> Result<(), Error> {
        if request.uri().path().contains("%00") {
            return Err(Error::malformed());
        }
        let declared = self.declared(request);
        let Some(query) = request.uri().query() else { return Ok(()) };
        let pairs: Vec<(String, String)> = serde_urlencoded::from_str(query).map_err(|_| Error::malformed())?;
        for (name, value) in pairs {
            let known = declared.and_then(|declared| declared.queries.iter().find(|(known, _)| *known == name));
            if known.is_none() && declared.is_some() && !(is_export && name == "token") {
                return Err(Error::malformed());
            }
            let format = known.and_then(|(_, format)| format.as_deref());
            if !value.is_empty() && body::wrong_text(format, &value).is_some() {
                return Err(Error::malformed());
            }
        }
        Ok(())
    }

    fn declared(&self, request: &Request) -> Option<&Declared> {
        let path = request.uri().path();
        let exact = self.around.declared.0.get(&(request.method().to_string(), path.to_owned()));
        exact.or_else(|| {
            // The only path parameter of the contract is a last segment (`enum/list/{type}`, `options/{type}`).
            let parent = path.rsplit_once('/')?.0;
            self.around.declared.0.get(&(request.method().to_string(), format!("{parent}/{{type}}")))
        })
    }

    /// The hidden-form post of an export carries the token beside the call's JSON text (01 §4.4).
    async fn accept_form_token(&self, request: &mut Request) -> Result<(), Error> {
        if request.content_type().is_some_and(|kind| kind.starts_with("application/x-www-form-urlencoded")) {
            let limit = self.around.app.config().limits.json_bytes;
            let bytes = request.take_body().into_bytes_limit(limit).await.map_err(|_| Error::malformed())?;
            let form: std::collections::HashMap<String, String> =
                serde_urlencoded::from_bytes(&bytes).map_err(|_| Error::malformed())?;
            if let Some(token) = form.get("token").and_then(|token| token.parse().ok()) {
                request.headers_mut().insert("token", token);
            }
            request.headers_mut().insert("content-type", poem::http::HeaderValue::from_static("application/json"));
            request.set_body(form.get("body").cloned().unwrap_or_else(|| "{}".to_owned()));
        }
        if request.header("token").is_none()
            && let Some(query) = request.uri().query()
            && let Some(token) = query.split('&').find_map(|pair| pair.strip_prefix("token="))
            && let Ok(token) = token.parse()
        {
            request.headers_mut().insert("token", token);
        }
        Ok(())
    }
}

/// What a query says, for the log; a token is nobody's business.
fn asked(query: &str) -> serde_json::Map<String, Value> {
    let pairs: Vec<(String, String)> = serde_urlencoded::from_str(query).unwrap_or_default();
    pairs.into_iter().filter(|(name, _)| name != "token").map(|(name, value)| (name, Value::String(value))).collect()
}

/// What went wrong outside a handler (no such path, unreadable JSON, a wrong query type) in the envelope too.
fn told(error: poem::Error) -> Response {
    if error.is_from_response() {
        return error.into_response();
    }
    if let Some(known) = error.downcast_ref::<Error>() {
        return poem::error::ResponseError::as_response(known);
    }
    let status = error.status();
    let told = if status == StatusCode::NOT_FOUND || status == StatusCode::METHOD_NOT_ALLOWED {
        Error::new(404, "请求的接口不存在")
    } else if status == StatusCode::PAYLOAD_TOO_LARGE {
        Error::new(422, "上传的文件过大")
    } else if status.is_client_error() {
        tracing::debug!(%error, "malformed request");
        Error::malformed()
    } else {
        Error::internal(error.to_string())
    };
    let mut response = poem::error::ResponseError::as_response(&told);
    if told.code == 404 {
        response.set_status(StatusCode::NOT_FOUND);
    }
    response
}

/// The client's address; a proxy's word counts only when the proxy is one of ours.
fn address(app: &App, request: &Request) -> String {
    let peer = request.remote_addr().as_socket_addr().map(|address| address.ip());
    let ours = |ip: IpAddr| app.config().server.is_trusted_proxy(ip);
    let told = peer.filter(|peer| ours(*peer)).and_then(|_| forwarded(request.headers(), ours));
    told.or(peer).map_or_else(|| "127.0.0.1".to_owned(), |ip| ip.to_string())
}

/// From whom our proxies heard the request. Each appends whom it heard it from, so that it is the last who is none of ours; what
/// stands before is the client's own word, as is every other header.
fn forwarded(headers: &HeaderMap, ours: impl Fn(IpAddr) -> bool) -> Option<IpAddr> {
    let lines = headers.get_all("x-forwarded-for").iter().filter_map(|line| line.to_str().ok());
    let told: Vec<&str> = lines.flat_map(|line| line.split(',')).map(str::trim).collect();
    let mut nearest = None;
    for ip in told.iter().rev().map_while(|text| text.parse::<IpAddr>().ok()) {
        nearest = Some(ip);
        if !ours(ip) {
            break;
        }
    }
    nearest
}

/// The host that the client asked for. Proxies pass `Host` on; `X-Forwarded-Host` is believed of nobody, as balancers pass a
/// client's own.
fn host(request: &Request) -> String {
    request.header("host").unwrap_or_default().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_does_not_say_who_it_is() {
        let told = |lines: &[&str]| {
            let mut headers = HeaderMap::new();
            headers.insert("x-real-ip", "9.9.9.9".parse().unwrap());
            headers.insert("forwarded", "for=9.9.9.9".parse().unwrap());
            for line in lines {
                headers.append("x-forwarded-for", line.parse().unwrap());
            }
            forwarded(&headers, |ip| ip.to_string().starts_with("10.")).map(|ip| ip.to_string())
        };
        assert_eq!(told(&["203.0.113.7"]).as_deref(), Some("203.0.113.7"));
        assert_eq!(told(&["9.9.9.9, 203.0.113.7"]).as_deref(), Some("203.0.113.7"), "its own word stands before");
        assert_eq!(told(&["9.9.9.9", "203.0.113.7, 10.0.0.2"]).as_deref(), Some("203.0.113.7"), "behind two of ours");
        assert_eq!(told(&["2001:db8::1"]).as_deref(), Some("2001:db8::1"));
        assert_eq!(told(&["10.0.0.3, 10.0.0.2"]).as_deref(), Some("10.0.0.3"), "from inside");
        assert_eq!(told(&["203.0.113.7, unknown"]), None);
        assert_eq!(told(&[]), None);
    }

    #[test]
    fn a_host_is_the_one_that_was_asked_for() {
        let asked = Request::builder().header("host", "WWW.school.cn").header("x-forwarded-host", "ops.cn").finish();
        assert_eq!(host(&asked), "www.school.cn");
        assert_eq!(host(&Request::builder().header("x-forwarded-host", "ops.cn").finish()), "");
    }
}
