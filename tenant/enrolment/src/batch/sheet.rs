//! What the export of batches looks like.

use infra::{
    App, Result, Scope,
    across::Keyed,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use sqlx::PgConnection;

use super::{EnrollmentBatch, EnrollmentBatchFilter, EnrollmentBatches};

impl Export for EnrollmentBatches {
    type Filter = EnrollmentBatchFilter;
    type Row = EnrollmentBatch;
    const KIND: &'static str = "enrollment_batch.export";
    type Permission = super::ExportEnrollmentBatches;
    const TITLE: &'static str = "招生批次";
    const COLUMNS: &'static [Column<EnrollmentBatch>] = &[
        Column { heading: "编码", width: 14, cell: |row| Cell::Text(row.code.clone()) },
        Column { heading: "名称", width: 28, cell: |row| Cell::Text(row.name.clone()) },
        Column { heading: "年度", width: 8, cell: |row| Cell::Int(row.year.into()) },
        Column { heading: "入学季", width: 10, cell: |row| Cell::Text(row.season.zh().to_owned()) },
        Column { heading: "年级", width: 12, cell: |row| Cell::Text(row.grade_name.clone()) },
        Column { heading: "入学日期", width: 12, cell: |row| Cell::Date(row.enrolled_on) },
        Column { heading: "专业数", width: 8, cell: |row| Cell::Int(row.major_count) },
        Column { heading: "计划总数", width: 10, cell: |row| Cell::Int(row.quota) },
        Column { heading: "录取数", width: 10, cell: |row| Cell::Int(row.admitted) },
        Column { heading: "报到数", width: 10, cell: |row| Cell::Int(row.reported) },
        Column { heading: "站点申报截止", width: 20, cell: |row| Cell::time(row.site_apply_ends_at) },
        Column { heading: "报到开始", width: 20, cell: |row| Cell::time(row.report_starts_at) },
        Column { heading: "报到结束", width: 20, cell: |row| Cell::time(row.report_ends_at) },
        Column { heading: "状态", width: 10, cell: |row| Cell::Text(row.status.zh().to_owned()) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &EnrollmentBatchFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, EnrollmentBatch>> {
        Self::all(connection, filter, scope).await
    }
}
