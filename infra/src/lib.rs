//! What every room stands on. Knows no word of education.
//!
//! - [`access`]: who may call, and the only way to a transaction; [`tx`]: what can be done with it; [`db`]: the four guards
//! - [`body`], [`reply`], [`error`], [`page`], [`enumeration`]: the wire
//! - [`audit`], [`syslog`]: what is kept of a change and of a call; [`carriers`]: which rows carry a word
//! - [`sheet`], [`files`], [`jobs`]: spreadsheets, files, long work; [`transfer`]: exports and imports; [`bulk`]: many rows at once
//! - [`app`], [`config`], [`clock`], [`keys`], [`notice`], [`params`], [`metrics`]: the running server
//! - [`migrate`]: the schemas; [`mask`], [`pinyin`]: what lists show and search

pub mod access;
pub mod app;
pub mod audit;
pub mod body;
pub mod bulk;
pub mod carriers;
pub mod clock;
pub mod config;
pub mod db;
pub mod directory;
pub mod enumeration;
pub mod error;
pub mod files;
pub mod http;
pub mod job_centre;
pub mod jobs;
pub mod keys;
pub mod mask;
pub mod metrics;
pub use migrator as migrate;
pub mod notice;
pub mod page;
pub mod params;
pub mod pinyin;
pub mod plain;
pub mod reply;
pub mod room;
pub mod session;
pub mod sheet;
mod syslog;
pub mod token;
pub mod transfer;
pub mod tx;

pub use access::{Allowed, Public, Reads, ReadsAlways, SignedIn, Writes, WritesAlways};
pub use app::App;
pub use audit::Change;
pub use body::Body;
pub use bulk::Bulk;
pub use error::{Error, FieldError, OnConstraint, Result};
pub use page::{Page, Paging};
pub use reply::{BulkFailure, BulkResult, EnabledChange, Envelope, Ids, Reply, Saved, reply};
pub use room::{Entity, PermissionEntry, Plain, Room};
pub use session::Scope;
pub use tx::{ReadTx, Tx};

#[derive(poem_openapi::Tags)]
enum Tag {
    /// infra
    #[oai(rename = "infra")]
    Infra,
}

/// Uploads and the job centre: what every screen uses.
pub const ROOM: Room = Room {
    name: "infra",
    permissions: &[files::PERMISSIONS, job_centre::PERMISSIONS],
    enumerations: &[job_centre::JobState::ENUMERATION],
    entities: &[],
    jobs: &[],
    plain: &[],
    params: &[params::PARAMS, files::PARAMS],
};

pub fn api() -> impl poem_openapi::OpenApi {
    (files::Files, job_centre::JobCentre, plain::PlainView)
}
