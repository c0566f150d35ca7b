//! 违规: what happened in an examination, and what was decided of it (part 04 §3). Nobody decides a case that they reported.
//!
//! ```text
//! reported ─audit→ confirmed ─revoke→ revoked      reported ─audit→ dismissed
//! ```

mod decide;
mod save;
mod select;

use infra::{
    Allowed, Body, Entity, History, Paged, Part, Reply, Result, Saved,
    across::{self, Keyed, SchoolPage},
    permissions, reply,
    transfer::{self, Exported, export_job},
};
use poem_openapi::{OpenApi, param::Query};
use sqlx::PgConnection;

pub use decide::Decisions;
pub use save::ViolationForm;
pub use select::{Violation, ViolationFilter, ViolationView};

permissions! {
    pages
        "/schoolPC/examination/offlineIndex/offlineManage",
        "/schoolPC/examination/onlineIndex/onlineExamination",
        "/platformPC/examination/onlineIndex/onlineExamination";
    EachSchool Reads       ListViolations   = "exam:pc:violation:list" "违规记录列表";
    EachSchool Reads       ViewViolation    = "exam:pc:violation:view" "查看违规记录";
    InSchool   Writes      SaveViolation    = "exam:pc:violation:save" "新增违规记录";
    InSchool   Writes      AuditViolation   = "exam:pc:violation:audit" "审核违规记录";
    InSchool   Writes      RevokeViolation  = "exam:pc:violation:revoke" "撤销违规记录";
    EachSchool ReadsLogged ExportViolations = "exam:pc:violation:export" "导出违规记录";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[
        Entity { table: "exam_violation", name: "违规记录", counted: "条违规记录" },
        Entity { table: "exam_violation_file", name: "违规证据", counted: "份违规证据" },
    ],
    jobs: &[export_job::<Violations>()],
    histories: &[History {
        table: "exam_violation",
        code: "exam:pc:violation:view",
        scope: Some((
            "(select y.site_id from exam_candidate c join student y on y.id = c.student_id where c.id = exam_violation.candidate_id)",
            Some(
                "(select y.class_id from exam_candidate c join student y on y.id = c.student_id
                  where c.id = exam_violation.candidate_id)",
            ),
        )),
    }],
    option_pages: PAGES,
    ..Part::NONE
};

/// Cases of a setup that nobody decided yet.
///
/// # Errors
/// Those of the database.
pub async fn undecided_of(connection: &mut PgConnection, setup: i64) -> Result<i64> {
    Ok(sqlx::query_scalar!(
        r#"select count(*) as "undecided!" from exam_violation v join exam_candidate c on c.id = v.candidate_id
           where c.setup_id = $1 and v.status = 'reported'"#,
        setup
    )
    .fetch_one(connection)
    .await?)
}

/// The list of cases.
pub struct Violations;

#[OpenApi(prefix_path = "/exam/pc/violation", tag = "crate::Tag::Exams")]
impl Violations {
    /// 违规记录列表
    #[oai(path = "/list", method = "post", operation_id = "listViolations")]
    async fn list(
        &self,
        caller: Allowed<ListViolations>,
        Body(asked): Body<Paged<ViolationFilter>>,
    ) -> Result<Reply<SchoolPage<Violation>>> {
        across::list::<Self, _>(&caller, asked.paging()?, asked.filter).await
    }

    /// 查看违规记录
    #[oai(path = "/view", method = "get", operation_id = "viewViolation")]
    async fn view(
        &self,
        caller: Allowed<ViewViolation>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<ViolationView>> {
        let mut tx = caller.read().await?;
        let violation = Self::find(&mut tx, id.0, &caller.scope()).await?;
        Ok(reply(select::viewed(caller.app(), &mut tx, violation).await?))
    }

    /// 新增违规记录
    #[oai(path = "/save", method = "post", operation_id = "saveViolation")]
    async fn save(&self, caller: Allowed<SaveViolation>, Body(form): Body<ViolationForm>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = save::insert(&mut tx, form, &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 导出违规记录
    #[oai(path = "/export", method = "post", operation_id = "exportViolations")]
    async fn export(
        &self,
        caller: Allowed<ExportViolations>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<ViolationFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}
