//! 复制: the next cohort's batch begins with the majors and maps of this one.

use chrono::Months;
use infra::{Allowed, Body, Change, Error, OnConstraint, Reply, Result, Tx, clock::Moment, naming::tidy, reply};
use majors::forecast_major::filed_for;
use poem_openapi::{Object, OpenApi, types::Example};
use serde_json::json;
use term::{Season, Term};

use super::{
    SaveEnrollmentBatch,
    form::{explain_constraint, usable_grade},
};
use crate::major::entered;

/// Which batch, and what the new one is called.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct EnrollmentBatchCopy {
    /// 来源批次
    pub id: i64,
    /// 年级
    pub grade_id: i64,
    /// 编码
    /// 2至20个字母、数字或短横线，如 2026-1
    #[oai(validator(pattern = "^[A-Za-z0-9-]{2,20}$"))]
    pub code: String,
    /// 名称
    #[oai(validator(min_length = 2, max_length = 50))]
    pub name: String,
}

impl Example for EnrollmentBatchCopy {
    fn example() -> Self {
        Self { id: 1, grade_id: 2, code: "2027-1".to_owned(), name: "2027级招生".to_owned() }
    }
}

/// A major that the new batch does not recruit for.
#[derive(Debug, Clone, Object)]
pub struct EnrollmentMajorSkipped {
    /// 专业
    pub name: String,
    /// 原因
    pub msg: String,
}

/// 复制结果
#[derive(Debug, Clone, Object)]
pub struct EnrollmentBatchCopied {
    /// 编号
    pub id: i64,
    /// 已复制
    pub copied: i64,
    /// 未复制的专业
    pub skipped: Vec<EnrollmentMajorSkipped>,
}

/// The same time of the year, so many years on.
fn moved(at: Option<Moment>, years: i32) -> Option<Moment> {
    let (at, months) = (at?, Months::new(years.unsigned_abs() * 12));
    let moved = if years < 0 { at.checked_sub_months(months) } else { at.checked_add_months(months) };
    moved.map(Moment::from)
}

pub struct Copy;

#[OpenApi(prefix_path = "/adult/pc/enrollmentBatch", tag = "crate::Tag::Enrolment")]
impl Copy {
    /// 复制招生批次
    ///
    /// 时间按两个年级的入学年份顺延；新批次为草稿，只带新年级已备案的专业。
    #[oai(path = "/copy", method = "post", operation_id = "copyEnrollmentBatch")]
    async fn copy(
        &self,
        caller: Allowed<SaveEnrollmentBatch>,
        Body(wanted): Body<EnrollmentBatchCopy>,
    ) -> Result<Reply<EnrollmentBatchCopied>> {
        let mut tx = caller.begin().await?;
        let id = batch(&mut tx, &wanted).await?;
        let (made, skipped) = majors(&mut tx, &wanted, id).await?;
        let copied = i64::try_from(made.len()).map_err(Error::internal)?;
        let what = json!({
            "code": wanted.code, "name": wanted.name, "gradeId": wanted.grade_id, "fromId": wanted.id, "majorCount": copied,
            "status": "draft",
        });
        let mut changes = vec![Change::event("enrollment_batch", id, "insert", what)];
        changes.extend(entered(&mut tx, &made).await?);
        tx.commit_all(changes).await?;
        Ok(reply(EnrollmentBatchCopied { id, copied, skipped }))
    }
}

async fn batch(tx: &mut Tx, wanted: &EnrollmentBatchCopy) -> Result<i64> {
    let source = sqlx::query!(
        r#"select b.season, b.site_apply_ends_at as apply_ends, b.report_starts_at as report_starts,
                  b.report_ends_at as report_ends, g.entry_year
           from enrollment_batch b join grade g on g.id = b.grade_id
           where b.id = $1"#,
        wanted.id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)?;
    let entered: Term = usable_grade(tx, wanted.grade_id, false).await?;
    let years = entered.year - source.entry_year;
    // Dates move with the year; those of the other season say nothing.
    let same = source.season == entered.season.as_str();
    let moved = |moment| if same { moved(moment, years) } else { None };
    // Who enters in spring sat the exam in the year before.
    let exam_year = entered.year - i32::from(entered.season == Season::Spring);
    let name = tidy(&wanted.name);
    let by = tx.by();
    sqlx::query_scalar!(
        "insert into enrollment_batch (code, name, year, season, grade_id, enrolled_on, site_apply_ends_at, report_starts_at,
             report_ends_at, column_map, value_maps, created_by, updated_by)
         select $2, $3, $4, $5, $6, $7, $8, $9, $10, column_map, value_maps, $11, $11 from enrollment_batch where id = $1
         returning id",
        wanted.id,
        wanted.code,
        name,
        exam_year.clamp(1980, 2100),
        entered.season.as_str(),
        wanted.grade_id,
        entered.entry_on().ok_or_else(|| Error::field("gradeId", "所选年级没有入学日期"))?,
        moved(source.apply_ends),
        moved(source.report_starts),
        moved(source.report_ends),
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(|constraint| explain_constraint(constraint, &wanted.code, &name))
}

/// The source's majors that were filed for the new grade, with the codes and figures of the source; answers the new ones.
async fn majors(tx: &mut Tx, wanted: &EnrollmentBatchCopy, to: i64) -> Result<(Vec<i64>, Vec<EnrollmentMajorSkipped>)> {
    let filed = filed_for(tx, wanted.grade_id).await?;
    let sources = sqlx::query!(
        "select e.id, e.major_id, m.name, m.enabled from enrollment_major e join major m on m.id = e.major_id
         where e.batch_id = $1 order by m.code",
        wanted.id
    )
    .fetch_all(&mut **tx)
    .await?;
    let (mut chosen, mut forecasts, mut skipped) = (Vec::new(), Vec::new(), Vec::new());
    for source in sources {
        match filed.get(&source.major_id) {
            Some(filing) if source.enabled => {
                chosen.push(source.id);
                forecasts.push(filing.id);
            }
            Some(_) => skipped.push(EnrollmentMajorSkipped { name: source.name, msg: "专业已停用".to_owned() }),
            None => {
                skipped
                    .push(EnrollmentMajorSkipped { name: source.name, msg: "该专业本年度未备案".to_owned() });
            }
        }
    }
    let by = tx.by();
    let made = sqlx::query_scalar!(
        "insert into enrollment_major (batch_id, major_id, level_id, forecast_major_id, authority_code, authority_name,
             exam_category, quota, tuition, enabled, created_by, updated_by)
         select $1, e.major_id, e.level_id, w.forecast, e.authority_code, e.authority_name, e.exam_category, e.quota, e.tuition,
                e.enabled, $4, $4
         from unnest($2::bigint[], $3::bigint[]) as w (id, forecast) join enrollment_major e on e.id = w.id
         returning id",
        to,
        &chosen,
        &forecasts,
        by
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok((made, skipped))
}
