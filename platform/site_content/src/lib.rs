//! What the operator's public site is decorated with (01 §9.1). Schema `platform`, for operators only; visitors read it through
//! [`home`].
//!
//! ```text
//! nav_bar   top advertisement   carousel            of the site on computers, or of the app
//! zone ── zone_item ┄→ courses, exams, blogs, lecturers    of modules whose tables are read
//! zone_school ┄→ schools    home_category ┄→ categories
//! website_nav (columns ── links and articles)   website_link   search_word   sharing_template
//! ```
//!
//! Lists are short and have an order that people give them ([`order`]).

pub mod adv;
mod choice;
pub mod demo;
pub mod filter;
pub mod home;
pub mod home_category;
pub mod nav_bar;
pub mod order;
pub mod removal;
pub mod search_word;
pub mod sharing_template;
pub mod website_link;
pub mod website_nav;
pub mod zone;
pub mod zone_school;

use infra::Module;
use poem_openapi::{OpenApi, Tags};

#[derive(Tags)]
enum Tag {
    /// site_content
    #[oai(rename = "site_content")]
    SiteContent,
}

pub const MODULE: Module = Module {
    name: "site_content",
    parts: &[
        filter::PART,
        nav_bar::PART,
        adv::PART,
        adv::top::PART,
        adv::carousel::PART,
        zone::PART,
        zone::item::PART,
        zone_school::PART,
        home_category::PART,
        website_nav::PART,
        website_link::PART,
        sharing_template::PART,
        search_word::PART,
    ],
};

/// Every operation of the module.
pub fn api() -> impl OpenApi {
    (
        (nav_bar::NavBars, adv::top::TopAdvertisements, adv::carousel::CarouselPictures),
        (zone::SiteZones, zone::item::SiteZoneItems, zone_school::SchoolZones, home_category::HomeCategories),
        (website_nav::FooterNavs, website_link::FriendLinks),
        (sharing_template::PosterTemplates, search_word::SearchWords),
        (home::SiteHomes, search_word::SearchClicks),
    )
}
