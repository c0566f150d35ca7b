//! 预览: the numbers that a rule would give next; none is used up.

use infra::{Allowed, Body, Reply, Result, reply};
use poem_openapi::{Object, OpenApi, types::Example};

use super::{PreviewStudentNoRule, StudentNoRule, StudentNoRuleForm, school_code, segment};
use crate::allocation::foresee;

/// How many numbers are shown where nobody was chosen.
const SHOWN: i32 = 10;

/// A rule, as it is typed, and for whom it is to be tried.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct StudentNoPreview {
    /// 学号规则
    pub rule: StudentNoRuleForm,
    /// 学生编号
    /// 不填时取尚无学号的前10名学生
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
        let students = sqlx::query!(
            r#"select s.id, s.name from student s
               where ($1::bigint[] is null or s.site_id = any($1) or s.class_id = any($2::bigint[]))
                 and case when cardinality($3::bigint[]) > 0 then s.id = any($3)
                          else s.student_no is null and s.active and (cardinality($4::bigint[]) = 0 or s.grade_id = any($4)) end
               order by s.created_at desc, s.id desc limit case when cardinality($3::bigint[]) > 0 then 100 else $5 end"#,
            scope.sites(),
            scope.classes(),
            &wanted.student_ids,
            &form.grade_ids,
            SHOWN
        )
        .fetch_all(&mut *tx)
        .await?;
        let ids: Vec<i64> = students.iter().map(|student| student.id).collect();
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
        let numbers = foresee(&mut tx, &ids, rule).await?;
        let name = |id: i64| students.iter().find(|student| student.id == id).map(|student| student.name.clone());
        let shown = numbers.into_iter().map(|each| {
            let name = name(each.student_id).unwrap_or_default();
            let (student_no, message) = match each.number {
                Ok(number) => (Some(number), None),
                Err(why) => (None, Some(why)),
            };
            ForeseenStudentNo { student_id: each.student_id, name, student_no, message }
        });
        Ok(reply(shown.collect()))
    }
}
