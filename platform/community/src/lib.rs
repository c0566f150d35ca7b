//! The community of the operators' site: what learners write, ask and answer there, and what operators make of it (01 §9.8). Schema
//! `platform`.
//!
//! ```text
//! blog          written → approved │ pending ─audit→ approved │ rejected      on the shelf ⇄ off it; on top, recommended
//! question      asked → the same                       answered, one answer accepted; closed: no more answers
//! label         of blogs or of questions; several fall together in one
//! blogger       whoever wrote a blog; switched off, none of their blogs is seen
//! certificate   asked for → approved ─revoked         approved and within its time: a badge
//! zone, recommend                                     what the site shows before others
//! ```
//! Invariants: what waits, was rejected, is off the shelf or of a blogger who is switched off is seen by nobody on the site and
//! stays here; what is used by a zone or a recommendation is not deleted. Words of the library are looked for before anything is kept.
//!
//! Start reading at [`blog`], then [`client`].

pub mod blog;
pub mod blogger;
pub mod certificate;
pub mod client;
pub mod demo;
pub mod label;
pub mod question;
pub mod recommend;
mod screening;
pub mod zone;

use community_rules::enums::{CommentRef, CommunityStatus, Showing};
use infra::{
    Module, Part,
    params::{BoolParam, Param},
};
use poem_openapi::{OpenApi, Tags};

#[derive(Tags)]
enum Tag {
    /// community
    #[oai(rename = "community")]
    Community,
}

/// Whether blogs and questions wait before others see them. Comments and answers follow the param of those on courses.
const PRE_AUDIT: BoolParam = BoolParam { code: "community.preAudit", default: true };

const PARAMS: &[Param] = &[PRE_AUDIT.entry("博客问答先审后发", "评论")];

/// What the entities share.
const PART: Part = Part {
    enumerations: &[CommunityStatus::ENUMERATION, Showing::ENUMERATION, CommentRef::ENUMERATION],
    params: &[PARAMS],
    ..Part::NONE
};

pub const MODULE: Module = Module {
    name: "community",
    parts: &[
        PART,
        blog::PART,
        label::PART,
        question::PART,
        blogger::PART,
        zone::PART,
        zone::item::PART,
        recommend::PART,
        certificate::PART,
    ],
};

/// Every operation of the module.
pub fn api() -> impl OpenApi {
    (
        (blog::Blogs, blog::comment::BlogComments, label::CommunityLabels),
        (question::CommunityQuestions, question::answer::CommunityAnswers),
        (blogger::Bloggers, certificate::CommunityCertificates),
        (zone::ArticleZones, zone::item::ArticleZoneItems, recommend::CommunityRecommends),
        client::OwnCommunity,
    )
}
