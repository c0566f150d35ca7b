//! The logs as people read them: who signed in, who did what, and which fields that changed (01 §6, 05 E1).
//!
//! ```text
//! login_log   sign-in, failure, sign-out, entry into a school        written by accounts and by the check of a request
//! sys_log     each call that changes or exports, and each job        written by infra after the answer
//! audit_log   each record's fields before and after                  written in the transaction of the change
//!     sys_log ─[traceId]→ audit_log of `platform` and of the row's school
//! ```
//! A month of the first two is a table of its own, dropped when it is old ([`keep`]); each day is sealed, so that a change
//! behind the server's back is found ([`seal`]).
//!
//! Invariants: no row of a log is written here. In the school area the school is the claim's; an operator sees the schools they may
//! act for. A list without a span of days does not exist, so that ten million rows cost no more than the span.
//!
//! Start reading at [`login`], then [`operation`].

mod changes;
mod detail;
pub mod keep;
pub mod login;
pub mod operation;
mod reach;
pub mod record;
mod referred;
pub mod seal;

use infra::Module;
use poem_openapi::{OpenApi, Tags};

pub use log_rules::names;

#[derive(Tags)]
enum Tag {
    /// logs
    #[oai(rename = "logs")]
    Logs,
}

pub const MODULE: Module = Module { name: "logs", parts: &[login::PART, operation::PART, seal::PART, keep::PART] };

pub fn api() -> impl OpenApi {
    (login::LoginLogCalls, operation::OperationLogCalls, record::Records, seal::Seals)
}
