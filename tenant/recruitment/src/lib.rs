//! 招生: from the wish to study to the day on which a student's file is opened (part 02 §2–§8).
//!
//! ```text
//! batch (a window, with majors and sites) ─→ pre_registration pending ─→ approved ─(the province admits)→ admitted
//! ```
//! Start reading at [`batch`], then [`pre_registration`]. Whom the authority admits is told by [`admitting`].

pub mod admitting;
pub mod batch;
pub mod demo;
pub mod pre_registration;
mod privacy;
mod recycle_bin;

use infra::Module;
use people::id_card;
use poem_openapi::{OpenApi, Tags};

pub use recruitment_rules::enums;

#[derive(Tags)]
enum Tag {
    /// recruitment
    #[oai(rename = "recruitment")]
    Recruitment,
}

pub const MODULE: Module = Module {
    name: "recruitment",
    parts: &[batch::PART, pre_registration::PART, privacy::PART, recycle_bin::PART, enums::PART],
};

pub fn api() -> impl OpenApi {
    (batch::api(), pre_registration::api(), recycle_bin::api(), privacy::Privacy)
}
