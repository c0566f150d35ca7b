//! 广告: pictures at the top of the site ([`top`]) and on its home page ([`carousel`]), for a time each. Both stand in one table, and an
//! operation reaches only those of its own place.
//!
//! ```text
//! waiting ─begins_at→ shown ─ends_at→ ended      switched off: disabled
//! ```

pub mod carousel;
mod form;
mod list;
pub mod top;

use infra::{Entity, History, KindCodes, Part, enumeration};

pub use form::AdvertisementForm;
pub use list::Advertisement;

pub const PART: Part = Part {
    enumerations: &[AdvertisementPlace::ENUMERATION],
    entities: &[Entity { table: "adv", name: "广告", counted: "个广告" }],
    histories: &[History { table: "adv", code: "system:pc:adv:top:view", scope: None }],
    kinds: &[KindCodes {
        table: "adv",
        kind: "select adv_location from platform.adv where id = $1",
        codes: &[
            (AdvertisementPlace::Top.as_str(), "system:pc:adv:top:view"),
            (AdvertisementPlace::Carousel.as_str(), "system:pc:adv:carousel:view"),
        ],
    }],
    ..Part::NONE
};

enumeration! {
    /// 广告位置
    pub enum AdvertisementPlace = "advertisementPlace" {
        Top = "top" "顶部广告",
        Carousel = "carousel" "首页轮播",
    }
}
