//! What the sheet of versions looks like.

use futures_util::TryStreamExt;
use infra::{
    App, Result, Scope,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use sqlx::PgConnection;

use super::{QuizAudit, QuizAuditFilter, QuizAudits, select::select};

impl Export for QuizAudits {
    type Filter = QuizAuditFilter;
    type Row = QuizAudit;
    const KIND: &'static str = "quiz_audit.export";
    type Permission = super::ExportQuizAudits;
    const TITLE: &'static str = "试卷审核";
    const COLUMNS: &'static [Column<QuizAudit>] = &[
        Column { heading: "试卷名称", width: 32, cell: |version| Cell::Text(version.exam_name.clone()) },
        Column { heading: "讲师", width: 12, cell: |version| Cell::text(version.lecturer_name.clone()) },
        Column { heading: "提交人", width: 12, cell: |version| Cell::text(version.submitter_name.clone()) },
        Column { heading: "提交时间", width: 20, cell: |version| Cell::DateTime(version.submitted_at) },
        Column { heading: "变更项", width: 32, cell: |version| Cell::Text(version.changes.join("、")) },
        Column { heading: "审核状态", width: 10, cell: |version| Cell::Text(version.audit_status.zh().to_owned()) },
        Column { heading: "审核意见", width: 32, cell: |version| Cell::text(version.audit_opinion.clone()) },
        Column { heading: "审核人", width: 12, cell: |version| Cell::text(version.auditor_name.clone()) },
        Column { heading: "审核时间", width: 20, cell: |version| Cell::time(version.audited_at) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &QuizAuditFilter,
        _scope: &Scope,
    ) -> Result<Rows<'c, QuizAudit>> {
        Ok(Box::pin(select(connection, None, filter, None).map_ok(QuizAudit::from)))
    }
}
