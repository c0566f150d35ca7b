//! What the product knows of the world outside a school: website info, enumerations, dictionaries, divisions.

pub mod seed;
mod website;
mod words;

use infra::Room;
use poem_openapi::{OpenApi, Tags};

#[derive(Tags)]
enum Tag {
    /// settings
    #[oai(rename = "settings")]
    Settings,
}

pub const ROOM: Room =
    Room { name: "settings", permissions: &[], enumerations: &[], entities: &[], jobs: &[], plain: &[] };

pub fn api() -> impl OpenApi {
    (website::Website, words::Words)
}
