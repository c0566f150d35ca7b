//! Courses and elective groups of a plan (part 03 B1).

use courses::course::{AssessMode, CourseKind, ExamForm};
use poem_openapi::Object;

use crate::enums::CourseNature;

/// A course of a plan, as stored and as shown.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename_all = "camelCase")]
pub struct PlanCourse {
    /// 编号
    pub id: i64,
    /// 教学计划
    pub plan_id: i64,
    /// 课程
    pub course_id: i64,
    /// 课程代码
    pub course_code: String,
    /// 课程名称
    pub course_name: String,
    /// 课程性质类别
    pub course_kind: CourseKind,
    /// 课程启用
    pub course_enabled: bool,
    /// 课程类型
    pub type_id: i64,
    /// 课程类型名称
    pub type_name: String,
    /// 课程性质
    pub nature: CourseNature,
    /// 选修组
    pub elective_group_id: Option<i64>,
    /// 选修组名称
    pub elective_group_name: Option<String>,
    /// 开课学期
    pub term_no: i32,
    /// 学分
    pub credits: f64,
    /// 总学时
    pub hours: i32,
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
    /// 版本
    pub version: i32,
}

impl PlanCourse {
    /// What is taught face to face.
    pub fn offline_hours(&self) -> i64 {
        i64::from(self.lecture_hours) + i64::from(self.practice_hours)
    }
}

/// An elective group of a plan.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename_all = "camelCase")]
pub struct PlanGroup {
    /// 编号
    pub id: i64,
    /// 教学计划
    pub plan_id: i64,
    /// 选修组名称
    pub name: String,
    /// 最低学分
    pub min_credits: f64,
    /// 最少门数
    pub min_courses: Option<i32>,
    /// 排序
    pub sort_no: i32,
    /// 课程数
    pub course_count: i64,
    /// 可选学分
    pub credits: f64,
    /// 版本
    pub version: i32,
}
