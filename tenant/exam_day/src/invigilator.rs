//! 监考员 and 监考安排 (part 04 §4.1, §4.3): who can be had at a site, and who watches which room.

pub(crate) mod duty;
mod form;
mod import;
mod select;
mod workload;

use infra::{
    Allowed, Body, Bulk, BulkResult, Change, Edit, Entity, History, Ids, Page, Paged, Part, Reply, Result, Saved,
    Scope, Tx,
    across::{Keyed, Listed},
    permissions, reply,
    transfer::{self, Attachment, ByRow, Exported, ImportAnswer, ImportForm, export_job, import_job},
};
use poem_openapi::{Object, OpenApi, param::Query, types::Example};

pub use duty::Duties;
pub use form::InvigilatorForm;
pub use select::{Invigilator, InvigilatorFilter};
pub use workload::Workloads;

permissions! {
    pages "/schoolPC/examination/offlineIndex/invigilator";
    InSchool Reads       ListInvigilators    = "offline:pc:offline:invigilator:list" "监考员列表";
    InSchool Reads       ListWorkload        = "offline:pc:offline:invigilator:list" "监考员列表";
    InSchool Reads       ViewInvigilator     = "offline:pc:offline:invigilator:view" "查看监考员";
    InSchool Reads       ListDuties          = "offline:pc:offline:invigilator:view" "查看监考员";
    InSchool Writes      SaveInvigilator     = "offline:pc:offline:invigilator:save" "新增监考员";
    InSchool Writes      EditInvigilator     = "offline:pc:offline:invigilator:edit" "编辑监考员";
    InSchool Writes      DeleteInvigilator   = "offline:pc:offline:invigilator:delete" "删除监考员";
    InSchool Writes      DeleteInvigilators  = "offline:pc:offline:invigilator:batchDel" "批量删除监考员";
    InSchool Writes      AddTeacherWatchers  = "offline:pc:offline:invigilator:addTeachers" "从教师库添加监考员";
    InSchool Writes      AssignDuties        = "offline:pc:offline:invigilator:assign" "安排监考";
    InSchool Writes      AutoDuties          = "offline:pc:offline:invigilator:auto" "自动安排监考";
    InSchool Writes      ClearDuties         = "offline:pc:offline:invigilator:clear" "清空监考安排";
    InSchool ReadsLogged ExportInvigilators  = "offline:pc:offline:invigilator:export" "导出监考员";
    InSchool ReadsLogged ExportWorkload      = "offline:pc:offline:invigilator:export" "导出监考员";
    InSchool Writes      ImportInvigilators  = "offline:pc:offline:invigilator:import" "导入监考员";
    InSchool Reads       FetchWatcherSheet   = "offline:pc:offline:invigilator:import" "导入监考员";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[
        Entity { table: "invigilator", name: "监考员", counted: "名监考员" },
        Entity { table: "invigilation", name: "监考安排", counted: "次监考安排" },
    ],
    jobs: &[export_job::<Invigilators>(), export_job::<Workloads>(), import_job::<ByRow<import::WatcherSheet>>()],
    histories: &[History {
        table: "invigilator",
        code: "offline:pc:offline:invigilator:view",
        scope: Some(("site_id", None)),
    }],
    option_pages: PAGES,
    ..Part::NONE
};

/// The list of invigilators.
pub struct Invigilators;

/// Teachers who watch at a site.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct TeacherWatchers {
    /// 教学站点
    pub site_id: i64,
    /// 教师
    #[oai(validator(min_items = 1, max_items = 500))]
    pub teacher_ids: Vec<i64>,
}

impl Example for TeacherWatchers {
    fn example() -> Self {
        Self { site_id: 1, teacher_ids: vec![1] }
    }
}

#[OpenApi(prefix_path = "/offline/pc/offline/invigilator", tag = "crate::Tag::ExamDay")]
impl Invigilators {
    /// 监考员列表
    #[oai(path = "/list", method = "post", operation_id = "listInvigilators")]
    async fn list(
        &self,
        caller: Allowed<ListInvigilators>,
        Body(asked): Body<Paged<InvigilatorFilter>>,
    ) -> Result<Reply<Page<Invigilator>>> {
        let paging = asked.paging()?;
        let mut tx = caller.read().await?;
        let (total, rows) = <Self as Listed>::page(&mut tx, &asked.filter, &caller.scope(), paging).await?;
        Ok(reply(paging.page(total, rows.into_iter().map(Invigilator::masked).collect())))
    }

    /// 查看监考员
    #[oai(path = "/view", method = "get", operation_id = "viewInvigilator")]
    async fn view(
        &self,
        caller: Allowed<ViewInvigilator>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Invigilator>> {
        let mut tx = caller.read().await?;
        Ok(reply(Self::find(&mut tx, id.0, &caller.scope()).await?.masked()))
    }

    /// 新增监考员
    #[oai(path = "/save", method = "post", operation_id = "saveInvigilator")]
    async fn save(&self, caller: Allowed<SaveInvigilator>, Body(form): Body<InvigilatorForm>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = form::insert(&mut tx, form, &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑监考员
    #[oai(path = "/edit", method = "put", operation_id = "editInvigilator")]
    async fn edit(
        &self,
        caller: Allowed<EditInvigilator>,
        Body(edit): Body<Edit<InvigilatorForm>>,
    ) -> Result<Reply<Saved>> {
        let id = edit.id;
        let mut tx = caller.begin().await?;
        let change = form::update(&mut tx, edit, &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除监考员
    #[oai(path = "/delete", method = "delete", operation_id = "deleteInvigilator")]
    async fn delete(
        &self,
        caller: Allowed<DeleteInvigilator>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, id.0, &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除监考员
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteInvigilators")]
    async fn delete_many(
        &self,
        caller: Allowed<DeleteInvigilators>,
        Body(ids): Body<Ids>,
    ) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::new(caller.begin().await?, "invigilator");
        for id in ids.ids {
            let outcome = remove(bulk.row().await?, id, &caller.scope()).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 从教师库添加监考员
    #[oai(path = "/addTeachers", method = "post", operation_id = "addTeacherWatchers")]
    async fn add(
        &self,
        caller: Allowed<AddTeacherWatchers>,
        Body(wanted): Body<TeacherWatchers>,
    ) -> Result<Reply<BulkResult>> {
        let scope = caller.scope();
        form::at_site(wanted.site_id, &scope)?;
        let mut bulk = Bulk::new(caller.begin().await?, "teacher");
        for teacher in wanted.teacher_ids {
            let outcome = form::of_teacher(bulk.row().await?, teacher, wanted.site_id, &scope).await;
            bulk.ended(teacher, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 导出监考员
    #[oai(path = "/export", method = "post", operation_id = "exportInvigilators")]
    async fn export(
        &self,
        caller: Allowed<ExportInvigilators>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<InvigilatorFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }

    /// 导入监考员
    #[oai(path = "/import", method = "post", operation_id = "importInvigilators")]
    async fn import(&self, caller: Allowed<ImportInvigilators>, form: ImportForm) -> Result<Reply<ImportAnswer>> {
        transfer::import::<ByRow<import::WatcherSheet>>(&caller, form).await
    }

    /// 监考员导入模板
    #[oai(path = "/import/template", method = "get", operation_id = "fetchInvigilatorImportTemplate")]
    async fn template(&self, caller: Allowed<FetchWatcherSheet>) -> Result<Attachment> {
        transfer::template::<ByRow<import::WatcherSheet>, _>(&caller).await
    }
}

/// # Errors
/// 404 beyond the scope; 409 for who watches somewhere.
pub(super) async fn remove(tx: &mut Tx, id: i64, scope: &Scope) -> Result<Change> {
    tx.lock("invigilator", id).await?;
    let before = Invigilators::find(tx, id, scope).await?;
    tx.remove("invigilator", id, &before.name).await?;
    Ok(Change::deleted("invigilator", id, &before))
}
