//! Majors: the ministry's catalogues, what a school offers of them, and what it files for the next year.
//!
//! ```text
//! national_major (platform) ─copied→ major ── forecast_major ── its sites
//! ```
//!
//! All who hold the code see them. A school copies code and name of a national major, so that a new edition changes nothing
//! under it. Other modules take from here [`major::by_code`] for imports.

pub mod demo;
pub mod forecast_major;
pub mod major;
pub mod national_major;

use infra::Module;
use poem_openapi::{OpenApi, Tags};

#[derive(Tags)]
enum Tag {
    /// majors
    #[oai(rename = "majors")]
    Majors,
}

pub const MODULE: Module = Module { name: "majors", parts: &[national_major::PART, major::PART, forecast_major::PART] };

pub fn api() -> impl OpenApi {
    (national_major::NationalMajors, national_major::upkeep::Upkeep, major::Majors, forecast_major::api())
}
