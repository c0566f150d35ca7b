//! People of a school as they sign in to the other clients: students, teachers, site staff, class managers.
//!
//! ```text
//! (no account) ─open_accounts→ initial password ─own password→ own ─reset→ initial
//!              enabled ⇄ disabled          locked ─time, unlock→ open
//! account ─login→ session of the person;  staff ─oneClickLogin→ session as the person, half an hour, read-only
//! ```
//! Teachers, site staff and class managers are kept here; a student stands in the module of the register, which calls the
//! functions here in its own transaction (02 §12.1). Invariants: `password_hash` null means the initial password of the
//! school's rule, so that nothing is hashed when thousands of people are entered; what ends an account ends its
//! sessions in the same transaction.
//!
//! Start reading at [`account`], then [`session`] and [`client`]; [`teacher`] is the model of the people; what they find in
//! their clients: [`menu`].

pub mod account;
pub mod class_manager;
pub mod client;
pub mod demo;
pub mod enums;
pub mod id_card;
pub mod menu;
pub mod one_click;
pub mod person;
pub mod session;
pub mod setting;
pub mod site_staff;
mod steps;
pub mod teacher;

use infra::Module;
pub use people_rules::password;
use poem_openapi::{OpenApi, Tags};

#[derive(Tags)]
enum Tag {
    /// people
    #[oai(rename = "people")]
    People,
}

pub const MODULE: Module = Module {
    name: "people",
    parts: &[
        teacher::PART,
        site_staff::PART,
        class_manager::PART,
        menu::PART,
        account::PART,
        setting::PART,
        client::UPLOADS,
        id_card::PART,
        enums::PART,
    ],
};

pub fn api() -> impl OpenApi {
    (
        teacher::Teachers,
        site_staff::SiteStaffs,
        class_manager::ClassManagers,
        class_manager::Appoint,
        class_manager::ClassSheets,
        menu::ClientMenus,
        client::ClientAccess,
        client::ClientUploads,
    )
}
