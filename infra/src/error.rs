//! One error to tell: a code of the wire, a Chinese sentence that says what to do, and perhaps data for the form.
//!
//! Reasons to branch on are small enums beside the step that refuses; they become an [`Error`] at the border.

use std::borrow::Cow;

use poem::{IntoResponse, Response, error::ResponseError, http::StatusCode};
use poem_openapi::{
    ApiResponse, Object,
    registry::{MetaMediaType, MetaResponse, MetaResponses, Registry},
    types::Type,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What a person (or a program) is told instead of an answer. Codes: 00 §4.
#[derive(Debug, Clone, PartialEq)]
pub struct Error {
    pub code: i32,
    pub msg: Cow<'static, str>,
    pub data: Value,
}

/// A field that is not right, for the form to show beside it.
#[derive(Debug, Clone, PartialEq, Eq, Object, Serialize, Deserialize)]
pub struct FieldError {
    /// 字段
    pub field: String,
    /// 说明
    pub message: String,
}

impl Error {
    pub fn new(code: i32, msg: impl Into<Cow<'static, str>>) -> Self {
        Self { code, msg: msg.into(), data: Value::Null }
    }

    #[must_use]
    pub fn with_data(mut self, data: Value) -> Self {
        self.data = data;
        self
    }

    /// 400: the request itself is malformed; a person cannot repair it in a form.
    pub fn malformed() -> Self {
        Self::new(400, "请求参数不正确")
    }

    /// 403: the permission is missing.
    pub fn forbidden() -> Self {
        Self::new(403, "没有操作权限")
    }

    /// 404: no such record, or not in the caller's data scope.
    pub fn not_found() -> Self {
        Self::new(404, "记录不存在或已被删除")
    }

    /// 409: the state of things forbids it now.
    pub fn conflict(msg: impl Into<Cow<'static, str>>) -> Self {
        Self::new(409, msg)
    }

    /// 422 without a field: what was typed is wrong as a whole.
    pub fn refused(why: impl ToString) -> Self {
        Self::new(422, why.to_string())
    }

    /// 422 at one field.
    pub fn field(field: &str, message: impl Into<String>) -> Self {
        Self::fields(vec![FieldError { field: field.to_owned(), message: message.into() }])
    }

    /// 422 at several fields; the first message is also the sentence shown on top.
    pub fn fields(errors: Vec<FieldError>) -> Self {
        let msg = errors.first().map_or_else(|| "请检查填写内容".to_owned(), |error| error.message.clone());
        Self { code: 422, msg: msg.into(), data: json!(errors) }
    }

    /// 429: too many attempts.
    pub fn too_many(msg: impl Into<Cow<'static, str>>) -> Self {
        Self::new(429, msg)
    }

    /// 500, after the cause was logged here, once. The answer carries only the number that finds it in the log.
    pub fn internal(cause: impl std::fmt::Debug) -> Self {
        let trace = crate::http::current_trace();
        tracing::error!(%trace, ?cause, "internal error");
        Self { code: 500, msg: "系统繁忙，请稍后再试".into(), data: json!({ "traceId": trace }) }
    }

    /// 500, because a disk is full: nobody helps by trying again before it has room. The cause was logged here, once.
    pub fn disk_full(cause: impl std::fmt::Debug) -> Self {
        let trace = crate::http::current_trace();
        tracing::error!(%trace, ?cause, "no space is left");
        Self { code: 500, msg: DISK_FULL.into(), data: json!({ "traceId": trace }) }
    }

    /// What a failed step of the file system becomes: [`Error::disk_full`], or else [`Error::internal`].
    pub fn of_disk(cause: impl std::error::Error + 'static) -> Self {
        if store::is_full(&cause) { Self::disk_full(cause) } else { Self::internal(cause) }
    }

    /// The save was made before under the same idempotency key: the same answer again (00 §8).
    pub fn replay(id: i64) -> Self {
        Self { code: 200, msg: "成功".into(), data: json!({ "id": id }) }
    }

    /// The same call was answered before: the same answer again (02 §13).
    pub(crate) fn answered(answer: Value) -> Self {
        Self { code: 200, msg: "成功".into(), data: answer }
    }

    /// Whether somebody else held what was to be changed: the same succeeds when it is tried again.
    pub fn is_busy(&self) -> bool {
        self.code == 409 && self.msg == BUSY
    }

    /// The record's number when this is the replay of an earlier save.
    pub fn replayed(&self) -> Option<i64> {
        (self.code == 200).then(|| self.data["id"].as_i64()).flatten()
    }
}

/// Told when a lock was not to be had in time.
const BUSY: &str = "数据正被他人修改，请稍后再试";

/// For whoever was about to save something: what is wrong, and who can mend it.
pub const DISK_FULL: &str = "服务器磁盘空间不足，本次内容没有保存，请联系系统管理员清理磁盘后重试";

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.code, self.msg)
    }
}

impl std::error::Error for Error {}

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        if crate::db::is_gone(&error) {
            tracing::warn!(trace = %crate::http::current_trace(), %error, "the database went away");
            return crate::db::broken_off();
        }
        match database_code(&error).as_deref() {
            Some("57014") => Self::new(500, "查询时间过长，请缩小范围后重试").with_data(json!({
                "traceId": crate::http::current_trace()
            })),
            // A deadlock or a lock that was not to be had in time: nothing was written, trying again helps.
            Some("40P01" | "40001" | "55P03") => Self::conflict(BUSY),
            Some("53100") => Self::disk_full(error),
            // Text or a number that a column cannot hold: `Body` and the layer around every operation refuse them before.
            // What still comes here is a gap in these checks, and no failure of the server.
            Some(code @ ("22021" | "22P05" | "22007" | "22008" | "22003")) => {
                let trace = crate::http::current_trace();
                tracing::warn!(%trace, code, ?error, "a value that the database cannot hold came to a statement");
                Self::malformed()
            }
            _ => Self::internal(error),
        }
    }
}

impl ResponseError for Error {
    fn status(&self) -> StatusCode {
        match self.code {
            400 => StatusCode::BAD_REQUEST,
            500 => StatusCode::INTERNAL_SERVER_ERROR,
            _ => StatusCode::OK,
        }
    }

    fn as_response(&self) -> Response {
        let body = json!({ "code": self.code, "msg": self.msg, "data": self.data });
        let mut response = poem::web::Json(body).with_status(self.status()).into_response();
        response.extensions_mut().insert(crate::http::ResultCode(self.code));
        response
    }
}

/// What every refusal looks like, for the document.
#[derive(Debug, Clone, Object)]
pub struct Refusal {
    /// 结果码
    pub code: i32,
    /// 提示
    pub msg: String,
    /// 数据
    pub data: poem_openapi::types::Any<Value>,
}

impl ApiResponse for Error {
    fn meta() -> MetaResponses {
        let refusal = |status, description| MetaResponse {
            description,
            status: Some(status),
            status_range: None,
            content: vec![MetaMediaType {
                content_type: "application/json; charset=utf-8",
                schema: Refusal::schema_ref(),
            }],
            headers: vec![],
        };
        MetaResponses { responses: vec![refusal(400, "请求格式不正确"), refusal(500, "系统错误")] }
    }

    fn register(registry: &mut Registry) {
        Refusal::register(registry);
    }
}

fn database_code(error: &sqlx::Error) -> Option<String> {
    error.as_database_error().and_then(|e| e.code()).map(|code| code.into_owned())
}

/// The name of the constraint that refused, also where a sharded table reports it only in the text
/// and with a shard number behind the name (scale-out rule 9).
fn constraint(error: &sqlx::Error) -> Option<String> {
    let error = error.as_database_error()?;
    let name = match error.constraint() {
        Some(name) => name.to_owned(),
        None => error.message().split('"').nth(1)?.to_owned(),
    };
    let without_shard = match name.rsplit_once('_') {
        Some((head, tail)) if !tail.is_empty() && tail.bytes().all(|b| b.is_ascii_digit()) => head.to_owned(),
        _ => name,
    };
    Some(without_shard)
}

/// Turns the name of a violated constraint into what a person is told.
pub trait OnConstraint<T> {
    /// `explain` gets the constraint's name; `None` means that this refusal was not expected and is an internal error.
    fn on_constraint(self, explain: impl FnOnce(&str) -> Option<Error>) -> Result<T>;
}

impl<T> OnConstraint<T> for Result<T, sqlx::Error> {
    fn on_constraint(self, explain: impl FnOnce(&str) -> Option<Error>) -> Result<T> {
        self.map_err(|error| match constraint(&error).and_then(|name| explain(&name)) {
            Some(told) => told,
            None => error.into(),
        })
    }
}

/// Why one row of a bulk step failed, in the words for a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BulkFailureReason(pub String);
