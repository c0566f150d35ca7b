//! What the export of homework looks like.

use infra::{
    App, Result, Scope,
    across::Keyed,
    naming::tenths,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use sqlx::PgConnection;

use super::{Homework, HomeworkFilter, Homeworks};
use crate::enums::HomeworkPaperMode;

impl Export for Homeworks {
    type Filter = HomeworkFilter;
    type Row = Homework;
    const KIND: &'static str = "homework.export";
    type Permission = super::ExportHomework;
    const TITLE: &'static str = "作业";
    const COLUMNS: &'static [Column<Homework>] = &[
        Column { heading: "学期", width: 18, cell: |row| Cell::Text(row.semester_name.clone()) },
        Column { heading: "课程代码", width: 14, cell: |row| Cell::Text(row.course_code.clone()) },
        Column { heading: "课程", width: 28, cell: |row| Cell::Text(row.course_name.clone()) },
        Column { heading: "作业", width: 28, cell: |row| Cell::Text(row.title.clone()) },
        Column { heading: "用途", width: 10, cell: |row| Cell::Text(row.purpose.zh().to_owned()) },
        Column { heading: "形式", width: 10, cell: |row| Cell::Text(row.kind.zh().to_owned()) },
        Column {
            heading: "出卷方式", width: 10, cell: |row| Cell::text(row.paper_mode.map(HomeworkPaperMode::zh))
        },
        Column { heading: "总分", width: 8, cell: |row| tenths(row.total_score) },
        Column { heading: "学生数", width: 8, cell: |row| Cell::Int(row.student_count) },
        Column { heading: "开始时间", width: 20, cell: |row| Cell::time(Some(row.starts_at)) },
        Column { heading: "截止时间", width: 20, cell: |row| Cell::time(Some(row.ends_at)) },
        Column { heading: "补交截止", width: 20, cell: |row| Cell::time(row.late_until) },
        Column { heading: "次数", width: 8, cell: |row| Cell::Int(row.max_attempts.into()) },
        Column { heading: "应交", width: 8, cell: |row| Cell::Int(row.due_count) },
        Column { heading: "已交", width: 8, cell: |row| Cell::Int(row.handed_count) },
        Column { heading: "已批", width: 8, cell: |row| Cell::Int(row.marked_count) },
        Column { heading: "平均分", width: 8, cell: |row| row.average_score.map_or(Cell::Empty, tenths) },
        Column { heading: "权重", width: 8, cell: |row| tenths(row.weight) },
        Column { heading: "状态", width: 10, cell: |row| Cell::Text(row.status.zh().to_owned()) },
        Column { heading: "创建人", width: 12, cell: |row| Cell::Text(row.created_by_name.clone()) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &HomeworkFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, Homework>> {
        Self::all(connection, filter, scope).await
    }
}
