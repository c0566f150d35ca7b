//! 消息: what is told to people, by which ways, and whether it arrived (01 §7, 05 D).
//!
//! ```text
//! a module's change ── notify ──► event_outbox ──commit──► dispatch: scene, switches, template ─► msg + msg_delivery
//! a person: msg, send ────────────────────────────────► resolve: recipients in their scope ────► msg_delivery
//!                                                       sender: lease ─► adapter ─► attempt, state, counters
//! an operator's msg ──► handover ──► a msg in each school ──► figures back
//! a provider's push ──► receipts ──► delivered or failed
//! ```
//! Other modules call `scenes::notify` in their own transaction; of here only [`forget`], and [`at_once`] for codes that somebody
//! waits for. [`work::work`] is the loop.
//!
//! Invariant: a person gets a message once by each channel, whatever dies in between (`msg_delivery_once`).

pub mod at_once;
mod audience;
mod contact;
pub mod demo;
mod dispatch;
pub mod enums;
mod forget;
mod handover;
mod import_ended;
pub mod keep;
pub mod msg;
mod receipts;
pub mod recorded;
mod resolve;
mod sender;
mod trial;
pub mod work;

use infra::Module;
use poem_openapi::{OpenApi, Tags};

pub use forget::forget;

#[derive(Tags)]
enum Tag {
    /// messages
    #[oai(rename = "messages")]
    Messages,
}

pub const MODULE: Module = Module {
    name: "messages",
    parts: &[msg::PART, recorded::PART, enums::PART, keep::PART, import_ended::PART, forget::PART],
};

pub fn api() -> impl OpenApi {
    (
        (msg::Messages, msg::Forms, msg::Steps, msg::ListImport),
        (msg::app::AppMessages, msg::persons::PersonMessages, msg::inbox::Inbox, msg::own::OwnInbox),
        (msg::Statistics, msg::readers::Readers, msg::failures::Failures, recorded::RecordedLetters),
        trial::Trials,
    )
}
