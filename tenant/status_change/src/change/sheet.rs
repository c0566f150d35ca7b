//! What the export of changes looks like.

use futures_util::TryStreamExt;
use infra::{
    App, Result, Scope,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use sqlx::PgConnection;

use super::{ChangeFilter, Changes, StudentChange, select::all};

impl Export for Changes {
    type Filter = ChangeFilter;
    type Row = StudentChange;
    const KIND: &'static str = "student_change.export";
    type Permission = super::ExportChanges;
    const TITLE: &'static str = "学籍异动";
    const COLUMNS: &'static [Column<StudentChange>] = &[
        Column { heading: "异动单号", width: 20, cell: |row| Cell::Text(row.change_no.clone()) },
        Column { heading: "学号", width: 18, cell: |row| Cell::text(row.student_no.as_deref()) },
        Column { heading: "姓名", width: 12, cell: |row| Cell::Text(row.name.clone()) },
        Column { heading: "类型", width: 14, cell: |row| Cell::Text(row.kind.zh().to_owned()) },
        Column { heading: "异动状态", width: 14, cell: |row| Cell::Text(row.status.zh().to_owned()) },
        Column { heading: "批次", width: 24, cell: |row| Cell::text(row.batch_name.as_deref()) },
        Column { heading: "原年级", width: 10, cell: |row| Cell::text(row.before_names.grade_name.as_deref()) },
        Column { heading: "原层次", width: 10, cell: |row| Cell::text(row.before_names.level_name.as_deref()) },
        Column { heading: "原专业", width: 20, cell: |row| Cell::text(row.before_names.major_name.as_deref()) },
        Column { heading: "原学习形式", width: 12, cell: |row| Cell::Text(row.before.study_form.zh().to_owned()) },
        Column { heading: "原站点", width: 20, cell: |row| Cell::text(row.before_names.site_name.as_deref()) },
        Column { heading: "原班级", width: 24, cell: |row| Cell::text(row.before_names.class_name.as_deref()) },
        Column { heading: "原学籍状态", width: 12, cell: |row| Cell::Text(row.before.status.zh().to_owned()) },
        Column { heading: "新年级", width: 10, cell: |row| Cell::text(row.after_names.grade_name.as_deref()) },
        Column { heading: "新层次", width: 10, cell: |row| Cell::text(row.after_names.level_name.as_deref()) },
        Column { heading: "新专业", width: 20, cell: |row| Cell::text(row.after_names.major_name.as_deref()) },
        Column { heading: "新学习形式", width: 12, cell: |row| Cell::Text(row.after.study_form.zh().to_owned()) },
        Column { heading: "新学制", width: 8, cell: |row| infra::naming::tenths(row.after.schooling_years) },
        Column { heading: "新站点", width: 20, cell: |row| Cell::text(row.after_names.site_name.as_deref()) },
        Column { heading: "新班级", width: 24, cell: |row| Cell::text(row.after_names.class_name.as_deref()) },
        Column { heading: "新学籍状态", width: 12, cell: |row| Cell::Text(row.after.status.zh().to_owned()) },
        Column { heading: "原因", width: 16, cell: |row| Cell::text(row.reason_code.map(|code| code.zh())) },
        Column { heading: "说明", width: 30, cell: |row| Cell::Text(row.reason.clone()) },
        Column { heading: "休学开始", width: 12, cell: |row| Cell::date(row.suspend_from) },
        Column { heading: "休学至", width: 12, cell: |row| Cell::date(row.suspend_until) },
        Column { heading: "累计休学月数", width: 14, cell: |row| Cell::Int(row.suspended_months.into()) },
        Column { heading: "逾期未复学", width: 12, cell: |row| Cell::Bool(row.overdue) },
        Column { heading: "转入院校", width: 24, cell: |row| Cell::text(row.target_school_name.as_deref()) },
        Column { heading: "重编学号", width: 10, cell: |row| Cell::Bool(row.renumber) },
        Column { heading: "生效日期", width: 12, cell: |row| Cell::date(row.effective_on) },
        Column { heading: "备案文号", width: 20, cell: |row| Cell::text(row.filing_no.as_deref()) },
        Column { heading: "备案日期", width: 12, cell: |row| Cell::date(row.filed_on) },
        Column { heading: "来源", width: 10, cell: |row| Cell::Text(row.source.zh().to_owned()) },
        Column { heading: "申请人", width: 12, cell: |row| Cell::Text(row.applicant_name.clone()) },
        Column { heading: "申请时间", width: 20, cell: |row| Cell::time(Some(row.created_at)) },
        Column { heading: "停留天数", width: 10, cell: |row| Cell::Int(row.waiting_days) },
        Column { heading: "未能生效的原因", width: 30, cell: |row| Cell::text(row.alert.as_deref()) },
    ];

    async fn rows<'c>(
        app: &App,
        connection: &'c mut PgConnection,
        filter: &ChangeFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, StudentChange>> {
        let today = app.clock().today();
        let rows = all(connection, filter, scope).await?;
        Ok(Box::pin(rows.map_ok(move |mut row| {
            row.reach(today);
            row
        })))
    }
}
