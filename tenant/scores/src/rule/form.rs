//! What is typed of a rule, and how it is written.

use infra::{Change, Edit, Error, OnConstraint, Result, Tx};
use poem_openapi::{
    Object,
    types::{Any, Example},
};
use scores_rules::{enums::ScoreKind, params};
use serde_json::{Value, json};

/// A rule.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ScoreRuleForm {
    /// 成绩项
    pub kind: ScoreKind,
    /// 年级
    /// 不填为全部，下同
    pub grade_id: Option<i64>,
    /// 层次
    pub level_id: Option<i64>,
    /// 专业
    pub major_id: Option<i64>,
    /// 课程
    pub course_id: Option<i64>,
    /// 参数
    /// 各成绩项的参数不同
    pub params: Any<Value>,
    /// 启用
    #[oai(default)]
    pub enabled: bool,
    /// 备注
    #[oai(validator(max_length = 200))]
    pub remark: Option<String>,
}

impl Example for ScoreRuleForm {
    fn example() -> Self {
        Self {
            kind: ScoreKind::Questions,
            grade_id: Some(1),
            level_id: None,
            major_id: None,
            course_id: None,
            params: Any(json!({ "perQuestion": 10, "perAnswer": 5, "cap": 100 })),
            enabled: true,
            remark: None,
        }
    }
}

/// A rule that is held.
pub(super) struct Held {
    pub form: ScoreRuleForm,
    pub version: i32,
}

impl Held {
    /// The rule of the whole school.
    pub fn is_default(&self) -> bool {
        self.form.is_default()
    }
}

impl ScoreRuleForm {
    fn is_default(&self) -> bool {
        self.grade_id.is_none() && self.level_id.is_none() && self.major_id.is_none() && self.course_id.is_none()
    }

    /// # Errors
    /// 422 at what does not fit the kind.
    fn check(&self) -> Result<()> {
        if self.course_id.is_some() && !self.kind.may_name_course() {
            return Err(Error::field("courseId", format!("{}的规则不按课程设置", self.kind.zh())));
        }
        params::read(self.kind, &self.params.0).map(drop).map_err(Error::fields)
    }
}

/// Holds a rule.
///
/// # Errors
/// 404.
pub(super) async fn held(tx: &mut Tx, id: i64) -> Result<Held> {
    let row = sqlx::query!(
        r#"select kind as "kind: ScoreKind", grade_id, level_id, major_id, course_id, params, enabled, remark, version
           from score_rule where id = $1 for update"#,
        id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)?;
    let form = ScoreRuleForm {
        kind: row.kind,
        grade_id: row.grade_id,
        level_id: row.level_id,
        major_id: row.major_id,
        course_id: row.course_id,
        params: Any(row.params),
        enabled: row.enabled,
        remark: row.remark,
    };
    Ok(Held { form, version: row.version })
}

/// What a broken constraint says of a rule.
fn told(constraint: &str) -> Option<Error> {
    let (field, text) = match constraint {
        "score_rule_default_enabled" => return Some(Error::conflict("默认规则不能停用")),
        "score_rule_scope_taken" => return Some(Error::conflict("该适用范围已有规则，请编辑原有规则")),
        "score_rule_of_grade" => ("gradeId", "年级不存在"),
        "score_rule_of_level" => ("levelId", "层次不存在"),
        "score_rule_of_major" => ("majorId", "专业不存在"),
        "score_rule_of_course" => ("courseId", "课程不存在"),
        _ => return None,
    };
    Some(Error::field(field, text))
}

/// # Errors
/// 422 for what is wrong; 409 where the place has a rule.
pub(super) async fn insert(tx: &mut Tx, form: &ScoreRuleForm, name: &str) -> Result<(i64, Change)> {
    form.check()?;
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into score_rule (kind, grade_id, level_id, major_id, course_id, params, enabled, remark, updated_by_name,
             created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10) returning id",
        form.kind.as_str(),
        form.grade_id,
        form.level_id,
        form.major_id,
        form.course_id,
        form.params.0,
        form.enabled,
        form.remark,
        name,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(told)?;
    Ok((id, Change::created("score_rule", id, form)))
}

/// # Errors
/// As [`insert`]; 404; 409 when it changed since, and for the place of the rule of the whole school.
pub(super) async fn update(tx: &mut Tx, edit: &Edit<ScoreRuleForm>, name: &str) -> Result<Change> {
    let (id, form) = (edit.id, &edit.form);
    let before = held(tx, id).await?;
    if before.version != edit.version {
        return Err(tx.stale("score_rule", id).await);
    }
    if before.form.kind != form.kind {
        return Err(Error::field("kind", "成绩项不能修改"));
    }
    if before.is_default() && !form.is_default() {
        return Err(Error::conflict("默认规则的适用范围不能修改"));
    }
    if before.is_default() && !form.enabled {
        return Err(Error::conflict("默认规则不能停用"));
    }
    form.check()?;
    let by = tx.by();
    sqlx::query!(
        "update score_rule
         set grade_id = $2, level_id = $3, major_id = $4, course_id = $5, params = $6, enabled = $7, remark = $8,
             updated_by_name = $9, updated_at = now(), updated_by = $10, version = version + 1
         where id = $1",
        id,
        form.grade_id,
        form.level_id,
        form.major_id,
        form.course_id,
        form.params.0,
        form.enabled,
        form.remark,
        name,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(told)?;
    Ok(Change::edited("score_rule", id, &before.form, form))
}

/// Marks the scores of a rule's place that nobody has submitted, to be counted anew; answers how many. Rules of theses make no score
/// of a course that is computed here.
///
/// # Errors
/// Those of the database.
pub(super) async fn follow(tx: &mut Tx, id: i64) -> Result<i64> {
    let by = tx.by();
    let marked = sqlx::query!(
        "update course_score s set stale = true, updated_at = now(), updated_by = $2, version = s.version + 1
         from score_rule r, student y
         where r.id = $1 and y.id = s.student_id and s.status = 'computing' and not s.stale
           and r.kind not in ('thesis', 'review', 'defense', 'graduation_total')
           and (r.grade_id is null or r.grade_id = y.grade_id) and (r.level_id is null or r.level_id = y.level_id)
           and (r.major_id is null or r.major_id = y.major_id) and (r.course_id is null or r.course_id = s.course_id)",
        id,
        by
    )
    .execute(&mut **tx)
    .await?;
    i64::try_from(marked.rows_affected()).map_err(Error::internal)
}
