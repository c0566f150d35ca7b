//! 公众号: the operators' official account at the provider (01 §9.9). Schema `platform`.
//!
//! ```text
//! menu        kept here ─publish→ the provider      ←pull─ what the provider has
//! material    files and articles ⇄ the provider, exchanged by a job
//! auto_reply  keyword, default, subscribe → words or a material
//! callback    what followers do: signed, perhaps sealed, told several times, answered once within five seconds
//! ```
//! Invariants: nothing waits for the provider inside a transaction; a message is answered from our own tables alone; a repetition of
//! what was told changes nothing. The account's access token is that of [`channels::wechat`], which sends template messages with it.

mod account;
pub mod auto_reply;
pub mod callback;
pub mod demo;
pub mod material;
pub mod menu;

use infra::Module;
use poem_openapi::{OpenApi, Tags};

#[derive(Tags)]
enum Tag {
    /// wechat
    #[oai(rename = "wechat")]
    Wechat,
}

pub const MODULE: Module = Module { name: "wechat", parts: &[menu::PART, material::PART, auto_reply::PART] };

/// Every operation of the module.
pub fn api() -> impl OpenApi {
    (menu::GzhMenus, material::GzhMaterials, auto_reply::GzhAutoReplies, callback::GzhCallbacks)
}
