//! What the product knows of the world outside a school: website info, enumerations, dictionaries, divisions, settings of
//! providers, parameters, words that nobody may publish, banners.
//!
//! ```text
//! dictionary   lists without logic, edited by operators            what schools carry is disabled, never deleted
//! param        single values that rules read                       the registry of the modules + platform.sys_param
//! config       settings with secrets, one default a kind and school → website info, providers
//! sensitive    words → automaton in each server → [`sensitive::screen`], which other modules call
//! ```
//!
//! Invariant: a secret of a config leaves the server only towards its provider.

pub mod banner;
pub mod caches;
pub mod config;
pub mod demo;
pub mod dictionary;
mod enums;
pub mod media;
pub mod param;
pub mod pay_channel;
pub mod seed;
pub mod sensitive;
pub mod website;

use infra::Module;
use poem_openapi::{OpenApi, Tags};

#[derive(Tags)]
enum Tag {
    /// settings
    #[oai(rename = "settings")]
    Settings,
}

pub const MODULE: Module = Module {
    name: "settings",
    parts: &[
        dictionary::PART,
        config::PART,
        pay_channel::PART,
        param::PART,
        sensitive::PART,
        banner::PART,
        media::PART,
        caches::PART,
        enums::PART,
    ],
};

pub fn api() -> impl OpenApi {
    (
        (website::Website, enums::Words, enums::ClientWords, config::Configs, param::ParamConfig),
        (dictionary::types::DictTypes, dictionary::data::DictWords),
        (sensitive::words::WordLibrary, pay_channel::PayChannels),
        (banner::Banners, banner::ShownBanners),
        (media::MediaAssets, media::Uploads, media::Callbacks),
    )
}
