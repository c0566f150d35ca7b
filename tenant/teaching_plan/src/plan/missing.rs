//! 缺计划检查: grades and majors with students for which no plan is in effect (part 03 B1).

use infra::{Allowed, Reply, Result, reply};
use majors::major::StudyForm;
use poem_openapi::{Object, OpenApi};

use super::ListMissingPlans;
use crate::enums::PlanStatus;

/// A grade and major without a plan in effect.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct MissingPlan {
    /// 年级
    pub grade_id: i64,
    /// 年级名称
    pub grade_name: String,
    /// 层次
    pub level_id: i64,
    /// 层次名称
    pub level_name: String,
    /// 专业
    pub major_id: i64,
    /// 专业名称
    pub major_name: String,
    /// 学习形式
    pub study_form: StudyForm,
    /// 在籍人数
    pub student_count: i64,
    /// 未完成的教学计划
    pub open_plan_id: Option<i64>,
    /// 未完成的版本号
    pub open_version_no: Option<i32>,
    /// 未完成的状态
    pub open_status: Option<PlanStatus>,
}

pub struct Missing;

#[OpenApi(prefix_path = "/adult/pc/teachingPlan", tag = "crate::Tag::TeachingPlan")]
impl Missing {
    /// 缺计划检查
    /// 有在籍学生而没有生效教学计划的年级专业
    #[oai(path = "/missing", method = "get", operation_id = "listMissingTeachingPlans")]
    async fn missing(&self, caller: Allowed<ListMissingPlans>) -> Result<Reply<Vec<MissingPlan>>> {
        let mut tx = caller.read().await?;
        let scope = caller.scope();
        let rows = sqlx::query_as!(
            MissingPlan,
            r#"select n.grade_id, g.name as grade_name, n.level_id, l.name as level_name, n.major_id, m.name as major_name,
                      m.study_form as "study_form: _", n.students as "student_count!", p.id as "open_plan_id?",
                      p.version_no as "open_version_no?", p.status as "open_status?: _"
               from (select s.grade_id, s.level_id, s.major_id, count(*) as students from student s
                     where s.active and ($1::bigint[] is null or s.site_id = any($1) or s.class_id = any($2::bigint[]))
                     group by s.grade_id, s.level_id, s.major_id) n
               join grade g on g.id = n.grade_id
               join level l on l.id = n.level_id
               join major m on m.id = n.major_id
               left join teaching_plan p on p.grade_id = n.grade_id and p.major_id = n.major_id
                    and p.status in ('draft', 'submitted', 'rejected')
               where not exists (select from teaching_plan e
                                 where e.grade_id = n.grade_id and e.major_id = n.major_id and e.status = 'effective')
               order by g.entry_year desc, g.entry_season, l.sort_no, l.code, m.sort_no, m.code"#,
            scope.sites(),
            scope.classes()
        )
        .fetch_all(&mut *tx)
        .await?;
        Ok(reply(rows))
    }
}
