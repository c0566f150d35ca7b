//! What the sheet of knowledge points looks like. They are not imported.

use course_rules::knowledge_point::matches;
use futures_util::{StreamExt, TryStreamExt, future};
use infra::{
    App, Result, Scope,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use sqlx::PgConnection;

use super::{KnowledgePoint, KnowledgePointFilter, KnowledgePoints, select::select};

impl Export for KnowledgePoints {
    type Filter = KnowledgePointFilter;
    type Row = KnowledgePoint;
    const KIND: &'static str = "knowledge_point.export";
    type Permission = super::ExportKnowledgePoints;
    const TITLE: &'static str = "知识点";
    const COLUMNS: &'static [Column<KnowledgePoint>] = &[
        Column { heading: "名称", width: 32, cell: |point| Cell::Text(point.name.clone()) },
        Column { heading: "编码", width: 14, cell: |point| Cell::Text(point.code.clone()) },
        Column { heading: "上级知识点", width: 32, cell: |point| Cell::text(point.parent_name.clone()) },
        Column { heading: "层级", width: 8, cell: |point| Cell::Int(point.depth.into()) },
        Column { heading: "排序", width: 8, cell: |point| Cell::Int(point.sort_no.into()) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &KnowledgePointFilter,
        _scope: &Scope,
    ) -> Result<Rows<'c, KnowledgePoint>> {
        let filter = filter.clone();
        let rows = select(connection, None, Some(filter.course_id));
        Ok(rows.try_filter(move |point| future::ready(matches(point, &filter))).boxed())
    }
}
