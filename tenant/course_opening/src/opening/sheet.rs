//! What the export of openings looks like.

use infra::{
    App, Result, Scope,
    across::Keyed,
    naming::tenths,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use sqlx::PgConnection;

use super::{CourseOpening, OpeningFilter, Openings};

impl Export for Openings {
    type Filter = OpeningFilter;
    type Row = CourseOpening;
    const KIND: &'static str = "course_opening.export";
    type Permission = super::ExportOpenings;
    const TITLE: &'static str = "开课";
    const COLUMNS: &'static [Column<CourseOpening>] = &[
        Column { heading: "学期", width: 18, cell: |row| Cell::Text(row.semester_name.clone()) },
        Column { heading: "开课类别", width: 10, cell: |row| Cell::Text(row.kind.zh().to_owned()) },
        Column { heading: "课程代码", width: 14, cell: |row| Cell::Text(row.course_code.clone()) },
        Column { heading: "课程", width: 28, cell: |row| Cell::Text(row.course_name.clone()) },
        Column { heading: "年级", width: 10, cell: |row| Cell::text(row.grade_name.as_deref()) },
        Column { heading: "层次", width: 10, cell: |row| Cell::text(row.level_name.as_deref()) },
        Column { heading: "专业", width: 20, cell: |row| Cell::text(row.major_name.as_deref()) },
        Column {
            heading: "学期序", width: 8, cell: |row| row.term_no.map_or(Cell::Empty, |no| Cell::Int(no.into()))
        },
        Column { heading: "性质", width: 8, cell: |row| Cell::Text(row.nature.zh().to_owned()) },
        Column { heading: "学分", width: 8, cell: |row| tenths(row.credits) },
        Column { heading: "学时", width: 8, cell: |row| Cell::Int(row.hours.into()) },
        Column { heading: "教学方式", width: 10, cell: |row| Cell::Text(row.teaching_mode.zh().to_owned()) },
        Column { heading: "选课人数", width: 10, cell: |row| Cell::Int(row.selected_count) },
        Column {
            heading: "人数上限",
            width: 10,
            cell: |row| row.capacity.map_or(Cell::Empty, |capacity| Cell::Int(capacity.into())),
        },
        Column { heading: "已安排主讲的班级数", width: 18, cell: |row| Cell::Int(row.allocated_count) },
        Column { heading: "班级数", width: 8, cell: |row| Cell::Int(row.class_count) },
        Column { heading: "作业数", width: 8, cell: |row| Cell::Int(row.homework_count) },
        Column { heading: "开课状态", width: 10, cell: |row| Cell::Text(row.status.zh().to_owned()) },
        Column { heading: "开课时间", width: 20, cell: |row| Cell::time(row.opened_at) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &OpeningFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, CourseOpening>> {
        Self::all(connection, filter, scope).await
    }
}
