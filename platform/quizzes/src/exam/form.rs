//! 新增 and 编辑: whatever is typed becomes a version, and an approved one becomes the exam.

use catalogue::course::{CourseAuditStatus, CourseSubmission};
use infra::{Change, Error, Result, Tx, pinyin};
use question_bank_rules::score::tenths;
use quiz_rules::{
    content::{QuizContent, stored},
    difference::{QuizField, changed},
};
use serde_json::Value;

use super::{
    content::checked,
    publish::{publish, set_problems},
    shelf::{LockedQuiz, lock},
};

/// An exam that somebody edited: the version that they read, and what they typed.
pub(crate) struct Typed {
    pub(crate) id: i64,
    pub(crate) version: i32,
    pub(crate) submission: CourseSubmission,
    pub(crate) content: QuizContent,
}

/// What becomes of the version.
const fn leads_to(submission: CourseSubmission) -> CourseAuditStatus {
    match submission {
        CourseSubmission::Draft => CourseAuditStatus::Draft,
        CourseSubmission::Review => CourseAuditStatus::Pending,
        CourseSubmission::Publish => CourseAuditStatus::Approved,
    }
}

/// # Errors
/// 422 at the field that is wrong; at `submission` when somebody publishes who may not.
pub(crate) async fn insert(
    tx: &mut Tx,
    submission: CourseSubmission,
    content: QuizContent,
    may_publish: bool,
) -> Result<(i64, Change)> {
    if submission == CourseSubmission::Publish && !may_publish {
        return Err(Error::field("submission", "您没有直接发布的权限，请提交审核"));
    }
    let content = checked(content, tx, submission != CourseSubmission::Draft, None).await?;
    let status = leads_to(submission);
    let by = tx.by();
    // It is the first version that makes an exam approved.
    let before_approval = if status == CourseAuditStatus::Approved { CourseAuditStatus::Pending } else { status };
    let id = sqlx::query_scalar!(
        "insert into platform.online_exam (exam_name, category_id, lecturer_id, cover, is_free, price_original, price_sale,
             duration_minutes, total_score, pass_score, attempt_limit, problem_total, audit_status, initials, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $15) returning id",
        content.exam_name,
        content.category_id,
        content.lecturer_id,
        content.cover,
        content.is_free,
        content.price_original,
        content.price_sale,
        content.duration_minutes,
        tenths(content.total_score),
        tenths(content.pass_score),
        content.attempt_limit,
        total(&content),
        before_approval.as_str(),
        pinyin::text_initials(&content.exam_name),
        by
    )
    .fetch_one(&mut **tx)
    .await?;
    let change = Change::created("online_exam", id, &content);
    Version { exam: id, open: None, status, base: None, content }.keep(tx).await?;
    Ok((id, change))
}

pub(super) fn total(content: &QuizContent) -> i32 {
    i32::try_from(content.problems().count()).unwrap_or(i32::MAX)
}

/// # Errors
/// 409 while a version waits for its auditors, when nothing differs from what is published, and when somebody else edited meanwhile;
/// 422 at the field that is wrong.
pub(crate) async fn update(tx: &mut Tx, edit: Typed) -> Result<Change> {
    let exam = lock(tx, edit.id).await?;
    if exam.version != edit.version {
        return Err(tx.stale("online_exam", edit.id).await);
    }
    let Versions { open, published } = versions(tx, &exam).await?;
    if open.as_ref().is_some_and(|open| open.status == CourseAuditStatus::Pending) {
        return Err(Error::conflict("该试卷有待审核版本"));
    }
    let (open_id, open) = open.map(|open| (open.id, stored(open.content))).unzip();
    let open = open.transpose()?;
    let published = published.map(stored).transpose()?;
    let before = open.or_else(|| published.clone());
    let content = checked(edit.content, tx, edit.submission != CourseSubmission::Draft, before.as_ref()).await?;
    if edit.submission != CourseSubmission::Draft && published.as_ref() == Some(&content) {
        return Err(Error::conflict("内容与已发布的版本相同，无需提交"));
    }
    let change = match &before {
        Some(before) => Change::edited("online_exam", edit.id, before, &content),
        None => Change::created("online_exam", edit.id, &content),
    };
    let kept = Version { exam: edit.id, open: open_id, status: leads_to(edit.submission), base: published, content };
    kept.shown_before_approval(tx, &exam).await?;
    kept.keep(tx).await?;
    Ok(change)
}

/// What an exam has of versions.
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

async fn versions(tx: &mut Tx, exam: &LockedQuiz) -> Result<Versions> {
    let open = sqlx::query_as!(
        Open,
        r#"select id, audit_status as "status: _", content from platform.online_exam_revision
           where exam_id = $1 and audit_status <> 'approved' for update"#,
        exam.id
    )
    .fetch_optional(&mut **tx)
    .await?;
    let published = sqlx::query_scalar!(
        "select content from platform.online_exam_revision where id = $1",
        exam.published_revision_id
    )
    .fetch_optional(&mut **tx)
    .await?;
    Ok(Versions { open, published })
}

/// A version that is to be kept.
struct Version {
    exam: i64,
    /// The one that is open already; it is written over.
    open: Option<i64>,
    status: CourseAuditStatus,
    base: Option<QuizContent>,
    content: QuizContent,
}

impl Version {
    /// Until its first approval an exam shows what was typed last.
    async fn shown_before_approval(&self, tx: &mut Tx, exam: &LockedQuiz) -> Result<()> {
        let by = tx.by();
        if exam.published_revision_id.is_some() {
            // Whoever reads the exam now sees that it was changed since.
            sqlx::query!(
                "update platform.online_exam set updated_at = now(), updated_by = $2, version = version + 1 where id = $1",
                exam.id,
                by
            )
            .execute(&mut **tx)
            .await?;
            return Ok(());
        }
        let status = if self.status == CourseAuditStatus::Approved { CourseAuditStatus::Pending } else { self.status };
        let content = &self.content;
        sqlx::query!(
            "update platform.online_exam
             set exam_name = $2, category_id = $3, lecturer_id = $4, cover = $5, is_free = $6, price_original = $7, price_sale = $8,
                 duration_minutes = $9, total_score = $10, pass_score = $11, attempt_limit = $12, problem_total = $13,
                 audit_status = $14, initials = $15, updated_at = now(), updated_by = $16, version = version + 1
             where id = $1",
            exam.id,
            content.exam_name,
            content.category_id,
            content.lecturer_id,
            content.cover,
            content.is_free,
            content.price_original,
            content.price_sale,
            content.duration_minutes,
            tenths(content.total_score),
            tenths(content.pass_score),
            content.attempt_limit,
            total(content),
            status.as_str(),
            pinyin::text_initials(&content.exam_name),
            by
        )
        .execute(&mut **tx)
        .await?;
        Ok(())
    }

    /// Writes the version, and publishes one that is approved.
    async fn keep(self, tx: &mut Tx) -> Result<()> {
        let by = tx.by();
        let approved = self.status == CourseAuditStatus::Approved;
        let changes: Vec<&str> =
            changed(self.base.as_ref(), &self.content).into_iter().map(QuizField::as_str).collect();
        let base = self.base.as_ref().map(QuizContent::to_stored);
        let id = match self.open {
            Some(id) => {
                sqlx::query!(
                    "update platform.online_exam_revision
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
                    "insert into platform.online_exam_revision (exam_id, content, base, changes, audit_status, submitter_id, audited_by,
                         audited_at, created_by, updated_by)
                     values ($1, $2, $3, $4, $5, $6, case when $7::boolean then $6::bigint end,
                             case when $7::boolean then now() end, $6, $6)
                     returning id",
                    self.exam,
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
        if approved {
            return publish(tx, self.exam, id, &self.content).await;
        }
        let both = self.base.iter().chain([&self.content]);
        let needed: Vec<i64> = both.flat_map(QuizContent::problem_ids).collect();
        set_problems(tx, self.exam, &needed).await
    }
}
