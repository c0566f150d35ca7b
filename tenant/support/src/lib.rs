//! 帮助中心: what students, teachers, site staff and school staff are told where they work, and what they ask (part 05 B).
//!
//! ```text
//! article   draft ─publish→ published ─offline→ offline       an edit is a draft beside what readers see
//! question  waiting ⇄ replied ─→ closed                       of a school's people in the school, of its staff to the operators
//! reader    the platform's articles for the school, but what it hides, and the school's own ─[catalog]→ one list
//! ```
//! The operators write in `platform`, each school in its own schema; both have the same tables, and the same statements serve both.
//! Each audience has operations and codes of its own ([`desk`]); what they do is the same code. Invariants: readers see what was
//! published last, never what is being written; a school changes nothing of the platform's articles but whether its people see them;
//! what staff of one school ask the operators is seen by no other.
//!
//! Start reading at [`article`], then [`question`] and [`reading`].

mod article;
mod author;
mod category;
pub mod demo;
mod desk;
mod due;
mod files;
mod jobs;
mod question;
mod reading;
mod source;
mod statistics;

use infra::{
    Module,
    access::{MayWrite, Mode},
    clients,
    setting::{Setting, Settings},
};
use poem_openapi::{OpenApi, Tags};

#[derive(Tags)]
enum Tag {
    /// support
    #[oai(rename = "support")]
    Support,
}

pub const MODULE: Module = Module {
    name: "support",
    parts: &[
        category::PART,
        article::PART,
        question::PART,
        desk::student::PART,
        desk::teacher::PART,
        desk::site::PART,
        desk::school::PART,
        files::PART,
        jobs::PART,
        reading::PART,
    ],
};

pub fn api() -> impl OpenApi {
    (
        (desk::student::api(), desk::teacher::api()),
        (desk::site::api(), desk::school::api()),
        (reading::console::Reading, reading::client::OwnReading, question::own::OwnQuestions),
    )
}

clients! {
    /// Students, teachers with class managers, people of sites.
    pub HelpClient = "student", "teacher", "site";
}

/// What somebody asks and says in their own name, which nobody does for them.
#[derive(Debug)]
pub enum WritesOwn {}
impl Mode for WritesOwn {
    const WRITES: bool = true;
    const IN_PERSON: Option<&'static str> = Some("代登录只能查看，不能代为咨询和评价");
}
impl MayWrite for WritesOwn {}

/// Whether a school's own articles stand before the platform's (01 §13).
const OWN_FIRST: Setting =
    Setting::yes_no("schoolArticlesFirst", "优先显示本校文章", true, "帮助中心同一分类中，置顶文章之后先显示本校文章");
/// Whether people of the school may ask (01 §13).
const QUESTION_OPEN: Setting =
    Setting::yes_no("questionOpen", "允许提问", true, "关闭后学生、教师和站点人员不能新提咨询");

const SETTINGS: Settings = Settings { group: "support", settings: &[OWN_FIRST, QUESTION_OPEN] };
