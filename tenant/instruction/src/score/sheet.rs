//! What the export of scores looks like; a thousand rows are read at a time.

use futures_util::{TryStreamExt, stream};
use infra::{
    App, Result, Scope,
    naming::tenths,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use sqlx::PgConnection;

use super::{
    InstructionScore, InstructionScoreFilter, Scores,
    select::{in_order, parts},
};

impl Export for Scores {
    type Filter = InstructionScoreFilter;
    type Row = InstructionScore;
    const KIND: &'static str = "instruction_score.export";
    type Permission = super::ExportScores;
    const TITLE: &'static str = "面授成绩";
    const COLUMNS: &'static [Column<InstructionScore>] = &[
        Column { heading: "学号", width: 18, cell: |row| Cell::text(row.student_no.as_deref()) },
        Column { heading: "姓名", width: 12, cell: |row| Cell::Text(row.name.clone()) },
        Column { heading: "站点", width: 20, cell: |row| Cell::Text(row.site_name.clone()) },
        Column { heading: "班级", width: 24, cell: |row| Cell::text(row.class_name.as_deref()) },
        Column { heading: "学期", width: 18, cell: |row| Cell::Text(row.semester_name.clone()) },
        Column { heading: "课程代码", width: 14, cell: |row| Cell::Text(row.course_code.clone()) },
        Column { heading: "课程", width: 28, cell: |row| Cell::Text(row.course_name.clone()) },
        Column { heading: "应到", width: 8, cell: |row| Cell::Int(row.required_sessions.into()) },
        Column { heading: "实到", width: 8, cell: |row| tenths(row.attended_count) },
        Column { heading: "出勤率(%)", width: 10, cell: |row| row.attendance_rate.map_or(Cell::Empty, tenths) },
        Column { heading: "出勤成绩", width: 10, cell: |row| row.attendance_score.map_or(Cell::Empty, tenths) },
        Column { heading: "表现成绩", width: 10, cell: |row| row.performance_score.map_or(Cell::Empty, tenths) },
        Column { heading: "总成绩", width: 10, cell: |row| row.total_score.map_or(Cell::Empty, tenths) },
        Column { heading: "状态", width: 10, cell: |row| Cell::Text(row.status.zh().to_owned()) },
        Column { heading: "提交时间", width: 20, cell: |row| Cell::time(row.submitted_at) },
        Column { heading: "确认时间", width: 20, cell: |row| Cell::time(row.confirmed_at) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &InstructionScoreFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, InstructionScore>> {
        let parts = parts(connection, filter, scope).await?;
        let rows = stream::try_unfold((connection, parts.into_iter()), |(connection, mut parts)| async move {
            let Some(ids) = parts.next() else { return Ok(None) };
            let lines = in_order(connection, &ids).await?;
            Ok::<_, sqlx::Error>(Some((stream::iter(lines.into_iter().map(Ok)), (connection, parts))))
        });
        Ok(Box::pin(rows.try_flatten()))
    }
}
