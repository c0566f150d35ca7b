//! Accounts, what each holds, and their sessions, passwords and second steps. How people sign in stands in the module `sign_in`,
//! what roles give in `roles`; both call this one.
//!
//! Invariant: a session's row decides, not its token; what ends a session says so to every server in the same transaction.
//!
//! Start reading at [`user`]: accounts as people manage them.

pub mod account;
pub mod closing;
pub mod demo;
pub mod guard;
pub mod password;
pub mod rights;
pub mod session;
pub mod totp;
pub mod user;

use infra::Module;
use poem_openapi::{OpenApi, Tags};

pub use guard::PER_MINUTE;

#[derive(Tags)]
enum Tag {
    /// accounts
    #[oai(rename = "accounts")]
    Accounts,
}

pub const MODULE: Module = Module { name: "accounts", parts: &[user::PART, guard::PART, session::PART] };

pub fn api() -> impl OpenApi {
    (user::SystemUsers, user::SchoolUsers, user::SchoolRoles, user::SchoolInvitations)
}
