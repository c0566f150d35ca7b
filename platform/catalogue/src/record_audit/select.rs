//! How versions are read by auditors. Drafts are their authors' alone.

use catalogue_rules::{
    content::{CourseMedia, RecordContent, stored},
    difference::{CourseField, Difference, differences},
};
use chrono::NaiveDate;
use futures_util::TryStreamExt;
use infra::{
    Error, Paging, Result,
    clock::{Moment, day_began, day_ended},
    transfer::Rows,
};
use poem_openapi::Object;
use sqlx::PgConnection;

use crate::record_course::{CourseAuditStatus, names_of};

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

struct Row {
    id: i64,
    course_id: i64,
    course_name: String,
    lecturer_name: String,
    submitter_name: Option<String>,
    submitted_at: Moment,
    changes: Vec<String>,
    audit_status: CourseAuditStatus,
    audit_opinion: Option<String>,
    auditor_name: Option<String>,
    audited_at: Option<Moment>,
    version: i32,
}

impl From<Row> for RecordAudit {
    fn from(row: Row) -> Self {
        Self {
            id: row.id,
            course_id: row.course_id,
            course_name: row.course_name,
            lecturer_name: row.lecturer_name,
            submitter_name: row.submitter_name,
            submitted_at: row.submitted_at,
            changes: row
                .changes
                .iter()
                .filter_map(|word| CourseField::parse(word))
                .map(|field| field.zh().to_owned())
                .collect(),
            audit_status: row.audit_status,
            audit_opinion: row.audit_opinion,
            auditor_name: row.auditor_name,
            audited_at: row.audited_at,
            version: row.version,
        }
    }
}

/// Versions, those that wait before all others, then what was handed in last. Name and lecturer are those of the version.
pub(super) fn select<'c>(
    connection: &'c mut PgConnection,
    only: Option<i64>,
    filter: &RecordAuditFilter,
    page: Option<Paging>,
) -> Rows<'c, RecordAudit> {
    let rows = sqlx::query_as!(
        Row,
        r#"select r.id, r.course_id, r.content ->> 'courseName' as "course_name!",
                  coalesce((select l.lecturer_name from platform.lecturer l where l.id = (r.content ->> 'lecturerId')::bigint), '')
                      as "lecturer_name!",
                  (select u.real_name from platform.sys_user u where u.id = r.submitter_id) as submitter_name, r.submitted_at,
                  r.changes, r.audit_status as "audit_status: _", r.audit_opinion,
                  (select u.real_name from platform.sys_user u where u.id = r.audited_by) as auditor_name, r.audited_at,
                  r.version
           from platform.online_course_revision r
           join platform.online_course c on c.id = r.course_id
           where r.audit_status <> 'draft' and c.course_type = 'record'
             and ($1::bigint is null or r.id = $1)
             and ($2::text is null or strpos(r.content ->> 'courseName', $2) > 0)
             and ($3::bigint is null or (r.content ->> 'lecturerId')::bigint = $3)
             and ($4::text is null or r.audit_status = $4)
             and ($5::timestamptz is null or r.submitted_at >= $5)
             and ($6::timestamptz is null or r.submitted_at < $6)
           order by r.audit_status = 'pending' desc, r.submitted_at desc, r.id desc limit $7 offset $8"#,
        only,
        filter.course_name,
        filter.lecturer_id,
        filter.audit_status.map(CourseAuditStatus::as_str),
        filter.submitted_from.map(day_began),
        filter.submitted_to.map(day_ended),
        page.map(Paging::limit),
        page.map(Paging::offset)
    )
    .fetch(connection);
    Box::pin(rows.map_ok(RecordAudit::from))
}

pub(super) async fn count(connection: &mut PgConnection, filter: &RecordAuditFilter) -> Result<i64> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!"
           from platform.online_course_revision r
           join platform.online_course c on c.id = r.course_id
           where r.audit_status <> 'draft' and c.course_type = 'record'
             and ($1::text is null or strpos(r.content ->> 'courseName', $1) > 0)
             and ($2::bigint is null or (r.content ->> 'lecturerId')::bigint = $2)
             and ($3::text is null or r.audit_status = $3)
             and ($4::timestamptz is null or r.submitted_at >= $4)
             and ($5::timestamptz is null or r.submitted_at < $5)"#,
        filter.course_name,
        filter.lecturer_id,
        filter.audit_status.map(CourseAuditStatus::as_str),
        filter.submitted_from.map(day_began),
        filter.submitted_to.map(day_ended)
    )
    .fetch_one(connection)
    .await?;
    Ok(total)
}

/// The version beside what was published when it was handed in.
pub(super) async fn view(connection: &mut PgConnection, id: i64) -> Result<RecordAuditView> {
    let found = select(connection, Some(id), &RecordAuditFilter::default(), None).try_next().await?;
    let revision = found.ok_or_else(Error::not_found)?;
    let kept = sqlx::query!("select content, base from platform.online_course_revision where id = $1", id)
        .fetch_optional(&mut *connection)
        .await?
        .ok_or_else(Error::not_found)?;
    let base = kept.base.map(stored).transpose()?;
    let content = stored(kept.content)?;
    let names = names_of(connection, base.as_ref(), &content).await?;
    let differences = differences(base.as_ref(), &content, &names);
    Ok(RecordAuditView { revision, differences, content, media: names.media })
}
