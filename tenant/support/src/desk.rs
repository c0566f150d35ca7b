//! The desks at which the help of an audience is written and its questions are answered: the same operations, each audience's under
//! paths and codes of its own (part 05 B5, B6). They name who may do what; what is done stands in [`crate::article`],
//! [`crate::category`], [`crate::question`] and [`crate::statistics`].

pub mod school;
pub mod site;
pub mod student;
pub mod teacher;

use infra::access::Permission;
use poem_openapi::{Object, types::Example};
use support_rules::enums::{SupportAudience, SupportPart};

use crate::{article::HelpArticleFilter, question::HelpQuestionFilter};

/// What tells one desk from another.
pub(crate) trait Desk: Send + Sync + 'static {
    const AUDIENCE: SupportAudience;
    /// Names its file of articles.
    const TITLE: &'static str;
    /// The same of questions.
    const QUESTIONS_TITLE: &'static str;
    /// The kinds of the jobs that make them.
    const ARTICLES: &'static str;
    const QUESTIONS: &'static str;
    type Export: Permission;
    /// Who sees the questions.
    type List: Permission;
    /// Who answers them.
    type Reply: Permission;
}

/// The code of whoever answers the questions of an audience.
pub(crate) const fn reply_code(audience: SupportAudience) -> &'static str {
    match audience {
        SupportAudience::Student => <<student::StudentDesk as Desk>::Reply as Permission>::CODE,
        SupportAudience::Teacher => <<teacher::TeacherDesk as Desk>::Reply as Permission>::CODE,
        SupportAudience::Site => <<site::SiteDesk as Desk>::Reply as Permission>::CODE,
        SupportAudience::School => <<school::SchoolDesk as Desk>::Reply as Permission>::CODE,
    }
}

/// What is exported.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct HelpExport {
    /// 导出内容
    pub part: SupportPart,
    /// 文章的条件
    pub articles: Option<HelpArticleFilter>,
    /// 咨询的条件
    pub questions: Option<HelpQuestionFilter>,
}

impl Example for HelpExport {
    fn example() -> Self {
        Self { part: SupportPart::Articles, articles: None, questions: None }
    }
}
