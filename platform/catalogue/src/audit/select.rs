//! How versions are read by auditors. Drafts are their authors' alone.

use catalogue_rules::{
    content::CourseMedia,
    course::{CourseContent, SiteCourseKind, stored},
    difference::{CourseField, Difference, differences},
};
use chrono::NaiveDate;
use futures_util::TryStreamExt;
use infra::{
    Error, Paging, Result,
    across::Segment,
    clock::{Moment, day_began, day_ended},
    transfer::Rows,
};
use sqlx::PgConnection;

use crate::course::{CourseAuditStatus, names_of};

/// A version as it is read.
pub(crate) struct AuditRow {
    pub(crate) id: i64,
    pub(crate) course_id: i64,
    pub(crate) course_name: String,
    pub(crate) lecturer_name: String,
    pub(crate) submitter_name: Option<String>,
    pub(crate) submitted_at: Moment,
    /// The words of [`CourseField`].
    pub(crate) changes: Vec<String>,
    pub(crate) audit_status: CourseAuditStatus,
    pub(crate) audit_opinion: Option<String>,
    pub(crate) auditor_name: Option<String>,
    pub(crate) audited_at: Option<Moment>,
    pub(crate) version: i32,
}

impl AuditRow {
    /// The changed fields as people call them.
    pub(crate) fn labels(&self) -> Vec<String> {
        let fields = self.changes.iter().filter_map(|word| CourseField::parse(word));
        fields.map(|field| field.zh().to_owned()).collect()
    }
}

/// What lists ask for.
#[derive(Debug, Clone, Default)]
pub(crate) struct AuditQuery {
    pub(crate) course_name: Option<String>,
    pub(crate) lecturer_id: Option<i64>,
    pub(crate) audit_status: Option<CourseAuditStatus>,
    pub(crate) submitted_from: Option<NaiveDate>,
    pub(crate) submitted_to: Option<NaiveDate>,
}

/// A version with all that it changes.
pub(crate) struct Compared {
    pub(crate) revision: AuditRow,
    pub(crate) differences: Vec<Difference>,
    pub(crate) content: CourseContent,
    pub(crate) media: Vec<CourseMedia>,
}

/// Versions, those that wait before all others, then what was handed in last. Name and lecturer are those of the version; without an
/// account of the console it was handed in by its lecturer.
pub(crate) fn select<'c>(
    connection: &'c mut PgConnection,
    kind: SiteCourseKind,
    only: Option<i64>,
    filter: &AuditQuery,
    page: Option<Paging>,
) -> Rows<'c, AuditRow> {
    let rows = sqlx::query_as!(
        AuditRow,
        r#"select r.id, r.course_id, r.content ->> 'courseName' as "course_name!",
                  coalesce((select l.lecturer_name from platform.lecturer l where l.id = (r.content ->> 'lecturerId')::bigint), '')
                      as "lecturer_name!",
                  case when r.submitter_id = 0
                       then (select l.lecturer_name from platform.lecturer l where l.id = (r.content ->> 'lecturerId')::bigint)
                       else (select u.real_name from platform.sys_user u where u.id = r.submitter_id) end as "submitter_name?",
                  r.submitted_at,
                  r.changes, r.audit_status as "audit_status: _", r.audit_opinion,
                  (select u.real_name from platform.sys_user u where u.id = r.audited_by) as "auditor_name?", r.audited_at,
                  r.version
           from platform.online_course_revision r
           join platform.online_course c on c.id = r.course_id
           where r.audit_status <> 'draft' and c.course_type = $9
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
        page.map(Paging::offset),
        kind.as_str()
    )
    .fetch(connection);
    Box::pin(rows)
}

/// How many versions are in each state, whichever of them the filter wants.
pub(crate) async fn segments(
    connection: &mut PgConnection,
    kind: SiteCourseKind,
    filter: &AuditQuery,
) -> Result<Vec<Segment>> {
    let segments = sqlx::query_as!(
        Segment,
        r#"select r.audit_status as "value!", count(*) as "count!"
           from platform.online_course_revision r
           join platform.online_course c on c.id = r.course_id
           where r.audit_status <> 'draft' and c.course_type = $5
             and ($1::text is null or strpos(r.content ->> 'courseName', $1) > 0)
             and ($2::bigint is null or (r.content ->> 'lecturerId')::bigint = $2)
             and ($3::timestamptz is null or r.submitted_at >= $3)
             and ($4::timestamptz is null or r.submitted_at < $4)
           group by r.audit_status order by r.audit_status"#,
        filter.course_name,
        filter.lecturer_id,
        filter.submitted_from.map(day_began),
        filter.submitted_to.map(day_ended),
        kind.as_str()
    )
    .fetch_all(connection)
    .await?;
    Ok(segments)
}

/// The version beside what was published when it was handed in.
///
/// # Errors
/// 404 also for a version of a course of another kind.
pub(crate) async fn compared(connection: &mut PgConnection, kind: SiteCourseKind, id: i64) -> Result<Compared> {
    let found = select(connection, kind, Some(id), &AuditQuery::default(), None).try_next().await?;
    let revision = found.ok_or_else(Error::not_found)?;
    let kept = sqlx::query!("select content, base from platform.online_course_revision where id = $1", id)
        .fetch_optional(&mut *connection)
        .await?
        .ok_or_else(Error::not_found)?;
    let base = kept.base.map(|content| stored(kind, content)).transpose()?;
    let content = stored(kind, kept.content)?;
    let names = names_of(connection, base.as_ref(), &content).await?;
    let differences = differences(base.as_ref(), &content, &names);
    Ok(Compared { revision, differences, content, media: names.media })
}
