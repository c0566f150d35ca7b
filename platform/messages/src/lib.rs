//! 消息: what is told to people, by which ways, and whether it arrived (01 §7, 05 D).
//!
//! ```text
//! a room's change ── notify ──► event_outbox ──commit──► dispatch: scene, switches, template ─► msg + msg_delivery
//! a person: msg, send ────────────────────────────────► resolve: recipients in his scope ────► msg_delivery
//!                                                       sender: lease ─► adapter ─► attempt, state, counters
//! an operator's msg ──► handover ──► a msg in each school ──► figures back
//! a provider's push ──► receipts ──► delivered or failed
//! ```
//! Other rooms call [`outbox::notify`] in their own transaction, and nothing else here. [`work::work`] is the loop.
//!
//! Invariant: a person gets a message once by each channel, whatever dies in between (`msg_delivery_once`).

mod audience;
pub mod channel;
mod circuit;
pub mod conf;
pub mod demo;
mod dispatch;
mod handover;
mod html;
pub mod keep;
pub mod msg;
pub mod outbox;
pub mod quota;
mod receipts;
pub mod recorded;
mod resolve;
pub mod scene;
pub mod seed;
mod sender;
pub mod switch;
pub mod template;
pub mod words;
pub mod work;

use infra::{Entity, Room, transfer::export_job};
use poem_openapi::{OpenApi, Tags};

pub use outbox::{Person, PersonKind, Persons, notify};

#[derive(Tags)]
enum Tag {
    /// messages
    #[oai(rename = "messages")]
    Messages,
}

pub const ROOM: Room = Room {
    name: "messages",
    permissions: &[
        msg::PERMISSIONS,
        msg::steps::PERMISSIONS,
        msg::figures::PERMISSIONS,
        msg::readers::PERMISSIONS,
        msg::failures::PERMISSIONS,
        msg::app::PERMISSIONS,
        msg::persons::PERMISSIONS,
        recorded::PERMISSIONS,
        scene::PERMISSIONS,
        conf::PERMISSIONS,
        switch::PERMISSIONS,
        outbox::PERMISSIONS,
        quota::PERMISSIONS,
    ],
    enumerations: &[
        words::Channel::ENUMERATION,
        words::MsgType::ENUMERATION,
        words::MsgStatus::ENUMERATION,
        words::MsgAudience::ENUMERATION,
        words::JumpType::ENUMERATION,
        words::SendMode::ENUMERATION,
        words::DeliveryStatus::ENUMERATION,
        words::FailCode::ENUMERATION,
        words::OutboxStatus::ENUMERATION,
        words::SkipReason::ENUMERATION,
        words::SceneAudience::ENUMERATION,
    ],
    entities: &[
        Entity { table: "msg", name: "消息", counted: "条消息" },
        Entity { table: "msg_list", name: "接收名单", counted: "个接收名单" },
        Entity { table: "msg_delivery", name: "投递", counted: "条投递" },
        Entity { table: "event_outbox", name: "消息事件", counted: "个消息事件" },
        Entity { table: "psd_info", name: "消息场景", counted: "个消息场景" },
        Entity { table: "psd_conf", name: "消息模板", counted: "个消息模板" },
        Entity { table: "msg_quota", name: "消息配额", counted: "个消息配额" },
    ],
    jobs: &[export_job::<msg::readers::Readers>(), export_job::<msg::failures::Failures>(), keep::KIND],
    plain: &[],
    histories: &[],
    params: &[],
    schedules: &[keep::SCHEDULE],
};

pub fn api() -> impl OpenApi {
    (
        (msg::Messages, msg::Forms, msg::Steps, msg::ListImport),
        (msg::app::AppMessages, msg::persons::PersonMessages, msg::inbox::Inbox, msg::own::OwnInbox),
        (msg::Statistics, msg::readers::Readers, msg::failures::Failures, recorded::RecordedLetters),
        (scene::Scenes, conf::Templates, conf::Trials, switch::Switches),
        (outbox::Outbox, quota::Quotas, receipts::Callbacks),
    )
}
