//! What people type and read of a resource.

use catalogue_rules::resource::ResourceContent;
use chrono::NaiveDate;
use infra::{clock::Moment, enumeration};
use poem_openapi::{Object, types::Example};

use crate::course::{CourseAuditStatus, CourseQuery, CourseRow, CourseSubmission, Putaway};

enumeration! {
    /// 文库文件类型
    pub enum ResourceExtension = "resourceExtension" {
        Doc = "doc" "doc",
        Docx = "docx" "docx",
        Xls = "xls" "xls",
        Xlsx = "xlsx" "xlsx",
        Ppt = "ppt" "ppt",
        Pptx = "pptx" "pptx",
        Pdf = "pdf" "pdf",
        Zip = "zip" "zip",
    }
}

/// What an operator types of a new one.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ResourceCourseForm {
    /// 保存方式
    pub submission: CourseSubmission,
    #[oai(flatten)]
    pub content: ResourceContent,
}

impl Example for ResourceCourseForm {
    fn example() -> Self {
        Self { submission: CourseSubmission::Publish, content: ResourceContent::example() }
    }
}

/// The whole content again, with the version that was read.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ResourceCourseEdit {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 保存方式
    pub submission: CourseSubmission,
    #[oai(flatten)]
    pub content: ResourceContent,
}

impl Example for ResourceCourseEdit {
    fn example() -> Self {
        Self { id: 1, version: 1, submission: CourseSubmission::Publish, content: ResourceContent::example() }
    }
}

/// As the list shows it: what is published of it, or before that what was typed last.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ResourceCourse {
    /// 编号
    pub id: i64,
    /// 资源名称
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
    /// 文件类型
    pub resource_ext: Option<String>,
    /// 页数
    pub resource_pages: Option<i32>,
    /// 大小(字节)
    pub resource_size: Option<i64>,
    /// 下载数
    pub download_count: i64,
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
pub struct ResourceCourseView {
    #[oai(flatten)]
    pub course: ResourceCourse,
    /// 内容
    pub content: ResourceContent,
    /// 文件地址
    /// 短时有效，没有文件时为空
    pub file_url: Option<String>,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct ResourceCourseFilter {
    /// 资源名称
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
    /// 文件类型
    pub resource_ext: Option<ResourceExtension>,
    /// 启用
    pub enabled: Option<bool>,
    /// 创建日期起
    pub created_from: Option<NaiveDate>,
    /// 创建日期止
    pub created_to: Option<NaiveDate>,
}

impl From<&ResourceCourseFilter> for CourseQuery {
    fn from(filter: &ResourceCourseFilter) -> Self {
        Self {
            course_name: filter.course_name.clone(),
            category_id: filter.category_id,
            lecturer_id: filter.lecturer_id,
            is_free: filter.is_free,
            putaway: filter.putaway,
            audit_status: filter.audit_status,
            recommended: filter.recommended,
            resource_ext: filter.resource_ext.map(|extension| extension.as_str().to_owned()),
            enabled: filter.enabled,
            created_from: filter.created_from,
            created_to: filter.created_to,
            ..Self::default()
        }
    }
}

impl From<CourseRow> for ResourceCourse {
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
            resource_ext: row.resource_ext,
            resource_pages: row.resource_pages,
            resource_size: row.resource_size,
            download_count: row.download_count,
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
