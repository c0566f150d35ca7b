//! The register of students: who is enrolled where, in which status, and with which account.
//!
//! ```text
//! pending_registration ─→ registered ⇄ suspended
//! pending_registration, registered, suspended ─→ withdrawn          registered ─→ transferred_out
//! registered, suspended ─→ expired ─→ withdrawn
//! registered, expired ─→ graduated │ completed │ incomplete ─(revoked)→ as before        completed ─→ graduated
//! ```
//! A student comes into the register by [`student::enrol::enrol`] alone: the row, the first rows of the history and, when
//! there is a number to sign in with, the account, in one transaction. 新增, 导入, the demo and [`student::arrival`], which is the
//! report of a registration, call it with what [`student_status_rules::check::check`] let pass.
//!
//! Invariants: only this module writes a status, and each change leaves a row in `student_status_change`; key fields change
//! by no form (02 §0.4), but by [`student::correct::correct`] and [`student::transfer::execute`] with what was approved; a class
//! is left and taken by [`division`] and those; every list, count and export looks through [`register`], which holds the data scope; the sheet of one class
//! goes by the scope of the class.
//!
//! Start reading at [`student`], then [`student_status_rules::check`].

pub mod account;
pub mod album;
mod class_ending;
pub mod demo;
mod division;
pub mod nightly;
mod register;
pub mod roster;
pub mod student;

use infra::Module;
pub use people::id_card;
use poem_openapi::{OpenApi, Tags};
pub use student_status_rules::{enums, keyword};

#[derive(Tags)]
enum Tag {
    /// student_status
    #[oai(rename = "student_status")]
    StudentStatus,
}

pub const MODULE: Module = Module {
    name: "student_status",
    parts: &[student::PART, account::PART, class_ending::PART, division::PART, roster::PART, enums::PART],
};

pub fn api() -> impl OpenApi {
    (student::api(), account::api(), division::api(), roster::Roster)
}
