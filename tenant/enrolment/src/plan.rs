//! 站点招生: which majors of a batch a site takes on, and for how many (02 §5).
//!
//! ```text
//! draft ─submit→ submitted ─audit→ approved ─revoke→ submitted
//!                submitted ─reject→ rejected ─edit→ draft
//! ```
//! What a site declares lies within the site; what the school grants is taken from what is left for all sites, so that only
//! whoever sees the whole school decides. Granting locks the majors ([`grant`]), so that the sites of a major never have more than its quota together.

mod client;
mod form;
mod grant;
mod import;
mod review;
mod select;
mod sheet;
mod summary;
mod undo;

use infra::{
    Allowed, Body, Bulk, BulkResult, Change, Edit, Entity, Error, History, Ids, Paged, Part, Reply, Result, Saved,
    Scope, Tx, UnmaskedFields,
    across::{self, Keyed, SchoolPage},
    permissions, reply,
    transfer::{self, Exported, export_job, import_job},
};
use poem_openapi::{OpenApi, param::Query};

pub use enrolment_rules::plan::SiteEnrollmentStatus;
pub use form::{SiteEnrollmentForm, SiteEnrollmentLineForm};
pub(crate) use import::PlanSheet;
pub use select::{SiteEnrollment, SiteEnrollmentFilter, SiteEnrollmentLine, SiteEnrollmentView};

use form::{insert, update};

permissions! {
    pages "/schoolPC/recruitStudents/siteEnrollment", "/platformPC/recruitStudents/siteEnrollment";
    EachSchool  Reads       ListSiteEnrollments    = "adult:pc:siteEnrollment:list" "站点招生列表";
    EachSchool  Reads       ViewSiteEnrollment     = "adult:pc:siteEnrollment:view" "查看站点招生";
    EachSchool  ReadsLogged ViewPlainSiteEnrollment = "adult:pc:siteEnrollment:viewPlain" "查看站点招生完整联系方式";
    InSchool    Writes      SaveSiteEnrollment     = "adult:pc:siteEnrollment:save" "新增站点招生";
    InSchool    Writes      EditSiteEnrollment     = "adult:pc:siteEnrollment:edit" "编辑站点招生";
    InSchool    Writes      DeleteSiteEnrollment   = "adult:pc:siteEnrollment:delete" "删除站点招生";
    InSchool    Writes      DeleteSiteEnrollments  = "adult:pc:siteEnrollment:batchDel" "批量删除站点招生";
    EachSchool  ReadsLogged ExportSiteEnrollments  = "adult:pc:siteEnrollment:export" "导出站点招生";
    WholeSchool Writes      AuditSiteEnrollment    = "adult:pc:siteEnrollment:audit" "核定站点招生";
    WholeSchool Writes      RejectSiteEnrollment   = "adult:pc:siteEnrollment:reject" "退回站点招生";
    WholeSchool Writes      ReviewSiteEnrollments  = "adult:pc:siteEnrollment:batchReview" "批量核定站点招生";
    WholeSchool Writes      ImportSiteEnrollments  = "adult:pc:siteEnrollment:import" "导入站点招生";
    InSchool    Reads       FetchSiteEnrollmentSheet = "adult:pc:siteEnrollment:import" "导入站点招生";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[SiteEnrollmentStatus::ENUMERATION],
    entities: &[
        Entity { table: "site_enrollment", name: "站点招生", counted: "个站点招生计划" },
        Entity { table: "site_enrollment_line", name: "站点招生专业", counted: "个站点的招生计划" },
    ],
    jobs: &[export_job::<SiteEnrollments>(), import_job::<PlanSheet>()],
    plain: &[UnmaskedFields {
        entity: "siteEnrollment",
        table: "site_enrollment",
        code: "adult:pc:siteEnrollment:viewPlain",
        fields: &[("contactPhone", "contact_phone")],
        scope: ("site_id", None),
        live: None,
        platform: None,
    }],
    histories: &[History {
        table: "site_enrollment",
        code: "adult:pc:siteEnrollment:view",
        scope: Some(("site_id", None)),
    }],
    option_pages: PAGES,
    ..Part::NONE
};

pub struct SiteEnrollments;

#[OpenApi(prefix_path = "/adult/pc/siteEnrollment", tag = "crate::Tag::Enrolment")]
impl SiteEnrollments {
    /// 站点招生列表
    #[oai(path = "/list", method = "post", operation_id = "listSiteEnrollments")]
    async fn list(
        &self,
        caller: Allowed<ListSiteEnrollments>,
        Body(asked): Body<Paged<SiteEnrollmentFilter>>,
    ) -> Result<Reply<SchoolPage<SiteEnrollment>>> {
        let mut answer = across::list::<Self, _>(&caller, asked.paging()?, asked.filter).await?;
        for plan in &mut answer.0.data.list {
            plan.row.mask();
        }
        Ok(answer)
    }

    /// 查看站点招生
    #[oai(path = "/view", method = "get", operation_id = "viewSiteEnrollment")]
    async fn view(
        &self,
        caller: Allowed<ViewSiteEnrollment>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<SiteEnrollmentView>> {
        let mut tx = caller.read().await?;
        let plan = Self::find(&mut tx, id.0, &caller.scope()).await?;
        let mut view = select::viewed(&mut tx, plan, &caller.scope()).await?;
        view.attachment_url = select::address(caller.app(), &mut tx, id.0).await?;
        view.plan.mask();
        Ok(reply(view))
    }

    /// 新增站点招生
    #[oai(path = "/save", method = "post", operation_id = "saveSiteEnrollment")]
    async fn save(
        &self,
        caller: Allowed<SaveSiteEnrollment>,
        Body(form): Body<SiteEnrollmentForm>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = insert(&mut tx, form, &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑站点招生
    #[oai(path = "/edit", method = "put", operation_id = "editSiteEnrollment")]
    async fn edit(
        &self,
        caller: Allowed<EditSiteEnrollment>,
        Body(edit): Body<Edit<SiteEnrollmentForm>>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = (edit.id, update(&mut tx, edit, &caller.scope()).await?);
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除站点招生
    #[oai(path = "/delete", method = "delete", operation_id = "deleteSiteEnrollment")]
    async fn delete(
        &self,
        caller: Allowed<DeleteSiteEnrollment>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, id.0, &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除站点招生
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteSiteEnrollments")]
    async fn delete_many(
        &self,
        caller: Allowed<DeleteSiteEnrollments>,
        Body(ids): Body<Ids>,
    ) -> Result<Reply<BulkResult>> {
        let mut bulk = rows_of(caller.begin().await?);
        for id in ids.ids {
            let outcome = remove(bulk.row().await?, id, &caller.scope()).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 导出站点招生
    #[oai(path = "/export", method = "post", operation_id = "exportSiteEnrollments")]
    async fn export(
        &self,
        caller: Allowed<ExportSiteEnrollments>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<SiteEnrollmentFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}

/// The operations on plans.
pub(crate) fn api() -> impl OpenApi {
    (SiteEnrollments, review::Review, summary::Summary, import::PlanImport, client::OwnPlan)
}

/// A bulk step over plans. People know a plan by its site.
fn rows_of(tx: Tx) -> Bulk {
    Bulk::named(tx, "(select p.id, s.name from site_enrollment p join site s on s.id = p.site_id) plan", "name")
}

/// The plan with its lines; nobody else decides about it meanwhile.
///
/// # Errors
/// 404 outside the scope, 409 when its batch is closed.
async fn lock(tx: &mut Tx, id: i64, scope: &Scope) -> Result<SiteEnrollmentView> {
    tx.lock("site_enrollment", id).await?;
    let plan = SiteEnrollments::find(tx, id, scope).await?;
    crate::batch::running(tx, plan.batch_id).await?;
    select::kept(tx, plan).await
}

/// # Errors
/// 409 for what was submitted.
async fn remove(tx: &mut Tx, id: i64, scope: &Scope) -> Result<Change> {
    let before = lock(tx, id, scope).await?;
    let (name, status) = (&before.plan.site_name, before.plan.status);
    if status != SiteEnrollmentStatus::Draft {
        return Err(Error::conflict(format!("“{name}”的申报为{}，只有草稿可以删除", status.zh())));
    }
    review::nobody_admitted(tx, &before, "删除").await?;
    take_away(tx, &before).await
}

/// Takes away a plan to which nobody was admitted. Its lines are its own, and go with it.
async fn take_away(tx: &mut Tx, plan: &SiteEnrollmentView) -> Result<Change> {
    let id = plan.plan.id;
    sqlx::query!("delete from site_enrollment_line where site_enrollment_id = $1", id).execute(&mut **tx).await?;
    tx.remove("site_enrollment", id, &plan.plan.site_name).await?;
    if let Some(key) = &plan.attachment_key {
        infra::files::release(tx, std::slice::from_ref(key)).await?;
    }
    Ok(Change::deleted("site_enrollment", id, plan))
}
