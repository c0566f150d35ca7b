//! 导出: the list of accounts as a workbook.

use infra::{
    Allowed, App, Body, Paged, Result, Scope,
    sheet::{Cell, Column},
    transfer::{self, Export, Exported, Rows},
};
use poem_openapi::{OpenApi, param::Query};
use sqlx::PgConnection;
use student_status_rules::account_list::StudentAccountFilter;

use super::{
    ExportStudentAccounts,
    list::{StudentAccountRow, all},
};

pub struct ExportAccounts;

#[OpenApi(prefix_path = "/user/pc/student", tag = "crate::Tag::StudentStatus")]
impl ExportAccounts {
    /// 导出学生账号
    #[oai(path = "/export", method = "post", operation_id = "exportStudentAccounts")]
    async fn export(
        &self,
        caller: Allowed<ExportStudentAccounts>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<StudentAccountFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}

impl Export for ExportAccounts {
    type Filter = StudentAccountFilter;
    type Row = StudentAccountRow;
    const KIND: &'static str = "studentAccount.export";
    type Permission = super::ExportStudentAccounts;
    const PLAIN: Option<&'static str> = Some("user:pc:student:exportPlain");
    const TITLE: &'static str = "学生账号";
    const COLUMNS: &'static [Column<StudentAccountRow>] = &[
        Column { heading: "登录名", width: 18, cell: |row| Cell::text(row.login_name.as_deref()) },
        Column { heading: "学号", width: 18, cell: |row| Cell::text(row.student_no.as_deref()) },
        Column { heading: "姓名", width: 12, cell: |row| Cell::Text(row.name.clone()) },
        Column { heading: "性别", width: 6, cell: |row| Cell::text(row.gender.map(|gender| gender.zh())) },
        Column { heading: "手机", width: 14, cell: |row| Cell::text(row.phone.as_deref()) },
        Column { heading: "年级", width: 10, cell: |row| Cell::Text(row.grade_name.clone()) },
        Column { heading: "层次", width: 10, cell: |row| Cell::Text(row.level_name.clone()) },
        Column { heading: "专业", width: 20, cell: |row| Cell::Text(row.major_name.clone()) },
        Column { heading: "站点", width: 20, cell: |row| Cell::Text(row.site_name.clone()) },
        Column { heading: "班级", width: 24, cell: |row| Cell::text(row.class_name.as_deref()) },
        Column { heading: "学籍状态", width: 10, cell: |row| Cell::Text(row.status.zh().to_owned()) },
        Column { heading: "账号状态", width: 10, cell: |row| Cell::Text(row.account_state.zh().to_owned()) },
        Column { heading: "首次登录", width: 20, cell: |row| Cell::time(row.first_login_at) },
        Column { heading: "最近登录", width: 20, cell: |row| Cell::time(row.last_login_at) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &StudentAccountFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, StudentAccountRow>> {
        Ok(all(connection, filter, scope))
    }

    fn mask(row: &mut StudentAccountRow) {
        row.mask();
    }
}
