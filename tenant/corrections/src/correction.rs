//! 信息更正 of one student: asked for, looked at by the site, the school and, for who is registered, the province (02 §9.6).

mod client;
mod form;
mod papers;
mod select;
mod sheet;
mod steps;

use correction_rules::correction::BOTH_ALLOWED;
pub use correction_rules::enums::{CorrectionKind, CorrectionResult, CorrectionSource, CorrectionStatus, EvidenceKind};
use infra::{
    Allowed, Body, Edit, Entity, Error, Page, Paged, Part, Reply, Result, UnmaskedFields, Warned,
    across::{Keyed, Listed},
    permissions, reply,
    setting::Settings,
    transfer::{self, Exported, export_job},
};
use poem_openapi::{OpenApi, param::Query};

pub use form::{CorrectionEvidenceForm, CorrectionForm, OpenCorrection, open, open_of, withdraw};
pub use select::{Correction, CorrectionEvidence, CorrectionFilter, CorrectionStep, CorrectionView};

use form::{Applicant, insert, update};

permissions! {
    pages "/schoolPC/studentStatus/studentRoll/BeRegistered";
    InSchool Reads       ListCorrections        = "adult:pc:correction:list" "信息更正列表";
    InSchool Reads       ViewCorrection         = "adult:pc:correction:view" "查看信息更正";
    InSchool ReadsLogged ViewPlainCorrection    = "adult:pc:correction:viewPlain" "查看信息更正完整证件号";
    InSchool Writes      SaveCorrection         = "adult:pc:correction:save" "申请信息更正";
    InSchool Writes      EditCorrection         = "adult:pc:correction:edit" "编辑信息更正";
    InSchool Writes      AuditCorrection        = "adult:pc:correction:audit" "审核信息更正";
    InSchool ReadsLogged ExportCorrections      = "adult:pc:correction:export" "导出信息更正";
    InSchool ReadsLogged ExportPlainCorrections = "adult:pc:correction:exportPlain" "导出信息更正完整证件号";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[
        CorrectionKind::ENUMERATION,
        CorrectionStatus::ENUMERATION,
        CorrectionSource::ENUMERATION,
        CorrectionResult::ENUMERATION,
        EvidenceKind::ENUMERATION,
    ],
    entities: &[Entity { table: "student_correction", name: "信息更正", counted: "条信息更正" }],
    jobs: &[export_job::<Corrections>()],
    settings: &[Settings { group: "recruitment", settings: &[BOTH_ALLOWED] }],
    // Who may see a correction follows its student.
    plain: &[UnmaskedFields {
        entity: "studentCorrection",
        table: "(select c.id, c.changes, s.site_id, s.class_id from student_correction c join student s on s.id = c.student_id) c",
        code: "adult:pc:correction:viewPlain",
        fields: &[
            ("beforeIdCardNo", "(changes #>> '{idCardNo,from}')"),
            ("afterIdCardNo", "(changes #>> '{idCardNo,to}')"),
        ],
        scope: ("site_id", Some("class_id")),
        live: None,
        platform: None,
    }],
    option_pages: PAGES,
    ..Part::NONE
};

pub struct Corrections;

#[OpenApi(prefix_path = "/adult/pc/correction", tag = "crate::Tag::Corrections")]
impl Corrections {
    /// 信息更正列表
    #[oai(path = "/list", method = "post", operation_id = "listCorrections")]
    async fn list(
        &self,
        caller: Allowed<ListCorrections>,
        Body(asked): Body<Paged<CorrectionFilter>>,
    ) -> Result<Reply<Page<Correction>>> {
        let paging = asked.paging()?;
        let mut tx = caller.read().await?;
        let (total, mut list) = <Self as Listed>::page(&mut tx, &asked.filter, &caller.scope(), paging).await?;
        for correction in &mut list {
            correction.show_to(caller.user_id());
        }
        Ok(reply(paging.page(total, list)))
    }

    /// 查看信息更正
    #[oai(path = "/view", method = "get", operation_id = "viewCorrection")]
    async fn view(
        &self,
        caller: Allowed<ViewCorrection>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<CorrectionView>> {
        let mut tx = caller.read().await?;
        let mut correction = Self::find(&mut tx, id.0, &caller.scope()).await?;
        correction.show_to(caller.user_id());
        let mut views = select::viewed(caller.app(), &mut tx, vec![correction]).await?;
        views.pop().map(reply).ok_or_else(Error::not_found)
    }

    /// 新增信息更正
    #[oai(path = "/save", method = "post", operation_id = "saveCorrection")]
    async fn save(&self, caller: Allowed<SaveCorrection>, Body(form): Body<CorrectionForm>) -> Result<Reply<Warned>> {
        let mut tx = caller.begin().await?;
        let (saved, change) = insert(&mut tx, form, &Applicant::office(&caller.scope())).await?;
        tx.commit(change).await?;
        Ok(reply(saved))
    }

    /// 编辑信息更正
    #[oai(path = "/edit", method = "put", operation_id = "editCorrection")]
    async fn edit(
        &self,
        caller: Allowed<EditCorrection>,
        Body(edit): Body<Edit<CorrectionForm>>,
    ) -> Result<Reply<Warned>> {
        let mut tx = caller.begin().await?;
        let (saved, change) = update(&mut tx, edit, &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(saved))
    }

    /// 导出信息更正
    #[oai(path = "/export", method = "post", operation_id = "exportCorrections")]
    async fn export(
        &self,
        caller: Allowed<ExportCorrections>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<CorrectionFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}

/// The operations on corrections.
pub(crate) fn api() -> impl OpenApi {
    (Corrections, steps::Steps, client::OwnCorrections)
}
