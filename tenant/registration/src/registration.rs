//! 报到管理: everybody whose admission was audited, and whether they come (02 §7).
//!
//! A row comes in by [`crate::opening`] alone. Deleting moves it into the recycle bin: every statement here looks at
//! `deleted_at is null`.

mod attached;
mod client;
mod edit;
mod export;
mod fee;
mod fee_sheet;
pub(crate) mod held;
mod leave;
mod list;
pub(crate) mod own;
mod print;
mod remove;
pub(crate) mod report;
mod reserve;
mod result_sheet;
mod resume;
mod statistics;
mod undo;
pub(crate) mod view;

use infra::{
    Entity, History, Part, UnmaskedFields, permissions,
    setting::{Setting, Settings},
    steps::job,
    transfer::{export_job, import_job},
};
use poem_openapi::OpenApi;

pub use fee::mark_paid;
pub use undo::{Untaken, hold_of, untaken};

pub(crate) use self::{
    export::ExportRegistrations, fee_sheet::FeeSheet, leave::AbandonAll, report::ReportAll, result_sheet::ResultSheet,
};

permissions! {
    pages
        "/schoolPC/recruitStudents/registrationList",
        "/platformPC/recruitStudents/registrationList";
    EachSchool Reads       ListRegistrations        = "adult:pc:registration:list" "报到列表";
    EachSchool Reads       ViewRegistration         = "adult:pc:registration:view" "查看报到";
    InSchool   Reads       PrintRegistration        = "adult:pc:registration:view" "查看报到";
    InSchool   Writes      EditRegistration         = "adult:pc:registration:edit" "编辑报到";
    InSchool   Writes      DeleteRegistration       = "adult:pc:registration:delete" "删除报到";
    InSchool   Writes      DeleteRegistrations      = "adult:pc:registration:batchDel" "批量删除报到";
    InSchool   Writes      ReportRegistration       = "adult:pc:registration:audit" "报到";
    InSchool   Writes      ReportRegistrations      = "adult:pc:registration:batchReview" "批量报到";
    InSchool   Writes      ChangeRegistrationStatus = "adult:pc:registration:changeStatus" "变更报到状态";
    InSchool   Writes      RevokeRegistration       = "adult:pc:registration:reject" "取消入学资格";
    InSchool   Writes      ImportRegistrations      = "adult:pc:registration:import" "导入报到";
    InSchool   Reads       FetchRegistrationSheet   = "adult:pc:registration:import" "导入报到";
    EachSchool ReadsLogged DownloadRegistrations    = "adult:pc:registration:export" "导出报到";
    EachSchool ReadsLogged ExportPlainRegistrations = "adult:pc:registration:exportPlain" "导出报到完整证件号和手机";
    EachSchool ReadsLogged ViewPlainRegistration    = "adult:pc:registration:viewPlain" "查看报到完整证件号和手机";
}

/// Whether nobody reports who has not paid (01 §13).
const FEE_REQUIRED: Setting = Setting::yes_no("feeRequiredAtReport", "报到须已缴费", true, "未缴费的人员不能报到");

/// Whether who reports is seated at once (01 §13; 02 §9.5).
const AUTO_DIVIDE: Setting =
    Setting::yes_no("autoDivideAtReport", "报到时自动分班", true, "先补满已有班级，其余新建班级并均衡人数");

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[Entity { table: "registration", name: "报到", counted: "条报到数据" }],
    jobs: &[
        export_job::<ExportRegistrations>(),
        export_job::<export::Signed<export::Roll>>(),
        export_job::<export::Signed<export::Missing>>(),
        export_job::<export::Signed<export::Reserved>>(),
        export_job::<export::Signed<export::Abandoned>>(),
        import_job::<FeeSheet>(),
        import_job::<ResultSheet>(),
        job::<ReportAll>(),
        job::<AbandonAll>(),
    ],
    settings: &[Settings { group: "recruitment", settings: &[FEE_REQUIRED, AUTO_DIVIDE] }],
    plain: &[UnmaskedFields {
        entity: "registration",
        table: "registration",
        code: "adult:pc:registration:viewPlain",
        fields: &[
            ("idCardNo", "id_card_no"),
            ("phone", "phone"),
            // The papers have the address, which is the admission's.
            ("address", "(select a.address from admission a where a.id = registration.admission_id)"),
        ],
        scope: ("site_id", None),
        live: Some("deleted_at is null"),
        platform: None,
    }],
    histories: &[History { table: "registration", code: "adult:pc:registration:view", scope: Some(("site_id", None)) }],
    option_pages: PAGES,
    ..Part::NONE
};

/// The operations on registrations.
pub(crate) fn api() -> impl OpenApi {
    (
        (list::List, view::View, edit::Edit, remove::Remove),
        (report::Report, reserve::Reserve, resume::Resume, leave::Leave, undo::Undo),
        (fee::Fees, fee_sheet::Sheet, result_sheet::Results),
        (statistics::Statistics, print::Print, export::Exports),
        client::OwnRegistrations,
    )
}
