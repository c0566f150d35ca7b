//! 新增 and 编辑: whatever is typed becomes a version, and an approved one becomes the course.

use std::collections::HashSet;

use catalogue_rules::{
    attachment,
    course::{CourseContent, stored},
    difference::{CourseField, changed},
    resource::{EXTENSIONS, MOST_MB},
};
use infra::{Change, Error, Result, Tx, files, pinyin};
use serde_json::Value;

use super::{
    CourseAuditStatus, CourseSubmission,
    content::checked,
    publish::publish,
    shelf::{LockedCourse, lock},
};

/// A course that somebody edited: the version that they read, and what they typed.
pub(crate) struct Typed {
    pub(crate) id: i64,
    pub(crate) version: i32,
    pub(crate) submission: CourseSubmission,
    pub(crate) content: CourseContent,
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
pub(crate) async fn insert(
    tx: &mut Tx,
    submission: CourseSubmission,
    content: CourseContent,
    may_publish: bool,
) -> Result<(i64, Change)> {
    if submission == CourseSubmission::Publish && !may_publish {
        return Err(Error::field("submission", "您没有直接发布的权限，请提交审核"));
    }
    let content = checked(content, tx, None, None).await?;
    let status = submission.leads_to();
    let by = tx.by();
    // It is the first version that makes a course approved.
    let before_approval = if status == CourseAuditStatus::Approved { CourseAuditStatus::Pending } else { status };
    let head = content.head();
    let id = sqlx::query_scalar!(
        "insert into platform.online_course (course_type, course_name, category_id, lecturer_id, cover, introduce, is_free,
             price_original, price_sale, valid_days, count_buy_base, audit_status, initials, created_by, updated_by)
         values ($13, $1, $2, $3, $4, $5, $6, $7, $8, $9, $14, $10, $11, $12, $12) returning id",
        head.course_name,
        head.category_id,
        head.lecturer_id,
        head.cover,
        head.introduce.map(infra::RichText::as_str),
        head.is_free,
        head.price_original,
        head.price_sale,
        head.valid_days,
        before_approval.as_str(),
        pinyin::text_initials(head.course_name),
        by,
        content.kind().as_str(),
        head.count_buy_base
    )
    .fetch_one(&mut **tx)
    .await?;
    let kept = Version { course: id, open: None, status, base: None, content };
    kept.take_files(tx).await?;
    let content = kept.keep(tx).await?;
    Ok((id, created(id, &content)))
}

/// # Errors
/// 409 while a version waits for its auditors, when nothing differs from what is published, and when somebody else edited
/// meanwhile; 422 at the field that is wrong.
pub(crate) async fn update(tx: &mut Tx, edit: Typed) -> Result<Change> {
    let kind = edit.content.kind();
    let course = lock(tx, kind, edit.id).await?;
    if course.version != edit.version {
        return Err(tx.stale("online_course", edit.id).await);
    }
    let Versions { open, published } = versions(tx, &course).await?;
    if open.as_ref().is_some_and(|open| open.status == CourseAuditStatus::Pending) {
        return Err(Error::conflict("该课程有待审核版本"));
    }
    let (open_id, open) = open.map(|open| (open.id, stored(kind, open.content))).unzip();
    let open = open.transpose()?;
    let published = published.map(|content| stored(kind, content)).transpose()?;
    let before = open.or_else(|| published.clone());
    let content = checked(edit.content, tx, Some(edit.id), before.as_ref()).await?;
    if edit.submission != CourseSubmission::Draft && published.as_ref() == Some(&content) {
        return Err(Error::conflict("内容与已发布的版本相同，无需提交"));
    }
    let status = edit.submission.leads_to();
    let kept = Version { course: edit.id, open: open_id, status, base: published, content };
    kept.take_files(tx).await?;
    kept.shown_before_approval(tx, &course).await?;
    let after = kept.keep(tx).await?;
    let change = match &before {
        Some(before) => edited(edit.id, before, &after),
        None => created(edit.id, &after),
    };
    Ok(change)
}

fn created(id: i64, content: &CourseContent) -> Change {
    match content {
        CourseContent::Record(content) => Change::created("online_course", id, content),
        CourseContent::Live(content) => Change::created("online_course", id, content),
        CourseContent::Resource(content) => Change::created("online_course", id, content),
    }
}

fn edited(id: i64, before: &CourseContent, after: &CourseContent) -> Change {
    match (before, after) {
        (CourseContent::Record(before), CourseContent::Record(after)) => {
            Change::edited("online_course", id, before, after)
        }
        (CourseContent::Live(before), CourseContent::Live(after)) => Change::edited("online_course", id, before, after),
        (CourseContent::Resource(before), CourseContent::Resource(after)) => {
            Change::edited("online_course", id, before, after)
        }
        // A course keeps its kind; its versions are read by it.
        (_, after) => created(id, after),
    }
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
    base: Option<CourseContent>,
    content: CourseContent,
}

impl Version {
    /// The file of a resource, and those of lessons, are the course's from then on.
    ///
    /// # Errors
    /// 422 at the field for one that did not come, is another record's, of another kind, or too large.
    async fn take_files(&self, tx: &mut Tx) -> Result<()> {
        let CourseContent::Resource(resource) = &self.content else { return self.take_attachments(tx).await };
        let Some(key) = &resource.resource_file_key else { return Ok(()) };
        files::adopt_kind(tx, key, ("online_course", self.course), &EXTENSIONS, MOST_MB).await.map_err(|error| {
            match error.code {
                422 => Error::field("resourceFileKey", error.msg),
                _ => error,
            }
        })?;
        Ok(())
    }

    async fn take_attachments(&self, tx: &mut Tx) -> Result<()> {
        let lessons = self.content.attachments();
        if lessons.is_empty() {
            return Ok(());
        }
        let keys = self.content.file_keys();
        let held = sqlx::query_scalar!(
            "select key from platform.file_object
             where key = any($1) and state = 'stored' and owner_type = 'online_course' and owner_id = $2",
            &keys,
            self.course
        )
        .fetch_all(&mut **tx)
        .await?;
        let held: HashSet<String> = held.into_iter().collect();
        for lesson in lessons {
            for key in lesson.keys.iter().filter(|key| !held.contains(*key)) {
                files::adopt_kind(tx, key, ("online_course", self.course), &EXTENSIONS, attachment::MOST_MB)
                    .await
                    .map_err(|error| match error.code {
                        422 => Error::field(&lesson.field(), error.msg),
                        _ => error,
                    })?;
            }
        }
        Ok(())
    }

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
        let head = self.content.head();
        sqlx::query!(
            "update platform.online_course
             set course_name = $2, category_id = $3, lecturer_id = $4, cover = $5, introduce = $6, is_free = $7,
                 price_original = $8, price_sale = $9, valid_days = $10, audit_status = $11, initials = $12, count_buy_base = $14,
                 updated_at = now(), updated_by = $13, version = version + 1
             where id = $1",
            course.id,
            head.course_name,
            head.category_id,
            head.lecturer_id,
            head.cover,
            head.introduce.map(infra::RichText::as_str),
            head.is_free,
            head.price_original,
            head.price_sale,
            head.valid_days,
            status.as_str(),
            pinyin::text_initials(head.course_name),
            by,
            head.count_buy_base
        )
        .execute(&mut **tx)
        .await?;
        Ok(())
    }

    /// Writes the version, and publishes one that is approved. Answers what it holds.
    async fn keep(self, tx: &mut Tx) -> Result<CourseContent> {
        let by = tx.by();
        let approved = self.status == CourseAuditStatus::Approved;
        let changes: Vec<&str> =
            changed(self.base.as_ref(), &self.content).into_iter().map(CourseField::as_str).collect();
        let base = self.base.as_ref().map(CourseContent::to_stored);
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
