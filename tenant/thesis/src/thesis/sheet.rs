//! What the export of theses looks like.

use infra::{
    App, Result, Scope,
    across::Keyed,
    naming::tenths,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use sqlx::PgConnection;
use thesis_rules::enums::DefenseResult;

use super::select::{StudentThesis, Theses, ThesisFilter};

impl Export for Theses {
    type Filter = ThesisFilter;
    type Row = StudentThesis;
    const KIND: &'static str = "thesis.export";
    type Permission = super::ExportTheses;
    const TITLE: &'static str = "学生论文";
    const COLUMNS: &'static [Column<StudentThesis>] = &[
        Column { heading: "论文批次", width: 24, cell: |row| Cell::Text(row.plan_name.clone()) },
        Column { heading: "学号", width: 18, cell: |row| Cell::text(row.student_no.as_deref()) },
        Column { heading: "姓名", width: 12, cell: |row| Cell::Text(row.student_name.clone()) },
        Column { heading: "专业", width: 20, cell: |row| Cell::Text(row.major_name.clone()) },
        Column { heading: "班级", width: 24, cell: |row| Cell::text(row.class_name.as_deref()) },
        Column { heading: "站点", width: 20, cell: |row| Cell::Text(row.site_name.clone()) },
        Column { heading: "题目", width: 40, cell: |row| Cell::text(row.title.as_deref()) },
        Column { heading: "指导教师", width: 12, cell: |row| Cell::text(row.adviser_name.as_deref()) },
        Column { heading: "阶段", width: 10, cell: |row| Cell::Text(row.stage.zh().to_owned()) },
        Column { heading: "阶段状态", width: 10, cell: |row| Cell::Text(row.stage_status.zh().to_owned()) },
        Column { heading: "复制比(%)", width: 10, cell: |row| row.similarity_rate.map_or(Cell::Empty, tenths) },
        Column { heading: "检测日期", width: 12, cell: |row| Cell::date(row.similarity_on) },
        Column { heading: "评阅", width: 8, cell: |row| row.review_score.map_or(Cell::Empty, tenths) },
        Column { heading: "答辩", width: 10, cell: |row| Cell::text(row.defense_result.map(DefenseResult::zh)) },
        Column { heading: "逾期天数", width: 10, cell: |row| Cell::Int(row.overdue_days.into()) },
        Column { heading: "状态", width: 10, cell: |row| Cell::Text(row.status.zh().to_owned()) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &ThesisFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, StudentThesis>> {
        Self::all(connection, filter, scope).await
    }
}
