//! What the export of allocations looks like: a line a class.

use futures_util::{StreamExt, TryStreamExt, stream};
use infra::{
    App, Result, Scope,
    across::Keyed,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use sqlx::PgConnection;

use super::{AllocatedTeacher, AllocationFilter, AllocationGrid, Allocations, ClassAllocations};

/// A class of an opening.
pub struct SheetLine {
    opening: AllocationGrid,
    class: ClassAllocations,
}

fn names(teachers: &[AllocatedTeacher]) -> Cell {
    let names: Vec<&str> = teachers.iter().map(|teacher| teacher.name.as_str()).collect();
    if names.is_empty() { Cell::Empty } else { Cell::Text(names.join("、")) }
}

impl Export for Allocations {
    type Filter = AllocationFilter;
    type Row = SheetLine;
    const KIND: &'static str = "course_allocation.export";
    type Permission = super::ExportAllocations;
    const TITLE: &'static str = "任课安排";
    const COLUMNS: &'static [Column<SheetLine>] = &[
        Column { heading: "学期", width: 18, cell: |row| Cell::Text(row.opening.semester_name.clone()) },
        Column { heading: "课程代码", width: 14, cell: |row| Cell::Text(row.opening.course_code.clone()) },
        Column { heading: "课程", width: 28, cell: |row| Cell::Text(row.opening.course_name.clone()) },
        Column { heading: "年级", width: 10, cell: |row| Cell::text(row.opening.grade_name.as_deref()) },
        Column { heading: "专业", width: 20, cell: |row| Cell::text(row.opening.major_name.as_deref()) },
        Column { heading: "班级", width: 24, cell: |row| Cell::Text(row.class.class_name.clone()) },
        Column { heading: "站点", width: 20, cell: |row| Cell::Text(row.class.site_name.clone()) },
        Column { heading: "人数", width: 8, cell: |row| Cell::Int(row.class.student_count) },
        Column {
            heading: "主讲",
            width: 12,
            cell: |row| Cell::text(row.class.lecturer.as_ref().map(|teacher| teacher.name.as_str())),
        },
        Column { heading: "辅导", width: 18, cell: |row| names(&row.class.tutors) },
        Column { heading: "批阅", width: 18, cell: |row| names(&row.class.markers) },
        Column {
            heading: "学时",
            width: 8,
            cell: |row| {
                let hours = row.class.lecturer.as_ref().and_then(|teacher| teacher.hours);
                Cell::Int(hours.unwrap_or(row.opening.hours).into())
            },
        },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &AllocationFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, SheetLine>> {
        let openings = Self::all(connection, filter, scope).await?;
        let (site, class) = (filter.site_id, filter.class_id);
        let lines = openings.map_ok(move |opening| {
            let classes = opening.classes.clone();
            let shown = classes.into_iter().filter(move |one| one.is_meant(site, class));
            let lines = shown.map(move |class| Ok(SheetLine { opening: opening.clone(), class }));
            stream::iter(lines.collect::<Vec<_>>())
        });
        Ok(lines.try_flatten().boxed())
    }
}
