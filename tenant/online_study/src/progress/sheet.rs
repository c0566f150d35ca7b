//! What the export of progress looks like: rows go through a thousand at a time.

use futures_util::{TryStreamExt, stream};
use infra::{
    App, Result, Scope,
    naming::tenths,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use sqlx::PgConnection;

use super::{
    ProgressRows, StudyProgress, StudyProgressFilter,
    select::{in_order, parts},
};

impl Export for ProgressRows {
    type Filter = StudyProgressFilter;
    type Row = StudyProgress;
    const KIND: &'static str = "study_progress.export";
    type Permission = super::ExportProgress;
    const TITLE: &'static str = "学习进度";
    const COLUMNS: &'static [Column<StudyProgress>] = &[
        Column { heading: "学号", width: 18, cell: |row| Cell::text(row.student_no.as_deref()) },
        Column { heading: "姓名", width: 12, cell: |row| Cell::Text(row.name.clone()) },
        Column { heading: "年级", width: 10, cell: |row| Cell::Text(row.grade_name.clone()) },
        Column { heading: "专业", width: 20, cell: |row| Cell::Text(row.major_name.clone()) },
        Column { heading: "站点", width: 20, cell: |row| Cell::Text(row.site_name.clone()) },
        Column { heading: "班级", width: 24, cell: |row| Cell::text(row.class_name.as_deref()) },
        Column { heading: "学期", width: 18, cell: |row| Cell::Text(row.semester_name.clone()) },
        Column { heading: "课程代码", width: 14, cell: |row| Cell::Text(row.course_code.clone()) },
        Column { heading: "课程", width: 28, cell: |row| Cell::Text(row.course_name.clone()) },
        Column { heading: "进度(%)", width: 12, cell: |row| tenths(row.progress) },
        Column { heading: "已完成课时", width: 12, cell: |row| Cell::Int(row.finished_periods.into()) },
        Column { heading: "必修课时", width: 10, cell: |row| Cell::Int(row.total_periods.into()) },
        Column { heading: "学习时长(分钟)", width: 14, cell: |row| Cell::Int(row.study_minutes) },
        Column { heading: "学习天数", width: 10, cell: |row| Cell::Int(row.login_days.into()) },
        Column { heading: "最近学习", width: 20, cell: |row| Cell::time(row.last_at) },
        Column { heading: "完成时间", width: 20, cell: |row| Cell::time(row.finished_at) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &StudyProgressFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, StudyProgress>> {
        let parts = parts(connection, filter, scope).await?;
        let rows = stream::try_unfold((connection, parts.into_iter()), |(connection, mut parts)| async move {
            let Some(ids) = parts.next() else { return Ok(None) };
            let lines = in_order(connection, &ids).await?;
            Ok::<_, sqlx::Error>(Some((stream::iter(lines.into_iter().map(Ok)), (connection, parts))))
        });
        Ok(Box::pin(rows.try_flatten()))
    }
}
