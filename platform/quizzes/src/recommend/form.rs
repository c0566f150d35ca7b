//! What an operator types of a recommendation, and the order in which they stand.

use infra::{Change, Edit, Error, OnConstraint, Result, Tx, clock::Moment};
use poem_openapi::{Object, types::Example};
use quiz_rules::enums::QuizRecommendPosition;

use super::list::find;

/// What an operator types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct QuizRecommendForm {
    /// 试卷
    pub exam_id: i64,
    /// 位置
    pub position: QuizRecommendPosition,
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

impl Example for QuizRecommendForm {
    fn example() -> Self {
        Self {
            exam_id: 1,
            position: QuizRecommendPosition::Home,
            category_id: None,
            begins_at: None,
            ends_at: None,
            sort: 1,
            enabled: true,
        }
    }
}

impl QuizRecommendForm {
    /// The form with a category only where it belongs.
    ///
    /// # Errors
    /// 422 at the field.
    fn checked(mut self) -> Result<Self> {
        match (self.position, self.category_id) {
            (QuizRecommendPosition::Category, None) => return Err(Error::field("categoryId", "请选择分类")),
            (QuizRecommendPosition::Category, Some(_)) => {}
            (QuizRecommendPosition::Home | QuizRecommendPosition::Detail, _) => self.category_id = None,
        }
        match (self.begins_at, self.ends_at) {
            (Some(begin), Some(end)) if end <= begin => Err(Error::field("endsAt", "结束时间必须晚于开始时间")),
            _ => Ok(self),
        }
    }

    /// # Errors
    /// 422 at the field for an exam or a category of exams that is not there.
    async fn is_there(&self, tx: &mut Tx) -> Result<()> {
        sqlx::query_scalar!("select id from platform.online_exam where id = $1 for share", self.exam_id)
            .fetch_optional(&mut **tx)
            .await?
            .ok_or_else(|| Error::field("examId", "所选试卷不存在，请重新选择"))?;
        let Some(category) = self.category_id else { return Ok(()) };
        let known = sqlx::query_scalar!(
            r#"select exists (select from platform.online_category where id = $1 and category_type = 'exam') as "known!""#,
            category
        )
        .fetch_one(&mut **tx)
        .await?;
        if known { Ok(()) } else { Err(Error::field("categoryId", "所选分类不存在，请选择试卷分类")) }
    }
}

fn explain_constraint(constraint: &str) -> Option<Error> {
    (constraint == "exam_recommend_taken").then(|| Error::conflict("该试卷在此位置已有推荐"))
}

pub(crate) async fn insert(tx: &mut Tx, form: QuizRecommendForm) -> Result<(i64, Change)> {
    let form = form.checked()?;
    form.is_there(tx).await?;
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into platform.exam_recommend (exam_id, position, category_id, begins_at, ends_at, sort, enabled, created_by,
             updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $8) returning id",
        form.exam_id,
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
    Ok((id, Change::created("exam_recommend", id, &form)))
}

pub(super) async fn update(tx: &mut Tx, now: Moment, edit: Edit<QuizRecommendForm>) -> Result<Change> {
    let form = edit.form.checked()?;
    let before = find(tx, now, edit.id).await?;
    form.is_there(tx).await?;
    let by = tx.by();
    let changed = sqlx::query!(
        "update platform.exam_recommend set exam_id = $3, position = $4, category_id = $5, begins_at = $6, ends_at = $7,
                sort = $8, enabled = $9, updated_at = now(), updated_by = $10, version = version + 1
         where id = $1 and version = $2",
        edit.id,
        edit.version,
        form.exam_id,
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
        return Err(tx.stale("exam_recommend", edit.id).await);
    }
    let after = find(tx, now, edit.id).await?;
    Ok(Change::edited("exam_recommend", edit.id, &before, &after))
}

pub(super) async fn remove(tx: &mut Tx, now: Moment, id: i64) -> Result<Change> {
    let before = find(tx, now, id).await?;
    tx.remove("exam_recommend", id, &before.exam_name).await?;
    Ok(Change::deleted("exam_recommend", id, &before))
}
