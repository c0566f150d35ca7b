//! The tenants: each school has a row here, a schema and a database role of its own.
//!
//! ```text
//! save ─→ row, first administrator, job ─→ role → schema → migrations → check ─→ ready
//! trial ─→ active ⇄ suspended ─→ archived ─→ deleted (tombstone)
//! ```
//! Invariant: a school that is not ready, or whose schema is behind, is refused by the router before its schema is touched.
//!
//! Start reading at [`school`], then [`provision`]; what a school sets: [`setting`]; how it ends: [`closing`]; for
//! demonstration: [`demo`].

pub mod closing;
pub mod demo;
pub mod nightly;
pub mod provision;
pub mod school;
pub mod setting;
pub mod standing;

use infra::{Entity, Room};
use poem_openapi::{OpenApi, Tags};

#[derive(Tags)]
enum Tag {
    /// schools
    #[oai(rename = "schools")]
    Schools,
}

pub const ROOM: Room = Room {
    name: "schools",
    permissions: &[
        school::PERMISSIONS,
        school::export::PERMISSIONS,
        standing::PERMISSIONS,
        closing::PERMISSIONS,
        setting::PERMISSIONS,
    ],
    enumerations: &[
        school::SchoolStatus::ENUMERATION,
        school::ProvisionState::ENUMERATION,
        school::Expiry::ENUMERATION,
        school::NewSchoolStatus::ENUMERATION,
        setting::SettingGroup::ENUMERATION,
        setting::kind::SettingType::ENUMERATION,
    ],
    entities: &[
        Entity { table: "school", name: "院校", counted: "所院校" },
        Entity { table: "demonstration", name: "演示标记", counted: "个演示标记" },
        Entity { table: "school_setting", name: "院校设置", counted: "项院校设置" },
        Entity { table: "school_setting_default", name: "院校默认设置", counted: "项默认设置" },
    ],
    jobs: &[provision::KIND, closing::EXPORT, closing::DELETE, nightly::EXPIRY],
    plain: &[],
    histories: &[],
    params: &[school::PARAMS, closing::PARAMS],
    schedules: &[nightly::SCHEDULE],
};

pub fn api() -> impl OpenApi {
    (school::Schools, school::SchoolExport, standing::Standing, closing::Closing, setting::Settings)
}
