//! A case as it is reported.

use infra::{Change, Error, Result, Scope, Tx};
use poem_openapi::{Object, types::Example};
use student_status::student::check::NOT_YOURS;

use crate::{
    enums::{ViolationClause, ViolationLevel, ViolationSource},
    evidence::keep,
};

/// What is typed.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ViolationForm {
    /// 考生
    pub candidate_id: i64,
    /// 违规性质
    pub level: ViolationLevel,
    /// 违规条款
    pub clause: ViolationClause,
    /// 情况说明
    /// 2至1000个字符
    #[oai(validator(min_length = 2, max_length = 1000))]
    pub description: String,
    /// 来源
    pub source: ViolationSource,
    /// 证据
    #[oai(default, validator(max_items = 9))]
    pub file_ids: Vec<i64>,
}

impl Example for ViolationForm {
    fn example() -> Self {
        Self {
            candidate_id: 1,
            level: ViolationLevel::Violation,
            clause: ViolationClause::W1,
            description: "携带手机进入考场".to_owned(),
            source: ViolationSource::Invigilator,
            file_ids: Vec::new(),
        }
    }
}

/// # Errors
/// 404 for a candidate beyond the scope; 409 while a case of the candidate is open; 422 for a clause of another level.
pub(super) async fn insert(tx: &mut Tx, form: ViolationForm, scope: &Scope) -> Result<(i64, Change)> {
    if form.level == ViolationLevel::None {
        return Err(Error::field("level", "请选择违纪或作弊"));
    }
    if form.clause.is_cheating() != (form.level == ViolationLevel::Cheating) {
        return Err(Error::field("clause", format!("该条款不是{}的条款，请重新选择", form.level.zh())));
    }
    let row = sqlx::query!(
        r#"select y.site_id, y.class_id, s.status = 'draft' as "draft!", b.status = 'archived' as "archived!",
                  exists (select from exam_violation v where v.candidate_id = c.id and v.status in ('reported', 'confirmed')) as "open!"
           from exam_candidate c join student y on y.id = c.student_id join exam_setup s on s.id = c.setup_id
           join test_batch b on b.id = c.batch_id
           where c.id = $1 for update of c"#,
        form.candidate_id
    )
    .fetch_optional(&mut **tx)
    .await?
    .filter(|row| scope.sees(Some(row.site_id), row.class_id))
    .ok_or_else(|| Error::new(404, NOT_YOURS))?;
    if row.archived {
        return Err(Error::conflict("批次已归档，不能登记违规"));
    }
    if row.draft {
        return Err(Error::conflict("考试还未发布，不能登记违规"));
    }
    if row.open {
        return Err(Error::conflict("该考生已有违规记录，请先处理已有的记录"));
    }
    let actor = tx.actor().clone();
    let kind = if actor.kind == "teacher" { "teacher" } else { "account" };
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into exam_violation (candidate_id, level, clause, description, source, reported_by, reported_by_kind, reported_by_name,
             created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9) returning id",
        form.candidate_id,
        form.level.as_str(),
        form.clause.as_str(),
        form.description,
        form.source.as_str(),
        actor.id,
        kind,
        actor.name,
        by
    )
    .fetch_one(&mut **tx)
    .await?;
    keep(tx, ("exam_violation", id), &form.file_ids).await?;
    sqlx::query!(
        "insert into exam_violation_file (violation_id, file_id, sort_no)
         select $1, f.id, f.place::integer from unnest($2::bigint[]) with ordinality as f (id, place)",
        id,
        &form.file_ids
    )
    .execute(&mut **tx)
    .await?;
    Ok((id, Change::created("exam_violation", id, &form)))
}
