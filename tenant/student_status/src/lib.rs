//! The register of students: who is enrolled where, in which status, and with which account.
//!
//! ```text
//! pending_registration ─→ registered ⇄ suspended
//! pending_registration, registered, suspended ─→ withdrawn          registered ─→ transferred_out
//! registered, suspended ─→ expired ─→ withdrawn
//! registered, expired ─→ graduated │ completed │ incomplete ─(revoked)→ registered
//! ```
//! A student comes into the register by [`student::enrol::enrol`] alone: the row, the first rows of the history and, when
//! there is a number to sign in with, the account, in one transaction. 新增, 导入 and the demo call it with what
//! [`student::check::check`] let pass.
//!
//! Invariants: only this room writes a status, and each change leaves a row in `student_status_change`; key fields change
//! by no form (02 §0.4); a class is left and taken by [`division`]; every list, count and export looks through [`register`], which holds the data scope;
//! the sheet of one class goes by the scope of the class.
//!
//! Start reading at [`student`], then `student/check.rs`.

pub mod account;
pub mod dates;
pub mod demo;
mod division;
pub mod keyword;
mod register;
mod roster;
pub mod student;
pub mod words;

use infra::{
    Entity, History, Plain, Room,
    transfer::{export_job, import_job},
};
pub use people::id_card;
use poem_openapi::{OpenApi, Tags};

#[derive(Tags)]
enum Tag {
    /// student_status
    #[oai(rename = "student_status")]
    StudentStatus,
}

pub const ROOM: Room = Room {
    name: "student_status",
    permissions: &[student::PERMISSIONS, account::PERMISSIONS, division::PERMISSIONS],
    enumerations: &[
        words::StudentStatus::ENUMERATION,
        words::RegisterResult::ENUMERATION,
        words::StudentSource::ENUMERATION,
        words::PreEduLevel::ENUMERATION,
        words::ExamCategory::ENUMERATION,
        words::WithdrawReason::ENUMERATION,
        words::StatusChangeKind::ENUMERATION,
        words::FeeFlag::ENUMERATION,
        words::PhotoKind::ENUMERATION,
        words::RegisterScope::ENUMERATION,
        division::DivisionMode::ENUMERATION,
        division::DivisionOrder::ENUMERATION,
    ],
    entities: &[
        Entity { table: "student", name: "学生", counted: "名学生" },
        Entity { table: "student_status_change", name: "学籍变动", counted: "条学籍变动" },
    ],
    jobs: &[
        export_job::<student::ExportStudents>(),
        import_job::<student::StudentSheet>(),
        export_job::<account::ExportAccounts>(),
        import_job::<division::DivisionSheet>(),
    ],
    plain: &[Plain {
        entity: "student",
        table: "student",
        code: "adult:pc:studentRoll:viewPlain",
        fields: &[
            ("idCardNo", "id_card_no"),
            ("phone", "phone"),
            ("emergencyPhone", "emergency_phone"),
            ("email", "email"),
            ("address", "address"),
            ("hukouPlace", "hukou_place"),
        ],
        scope: ("site_id", Some("class_id")),
        platform: None,
    }],
    histories: &[History {
        table: "student",
        code: "adult:pc:studentRoll:view",
        scope: Some(("site_id", Some("class_id"))),
    }],
    params: &[],
    schedules: &[],
};

pub fn api() -> impl OpenApi {
    (student::api(), account::api(), division::api(), roster::Roster)
}
