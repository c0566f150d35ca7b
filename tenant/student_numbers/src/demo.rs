//! The rules of a demonstration school: one for all grades, and a former one that is switched off. The students that it
//! begins with have numbers of their own.

use infra::{Result, Tx};
use poem_openapi::types::ToJSON;

use crate::rule::{SegmentKind, StudentNoSegment};

/// Writes the rules.
///
/// # Errors
/// Only internal ones.
pub async fn fill(tx: &mut Tx) -> Result<()> {
    let segment = |kind, length| StudentNoSegment { kind, text: None, length: Some(length), values: Vec::new() };
    let now = vec![segment(SegmentKind::GradeYear, 4), segment(SegmentKind::Seq, 6)];
    let former =
        vec![segment(SegmentKind::GradeYear, 2), segment(SegmentKind::Season, 1), segment(SegmentKind::Seq, 5)];
    for (name, segments, enabled) in [("统一学号", now, true), ("2023级以前", former, false)] {
        sqlx::query!(
            "insert into student_no_rule (name, all_grades, segments, sort_by, enabled, created_by, updated_by)
             values ($1, true, $2, 'examinee_no', $3, 0, 0)",
            name,
            segments.to_json(),
            enabled
        )
        .execute(&mut **tx)
        .await?;
    }
    Ok(())
}
