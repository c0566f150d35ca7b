//! 新增 and 编辑: whatever is typed becomes a version, and an approved one becomes the course.

use catalogue_rules::{
    content::{RecordContent, stored},
    difference::{CourseField, changed},
};
use infra::{Change, Error, Result, Tx, pinyin};
use poem_openapi::{Object, types::Example};
use serde_json::Value;

use super::{
    CourseAuditStatus, CourseSubmission,
    content::checked,
    publish::publish,
    shelf::{LockedCourse, lock},
};

/// What an operator types of a new course.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct RecordCourseForm {
    /// 保存方式
    pub submission: CourseSubmission,
    #[oai(flatten)]
    pub content: RecordContent,
}

impl Example for RecordCourseForm {
    fn example() -> Self {
        Self { submission: CourseSubmission::Publish, content: RecordContent::example() }
    }
}

/// The whole content again, with the version that was read.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct RecordCourseEdit {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 保存方式
    pub submission: CourseSubmission,
    #[oai(flatten)]
    pub content: RecordContent,
}

impl Example for RecordCourseEdit {
    fn example() -> Self {
        Self { id: 1, version: 1, submission: CourseSubmission::Publish, content: RecordContent::example() }
    }
}

impl CourseSubmission {
    /// What becomes of the version.
    const fn leads_to(self) -> CourseAuditStatus {
        match self {
            Self::Draft => CourseAuditStatus::Draft,
            Self::Review => CourseAuditStatus::Pending,
            Self::Publish => CourseAuditStatus::Approved,
        }
    }
}

/// # Errors
/// 422 at the field that is wrong; at `submission` when somebody publishes who may not.
pub(crate) async fn insert(tx: &mut Tx, form: RecordCourseForm, may_publish: bool) -> Result<(i64, Change)> {
    if form.submission == CourseSubmission::Publish && !may_publish {
        return Err(Error::field("submission", "您没有直接发布的权限，请提交审核"));
    }
    let content = checked(form.content, tx, None, None).await?;
    let status = form.submission.leads_to();
    let by = tx.by();
    // It is the first version that makes a course approved.
    let before_approval = if status == CourseAuditStatus::Approved { CourseAuditStatus::Pending } else { status };
    let id = sqlx::query_scalar!(
        "insert into platform.online_course (course_type, course_name, category_id, lecturer_id, cover, introduce, is_free,
             price_original, price_sale, valid_days, audit_status, initials, created_by, updated_by)
         values ('record', $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12) returning id",
        content.course_name,
        content.category_id,
        content.lecturer_id,
        content.cover,
        content.introduce.as_ref().map(infra::RichText::as_str),
        content.is_free,
        content.price_original,
        content.price_sale,
        content.valid_days,
        before_approval.as_str(),
        pinyin::text_initials(&content.course_name),
        by
    )
    .fetch_one(&mut **tx)
    .await?;
    let kept = Version { course: id, open: None, status, base: None, content };
    let content = kept.keep(tx).await?;
    Ok((id, Change::created("online_course", id, &content)))
}

/// # Errors
/// 409 while a version waits for its auditors, when nothing differs from what is published, and when somebody else edited
/// meanwhile; 422 at the field that is wrong.
pub(super) async fn update(tx: &mut Tx, edit: RecordCourseEdit) -> Result<Change> {
    let course = lock(tx, edit.id).await?;
    if course.version != edit.version {
        return Err(tx.stale("online_course", edit.id).await);
    }
    let Versions { open, published } = versions(tx, &course).await?;
    if open.as_ref().is_some_and(|open| open.status == CourseAuditStatus::Pending) {
        return Err(Error::conflict("该课程有待审核版本"));
    }
    let (open_id, open) = open.map(|open| (open.id, stored(open.content))).unzip();
    let open = open.transpose()?;
    let published = published.map(stored).transpose()?;
    let before = open.or_else(|| published.clone());
    let content = checked(edit.content, tx, Some(edit.id), before.as_ref()).await?;
    if edit.submission != CourseSubmission::Draft && published.as_ref() == Some(&content) {
        return Err(Error::conflict("内容与已发布的版本相同，无需提交"));
    }
    let status = edit.submission.leads_to();
    let kept = Version { course: edit.id, open: open_id, status, base: published, content };
    kept.shown_before_approval(tx, &course).await?;
    let after = kept.keep(tx).await?;
    let change = match before {
        Some(before) => Change::edited("online_course", edit.id, &before, &after),
        None => Change::created("online_course", edit.id, &after),
    };
    Ok(change)
}

/// What a course has of versions.
struct Versions {
    open: Option<Open>,
    /// The content that is published.
    published: Option<Value>,
}

/// The version that is not approved.
struct Open {
    id: i64,
    status: CourseAuditStatus,
    content: Value,
}

async fn versions(tx: &mut Tx, course: &LockedCourse) -> Result<Versions> {
    let open = sqlx::query_as!(
        Open,
        r#"select id, audit_status as "status: _", content from platform.online_course_revision
           where course_id = $1 and audit_status <> 'approved' for update"#,
        course.id
    )
    .fetch_optional(&mut **tx)
    .await?;
    let published = sqlx::query_scalar!(
        "select content from platform.online_course_revision where id = $1",
        course.published_revision_id
    )
    .fetch_optional(&mut **tx)
    .await?;
    Ok(Versions { open, published })
}

/// A version that is to be kept.
struct Version {
    course: i64,
    /// The one that is open already; it is written over.
    open: Option<i64>,
    status: CourseAuditStatus,
    base: Option<RecordContent>,
    content: RecordContent,
}

impl Version {
    /// Until its first approval a course shows what was typed last.
    async fn shown_before_approval(&self, tx: &mut Tx, course: &LockedCourse) -> Result<()> {
        let by = tx.by();
        if course.published_revision_id.is_some() {
            // Whoever reads the course now sees that it was changed since.
            sqlx::query!(
                "update platform.online_course set updated_at = now(), updated_by = $2, version = version + 1 where id = $1",
                course.id,
                by
            )
            .execute(&mut **tx)
            .await?;
            return Ok(());
        }
        let status = if self.status == CourseAuditStatus::Approved { CourseAuditStatus::Pending } else { self.status };
        sqlx::query!(
            "update platform.online_course
             set course_name = $2, category_id = $3, lecturer_id = $4, cover = $5, introduce = $6, is_free = $7,
                 price_original = $8, price_sale = $9, valid_days = $10, audit_status = $11, initials = $12, updated_at = now(),
                 updated_by = $13, version = version + 1
             where id = $1",
            course.id,
            self.content.course_name,
            self.content.category_id,
            self.content.lecturer_id,
            self.content.cover,
            self.content.introduce.as_ref().map(infra::RichText::as_str),
            self.content.is_free,
            self.content.price_original,
            self.content.price_sale,
            self.content.valid_days,
            status.as_str(),
            pinyin::text_initials(&self.content.course_name),
            by
        )
        .execute(&mut **tx)
        .await?;
        Ok(())
    }

    /// Writes the version, and publishes one that is approved. Answers what it holds.
    async fn keep(self, tx: &mut Tx) -> Result<RecordContent> {
        let by = tx.by();
        let approved = self.status == CourseAuditStatus::Approved;
        let changes: Vec<&str> =
            changed(self.base.as_ref(), &self.content).into_iter().map(CourseField::as_str).collect();
        let base = self.base.as_ref().map(RecordContent::to_stored);
        let id = match self.open {
            Some(id) => {
                sqlx::query!(
                    "update platform.online_course_revision
                     set content = $2, base = $3, changes = $4, audit_status = $5, submitter_id = $6, submitted_at = now(),
                         audit_opinion = null, audited_by = case when $7::boolean then $6::bigint end,
                         audited_at = case when $7::boolean then now() end, updated_at = now(), updated_by = $6, version = version + 1
                     where id = $1",
                    id,
                    self.content.to_stored(),
                    base,
                    &changes as &[&str],
                    self.status.as_str(),
                    by,
                    approved
                )
                .execute(&mut **tx)
                .await?;
                id
            }
            None => {
                sqlx::query_scalar!(
                    "insert into platform.online_course_revision (course_id, content, base, changes, audit_status, submitter_id,
                         audited_by, audited_at, created_by, updated_by)
                     values ($1, $2, $3, $4, $5, $6, case when $7::boolean then $6::bigint end,
                             case when $7::boolean then now() end, $6, $6)
                     returning id",
                    self.course,
                    self.content.to_stored(),
                    base,
                    &changes as &[&str],
                    self.status.as_str(),
                    by,
                    approved
                )
                .fetch_one(&mut **tx)
                .await?
            }
        };
        if approved { publish(tx, self.course, id, self.content).await } else { Ok(self.content) }
    }
}
