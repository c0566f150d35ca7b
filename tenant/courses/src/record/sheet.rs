//! What the sheet of records looks like. They are not imported.

use infra::{
    App, Result, RichText, Scope,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use sqlx::PgConnection;

use super::{CourseRecord, CourseRecordFilter, CourseRecords, select};

impl Export for CourseRecords {
    type Filter = CourseRecordFilter;
    type Row = CourseRecord;
    const KIND: &'static str = "course_record.export";
    type Permission = super::ExportCourseRecords;
    const TITLE: &'static str = "课程资源";
    const COLUMNS: &'static [Column<CourseRecord>] = &[
        Column { heading: "课程代码", width: 14, cell: |record| Cell::Text(record.course_code.clone()) },
        Column { heading: "课程名称", width: 28, cell: |record| Cell::Text(record.course_name.clone()) },
        Column { heading: "资源名称", width: 32, cell: |record| Cell::Text(record.name.clone()) },
        Column { heading: "主讲", width: 14, cell: |record| Cell::text(record.lecturer_name.clone()) },
        Column { heading: "版本", width: 8, cell: |record| Cell::Int(record.version_no.into()) },
        Column { heading: "来源", width: 10, cell: |record| Cell::Text(record.source.zh().to_owned()) },
        Column { heading: "课时数", width: 10, cell: |record| Cell::Int(record.period_count) },
        Column { heading: "就绪课时数", width: 12, cell: |record| Cell::Int(record.ready_count) },
        Column { heading: "总时长(秒)", width: 12, cell: |record| Cell::Int(record.total_seconds) },
        Column { heading: "默认", width: 8, cell: |record| Cell::Bool(record.is_default) },
        Column { heading: "状态", width: 10, cell: |record| Cell::Text(record.status.zh().to_owned()) },
        Column {
            heading: "简介",
            width: 40,
            cell: |record| Cell::text(record.introduction.as_ref().map(RichText::plain)),
        },
        Column { heading: "更新时间", width: 20, cell: |record| Cell::DateTime(record.updated_at) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &CourseRecordFilter,
        _scope: &Scope,
    ) -> Result<Rows<'c, CourseRecord>> {
        Ok(select(connection, None, filter, None))
    }
}
