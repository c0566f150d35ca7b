//! What the export of internships looks like.

use infra::{
    App, Result, Scope,
    across::Keyed,
    naming::tenths,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use sqlx::PgConnection;

use super::select::{Internship, InternshipFilter, Internships};

impl Export for Internships {
    type Filter = InternshipFilter;
    type Row = Internship;
    const KIND: &'static str = "internship.export";
    type Permission = super::ExportInternships;
    const TITLE: &'static str = "实习成绩";
    const COLUMNS: &'static [Column<Internship>] = &[
        Column { heading: "学号", width: 18, cell: |row| Cell::text(row.student_no.as_deref()) },
        Column { heading: "姓名", width: 12, cell: |row| Cell::Text(row.student_name.clone()) },
        Column { heading: "专业", width: 20, cell: |row| Cell::Text(row.major_name.clone()) },
        Column { heading: "班级", width: 24, cell: |row| Cell::text(row.class_name.as_deref()) },
        Column { heading: "站点", width: 20, cell: |row| Cell::Text(row.site_name.clone()) },
        Column { heading: "学期", width: 18, cell: |row| Cell::Text(row.semester_name.clone()) },
        Column { heading: "课程", width: 24, cell: |row| Cell::Text(row.course_name.clone()) },
        Column { heading: "题目", width: 40, cell: |row| Cell::text(row.title.as_deref()) },
        Column { heading: "指导教师", width: 12, cell: |row| Cell::text(row.adviser_name.as_deref()) },
        Column { heading: "实习单位", width: 30, cell: |row| Cell::text(row.unit.as_deref()) },
        Column { heading: "岗位", width: 16, cell: |row| Cell::text(row.post.as_deref()) },
        Column { heading: "开始日期", width: 12, cell: |row| Cell::date(row.starts_on) },
        Column { heading: "结束日期", width: 12, cell: |row| Cell::date(row.ends_on) },
        Column { heading: "单位指导人", width: 12, cell: |row| Cell::text(row.mentor.as_deref()) },
        Column { heading: "指导人电话", width: 14, cell: |row| Cell::text(row.mentor_phone.as_deref()) },
        Column { heading: "实习报告", width: 10, cell: |row| Cell::Bool(row.has_report) },
        Column { heading: "实习鉴定", width: 10, cell: |row| Cell::Bool(row.has_appraisal) },
        Column { heading: "单位评分", width: 10, cell: |row| row.unit_score.map_or(Cell::Empty, tenths) },
        Column { heading: "教师评分", width: 10, cell: |row| row.teacher_score.map_or(Cell::Empty, tenths) },
        Column { heading: "成绩", width: 10, cell: |row| row.score.map_or(Cell::Empty, tenths) },
        Column { heading: "免实习", width: 8, cell: |row| Cell::Bool(row.waived) },
        Column { heading: "状态", width: 10, cell: |row| Cell::Text(row.status.zh().to_owned()) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &InternshipFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, Internship>> {
        Self::all(connection, filter, scope).await
    }

    fn mask(row: &mut Internship) {
        *row = row.clone().masked();
    }
}
