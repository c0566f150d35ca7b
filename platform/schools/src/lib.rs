//! The tenants: each school has a row here, a schema and a database role of its own.
//!
//! ```text
//! save ─→ row, first administrator, job ─→ role → schema → migrations → check ─→ ready
//! trial ─→ active ⇄ suspended
//! ```
//! Invariant: a school that is not ready, or whose schema is behind, is refused by the router before its schema is touched.
//!
//! Start reading at [`school`], then [`provision`].

pub mod provision;
pub mod school;
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
    permissions: &[school::PERMISSIONS, standing::PERMISSIONS],
    enumerations: &[
        school::SchoolStatus::ENUMERATION,
        school::ProvisionState::ENUMERATION,
        school::Expiry::ENUMERATION,
        school::NewSchoolStatus::ENUMERATION,
    ],
    entities: &[Entity { table: "school", name: "院校", counted: "所院校" }],
    jobs: &[provision::KIND],
    plain: &[],
    params: &[school::PARAMS],
};

pub fn api() -> impl OpenApi {
    (school::Schools, standing::Standing)
}
