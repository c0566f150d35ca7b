//! What the export of how courses are studied looks like.

use chrono::Duration;
use infra::{
    App, Result, Scope,
    across::Keyed,
    naming::tenths,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use sqlx::PgConnection;

use super::{OnlineTeaching, OnlineTeachingFilter, Teachings};

/// From the day on which it begins to the last one: what ends at midnight ends with the day before.
fn days(row: &OnlineTeaching) -> String {
    let last = row.ends_at - Duration::seconds(1);
    format!("{} 至 {}", row.starts_at.format("%Y-%m-%d"), last.format("%Y-%m-%d"))
}

impl Export for Teachings {
    type Filter = OnlineTeachingFilter;
    type Row = OnlineTeaching;
    const KIND: &'static str = "online_teaching.export";
    type Permission = super::ExportTeachings;
    const TITLE: &'static str = "在线教学";
    const COLUMNS: &'static [Column<OnlineTeaching>] = &[
        Column { heading: "学期", width: 18, cell: |row| Cell::Text(row.semester_name.clone()) },
        Column { heading: "课程代码", width: 14, cell: |row| Cell::Text(row.course_code.clone()) },
        Column { heading: "课程", width: 28, cell: |row| Cell::Text(row.course_name.clone()) },
        Column { heading: "年级", width: 10, cell: |row| Cell::text(row.grade_name.as_deref()) },
        Column { heading: "专业", width: 20, cell: |row| Cell::text(row.major_name.as_deref()) },
        Column { heading: "人数", width: 8, cell: |row| Cell::Int(row.student_count) },
        Column { heading: "课程资源", width: 28, cell: |row| Cell::text(row.record_name.as_deref()) },
        Column { heading: "资源状态", width: 10, cell: |row| Cell::Text(row.resource.zh().to_owned()) },
        Column { heading: "课时数", width: 8, cell: |row| Cell::Int(row.period_count) },
        Column { heading: "学习时间", width: 26, cell: |row| Cell::Text(days(row)) },
        Column { heading: "完成标准(%)", width: 12, cell: |row| Cell::Int(row.finish_percent.into()) },
        Column { heading: "平均进度(%)", width: 12, cell: |row| tenths(row.average_progress) },
        Column { heading: "完成率(%)", width: 10, cell: |row| tenths(row.finished_rate) },
        Column { heading: "状态", width: 10, cell: |row| Cell::Text(row.window.zh().to_owned()) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &OnlineTeachingFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, OnlineTeaching>> {
        Self::all(connection, filter, scope).await
    }
}
