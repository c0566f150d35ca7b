//! 学籍注册信息 (02 §11): its permissions and operations.

mod download;
mod filling;
mod manager;
mod own;
mod reading;
mod steps;

use infra::{Part, UnmaskedFields, permissions, steps::job, transfer::export_job};
use poem_openapi::OpenApi;

use crate::{enums::InformationKind, group::Group, information::export::Sheet};

permissions! {
    pages
        "/schoolPC/information/information/classStatistics",
        "/schoolPC/information/information/studentStatistics",
        "/platformPC/information/informations/classStatistics",
        "/platformPC/information/informations/studentStatistics";
    EachSchool  Reads       ListAdmissionInformations        = "user:pc:admissionInformation:list" "学籍注册信息列表";
    EachSchool  Reads       ViewAdmissionInformation         = "user:pc:admissionInformation:view" "查看学籍注册信息";
    InSchool    Writes      EditAdmissionInformation         = "user:pc:admissionInformation:edit" "代填学籍注册信息";
    InSchool    Reads       ListAdmissionInformationWindows  = "user:pc:admissionInformation:edit" "代填学籍注册信息";
    WholeSchool Writes      SetAdmissionInformationWindow    = "user:pc:admissionInformation:edit" "代填学籍注册信息";
    InSchool    Writes      ReviewAdmissionInformation       = "user:pc:admissionInformation:review" "审核学籍注册信息";
    InSchool    Writes      ReviewAdmissionInformations      = "user:pc:admissionInformation:batchReview" "批量审核学籍注册信息";
    InSchool    Writes      RejectAdmissionInformation       = "user:pc:admissionInformation:reject" "退回学籍注册信息";
    EachSchool  ReadsLogged ExportAdmissionInformations      = "user:pc:admissionInformation:export" "导出学籍注册信息";
    EachSchool  ReadsLogged DownloadAdmissionInformations    = "user:pc:admissionInformation:batchDownload" "打包下载学籍注册信息";
    EachSchool  ReadsLogged ExportPlainAdmissionInformations = "user:pc:admissionInformation:exportPlain" "导出学籍注册信息完整证件号和手机";
    EachSchool  ReadsLogged ViewPlainAdmissionInformation    = "user:pc:admissionInformation:viewPlain" "查看学籍注册信息完整证件号和联系方式";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    jobs: &[export_job::<Sheet<AdmissionInformations>>(), job::<steps::AdmissionInformationsReview>()],
    // Who may see a form follows its student.
    plain: &[UnmaskedFields {
        entity: "admissionInformation",
        table: "(select i.id, i.content, s.id_card_no, s.phone, s.site_id, s.class_id from student_information i \
                join student s on s.id = i.student_id where i.kind = 'admission_information') i",
        code: "user:pc:admissionInformation:viewPlain",
        fields: &[
            ("idCardNo", "id_card_no"),
            ("phone", "phone"),
            (
                "declaredIdCardNo",
                "(jsonb_path_query_first(content, '$.items[*] ? (@.key == \"id_card_no\").declared') #>> '{}')",
            ),
            ("contactPhone", "(content ->> 'phone')"),
            ("emergencyPhone", "(content ->> 'emergencyPhone')"),
            ("email", "(content ->> 'email')"),
            ("address", "(content ->> 'address')"),
        ],
        scope: ("site_id", Some("class_id")),
        live: None,
        platform: None,
    }],
    option_pages: PAGES,
    ..Part::NONE
};

/// The forms of this group.
pub(crate) enum AdmissionInformations {}

impl Group for AdmissionInformations {
    const KIND: InformationKind = InformationKind::AdmissionInformation;
    const EXPORT: &'static str = "admission_information.export";
    type Exporting = ExportAdmissionInformations;
    type ExportingPlain = ExportPlainAdmissionInformations;
    type Downloading = DownloadAdmissionInformations;
}

/// The operations on them.
pub(crate) fn api() -> impl OpenApi {
    (reading::Reading, download::Download, steps::Steps, own::Own, manager::OfManager)
}
