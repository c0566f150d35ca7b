//! 督学: who falls behind in a semester is found every night, has a case, is called and reminded until nothing is left of it (part 05 C).
//!
//! ```text
//! stat_*, tables of all others ─[facts]→ decide ─[scan, each night]→ supervise_case, supervise_flag
//! case ─contact→ following ─(no flag for three days)→ relieved       case ─remind→ event of a scene, at the hours of the school
//! ```
//! Invariants: a student has one case a semester, and one message whatever the number of flags; the same facts scanned twice change
//! nothing; one scan of a school goes on at a time; whose a case is follows the class of its student; contacts are added, never lost.
//! This room writes its own tables alone, and reads those of others.
//!
//! Start reading at `scan.rs`, then `facts.rs` and `decide` of the rules.

mod case;
mod client;
mod contact;
pub mod demo;
mod evidence;
mod facts;
mod remind;
mod rule;
mod scan;
mod setting;
mod sheet;
mod stat;
mod words;

use infra::Module;
use poem_openapi::{OpenApi, Tags};

#[derive(Tags)]
enum Tag {
    /// supervision
    #[oai(rename = "supervision")]
    Supervision,
}

pub const MODULE: Module = Module {
    name: "supervision",
    parts: &[
        supervision_rules::enums::PART,
        setting::PART,
        case::PART,
        contact::PART,
        evidence::PART,
        remind::PART,
        rule::PART,
        scan::PART,
        sheet::PART,
        stat::PART,
    ],
};

pub fn api() -> impl OpenApi {
    (
        (case::Cases, contact::Contacts, contact::ImportContactSheet, scan::Scans, rule::Rules),
        (remind::Reminding, remind::Reminders, stat::Statistics, sheet::Sheets, client::OwnCases),
    )
}
