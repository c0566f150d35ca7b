//! What the export of parts of scores looks like.

use infra::{
    App, Result, Scope,
    across::Keyed,
    naming::tenths,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use sqlx::PgConnection;

use super::{ScoreComponent, ScoreComponentFilter, ScoreComponents};

fn score(score: Option<f64>) -> Cell {
    score.map_or(Cell::Empty, tenths)
}

impl Export for ScoreComponents {
    type Filter = ScoreComponentFilter;
    type Row = ScoreComponent;
    const KIND: &'static str = "score_component.export";
    type Permission = super::ExportComponents;
    const TITLE: &'static str = "成绩明细";
    const COLUMNS: &'static [Column<ScoreComponent>] = &[
        Column { heading: "学号", width: 18, cell: |row| Cell::text(row.student_no.as_deref()) },
        Column { heading: "姓名", width: 12, cell: |row| Cell::Text(row.student_name.clone()) },
        Column { heading: "年级", width: 10, cell: |row| Cell::Text(row.grade_name.clone()) },
        Column { heading: "层次", width: 10, cell: |row| Cell::Text(row.level_name.clone()) },
        Column { heading: "专业", width: 20, cell: |row| Cell::Text(row.major_name.clone()) },
        Column { heading: "班级", width: 24, cell: |row| Cell::text(row.class_name.as_deref()) },
        Column { heading: "站点", width: 20, cell: |row| Cell::Text(row.site_name.clone()) },
        Column { heading: "学期", width: 18, cell: |row| Cell::Text(row.semester_name.clone()) },
        Column { heading: "课程代码", width: 14, cell: |row| Cell::Text(row.course_code.clone()) },
        Column { heading: "课程", width: 28, cell: |row| Cell::Text(row.course_name.clone()) },
        Column { heading: "成绩项", width: 12, cell: |row| Cell::Text(row.kind.zh().to_owned()) },
        Column { heading: "成绩", width: 8, cell: |row| score(row.value) },
        Column { heading: "适用性", width: 10, cell: |row| Cell::Text(row.applicability.zh().to_owned()) },
        Column { heading: "来源", width: 10, cell: |row| Cell::Text(row.source.zh().to_owned()) },
        Column { heading: "来源现值", width: 10, cell: |row| score(row.fresh_value) },
        Column { heading: "冻结", width: 8, cell: |row| Cell::Bool(row.frozen) },
        Column { heading: "计算时间", width: 20, cell: |row| Cell::time(row.computed_at) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &ScoreComponentFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, ScoreComponent>> {
        Self::all(connection, filter, scope).await
    }
}
