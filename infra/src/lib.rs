//! What every module stands on. Knows no word of education.
//!
//! - [`access`]: who may call, and the only way to a transaction; [`client_session`]: people of the clients; [`machine`]: programs that call; [`tx`]: what can be done with it; [`db`]: the four guards
//! - [`across`]: lists over the data of many schools, and steps over rows of several
//! - [`body`], [`reply`], [`error`], [`page`], [`enumeration`], [`rich_text`], [`naming`]: the wire; [`tree`]: rows below one another
//! - [`audit`], [`syslog`]: what is kept of a change and of a call; [`dictionary_usage`]: which rows carry a word
//! - [`sheet`], [`files`], [`jobs`], [`schedule`]: spreadsheets, files, long work; [`transfer`]: exports and imports; [`bulk`]: many rows at once; [`options`]: what selectors offer
//! - [`app`], [`config`], [`clock`], [`keys`], [`notice`], [`params`], [`setting`], [`metrics`]: the running server
//! - [`migrate`]: the schemas; [`mask`], [`money`], [`pinyin`], [`share`]: what lists show and search

pub mod access;
pub mod across;
pub mod among;
pub mod app;
pub mod audit;
pub mod body;
pub mod bulk;
pub mod client_session;
pub mod config;
pub mod db;
pub mod dictionary_usage;
pub mod directory;
pub mod enumeration;
pub mod error;
pub mod files;
pub mod foundation;
pub mod http;
pub mod import_centre;
pub mod job_centre;
pub mod jobs;
pub mod keys;
pub mod link;
pub mod machine;
pub mod metrics;
pub mod module;
pub mod naming;
pub mod network;
pub mod notice;
pub mod options;
pub mod outbound;
pub mod pace;
pub mod page;
pub mod params;
pub mod plain;
pub mod reference;
pub mod release;
mod reorder;
pub mod reply;
pub mod rich_text;
pub mod saved_view;
pub mod schedule;
pub mod session;
pub mod setting;
pub mod steps;
mod syslog;
pub mod token;
pub mod transfer;
pub mod tx;

pub use clock;
pub use migrator as migrate;
pub use sheet;
pub use text::{mask, money, pinyin, share, tree};

pub use access::{Allowed, Client, Customer, Public, Reads, ReadsAlways, SignedIn, Writes, WritesAlways};
pub use app::App;
pub use audit::Change;
pub use body::Body;
pub use bulk::Bulk;
pub use error::{Error, FieldError, OnConstraint, Result};
pub use module::{Entity, History, KeptRows, KindCodes, Module, Part, PermissionEntry, UnmaskedFields};
pub use page::{Order, Page, Paged, Paging, Sorted, Window};
pub use reference::{Reference, Referred, just_referred, unreferred};
pub use reply::{
    BulkFailure, BulkResult, BulkWarning, Edit, EnabledChange, Envelope, Ids, Reply, Saved, Warned, reply,
};
pub use rich_text::RichText;
pub use session::Scope;
pub use tx::{ReadTx, Tx};

#[derive(poem_openapi::Tags)]
enum Tag {
    /// infra
    #[oai(rename = "infra")]
    Infra,
}

/// Uploads and the job centre: what every screen uses.
pub const MODULE: Module = Module {
    name: "infra",
    parts: &[
        across::PART,
        files::PART,
        import_centre::PART,
        job_centre::PART,
        page::PART,
        params::PART,
        saved_view::PART,
        transfer::PART,
    ],
};

pub fn api() -> impl poem_openapi::OpenApi {
    (
        files::Files,
        import_centre::ImportCentre,
        job_centre::JobCentre,
        plain::PlainView,
        options::Options,
        saved_view::SavedViews,
    )
}
