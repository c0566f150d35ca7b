//! Sign-in, sessions, accounts, roles, menus.
//!
//! ```text
//! authenticate → signature ─login→ session (platform) ─createSchoolToken→ child session (school) ─leaveSchool→ back
//!                          └schoolLogin→ session (school)
//! ```
//! Invariant: a session's row decides, not its token; what ends a session says so to every server in the same transaction.
//!
//! Start reading at [`sign_in`], then [`entry`].

pub mod account;
mod entry;
mod guard;
mod me;
pub mod password;
pub mod seed;
pub mod session;
mod sign_in;

use infra::Room;
use poem_openapi::{OpenApi, Tags};

pub use guard::PER_MINUTE;

#[derive(Tags)]
enum Tag {
    /// accounts
    #[oai(rename = "accounts")]
    Accounts,
}

pub const ROOM: Room =
    Room { name: "accounts", permissions: &[], enumerations: &[], entities: &[], jobs: &[], plain: &[] };

pub fn api() -> impl OpenApi {
    (sign_in::SignIn, entry::Entry, me::Me)
}
