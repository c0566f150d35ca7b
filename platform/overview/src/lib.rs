//! 首页: what an operator, or somebody at a school, sees first (01 §11, 05 A7).
//!
//! A school's page counts its own register within the person's data scope. The operators' page adds up one row a school,
//! which the job [`rollup`] writes every ten minutes: no request walks over the schools. What their own online-education site
//! sells and what waits there is counted where it stands ([`site`]). Both remember their figures for five minutes and say when
//! they were computed.
//!
//! Invariants: a block without its code is absent, not zero; a figure with a link equals the total of the list behind it;
//! suspended schools are not counted.

mod dashboard;
mod figures;
mod platform;
mod remembered;
mod rollup;
mod school;
mod shortcut;
mod site;
mod term_figures;

use infra::Module;
use poem_openapi::{OpenApi, Tags};

#[derive(Tags)]
enum Tag {
    /// overview
    #[oai(rename = "overview")]
    Overview,
}

pub const MODULE: Module = Module { name: "overview", parts: &[dashboard::PART, figures::PART, rollup::PART] };

pub fn api() -> impl OpenApi {
    dashboard::Dashboards
}
