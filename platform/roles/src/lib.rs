//! Roles, the menus and permissions that they give, and those that ship (01 §2).
//!
//! Invariant: nobody gives a role more than they hold themself (`accounts::user::grant`).

pub mod closing;
mod menu;
mod permission;
mod role;
pub mod seed;

use infra::Module;
use poem_openapi::{OpenApi, Tags};

#[derive(Tags)]
enum Tag {
    /// roles
    #[oai(rename = "roles")]
    Roles,
}

pub const MODULE: Module = Module { name: "roles", parts: &[menu::PART, permission::PART, role::PART] };

pub fn api() -> impl OpenApi {
    (menu::Menus, permission::Permissions, role::SysRoles)
}
