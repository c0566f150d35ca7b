//! The logs as people read them: who signed in, who did what, and which fields that changed (01 §6, 05 E1).
//!
//! ```text
//! login_log   sign-in, failure, sign-out, entry into a school        written by accounts and by the check of a request
//! sys_log     each call that changes or exports, and each job        written by infra after the answer
//! audit_log   each record's fields before and after                  written in the transaction of the change
//!     sys_log ─[traceId]→ audit_log of `platform` and of the row's school
//! ```
//! Invariants: nothing is written here. In the school area the school is the claim's; an operator sees the schools he may
//! act for. A list without a span of days does not exist, so that ten million rows cost no more than the span.
//!
//! Start reading at [`login`], then [`operation`].

mod changes;
mod detail;
pub mod login;
pub mod names;
pub mod operation;
mod reach;
mod span;

use infra::{Room, transfer::export_job};
use poem_openapi::{OpenApi, Tags};

#[derive(Tags)]
enum Tag {
    /// logs
    #[oai(rename = "logs")]
    Logs,
}

pub const ROOM: Room = Room {
    name: "logs",
    permissions: &[
        login::PERMISSIONS,
        operation::system::PERMISSIONS,
        operation::user::PERMISSIONS,
        operation::both::PERMISSIONS,
    ],
    enumerations: &[
        login::LoginIdentity::ENUMERATION,
        login::LoginEvent::ENUMERATION,
        login::LoginResult::ENUMERATION,
        login::LoginDevice::ENUMERATION,
        operation::LogActor::ENUMERATION,
        operation::LogModule::ENUMERATION,
        operation::LogList::ENUMERATION,
    ],
    entities: &[],
    jobs: &[export_job::<login::LoginLogs>(), export_job::<operation::OperationLogs>()],
    plain: &[],
    params: &[],
};

pub fn api() -> impl OpenApi {
    (login::LoginLogCalls, operation::OperationLogCalls)
}
