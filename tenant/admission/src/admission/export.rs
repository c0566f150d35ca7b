//! 导出: what the list shows, as a workbook; 名册 is a set of its columns.

use infra::{
    Allowed, App, Body, Paged, Result, Scope,
    sheet::{Cell, Column},
    transfer::{self, Export, Exported, Rows},
};
use poem_openapi::{OpenApi, param::Query};
use sqlx::PgConnection;

use super::{
    DownloadAdmissions,
    list::{AdmissionFilter, AdmissionRow, all},
};
use crate::enums::{AdmissionDifference, AdmissionIssue};

pub struct Exports;

#[OpenApi(prefix_path = "/adult/pc/admission", tag = "crate::Tag::Admission")]
impl Exports {
    /// 导出录取数据
    #[oai(path = "/export", method = "post", operation_id = "exportAdmissions")]
    async fn export(
        &self,
        caller: Allowed<DownloadAdmissions>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<AdmissionFilter>>,
    ) -> Result<Exported> {
        transfer::export::<ExportAdmissions>(&caller, asked.filter, job.0).await
    }
}

fn issues(row: &AdmissionRow) -> Cell {
    let words: Vec<&str> = row.issues.iter().copied().map(AdmissionIssue::zh).collect();
    Cell::Text(words.join("、"))
}

fn differences(row: &AdmissionRow) -> Cell {
    let words: Vec<&str> = row.differences.iter().copied().map(AdmissionDifference::zh).collect();
    Cell::Text(words.join("、"))
}

fn score(row: &AdmissionRow) -> Cell {
    row.total_score.map_or(Cell::Empty, |score| Cell::Decimal((score * 10.0).round() as i64, 1))
}

/// 录取数据
pub struct ExportAdmissions;

impl Export for ExportAdmissions {
    type Filter = AdmissionFilter;
    type Row = AdmissionRow;
    const KIND: &'static str = "admission.export";
    type Permission = DownloadAdmissions;
    const PLAIN: Option<&'static str> = Some("adult:pc:admission:exportPlain");
    const TITLE: &'static str = "录取数据";
    const COLUMNS: &'static [Column<AdmissionRow>] = &[
        Column { heading: "批次", width: 20, cell: |row| Cell::Text(row.batch_name.clone()) },
        Column { heading: "考生号", width: 18, cell: |row| Cell::Text(row.examinee_no.clone()) },
        Column { heading: "准考证号", width: 18, cell: |row| Cell::text(row.ticket_no.as_deref()) },
        Column { heading: "姓名", width: 12, cell: |row| Cell::Text(row.name.clone()) },
        Column { heading: "性别", width: 6, cell: |row| Cell::Text(row.gender.zh().to_owned()) },
        Column { heading: "证件号", width: 22, cell: |row| Cell::Text(row.id_card_no.clone()) },
        Column { heading: "手机", width: 14, cell: |row| Cell::text(row.phone.as_deref()) },
        Column { heading: "年级", width: 12, cell: |row| Cell::Text(row.grade_name.clone()) },
        Column { heading: "层次", width: 10, cell: |row| Cell::Text(row.level_name.clone()) },
        Column { heading: "招办专业代码", width: 12, cell: |row| Cell::Text(row.authority_major_code.clone()) },
        Column { heading: "招办专业", width: 20, cell: |row| Cell::text(row.authority_major_name.as_deref()) },
        Column { heading: "专业", width: 20, cell: |row| Cell::Text(row.major_name.clone()) },
        Column { heading: "学习形式", width: 10, cell: |row| Cell::Text(row.study_form.zh().to_owned()) },
        Column {
            heading: "科类", width: 12, cell: |row| Cell::text(row.exam_category.map(|category| category.zh()))
        },
        Column { heading: "总分", width: 8, cell: score },
        Column { heading: "匹配", width: 10, cell: |row| Cell::Text(row.match_status.zh().to_owned()) },
        Column {
            heading: "预报名站点", width: 20, cell: |row| Cell::text(row.pre_registration_site_name.as_deref())
        },
        Column { heading: "站点", width: 20, cell: |row| Cell::text(row.site_name.as_deref()) },
        Column {
            heading: "超计划",
            width: 8,
            cell: |row| Cell::Text(if row.over_quota { "是" } else { "" }.to_owned()),
        },
        Column { heading: "问题", width: 24, cell: issues },
        Column { heading: "与预报名的差异", width: 20, cell: differences },
        Column {
            heading: "照片", width: 8, cell: |row| Cell::Text(if row.has_photo { "有" } else { "" }.to_owned())
        },
        Column { heading: "状态", width: 10, cell: |row| Cell::Text(row.status.zh().to_owned()) },
        Column { heading: "导入时间", width: 18, cell: |row| Cell::DateTime(row.created_at) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &AdmissionFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, AdmissionRow>> {
        Ok(all(connection, &filter.wanted(scope)))
    }

    fn mask(row: &mut AdmissionRow) {
        row.mask();
    }
}
