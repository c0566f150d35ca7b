//! 异动记录: how a student's status came about (02 §9.1).

use chrono::NaiveDate;
use infra::{Allowed, App, Reply, Result, audit::redacted, clock::Moment, reply};
use poem_openapi::{Object, OpenApi, param::Query};
use serde_json::Value;
use sqlx::PgConnection;

use super::{ViewStudent, find};
use crate::enums::{StatusChangeKind, StudentStatus};

/// A change of status or of a field of the enrolment.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct StudentStatusChange {
    /// 编号
    pub id: i64,
    /// 变动类型
    pub kind: StatusChangeKind,
    /// 原状态
    pub from_status: Option<StudentStatus>,
    /// 新状态
    pub to_status: StudentStatus,
    /// 变动前
    pub before: poem_openapi::types::Any<Value>,
    /// 变动后
    pub after: poem_openapi::types::Any<Value>,
    /// 原因
    pub reason: Option<String>,
    /// 文号
    pub document_no: Option<String>,
    /// 生效日期
    pub effective_on: NaiveDate,
    /// 记录时间
    pub created_at: Moment,
    /// 经办人
    pub created_by_name: String,
}

pub struct History;

#[OpenApi(prefix_path = "/adult/pc/studentRoll", tag = "crate::Tag::StudentStatus")]
impl History {
    /// 学籍异动记录
    #[oai(path = "/history", method = "get", operation_id = "listStudentHistory")]
    async fn history(
        &self,
        caller: Allowed<ViewStudent>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Vec<StudentStatusChange>>> {
        let mut tx = caller.read().await?;
        let student = find(&mut tx, Some(id.0), None, &caller.scope()).await?;
        Ok(reply(of_student(caller.app(), &mut tx, student.id).await?))
    }
}

/// The history of a student, from the entry on.
pub(super) async fn of_student(
    app: &App,
    connection: &mut PgConnection,
    student: i64,
) -> Result<Vec<StudentStatusChange>> {
    let rows = sqlx::query!(
        // A change is filed with the province after its effect, and rows of the history are never written again.
        r#"select h.id as "id!", h.kind as "kind!: StatusChangeKind", h.from_status as "from_status: StudentStatus",
                  h.to_status as "to_status!: StudentStatus", h.before as "before!", h.after as "after!", h.reason,
                  coalesce(h.document_no, c.filing_no) as document_no, h.effective_on as "effective_on!",
                  h.created_at as "created_at!", h.created_by as "created_by!"
           from student_status_change h left join student_change c on c.id = h.change_id
           where h.student_id = $1 order by h.id"#,
        student
    )
    .fetch_all(connection)
    .await?;
    let mut list = Vec::with_capacity(rows.len());
    for row in rows {
        list.push(StudentStatusChange {
            id: row.id,
            kind: row.kind,
            from_status: row.from_status,
            to_status: row.to_status,
            // A correction tells numbers of persons.
            before: poem_openapi::types::Any(redacted("", &row.before)),
            after: poem_openapi::types::Any(redacted("", &row.after)),
            reason: row.reason,
            document_no: row.document_no,
            effective_on: row.effective_on,
            created_at: row.created_at,
            created_by_name: app.account_name(row.created_by).await?,
        });
    }
    Ok(list)
}
