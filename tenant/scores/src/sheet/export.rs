//! What the export of sheets looks like.

use infra::{
    App, Result, Scope,
    across::Keyed,
    naming::tenths,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use sqlx::PgConnection;

use super::{ScoreSheetFilter, ScoreSheetLine, ScoreSheets};

fn figure(figure: Option<f64>) -> Cell {
    figure.map_or(Cell::Empty, tenths)
}

impl Export for ScoreSheets {
    type Filter = ScoreSheetFilter;
    type Row = ScoreSheetLine;
    const KIND: &'static str = "score_sheet.export";
    type Permission = super::ExportSheets;
    const TITLE: &'static str = "成绩登记表";
    const COLUMNS: &'static [Column<ScoreSheetLine>] = &[
        Column { heading: "登记表号", width: 20, cell: |row| Cell::Text(row.sheet_no.clone()) },
        Column { heading: "批次", width: 24, cell: |row| Cell::Text(row.batch_name.clone()) },
        Column { heading: "学期", width: 18, cell: |row| Cell::Text(row.semester_name.clone()) },
        Column { heading: "课程代码", width: 14, cell: |row| Cell::Text(row.course_code.clone()) },
        Column { heading: "课程", width: 28, cell: |row| Cell::Text(row.course_name.clone()) },
        Column { heading: "班级", width: 24, cell: |row| Cell::text(row.class_name.as_deref()) },
        Column { heading: "站点", width: 20, cell: |row| Cell::text(row.site_name.as_deref()) },
        Column { heading: "性质", width: 10, cell: |row| Cell::Text(row.round.zh().to_owned()) },
        Column { heading: "来源", width: 8, cell: |row| Cell::Text(row.source.zh().to_owned()) },
        Column { heading: "录入人", width: 12, cell: |row| Cell::text(row.teacher_name.as_deref()) },
        Column { heading: "应录", width: 8, cell: |row| Cell::Int(row.total_count.into()) },
        Column { heading: "已录", width: 8, cell: |row| Cell::Int(row.entered_count.into()) },
        Column { heading: "缺考", width: 8, cell: |row| Cell::Int(row.absent_count.into()) },
        Column { heading: "平均分", width: 8, cell: |row| figure(row.mean) },
        Column { heading: "及格率(%)", width: 10, cell: |row| figure(row.pass_rate) },
        Column { heading: "优秀率(%)", width: 10, cell: |row| figure(row.excellent_rate) },
        Column { heading: "最高", width: 8, cell: |row| figure(row.highest) },
        Column { heading: "最低", width: 8, cell: |row| figure(row.lowest) },
        Column { heading: "异常提示", width: 30, cell: |row| Cell::Text(row.doubts.join("；")) },
        Column { heading: "截止", width: 20, cell: |row| Cell::time(row.entry_ends_at) },
        Column { heading: "状态", width: 10, cell: |row| Cell::Text(row.status.zh().to_owned()) },
        Column { heading: "提交人", width: 12, cell: |row| Cell::text(row.submitted_by_name.as_deref()) },
        Column { heading: "提交时间", width: 20, cell: |row| Cell::time(row.submitted_at) },
        Column { heading: "发布时间", width: 20, cell: |row| Cell::time(row.published_at) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &ScoreSheetFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, ScoreSheetLine>> {
        Self::all(connection, filter, scope).await
    }
}
