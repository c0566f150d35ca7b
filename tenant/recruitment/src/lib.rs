//! 招生: from the wish to study to the day on which a student's file is opened (part 02 §2–§8).
//!
//! ```text
//! batch (a window, with majors and sites) ─→ pre_registration pending ─→ approved ─(the province admits)→ admitted
//! ```
//! Start reading at [`batch`], then [`pre_registration`].

pub mod batch;
pub mod demo;
pub mod pre_registration;
mod privacy;
mod recycle_bin;
pub mod words;

use basic_data::options::Source;
use infra::{
    Entity, History, Plain, Room,
    transfer::{export_job, import_job},
};
use people::id_card;
use poem_openapi::{OpenApi, Tags};

#[derive(Tags)]
enum Tag {
    /// recruitment
    #[oai(rename = "recruitment")]
    Recruitment,
}

/// The types of options that this room serves.
pub const OPTIONS: &[Source] =
    &[Source { kind: "preRegistrationBatch", find: |connection, asked| Box::pin(batch::options(connection, asked)) }];

pub const ROOM: Room = Room {
    name: "recruitment",
    permissions: &[batch::PERMISSIONS, pre_registration::PERMISSIONS, privacy::PERMISSIONS, recycle_bin::PERMISSIONS],
    enumerations: &[
        words::BatchPhase::ENUMERATION,
        words::PreRegistrationStatus::ENUMERATION,
        words::ExamStatus::ENUMERATION,
        words::PersonSource::ENUMERATION,
        words::AttachmentKind::ENUMERATION,
        pre_registration::AuditResult::ENUMERATION,
    ],
    entities: &[
        Entity { table: "pre_registration_batch", name: "预报名批次", counted: "个预报名批次" },
        Entity { table: "pre_registration_batch_level", name: "招生层次", counted: "个预报名批次" },
        Entity { table: "pre_registration_batch_major", name: "批次专业", counted: "个预报名批次" },
        Entity { table: "pre_registration_batch_site", name: "批次站点", counted: "个批次专业" },
        Entity { table: "pre_registration", name: "预报名", counted: "条预报名" },
    ],
    jobs: &[
        export_job::<batch::PreRegistrationBatches>(),
        export_job::<pre_registration::ExportPreRegistrations>(),
        import_job::<pre_registration::PreRegistrationSheet>(),
        import_job::<pre_registration::ExamineeNos>(),
        export_job::<recycle_bin::Bin>(),
        pre_registration::PACK_PAPERS,
        privacy::KIND,
    ],
    plain: &[Plain {
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
        platform: None,
    }],
    histories: &[
        History { table: "pre_registration_batch", code: "adult:pc:preRegistrationBatch:view", scope: None },
        History { table: "pre_registration", code: "adult:pc:preRegistration:view", scope: Some(("site_id", None)) },
    ],
    params: &[],
    schedules: &[privacy::SCHEDULE],
};

pub fn api() -> impl OpenApi {
    (batch::api(), pre_registration::api(), recycle_bin::Bin, privacy::Privacy)
}
