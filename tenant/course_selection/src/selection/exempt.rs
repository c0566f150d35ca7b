//! 免修: a student need not take a course, with what proves it (part 03 B4).

use infra::{Allowed, Body, Change, Error, Reply, Result, Saved, files, reply};
use poem_openapi::{
    Object, OpenApi,
    types::{Any, Example},
};
use serde_json::json;

use super::{ExemptSelection, locked};
use crate::{enums::SelectionStatus, opening::hold_of, score::submitted, tell};

/// Who is exempted, why, and the paper that proves it.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct SelectionExemption {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 原因
    #[oai(validator(min_length = 2, max_length = 200))]
    pub reason: String,
    /// 证明文件
    #[oai(validator(min_length = 1, max_length = 140))]
    pub file_key: String,
}

impl Example for SelectionExemption {
    fn example() -> Self {
        Self {
            id: 1,
            version: 1,
            reason: "自学考试已通过同名课程".to_owned(),
            file_key: "private/2026/03/a.pdf".to_owned(),
        }
    }
}

pub struct Exempt;

#[OpenApi(prefix_path = "/adult/pc/adult/selection", tag = "crate::Tag::CourseSelection")]
impl Exempt {
    /// 免修
    #[oai(path = "/exempt", method = "put", operation_id = "exemptSelection")]
    async fn exempt(
        &self,
        caller: Allowed<ExemptSelection>,
        Body(wanted): Body<SelectionExemption>,
    ) -> Result<Reply<Saved>> {
        let id = wanted.id;
        let mut tx = caller.begin().await?;
        let openings = hold_of(&mut tx, &[id]).await?;
        let before = locked(&mut tx, id, &caller.scope()).await?;
        openings.get(&before.opening_id).ok_or_else(Error::not_found)?.roster_may_change()?;
        allow(before.status, submitted(&mut tx, &[id]).await?.contains(&id))?;
        let file = files::adopt(&mut tx, &wanted.file_key, "course_selection", id).await;
        let file = file.map_err(|error| match error.code {
            422 => Error::field("fileKey", error.msg),
            _ => error,
        })?;
        let by = tx.by();
        let changed = sqlx::query!(
            "update course_selection set status = 'exempted', exempt_reason = $3, exempt_file_id = $4, updated_at = now(),
                    updated_by = $5, version = version + 1
             where id = $1 and version = $2",
            id,
            wanted.version,
            wanted.reason,
            file,
            by
        )
        .execute(&mut *tx)
        .await?;
        if changed.rows_affected() == 0 {
            return Err(tx.stale("course_selection", id).await);
        }
        tell(&mut tx, &[before.student_id], format!("《{}》免修", before.course_name)).await?;
        let from = Any(json!({ "status": before.status.as_str(), "exemptFileId": null }));
        let to = Any(json!({ "status": SelectionStatus::Exempted.as_str(), "exemptFileId": file }));
        let change = Change::edited("course_selection", id, &from, &to);
        tx.commit(change.because(Some(&wanted.reason))).await?;
        Ok(reply(Saved { id }))
    }
}

/// # Errors
/// 409 for who is not in the course, or has its score.
fn allow(status: SelectionStatus, submitted: bool) -> Result<()> {
    match status {
        _ if submitted => Err(Error::conflict("该课程成绩已提交，不能免修")),
        SelectionStatus::Pending | SelectionStatus::Selected => Ok(()),
        SelectionStatus::Dropped | SelectionStatus::Exempted | SelectionStatus::Completed => {
            Err(Error::conflict(format!("该选课为{}，不能免修", status.zh())))
        }
    }
}
