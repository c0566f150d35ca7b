//! 毕业登记 (02 §11): its permissions and operations.

mod download;
mod filling;
mod manager;
mod opinion;
mod own;
mod photo_check;
mod reading;
mod steps;

use infra::{Part, UnmaskedFields, permissions, steps::job, transfer::export_job};
use poem_openapi::OpenApi;

use crate::{enums::InformationKind, group::Group, information::export::Sheet};

permissions! {
    pages
        "/schoolPC/information/graduation/classStatistics",
        "/schoolPC/information/graduation/studentStatistics",
        "/platformPC/information/graduation/classStatistics",
        "/platformPC/information/graduation/studentStatistics";
    EachSchool  Reads       ListGraduationInformations        = "user:pc:graduationInformation:list" "毕业登记列表";
    EachSchool  Reads       ViewGraduationInformation         = "user:pc:graduationInformation:view" "查看毕业登记";
    InSchool    Writes      EditGraduationInformation         = "user:pc:graduationInformation:edit" "代填毕业登记";
    InSchool    Reads       ListGraduationInformationWindows  = "user:pc:graduationInformation:edit" "代填毕业登记";
    WholeSchool Writes      SetGraduationInformationWindow    = "user:pc:graduationInformation:edit" "代填毕业登记";
    InSchool    Writes      ReviewGraduationInformation       = "user:pc:graduationInformation:review" "审核毕业登记";
    InSchool    Writes      ReviewGraduationInformations      = "user:pc:graduationInformation:batchReview" "批量审核毕业登记";
    InSchool    Writes      RejectGraduationInformation       = "user:pc:graduationInformation:reject" "退回毕业登记";
    EachSchool  ReadsLogged ExportGraduationInformations      = "user:pc:graduationInformation:export" "导出毕业登记";
    EachSchool  ReadsLogged DownloadGraduationInformations    = "user:pc:graduationInformation:batchDownload" "打包下载毕业登记";
    EachSchool  ReadsLogged ExportPlainGraduationInformations = "user:pc:graduationInformation:exportPlain" "导出毕业登记完整证件号和手机";
    EachSchool  ReadsLogged ViewPlainGraduationInformation    = "user:pc:graduationInformation:viewPlain" "查看毕业登记完整证件号和联系方式";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    jobs: &[
        export_job::<Sheet<GraduationInformations>>(),
        job::<steps::GraduationInformationsReview>(),
        job::<opinion::WriteOpinions>(),
    ],
    // Who may see a form follows its student.
    plain: &[UnmaskedFields {
        entity: "graduationInformation",
        table: "(select i.id, i.content, s.id_card_no, s.phone, s.site_id, s.class_id from student_information i \
                join student s on s.id = i.student_id where i.kind = 'graduation_information') i",
        code: "user:pc:graduationInformation:viewPlain",
        fields: &[
            ("idCardNo", "id_card_no"),
            ("phone", "phone"),
            (
                "declaredIdCardNo",
                "(jsonb_path_query_first(content, '$.items[*] ? (@.key == \"id_card_no\").declared') #>> '{}')",
            ),
            ("contactAfterPhone", "(content ->> 'contactAfter')"),
        ],
        scope: ("site_id", Some("class_id")),
        live: None,
        platform: None,
    }],
    option_pages: PAGES,
    ..Part::NONE
};

/// The forms of this group.
pub(crate) enum GraduationInformations {}

impl Group for GraduationInformations {
    const KIND: InformationKind = InformationKind::GraduationInformation;
    const EXPORT: &'static str = "graduation_information.export";
    type Exporting = ExportGraduationInformations;
    type ExportingPlain = ExportPlainGraduationInformations;
    type Downloading = DownloadGraduationInformations;
}

/// The operations on them.
pub(crate) fn api() -> impl OpenApi {
    (
        (reading::Reading, download::Download, photo_check::PhotoChecking, opinion::Opinions),
        steps::Steps,
        own::Own,
        manager::OfManager,
    )
}
