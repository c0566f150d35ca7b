//! What learners do with the courses of the operators' site: how far they are, what they say of them and how they score them (01 §9.2,
//! §9.3). Schema `platform`.
//!
//! ```text
//! progress  a beat every half minute → seconds watched, lessons finished, the day's sum
//! figures   of each course: who bought, studied and finished it
//! comment   said → public at once, or after somebody looked     answered by the operator, one of them on top
//! rating    one of each buyer; the course's average follows
//! ```
//! Learners send them under their own name (`client`).

mod client;
pub mod comment;
pub mod demo;
pub mod figures;
pub mod progress;
pub mod rating;

use infra::Module;
use poem_openapi::{OpenApi, Tags};

#[derive(Tags)]
enum Tag {
    /// site_study
    #[oai(rename = "site_study")]
    SiteStudy,
}

pub const MODULE: Module =
    Module { name: "site_study", parts: &[comment::PART, rating::PART, progress::PART, figures::PART] };

/// Every operation of the module.
pub fn api() -> impl OpenApi {
    (comment::Comments, rating::Ratings, progress::SiteProgresses, figures::SiteFigures, client::OwnSiteStudy)
}
