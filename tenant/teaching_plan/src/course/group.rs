//! 选修组: of its courses so many credits, and perhaps so many courses, are to be chosen (part 03 B1).

use infra::{
    Allowed, Body, Change, Edit, Error, OnConstraint, Reply, Result, Tx,
    naming::{name_taken, tidy},
    reply,
};
use poem_openapi::{Object, OpenApi, param::Query, types::Example};

use super::{
    DeletePlanGroup, EditPlanGroup, PlanGroup, PlanPartSaved, SavePlanGroup, draft,
    select::{group, groups_of},
};
use crate::{credit::is_half, plan::form::touch};

/// Groups that one plan may have.
pub(crate) const MOST_GROUPS: usize = 20;

/// What a registrar types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct PlanGroupForm {
    /// 教学计划
    pub plan_id: i64,
    /// 选修组名称
    #[oai(validator(max_length = 100))]
    pub name: String,
    /// 最低学分
    pub min_credits: f64,
    /// 最少门数
    #[oai(validator(minimum(value = "1"), maximum(value = "50")))]
    pub min_courses: Option<i32>,
    /// 排序
    #[oai(default, validator(minimum(value = "0"), maximum(value = "9999")))]
    pub sort_no: i32,
}

impl Example for PlanGroupForm {
    fn example() -> Self {
        Self { plan_id: 1, name: "专业选修".to_owned(), min_credits: 4.0, min_courses: None, sort_no: 0 }
    }
}

/// A group that is new, and the plan as it was read.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct NewPlanGroup {
    #[oai(flatten)]
    pub form: PlanGroupForm,
    /// 计划版本
    /// 填写时按读取的版本校验
    pub version: Option<i32>,
}

impl Example for NewPlanGroup {
    fn example() -> Self {
        Self { form: PlanGroupForm::example(), version: None }
    }
}

impl PlanGroupForm {
    /// # Errors
    /// 422 at `name` or `minCredits`.
    fn check(&self) -> Result<String> {
        let name = tidy(&self.name);
        if name.is_empty() {
            return Err(Error::field("name", "请填写选修组名称"));
        }
        if !is_half(self.min_credits, 0, 2_500) {
            return Err(Error::field("minCredits", "最低学分应在0到250之间，为0.5的倍数"));
        }
        Ok(name)
    }
}

pub struct PlanGroups;

#[OpenApi(prefix_path = "/adult/pc/planGroup", tag = "crate::Tag::TeachingPlan")]
impl PlanGroups {
    /// 新增选修组
    #[oai(path = "/save", method = "post", operation_id = "savePlanGroup")]
    async fn save(
        &self,
        caller: Allowed<SavePlanGroup>,
        Body(new): Body<NewPlanGroup>,
    ) -> Result<Reply<PlanPartSaved>> {
        let NewPlanGroup { form, version } = new;
        let mut tx = match caller.begin().await {
            Ok(tx) => tx,
            Err(error) => {
                let Some(id) = error.replayed() else { return Err(error) };
                let plan_version = crate::plan::known(&mut *caller.read().await?, form.plan_id).await?.version;
                return Ok(reply(PlanPartSaved { id, plan_version, warnings: Vec::new() }));
            }
        };
        let plan = draft(&mut tx, form.plan_id, version).await?;
        if groups_of(&mut tx, &[plan.id]).await?.len() >= MOST_GROUPS {
            return Err(Error::conflict(format!("一个教学计划最多{MOST_GROUPS}个选修组")));
        }
        let name = form.check()?;
        let by = tx.by();
        let id = sqlx::query_scalar!(
            "insert into plan_elective_group (plan_id, name, min_credits, min_courses, sort_no, created_by, updated_by)
             values ($1, $2, $3::float8::numeric, $4, $5, $6, $6) returning id",
            plan.id,
            name,
            form.min_credits,
            form.min_courses,
            form.sort_no,
            by
        )
        .fetch_one(&mut *tx)
        .await
        .on_constraint(|constraint| (constraint == "plan_elective_group_name_taken").then(|| name_taken(&name)))?;
        let made = read(&mut tx, plan.id, id).await?;
        let plan_version = touch(&mut tx, plan.id).await?;
        tx.commit(Change::created("plan_elective_group", id, &made)).await?;
        Ok(reply(PlanPartSaved { id, plan_version, warnings: Vec::new() }))
    }

    /// 编辑选修组
    /// 版本为教学计划的版本
    #[oai(path = "/edit", method = "put", operation_id = "editPlanGroup")]
    async fn edit(
        &self,
        caller: Allowed<EditPlanGroup>,
        Body(edit): Body<Edit<PlanGroupForm>>,
    ) -> Result<Reply<PlanPartSaved>> {
        let mut tx = caller.begin().await?;
        let plan_id = plan_of(&mut tx, edit.id).await?;
        if edit.form.plan_id != plan_id {
            return Err(Error::field("planId", "选修组不能改到其他教学计划，请新增"));
        }
        let plan = draft(&mut tx, plan_id, Some(edit.version)).await?;
        let name = edit.form.check()?;
        let before = read(&mut tx, plan.id, edit.id).await?;
        let by = tx.by();
        sqlx::query!(
            "update plan_elective_group set name = $2, min_credits = $3::float8::numeric, min_courses = $4, sort_no = $5,
                    updated_at = now(), updated_by = $6, version = version + 1
             where id = $1",
            edit.id,
            name,
            edit.form.min_credits,
            edit.form.min_courses,
            edit.form.sort_no,
            by
        )
        .execute(&mut *tx)
        .await
        .on_constraint(|constraint| {
            (constraint == "plan_elective_group_name_taken").then(|| name_taken(&name))
        })?;
        let after = read(&mut tx, plan.id, edit.id).await?;
        let plan_version = touch(&mut tx, plan.id).await?;
        tx.commit(Change::edited("plan_elective_group", edit.id, &before, &after)).await?;
        Ok(reply(PlanPartSaved { id: edit.id, plan_version, warnings: Vec::new() }))
    }

    /// 删除选修组
    /// 组内还有课程时不能删除
    #[oai(path = "/delete", method = "delete", operation_id = "deletePlanGroup")]
    async fn delete(
        &self,
        caller: Allowed<DeletePlanGroup>,
        /// 编号
        id: Query<i64>,
        /// 计划版本
        /// 填写时按读取的版本校验
        version: Query<Option<i32>>,
    ) -> Result<Reply<PlanPartSaved>> {
        let mut tx = caller.begin().await?;
        let plan_id = plan_of(&mut tx, id.0).await?;
        let plan = draft(&mut tx, plan_id, version.0).await?;
        let before = read(&mut tx, plan.id, id.0).await?;
        if before.course_count > 0 {
            let told = format!("选修组“{}”还有{}门课程，请先移出", before.name, before.course_count);
            return Err(Error::conflict(told));
        }
        tx.remove("plan_elective_group", id.0, &before.name).await?;
        let plan_version = touch(&mut tx, plan.id).await?;
        tx.commit(Change::deleted("plan_elective_group", id.0, &before)).await?;
        Ok(reply(PlanPartSaved { id: id.0, plan_version, warnings: Vec::new() }))
    }
}

/// # Errors
/// 404 when it is gone.
async fn read(tx: &mut Tx, plan: i64, id: i64) -> Result<PlanGroup> {
    group(tx, plan, id).await?.ok_or_else(Error::not_found)
}

/// The plan of a group.
///
/// # Errors
/// 404 when there is none.
async fn plan_of(tx: &mut Tx, group: i64) -> Result<i64> {
    sqlx::query_scalar!("select plan_id from plan_elective_group where id = $1", group)
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(Error::not_found)
}
