//! 预报名: the school's leads, from the first word to the province's admission (02 §3).
//!
//! ```text
//! – ─→ pending (approved where nobody audits)        pending, returned ─→ approved │ rejected │ cancelled
//! pending ─→ returned        rejected, cancelled ─→ pending        approved ─→ pending (before 网报)
//! ```
//! A person comes in by [`insert::insert`] alone, with what [`check::check`] let pass; 新增 and 导入 share them, in the console, at
//! a site ([`site`]) and in the form that a link opens to everybody ([`public`]). Deleting moves a row into the recycle bin: every
//! statement here looks at `deleted_at is null`.

mod check;
mod duplicates;
mod edit;
mod examinee_no;
mod export;
pub(crate) mod files;
pub mod form;
mod funnel;
mod import;
mod insert;
pub mod list;
pub(crate) mod offer;
mod papers;
mod public;
mod remove;
mod save;
mod site;
mod steps;
pub(crate) mod view;

use infra::{
    Entity, History, Part, UnmaskedFields,
    files::purpose,
    permissions,
    steps::job,
    transfer::{export_job, import_job},
};
use poem_openapi::OpenApi;

pub(crate) use self::{
    examinee_no::ExamineeNos, export::ExportPreRegistrations, import::PreRegistrationSheet, steps::AuditResult,
};
use import::SiteSheet;
pub(crate) use papers::KIND as PACK_PAPERS;

permissions! {
    pages
        "/schoolPC/recruitStudents/preRegistration/preRegistrationList",
        "/platformPC/recruitStudents/preRegistration/preRegistrationList";
    EachSchool Reads       ListPreRegistrations        = "adult:pc:preRegistration:list" "预报名列表";
    EachSchool Reads       ViewPreRegistration         = "adult:pc:preRegistration:view" "查看预报名";
    InSchool   Writes      SavePreRegistration         = "adult:pc:preRegistration:save" "新增预报名";
    InSchool   Writes      EditPreRegistration         = "adult:pc:preRegistration:edit" "编辑预报名";
    InSchool   Writes      AuditPreRegistration        = "adult:pc:preRegistration:audit" "审核预报名";
    InSchool   Writes      ReviewPreRegistrations      = "adult:pc:preRegistration:batchReview" "批量审核预报名";
    InSchool   Writes      DeletePreRegistration       = "adult:pc:preRegistration:delete" "删除预报名";
    InSchool   Writes      DeletePreRegistrations      = "adult:pc:preRegistration:batchDel" "批量删除预报名";
    InSchool   Writes      ImportPreRegistrations      = "adult:pc:preRegistration:import" "导入预报名";
    InSchool   Reads       FetchPreRegistrationSheet   = "adult:pc:preRegistration:import" "导入预报名";
    InSchool   ReadsLogged PackPapers                  = "adult:pc:preRegistration:batchDownload" "预报名材料打包下载";
    EachSchool ReadsLogged DownloadPreRegistrations    = "adult:pc:preRegistration:export" "导出预报名";
    EachSchool ReadsLogged ExportPlainPreRegistrations = "adult:pc:preRegistration:exportPlain" "导出预报名完整证件号和手机";
    EachSchool ReadsLogged ViewPlainPreRegistration    = "adult:pc:preRegistration:viewPlain" "查看预报名完整证件号和手机";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[AuditResult::ENUMERATION, steps::ReviewResult::ENUMERATION],
    entities: &[Entity { table: "pre_registration", name: "预报名", counted: "条预报名" }],
    params: &[&[
        purpose("upload.ext.registration", "报名材料格式", "pdf,jpg,jpeg,png"),
        purpose("upload.ext.identity", "证件格式", "jpg,jpeg,png"),
    ]],
    jobs: &[
        export_job::<ExportPreRegistrations>(),
        import_job::<PreRegistrationSheet>(),
        import_job::<SiteSheet>(),
        import_job::<ExamineeNos>(),
        PACK_PAPERS,
        job::<steps::ReviewAll>(),
        job::<steps::MissAll>(),
        job::<steps::MoveAll>(),
    ],
    plain: &[UnmaskedFields {
        entity: "preRegistration",
        table: "pre_registration",
        code: "adult:pc:preRegistration:viewPlain",
        fields: &[
            ("idCardNo", "id_card_no"),
            ("phone", "phone"),
            ("email", "email"),
            ("address", "address"),
            ("hukouPlace", "hukou_place"),
        ],
        scope: ("site_id", None),
        live: Some("deleted_at is null"),
        platform: None,
    }],
    histories: &[History {
        table: "pre_registration",
        code: "adult:pc:preRegistration:view",
        scope: Some(("site_id", None)),
    }],
    option_pages: PAGES,
    ..Part::NONE
};

/// The operations on pre-registrations.
pub(crate) fn api() -> impl OpenApi {
    (
        list::List,
        funnel::Funnel,
        offer::Offers,
        view::View,
        save::Save,
        edit::Edit,
        steps::Steps,
        remove::Remove,
        import::Import,
        examinee_no::Import,
        papers::Papers,
        (ExportPreRegistrations, site::OwnPreRegistrations, public::PublicPreRegistrations),
    )
}
