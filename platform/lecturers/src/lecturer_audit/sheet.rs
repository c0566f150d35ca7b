//! What the sheet of applications looks like.

use infra::{
    App, Result, Scope,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use sqlx::PgConnection;

use super::{LecturerAudit, LecturerAuditFilter, LecturerAudits, list::select};
use crate::lecturer::proportion;

impl Export for LecturerAudits {
    type Filter = LecturerAuditFilter;
    type Row = LecturerAudit;
    const KIND: &'static str = "lecturer_audit.export";
    type Permission = super::ExportLecturerAudits;
    const PLAIN: Option<&'static str> = Some("user:pc:lecturer:exportPlain");
    const TITLE: &'static str = "讲师审核";
    const COLUMNS: &'static [Column<LecturerAudit>] = &[
        Column { heading: "姓名", width: 14, cell: |asked| Cell::Text(asked.lecturer_name.clone()) },
        Column { heading: "手机", width: 16, cell: |asked| Cell::Text(asked.phone.clone()) },
        Column { heading: "邮箱", width: 26, cell: |asked| Cell::text(asked.email.clone()) },
        Column { heading: "职位", width: 18, cell: |asked| Cell::text(asked.position.clone()) },
        Column { heading: "分成比例", width: 10, cell: |asked| proportion(asked.lecturer_proportion) },
        Column { heading: "申请时间", width: 20, cell: |asked| Cell::DateTime(asked.created_at) },
        Column { heading: "审核状态", width: 10, cell: |asked| Cell::Text(asked.audit_status.zh().to_owned()) },
        Column { heading: "审核意见", width: 32, cell: |asked| Cell::text(asked.audit_opinion.clone()) },
        Column { heading: "审核人", width: 12, cell: |asked| Cell::text(asked.auditor_name.clone()) },
        Column { heading: "审核时间", width: 20, cell: |asked| Cell::time(asked.audited_at) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &LecturerAuditFilter,
        _scope: &Scope,
    ) -> Result<Rows<'c, LecturerAudit>> {
        Ok(select(connection, None, filter, None))
    }

    fn mask(asked: &mut LecturerAudit) {
        asked.mask();
    }
}
