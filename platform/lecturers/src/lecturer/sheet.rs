//! What the sheet of lecturers looks like. They are not imported.

use infra::{
    App, Result, Scope,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use sqlx::PgConnection;

use super::{Lecturer, LecturerFilter, Lecturers, list::select};

impl Export for Lecturers {
    type Filter = LecturerFilter;
    type Row = Lecturer;
    const KIND: &'static str = "lecturer.export";
    type Permission = super::ExportLecturers;
    const PLAIN: Option<&'static str> = Some("user:pc:lecturer:exportPlain");
    const TITLE: &'static str = "讲师";
    const COLUMNS: &'static [Column<Lecturer>] = &[
        Column { heading: "姓名", width: 14, cell: |lecturer| Cell::Text(lecturer.lecturer_name.clone()) },
        Column { heading: "手机", width: 16, cell: |lecturer| Cell::Text(lecturer.phone.clone()) },
        Column { heading: "邮箱", width: 26, cell: |lecturer| Cell::text(lecturer.email.clone()) },
        Column { heading: "职位", width: 18, cell: |lecturer| Cell::text(lecturer.position.clone()) },
        Column { heading: "分成比例", width: 10, cell: |lecturer| proportion(lecturer.lecturer_proportion) },
        Column { heading: "课程数", width: 8, cell: |lecturer| Cell::Int(lecturer.course_count) },
        Column { heading: "收入(元)", width: 12, cell: |lecturer| Cell::decimal(lecturer.total_income, 2) },
        Column { heading: "启用", width: 8, cell: |lecturer| Cell::Bool(lecturer.enabled) },
        Column { heading: "创建时间", width: 20, cell: |lecturer| Cell::DateTime(lecturer.created_at) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &LecturerFilter,
        _scope: &Scope,
    ) -> Result<Rows<'c, Lecturer>> {
        Ok(select(connection, None, filter, None))
    }

    fn mask(lecturer: &mut Lecturer) {
        lecturer.mask();
    }
}

/// Four places.
pub(crate) fn proportion(part: f64) -> Cell {
    Cell::Decimal((part * 10_000.0).round() as i64, 4)
}
