//! What a registrar types of a rule, whether everything that exists fits it, and how it is written.

use infra::{
    Change, Edit, Error, OnConstraint, Result, Tx, Warned,
    naming::{name_taken, tidy},
};
use majors::major::StudyForm;
use poem_openapi::{Object, types::Example};
use sqlx::PgConnection;

use super::{
    SegmentKind, StudentNoOrder, StudentNoRule, StudentNoSegment, lock,
    segment::{Coded, check, warnings},
    stored,
};

/// What a registrar types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct StudentNoRuleForm {
    /// 规则名称
    #[oai(validator(min_length = 1, max_length = 50))]
    pub name: String,
    /// 适用年级
    /// 不选时为其他所有年级
    #[oai(validator(max_items = 100))]
    pub grade_ids: Vec<i64>,
    /// 组成
    #[oai(validator(min_items = 1, max_items = 12))]
    pub segments: Vec<StudentNoSegment>,
    /// 学号顺序
    /// 一次生成多个学号时的先后
    pub sort_by: StudentNoOrder,
    /// 启用
    pub enabled: bool,
}

impl Example for StudentNoRuleForm {
    fn example() -> Self {
        let segment = |kind, length| StudentNoSegment { kind, text: None, length: Some(length), values: Vec::new() };
        Self {
            name: "2026级学号".to_owned(),
            grade_ids: Vec::new(),
            segments: vec![segment(SegmentKind::GradeYear, 4), segment(SegmentKind::Seq, 6)],
            sort_by: StudentNoOrder::ExamineeNo,
            enabled: true,
        }
    }
}

/// # Errors
/// 409 when a grade has another enabled rule; 422 at what does not fit.
pub(super) async fn insert(tx: &mut Tx, form: StudentNoRuleForm, school: &str) -> Result<(Warned, Change)> {
    let form = checked(tx, form, school).await?;
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into student_no_rule (name, all_grades, segments, sort_by, enabled, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $6) returning id",
        form.name,
        form.grade_ids.is_empty(),
        stored(&form.segments),
        form.sort_by.as_str(),
        form.enabled,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(|constraint| explain_constraint(constraint, &form.name))?;
    place(tx, id, &form).await?;
    let warnings = warnings(&form.segments);
    Ok((Warned { id, warnings }, Change::created("student_no_rule", id, &form)))
}

/// # Errors
/// 409 when somebody else edited the rule meanwhile, or a grade has another enabled rule; 422 at what does not fit.
pub(super) async fn update(tx: &mut Tx, edit: Edit<StudentNoRuleForm>, school: &str) -> Result<(Warned, Change)> {
    let before = lock(tx, edit.id).await?;
    let form = checked(tx, edit.form, school).await?;
    sqlx::query!("delete from student_no_rule_grade where rule_id = $1", edit.id).execute(&mut **tx).await?;
    let by = tx.by();
    let changed = sqlx::query!(
        "update student_no_rule set name = $3, all_grades = $4, segments = $5, sort_by = $6, enabled = $7,
                updated_at = now(), updated_by = $8, version = version + 1
         where id = $1 and version = $2",
        edit.id,
        edit.version,
        form.name,
        form.grade_ids.is_empty(),
        stored(&form.segments),
        form.sort_by.as_str(),
        form.enabled,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(|constraint| explain_constraint(constraint, &form.name))?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("student_no_rule", edit.id).await);
    }
    place(tx, edit.id, &form).await?;
    let warned = Warned { id: edit.id, warnings: warnings(&form.segments) };
    Ok((warned, Change::edited("student_no_rule", edit.id, &StudentNoRuleForm::from(before), &form)))
}

impl From<StudentNoRule> for StudentNoRuleForm {
    fn from(rule: StudentNoRule) -> Self {
        Self {
            name: rule.name,
            grade_ids: rule.grade_ids,
            segments: rule.segments,
            sort_by: rule.sort_by,
            enabled: rule.enabled,
        }
    }
}

/// Puts the rule to its grades.
async fn place(tx: &mut Tx, id: i64, form: &StudentNoRuleForm) -> Result<()> {
    sqlx::query!(
        "insert into student_no_rule_grade (rule_id, grade_id, enabled) select $1, g.id, $3 from unnest($2::bigint[]) g (id)",
        id,
        &form.grade_ids,
        form.enabled
    )
    .execute(&mut **tx)
    .await
    .on_constraint(|constraint| explain_constraint(constraint, &form.name))?;
    Ok(())
}

fn explain_constraint(constraint: &str, name: &str) -> Option<Error> {
    match constraint {
        "student_no_rule_name_taken" => Some(name_taken(name)),
        "student_no_rule_all_taken" | "student_no_rule_grade_taken" => {
            Some(Error::conflict("年级已有启用的学号规则，请先停用原规则"))
        }
        "student_no_rule_grade_key" => Some(Error::field("gradeIds", "年级重复")),
        "student_no_rule_grade_of_grade" => Some(Error::field("gradeIds", "所选年级不存在，请重新选择")),
        _ => None,
    }
}

/// The rule with the school's code in its place, if all that exists fits it.
async fn checked(tx: &mut Tx, form: StudentNoRuleForm, school: &str) -> Result<StudentNoRuleForm> {
    let mut form = StudentNoRuleForm { name: tidy(&form.name), ..form };
    for segment in &mut form.segments {
        match segment.kind {
            SegmentKind::SchoolCode => segment.text = Some(usable(school)?),
            SegmentKind::Literal => {}
            SegmentKind::GradeYear
            | SegmentKind::Season
            | SegmentKind::Level
            | SegmentKind::Major
            | SegmentKind::Site
            | SegmentKind::StudyForm
            | SegmentKind::Class
            | SegmentKind::Seq => segment.text = None,
        }
    }
    check(&form.segments)?;
    for segment in &form.segments {
        for thing in all_of(tx, segment.kind, &form.grade_ids).await? {
            segment.code_of(&thing).map_err(|why| Error::field("segments", why))?;
        }
    }
    Ok(form)
}

fn usable(school: &str) -> Result<String> {
    let code = school.to_uppercase();
    let fits = code.len() <= 10 && code.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase());
    if fits {
        Ok(code)
    } else {
        Err(Error::field("segments", format!("院校编码“{school}”不能用于学号，请改用固定字符")))
    }
}

/// Everything that a segment has to have a code for; of classes those of the rule's grades.
async fn all_of(connection: &mut PgConnection, kind: SegmentKind, grades: &[i64]) -> Result<Vec<Coded>> {
    let table = match kind {
        SegmentKind::StudyForm => {
            return Ok(StudyForm::CHOICES.iter().map(|(_, form)| coded_form(*form)).collect());
        }
        SegmentKind::Level => "level",
        SegmentKind::Major => "major",
        SegmentKind::Site => "site",
        SegmentKind::Class => "class",
        SegmentKind::Literal
        | SegmentKind::GradeYear
        | SegmentKind::Season
        | SegmentKind::SchoolCode
        | SegmentKind::Seq => {
            return Ok(Vec::new());
        }
    };
    let things = sqlx::query_as!(
        Coded,
        r#"select id::text as "key!", code as "code!", name as "name!" from (
               select id, code, name from level where $1 = 'level'
               union all select id, code, name from major where $1 = 'major'
               union all select id, code, name from site where $1 = 'site'
               union all select id, code, name from class where $1 = 'class' and (cardinality($2::bigint[]) = 0 or grade_id = any($2))
           ) t order by code"#,
        table,
        grades
    )
    .fetch_all(connection)
    .await?;
    Ok(things)
}

/// A form of study has no code of its own: it is numbered as it is listed.
pub(crate) fn coded_form(form: StudyForm) -> Coded {
    let place = StudyForm::CHOICES.iter().position(|(_, each)| *each == form).unwrap_or_default() + 1;
    Coded { key: form.as_str().to_owned(), code: place.to_string(), name: form.zh().to_owned() }
}
