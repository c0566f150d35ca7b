//! 录取数据, 录取学生: everybody whom the authority admitted to a batch (02 §6).
//!
//! A row comes in by [`import`] alone. Deleting moves it into the recycle bin: every statement here looks at
//! `deleted_at is null`, but the import, which refuses a number that lies there.

mod allocation;
mod allocation_sheet;
mod audit;
mod cancel;
mod candidates;
mod edit;
mod export;
mod import;
pub mod list;
mod matching;
pub(crate) mod person;
mod photo;
mod quota;
mod remove;
mod undo;
pub(crate) mod view;

use infra::{
    Entity, History, Part, UnmaskedFields, permissions,
    steps::job,
    transfer::{export_job, import_job},
};
use poem_openapi::OpenApi;
use student_status::album::album_job;

pub(crate) use self::{
    allocation::AllocateAll, allocation_sheet::AllocationSheet, audit::AuditAll, export::ExportAdmissions,
    import::AdmissionFile, matching::MatchAll,
};

permissions! {
    pages
        "/schoolPC/recruitStudents/admissionList/admissionData",
        "/schoolPC/recruitStudents/admissionList/studentList",
        "/schoolPC/recruitStudents/admissionList/auditEnrollList",
        "/platformPC/recruitStudents/admissionList/admissionData",
        "/platformPC/recruitStudents/admissionList/studentList",
        "/platformPC/recruitStudents/admissionList/auditEnrollList";
    EachSchool  Reads       ListAdmissions        = "adult:pc:admission:list" "录取列表";
    EachSchool  Reads       ViewAdmission         = "adult:pc:admission:view" "查看录取数据";
    WholeSchool Reads       ListAdmissionImports  = "adult:pc:admission:list" "录取列表";
    InSchool    Writes      EditAdmission         = "adult:pc:admission:edit" "编辑录取数据";
    InSchool    Reads       SeekPreRegistration   = "adult:pc:admission:edit" "编辑录取数据";
    InSchool    Writes      DeleteAdmission       = "adult:pc:admission:delete" "删除录取数据";
    InSchool    Writes      DeleteAdmissions      = "adult:pc:admission:batchDel" "批量删除录取数据";
    InSchool    Writes      AllocateAdmissions    = "adult:pc:admission:allocation" "分配站点";
    InSchool    Writes      AuditAdmission        = "adult:pc:admission:audit" "审核录取";
    InSchool    Writes      AuditAdmissions       = "adult:pc:admission:batchReview" "批量审核录取";
    WholeSchool Writes      ImportAdmissions      = "adult:pc:admission:import" "导入录取数据";
    WholeSchool Reads       InspectAdmissionFile  = "adult:pc:admission:import" "导入录取数据";
    InSchool    Writes      ImportAdmissionPhotos = "adult:pc:admission:import" "导入录取数据";
    InSchool    Writes      ImportAllocations     = "adult:pc:admission:import" "导入录取数据";
    InSchool    Reads       FetchAllocationSheet  = "adult:pc:admission:import" "导入录取数据";
    EachSchool  ReadsLogged DownloadAdmissions    = "adult:pc:admission:export" "导出录取数据";
    EachSchool  ReadsLogged ExportPlainAdmissions = "adult:pc:admission:exportPlain" "导出录取数据完整证件号和手机";
    EachSchool  ReadsLogged ViewPlainAdmission    = "adult:pc:admission:viewPlain" "查看录取数据完整证件号和手机";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[
        Entity { table: "admission", name: "录取数据", counted: "条录取数据" },
        Entity { table: "admission_import", name: "录取导入记录", counted: "次录取导入" },
    ],
    jobs: &[
        export_job::<ExportAdmissions>(),
        import_job::<AdmissionFile>(),
        import_job::<AllocationSheet>(),
        album_job::<photo::AdmissionAlbum>(),
        job::<MatchAll>(),
        job::<AllocateAll>(),
        job::<AuditAll>(),
    ],
    plain: &[UnmaskedFields {
        entity: "admission",
        table: "admission",
        code: "adult:pc:admission:viewPlain",
        fields: &[("idCardNo", "id_card_no"), ("phone", "phone"), ("address", "address")],
        scope: ("site_id", None),
        live: Some("deleted_at is null"),
        platform: None,
    }],
    histories: &[History { table: "admission", code: "adult:pc:admission:view", scope: Some(("site_id", None)) }],
    option_pages: PAGES,
    ..Part::NONE
};

/// The operations on admissions.
pub(crate) fn api() -> impl OpenApi {
    (
        list::List,
        view::View,
        edit::Edit,
        remove::Remove,
        cancel::Cancel,
        audit::Audit,
        (matching::Match, candidates::Candidates),
        (allocation::Allocation, allocation_sheet::Sheet),
        quota::Quotas,
        (import::api(), photo::Photos),
        export::Exports,
    )
}
