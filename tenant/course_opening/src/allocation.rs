//! 任课安排: who lectures, tutors and marks in each class of an opening (part 03 B3).
//!
//! An allocation without a class is of all classes; one that names the class goes before it. A class has one lecturer by name, an
//! opening one for all.

mod copy;
mod form;
mod import;
mod print;
mod select;
mod sheet;
mod transfer_to;
mod workload;

use course_opening_rules::allocation::at;
use infra::{
    Allowed, Body, Bulk, BulkResult, Change, Edit, Entity, Error, History, Ids, Paged, Part, Reply, Result, Saved,
    Scope, Tx,
    across::{self, SchoolPage},
    permissions, reply,
    setting::{Setting, Settings},
    transfer::{self, Exported, export_job, import_job},
};
use poem_openapi::{Object, OpenApi, param::Query};
use student_status::student::check::NOT_YOURS;

pub use course_opening_rules::allocation::{AllocatedTeacher, AllocationForm, ClassAllocations, CourseAllocation};
pub use form::AllocationsForm;
pub use select::{AllocationFilter, AllocationGrid};

use crate::enums::AllocationRole;
use form::{insert, remove, update};

permissions! {
    pages
        "/schoolPC/educational/selection/courseAllocation",
        "/platformPC/educational/selection/courseAllocation";
    EachSchool Reads       ListAllocations       = "adult:pc:courseAllocation:list" "任课安排列表";
    EachSchool Reads       ListWorkloads         = "adult:pc:courseAllocation:list" "任课安排列表";
    EachSchool Reads       ViewAllocation        = "adult:pc:courseAllocation:view" "查看任课安排";
    EachSchool Writes      SaveAllocations       = "adult:pc:courseAllocation:save" "新增任课安排";
    EachSchool Writes      EditAllocation        = "adult:pc:courseAllocation:edit" "编辑任课安排";
    EachSchool Writes      TransferAllocations   = "adult:pc:courseAllocation:edit" "编辑任课安排";
    EachSchool Writes      DeleteAllocation      = "adult:pc:courseAllocation:delete" "删除任课安排";
    EachSchool Writes      DeleteAllocations     = "adult:pc:courseAllocation:batchDel" "批量删除任课安排";
    EachSchool Writes      CopyAllocations       = "adult:pc:courseAllocation:copy" "沿用上学期任课";
    EachSchool ReadsLogged ExportAllocations     = "adult:pc:courseAllocation:export" "导出任课安排";
    EachSchool ReadsLogged ExportWorkloads       = "adult:pc:courseAllocation:export" "导出任课安排";
    EachSchool ReadsLogged PrintNotice           = "adult:pc:courseAllocation:print" "打印任课通知书";
    EachSchool Writes      ImportAllocations     = "adult:pc:courseAllocation:import" "导入任课安排";
    EachSchool Reads       FetchAllocationSheet  = "adult:pc:courseAllocation:import" "导入任课安排";
}

/// Above so many hours in a semester whoever allocates is told (01 §13).
pub(crate) const TEACHER_MAX_HOURS: Setting =
    Setting::int("teacherMaxHours", "教师学期学时上限", (240, 1, 2000), "超过时提醒");

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[AllocationRole::ENUMERATION],
    entities: &[Entity { table: "course_allocation", name: "任课安排", counted: "条任课安排" }],
    jobs: &[export_job::<Allocations>(), export_job::<workload::Workloads>(), import_job::<import::AllocationSheet>()],
    histories: &[History {
        table: "course_allocation",
        code: "adult:pc:courseAllocation:view",
        scope: Some(("(select k.site_id from class k where k.id = course_allocation.class_id)", Some("class_id"))),
    }],
    settings: &[Settings { group: "teaching", settings: &[TEACHER_MAX_HOURS] }],
    option_pages: PAGES,
    ..Part::NONE
};

/// The answer of a save of several.
#[derive(Debug, Clone, Object)]
pub struct AllocationsSaved {
    /// 编号
    pub ids: Vec<i64>,
    /// 提醒
    pub warnings: Vec<String>,
}

/// The list of openings with their classes and teachers.
pub struct Allocations;

pub struct AllocationRows;

#[OpenApi(prefix_path = "/adult/pc/courseAllocation", tag = "crate::Tag::CourseOpening")]
impl AllocationRows {
    /// 任课安排列表
    /// 每个开课列出其班级和各角色的教师
    #[oai(path = "/list", method = "post", operation_id = "listAllocations")]
    async fn list(
        &self,
        caller: Allowed<ListAllocations>,
        Body(asked): Body<Paged<AllocationFilter>>,
    ) -> Result<Reply<SchoolPage<AllocationGrid>>> {
        let (site, class) = (asked.filter.site_id, asked.filter.class_id);
        let mut listed = across::list::<Allocations, _>(&caller, asked.paging()?, asked.filter).await?;
        for opening in &mut listed.0.data.list {
            opening.row.classes.retain(|shown| shown.is_meant(site, class));
        }
        Ok(listed)
    }

    /// 查看任课安排
    #[oai(path = "/view", method = "get", operation_id = "viewAllocation")]
    async fn view(
        &self,
        caller: Allowed<ViewAllocation>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<CourseAllocation>> {
        let mut tx = caller.read().await?;
        Ok(reply(select::find(&mut tx, id.0, &caller.scope()).await?))
    }

    /// 新增任课安排
    #[oai(path = "/save", method = "post", operation_id = "saveAllocations")]
    async fn save(
        &self,
        caller: Allowed<SaveAllocations>,
        Body(wanted): Body<AllocationsForm>,
    ) -> Result<Reply<AllocationsSaved>> {
        let mut tx = match caller.begin().await {
            Ok(tx) => tx,
            Err(error) if error.replayed().is_some() => {
                let ids = select::ids_of(&mut *caller.read().await?, &wanted.items).await?;
                return Ok(reply(AllocationsSaved { ids, warnings: Vec::new() }));
            }
            Err(error) => return Err(error),
        };
        let (mut ids, mut changes) = (Vec::new(), Vec::new());
        let openings: Vec<i64> = wanted.items.iter().map(|item| item.opening_id).collect();
        form::hold(&mut tx, &openings).await?;
        for (place, item) in wanted.items.iter().enumerate() {
            let (id, change) =
                insert(&mut tx, item, &caller.scope()).await.map_err(|error| at(&format!("items[{place}]."), error))?;
            ids.push(id);
            changes.push(change);
        }
        let warnings = workload::warnings(&mut tx, &ids).await?;
        tx.commit_all(changes).await?;
        Ok(reply(AllocationsSaved { ids, warnings }))
    }

    /// 编辑任课安排
    /// 更换主讲时，未上的课改由新的教师上；新的教师没有空时不保存
    #[oai(path = "/edit", method = "put", operation_id = "editAllocation")]
    async fn edit(
        &self,
        caller: Allowed<EditAllocation>,
        /// 同步更新未上课的排课
        /// 不填时同步
        #[oai(name = "syncTimetable")]
        sync_timetable: Query<Option<bool>>,
        Body(edit): Body<Edit<AllocationForm>>,
    ) -> Result<Reply<infra::Warned>> {
        let id = edit.id;
        let mut tx = caller.begin().await?;
        let change = update(&mut tx, &edit, sync_timetable.0.unwrap_or(true), &caller.scope()).await?;
        let warnings = workload::warnings(&mut tx, &[id]).await?;
        tx.commit(change).await?;
        Ok(reply(infra::Warned { id, warnings }))
    }

    /// 删除任课安排
    #[oai(path = "/delete", method = "delete", operation_id = "deleteAllocation")]
    async fn delete(
        &self,
        caller: Allowed<DeleteAllocation>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, id.0, &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除任课安排
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteAllocations")]
    async fn delete_many(&self, caller: Allowed<DeleteAllocations>, Body(ids): Body<Ids>) -> Result<Reply<BulkResult>> {
        let mut tx = caller.begin().await?;
        form::hold_of(&mut tx, &ids.ids).await?;
        let mut bulk = rows_of(tx);
        for id in ids.ids {
            let outcome = remove(bulk.row().await?, id, &caller.scope()).await;
            bulk.ended(id, outcome.map_err(of_row)).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 导出任课安排
    #[oai(path = "/export", method = "post", operation_id = "exportAllocations")]
    async fn export(
        &self,
        caller: Allowed<ExportAllocations>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<AllocationFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Allocations>(&caller, asked.filter, job.0).await
    }
}

/// The operations on allocations.
pub(crate) fn api() -> impl OpenApi {
    (
        (AllocationRows, print::Prints),
        copy::Copying,
        transfer_to::Transferring,
        workload::WorkloadRows,
        import::ImportAllocation,
    )
}

/// A bulk step over allocations. People know one by its teacher.
fn rows_of(tx: Tx) -> Bulk {
    let table = "(select a.id, t.name from course_allocation a join teacher t on t.id = a.teacher_id) allocation";
    Bulk::named(tx, table, "name")
}

fn of_row(error: Error) -> Error {
    if error.code == 404 { Error::new(404, NOT_YOURS) } else { error }
}

/// Takes away the allocations of an opening that is cancelled; the opening is held.
///
/// # Errors
/// Those of the database.
pub(crate) async fn remove_of_opening(tx: &mut Tx, opening: i64) -> Result<Vec<Change>> {
    let ids = sqlx::query_scalar!("select id from course_allocation where opening_id = $1 order by id", opening)
        .fetch_all(&mut **tx)
        .await?;
    let mut changes = Vec::with_capacity(ids.len());
    for id in ids {
        let before = select::find(tx, id, &Scope::whole_school()).await?;
        tx.remove("course_allocation", id, &before.teacher_name).await?;
        changes.push(Change::deleted("course_allocation", id, &before));
    }
    Ok(changes)
}
