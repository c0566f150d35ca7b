//! 字段属性: which fields people fill in at a stage of their way into the school, which of them are required, in which order
//! (02 §1). A school adds fields of its own without a new release.
//!
//! [`attribute`] is what registrars and operators keep; [`stage`] what the modules of the stages ask for. The values that
//! people fill in lie with those modules, which alone write them.

pub mod attribute;
pub mod enums;
pub mod stage;

use infra::Module;
use poem_openapi::{OpenApi, Tags};

#[derive(Tags)]
enum Tag {
    /// field_attributes
    #[oai(rename = "field_attributes")]
    FieldAttributes,
}

pub const MODULE: Module = Module { name: "field_attributes", parts: &[attribute::PART, enums::PART] };

pub fn api() -> impl OpenApi {
    attribute::FieldAttributes
}
