//! Sign-in, sessions, accounts, roles, menus, machine tokens.
//!
//! ```text
//! authenticate → signature ─login→ session (platform) ─createSchoolToken→ child session (school) ─leaveSchool→ back
//!                          └schoolLogin→ session (school)
//! ```
//! Invariant: a session's row decides, not its token; what ends a session says so to every server in the same transaction.
//!
//! Start reading at [`sign_in`], then [`entry`]; accounts as people manage them: [`user`]; what each keeps of his own:
//! [`own`], [`machine_token`].

pub mod account;
pub mod closing;
pub mod demo;
mod entry;
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
        machine_token::PERMISSIONS,
    ],
    enumerations: &[
        user::UserType::ENUMERATION,
        user::SchoolScope::ENUMERATION,
        user::AccountGender::ENUMERATION,
        user::AccountExpiry::ENUMERATION,
        user::invitation::InvitationState::ENUMERATION,
        menu::MenuType::ENUMERATION,
        role::RoleKind::ENUMERATION,
        role::DataScope::ENUMERATION,
        machine_token::MachineTokenState::ENUMERATION,
    ],
    entities: &[
        Entity { table: "sys_user", name: "账号", counted: "个账号" },
        Entity { table: "sys_school_invitation", name: "院校邀请", counted: "个院校邀请" },
        Entity { table: "sys_role", name: "角色", counted: "个角色" },
        Entity { table: "sys_menu", name: "菜单", counted: "个菜单" },
        Entity { table: "sys_permission", name: "权限", counted: "个权限" },
        Entity { table: "sys_machine_token", name: "机器令牌", counted: "个机器令牌" },
    ],
    jobs: &[export_job::<user::SystemAccounts>(), export_job::<user::SchoolAccounts>(), user::import_job()],
    plain: user::PLAIN,
    histories: &[],
    params: &[guard::PARAMS, session::PARAMS],
    schedules: &[],
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
