//! 计划课程 and 选修组: what stands in a draft (part 03 B1).
//!
//! Every write holds the plan's row, asks for a draft and raises the plan's version; where a body carries a version, it is the
//! plan's that was read.

mod form;
mod group;
mod import;
pub mod select;

use infra::{
    Allowed, Body, Change, Edit, Entity, Error, History, Part, Reply, Result, Tx, permissions, reply,
    transfer::import_job,
};
use poem_openapi::{Object, OpenApi, param::Query, types::Example};

use crate::plan::{Held, OnePlan, PlanSheet, form::touch, held, known};

pub use form::PlanCourseItem;
pub use group::PlanGroupForm;
pub use teaching_plan_rules::{
    course::{PlanCourse, PlanGroup},
    form::PlanCourseForm,
};

pub(crate) use group::MOST_GROUPS;
pub(crate) use teaching_plan_rules::form::{Base, Settled};

use select::{course, courses_of, groups_of};

permissions! {
    pages "/schoolPC/educational/teachingPlan", "/platformPC/educational/teachingPlan";
    EachSchool  Reads  ListPlanCourses      = "adult:pc:planCourse:list" "计划课程列表";
    WholeSchool Writes SavePlanCourses      = "adult:pc:planCourse:save" "新增计划课程";
    WholeSchool Writes EditPlanCourse       = "adult:pc:planCourse:edit" "编辑计划课程";
    WholeSchool Writes MovePlanCourse       = "adult:pc:planCourse:edit" "编辑计划课程";
    WholeSchool Writes DeletePlanCourse     = "adult:pc:planCourse:delete" "删除计划课程";
    WholeSchool Writes SavePlanGroup        = "adult:pc:planCourse:save" "新增计划课程";
    WholeSchool Writes EditPlanGroup        = "adult:pc:planCourse:edit" "编辑计划课程";
    WholeSchool Writes DeletePlanGroup      = "adult:pc:planCourse:delete" "删除计划课程";
    WholeSchool Writes ImportPlanCourses    = "adult:pc:planCourse:import" "导入计划课程";
    InSchool    Reads  FetchPlanCourseSheet = "adult:pc:planCourse:import" "导入计划课程";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[
        Entity { table: "plan_course", name: "计划课程", counted: "个教学计划" },
        Entity { table: "plan_elective_group", name: "选修组", counted: "个选修组" },
    ],
    jobs: &[import_job::<PlanSheet<OnePlan>>()],
    histories: &[
        History { table: "plan_course", code: "adult:pc:planCourse:list", scope: None },
        History { table: "plan_elective_group", code: "adult:pc:planCourse:list", scope: None },
    ],
    ..Part::NONE
};

/// Courses that one plan may have.
pub(crate) const MOST_COURSES: i64 = 200;

/// Whose courses are asked for.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct PlanCourseFilter {
    /// 教学计划
    pub plan_id: i64,
}

impl Example for PlanCourseFilter {
    fn example() -> Self {
        Self { plan_id: 1 }
    }
}

/// 计划课程
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct PlanCourseList {
    /// 计划版本
    /// 修改课程时原样传回
    pub plan_version: i32,
    /// 课程
    pub list: Vec<PlanCourse>,
    /// 选修组
    pub groups: Vec<PlanGroup>,
}

/// Courses that come into a plan.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct PlanCourses {
    /// 教学计划
    pub plan_id: i64,
    /// 计划版本
    /// 填写时按读取的版本校验
    pub version: Option<i32>,
    /// 课程
    #[oai(validator(min_items = 1, max_items = 100))]
    pub items: Vec<PlanCourseItem>,
}

impl Example for PlanCourses {
    fn example() -> Self {
        Self { plan_id: 1, version: None, items: vec![PlanCourseItem::example()] }
    }
}

/// The answer of a save of several courses.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct PlanCoursesSaved {
    /// 编号
    pub id: i64,
    /// 各课程的编号
    pub ids: Vec<i64>,
    /// 计划版本
    pub plan_version: i32,
    /// 提醒
    pub warnings: Vec<String>,
}

/// The answer of a write of one course or group.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct PlanPartSaved {
    /// 编号
    pub id: i64,
    /// 计划版本
    pub plan_version: i32,
    /// 提醒
    pub warnings: Vec<String>,
}

/// Where a course of a plan goes.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct PlanCourseMove {
    /// 编号
    pub id: i64,
    /// 计划版本
    pub version: i32,
    /// 开课学期
    #[oai(validator(minimum(value = "1"), maximum(value = "12")))]
    pub term_no: i32,
    /// 排序
    /// 不填时不变
    #[oai(validator(minimum(value = "0"), maximum(value = "9999")))]
    pub sort_no: Option<i32>,
}

impl Example for PlanCourseMove {
    fn example() -> Self {
        Self { id: 1, version: 1, term_no: 2, sort_no: None }
    }
}

pub struct PlanCourseRows;

#[OpenApi(prefix_path = "/adult/pc/planCourse", tag = "crate::Tag::TeachingPlan")]
impl PlanCourseRows {
    /// 计划课程列表
    #[oai(path = "/list", method = "post", operation_id = "listPlanCourses")]
    async fn list(
        &self,
        caller: Allowed<ListPlanCourses>,
        Body(asked): Body<PlanCourseFilter>,
    ) -> Result<Reply<PlanCourseList>> {
        let mut tx = caller.read().await?;
        let plan = known(&mut tx, asked.plan_id).await?;
        let list = courses_of(&mut tx, &[plan.id]).await?;
        let groups = groups_of(&mut tx, &[plan.id]).await?;
        Ok(reply(PlanCourseList { plan_version: plan.version, list, groups }))
    }

    /// 新增计划课程
    /// 不填的学分、学时和考核取课程的
    #[oai(path = "/save", method = "post", operation_id = "savePlanCourses")]
    async fn save(
        &self,
        caller: Allowed<SavePlanCourses>,
        Body(wanted): Body<PlanCourses>,
    ) -> Result<Reply<PlanCoursesSaved>> {
        let mut tx = match caller.begin().await {
            Ok(tx) => tx,
            Err(error) => {
                let Some(id) = error.replayed() else { return Err(error) };
                let plan_version = known(&mut *caller.read().await?, wanted.plan_id).await?.version;
                return Ok(reply(PlanCoursesSaved { id, ids: vec![id], plan_version, warnings: Vec::new() }));
            }
        };
        let plan = draft(&mut tx, wanted.plan_id, wanted.version).await?;
        let (ids, changes, warnings) = form::insert(&mut tx, &plan, &wanted.items).await?;
        let plan_version = touch(&mut tx, plan.id).await?;
        tx.commit_all(changes).await?;
        let id = ids.first().copied().unwrap_or_default();
        Ok(reply(PlanCoursesSaved { id, ids, plan_version, warnings }))
    }

    /// 编辑计划课程
    /// 版本为教学计划的版本
    #[oai(path = "/edit", method = "put", operation_id = "editPlanCourse")]
    async fn edit(
        &self,
        caller: Allowed<EditPlanCourse>,
        Body(edit): Body<Edit<PlanCourseForm>>,
    ) -> Result<Reply<PlanPartSaved>> {
        let mut tx = caller.begin().await?;
        let plan_id = plan_of(&mut tx, edit.id).await?;
        let plan = draft(&mut tx, plan_id, Some(edit.version)).await?;
        let before = course(&mut tx, plan.id, edit.id).await?.ok_or_else(Error::not_found)?;
        let (change, warnings) = form::update(&mut tx, &plan, &before, &edit.form).await?;
        let plan_version = touch(&mut tx, plan.id).await?;
        tx.commit(change).await?;
        Ok(reply(PlanPartSaved { id: edit.id, plan_version, warnings }))
    }

    /// 移动计划课程
    /// 版本为教学计划的版本
    #[oai(path = "/move", method = "put", operation_id = "movePlanCourse")]
    async fn shift(
        &self,
        caller: Allowed<MovePlanCourse>,
        Body(wanted): Body<PlanCourseMove>,
    ) -> Result<Reply<PlanPartSaved>> {
        let mut tx = caller.begin().await?;
        let plan_id = plan_of(&mut tx, wanted.id).await?;
        let plan = draft(&mut tx, plan_id, Some(wanted.version)).await?;
        let before = course(&mut tx, plan.id, wanted.id).await?.ok_or_else(Error::not_found)?;
        form::in_terms(&plan, wanted.term_no)?;
        let by = tx.by();
        sqlx::query!(
            "update plan_course set term_no = $2, sort_no = $3, updated_at = now(), updated_by = $4, version = version + 1
             where id = $1",
            before.id,
            wanted.term_no,
            wanted.sort_no.unwrap_or(before.sort_no),
            by
        )
        .execute(&mut *tx)
        .await?;
        let after = course(&mut tx, plan.id, wanted.id).await?.ok_or_else(Error::not_found)?;
        let plan_version = touch(&mut tx, plan.id).await?;
        tx.commit(Change::edited("plan_course", wanted.id, &before, &after)).await?;
        Ok(reply(PlanPartSaved { id: wanted.id, plan_version, warnings: Vec::new() }))
    }

    /// 删除计划课程
    #[oai(path = "/delete", method = "delete", operation_id = "deletePlanCourse")]
    async fn delete(
        &self,
        caller: Allowed<DeletePlanCourse>,
        /// 编号
        id: Query<i64>,
        /// 计划版本
        /// 填写时按读取的版本校验
        version: Query<Option<i32>>,
    ) -> Result<Reply<PlanPartSaved>> {
        let mut tx = caller.begin().await?;
        let plan_id = plan_of(&mut tx, id.0).await?;
        let plan = draft(&mut tx, plan_id, version.0).await?;
        let before = course(&mut tx, plan.id, id.0).await?.ok_or_else(Error::not_found)?;
        tx.remove("plan_course", id.0, &before.course_name).await?;
        let plan_version = touch(&mut tx, plan.id).await?;
        tx.commit(Change::deleted("plan_course", id.0, &before)).await?;
        Ok(reply(PlanPartSaved { id: id.0, plan_version, warnings: Vec::new() }))
    }
}

/// Holds the plan that is put together.
///
/// # Errors
/// 404 when there is none; 409 when it changed since it was read, or is no draft.
async fn draft(tx: &mut Tx, plan: i64, version: Option<i32>) -> Result<Held> {
    let plan = held(tx, plan).await?;
    plan.editable()?;
    if let Some(version) = version {
        plan.as_read(tx, version).await?;
    }
    Ok(plan)
}

/// The plan of a course.
///
/// # Errors
/// 404 when there is none.
async fn plan_of(tx: &mut Tx, course: i64) -> Result<i64> {
    sqlx::query_scalar!("select plan_id from plan_course where id = $1", course)
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(Error::not_found)
}

pub(crate) fn api() -> impl OpenApi {
    (PlanCourseRows, group::PlanGroups, import::Imports)
}
