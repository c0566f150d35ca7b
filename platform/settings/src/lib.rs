//! What the product knows of the world outside a school: website info, enumerations, dictionaries, divisions, settings of
//! providers, parameters, words that nobody may publish, banners.
//!
//! ```text
//! dictionary   lists without logic, edited by operators            what schools carry is disabled, never deleted
//! param        single values that rules read                       the registry of the rooms + platform.sys_param
//! config       settings with secrets, one default a kind and school → website info, providers
//! sensitive    words → automaton in each server → [`sensitive::screen`], which other rooms call
//! ```
//!
//! Invariant: a secret of a config leaves the server only towards its provider.

pub mod banner;
pub mod caches;
pub mod config;
pub mod demo;
pub mod dictionary;
pub mod media;
pub mod param;
pub mod seed;
pub mod sensitive;
mod website;
mod words;

use infra::{
    Entity, History, Room,
    transfer::{ByRow, export_job, import_job},
};
use poem_openapi::{OpenApi, Tags};

#[derive(Tags)]
enum Tag {
    /// settings
    #[oai(rename = "settings")]
    Settings,
}

pub const ROOM: Room = Room {
    name: "settings",
    permissions: &[
        dictionary::types::PERMISSIONS,
        dictionary::data::PERMISSIONS,
        config::PERMISSIONS,
        param::PERMISSIONS,
        sensitive::words::PERMISSIONS,
        banner::PERMISSIONS,
        media::PERMISSIONS,
        media::UPLOAD_PERMISSIONS,
    ],
    enumerations: &[
        config::ConfigKind::ENUMERATION,
        config::SecretState::ENUMERATION,
        config::kinds::StorageProvider::ENUMERATION,
        config::kinds::SmsProvider::ENUMERATION,
        config::kinds::PushProvider::ENUMERATION,
        config::kinds::MailSecurity::ENUMERATION,
        caches::CacheScope::ENUMERATION,
        param::ParamType::ENUMERATION,
        sensitive::WordCategory::ENUMERATION,
        sensitive::WordAction::ENUMERATION,
        banner::Terminal::ENUMERATION,
        banner::BannerPosition::ENUMERATION,
        banner::LinkTarget::ENUMERATION,
        banner::BannerStanding::ENUMERATION,
        media::MediaChannel::ENUMERATION,
        media::MediaState::ENUMERATION,
    ],
    entities: &[
        Entity { table: "dict_type", name: "字典类型", counted: "个字典类型" },
        Entity { table: "dict_data", name: "字典数据", counted: "条字典数据" },
        Entity { table: "sys_config", name: "系统配置", counted: "个系统配置" },
        Entity { table: "sys_param", name: "参数", counted: "个参数" },
        Entity { table: "sensitive_word", name: "敏感词", counted: "个敏感词" },
        Entity { table: "banner", name: "横幅", counted: "个横幅" },
        Entity { table: "media_asset", name: "音视频", counted: "个音视频" },
    ],
    jobs: &[
        export_job::<dictionary::data::DictWords>(),
        import_job::<ByRow<dictionary::data::DictWords>>(),
        config::VIDEO_SYNC,
    ],
    plain: &[],
    histories: &[
        History { table: "sys_config", code: "system:pc:sys:config:view", scope: None },
        History { table: "banner", code: "system:pc:banner:view", scope: None },
    ],
    params: &[param::PARAMS],
    schedules: &[],
};

pub fn api() -> impl OpenApi {
    (
        (website::Website, words::Words, words::ClientWords, config::Configs, param::ParamConfig),
        (dictionary::types::DictTypes, dictionary::data::DictWords),
        sensitive::words::WordLibrary,
        (banner::Banners, banner::ShownBanners),
        (media::MediaAssets, media::Uploads, media::Callbacks),
    )
}
