//! 考生: who sits for an examination, and whether they may (part 04 §2.1, §2.3). What both facades do to candidates stands here.

pub mod list;
mod refresh;
mod write;

use infra::{Entity, History, Part, Result};
use sqlx::PgConnection;

pub use list::{CandidateFilter, CandidateRow};
pub use refresh::{Refreshed, expected, judged_again, refresh};
pub use write::{add, attended, dealt, decide_eligibility, extend, remove, reopen, scored};

pub const PART: Part = Part {
    entities: &[Entity { table: "exam_candidate", name: "考生", counted: "名考生" }],
    histories: &[History {
        table: "exam_candidate",
        code: "exam:pc:online:candidate:list",
        scope: Some((
            "(select y.site_id from student y where y.id = exam_candidate.student_id)",
            Some("(select y.class_id from student y where y.id = exam_candidate.student_id)"),
        )),
    }],
    ..Part::NONE
};

/// Why a refresh takes somebody off; whoever is due again comes back.
pub const LEFT_COURSE: &str = "已退选";
pub const LEFT_SCHOOL: &str = "学籍异动";
pub const NOT_DUE: &str = "不再符合名单条件";

/// The students who may sit for a setup.
///
/// # Errors
/// Those of the database.
pub async fn eligible_of(connection: &mut PgConnection, setup: i64) -> Result<Vec<i64>> {
    Ok(sqlx::query_scalar!(
        "select student_id from exam_candidate where setup_id = $1 and not removed and eligibility = 'eligible' order by student_id",
        setup
    )
    .fetch_all(connection)
    .await?)
}

/// Those who may sit for a setup by now, and could not before.
///
/// # Errors
/// Those of the database.
pub async fn newly_eligible(connection: &mut PgConnection, setup: i64, before: &[i64]) -> Result<Vec<i64>> {
    // Both are in order.
    let now = eligible_of(connection, setup).await?;
    Ok(now.into_iter().filter(|student| before.binary_search(student).is_err()).collect())
}
