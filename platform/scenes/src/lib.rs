//! 场景: on which occasions people are told something, in which words and by which channels (01 §7, 05 D1–D3).
//!
//! ```text
//! scene ── template, one a channel ── switch, one a school and channel
//! a module's change ── notify ──► event_outbox ── the modules above make messages of it
//! ```
//! Other modules call [`notify`] in their own transaction. What becomes of an event is written here ([`outbox`]) and decided above.

pub mod client;
pub mod conf;
pub mod enums;
pub mod html;
pub mod outbox;
pub mod scene;
pub mod seed;
pub mod switch;
pub mod template;

use infra::Module;
use poem_openapi::{OpenApi, Tags};

pub use outbox::{Person, PersonKind, Persons, Telling, notify, notify_so};

#[derive(Tags)]
enum Tag {
    /// scenes
    #[oai(rename = "scenes")]
    Scenes,
}

pub const MODULE: Module =
    Module { name: "scenes", parts: &[scene::PART, conf::PART, switch::PART, outbox::PART, enums::PART] };

pub fn api() -> impl OpenApi {
    (scene::Scenes, conf::Templates, switch::Switches, outbox::Outbox)
}
