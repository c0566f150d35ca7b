//! Sign-in, sessions, accounts, roles, menus, machine tokens.
//!
//! ```text
//! authenticate → signature ─login→ session (platform) ─createSchoolToken→ child session (school) ─leaveSchool→ back
//!                          └schoolLogin→ session (school)
//! ```
//! Invariant: a session's row decides, not its token; what ends a session says so to every server in the same transaction.
//!
//! Start reading at [`sign_in`], then [`entry`]; accounts as people manage them: [`user`]; what each keeps of their own:
//! [`own`], [`machine_token`].

pub mod account;
pub mod closing;
pub mod demo;
mod entry;
pub mod expiry;
pub mod guard;
mod machine_token;
mod me;
mod menu;
mod own;
pub mod password;
mod permission;
mod role;
pub mod seed;
pub mod session;
pub mod sign_in;
mod totp;
pub mod user;

use infra::Room;
use poem_openapi::{OpenApi, Tags};

pub use guard::PER_MINUTE;

#[derive(Tags)]
enum Tag {
    /// accounts
    #[oai(rename = "accounts")]
    Accounts,
}

pub const ROOM: Room = Room {
    name: "accounts",
    parts: &[
        user::PART,
        menu::PART,
        permission::PART,
        role::PART,
        machine_token::PART,
        guard::PART,
        session::PART,
        expiry::PART,
    ],
};

pub fn api() -> impl OpenApi {
    (
        sign_in::SignIn,
        entry::Entry,
        me::Me,
        own::OwnProfiles,
        own::OwnSessions,
        own::OwnInvitations,
        own::TwoFactor,
        machine_token::MachineTokens,
        user::SystemUsers,
        user::SchoolUsers,
        user::SchoolRoles,
        user::SchoolInvitations,
        menu::Menus,
        permission::Permissions,
        role::SysRoles,
    )
}
