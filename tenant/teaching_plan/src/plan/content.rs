//! All that stands in a plan, as an import writes it and puts it back.

use courses::course::{AssessMode, ExamForm};
use infra::{Error, OnConstraint, Result, Tx};
use poem_openapi::{Object, types::ToJSON};
use sqlx::PgConnection;

use crate::enums::CourseNature;

/// A group as the content of a plan tells it.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename_all = "camelCase")]
pub(crate) struct ContentGroup {
    /// 选修组名称
    pub name: String,
    /// 最低学分
    pub min_credits: f64,
    /// 最少门数
    pub min_courses: Option<i32>,
    /// 排序
    pub sort_no: i32,
}

/// A course as the content of a plan tells it.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename_all = "camelCase")]
pub(crate) struct ContentCourse {
    /// 课程
    pub course_id: i64,
    /// 课程类型
    pub type_id: i64,
    /// 课程性质
    pub nature: CourseNature,
    /// 选修组
    pub group_name: Option<String>,
    /// 开课学期
    pub term_no: i32,
    /// 学分
    pub credits: f64,
    /// 面授学时
    pub lecture_hours: i32,
    /// 线上学时
    pub online_hours: i32,
    /// 实践学时
    pub practice_hours: i32,
    /// 自学学时
    pub self_study_hours: i32,
    /// 考核类型
    pub exam_form: ExamForm,
    /// 考核方式
    pub assess_mode: Option<AssessMode>,
    /// 学位课程
    pub degree_course: bool,
    /// 排序
    pub sort_no: i32,
    /// 备注
    pub remark: Option<String>,
}

/// All that stands in a plan, as the trail of an import keeps it.
#[derive(Debug, Clone, Default, PartialEq, Object)]
pub(crate) struct PlanContent {
    /// 选修组
    pub groups: Vec<ContentGroup>,
    /// 课程
    pub courses: Vec<ContentCourse>,
}

/// What stands in a plan now, in an order of its own.
pub(super) async fn content_of(connection: &mut PgConnection, plan: i64) -> Result<PlanContent> {
    let groups = sqlx::query_as!(
        ContentGroup,
        r#"select name, min_credits::float8 as "min_credits!", min_courses, sort_no from plan_elective_group
           where plan_id = $1 order by name"#,
        plan
    )
    .fetch_all(&mut *connection)
    .await?;
    let courses = sqlx::query_as!(
        ContentCourse,
        r#"select c.course_id, c.type_id, c.nature as "nature: _", g.name as "group_name?", c.term_no,
                  c.credits::float8 as "credits!", c.lecture_hours, c.online_hours, c.practice_hours, c.self_study_hours,
                  c.exam_form as "exam_form: _", c.assess_mode as "assess_mode: _", c.degree_course, c.sort_no, c.remark
           from plan_course c left join plan_elective_group g on g.id = c.elective_group_id
           where c.plan_id = $1 order by c.course_id"#,
        plan
    )
    .fetch_all(connection)
    .await?;
    Ok(PlanContent { groups, courses })
}

/// Takes everything out of a draft.
pub(super) async fn clear(tx: &mut Tx, plan: i64) -> Result<()> {
    sqlx::query!("delete from plan_course where plan_id = $1", plan).execute(&mut **tx).await?;
    sqlx::query!("delete from plan_elective_group where plan_id = $1", plan).execute(&mut **tx).await?;
    Ok(())
}

/// Puts groups and courses into a draft beside what it has.
///
/// # Errors
/// 409 when a course or type was deleted meanwhile.
pub(super) async fn put(tx: &mut Tx, plan: i64, content: &PlanContent) -> Result<()> {
    let by = tx.by();
    let groups = content.groups.to_json().unwrap_or_default();
    sqlx::query!(
        r#"insert into plan_elective_group (plan_id, name, min_credits, min_courses, sort_no, created_by, updated_by)
           select $1::bigint, x.name, x."minCredits", x."minCourses", x."sortNo", $3::bigint, $3::bigint
           from jsonb_to_recordset($2::jsonb) as x (name text, "minCredits" numeric, "minCourses" integer, "sortNo" integer)"#,
        plan,
        groups,
        by
    )
    .execute(&mut **tx)
    .await?;
    let courses = content.courses.to_json().unwrap_or_default();
    sqlx::query!(
        r#"insert into plan_course (plan_id, course_id, type_id, nature, elective_group_id, term_no, credits, hours,
               lecture_hours, online_hours, practice_hours, self_study_hours, exam_form, assess_mode, degree_course, sort_no,
               remark, created_by, updated_by)
           select $1::bigint, x."courseId", x."typeId", x.nature, g.id, x."termNo", x.credits,
                  x."lectureHours" + x."onlineHours" + x."practiceHours" + x."selfStudyHours", x."lectureHours",
                  x."onlineHours", x."practiceHours", x."selfStudyHours", x."examForm", x."assessMode", x."degreeCourse",
                  x."sortNo", x.remark, $3::bigint, $3::bigint
           from jsonb_to_recordset($2::jsonb) as x ("courseId" bigint, "typeId" bigint, nature text, "groupName" text,
                    "termNo" integer, credits numeric, "lectureHours" integer, "onlineHours" integer, "practiceHours" integer,
                    "selfStudyHours" integer, "examForm" text, "assessMode" text, "degreeCourse" boolean, "sortNo" integer,
                    remark text)
           left join plan_elective_group g on g.plan_id = $1 and g.name = x."groupName""#,
        plan,
        courses,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(|constraint| match constraint {
        "plan_course_of_course" | "plan_course_of_curriculum_type" => {
            Some(Error::conflict("计划中的课程或课程类型已被删除，不能写入"))
        }
        "plan_course_taken" => Some(Error::conflict("计划刚被他人修改，请重新导入")),
        _ => None,
    })?;
    Ok(())
}
