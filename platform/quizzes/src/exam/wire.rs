//! What people type and read of an exam.

use catalogue::course::{CourseAuditStatus, CourseSubmission, Putaway};
use chrono::NaiveDate;
use infra::clock::Moment;
use poem_openapi::{Object, types::Example};
use question_bank_rules::score::points;
use quiz_rules::{content::QuizContent, paper::QuizPaperSection};

use super::select::QuizRow;
use crate::problem::QuizMedia;

/// What an operator types of a new one.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct QuizForm {
    /// 保存方式
    pub submission: CourseSubmission,
    #[oai(flatten)]
    pub content: QuizContent,
}

impl Example for QuizForm {
    fn example() -> Self {
        Self { submission: CourseSubmission::Publish, content: QuizContent::example() }
    }
}

/// The whole content again, with the version that was read.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct QuizEdit {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 保存方式
    pub submission: CourseSubmission,
    #[oai(flatten)]
    pub content: QuizContent,
}

impl Example for QuizEdit {
    fn example() -> Self {
        Self { id: 1, version: 1, submission: CourseSubmission::Publish, content: QuizContent::example() }
    }
}

/// As the list shows it: what is published of it, or before that what was typed last.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Quiz {
    /// 编号
    pub id: i64,
    /// 试卷名称
    pub exam_name: String,
    /// 分类
    pub category_id: Option<i64>,
    /// 分类名称
    pub category_name: Option<String>,
    /// 讲师
    pub lecturer_id: Option<i64>,
    /// 讲师姓名
    pub lecturer_name: Option<String>,
    /// 封面
    pub cover: Option<String>,
    /// 题数
    pub problem_total: i32,
    /// 总分
    pub total_score: f64,
    /// 及格分
    pub pass_score: f64,
    /// 考试时长(分钟)
    pub duration_minutes: i32,
    /// 考试次数
    /// 0为不限
    pub attempt_limit: i32,
    /// 免费
    pub is_free: bool,
    /// 原价(分)
    pub price_original: i64,
    /// 优惠价(分)
    pub price_sale: i64,
    /// 参考数
    /// 开始过考试的学员数
    pub count_join: i64,
    /// 待批改数
    pub count_marking: i64,
    /// 购买数
    pub count_buy: i64,
    /// 上架状态
    pub putaway: Putaway,
    /// 审核状态
    pub audit_status: CourseAuditStatus,
    /// 未发布版本
    /// 还没有通过审核的版本的状态
    pub revision_status: Option<CourseAuditStatus>,
    /// 审核意见
    pub audit_opinion: Option<String>,
    /// 推荐中
    pub recommended: bool,
    /// 启用
    pub enabled: bool,
    /// 创建时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

/// With its whole content, and the questions as an attempt would have them.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct QuizView {
    #[oai(flatten)]
    pub quiz: Quiz,
    /// 内容
    pub content: QuizContent,
    /// 试卷预览
    pub paper: Vec<QuizPaperSection>,
    /// 图片和音频
    /// 地址数分钟内有效
    pub media: Vec<QuizMedia>,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct QuizFilter {
    /// 试卷名称
    #[oai(validator(max_length = 60))]
    pub exam_name: Option<String>,
    /// 分类
    /// 包括其下级分类
    pub category_id: Option<i64>,
    /// 讲师
    pub lecturer_id: Option<i64>,
    /// 免费
    pub is_free: Option<bool>,
    /// 上架状态
    pub putaway: Option<Putaway>,
    /// 审核状态
    pub audit_status: Option<CourseAuditStatus>,
    /// 推荐中
    pub recommended: Option<bool>,
    /// 启用
    pub enabled: Option<bool>,
    /// 创建日期起
    pub created_from: Option<NaiveDate>,
    /// 创建日期止
    pub created_to: Option<NaiveDate>,
}

impl From<QuizRow> for Quiz {
    fn from(row: QuizRow) -> Self {
        Self {
            id: row.id,
            exam_name: row.exam_name,
            category_id: row.category_id,
            category_name: row.category_name,
            lecturer_id: row.lecturer_id,
            lecturer_name: row.lecturer_name,
            cover: row.cover,
            problem_total: row.problem_total,
            total_score: points(row.total_score),
            pass_score: points(row.pass_score),
            duration_minutes: row.duration_minutes,
            attempt_limit: row.attempt_limit,
            is_free: row.is_free,
            price_original: row.price_original,
            price_sale: row.price_sale,
            count_join: row.count_join,
            count_marking: row.count_marking,
            count_buy: row.count_buy,
            putaway: row.putaway,
            audit_status: row.audit_status,
            revision_status: row.revision_status,
            audit_opinion: row.audit_opinion,
            recommended: row.recommended,
            enabled: row.enabled,
            created_at: row.created_at,
            version: row.version,
        }
    }
}
