//! How versions are read by auditors. Drafts are their authors' alone.

use catalogue::course::CourseAuditStatus;
use chrono::NaiveDate;
use futures_util::TryStreamExt;
use infra::{
    App, Error, Paging, Result,
    across::Segment,
    clock::{Moment, day_began, day_ended},
    transfer::Rows,
};
use poem_openapi::Object;
use quiz_rules::{
    content::{QuizContent, stored},
    difference::{QuizDifference, QuizField, differences},
    paper::{self, QuizPaperSection},
};
use sqlx::PgConnection;

use crate::{
    exam::content::names_of,
    problem::{QuizMedia, media::shown, select::for_papers},
};

/// A version as the list shows it.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct QuizAudit {
    /// 编号
    pub id: i64,
    /// 试卷
    pub exam_id: i64,
    /// 试卷名称
    pub exam_name: String,
    /// 讲师姓名
    pub lecturer_name: Option<String>,
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
pub struct QuizAuditView {
    #[oai(flatten)]
    pub revision: QuizAudit,
    /// 差异
    pub differences: Vec<QuizDifference>,
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
pub struct QuizAuditFilter {
    /// 试卷名称
    #[oai(validator(max_length = 60))]
    pub exam_name: Option<String>,
    /// 讲师
    pub lecturer_id: Option<i64>,
    /// 审核状态
    pub audit_status: Option<CourseAuditStatus>,
    /// 提交日期起
    pub submitted_from: Option<NaiveDate>,
    /// 提交日期止
    pub submitted_to: Option<NaiveDate>,
}

/// A version as it is read.
pub struct QuizAuditRow {
    id: i64,
    exam_id: i64,
    exam_name: String,
    lecturer_name: Option<String>,
    submitter_name: Option<String>,
    submitted_at: Moment,
    /// The words of [`QuizField`].
    changes: Vec<String>,
    audit_status: CourseAuditStatus,
    audit_opinion: Option<String>,
    auditor_name: Option<String>,
    audited_at: Option<Moment>,
    version: i32,
}

impl From<QuizAuditRow> for QuizAudit {
    fn from(row: QuizAuditRow) -> Self {
        let fields = row.changes.iter().filter_map(|word| QuizField::parse(word));
        Self {
            id: row.id,
            exam_id: row.exam_id,
            changes: fields.map(|field| field.zh().to_owned()).collect(),
            exam_name: row.exam_name,
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

/// Versions, those that wait before all others, then what was handed in last. Name and lecturer are those of the version.
pub(super) fn select<'c>(
    connection: &'c mut PgConnection,
    only: Option<i64>,
    filter: &QuizAuditFilter,
    page: Option<Paging>,
) -> Rows<'c, QuizAuditRow> {
    let rows = sqlx::query_as!(
        QuizAuditRow,
        r#"select r.id, r.exam_id, r.content ->> 'examName' as "exam_name!",
                  (select l.lecturer_name from platform.lecturer l where l.id = (r.content ->> 'lecturerId')::bigint)
                      as "lecturer_name?",
                  (select u.real_name from platform.sys_user u where u.id = r.submitter_id) as "submitter_name?",
                  r.submitted_at, r.changes, r.audit_status as "audit_status: _", r.audit_opinion,
                  (select u.real_name from platform.sys_user u where u.id = r.audited_by) as "auditor_name?", r.audited_at, r.version
           from platform.online_exam_revision r
           where r.audit_status <> 'draft'
             and ($1::bigint is null or r.id = $1)
             and ($2::text is null or strpos(r.content ->> 'examName', $2) > 0)
             and ($3::bigint is null or (r.content ->> 'lecturerId')::bigint = $3)
             and ($4::text is null or r.audit_status = $4)
             and ($5::timestamptz is null or r.submitted_at >= $5)
             and ($6::timestamptz is null or r.submitted_at < $6)
           order by r.audit_status = 'pending' desc, r.submitted_at desc, r.id desc limit $7 offset $8"#,
        only,
        filter.exam_name,
        filter.lecturer_id,
        filter.audit_status.map(CourseAuditStatus::as_str),
        filter.submitted_from.map(day_began),
        filter.submitted_to.map(day_ended),
        page.map(Paging::limit),
        page.map(Paging::offset)
    )
    .fetch(connection);
    Box::pin(rows)
}

/// How many versions are in each state, whichever of them the filter wants.
pub(super) async fn segments(connection: &mut PgConnection, filter: &QuizAuditFilter) -> Result<Vec<Segment>> {
    let segments = sqlx::query_as!(
        Segment,
        r#"select r.audit_status as "value!", count(*) as "count!" from platform.online_exam_revision r
           where r.audit_status <> 'draft'
             and ($1::text is null or strpos(r.content ->> 'examName', $1) > 0)
             and ($2::bigint is null or (r.content ->> 'lecturerId')::bigint = $2)
             and ($3::timestamptz is null or r.submitted_at >= $3)
             and ($4::timestamptz is null or r.submitted_at < $4)
           group by r.audit_status order by r.audit_status"#,
        filter.exam_name,
        filter.lecturer_id,
        filter.submitted_from.map(day_began),
        filter.submitted_to.map(day_ended)
    )
    .fetch_all(connection)
    .await?;
    Ok(segments)
}

/// The version beside what was published when it was handed in, with its questions as they are now.
///
/// # Errors
/// 404 when there is none.
pub(super) async fn compared(app: &App, connection: &mut PgConnection, id: i64) -> Result<QuizAuditView> {
    let found = select(connection, Some(id), &QuizAuditFilter::default(), None).try_next().await?;
    let revision = found.ok_or_else(Error::not_found)?.into();
    let kept = sqlx::query!("select content, base from platform.online_exam_revision where id = $1", id)
        .fetch_optional(&mut *connection)
        .await?
        .ok_or_else(Error::not_found)?;
    let base = kept.base.map(stored).transpose()?;
    let content = stored(kept.content)?;
    let names = names_of(connection, base.as_ref(), &content).await?;
    let differences = differences(base.as_ref(), &content, &names);
    let problems = for_papers(connection, &content.problem_ids()).await?;
    let paper = paper::frozen(&content.sections, &problems);
    let media = shown(app, connection, &paper::files(&paper, true)).await?;
    Ok(QuizAuditView { revision, differences, content, paper, media })
}
