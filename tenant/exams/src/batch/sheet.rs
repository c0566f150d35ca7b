//! What the export of batches looks like.

use infra::{
    App, Result, Scope,
    across::Keyed,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use sqlx::PgConnection;

use super::{ExportTestBatches, TestBatch, TestBatchFilter, TestBatches};

impl Export for TestBatches {
    type Filter = TestBatchFilter;
    type Row = TestBatch;
    const KIND: &'static str = "test_batch.export";
    type Permission = ExportTestBatches;
    const TITLE: &'static str = "考试批次";
    const COLUMNS: &'static [Column<TestBatch>] = &[
        Column { heading: "批次编码", width: 16, cell: |row| Cell::Text(row.code.clone()) },
        Column { heading: "批次名称", width: 32, cell: |row| Cell::Text(row.name.clone()) },
        Column { heading: "学期", width: 18, cell: |row| Cell::Text(row.semester_name.clone()) },
        Column { heading: "类型", width: 12, cell: |row| Cell::Text(row.kind.zh().to_owned()) },
        Column { heading: "考试方式", width: 10, cell: |row| Cell::Text(row.mode.zh().to_owned()) },
        Column { heading: "考试开始", width: 12, cell: |row| Cell::date(row.exam_starts_on) },
        Column { heading: "考试结束", width: 12, cell: |row| Cell::date(row.exam_ends_on) },
        Column { heading: "成绩录入开始", width: 20, cell: |row| Cell::time(row.score_entry_starts_at) },
        Column { heading: "成绩录入结束", width: 20, cell: |row| Cell::time(row.score_entry_ends_at) },
        Column { heading: "考试安排数", width: 10, cell: |row| Cell::Int(row.setup_count) },
        Column { heading: "考生人次", width: 10, cell: |row| Cell::Int(row.candidate_count) },
        Column { heading: "已发布成绩表", width: 12, cell: |row| Cell::Int(row.published_sheets) },
        Column { heading: "成绩表总数", width: 12, cell: |row| Cell::Int(row.sheet_count) },
        Column { heading: "状态", width: 10, cell: |row| Cell::Text(row.status.zh().to_owned()) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &TestBatchFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, TestBatch>> {
        Self::all(connection, filter, scope).await
    }
}
