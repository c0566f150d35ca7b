//! 导出: the list's columns as a workbook.

use infra::{
    Allowed, App, Body, Paged, Result, Scope,
    sheet::{Cell, Column},
    transfer::{self, Export, Exported, Rows},
};
use poem_openapi::{OpenApi, param::Query};
use sqlx::PgConnection;

use super::{
    DownloadPreRegistrations,
    list::{PreRegistrationFilter, PreRegistrationRow, all},
};

pub struct ExportPreRegistrations;

#[OpenApi(prefix_path = "/adult/pc/preRegistration", tag = "crate::Tag::Recruitment")]
impl ExportPreRegistrations {
    /// 导出预报名
    #[oai(path = "/export", method = "post", operation_id = "exportPreRegistrations")]
    async fn export(
        &self,
        caller: Allowed<DownloadPreRegistrations>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<PreRegistrationFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}

impl Export for ExportPreRegistrations {
    type Filter = PreRegistrationFilter;
    type Row = PreRegistrationRow;
    const KIND: &'static str = "pre_registration.export";
    type Permission = super::DownloadPreRegistrations;
    const PLAIN: Option<&'static str> = Some("adult:pc:preRegistration:exportPlain");
    const TITLE: &'static str = "预报名";
    const COLUMNS: &'static [Column<PreRegistrationRow>] = &[
        Column { heading: "批次", width: 20, cell: |row| Cell::Text(row.batch_name.clone()) },
        Column { heading: "姓名", width: 12, cell: |row| Cell::Text(row.name.clone()) },
        Column { heading: "性别", width: 6, cell: |row| Cell::Text(row.gender.zh().to_owned()) },
        Column { heading: "证件类型", width: 16, cell: |row| Cell::Text(row.id_card_type.zh().to_owned()) },
        Column { heading: "证件号", width: 22, cell: |row| Cell::Text(row.id_card_no.clone()) },
        Column { heading: "手机", width: 14, cell: |row| Cell::Text(row.phone.clone()) },
        Column { heading: "层次", width: 10, cell: |row| Cell::Text(row.level_name.clone()) },
        Column { heading: "专业", width: 20, cell: |row| Cell::Text(row.major_name.clone()) },
        Column { heading: "学习形式", width: 10, cell: |row| Cell::Text(row.study_form.zh().to_owned()) },
        Column { heading: "站点", width: 20, cell: |row| Cell::Text(row.site_name.clone()) },
        Column {
            heading: "入学前学历", width: 14, cell: |row| Cell::text(row.pre_edu_level.map(|level| level.zh()))
        },
        Column { heading: "来源", width: 10, cell: |row| Cell::Text(row.source.zh().to_owned()) },
        Column { heading: "网报号", width: 18, cell: |row| Cell::text(row.provincial_reg_no.as_deref()) },
        Column { heading: "考生号", width: 18, cell: |row| Cell::text(row.examinee_no.as_deref()) },
        Column { heading: "审核状态", width: 10, cell: |row| Cell::Text(row.status.zh().to_owned()) },
        Column { heading: "考试状态", width: 10, cell: |row| Cell::Text(row.exam_status.zh().to_owned()) },
        Column { heading: "报名时间", width: 18, cell: |row| Cell::DateTime(row.created_at) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &PreRegistrationFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, PreRegistrationRow>> {
        Ok(all(connection, &filter.wanted(scope)))
    }

    fn mask(row: &mut PreRegistrationRow) {
        row.mask();
    }
}
