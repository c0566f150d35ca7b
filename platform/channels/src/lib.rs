//! 渠道: the ways by which messages leave the house, how well each works, how much a school may send, and what the providers
//! tell afterwards (05 D4, D5).
//!
//! ```text
//! way(channel, school) ─► adapter ─► outcomes ─► circuit       receipts ◄── a provider's push
//! ```
//! Nothing here knows a message; deliveries are numbers that the module above keeps.

pub mod channel;
pub mod circuit;
pub mod quota;
pub mod receipts;
pub mod wechat;
pub mod workspace;

pub use channel_rules::enums;
use infra::Module;
use poem_openapi::{OpenApi, Tags};

#[derive(Tags)]
enum Tag {
    /// channels
    #[oai(rename = "channels")]
    Channels,
}

pub const MODULE: Module = Module { name: "channels", parts: &[quota::PART, enums::PART] };

pub fn api() -> impl OpenApi {
    (quota::Quotas, receipts::Callbacks)
}
