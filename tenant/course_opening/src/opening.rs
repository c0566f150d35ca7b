//! 开课管理: the openings of a semester (part 03 B2).

mod form;
mod generate;
mod import;
mod nightly;
mod options;
mod select;
mod sheet;
mod steps;
mod sync;

use infra::{
    Allowed, Body, Change, Edit, Entity, Error, History, Paged, Part, Reply, Result, Saved, Scope, Tx,
    across::{self, Keyed, SchoolPage},
    options::Source,
    permissions, reply,
    steps::job,
    transfer::{self, ByRow, Exported, export_job, import_job},
};
use poem_openapi::{OpenApi, param::Query};

pub use form::{OpeningForm, OpeningSettings};
pub use select::{CourseOpening, OpeningFilter};
pub use steps::OpeningItem;

pub(crate) use generate::{Wish, generate};

use crate::{
    enums::{GenerationReason, OpeningStatus, TeachingMode},
    of_all_classes,
};
use form::{insert, update};

permissions! {
    pages "/schoolPC/educational/selection/courseOpening", "/platformPC/educational/selection/courseOpening";
    EachSchool  Reads       ListOpenings     = "adult:pc:courseOpening:list" "开课列表";
    EachSchool  Reads       ViewOpening      = "adult:pc:courseOpening:view" "查看开课";
    EachSchool  Writes      SaveOpening      = "adult:pc:courseOpening:save" "新增开课";
    EachSchool  Writes      EditOpening      = "adult:pc:courseOpening:edit" "编辑开课";
    EachSchool  Writes      DeleteOpening    = "adult:pc:courseOpening:delete" "删除开课";
    EachSchool  Writes      GenerateOpenings = "adult:pc:courseOpening:generate" "按计划生成开课";
    ManySchools Writes      OpenOpenings     = "adult:pc:courseOpening:open" "开课";
    ManySchools Writes      CloseOpenings    = "adult:pc:courseOpening:close" "结课";
    ManySchools Writes      CancelOpenings   = "adult:pc:courseOpening:cancel" "取消开课";
    EachSchool  Writes      SyncOpenings     = "adult:pc:courseOpening:sync" "同步名单";
    EachSchool  ReadsLogged ExportOpenings   = "adult:pc:courseOpening:export" "导出开课";
    EachSchool  Writes      ImportOpenings   = "adult:pc:courseOpening:import" "导入开课";
    EachSchool  Reads       FetchOpeningSheet = "adult:pc:courseOpening:import" "导入开课";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[TeachingMode::ENUMERATION, GenerationReason::ENUMERATION],
    entities: &[Entity { table: "course_opening", name: "开课", counted: "个开课" }],
    jobs: &[
        export_job::<Openings>(),
        import_job::<ByRow<import::OpeningSheet>>(),
        job::<steps::OpenAll>(),
        job::<steps::CloseAll>(),
        job::<steps::CancelAll>(),
        generate::JOB,
        nightly::JOB,
        sync::JOB,
    ],
    schedules: &[nightly::SCHEDULE],
    histories: &[History {
        table: "course_opening",
        code: "adult:pc:courseOpening:view",
        // An opening lies where one of its classes or students is: the first of those that the caller sees.
        scope: Some((
            "coalesce(
                (select k.site_id from class k
                 where (course_opening.grade_id is null or k.grade_id = course_opening.grade_id)
                   and (course_opening.major_id is null or k.major_id = course_opening.major_id)
                   and k.site_id = any($2) limit 1),
                (select s.site_id from course_selection c join student s on s.id = c.student_id
                 where c.opening_id = course_opening.id and c.status in ('pending', 'selected', 'completed')
                   and s.site_id = any($2) limit 1))",
            Some(
                "(select k.id from class k
                  where (course_opening.grade_id is null or k.grade_id = course_opening.grade_id)
                    and (course_opening.major_id is null or k.major_id = course_opening.major_id)
                    and k.id = any($3) limit 1)",
            ),
        )),
    }],
    options: &[
        Source::new("opening", |connection, asked| Box::pin(options::options(connection, asked))).below("开课的学期")
    ],
    option_pages: PAGES,
    ..Part::NONE
};

/// The list of openings.
pub struct Openings;

pub struct OpeningRows;

#[OpenApi(prefix_path = "/adult/pc/courseOpening", tag = "crate::Tag::CourseOpening")]
impl OpeningRows {
    /// 开课列表
    #[oai(path = "/list", method = "post", operation_id = "listOpenings")]
    async fn list(
        &self,
        caller: Allowed<ListOpenings>,
        Body(asked): Body<Paged<OpeningFilter>>,
    ) -> Result<Reply<SchoolPage<CourseOpening>>> {
        across::list::<Openings, _>(&caller, asked.paging()?, asked.filter).await
    }

    /// 查看开课
    #[oai(path = "/view", method = "get", operation_id = "viewOpening")]
    async fn view(
        &self,
        caller: Allowed<ViewOpening>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<CourseOpening>> {
        let mut tx = caller.read().await?;
        Ok(reply(Openings::find(&mut tx, id.0, &caller.scope()).await?))
    }

    /// 新增开课
    /// 计划外的课程和重修班；计划内的课程按计划生成
    #[oai(path = "/save", method = "post", operation_id = "saveOpening")]
    async fn save(&self, caller: Allowed<SaveOpening>, Body(form): Body<OpeningForm>) -> Result<Reply<Saved>> {
        let mut tx = match caller.begin().await {
            Ok(tx) => tx,
            Err(error) => return error.replayed().map(|id| reply(Saved { id })).ok_or(error),
        };
        let (id, change) = insert(&mut tx, &form, &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑开课
    /// 教学方式、人数上限和备注；其他内容来自教学计划
    #[oai(path = "/edit", method = "put", operation_id = "editOpening")]
    async fn edit(
        &self,
        caller: Allowed<EditOpening>,
        Body(edit): Body<Edit<OpeningSettings>>,
    ) -> Result<Reply<Saved>> {
        let id = edit.id;
        let mut tx = caller.begin().await?;
        let change = update(&mut tx, edit, &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除开课
    #[oai(path = "/delete", method = "delete", operation_id = "deleteOpening")]
    async fn delete(
        &self,
        caller: Allowed<DeleteOpening>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, id.0, &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 导出开课
    #[oai(path = "/export", method = "post", operation_id = "exportOpenings")]
    async fn export(
        &self,
        caller: Allowed<ExportOpenings>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<OpeningFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Openings>(&caller, asked.filter, job.0).await
    }
}

/// The operations on openings.
pub(crate) fn api() -> impl OpenApi {
    (OpeningRows, generate::Generation, steps::Steps, sync::Syncing, import::ImportOpening)
}

/// The opening, kept from others until the transaction ends.
///
/// # Errors
/// 404 outside the scope, 403 when it touches classes beyond it, 409 when its semester is closed.
async fn locked(tx: &mut Tx, id: i64, scope: &Scope) -> Result<CourseOpening> {
    // Whoever does not see it waits for nobody.
    Openings::find(tx, id, scope).await?;
    course_selection::opening::held(tx, id).await?.in_open_semester()?;
    let opening = Openings::find(tx, id, scope).await?;
    of_all_classes(tx, &[id], scope).await?;
    Ok(opening)
}

/// # Errors
/// 409 for what was opened, or is referred to.
async fn remove(tx: &mut Tx, id: i64, scope: &Scope) -> Result<Change> {
    let before = locked(tx, id, scope).await?;
    if before.status != OpeningStatus::Draft {
        return Err(Error::conflict(format!("“{}”为{}，只有待开课的可以删除", before.course_name, before.status.zh())));
    }
    tx.remove("course_opening", id, &before.course_name).await?;
    Ok(Change::deleted("course_opening", id, &before))
}
