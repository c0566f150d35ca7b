//! What the export of students' homework looks like: a hundred thousand rows go through a thousand at a time (part 03 B6).

use futures_util::{TryStreamExt, stream};
use infra::{
    App, Result, Scope,
    naming::tenths,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use sqlx::PgConnection;

use super::{
    StudentHomework, StudentHomeworkFilter, StudentHomeworks,
    select::{in_order, parts},
};

fn score(score: Option<f64>) -> Cell {
    score.map_or(Cell::Empty, tenths)
}

impl Export for StudentHomeworks {
    type Filter = StudentHomeworkFilter;
    type Row = StudentHomework;
    const KIND: &'static str = "homework.student.export";
    type Permission = super::ExportStudentHomework;
    const TITLE: &'static str = "学生作业";
    const COLUMNS: &'static [Column<StudentHomework>] = &[
        Column { heading: "学期", width: 18, cell: |row| Cell::Text(row.semester_name.clone()) },
        Column { heading: "课程", width: 28, cell: |row| Cell::Text(row.course_name.clone()) },
        Column { heading: "作业", width: 28, cell: |row| Cell::Text(row.title.clone()) },
        Column { heading: "学号", width: 18, cell: |row| Cell::text(row.student_no.as_deref()) },
        Column { heading: "姓名", width: 12, cell: |row| Cell::Text(row.name.clone()) },
        Column { heading: "年级", width: 10, cell: |row| Cell::Text(row.grade_name.clone()) },
        Column { heading: "专业", width: 20, cell: |row| Cell::Text(row.major_name.clone()) },
        Column { heading: "站点", width: 20, cell: |row| Cell::Text(row.site_name.clone()) },
        Column { heading: "班级", width: 24, cell: |row| Cell::text(row.class_name.as_deref()) },
        Column { heading: "状态", width: 10, cell: |row| Cell::Text(row.state.zh().to_owned()) },
        Column { heading: "次数", width: 8, cell: |row| Cell::Int(row.attempts_used.into()) },
        Column { heading: "提交时间", width: 20, cell: |row| Cell::time(row.submitted_at) },
        Column { heading: "迟交", width: 8, cell: |row| Cell::Bool(row.late) },
        Column { heading: "客观分", width: 8, cell: |row| score(row.objective_score) },
        Column { heading: "主观分", width: 8, cell: |row| score(row.subjective_score) },
        Column { heading: "扣分", width: 8, cell: |row| score(row.penalty) },
        Column { heading: "得分", width: 8, cell: |row| score(row.final_raw) },
        Column { heading: "折百分", width: 8, cell: |row| score(row.final_score) },
        Column { heading: "相似度", width: 8, cell: |row| score(row.similarity) },
        Column { heading: "批阅人", width: 12, cell: |row| Cell::text(row.marked_by_name.as_deref()) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &StudentHomeworkFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, StudentHomework>> {
        let parts = parts(connection, filter, scope).await?;
        let rows = stream::try_unfold((connection, parts.into_iter()), |(connection, mut parts)| async move {
            let Some(ids) = parts.next() else { return Ok(None) };
            let rows = in_order(connection, &ids).await?;
            Ok::<_, sqlx::Error>(Some((stream::iter(rows.into_iter().map(Ok)), (connection, parts))))
        });
        Ok(Box::pin(rows.try_flatten()))
    }
}
