//! 院校课程: the school's library of courses, from which plans are made (part 03 A5). The wire calls it collegeCurriculum.
//!
//! Credits, hours and exam form are defaults: a plan copies them, so a change here never reaches a plan.

mod batch;
mod form;
mod foundation;
mod options;
mod prerequisites;
mod rules;
mod select;
mod sheet;
mod usage;

use infra::{
    Allowed, Body, Bulk, BulkResult, Change, Edit, EnabledChange, Entity, History, Ids, Paged, Part, Reply, Result,
    Saved, Sorted, Tx, Warned,
    across::{self, SchoolPage},
    enumeration, files,
    naming::resolve_id,
    options::Source,
    permissions, reply,
    transfer::{self, Attachment, ByRow, Exported, ImportAnswer, ImportForm, export_job, import_job},
};
use poem_openapi::{Multipart, Object, OpenApi, param::Query, types::multipart::Upload};
use settings::sensitive;
use sqlx::PgConnection;

pub use course_rules::{
    course::{CourseForm, Textbook},
    enums::{AssessMode, CourseKind, CourseSource, ExamForm},
};
use options::options;
pub use select::{Course, CourseFilter};
pub use sheet::{NewCourses, UpsertedCourses};
pub(crate) use usage::{hold, known};

use batch::CourseBatchEdit;
use form::{insert, prepare, update};
use select::{find, select};

permissions! {
    pages "/schoolPC/basicData/course/collegeCurriculum", "/platformPC/basicData/course/collegeCurriculum";
    EachSchool Reads       ListCourses        = "course:pc:collegeCurriculum:list" "院校课程列表";
    EachSchool Reads       ViewCourse         = "course:pc:collegeCurriculum:view" "查看院校课程";
    EachSchool Writes      SaveCourse         = "course:pc:collegeCurriculum:save" "新增院校课程";
    EachSchool Writes      EditCourse         = "course:pc:collegeCurriculum:edit" "编辑院校课程";
    EachSchool Writes      EditCourses        = "course:pc:collegeCurriculum:edit" "编辑院校课程";
    EachSchool Writes      DeleteCourse       = "course:pc:collegeCurriculum:delete" "删除院校课程";
    EachSchool Writes      DeleteCourses      = "course:pc:collegeCurriculum:batchDel" "批量删除院校课程";
    EachSchool Writes      ChangeCourseStatus = "course:pc:collegeCurriculum:update:status" "启用停用院校课程";
    EachSchool ReadsLogged ExportCourses      = "course:pc:collegeCurriculum:export" "导出院校课程";
    EachSchool Writes      ImportCourses      = "course:pc:collegeCurriculum:import" "导入院校课程";
    EachSchool Reads       FetchCourseSheet   = "course:pc:collegeCurriculum:import" "导入院校课程";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[
        CourseKind::ENUMERATION,
        ExamForm::ENUMERATION,
        AssessMode::ENUMERATION,
        CourseSource::ENUMERATION,
        CourseSort::ENUMERATION,
    ],
    entities: &[
        Entity { table: "course", name: "院校课程", counted: "门课程" },
        Entity { table: "course_prerequisite", name: "先修课程", counted: "门后续课程" },
    ],
    jobs: &[export_job::<Courses>(), import_job::<ByRow<NewCourses>>(), import_job::<ByRow<UpsertedCourses>>()],
    histories: &[History { table: "course", code: "course:pc:collegeCurriculum:view", scope: None }],
    options: &[Source::new("course", |connection, asked| Box::pin(options(connection, asked))).below("课程的类型")],
    option_pages: PAGES,
    foundations: &[foundation::FOUNDATION],
    ..Part::NONE
};

/// A course with what only its own page needs.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct CourseView {
    #[oai(flatten)]
    pub course: Course,
    /// 教学大纲地址
    pub syllabus_url: Option<String>,
}

/// The multipart body of the import: by itself only new codes are taken.
#[derive(Debug, Multipart)]
#[oai(rename_all = "camelCase")]
pub struct CourseImportForm {
    /// 文件
    pub file: Upload,
    /// 仅检查
    pub dry_run: Option<bool>,
    /// 检查时文件的摘要
    pub sha256: Option<String>,
    /// 导入方式
    /// insert只新增，upsert按课程代码更新已有课程
    pub mode: Option<String>,
}

enumeration! {
    /// 课程排序字段
    pub enum CourseSort = "courseSort" {
        Code = "code" "课程代码",
        Name = "name" "课程名称",
        TypeName = "typeName" "课程类型",
        Credits = "credits" "学分",
        Hours = "hours" "总学时",
    }
}

pub struct Courses;

#[OpenApi(prefix_path = "/course/pc/collegeCurriculum", tag = "crate::Tag::Courses")]
impl Courses {
    /// 院校课程列表
    #[oai(path = "/list", method = "post", operation_id = "listCourses")]
    async fn list(
        &self,
        caller: Allowed<ListCourses>,
        Body(asked): Body<Sorted<CourseFilter, CourseSort>>,
    ) -> Result<Reply<SchoolPage<Course>>> {
        across::list::<Self, _>(&caller, asked.paging()?, asked.filter).await
    }

    /// 查看院校课程
    #[oai(path = "/view", method = "get", operation_id = "viewCourse")]
    async fn view(
        &self,
        caller: Allowed<ViewCourse>,
        /// 编号
        id: Query<Option<i64>>,
        /// 课程代码
        code: Query<Option<String>>,
    ) -> Result<Reply<CourseView>> {
        let mut tx = caller.read().await?;
        let id = resolve_id(&mut tx, "course", id.0, code.0).await?;
        let course = find(&mut tx, id).await?;
        let syllabus_url = match course.syllabus_file_id {
            Some(file) => files::address(caller.app(), &mut tx, file).await?.map(|(url, _)| url),
            None => None,
        };
        Ok(reply(CourseView { course, syllabus_url }))
    }

    /// 新增院校课程
    #[oai(path = "/save", method = "post", operation_id = "saveCourse")]
    async fn save(&self, caller: Allowed<SaveCourse>, Body(form): Body<CourseForm>) -> Result<Reply<Warned>> {
        let mut tx = match caller.begin().await {
            Ok(tx) => tx,
            Err(error) => match error.replayed() {
                Some(id) => return Ok(reply(saved(&mut *caller.read().await?, id).await?)),
                None => return Err(error),
            },
        };
        let course = prepare(&mut tx, form, None).await?;
        prerequisites::check(&mut tx, &course.typed.prerequisite_ids, &[]).await?;
        let (id, change) = insert(&mut tx, &course).await?;
        let mut answer = saved(&mut tx, id).await?;
        answer.warnings.extend(sensitive::warning(&caller, "课程名称", &course.name).await?);
        tx.commit(change).await?;
        Ok(reply(answer))
    }

    /// 编辑院校课程
    #[oai(path = "/edit", method = "put", operation_id = "editCourse")]
    async fn edit(&self, caller: Allowed<EditCourse>, Body(edit): Body<Edit<CourseForm>>) -> Result<Reply<Warned>> {
        let mut tx = caller.begin().await?;
        let graph = prerequisites::lock(&mut tx).await?;
        let before = lock(&mut tx, edit.id).await?;
        let course = prepare(&mut tx, edit.form, Some(&before)).await?;
        let wanted = &course.typed.prerequisite_ids;
        prerequisites::check(&mut tx, wanted, &before.prerequisite_ids).await?;
        prerequisites::refuse_circle(&graph, &mut tx, edit.id, wanted).await?;
        let change = update(&mut tx, &before, Some(edit.version), &course).await?;
        let mut answer = saved(&mut tx, edit.id).await?;
        answer.warnings.extend(sensitive::warning(&caller, "课程名称", &course.name).await?);
        tx.commit(change).await?;
        Ok(reply(answer))
    }

    /// 批量设置院校课程
    #[oai(path = "/batchEdit", method = "put", operation_id = "editCourses")]
    async fn edit_many(
        &self,
        caller: Allowed<EditCourses>,
        Body(edit): Body<CourseBatchEdit>,
    ) -> Result<Reply<BulkResult>> {
        let mut tx = caller.begin().await?;
        let wish = batch::Wish::of(&mut tx, &edit).await?;
        let mut bulk = Bulk::new(tx, "course");
        for id in edit.ids {
            let outcome = wish.apply(bulk.row().await?, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 删除院校课程
    #[oai(path = "/delete", method = "delete", operation_id = "deleteCourse")]
    async fn delete(
        &self,
        caller: Allowed<DeleteCourse>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除院校课程
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteCourses")]
    async fn delete_many(&self, caller: Allowed<DeleteCourses>, Body(ids): Body<Ids>) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::new(caller.begin().await?, "course");
        for id in ids.ids {
            let outcome = remove(bulk.row().await?, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 启用停用院校课程
    #[oai(path = "/update/status", method = "put", operation_id = "changeCourseStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeCourseStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = tx.set_enabled("course", &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 导出院校课程
    #[oai(path = "/export", method = "post", operation_id = "exportCourses")]
    async fn export(
        &self,
        caller: Allowed<ExportCourses>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<CourseFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }

    /// 院校课程导入模板
    #[oai(path = "/import/template", method = "get", operation_id = "fetchCourseImportTemplate")]
    async fn template(&self, caller: Allowed<FetchCourseSheet>) -> Result<Attachment> {
        transfer::template::<ByRow<NewCourses>, _>(&caller).await
    }

    /// 导入院校课程
    #[oai(path = "/import", method = "post", operation_id = "importCourses")]
    async fn import(&self, caller: Allowed<ImportCourses>, form: CourseImportForm) -> Result<Reply<ImportAnswer>> {
        let sent = ImportForm { file: form.file, dry_run: form.dry_run, sha256: form.sha256 };
        match form.mode.as_deref() {
            None | Some("insert") => transfer::import::<ByRow<NewCourses>>(&caller, sent).await,
            Some("upsert") => transfer::import::<ByRow<UpsertedCourses>>(&caller, sent).await,
            Some(_) => Err(infra::Error::field("mode", "导入方式取值无效，请重新选择")),
        }
    }
}

/// Nobody begins to refer to the course while it is edited.
async fn lock(tx: &mut Tx, id: i64) -> Result<Course> {
    tx.lock("course", id).await?;
    find(tx, id).await
}

async fn saved(connection: &mut PgConnection, id: i64) -> Result<Warned> {
    let course = find(connection, id).await?;
    let namesakes = rules::namesakes(connection, &course).await?;
    let limits = rules::density_limits(connection).await?;
    Ok(Warned { id, warnings: rules::warnings(&namesakes, course.credits, course.hours, limits) })
}

/// What the course itself requires goes with it.
/// What belongs to the course goes with it; its syllabus is nobody's then.
async fn remove(tx: &mut Tx, id: i64) -> Result<Change> {
    let before = find(tx, id).await?;
    sqlx::query!("delete from course_prerequisite where course_id = $1", id).execute(&mut **tx).await?;
    tx.remove("course", id, &before.name).await?;
    let files = files::of_records(tx, "course", &[id]).await?;
    files::let_go(tx, &files).await?;
    Ok(Change::deleted("course", id, &before))
}
