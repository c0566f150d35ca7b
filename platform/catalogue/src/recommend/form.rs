//! What an operator types of a recommendation, and the order in which they stand.

use infra::{BulkResult, Change, Edit, Error, OnConstraint, Result, Tx, clock::Moment};
use poem_openapi::{Object, types::Example};

use super::{RecommendPosition, list::find};

/// What an operator types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct CourseRecommendForm {
    /// 课程
    pub course_id: i64,
    /// 位置
    pub position: RecommendPosition,
    /// 分类
    /// 位置为分类页时必填
    pub category_id: Option<i64>,
    /// 开始时间
    pub begins_at: Option<Moment>,
    /// 结束时间
    pub ends_at: Option<Moment>,
    /// 排序
    #[oai(default = "first", validator(minimum(value = "0"), maximum(value = "9999")))]
    pub sort: i32,
    /// 启用
    #[oai(default = "on")]
    pub enabled: bool,
}

fn first() -> i32 {
    1
}

fn on() -> bool {
    true
}

impl Example for CourseRecommendForm {
    fn example() -> Self {
        Self {
            course_id: 1,
            position: RecommendPosition::Home,
            category_id: None,
            begins_at: None,
            ends_at: None,
            sort: 1,
            enabled: true,
        }
    }
}

/// `{ids}` of `sort`: all in their new order.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct RecommendOrder {
    /// 编号
    #[oai(validator(min_items = 1, max_items = 500))]
    pub ids: Vec<i64>,
}

impl Example for RecommendOrder {
    fn example() -> Self {
        Self { ids: vec![2, 1] }
    }
}

/// The answer of an order that was written.
///
/// # Errors
/// Only internal ones.
pub fn ordered(order: &RecommendOrder) -> Result<BulkResult> {
    Ok(BulkResult { done: i64::try_from(order.ids.len()).map_err(Error::internal)?, failed: Vec::new() })
}

impl CourseRecommendForm {
    /// The form with a category only where it belongs.
    ///
    /// # Errors
    /// 422 at the field.
    fn checked(mut self) -> Result<Self> {
        match (self.position, self.category_id) {
            (RecommendPosition::Category, None) => return Err(Error::field("categoryId", "请选择分类")),
            (RecommendPosition::Category, Some(_)) => {}
            (RecommendPosition::Home | RecommendPosition::Detail, _) => self.category_id = None,
        }
        match (self.begins_at, self.ends_at) {
            (Some(begin), Some(end)) if end <= begin => Err(Error::field("endsAt", "结束时间必须晚于开始时间")),
            _ => Ok(self),
        }
    }

    /// # Errors
    /// 422 at the field for a course or a category that is not there; the category is one of the course's kind.
    async fn is_there(&self, tx: &mut Tx) -> Result<()> {
        let kind = sqlx::query_scalar!(
            "select course_type from platform.online_course where id = $1 for share",
            self.course_id
        )
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(|| Error::field("courseId", "所选课程不存在，请重新选择"))?;
        let Some(category) = self.category_id else { return Ok(()) };
        let known = sqlx::query_scalar!(
            r#"select exists (select from platform.online_category where id = $1 and category_type = $2) as "known!""#,
            category,
            kind
        )
        .fetch_one(&mut **tx)
        .await?;
        if known {
            Ok(())
        } else {
            Err(Error::field("categoryId", "所选分类不存在，请选择该类课程的分类"))
        }
    }
}

fn explain_constraint(constraint: &str) -> Option<Error> {
    (constraint == "course_recommend_taken").then(|| Error::conflict("该课程在此位置已有推荐"))
}

pub(crate) async fn insert(tx: &mut Tx, form: CourseRecommendForm) -> Result<(i64, Change)> {
    let form = form.checked()?;
    form.is_there(tx).await?;
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into platform.course_recommend (course_id, position, category_id, begins_at, ends_at, sort, enabled, created_by,
             updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $8) returning id",
        form.course_id,
        form.position.as_str(),
        form.category_id,
        form.begins_at,
        form.ends_at,
        form.sort,
        form.enabled,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(explain_constraint)?;
    Ok((id, Change::created("course_recommend", id, &form)))
}

pub(super) async fn update(tx: &mut Tx, now: Moment, edit: Edit<CourseRecommendForm>) -> Result<Change> {
    let form = edit.form.checked()?;
    let before = find(tx, now, edit.id).await?;
    form.is_there(tx).await?;
    let by = tx.by();
    let changed = sqlx::query!(
        "update platform.course_recommend set course_id = $3, position = $4, category_id = $5, begins_at = $6, ends_at = $7,
                sort = $8, enabled = $9, updated_at = now(), updated_by = $10, version = version + 1
         where id = $1 and version = $2",
        edit.id,
        edit.version,
        form.course_id,
        form.position.as_str(),
        form.category_id,
        form.begins_at,
        form.ends_at,
        form.sort,
        form.enabled,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(explain_constraint)?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("course_recommend", edit.id).await);
    }
    let after = find(tx, now, edit.id).await?;
    Ok(Change::edited("course_recommend", edit.id, &before, &after))
}

pub(super) async fn remove(tx: &mut Tx, now: Moment, id: i64) -> Result<Change> {
    let before = find(tx, now, id).await?;
    tx.remove("course_recommend", id, &before.course_name).await?;
    Ok(Change::deleted("course_recommend", id, &before))
}
