//! 预览: the numbers that a rule would give next; none is used up.

use std::collections::HashMap;

use infra::{Allowed, Body, Reply, Result, reply};
use poem_openapi::{Object, OpenApi, types::Example};

use super::{PreviewStudentNoRule, StudentNoRule, StudentNoRuleForm, school_code, segment};
use crate::allocation::foresee;

/// How many numbers are shown where nobody was chosen.
const SHOWN: usize = 10;
/// How many may be chosen.
const CHOSEN: usize = 100;

/// A rule, as it is typed, and for whom it is to be tried.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct StudentNoPreview {
    /// 学号规则
    pub rule: StudentNoRuleForm,
    /// 学生编号
    /// 不填时为接下来生成学号的10名学生
    #[oai(default, validator(max_items = 100))]
    pub student_ids: Vec<i64>,
}

impl Example for StudentNoPreview {
    fn example() -> Self {
        Self { rule: StudentNoRuleForm::example(), student_ids: Vec::new() }
    }
}

/// A student and the number that they would get.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ForeseenStudentNo {
    /// 学生编号
    pub student_id: i64,
    /// 姓名
    pub name: String,
    /// 学号
    pub student_no: Option<String>,
    /// 不能生成的原因
    pub message: Option<String>,
}

pub struct Preview;

#[OpenApi(prefix_path = "/adult/pc/studentRoll/studentNoRule", tag = "crate::Tag::StudentNumbers")]
impl Preview {
    /// 预览学号规则
    #[oai(path = "/preview", method = "post", operation_id = "previewStudentNoRule")]
    async fn preview(
        &self,
        caller: Allowed<PreviewStudentNoRule>,
        Body(wanted): Body<StudentNoPreview>,
    ) -> Result<Reply<Vec<ForeseenStudentNo>>> {
        let mut form = wanted.rule;
        let school = school_code(caller.app(), caller.school_id()).await?;
        for segment in form.segments.iter_mut().filter(|segment| segment.kind == super::SegmentKind::SchoolCode) {
            segment.text = Some(school.to_uppercase());
        }
        segment::check(&form.segments)?;
        let scope = caller.scope();
        let mut tx = caller.read().await?;
        // Who gets a number next is said by the rule, so that all who have none are looked at; grades with a rule of their own
        // are not numbered by that of all others.
        let students = sqlx::query_scalar!(
            r#"select s.id from student s
               where ($1::bigint[] is null or s.site_id = any($1) or s.class_id = any($2::bigint[]))
                 and case when cardinality($3::bigint[]) > 0 then s.id = any($3)
                          else s.student_no is null and s.active
                               and case when cardinality($4::bigint[]) > 0 then s.grade_id = any($4)
                                        else not exists (select from student_no_rule_grade g
                                                         where g.grade_id = s.grade_id and g.enabled) end end"#,
            scope.sites(),
            scope.classes(),
            &wanted.student_ids,
            &form.grade_ids
        )
        .fetch_all(&mut *tx)
        .await?;
        let most = if wanted.student_ids.is_empty() { SHOWN } else { CHOSEN };
        let rule = StudentNoRule {
            id: 0,
            name: form.name,
            grade_names: Vec::new(),
            length: segment::length(&form.segments),
            grade_ids: form.grade_ids,
            segments: form.segments,
            sort_by: form.sort_by,
            enabled: true,
            version: 0,
        };
        let numbers = foresee(&mut tx, &students, rule, most).await?;
        let shown: Vec<i64> = numbers.iter().map(|each| each.student_id).collect();
        let names: HashMap<i64, String> = sqlx::query!("select id, name from student where id = any($1)", &shown)
            .fetch_all(&mut *tx)
            .await?
            .into_iter()
            .map(|student| (student.id, student.name))
            .collect();
        let shown = numbers.into_iter().map(|each| {
            let name = names.get(&each.student_id).cloned().unwrap_or_default();
            let (student_no, message) = match each.number {
                Ok(number) => (Some(number), None),
                Err(why) => (None, Some(why)),
            };
            ForeseenStudentNo { student_id: each.student_id, name, student_no, message }
        });
        Ok(reply(shown.collect()))
    }
}
