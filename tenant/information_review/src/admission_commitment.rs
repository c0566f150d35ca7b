//! 入学资格审查 (02 §11): its permissions and operations.

mod download;
mod filling;
mod manager;
mod own;
mod pre_check;
mod reading;
mod steps;

use infra::{
    Part, UnmaskedFields, permissions,
    steps::job,
    transfer::{export_job, import_job},
};
use poem_openapi::OpenApi;

use crate::{enums::InformationKind, group::Group, information::export::Sheet};

permissions! {
    pages
        "/schoolPC/information/qualification/classStatistics",
        "/schoolPC/information/qualification/studentStatistics",
        "/platformPC/information/qualification/classStatistics",
        "/platformPC/information/qualification/studentStatistics";
    EachSchool  Reads       ListAdmissionCommitments        = "user:pc:admissionCommitment:list" "入学资格审查列表";
    EachSchool  Reads       ViewAdmissionCommitment         = "user:pc:admissionCommitment:view" "查看入学资格审查";
    InSchool    Writes      EditAdmissionCommitment         = "user:pc:admissionCommitment:edit" "代填入学资格审查";
    InSchool    Reads       ListAdmissionCommitmentWindows  = "user:pc:admissionCommitment:edit" "代填入学资格审查";
    WholeSchool Writes      SetAdmissionCommitmentWindow    = "user:pc:admissionCommitment:edit" "代填入学资格审查";
    InSchool    Writes      ReviewAdmissionCommitment       = "user:pc:admissionCommitment:review" "审核入学资格审查";
    InSchool    Writes      ReviewAdmissionCommitments      = "user:pc:admissionCommitment:batchReview" "批量审核入学资格审查";
    InSchool    Writes      RejectAdmissionCommitment       = "user:pc:admissionCommitment:reject" "退回入学资格审查";
    InSchool    Writes      ImportPreChecks                 = "user:pc:admissionCommitment:import" "导入前置学历清查结果";
    InSchool    Reads       FetchPreCheckSheet              = "user:pc:admissionCommitment:import" "导入前置学历清查结果";
    EachSchool  ReadsLogged ExportAdmissionCommitments      = "user:pc:admissionCommitment:export" "导出入学资格审查";
    EachSchool  ReadsLogged DownloadAdmissionCommitments    = "user:pc:admissionCommitment:batchDownload" "打包下载入学资格审查";
    EachSchool  ReadsLogged ExportPlainAdmissionCommitments = "user:pc:admissionCommitment:exportPlain" "导出入学资格审查完整证件号和手机";
    EachSchool  ReadsLogged ViewPlainAdmissionCommitment    = "user:pc:admissionCommitment:viewPlain" "查看入学资格审查完整证件号和联系方式";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    jobs: &[
        export_job::<Sheet<AdmissionCommitments>>(),
        import_job::<pre_check::PreCheckSheet>(),
        job::<steps::AdmissionCommitmentsReview>(),
    ],
    // Who may see a form follows its student.
    plain: &[UnmaskedFields {
        entity: "admissionCommitment",
        table: "(select i.id, i.content, s.id_card_no, s.phone, s.site_id, s.class_id from student_information i \
                join student s on s.id = i.student_id where i.kind = 'admission_commitment') i",
        code: "user:pc:admissionCommitment:viewPlain",
        fields: &[("idCardNo", "id_card_no"), ("phone", "phone")],
        scope: ("site_id", Some("class_id")),
        live: None,
        platform: None,
    }],
    option_pages: PAGES,
    ..Part::NONE
};

/// The forms of this group.
pub(crate) enum AdmissionCommitments {}

impl Group for AdmissionCommitments {
    const KIND: InformationKind = InformationKind::AdmissionCommitment;
    const EXPORT: &'static str = "admission_commitment.export";
    type Exporting = ExportAdmissionCommitments;
    type ExportingPlain = ExportPlainAdmissionCommitments;
    type Downloading = DownloadAdmissionCommitments;
}

/// The operations on them.
pub(crate) fn api() -> impl OpenApi {
    (reading::Reading, download::Download, steps::Steps, pre_check::PreCheck, own::Own, manager::OfManager)
}
