//! 作业: what is set for opened courses (part 03 B6).
//!
//! ```text
//! draft ─publish→ published ─(all time is over, or close)→ closed ─reopen→ published      published ─withdraw→ withdrawn ─publish→
//! ```
//! Publishing freezes the papers and makes a row of each student; what is answered from then on is the snapshot.

mod batch;
mod course;
mod download;
pub(crate) mod ease;
pub(crate) mod form;
mod options;
pub(crate) mod publish;
mod select;
mod sheet;
pub(crate) mod steps;
mod weigh;

use infra::{
    Allowed, Body, Bulk, BulkResult, Change, Edit, Entity, Error, History, Ids, Paged, Part, Reply, Result, Saved,
    Scope, Tx,
    across::{self, Keyed, SchoolPage},
    options::Source,
    permissions, reply,
    steps::job,
    transfer::{self, Exported, export_job},
};
use poem_openapi::{OpenApi, param::Query};
use sqlx::PgConnection;
use student_status::student::check::NOT_YOURS;

use crate::enums::HomeworkStatus;

pub use homework_rules::form::{HomeworkForm, HomeworkMarkerForm, HomeworkTargetForm};
pub use select::{Homework, HomeworkFilter, HomeworkView};
pub use steps::HomeworkItem;

use form::{insert, update};
use select::viewed;

permissions! {
    pages
        "/schoolPC/educational/onlineWork/onlineWorkList",
        "/platformPC/educational/onlineWork/onlineWorkList";
    EachSchool  Reads       ListHomework          = "exam:pc:tasks:list" "作业列表";
    EachSchool  Reads       ListCourseHomework    = "exam:pc:tasks:list" "作业列表";
    EachSchool  Reads       ViewHomework          = "exam:pc:tasks:view" "查看作业";
    EachSchool  Writes      SaveHomework          = "exam:pc:tasks:save" "布置作业";
    InSchool    Writes      SaveHomeworkBatch     = "exam:pc:tasks:save" "布置作业";
    EachSchool  Writes      EditHomework          = "exam:pc:tasks:edit" "编辑作业";
    EachSchool  Reads       WeighHomework         = "exam:pc:tasks:edit" "编辑作业";
    InSchool    Writes      DeleteHomework        = "exam:pc:tasks:delete" "删除作业";
    InSchool    Writes      DeleteHomeworks       = "exam:pc:tasks:batchDel" "批量删除作业";
    ManySchools Writes      PublishHomework       = "exam:pc:tasks:publish" "发布作业";
    InSchool    Writes      WithdrawHomework      = "exam:pc:tasks:withdraw" "撤回作业";
    ManySchools Writes      CloseHomework         = "exam:pc:tasks:close" "截止作业";
    InSchool    Writes      ReopenHomework        = "exam:pc:tasks:reopen" "重新开放作业";
    InSchool    Writes      ExtendHomework        = "exam:pc:tasks:extend" "作业延期";
    InSchool    Writes      ExemptHomework        = "exam:pc:tasks:exempt" "作业免做";
    EachSchool  Writes      RemindHomework        = "exam:pc:tasks:remind" "督促未交作业";
    InSchool    Writes      CopyHomework          = "exam:pc:tasks:copy" "复制作业";
    EachSchool  ReadsLogged ExportHomework        = "exam:pc:tasks:export" "导出作业";
    EachSchool  ReadsLogged ExportCourseHomework  = "exam:pc:tasks:export" "导出作业";
    InSchool    ReadsLogged DownloadHomework      = "exam:pc:tasks:batchDownload" "打包下载作业附件";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[
        Entity { table: "homework", name: "作业", counted: "个作业" },
        Entity { table: "homework_target", name: "作业对象", counted: "个作业" },
        Entity { table: "homework_marker", name: "作业批阅教师", counted: "个作业" },
        Entity { table: "homework_paper", name: "作业试卷", counted: "个作业" },
        Entity { table: "homework_snapshot", name: "作业快照", counted: "个作业" },
    ],
    jobs: &[
        export_job::<Homeworks>(),
        export_job::<course::CourseHomeworks>(),
        job::<publish::PublishAll>(),
        job::<steps::WithdrawAll>(),
        job::<steps::CloseAll>(),
        batch::JOB,
        download::JOB,
    ],
    histories: &[History {
        table: "homework",
        code: "exam:pc:tasks:view",
        // A homework lies where one of its students or classes is: the first of those that the caller sees.
        scope: Some((
            "coalesce(
                (select y.site_id from homework_student s join course_selection c on c.id = s.selection_id
                 join student y on y.id = c.student_id
                 where s.homework_id = homework.id and y.site_id = any($2) limit 1),
                (select k.site_id from homework_target t join class k on k.id = t.class_id
                 where t.homework_id = homework.id and k.site_id = any($2) limit 1))",
            Some(
                "coalesce(
                    (select y.class_id from homework_student s join course_selection c on c.id = s.selection_id
                     join student y on y.id = c.student_id
                     where s.homework_id = homework.id and y.class_id = any($3) limit 1),
                    (select t.class_id from homework_target t
                     where t.homework_id = homework.id and t.class_id = any($3) limit 1))",
            ),
        )),
    }],
    options: &[
        Source::new("homework", |connection, asked| Box::pin(options::options(connection, asked))).below("作业的课程")
    ],
    option_pages: &[
        "/schoolPC/educational/onlineWork/onlineWorkList",
        "/platformPC/educational/onlineWork/onlineWorkList",
        "/schoolPC/educational/onlineWork/onlineWork",
        "/platformPC/educational/onlineWork/onlineWork",
        "/schoolPC/educational/onlineWork/onlineAssignment",
        "/platformPC/educational/onlineWork/onlineWorkSetup",
        "/schoolPC/educational/onlineWork/onlineTestSetupAddByBatch",
        "/schoolPC/educational/onlineWork/onlineWorkMarking",
        "/platformPC/educational/onlineWork/onlineWorkMarking",
    ],
    ..Part::NONE
};

/// The list of homework.
pub struct Homeworks;

pub struct HomeworkRows;

#[OpenApi(prefix_path = "/exam/pc/tasks", tag = "crate::Tag::Homework")]
impl HomeworkRows {
    /// 作业列表
    #[oai(path = "/list", method = "post", operation_id = "listHomework")]
    async fn list(
        &self,
        caller: Allowed<ListHomework>,
        Body(asked): Body<Paged<HomeworkFilter>>,
    ) -> Result<Reply<SchoolPage<Homework>>> {
        across::list::<Homeworks, _>(&caller, asked.paging()?, asked.filter).await
    }

    /// 查看作业
    #[oai(path = "/view", method = "get", operation_id = "viewHomework")]
    async fn view(
        &self,
        caller: Allowed<ViewHomework>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<HomeworkView>> {
        let mut tx = caller.read().await?;
        Ok(reply(viewed(&mut tx, id.0, &caller.scope()).await?))
    }

    /// 布置作业
    /// 保存为草稿；发布另行办理
    #[oai(path = "/save", method = "post", operation_id = "saveHomework")]
    async fn save(&self, caller: Allowed<SaveHomework>, Body(form): Body<HomeworkForm>) -> Result<Reply<Saved>> {
        let mut tx = match caller.begin().await {
            Ok(tx) => tx,
            Err(error) => return error.replayed().map(|id| reply(Saved { id })).ok_or(error),
        };
        let (id, change) = insert(&mut tx, form, &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑作业
    /// 已发布的只能修改名称、延后时间、答案可见、批阅设置和权重；已截止的时间不变
    #[oai(path = "/edit", method = "put", operation_id = "editHomework")]
    async fn edit(&self, caller: Allowed<EditHomework>, Body(edit): Body<Edit<HomeworkForm>>) -> Result<Reply<Saved>> {
        let id = edit.id;
        let mut tx = caller.begin().await?;
        let change = update(&mut tx, edit, &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除作业
    #[oai(path = "/delete", method = "delete", operation_id = "deleteHomework")]
    async fn delete(
        &self,
        caller: Allowed<DeleteHomework>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, id.0, &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除作业
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteHomeworks")]
    async fn delete_many(&self, caller: Allowed<DeleteHomeworks>, Body(ids): Body<Ids>) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::named(caller.begin().await?, "homework", "title");
        for id in ids.ids {
            let outcome = remove(bulk.row().await?, id, &caller.scope()).await;
            bulk.ended(id, outcome.map_err(of_row)).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 导出作业
    #[oai(path = "/export", method = "post", operation_id = "exportHomework")]
    async fn export(
        &self,
        caller: Allowed<ExportHomework>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<HomeworkFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Homeworks>(&caller, asked.filter, job.0).await
    }
}

/// The operations on homework.
pub(crate) fn api() -> impl OpenApi {
    (
        HomeworkRows,
        publish::Publishing,
        steps::Steps,
        ease::Easements,
        batch::Batches,
        course::CourseRows,
        download::Downloads,
        weigh::Weighing,
    )
}

/// Told to whoever sees some of the classes that a change touches (03 §0.1).
const NOT_ALL_CLASSES: &str = "该记录包含您管辖范围以外的班级，不能修改";

/// Somebody whom a bulk step does not reach is told so, without a name.
pub(crate) fn of_row(error: Error) -> Error {
    if error.code == 404 { Error::new(404, NOT_YOURS) } else { error }
}

/// A homework as its steps know it.
#[derive(Debug, Clone)]
pub(crate) struct Held {
    pub id: i64,
    pub semester_name: String,
    pub semester_closed: bool,
    pub course_id: i64,
    pub course_name: String,
    pub title: String,
    pub status: HomeworkStatus,
    pub ends_at: infra::clock::Moment,
    pub late_until: Option<infra::clock::Moment>,
    pub version: i32,
}

impl Held {
    /// # Errors
    /// 409 when its semester is closed.
    pub(crate) fn in_open_semester(&self) -> Result<()> {
        if self.semester_closed {
            return Err(Error::conflict(format!("学期“{}”已关闭，不能修改", self.semester_name)));
        }
        Ok(())
    }

    /// # Errors
    /// 409 when it changed since it was read.
    pub(crate) async fn as_read(&self, tx: &mut Tx, version: i32) -> Result<()> {
        if self.version == version { Ok(()) } else { Err(tx.stale("homework", self.id).await) }
    }
}

/// Holds the openings of a homework, in their order, then the homework.
///
/// # Errors
/// 404 when there is none.
pub(crate) async fn held(tx: &mut Tx, id: i64) -> Result<Held> {
    let openings = sqlx::query_scalar!("select distinct opening_id from homework_target where homework_id = $1", id)
        .fetch_all(&mut **tx)
        .await?;
    course_selection::opening::hold(tx, &openings).await?;
    tx.lock("homework", id).await?;
    sqlx::query_as!(
        Held,
        r#"select h.id, e.name as semester_name, e.closed_at is not null as "semester_closed!", h.course_id,
                  u.name as course_name, h.title, h.status as "status: _", h.ends_at, h.late_until, h.version
           from homework h join semester e on e.id = h.semester_id join course u on u.id = h.course_id where h.id = $1"#,
        id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)
}

/// # Errors
/// 404 for a homework that is not there, or lies outside the scope.
pub(crate) async fn viewable(connection: &mut PgConnection, id: i64, scope: &Scope) -> Result<()> {
    Homeworks::find(connection, id, scope).await.map(drop)
}

/// The same for whoever changes it as a whole.
///
/// # Errors
/// 404 outside the scope; 403 when it touches classes beyond it; 409 when its semester is closed.
pub(crate) async fn locked(tx: &mut Tx, id: i64, scope: &Scope) -> Result<Held> {
    Homeworks::find(tx, id, scope).await?;
    let held = held(tx, id).await?;
    held.in_open_semester()?;
    of_all_classes(tx, id, scope).await?;
    Ok(held)
}

/// # Errors
/// 403 when a class, or somebody, of the homework lies beyond the scope.
async fn of_all_classes(connection: &mut PgConnection, id: i64, scope: &Scope) -> Result<()> {
    if scope.is_whole() {
        return Ok(());
    }
    let beyond = sqlx::query_scalar!(
        r#"select exists (
                      select from homework_target t left join class k on k.id = t.class_id
                      where t.homework_id = $1
                        and (t.class_id is null or not (k.site_id = any($2::bigint[]) or k.id = any($3::bigint[]))))
                  or exists (
                      select from homework_student s
                      join course_selection c on c.id = s.selection_id
                      join student y on y.id = c.student_id
                      where s.homework_id = $1 and s.state <> 'void'
                        and not coalesce(y.site_id = any($2) or y.class_id = any($3), false)) as "beyond!""#,
        id,
        scope.sites(),
        scope.classes()
    )
    .fetch_one(connection)
    .await?;
    if beyond { Err(Error::new(403, NOT_ALL_CLASSES)) } else { Ok(()) }
}

/// # Errors
/// 409 for what was published, or has sheets.
async fn remove(tx: &mut Tx, id: i64, scope: &Scope) -> Result<Change> {
    let held = locked(tx, id, scope).await?;
    if !held.status.is_open_to_edits() {
        let told = format!("作业“{}”{}，只有草稿和已撤回的可以删除", held.title, held.status.zh());
        return Err(Error::conflict(told));
    }
    let before = form::form_of(tx, id).await?;
    // What belongs to it goes with it; rows of students refer to it and are refused by name.
    for_removal(tx, id).await?;
    tx.remove("homework", id, &held.title).await?;
    Ok(Change::deleted("homework", id, &before))
}

async fn for_removal(tx: &mut Tx, id: i64) -> Result<()> {
    sqlx::query!("delete from homework_target where homework_id = $1", id).execute(&mut **tx).await?;
    sqlx::query!("delete from homework_marker where homework_id = $1", id).execute(&mut **tx).await?;
    sqlx::query!("delete from homework_paper where homework_id = $1", id).execute(&mut **tx).await?;
    sqlx::query!("delete from homework_snapshot where homework_id = $1", id).execute(&mut **tx).await?;
    Ok(())
}
