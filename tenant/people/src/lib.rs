//! People of a school as they sign in to the other clients: students, teachers, site staff, class managers.
//!
//! ```text
//! (no account) ─open_accounts→ initial password ─own password→ own ─reset→ initial
//!              enabled ⇄ disabled          locked ─time, unlock→ open
//! account ─login→ session of the person;  staff ─oneClickLogin→ session as the person, half an hour, read-only
//! ```
//! Teachers, site staff and class managers are kept here; a student stands in the room of the register, which calls the
//! functions here in its own transaction (02 §12.1). Invariants: `password_hash` null means the initial password of the
//! school's rule, so that nothing is hashed when thousands of people are entered (ruling 3); what ends an account ends its
//! sessions in the same transaction.
//!
//! Start reading at [`account`], then [`session`] and [`client`]; [`teacher`] is the model of the people; what they find in
//! their clients: [`menu`].

pub mod account;
pub mod class_manager;
pub mod client;
pub mod demo;
mod form;
pub mod id_card;
pub mod menu;
pub mod one_click;
mod options;
pub mod password;
pub mod person;
pub mod session;
pub mod setting;
pub mod site_staff;
mod steps;
pub mod teacher;
pub mod words;

use infra::{
    Entity, Room,
    room::History,
    transfer::{ByRow, export_job, import_job},
};
use poem_openapi::{OpenApi, Tags};

pub use options::OPTIONS;

#[derive(Tags)]
enum Tag {
    /// people
    #[oai(rename = "people")]
    People,
}

pub const ROOM: Room = Room {
    name: "people",
    permissions: &[teacher::PERMISSIONS, site_staff::PERMISSIONS, class_manager::PERMISSIONS, menu::PERMISSIONS],
    enumerations: &[
        account::OwnerKind::ENUMERATION,
        account::AccountState::ENUMERATION,
        id_card::IdCardType::ENUMERATION,
        id_card::Gender::ENUMERATION,
        words::TeacherEducation::ENUMERATION,
        words::TeacherTitle::ENUMERATION,
        words::TeacherKind::ENUMERATION,
        words::TeacherDuty::ENUMERATION,
        words::SiteStaffDuty::ENUMERATION,
        words::StaffStatus::ENUMERATION,
        menu::ClientKind::ENUMERATION,
        menu::OpenKind::ENUMERATION,
    ],
    entities: &[
        Entity { table: "client_account", name: "客户端账号", counted: "个账号" },
        Entity { table: "teacher", name: "教师", counted: "名教师" },
        Entity { table: "teacher_major", name: "授课专业", counted: "名授课教师" },
        Entity { table: "site_staff", name: "站点人员", counted: "名站点人员" },
        Entity { table: "class_manager", name: "班主任", counted: "名班主任" },
        Entity { table: "class_manager_site", name: "班主任站点", counted: "名班主任" },
        Entity { table: "user_menu", name: "客户端菜单", counted: "个下级菜单" },
    ],
    jobs: &[
        export_job::<teacher::Teachers>(),
        import_job::<teacher::NewTeachers>(),
        import_job::<teacher::UpsertedTeachers>(),
        export_job::<site_staff::SiteStaffs>(),
        import_job::<ByRow<site_staff::SiteStaffSheet>>(),
        export_job::<class_manager::ClassManagers>(),
        import_job::<ByRow<class_manager::ClassManagerSheet>>(),
    ],
    plain: &[teacher::PLAIN, site_staff::PLAIN, class_manager::PLAIN],
    histories: &[
        History { table: "teacher", code: "user:pc:teacher:view", scope: Some(teacher::PLAIN.scope) },
        History { table: "site_staff", code: "user:pc:siteStaff:view", scope: Some(site_staff::PLAIN.scope) },
        History { table: "class_manager", code: "user:pc:classManager:view", scope: Some(class_manager::PLAIN.scope) },
    ],
    params: &[],
    schedules: &[],
};

pub fn api() -> impl OpenApi {
    (
        teacher::Teachers,
        site_staff::SiteStaffs,
        class_manager::ClassManagers,
        class_manager::Appoint,
        menu::ClientMenus,
        client::ClientAccess,
        client::ClientUploads,
    )
}
