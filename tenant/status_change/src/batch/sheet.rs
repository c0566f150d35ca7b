//! What the export of batches looks like.

use infra::{
    App, Result, Scope,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use sqlx::PgConnection;

use super::{
    Batches, ChangeBatch, ChangeBatchFilter,
    select::{BatchesAt, select},
};

impl Export for Batches {
    type Filter = ChangeBatchFilter;
    type Row = ChangeBatch;
    const KIND: &'static str = "change_batch.export";
    type Permission = super::ExportChangeBatches;
    const TITLE: &'static str = "异动批次";
    const COLUMNS: &'static [Column<ChangeBatch>] = &[
        Column { heading: "编码", width: 14, cell: |batch| Cell::Text(batch.code.clone()) },
        Column { heading: "名称", width: 28, cell: |batch| Cell::Text(batch.name.clone()) },
        Column {
            heading: "类型",
            width: 36,
            cell: |batch| {
                let words: Vec<&str> = batch.types.iter().map(|kind| kind.zh()).collect();
                Cell::Text(words.join("、"))
            },
        },
        Column {
            heading: "年级",
            width: 24,
            cell: |batch| {
                let names = batch.grade_names.join("、");
                Cell::Text(if names.is_empty() { "全部".to_owned() } else { names })
            },
        },
        Column { heading: "开始时间", width: 20, cell: |batch| Cell::DateTime(batch.starts_at) },
        Column { heading: "结束时间", width: 20, cell: |batch| Cell::DateTime(batch.ends_at) },
        Column { heading: "生效日期", width: 12, cell: |batch| Cell::date(batch.effective_on) },
        Column { heading: "阶段", width: 10, cell: |batch| Cell::Text(batch.phase.zh().to_owned()) },
        Column { heading: "申请数", width: 10, cell: |batch| Cell::Int(batch.total) },
        Column { heading: "已批准", width: 10, cell: |batch| Cell::Int(batch.approved) },
        Column { heading: "启用", width: 8, cell: |batch| Cell::Bool(batch.enabled) },
    ];

    async fn rows<'c>(
        app: &App,
        connection: &'c mut PgConnection,
        filter: &ChangeBatchFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, ChangeBatch>> {
        let asked = BatchesAt { filter: filter.clone(), now: app.clock().now() };
        Ok(select(connection, None, &asked, scope, None))
    }
}
