//! 按专业查看计划: a plan as a matrix of its courses and terms, with what a check says of it (part 03 B1).

use infra::{Allowed, Error, Reply, Result, reply};
use poem_openapi::{Object, OpenApi, param::Query};
use sqlx::PgConnection;

use super::{
    PlanCheck, ViewPlanOfMajor,
    check::checked,
    known,
    select::{PlanView, viewed},
};
use crate::course::{
    PlanCourse, PlanGroup,
    select::{courses_of, groups_of},
};

/// A plan with all that stands in it.
#[derive(Debug, Clone, Object)]
pub struct PlanOfMajor {
    /// 教学计划
    pub plan: PlanView,
    /// 课程
    /// 按课程类型排列
    pub courses: Vec<PlanCourse>,
    /// 选修组
    pub groups: Vec<PlanGroup>,
    /// 校验
    pub check: PlanCheck,
}

pub struct OfMajor;

#[OpenApi(prefix_path = "/adult/pc/teachingPlan", tag = "crate::Tag::TeachingPlan")]
impl OfMajor {
    /// 按专业查看计划
    /// 指明计划，或指明年级和专业以查看其生效的（没有时为最新的）版本
    #[oai(path = "/byMajor", method = "get", operation_id = "viewTeachingPlanOfMajor")]
    async fn by_major(
        &self,
        caller: Allowed<ViewPlanOfMajor>,
        /// 教学计划
        #[oai(name = "planId")]
        plan_id: Query<Option<i64>>,
        /// 年级
        #[oai(name = "gradeId")]
        grade_id: Query<Option<i64>>,
        /// 专业
        #[oai(name = "majorId")]
        major_id: Query<Option<i64>>,
    ) -> Result<Reply<PlanOfMajor>> {
        let mut tx = caller.read().await?;
        let id = match (plan_id.0, grade_id.0, major_id.0) {
            (Some(id), None, None) => id,
            (None, Some(grade), Some(major)) => shown(&mut tx, grade, major).await?,
            _ => return Err(Error::malformed()),
        };
        let plan = viewed(caller.app(), &mut tx, id).await?;
        let courses = courses_of(&mut tx, &[id]).await?;
        let groups = groups_of(&mut tx, &[id]).await?;
        let held = known(&mut tx, id).await?;
        let check = checked(&mut tx, &held).await?;
        Ok(reply(PlanOfMajor { plan, courses, groups, check }))
    }
}

/// The version in effect, or the newest where none is.
///
/// # Errors
/// 404 when the grade and major have none.
async fn shown(connection: &mut PgConnection, grade: i64, major: i64) -> Result<i64> {
    sqlx::query_scalar!(
        "select id from teaching_plan where grade_id = $1 and major_id = $2
         order by status = 'effective' desc, version_no desc limit 1",
        grade,
        major
    )
    .fetch_optional(connection)
    .await?
    .ok_or_else(Error::not_found)
}
