//! 修订: the next version of what is in effect. 复制到: the same courses for other grades and majors, many at once (part 03 B1).

use infra::{Allowed, Body, Change, Error, Reply, Result, Saved, Tx, reply};
use poem_openapi::{
    Object, OpenApi,
    types::{Example, ToJSON},
};
use serde_json::Value;
use teaching_plan_rules::head::Required;

use super::{
    CopyPlan, Held, RevisePlan, family,
    form::{MOST_TERMS, NewPlan, Place, insert_row, next_version, taken_from},
    held_with_family, hold_families, known,
    select::told,
};
use crate::{credit::tenths, enums::PlanStatus};

/// Grades and majors of one call.
const MOST: usize = 1_000;

/// Which plan.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct PlanChoice {
    /// 编号
    pub id: i64,
}

impl Example for PlanChoice {
    fn example() -> Self {
        Self { id: 1 }
    }
}

/// To which grade and major.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct PlanTarget {
    /// 年级
    pub grade_id: i64,
    /// 专业
    pub major_id: i64,
}

/// What is copied, and to what: one plan to several grades and majors, or several plans to one grade.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct PlanCopy {
    /// 教学计划
    /// 与目标年级专业一同填写
    pub source_id: Option<i64>,
    /// 目标年级专业
    #[oai(default, validator(max_items = 1000))]
    pub targets: Vec<PlanTarget>,
    /// 多个教学计划
    /// 与新年级一同填写，专业不变
    #[oai(default, validator(max_items = 1000))]
    pub source_ids: Vec<i64>,
    /// 新年级
    pub grade_id: Option<i64>,
}

impl Example for PlanCopy {
    fn example() -> Self {
        let targets = vec![PlanTarget { grade_id: 2, major_id: 1 }];
        Self { source_id: Some(1), targets, source_ids: Vec::new(), grade_id: None }
    }
}

/// What became of one grade and major.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct PlanCopied {
    /// 年级
    pub grade_id: i64,
    /// 专业
    pub major_id: i64,
    /// 年级专业
    pub name: String,
    /// 新的教学计划
    pub plan_id: Option<i64>,
    /// 未复制的原因
    pub message: Option<String>,
}

/// 复制结果
#[derive(Debug, Clone, Object)]
pub struct PlanCopyResult {
    /// 已复制个数
    pub done: i64,
    /// 各目标的结果
    pub results: Vec<PlanCopied>,
}

pub struct Copies;

#[OpenApi(prefix_path = "/adult/pc/teachingPlan", tag = "crate::Tag::TeachingPlan")]
impl Copies {
    /// 修订教学计划
    /// 把生效的计划复制为下一版本的草稿，返回其编号
    #[oai(path = "/revise", method = "post", operation_id = "reviseTeachingPlan")]
    async fn revise(&self, caller: Allowed<RevisePlan>, Body(choice): Body<PlanChoice>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (plan, family) = held_with_family(&mut tx, choice.id).await?;
        if plan.status != PlanStatus::Effective {
            return Err(Error::conflict(format!("当前状态为{}，只有生效的计划可以修订", plan.status.zh())));
        }
        let (id, change) = revised(&mut tx, &plan, &family).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 复制教学计划
    /// 每个目标各自成功或失败；目标已有未完成的版本时不复制
    #[oai(path = "/copy", method = "post", operation_id = "copyTeachingPlans")]
    async fn copy(&self, caller: Allowed<CopyPlan>, Body(wanted): Body<PlanCopy>) -> Result<Reply<PlanCopyResult>> {
        let mut tx = caller.begin().await?;
        let pairs = pairs(&mut tx, &wanted).await?;
        let targets: Vec<(i64, i64)> = pairs.iter().map(|(_, target)| (target.grade_id, target.major_id)).collect();
        hold_families(&mut tx, &targets).await?;
        let mut results = Vec::with_capacity(pairs.len());
        let mut changes = Vec::new();
        for (source, target) in pairs {
            let name = name_of(&mut tx, &target).await?;
            tx.savepoint().await?;
            let (plan_id, message) = match copied(&mut tx, source, &target).await {
                Ok((id, change)) => {
                    tx.row_done().await?;
                    changes.push(change);
                    (Some(id), None)
                }
                Err(error) => (None, Some(tx.row_failed(error).await?.0)),
            };
            results.push(PlanCopied { grade_id: target.grade_id, major_id: target.major_id, name, plan_id, message });
        }
        let done = i64::try_from(changes.len()).unwrap_or(i64::MAX);
        tx.commit_all(changes).await?;
        Ok(reply(PlanCopyResult { done, results }))
    }
}

/// Which plan goes where, in the order of grades and majors, so that of two such steps at once the plans that one makes are met by the
/// other in the same order.
///
/// # Errors
/// 422 when it is not said what goes where; 404 for a plan that is not there.
async fn pairs(tx: &mut Tx, wanted: &PlanCopy) -> Result<Vec<(i64, PlanTarget)>> {
    let mut pairs: Vec<(i64, PlanTarget)> = match (wanted.source_id, wanted.grade_id) {
        (Some(source), None) if !wanted.targets.is_empty() && wanted.source_ids.is_empty() => {
            wanted.targets.iter().map(|target| (source, target.clone())).collect()
        }
        (None, Some(grade_id)) if wanted.targets.is_empty() && !wanted.source_ids.is_empty() => {
            let mut pairs = Vec::with_capacity(wanted.source_ids.len());
            for source in &wanted.source_ids {
                let major_id = known(tx, *source).await?.major_id;
                pairs.push((*source, PlanTarget { grade_id, major_id }));
            }
            pairs
        }
        _ => return Err(Error::field("targets", "请选择要复制的计划和目标年级专业")),
    };
    if pairs.len() > MOST {
        return Err(Error::field("targets", format!("一次最多复制到{MOST}个年级专业")));
    }
    pairs.sort_by_key(|(source, target)| (target.grade_id, target.major_id, *source));
    Ok(pairs)
}

/// As people know a grade and major.
async fn name_of(tx: &mut Tx, target: &PlanTarget) -> Result<String> {
    let names = sqlx::query!(
        r#"select (select name from grade where id = $1) as grade, (select name from major where id = $2) as major"#,
        target.grade_id,
        target.major_id
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(format!("{}{}", names.grade.unwrap_or_default(), names.major.unwrap_or_default()))
}

async fn copied(tx: &mut Tx, source: i64, target: &PlanTarget) -> Result<(i64, Change)> {
    let place = Place::find(tx, target.grade_id, target.major_id).await?;
    place.usable()?;
    let version_no = next_version(&family(tx, target.grade_id, target.major_id).await?)?;
    let source = known(tx, source).await?;
    let name = place.name(version_no);
    written(tx, &source, &place, version_no, name).await
}

/// The next version of a plan as a draft. Whoever calls holds all versions.
///
/// # Errors
/// 409 while another version is worked on.
pub(crate) async fn revised(tx: &mut Tx, plan: &Held, family: &[Held]) -> Result<(i64, Change)> {
    let version_no = next_version(family)?;
    let place = Place::find(tx, plan.grade_id, plan.major_id).await?;
    // A name that the version stands in goes on with it.
    let name = match plan.name.strip_suffix(&format!("V{}", plan.version_no)) {
        Some(stem) => format!("{stem}V{version_no}"),
        None => plan.name.clone(),
    };
    written(tx, plan, &place, version_no, name).await
}

/// A new draft with the courses of another plan. It has no more terms than its level; a check tells of courses beyond them.
async fn written(tx: &mut Tx, source: &Held, place: &Place, version_no: i32, name: String) -> Result<(i64, Change)> {
    let head = told(tx, source.id).await?;
    let new = NewPlan {
        name,
        version_no,
        required: Required {
            total: tenths(head.total_credits),
            compulsory: tenths(head.min_compulsory_credits),
            elective: tenths(head.min_elective_credits),
        },
        term_count: head.term_count.min(place.term_count.clamp(1, MOST_TERMS)),
        objective: head.objective,
        remark: head.remark,
    };
    let id = insert_row(tx, place, &new).await?;
    take_courses(tx, source.id, id).await?;
    let mut told = told(tx, id).await?.to_json().unwrap_or(Value::Null);
    if let (Value::Object(told), Value::Object(from)) = (&mut told, taken_from(source)) {
        told.extend(from);
    }
    Ok((id, Change::created("teaching_plan", id, &told)))
}

/// Copies groups and courses of a plan into an empty one.
async fn take_courses(tx: &mut Tx, from: i64, to: i64) -> Result<()> {
    let by = tx.by();
    sqlx::query!(
        "insert into plan_elective_group (plan_id, name, min_credits, min_courses, sort_no, created_by, updated_by)
         select $2::bigint, name, min_credits, min_courses, sort_no, $3::bigint, $3::bigint
         from plan_elective_group where plan_id = $1 order by id",
        from,
        to,
        by
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "insert into plan_course (plan_id, course_id, type_id, nature, elective_group_id, term_no, credits, hours, lecture_hours,
             online_hours, practice_hours, self_study_hours, exam_form, assess_mode, degree_course, sort_no, remark, created_by,
             updated_by)
         select $2::bigint, c.course_id, c.type_id, c.nature, own.id, c.term_no, c.credits, c.hours, c.lecture_hours, c.online_hours,
                c.practice_hours, c.self_study_hours, c.exam_form, c.assess_mode, c.degree_course, c.sort_no, c.remark,
                $3::bigint, $3::bigint
         from plan_course c
         left join plan_elective_group g on g.id = c.elective_group_id
         left join plan_elective_group own on own.plan_id = $2 and own.name = g.name
         where c.plan_id = $1 order by c.id",
        from,
        to,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
