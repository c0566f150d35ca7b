//! A chapter: what a registrar types, and how it is read and written.

use infra::{Change, Edit, Error, OnConstraint, Result, Tx, naming::tidy, pinyin};
use poem_openapi::{Object, types::Example};
use sqlx::PgConnection;

/// A chapter or section, as stored and as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Chapter {
    /// 编号
    pub id: i64,
    /// 课程
    pub course_id: i64,
    /// 上级章
    pub parent_id: Option<i64>,
    /// 标题
    pub title: String,
    /// 学时
    pub hours: i32,
    /// 排序
    pub sort_no: i32,
    /// 课时数
    pub period_count: i64,
    /// 版本
    pub version: i32,
}

/// What a registrar types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ChapterForm {
    /// 课程
    pub course_id: i64,
    /// 上级章
    pub parent_id: Option<i64>,
    /// 标题
    #[oai(validator(max_length = 200))]
    pub title: String,
    /// 学时
    #[oai(default, validator(minimum(value = "0"), maximum(value = "999")))]
    pub hours: i32,
}

impl Example for ChapterForm {
    fn example() -> Self {
        Self { course_id: 1, parent_id: None, title: "第一章 绪论".to_owned(), hours: 4 }
    }
}

/// Chapters in their order. Periods of all records count.
pub(super) async fn select(
    connection: &mut PgConnection,
    course: Option<i64>,
    only: Option<i64>,
) -> Result<Vec<Chapter>> {
    let rows = sqlx::query_as!(
        Chapter,
        r#"select c.id, c.course_id, c.parent_id, c.title, c.hours, c.sort_no,
                  (select count(*) from course_period p where p.chapter_id = c.id) as "period_count!", c.version
           from course_chapter c
           where ($1::bigint is null or c.course_id = $1) and ($2::bigint is null or c.id = $2)
           order by c.sort_no, c.id"#,
        course,
        only
    )
    .fetch_all(connection)
    .await?;
    Ok(rows)
}

pub(super) async fn find(connection: &mut PgConnection, id: i64) -> Result<Chapter> {
    select(connection, None, Some(id)).await?.pop().ok_or_else(Error::not_found)
}

/// Stands last among its siblings. The caller holds the course.
pub(super) async fn insert(tx: &mut Tx, form: &ChapterForm) -> Result<(i64, Change)> {
    check_parent(tx, form, None).await?;
    let title = tidy(&form.title);
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into course_chapter (course_id, parent_id, title, hours, initials, sort_no, created_by, updated_by)
         select $1::bigint, $2::bigint, $3::text, $4::integer, $5::text,
                least(9999, coalesce(max(sort_no), 0) + 10)::integer, $6::bigint, $6::bigint
         from course_chapter where course_id = $1 and parent_id is not distinct from $2
         returning id",
        form.course_id,
        form.parent_id,
        title,
        form.hours,
        pinyin::text_initials(&title),
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(|constraint| explain_constraint(constraint, &title))?;
    Ok((id, Change::created("course_chapter", id, form)))
}

pub(super) async fn update(tx: &mut Tx, edit: &Edit<ChapterForm>) -> Result<Change> {
    let before = find(tx, edit.id).await?;
    let form = &edit.form;
    if before.course_id != form.course_id {
        return Err(Error::field("courseId", "章节不能移到其他课程"));
    }
    if before.parent_id != form.parent_id {
        check_parent(tx, form, Some(edit.id)).await?;
    }
    let title = tidy(&form.title);
    let by = tx.by();
    let changed = sqlx::query!(
        "update course_chapter set parent_id = $3, title = $4, hours = $5, initials = $6, updated_at = now(), updated_by = $7,
                version = version + 1
         where id = $1 and version = $2",
        edit.id,
        edit.version,
        form.parent_id,
        title,
        form.hours,
        pinyin::text_initials(&title),
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(|constraint| explain_constraint(constraint, &title))?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("course_chapter", edit.id).await);
    }
    let after = find(tx, edit.id).await?;
    Ok(Change::edited("course_chapter", edit.id, &before, &after))
}

/// # Errors
/// 422 at `parentId` for a place that is not directly below the course's chapters.
async fn check_parent(tx: &mut Tx, form: &ChapterForm, mover: Option<i64>) -> Result<()> {
    let Some(parent) = form.parent_id else { return Ok(()) };
    let refused = |why: &'static str| Err(Error::field("parentId", why));
    if mover == Some(parent) {
        return refused("不能移动到自己的下级");
    }
    let found = sqlx::query!(
        r#"select parent_id, exists (select from course_chapter below where below.parent_id = $3) as "has_sections!"
           from course_chapter where id = $1 and course_id = $2"#,
        parent,
        form.course_id,
        mover
    )
    .fetch_optional(&mut **tx)
    .await?;
    match found {
        None => refused("所选上级章不存在，请重新选择"),
        Some(found) if found.parent_id.is_some() || found.has_sections => refused("章节最多两级：章、节"),
        Some(_) => Ok(()),
    }
}

pub(super) fn explain_constraint(constraint: &str, title: &str) -> Option<Error> {
    (constraint == "course_chapter_title_taken").then(|| Error::field("title", title_taken(title)))
}

/// What is told of a second title beside the first.
pub(super) fn title_taken(title: &str) -> String {
    format!("同级中标题“{title}”已存在")
}
