//! What is read and asked of 录播审核.

use catalogue_rules::{
    content::{CourseMedia, RecordContent},
    difference::Difference,
};
use chrono::NaiveDate;
use infra::clock::Moment;
use poem_openapi::Object;

use crate::{
    audit::{AuditQuery, AuditRow},
    course::{CourseAttachment, CourseAuditStatus},
};

/// A version as the list shows it.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct RecordAudit {
    /// 编号
    pub id: i64,
    /// 课程
    pub course_id: i64,
    /// 课程名称
    pub course_name: String,
    /// 讲师姓名
    pub lecturer_name: String,
    /// 提交人
    pub submitter_name: Option<String>,
    /// 提交时间
    pub submitted_at: Moment,
    /// 变更项
    pub changes: Vec<String>,
    /// 审核状态
    pub audit_status: CourseAuditStatus,
    /// 审核意见
    pub audit_opinion: Option<String>,
    /// 审核人
    pub auditor_name: Option<String>,
    /// 审核时间
    pub audited_at: Option<Moment>,
    /// 版本
    pub version: i32,
}

/// A version with all that it changes.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct RecordAuditView {
    #[oai(flatten)]
    pub revision: RecordAudit,
    /// 差异
    pub differences: Vec<Difference>,
    /// 内容
    pub content: RecordContent,
    /// 音视频
    pub media: Vec<CourseMedia>,
    /// 附件
    pub attachments: Vec<CourseAttachment>,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct RecordAuditFilter {
    /// 课程名称
    #[oai(validator(max_length = 60))]
    pub course_name: Option<String>,
    /// 讲师
    pub lecturer_id: Option<i64>,
    /// 审核状态
    pub audit_status: Option<CourseAuditStatus>,
    /// 提交日期起
    pub submitted_from: Option<NaiveDate>,
    /// 提交日期止
    pub submitted_to: Option<NaiveDate>,
}

impl From<&RecordAuditFilter> for AuditQuery {
    fn from(filter: &RecordAuditFilter) -> Self {
        Self {
            course_name: filter.course_name.clone(),
            lecturer_id: filter.lecturer_id,
            audit_status: filter.audit_status,
            submitted_from: filter.submitted_from,
            submitted_to: filter.submitted_to,
        }
    }
}

impl From<AuditRow> for RecordAudit {
    fn from(row: AuditRow) -> Self {
        Self {
            id: row.id,
            course_id: row.course_id,
            changes: row.labels(),
            course_name: row.course_name,
            lecturer_name: row.lecturer_name,
            submitter_name: row.submitter_name,
            submitted_at: row.submitted_at,
            audit_status: row.audit_status,
            audit_opinion: row.audit_opinion,
            auditor_name: row.auditor_name,
            audited_at: row.audited_at,
            version: row.version,
        }
    }
}
