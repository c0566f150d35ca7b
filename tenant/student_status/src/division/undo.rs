//! 撤销分班: within a day the students of an automatic division go back to where they were: without a class.

use infra::{Allowed, Body, BulkFailure, BulkResult, Error, Reply, Result, reply};
use poem_openapi::{Object, OpenApi, types::Example};
use student_status_rules::{check::NOT_YOURS, division::seatable};

use super::{DivideStudents, Move, SCORED, scored, seat};
use crate::enums::StudentStatus;

/// Which division.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct DivisionUndo {
    /// 方案摘要
    #[oai(validator(min_length = 64, max_length = 64))]
    pub plan_hash: String,
}

impl Example for DivisionUndo {
    fn example() -> Self {
        Self { plan_hash: "0".repeat(64) }
    }
}

pub struct Undo;

#[OpenApi(prefix_path = "/user/pc/student", tag = "crate::Tag::StudentStatus")]
impl Undo {
    /// 撤销分班
    /// 24小时内可撤销；已离开所分班级的学生保持不变，新建的班级保留
    #[oai(path = "/divide/undo", method = "put", operation_id = "undoDivision")]
    async fn undo(
        &self,
        caller: Allowed<DivideStudents>,
        Body(wanted): Body<DivisionUndo>,
    ) -> Result<Reply<BulkResult>> {
        let scope = caller.scope();
        let mut tx = caller.begin_long().await?;
        let today = tx.app().clock().today();
        // The same plan may have been carried out, undone and carried out again: only a student's last move counts.
        // By kind and day the index leads to the few rows that may carry the hash.
        let rows = sqlx::query!(
            r#"select s.id, s.name, s.status as "status: StudentStatus", s.site_id, s.class_id,
                      case when h.by_plan then h.given end as given
               from (select distinct on (student_id) student_id, (after ->> 'classId')::bigint as given,
                            coalesce(after ->> 'planHash' = $1, false) as by_plan,
                            bool_or(after ->> 'planHash' = $1) over (partition by student_id) as divided
                     from student_status_change
                     where kind = 'class_change' and effective_on >= $2::date - 1
                       and created_at > now() - interval '24 hours'
                     order by student_id, id desc) h
               join student s on s.id = h.student_id
               where h.divided
               order by s.id for update of s"#,
            wanted.plan_hash,
            today
        )
        .fetch_all(&mut *tx)
        .await?;
        if rows.is_empty() {
            return Err(Error::conflict("24小时内没有这次分班，不能撤销"));
        }
        let scored = scored(&mut tx, &rows.iter().map(|row| row.id).collect::<Vec<_>>()).await?;
        let (mut moves, mut failed) = (Vec::new(), Vec::new());
        for row in rows {
            if !scope.sees(Some(row.site_id), row.class_id) {
                failed.push(BulkFailure { id: row.id, name: String::new(), msg: NOT_YOURS.to_owned() });
            } else if row.given.is_none() || row.class_id != row.given {
                failed
                    .push(BulkFailure { id: row.id, name: row.name, msg: "该生已不在所分的班级".to_owned() });
            } else if let Err(msg) = seatable(row.status) {
                failed.push(BulkFailure { id: row.id, name: row.name, msg });
            } else if scored.contains(&row.id) {
                failed.push(BulkFailure { id: row.id, name: row.name, msg: SCORED.to_owned() });
            } else {
                moves.push(Move { student_id: row.id, from: row.class_id, to: None });
            }
        }
        let done = i64::try_from(moves.len()).map_err(Error::internal)?;
        let changes = seat(&mut tx, &moves, None).await?;
        tx.commit_all(changes).await?;
        Ok(reply(BulkResult { done, failed }))
    }
}
