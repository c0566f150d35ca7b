//! 自动排课: what is wished, and what is proposed (part 03 B9).

use chrono::NaiveDate;
use poem_openapi::{Object, types::Example};
use units::classroom::ClassroomType;

use crate::{
    enums::{ProposalStatus, UnplacedReason},
    form::{ArrangeClass, ArrangeForm},
};

/// Lessons that stand together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct PeriodBlock {
    /// 开始节次
    #[oai(validator(minimum(value = "1"), maximum(value = "14")))]
    pub period_from: i32,
    /// 结束节次
    #[oai(validator(minimum(value = "1"), maximum(value = "14")))]
    pub period_to: i32,
}

impl Example for PeriodBlock {
    fn example() -> Self {
        Self { period_from: 1, period_to: 4 }
    }
}

/// What is to be arranged, and when it may be.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct AutoForm {
    /// 学期
    pub semester_id: i64,
    /// 开课班级
    /// 不填为该学期全部未排满的面授和混合课程
    #[oai(validator(min_items = 1, max_items = 2000))]
    pub items: Option<Vec<ArrangeClass>>,
    /// 可用星期
    /// 1为星期一；与可用日期二选一
    #[oai(default, validator(max_items = 7))]
    pub weekdays: Vec<i32>,
    /// 可用日期
    #[oai(default, validator(max_items = 210))]
    pub dates: Vec<NaiveDate>,
    /// 节次段
    /// 靠前的优先
    #[oai(validator(min_items = 1, max_items = 14))]
    pub blocks: Vec<PeriodBlock>,
    /// 可用教室
    /// 不填为班级所在站点的全部教室
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub classroom_ids: Option<Vec<i64>>,
    /// 教室类型
    /// 不填为不限
    pub room_type: Option<ClassroomType>,
    /// 同课程合班
    /// 同一站点、同一主讲教师的班级在教室容量内合班
    #[oai(default)]
    pub merge_same_course: bool,
    /// 教师每天最多节数
    #[oai(default = "most_of_day", validator(minimum(value = "1"), maximum(value = "14")))]
    pub max_periods_per_day_teacher: i32,
    /// 班级每天最多节数
    #[oai(default = "most_of_day", validator(minimum(value = "1"), maximum(value = "14")))]
    pub max_per_day_class: i32,
    /// 随机种子
    /// 相同的种子得到相同的方案
    #[oai(default, validator(minimum(value = "0")))]
    pub seed: i64,
    /// 时间上限（秒）
    #[oai(default = "usual_time", validator(minimum(value = "10"), maximum(value = "300")))]
    pub time_limit: i32,
}

fn most_of_day() -> i32 {
    8
}

fn usual_time() -> i32 {
    60
}

impl Example for AutoForm {
    fn example() -> Self {
        Self {
            semester_id: 1,
            items: None,
            weekdays: vec![6, 7],
            dates: Vec::new(),
            blocks: vec![PeriodBlock::example(), PeriodBlock { period_from: 5, period_to: 8 }],
            classroom_ids: None,
            room_type: None,
            merge_same_course: false,
            max_periods_per_day_teacher: most_of_day(),
            max_per_day_class: most_of_day(),
            seed: 1,
            time_limit: 10,
        }
    }
}

/// Lessons that were found a place: what becomes one arrangement.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ProposedArrange {
    /// 排课内容
    pub form: ArrangeForm,
    /// 课程
    pub course_name: String,
    /// 班级
    pub class_names: Vec<String>,
    /// 教师
    pub teacher_name: String,
    /// 教室
    pub classroom_name: String,
    /// 人数
    pub students: i64,
    /// 课次数
    pub sessions: i64,
}

/// Classes of a course for which there is no place.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct UnplacedCourse {
    /// 课程
    pub course_name: String,
    /// 班级
    pub class_names: Vec<String>,
    /// 教师
    pub teacher_name: Option<String>,
    /// 待排学时
    pub periods: i64,
    /// 原因
    pub reason: UnplacedReason,
}

/// What a job proposes.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ArrangeProposal {
    /// 任务编号
    pub job_id: i64,
    /// 学期编号
    pub semester_id: i64,
    /// 方案状态
    pub status: ProposalStatus,
    /// 扣分
    /// 教师和班级到校天数、同周重复、空座和非首选节次的扣分之和，越低越好
    pub score: i64,
    /// 已收敛
    /// 否则在时间上限内得到
    pub converged: bool,
    /// 已排课程数
    pub placed_courses: i64,
    /// 已排
    pub placed: Vec<ProposedArrange>,
    /// 未排
    pub unplaced: Vec<UnplacedCourse>,
}
