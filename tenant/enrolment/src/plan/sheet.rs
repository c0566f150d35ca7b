//! What the export of plans looks like.

use infra::{
    App, Result, Scope,
    across::Keyed,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use sqlx::PgConnection;

use super::{SiteEnrollment, SiteEnrollmentFilter, SiteEnrollments};

impl Export for SiteEnrollments {
    type Filter = SiteEnrollmentFilter;
    type Row = SiteEnrollment;
    const KIND: &'static str = "site_enrollment.export";
    type Permission = super::ExportSiteEnrollments;
    const TITLE: &'static str = "站点招生";
    const COLUMNS: &'static [Column<SiteEnrollment>] = &[
        Column { heading: "批次", width: 28, cell: |row| Cell::Text(row.batch_name.clone()) },
        Column { heading: "站点编码", width: 12, cell: |row| Cell::Text(row.site_code.clone()) },
        Column { heading: "站点", width: 24, cell: |row| Cell::Text(row.site_name.clone()) },
        Column { heading: "专业数", width: 8, cell: |row| Cell::Int(row.major_count) },
        Column { heading: "申报总数", width: 10, cell: |row| Cell::Int(row.quota_applied) },
        Column { heading: "核定总数", width: 10, cell: |row| row.quota_approved.map_or(Cell::Empty, Cell::Int) },
        Column { heading: "已录取", width: 8, cell: |row| Cell::Int(row.admitted) },
        Column { heading: "已报到", width: 8, cell: |row| Cell::Int(row.reported) },
        Column { heading: "完成率(%)", width: 10, cell: |row| crate::rate(row.completion_rate) },
        Column { heading: "状态", width: 10, cell: |row| Cell::Text(row.status.zh().to_owned()) },
        Column { heading: "提交时间", width: 20, cell: |row| Cell::time(row.submitted_at) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &SiteEnrollmentFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, SiteEnrollment>> {
        Self::all(connection, filter, scope).await
    }
}
