//! 学籍异动 of one student: asked for, looked at by the sites, decided by the school, written into the register on its day, and
//! taken back (02 §10). The checks C1–C8 stand in `change/checks.rs`, the flow in [`status_change_rules::rules`].

mod checks;
mod client;
pub mod effect;
mod form;
mod import;
mod look;
mod papers;
mod print;
mod revoke;
mod select;
mod sheet;
mod statistics;
mod steps;

use infra::{
    Allowed, Body, Edit, Entity, Error, Paged, Part, Reply, Result, Saved, Scope, Tx,
    across::{self, SchoolPage},
    permissions, reply,
    setting::Settings,
    steps::job,
    transfer::{self, Exported, export_job, import_job},
};
use poem_openapi::{OpenApi, param::Query};
use status_change_rules::{
    enums::ChangeStatisticBy,
    rules,
    settings::{HIERARCHICAL_PAIRS, PROFESSIONAL_DEADLINE_MONTHS, SUSPENSION_MAX_MONTHS},
};

pub use form::{ChangeForm, ChangeSave, ChangeTarget};
pub use select::{ChangeFile, ChangeFilter, ChangeNames, ChangeStep, ChangeView, StudentChange};
pub use status_change_rules::enums::{
    ChangeReason, ChangeResult, ChangeScope, ChangeSource, ChangeStage, ChangeStatus,
};

pub(crate) use form::next_no;
pub(crate) use steps::note;

use form::{Applicant, insert, submit, update};

permissions! {
    pages
        "/schoolPC/studentStatus/transaction/changeApplication",
        "/schoolPC/studentStatus/professional",
        "/schoolPC/studentStatus/hierarchical",
        "/schoolPC/studentStatus/dropout",
        "/schoolPC/studentStatus/classChange",
        "/platformPC/studentStatus/professional",
        "/platformPC/studentStatus/hierarchical",
        "/platformPC/studentStatus/dropout",
        "/platformPC/studentStatus/classChange";
    EachSchool Reads       ListChanges        = "adult:pc:change:list" "学籍异动列表";
    EachSchool Reads       ViewChange         = "adult:pc:change:view" "查看学籍异动";
    InSchool   Writes      SaveChange         = "adult:pc:change:save" "新增学籍异动";
    InSchool   Reads       CheckChange        = "adult:pc:change:save" "新增学籍异动";
    InSchool   Writes      EditChange         = "adult:pc:change:edit" "编辑学籍异动";
    InSchool   Writes      ReviewChangeOfSite = "adult:pc:change:siteReview" "站点审核异动";
    InSchool   Writes      AcceptChange       = "adult:pc:change:acceptReview" "接收站点审核异动";
    InSchool   Writes      AuditChange        = "adult:pc:change:audit" "审批学籍异动";
    InSchool   Writes      RejectChange       = "adult:pc:change:reject" "驳回学籍异动";
    InSchool   Writes      ReviewChanges      = "adult:pc:change:batchReview" "批量审批学籍异动";
    InSchool   Writes      RevokeChange       = "adult:pc:change:revoke" "撤销学籍异动";
    InSchool   Writes      WaiveChangeRules   = "adult:pc:change:changeStatus" "补办学籍异动";
    InSchool   Writes      ImportChanges      = "adult:pc:change:import" "导入学籍异动";
    InSchool   Reads       FetchChangeSheet   = "adult:pc:change:import" "导入学籍异动";
    EachSchool ReadsLogged ExportChanges      = "adult:pc:change:export" "导出学籍异动";
}

/// Who holds it for a student is asked neither for the window nor for 科类.
const WAIVES: &str = "adult:pc:change:changeStatus";

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[
        ChangeStatus::ENUMERATION,
        ChangeReason::ENUMERATION,
        ChangeSource::ENUMERATION,
        ChangeScope::ENUMERATION,
        ChangeStage::ENUMERATION,
        ChangeResult::ENUMERATION,
        ChangeStatisticBy::ENUMERATION,
    ],
    entities: &[Entity { table: "student_change", name: "学籍异动", counted: "条学籍异动" }],
    jobs: &[
        export_job::<Changes>(),
        import_job::<import::ChangeSheet>(),
        job::<steps::ReviewAll>(),
        job::<steps::FileAll>(),
        effect::JOB,
    ],
    schedules: &[effect::SCHEDULE],
    settings: &[Settings {
        group: "recruitment",
        settings: &[PROFESSIONAL_DEADLINE_MONTHS, HIERARCHICAL_PAIRS, SUSPENSION_MAX_MONTHS],
    }],
    option_pages: PAGES,
    ..Part::NONE
};

pub struct Changes;

#[OpenApi(prefix_path = "/adult/pc/change", tag = "crate::Tag::StatusChange")]
impl Changes {
    /// 学籍异动列表
    #[oai(path = "/list", method = "post", operation_id = "listChanges")]
    async fn list(
        &self,
        caller: Allowed<ListChanges>,
        Body(asked): Body<Paged<ChangeFilter>>,
    ) -> Result<Reply<SchoolPage<StudentChange>>> {
        let today = caller.app().clock().today();
        let mut answer = across::list::<Self, _>(&caller, asked.paging()?, asked.filter).await?;
        for change in &mut answer.0.data.list {
            change.row.reach(today);
        }
        Ok(answer)
    }

    /// 查看学籍异动
    #[oai(path = "/view", method = "get", operation_id = "viewChange")]
    async fn view(
        &self,
        caller: Allowed<ViewChange>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<ChangeView>> {
        let mut tx = caller.read().await?;
        let change = Self::find(&mut tx, id.0, &caller.scope()).await?;
        let mut views = select::viewed(caller.app(), &mut tx, vec![change]).await?;
        views.pop().map(reply).ok_or_else(Error::not_found)
    }

    /// 新增学籍异动
    /// 默认存为草稿；submit 为真时同时提交
    #[oai(path = "/save", method = "post", operation_id = "saveChange")]
    async fn save(&self, caller: Allowed<SaveChange>, Body(wanted): Body<ChangeSave>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let scope = caller.scope();
        let applicant = Applicant::office(&scope, caller.rights().get(WAIVES));
        let (id, change) = insert(&mut tx, wanted, &applicant).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑学籍异动
    #[oai(path = "/edit", method = "put", operation_id = "editChange")]
    async fn edit(&self, caller: Allowed<EditChange>, Body(edit): Body<Edit<ChangeForm>>) -> Result<Reply<Saved>> {
        let id = edit.id;
        let mut tx = caller.begin().await?;
        let change = update(&mut tx, edit, &caller.scope(), caller.rights().get(WAIVES)).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 提交学籍异动
    #[oai(path = "/submit", method = "post", operation_id = "submitChange")]
    async fn submit(&self, caller: Allowed<SaveChange>, Body(wanted): Body<steps::ChangeItem>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = submit(&mut tx, wanted, &caller.scope(), caller.rights().get(WAIVES)).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 导出学籍异动
    #[oai(path = "/export", method = "post", operation_id = "exportChanges")]
    async fn export(
        &self,
        caller: Allowed<ExportChanges>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<ChangeFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}

/// The operations on changes.
pub(crate) fn api() -> impl OpenApi {
    (
        Changes,
        look::Look,
        steps::Steps,
        revoke::Revoke,
        import::ImportChange,
        statistics::Statistics,
        print::Print,
        client::OwnChanges,
    )
}

/// The change, kept from others until the transaction ends. Whoever asks holds its student first.
///
/// # Errors
/// 404 outside the scope.
async fn locked(tx: &mut Tx, id: i64, scope: &Scope) -> Result<StudentChange> {
    tx.lock("student_change", id).await?;
    Changes::find(tx, id, scope).await
}
