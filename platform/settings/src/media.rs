//! 音视频: uploaded to a channel, transcoded there, played with a token for one person (01 §4).
//!
//! ```text
//! upload ─→ begin at the channel ─→ uploading ─(their message, or sync)→ processing → ready │ failed
//!            └ with a file the server forwards it; else the browser sends it with the ticket
//! ```
//! Invariant: nothing that a message says is believed. It only makes us ask the channel, and only when it is signed with the
//! key of the config under which the video was uploaded.

mod adopt;
mod aliyun;
mod asset;
mod baijiayun;
mod callback;
mod channel;
mod live;
mod orphan;
mod polyv;
mod refer;
mod refresh;
mod upload;

use infra::{Entity, Part};

pub use adopt::Adoption;
pub use asset::{MediaAssets, PERMISSIONS, PlayableMedia, play_token, playable, remove, retry};
pub use callback::Callbacks;
pub(crate) use channel::endpoints;
pub use channel::{Endpoints, MediaChannel, MediaState};
pub use live::{ToldChannel, told_channel};
pub(crate) use orphan::look;
pub use refer::{MediaReference, refer};
pub(crate) use refresh::{listen, own_domain, refresh_all};
pub(crate) use setting_rules::sign;
pub use upload::{PERMISSIONS as UPLOAD_PERMISSIONS, Uploads};

pub const PART: Part = Part {
    permissions: &[PERMISSIONS, UPLOAD_PERMISSIONS],
    enumerations: &[MediaChannel::ENUMERATION, MediaState::ENUMERATION],
    entities: &[Entity { table: "media_asset", name: "音视频", counted: "个音视频" }],
    params: &[&[upload::VIDEOS]],
    ..Part::NONE
};
