//! 教学计划: the versions of a grade's and major's plan, from draft to effect (part 03 B1).

mod by_major;
mod by_semester;
pub mod check;
mod content;
pub(crate) mod copy;
mod diff;
pub(crate) mod form;
mod import;
mod import_known;
mod missing;
mod print;
pub(crate) mod select;
pub(crate) mod steps;

use infra::{
    Allowed, Body, Change, Edit, Entity, Error, History, Paged, Part, Reply, Result, Saved, Scope, Sorted, Tx,
    across::{self, Keyed, SchoolPage},
    enumeration, files,
    options::Source,
    permissions, reply,
    setting::{Setting, Settings},
    transfer::{self, Exported, export_job, import_job},
};
use poem_openapi::{OpenApi, param::Query};
use sqlx::PgConnection;

use crate::enums::{CourseNature, PlanDifferenceKind, PlanFillMode, PlanStatus};

pub use select::{Plan, PlanFilter, PlanVersion, PlanView};
pub use teaching_plan_rules::{
    check::{PlanCheck, PlanProblem},
    head::PlanForm,
};

use form::{insert, update};
use import::ManyPlans;
pub(crate) use import::{OnePlan, PlanSheet, mode_of};
use select::{PlanFields, options, viewed};

permissions! {
    pages "/schoolPC/educational/teachingPlan", "/platformPC/educational/teachingPlan";
    EachSchool  Reads       ListPlans           = "adult:pc:teachingPlan:list" "教学计划列表";
    InSchool    Reads       ListMissingPlans    = "adult:pc:teachingPlan:list" "教学计划列表";
    EachSchool  Reads       ViewPlan            = "adult:pc:teachingPlan:view" "查看教学计划";
    EachSchool  Reads       CheckPlan           = "adult:pc:teachingPlan:view" "查看教学计划";
    EachSchool  Reads       ComparePlans        = "adult:pc:teachingPlan:view" "查看教学计划";
    EachSchool  Reads       ViewPlanOfMajor     = "adult:pc:teachingPlan:view" "查看教学计划";
    InSchool    Reads       ListPlansOfSemester = "adult:pc:teachingPlan:view" "查看教学计划";
    WholeSchool Writes      SavePlan            = "adult:pc:teachingPlan:save" "新增教学计划";
    WholeSchool Writes      EditPlan            = "adult:pc:teachingPlan:edit" "编辑教学计划";
    WholeSchool Writes      DeletePlan          = "adult:pc:teachingPlan:delete" "删除教学计划";
    WholeSchool Writes      SubmitPlan          = "adult:pc:teachingPlan:submit" "提交教学计划";
    WholeSchool Writes      RecallPlan          = "adult:pc:teachingPlan:recall" "撤回教学计划";
    EachSchool  Writes      AuditPlan           = "adult:pc:teachingPlan:audit" "审核教学计划";
    EachSchool  Writes      RejectPlan          = "adult:pc:teachingPlan:reject" "退回教学计划";
    WholeSchool Writes      RevisePlan          = "adult:pc:teachingPlan:revise" "修订教学计划";
    WholeSchool Writes      CopyPlan            = "adult:pc:teachingPlan:copy" "复制教学计划";
    WholeSchool Writes      WithdrawPlan        = "adult:pc:teachingPlan:withdraw" "作废教学计划";
    EachSchool  ReadsLogged ExportPlans         = "adult:pc:teachingPlan:export" "导出教学计划";
    InSchool    ReadsLogged ExportPlansOfSemester = "adult:pc:teachingPlan:export" "导出教学计划";
    InSchool    ReadsLogged PrintPlan           = "adult:pc:teachingPlan:print" "打印教学计划";
    WholeSchool Writes      ImportPlans         = "adult:pc:teachingPlan:import" "导入教学计划";
    InSchool    Reads       FetchPlanSheet      = "adult:pc:teachingPlan:import" "导入教学计划";
}

/// Whether what a check only warns of keeps a plan from being submitted (01 §13).
pub(crate) const POLICY_STRICT: Setting =
    Setting::yes_no("planPolicyStrict", "严格检查教学计划", false, "教学计划的提醒按错误处理");

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[
        PlanStatus::ENUMERATION,
        CourseNature::ENUMERATION,
        PlanFillMode::ENUMERATION,
        PlanDifferenceKind::ENUMERATION,
        PlanSort::ENUMERATION,
    ],
    entities: &[Entity { table: "teaching_plan", name: "教学计划", counted: "个教学计划" }],
    jobs: &[export_job::<Plans>(), export_job::<by_semester::OfSemester>(), import_job::<PlanSheet<ManyPlans>>()],
    histories: &[History { table: "teaching_plan", code: "adult:pc:teachingPlan:view", scope: None }],
    settings: &[Settings { group: "teaching", settings: &[POLICY_STRICT] }],
    options: &[Source::new("plan", |connection, asked| Box::pin(options(connection, asked)))
        .below("计划的专业")
        .with::<PlanFields>()],
    option_pages: &[
        "/schoolPC/educational/teachingPlan",
        "/platformPC/educational/teachingPlan",
        "/schoolPC/educational/teachingPlan/showPlanSemester",
        "/schoolPC/educational/teachingPlan/showPlanMajor",
    ],
    ..Part::NONE
};

enumeration! {
    /// 教学计划排序字段
    pub enum PlanSort = "planSort" {
        GradeName = "gradeName" "年级",
        LevelName = "levelName" "层次",
        MajorName = "majorName" "专业",
        VersionNo = "versionNo" "版本",
        CourseCount = "courseCount" "课程数",
        TotalHours = "totalHours" "总学时",
        OfflineRatio = "offlineRatio" "线下比例",
        EffectiveAt = "effectiveAt" "生效时间",
    }
}

/// A plan that is held, as its steps know it. Credits are in tenths.
#[derive(Debug, Clone)]
pub(crate) struct Held {
    pub id: i64,
    pub version: i32,
    pub name: String,
    pub grade_id: i64,
    pub level_id: i64,
    pub major_id: i64,
    pub version_no: i32,
    pub term_count: i32,
    pub status: PlanStatus,
    pub submitted_by: Option<i64>,
}

impl Held {
    /// Whether its courses may be changed.
    pub(crate) fn is_draft(&self) -> bool {
        matches!(self.status, PlanStatus::Draft | PlanStatus::Rejected)
    }

    /// # Errors
    /// 409 for a plan that is looked at, in effect or over.
    pub(crate) fn editable(&self) -> Result<()> {
        if self.is_draft() { Ok(()) } else { Err(Error::conflict("只有草稿可以修改课程")) }
    }

    /// # Errors
    /// 409 when it changed since it was read.
    pub(crate) async fn as_read(&self, tx: &mut Tx, version: i32) -> Result<()> {
        if self.version == version { Ok(()) } else { Err(tx.stale("teaching_plan", self.id).await) }
    }
}

/// A plan as its steps know it, without holding it.
///
/// # Errors
/// 404 when there is none.
pub(crate) async fn known(connection: &mut PgConnection, id: i64) -> Result<Held> {
    sqlx::query_as!(
        Held,
        r#"select id, version, name, grade_id, level_id, major_id, version_no, term_count, status as "status: _", submitted_by
           from teaching_plan where id = $1"#,
        id
    )
    .fetch_optional(connection)
    .await?
    .ok_or_else(Error::not_found)
}

/// Holds a plan.
///
/// # Errors
/// 404 when there is none.
pub(crate) async fn held(tx: &mut Tx, id: i64) -> Result<Held> {
    tx.lock("teaching_plan", id).await?;
    known(tx, id).await
}

/// Holds all versions of a grade's and major's plan, in the order of their numbers, and answers them.
pub(crate) async fn family(tx: &mut Tx, grade: i64, major: i64) -> Result<Vec<Held>> {
    Ok(sqlx::query_as!(
        Held,
        r#"select id, version, name, grade_id, level_id, major_id, version_no, term_count, status as "status: _", submitted_by
           from teaching_plan where grade_id = $1 and major_id = $2 order by id for update"#,
        grade,
        major
    )
    .fetch_all(&mut **tx)
    .await?)
}

/// Holds all versions of the plans of these grades and majors at once, in the order of their numbers, as
/// [`crate::effective::hold`] does: whoever changes several plans does this first, so that no two wait for each other in a circle.
pub(crate) async fn hold_families(tx: &mut Tx, of: &[(i64, i64)]) -> Result<()> {
    let (grades, majors): (Vec<i64>, Vec<i64>) = of.iter().copied().unzip();
    sqlx::query_scalar!(
        "select p.id from teaching_plan p
         where (p.grade_id, p.major_id) in (
             select w.grade, w.major from unnest($1::bigint[], $2::bigint[]) as w (grade, major))
         order by p.id for update of p",
        &grades,
        &majors
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(())
}

/// Holds a plan with its other versions.
///
/// # Errors
/// 404 when there is none.
pub(crate) async fn held_with_family(tx: &mut Tx, id: i64) -> Result<(Held, Vec<Held>)> {
    let plan = known(tx, id).await?;
    let family = family(tx, plan.grade_id, plan.major_id).await?;
    let own = family.iter().find(|other| other.id == id).cloned().ok_or_else(Error::not_found)?;
    Ok((own, family))
}

/// # Errors
/// 403 for whoever sees some sites or classes alone: plans are the whole school's. Of the operations of both areas, which
/// cannot say so in their type.
pub(crate) fn whole(scope: &Scope, operation: &str) -> Result<()> {
    if scope.is_whole() {
        return Ok(());
    }
    Err(Error::new(403, format!("您只能管理已分配的站点或班级，“{operation}”请由数据范围为全校的人员办理")))
}

/// The list of plans.
pub struct Plans;

pub struct PlanRows;

#[OpenApi(prefix_path = "/adult/pc/teachingPlan", tag = "crate::Tag::TeachingPlan")]
impl PlanRows {
    /// 教学计划列表
    #[oai(path = "/list", method = "post", operation_id = "listTeachingPlans")]
    async fn list(
        &self,
        caller: Allowed<ListPlans>,
        Body(asked): Body<Sorted<PlanFilter, PlanSort>>,
    ) -> Result<Reply<SchoolPage<Plan>>> {
        across::list::<Plans, _>(&caller, asked.paging()?, asked.filter).await
    }

    /// 查看教学计划
    #[oai(path = "/view", method = "get", operation_id = "viewTeachingPlan")]
    async fn view(
        &self,
        caller: Allowed<ViewPlan>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<PlanView>> {
        let mut tx = caller.read().await?;
        Ok(reply(viewed(caller.app(), &mut tx, id.0).await?))
    }

    /// 新增教学计划
    #[oai(path = "/save", method = "post", operation_id = "saveTeachingPlan")]
    async fn save(&self, caller: Allowed<SavePlan>, Body(form): Body<PlanForm>) -> Result<Reply<Saved>> {
        let mut tx = match caller.begin().await {
            Ok(tx) => tx,
            Err(error) => return error.replayed().map(|id| reply(Saved { id })).ok_or(error),
        };
        let (id, change) = insert(&mut tx, &form).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑教学计划
    #[oai(path = "/edit", method = "put", operation_id = "editTeachingPlan")]
    async fn edit(&self, caller: Allowed<EditPlan>, Body(edit): Body<Edit<PlanForm>>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = update(&mut tx, &edit).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: edit.id }))
    }

    /// 删除教学计划
    #[oai(path = "/delete", method = "delete", operation_id = "deleteTeachingPlan")]
    async fn delete(
        &self,
        caller: Allowed<DeletePlan>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let plan = held(&mut tx, id.0).await?;
        if plan.status != PlanStatus::Draft {
            return Err(Error::conflict(format!("当前状态为{}，只有草稿可以删除", plan.status.zh())));
        }
        let change = remove(&mut tx, &plan).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 导出教学计划
    #[oai(path = "/export", method = "post", operation_id = "exportTeachingPlans")]
    async fn export(
        &self,
        caller: Allowed<ExportPlans>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<PlanFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Plans>(&caller, asked.filter, job.0).await
    }
}

/// What belongs to the plan goes with it; its file is nobody's then.
pub(crate) async fn remove(tx: &mut Tx, plan: &Held) -> Result<Change> {
    let before = Plans::find(tx, plan.id, &Scope::whole_school()).await?;
    let file =
        sqlx::query_scalar!("select file_id from teaching_plan where id = $1", plan.id).fetch_one(&mut **tx).await?;
    sqlx::query!("delete from plan_course where plan_id = $1", plan.id).execute(&mut **tx).await?;
    sqlx::query!("delete from plan_elective_group where plan_id = $1", plan.id).execute(&mut **tx).await?;
    tx.remove("teaching_plan", plan.id, &plan.name).await?;
    if let Some(file) = file {
        files::let_go(tx, &[file]).await?;
    }
    Ok(Change::deleted("teaching_plan", plan.id, &before))
}

pub(crate) fn api() -> impl OpenApi {
    (
        PlanRows,
        steps::Steps,
        copy::Copies,
        (check::Checks, diff::Differences, print::Prints),
        (by_major::OfMajor, by_semester::OfSemester, missing::Missing),
        import::Imports,
    )
}
