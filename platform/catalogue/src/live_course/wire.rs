//! What people type and read of a live course.

use catalogue_rules::{content::CourseMedia, live::LiveContent};
use chrono::NaiveDate;
use infra::clock::Moment;
use poem_openapi::{Object, types::Example};

use crate::course::{
    CourseAttachment, CourseAuditStatus, CourseQuery, CourseRow, CourseSubmission, LiveStanding, Putaway,
};

/// What an operator types of a new one.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct LiveCourseForm {
    /// 保存方式
    pub submission: CourseSubmission,
    #[oai(flatten)]
    pub content: LiveContent,
}

impl Example for LiveCourseForm {
    fn example() -> Self {
        Self { submission: CourseSubmission::Publish, content: LiveContent::example() }
    }
}

/// The whole content again, with the version that was read.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct LiveCourseEdit {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 保存方式
    pub submission: CourseSubmission,
    #[oai(flatten)]
    pub content: LiveContent,
}

impl Example for LiveCourseEdit {
    fn example() -> Self {
        Self { id: 1, version: 1, submission: CourseSubmission::Publish, content: LiveContent::example() }
    }
}

/// As the list shows it: what is published of it, or before that what was typed last.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct LiveCourse {
    /// 编号
    pub id: i64,
    /// 课程名称
    pub course_name: String,
    /// 分类
    pub category_id: i64,
    /// 分类名称
    pub category_name: String,
    /// 讲师
    pub lecturer_id: i64,
    /// 讲师姓名
    pub lecturer_name: String,
    /// 封面
    pub cover: String,
    /// 免费
    pub is_free: bool,
    /// 原价(分)
    pub price_original: i64,
    /// 优惠价(分)
    pub price_sale: i64,
    /// 有效天数
    pub valid_days: Option<i32>,
    /// 课时数
    pub period_total: i64,
    /// 总时长(秒)
    pub duration_seconds: i64,
    /// 下次直播时间
    pub next_starts_at: Option<Moment>,
    /// 直播状态
    pub live_standing: LiveStanding,
    /// 购买数
    /// 实际购买数
    pub count_buy: i64,
    /// 购买基数
    /// 网站显示的购买数为基数与实际购买数之和
    pub count_buy_base: i64,
    /// 评分
    pub score_avg: Option<f64>,
    /// 评分人数
    pub score_count: i64,
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

/// With its whole content.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct LiveCourseView {
    #[oai(flatten)]
    pub course: LiveCourse,
    /// 内容
    pub content: LiveContent,
    /// 回放音视频
    pub media: Vec<CourseMedia>,
    /// 附件
    pub attachments: Vec<CourseAttachment>,
    /// 直播频道
    pub channels: Vec<CourseChannel>,
}

/// A channel that lessons are given on.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct CourseChannel {
    /// 编号
    pub id: i64,
    /// 频道名称
    pub channel_name: String,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct LiveCourseFilter {
    /// 课程名称
    #[oai(validator(max_length = 60))]
    pub course_name: Option<String>,
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
    /// 直播状态
    pub live_standing: Option<LiveStanding>,
    /// 启用
    pub enabled: Option<bool>,
    /// 创建日期起
    pub created_from: Option<NaiveDate>,
    /// 创建日期止
    pub created_to: Option<NaiveDate>,
}

impl From<&LiveCourseFilter> for CourseQuery {
    fn from(filter: &LiveCourseFilter) -> Self {
        Self {
            course_name: filter.course_name.clone(),
            category_id: filter.category_id,
            lecturer_id: filter.lecturer_id,
            is_free: filter.is_free,
            putaway: filter.putaway,
            audit_status: filter.audit_status,
            recommended: filter.recommended,
            live_standing: filter.live_standing,
            enabled: filter.enabled,
            created_from: filter.created_from,
            created_to: filter.created_to,
            ..Self::default()
        }
    }
}

impl From<CourseRow> for LiveCourse {
    fn from(row: CourseRow) -> Self {
        Self {
            id: row.id,
            course_name: row.course_name,
            category_id: row.category_id,
            category_name: row.category_name,
            lecturer_id: row.lecturer_id,
            lecturer_name: row.lecturer_name,
            cover: row.cover,
            is_free: row.is_free,
            price_original: row.price_original,
            price_sale: row.price_sale,
            valid_days: row.valid_days,
            period_total: row.period_total,
            duration_seconds: row.duration_seconds,
            next_starts_at: row.next_starts_at,
            live_standing: row.live_standing,
            count_buy: row.count_buy,
            count_buy_base: row.count_buy_base,
            score_avg: row.score_avg,
            score_count: row.score_count,
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
