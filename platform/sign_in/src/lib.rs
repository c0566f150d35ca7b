//! Proving who one is: people by password and second step, programs by machine tokens; into a school and back; one's own
//! account (01 §1).
//!
//! ```text
//! authenticate → signature ─login→ session (platform) ─createSchoolToken→ child session (school) ─leaveSchool→ back
//!                          └schoolLogin→ session (school)
//! ```
//! Start reading at [`sign_in`], then `entry`; what each keeps of their own: `own`, [`machine_token`].

pub mod expiry;
pub mod machine_token;
mod me;
mod own;
mod school_entry;
pub mod sign_in;

use infra::Module;
use poem_openapi::{OpenApi, Tags};

#[derive(Tags)]
enum Tag {
    /// sign_in
    #[oai(rename = "sign_in")]
    SignIn,
}

pub const MODULE: Module = Module { name: "sign_in", parts: &[machine_token::PART, expiry::PART] };

pub fn api() -> impl OpenApi {
    (
        sign_in::SignIn,
        school_entry::Entry,
        me::Me,
        own::OwnProfiles,
        own::OwnSessions,
        own::OwnInvitations,
        own::TwoFactor,
        machine_token::MachineTokens,
    )
}
