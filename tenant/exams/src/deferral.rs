//! 缓考: a student need not sit for a course in a batch, and makes up for it later (part 04 §3).
//!
//! ```text
//! applied ─audit→ approved ─(made up for)→ used      applied ─audit→ rejected      applied, approved ─cancel, revoke→ cancelled
//! ```

mod decide;
mod own;
mod save;
mod select;

use infra::{
    Allowed, Body, Entity, History, Paged, Part, Reply, Result, Saved,
    across::{self, Keyed, SchoolPage},
    permissions, reply,
    transfer::{self, Exported, export_job},
};
use poem_openapi::{OpenApi, param::Query};

pub use decide::{Decisions, used};
pub use own::OwnDeferrals;
pub use save::DeferralForm;
pub use select::{Deferral, DeferralFilter, DeferralView};

permissions! {
    pages
        "/schoolPC/examination/offlineIndex/offlineManage",
        "/schoolPC/examination/onlineIndex/onlineExamination",
        "/platformPC/examination/onlineIndex/onlineExamination";
    EachSchool Reads       ListDeferrals     = "exam:pc:deferral:list" "缓考申请列表";
    EachSchool Reads       ViewDeferral      = "exam:pc:deferral:view" "查看缓考申请";
    InSchool   Writes      SaveDeferral      = "exam:pc:deferral:save" "新增缓考申请";
    InSchool   Writes      AuditDeferral     = "exam:pc:deferral:audit" "审核缓考申请";
    InSchool   Writes      AuditLateDeferral = "exam:pc:deferral:auditLate" "考试开始后批准缓考";
    InSchool   Writes      RevokeDeferral    = "exam:pc:deferral:revoke" "撤销缓考申请";
    EachSchool ReadsLogged ExportDeferrals   = "exam:pc:deferral:export" "导出缓考申请";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[
        Entity { table: "exam_deferral", name: "缓考申请", counted: "条缓考申请" },
        Entity { table: "exam_deferral_file", name: "缓考证明", counted: "份缓考证明" },
    ],
    jobs: &[export_job::<Deferrals>()],
    histories: &[History {
        table: "exam_deferral",
        code: "exam:pc:deferral:view",
        scope: Some((
            "(select y.site_id from student y where y.id = exam_deferral.student_id)",
            Some("(select y.class_id from student y where y.id = exam_deferral.student_id)"),
        )),
    }],
    option_pages: PAGES,
    ..Part::NONE
};

/// The list of applications.
pub struct Deferrals;

#[OpenApi(prefix_path = "/exam/pc/deferral", tag = "crate::Tag::Exams")]
impl Deferrals {
    /// 缓考申请列表
    #[oai(path = "/list", method = "post", operation_id = "listDeferrals")]
    async fn list(
        &self,
        caller: Allowed<ListDeferrals>,
        Body(asked): Body<Paged<DeferralFilter>>,
    ) -> Result<Reply<SchoolPage<Deferral>>> {
        across::list::<Self, _>(&caller, asked.paging()?, asked.filter).await
    }

    /// 查看缓考申请
    #[oai(path = "/view", method = "get", operation_id = "viewDeferral")]
    async fn view(
        &self,
        caller: Allowed<ViewDeferral>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<DeferralView>> {
        let mut tx = caller.read().await?;
        let deferral = Self::find(&mut tx, id.0, &caller.scope()).await?;
        Ok(reply(select::viewed(caller.app(), &mut tx, deferral).await?))
    }

    /// 新增缓考申请
    /// 代学生申请
    #[oai(path = "/save", method = "post", operation_id = "saveDeferral")]
    async fn save(&self, caller: Allowed<SaveDeferral>, Body(form): Body<DeferralForm>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = save::by_staff(&mut tx, form, &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 导出缓考申请
    #[oai(path = "/export", method = "post", operation_id = "exportDeferrals")]
    async fn export(
        &self,
        caller: Allowed<ExportDeferrals>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<DeferralFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}
