//! 渠道: the ways by which messages leave the house, how well each works, how much a school may send, and what the providers
//! tell afterwards (05 D4, D5).
//!
//! ```text
//! way(channel, school) ─► adapter ─► outcomes ─► circuit       receipts ◄── a provider's push
//! ```
//! Nothing here knows a message; deliveries are numbers that the room above keeps.

pub mod channel;
pub mod circuit;
pub mod place;
pub mod quota;
pub mod receipts;
pub mod words;

use infra::Room;
use poem_openapi::{OpenApi, Tags};

#[derive(Tags)]
enum Tag {
    /// channels
    #[oai(rename = "channels")]
    Channels,
}

pub const ROOM: Room = Room { name: "channels", parts: &[quota::PART, words::PART] };

pub fn api() -> impl OpenApi {
    (quota::Quotas, receipts::Callbacks)
}
