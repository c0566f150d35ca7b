//! Sign-in, sessions, accounts, roles, menus.
//!
//! ```text
//! authenticate → signature ─login→ session (platform) ─createSchoolToken→ child session (school) ─leaveSchool→ back
//!                          └schoolLogin→ session (school)
//! ```
//! Invariant: a session's row decides, not its token; what ends a session says so to every server in the same transaction.
//!
//! Start reading at [`sign_in`], then [`entry`]; accounts as people manage them: [`user`].

pub mod account;
mod entry;
mod guard;
mod me;
mod menu;
pub mod password;
mod permission;
mod role;
pub mod seed;
pub mod session;
mod sign_in;
pub mod user;

use infra::{Entity, Room, transfer::export_job};
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
    permissions: &[
        user::SYSTEM_PERMISSIONS,
        user::SCHOOL_PERMISSIONS,
        menu::PERMISSIONS,
        permission::PERMISSIONS,
        role::PERMISSIONS,
    ],
    enumerations: &[
        user::UserType::ENUMERATION,
        user::SchoolScope::ENUMERATION,
        user::AccountGender::ENUMERATION,
        user::AccountExpiry::ENUMERATION,
        menu::MenuType::ENUMERATION,
        role::RoleKind::ENUMERATION,
        role::DataScope::ENUMERATION,
    ],
    entities: &[
        Entity { table: "sys_user", name: "账号", counted: "个账号" },
        Entity { table: "sys_role", name: "角色", counted: "个角色" },
        Entity { table: "sys_menu", name: "菜单", counted: "个菜单" },
        Entity { table: "sys_permission", name: "权限", counted: "个权限" },
    ],
    jobs: &[export_job::<user::SystemAccounts>(), export_job::<user::SchoolAccounts>(), user::import_job()],
    plain: user::PLAIN,
    params: &[guard::PARAMS, session::PARAMS],
};

pub fn api() -> impl OpenApi {
    (
        sign_in::SignIn,
        entry::Entry,
        me::Me,
        user::SystemUsers,
        user::SchoolUsers,
        user::SchoolRoles,
        menu::Menus,
        permission::Permissions,
        role::SysRoles,
    )
}
