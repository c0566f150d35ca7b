//! What the export of batches looks like.

use infra::{
    App, Result, Scope,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use sqlx::PgConnection;

use super::{
    PreRegistrationBatch, PreRegistrationBatchFilter, PreRegistrationBatches,
    select::{BatchesAt, select},
};

impl Export for PreRegistrationBatches {
    type Filter = PreRegistrationBatchFilter;
    type Row = PreRegistrationBatch;
    const KIND: &'static str = "pre_registration_batch.export";
    type Permission = super::ExportPreRegistrationBatches;
    const TITLE: &'static str = "预报名批次";
    const COLUMNS: &'static [Column<PreRegistrationBatch>] = &[
        Column { heading: "编码", width: 14, cell: |batch| Cell::Text(batch.code.clone()) },
        Column { heading: "名称", width: 28, cell: |batch| Cell::Text(batch.name.clone()) },
        Column { heading: "年级", width: 12, cell: |batch| Cell::Text(batch.grade_name.clone()) },
        Column {
            heading: "层次",
            width: 24,
            cell: |batch| {
                let names: Vec<&str> = batch.levels.iter().map(|level| level.name.as_str()).collect();
                Cell::Text(names.join("、"))
            },
        },
        Column { heading: "开始时间", width: 20, cell: |batch| Cell::DateTime(batch.starts_at) },
        Column { heading: "结束时间", width: 20, cell: |batch| Cell::DateTime(batch.ends_at) },
        Column { heading: "阶段", width: 10, cell: |batch| Cell::Text(batch.phase.zh().to_owned()) },
        Column { heading: "报名人数", width: 10, cell: |batch| Cell::Int(batch.total) },
        Column { heading: "通过人数", width: 10, cell: |batch| Cell::Int(batch.approved) },
        Column { heading: "启用", width: 8, cell: |batch| Cell::Bool(batch.enabled) },
    ];

    async fn rows<'c>(
        app: &App,
        connection: &'c mut PgConnection,
        filter: &PreRegistrationBatchFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, PreRegistrationBatch>> {
        let asked = BatchesAt { filter: filter.clone(), now: app.clock().now() };
        Ok(select(connection, None, &asked, scope, None))
    }
}
