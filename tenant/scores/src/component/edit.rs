//! 录入平时成绩 and 恢复计算成绩: attendance and questions, which also come on paper.

use infra::{Allowed, Body, Change, Error, Reply, Result, Saved, Scope, Tx, reply};
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use scores_rules::{
    arith::{NO_SCORE, in_tenths, points},
    enums::{ComponentKind, ComponentSource, CourseScoreStatus},
};
use serde_json::{Value, json};

use super::{DeleteComponent, EditComponent};
use crate::{
    score::{compute::compute, settle},
    sheet::hold::hold_scores,
};

/// Told of a score that was submitted.
pub(super) const SUBMITTED: &str = "成绩已提交，不能修改，请先退回成绩登记表";

/// A part that was typed.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ScoreComponentEdit {
    /// 课程成绩
    pub course_score_id: i64,
    /// 成绩项
    /// 只能录入考勤成绩和答疑成绩
    pub kind: ComponentKind,
    /// 成绩
    pub value: f64,
    /// 原因
    #[oai(validator(min_length = 2, max_length = 200))]
    pub reason: String,
}

impl Example for ScoreComponentEdit {
    fn example() -> Self {
        Self { course_score_id: 1, kind: ComponentKind::Attendance, value: 90.0, reason: "纸质考勤".to_owned() }
    }
}

pub struct Edits;

#[OpenApi(prefix_path = "/adult/pc/score/component", tag = "crate::Tag::Scores")]
impl Edits {
    /// 录入平时成绩
    #[oai(path = "/edit", method = "put", operation_id = "editScoreComponent")]
    async fn edit(
        &self,
        caller: Allowed<EditComponent>,
        Body(wanted): Body<ScoreComponentEdit>,
    ) -> Result<Reply<Saved>> {
        if !wanted.kind.is_entered() {
            return Err(Error::field("kind", format!("{}由系统计算，不能录入", wanted.kind.zh())));
        }
        let value = in_tenths(wanted.value, 1_000).ok_or_else(|| Error::field("value", NO_SCORE))?;
        let mut tx = caller.begin().await?;
        held(&mut tx, wanted.course_score_id, &caller.scope()).await?;
        let name = caller.session.real_name.clone();
        let entry = Entry {
            score: wanted.course_score_id,
            kind: wanted.kind,
            value,
            source: ComponentSource::Entered,
            detail: json!({}),
            reason: Some(wanted.reason),
        };
        let change = put(&mut tx, &entry, &name).await?;
        settle(&mut tx, &[entry.score]).await?;
        let id = change.id();
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 恢复计算成绩
    /// 删除录入或导入的值，按来源重新计算
    #[oai(path = "/delete", method = "delete", operation_id = "deleteScoreComponent")]
    async fn delete(
        &self,
        caller: Allowed<DeleteComponent>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = restore(&mut tx, id.0, &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }
}

/// Holds a score that is computed still, of a student within the scope.
///
/// # Errors
/// 404 beyond the scope; 409 for one that was submitted.
pub(super) async fn held(tx: &mut Tx, score: i64, scope: &Scope) -> Result<()> {
    hold_scores(tx, &[score]).await?;
    let row = sqlx::query!(
        r#"select s.status as "status: CourseScoreStatus", y.site_id, y.class_id
           from course_score s join student y on y.id = s.student_id where s.id = $1"#,
        score
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)?;
    if !scope.sees(Some(row.site_id), row.class_id) {
        return Err(Error::not_found());
    }
    if row.status != CourseScoreStatus::Computing {
        return Err(Error::conflict(SUBMITTED));
    }
    Ok(())
}

/// A value of somebody.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub score: i64,
    pub kind: ComponentKind,
    /// In tenths.
    pub value: i64,
    pub source: ComponentSource,
    /// Of what it was counted; nothing of a value that was typed.
    pub detail: Value,
    pub reason: Option<String>,
}

/// What the trail keeps of a part.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename_all = "camelCase")]
pub(super) struct ComponentContent {
    /// 成绩
    pub value: Option<f64>,
    /// 来源
    pub source: ComponentSource,
}

/// Puts a value in the place of the computed one; the score is held.
///
/// # Errors
/// Those of the database.
pub(super) async fn put(tx: &mut Tx, entry: &Entry, name: &str) -> Result<Change> {
    let before = content(tx, entry.score, entry.kind).await?;
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into course_score_component (course_score_id, kind, value, applicability, source, entered_by_name, reason,
             created_by, updated_by, detail)
         values ($1, $2, $3::bigint / 10.0, 'value', $4, $5, $6, $7, $7, $8)
         on conflict (course_score_id, kind) do update
         set value = excluded.value, applicability = excluded.applicability, source = excluded.source, detail = excluded.detail,
             entered_by_name = excluded.entered_by_name, reason = excluded.reason, updated_at = excluded.updated_at,
             updated_by = excluded.updated_by, version = course_score_component.version + 1
         returning id",
        entry.score,
        entry.kind.as_str(),
        entry.value,
        entry.source.as_str(),
        name,
        entry.reason,
        by,
        entry.detail
    )
    .fetch_one(&mut **tx)
    .await?;
    let after = ComponentContent { value: Some(points(entry.value)), source: entry.source };
    let change = match before {
        Some(before) => Change::edited("course_score_component", id, &before, &after),
        None => Change::created("course_score_component", id, &after),
    };
    Ok(change.because(entry.reason.as_deref()))
}

/// What a part holds.
///
/// # Errors
/// Those of the database.
pub(super) async fn content(tx: &mut Tx, score: i64, kind: ComponentKind) -> Result<Option<ComponentContent>> {
    let row = sqlx::query!(
        r#"select value::float8 as value, source as "source: ComponentSource" from course_score_component
           where course_score_id = $1 and kind = $2"#,
        score,
        kind.as_str()
    )
    .fetch_optional(&mut **tx)
    .await?;
    Ok(row.map(|row| ComponentContent { value: row.value, source: row.source }))
}

/// Lets a part be computed again.
///
/// # Errors
/// 404 beyond the scope; 409 for one that was submitted, or is computed.
pub(super) async fn restore(tx: &mut Tx, id: i64, scope: &Scope) -> Result<Change> {
    let of = sqlx::query!(
        r#"select course_score_id, kind as "kind: ComponentKind" from course_score_component where id = $1"#,
        id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)?;
    held(tx, of.course_score_id, scope).await?;
    let before = content(tx, of.course_score_id, of.kind).await?.ok_or_else(Error::not_found)?;
    if before.source == ComponentSource::Computed {
        return Err(Error::conflict("该成绩由系统计算，没有录入或导入的值"));
    }
    let by = tx.by();
    sqlx::query!(
        "update course_score_component
         set source = 'computed', entered_by_name = null, reason = null, updated_at = now(), updated_by = $2, version = version + 1
         where id = $1",
        id,
        by
    )
    .execute(&mut **tx)
    .await?;
    compute(tx, &[of.course_score_id], &[of.kind]).await?;
    settle(tx, &[of.course_score_id]).await?;
    let after = content(tx, of.course_score_id, of.kind).await?.ok_or_else(Error::not_found)?;
    Ok(Change::edited("course_score_component", id, &before, &after))
}
