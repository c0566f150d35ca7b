//! Live lessons of the operators' site: the channels that they are given on (01 §9.2). Schema `platform`.
//!
//! Which lesson is on which channel stands with the courses, which refuse two on one channel at one time; this module only looks.

pub mod channel;
pub mod demo;

use infra::Module;
use poem_openapi::{OpenApi, Tags};

#[derive(Tags)]
enum Tag {
    /// live
    #[oai(rename = "live")]
    Live,
}

pub const MODULE: Module = Module { name: "live", parts: &[channel::PART] };

/// Every operation of the module.
pub fn api() -> impl OpenApi {
    channel::LiveChannels
}
