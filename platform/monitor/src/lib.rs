//! 数据库监控: is the database well, and which school, statement or session is the reason when it is not (01 §6.2).
//!
//! Everything is read from PostgreSQL's own views and from this server's pools. Nothing here shows a value of a
//! statement, a host or a credential.
//!
//! Start reading at [`Monitor`].

mod druid;
mod jobs;
mod overview;
mod schools;
mod sessions;
mod statements;

use infra::Module;
use poem_openapi::{OpenApi, Tags};

pub use druid::Monitor;

#[derive(Tags)]
enum Tag {
    /// monitor
    #[oai(rename = "monitor")]
    Monitor,
}

pub const MODULE: Module = Module { name: "monitor", parts: &[druid::PART, jobs::PART, statements::PART] };

pub fn api() -> impl OpenApi {
    Monitor
}
