//! 导出: the list's columns as a workbook.

use infra::{
    Allowed, App, Body, Paged, Result, Scope,
    sheet::{Cell, Column},
    transfer::{self, Export, Exported, Rows},
};
use poem_openapi::{OpenApi, param::Query};
use sqlx::PgConnection;
use student_status_rules::list::StudentFilter;

use super::{
    DownloadStudents,
    list::{StudentRow, all},
};

pub struct ExportStudents;

#[OpenApi(prefix_path = "/adult/pc/studentRoll", tag = "crate::Tag::StudentStatus")]
impl ExportStudents {
    /// 导出学籍
    #[oai(path = "/export", method = "post", operation_id = "exportStudents")]
    async fn export(
        &self,
        caller: Allowed<DownloadStudents>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<StudentFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}

/// 有 for a photo that is there.
fn there(photo: bool) -> Cell {
    if photo { Cell::Text("有".to_owned()) } else { Cell::Empty }
}

impl Export for ExportStudents {
    type Filter = StudentFilter;
    type Row = StudentRow;
    const KIND: &'static str = "student.export";
    type Permission = super::DownloadStudents;
    const PLAIN: Option<&'static str> = Some("adult:pc:studentRoll:exportPlain");
    const TITLE: &'static str = "学籍";
    const COLUMNS: &'static [Column<StudentRow>] = &[
        Column { heading: "学号", width: 18, cell: |row| Cell::text(row.student_no.as_deref()) },
        Column { heading: "考生号", width: 18, cell: |row| Cell::text(row.examinee_no.as_deref()) },
        Column { heading: "姓名", width: 12, cell: |row| Cell::Text(row.name.clone()) },
        Column { heading: "性别", width: 6, cell: |row| Cell::text(row.gender.map(|gender| gender.zh())) },
        Column { heading: "证件类型", width: 16, cell: |row| Cell::Text(row.id_card_type.zh().to_owned()) },
        Column { heading: "证件号", width: 22, cell: |row| Cell::Text(row.id_card_no.clone()) },
        Column { heading: "手机", width: 14, cell: |row| Cell::text(row.phone.as_deref()) },
        Column { heading: "年级", width: 10, cell: |row| Cell::Text(row.grade_name.clone()) },
        Column { heading: "层次", width: 10, cell: |row| Cell::Text(row.level_name.clone()) },
        Column { heading: "专业", width: 20, cell: |row| Cell::Text(row.major_name.clone()) },
        Column { heading: "学习形式", width: 10, cell: |row| Cell::Text(row.study_form.zh().to_owned()) },
        Column { heading: "站点", width: 20, cell: |row| Cell::Text(row.site_name.clone()) },
        Column { heading: "班级", width: 24, cell: |row| Cell::text(row.class_name.as_deref()) },
        Column { heading: "学籍状态", width: 10, cell: |row| Cell::Text(row.status.zh().to_owned()) },
        Column {
            heading: "状态原因", width: 14, cell: |row| Cell::text(row.status_reason.map(|reason| reason.zh()))
        },
        Column { heading: "离校日期", width: 12, cell: |row| Cell::date(row.ended_on) },
        Column { heading: "入学日期", width: 12, cell: |row| Cell::Date(row.enrolled_on) },
        Column { heading: "预计毕业", width: 12, cell: |row| Cell::Date(row.expected_graduation_on) },
        Column { heading: "最长学习期限", width: 14, cell: |row| Cell::Date(row.max_study_end_on) },
        Column { heading: "注册结果", width: 10, cell: |row| Cell::Text(row.register_result.zh().to_owned()) },
        Column { heading: "录取照片", width: 10, cell: |row| there(row.admission_photo) },
        Column { heading: "入学照片", width: 10, cell: |row| there(row.enrol_photo) },
        Column { heading: "学历照片", width: 10, cell: |row| there(row.graduation_photo) },
        Column { heading: "来源", width: 10, cell: |row| Cell::Text(row.source.zh().to_owned()) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &StudentFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, StudentRow>> {
        Ok(all(connection, &filter.wanted(scope)))
    }

    fn mask(row: &mut StudentRow) {
        row.mask();
    }
}
