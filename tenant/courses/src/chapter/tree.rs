//! The tree of a course as it is shown.

use infra::{
    Result,
    tree::{self, Branch},
};
use poem_openapi::Object;
use sqlx::PgConnection;

use super::form::{Chapter, select};

/// A chapter with the sections below it.
#[derive(Debug, Clone, Object)]
pub struct ChapterNode {
    #[oai(flatten)]
    pub own: Chapter,
    /// 下级章节
    pub children: Vec<ChapterNode>,
}

impl Branch for Chapter {
    fn id(&self) -> i64 {
        self.id
    }

    fn parent_id(&self) -> Option<i64> {
        self.parent_id
    }
}

/// The order of the rows is the order of siblings.
pub(super) async fn of_course(connection: &mut PgConnection, course: i64) -> Result<Vec<ChapterNode>> {
    let all = select(connection, Some(course), None).await?;
    Ok(tree::build_tree(all, |_| true, |own, children| ChapterNode { own, children }))
}
