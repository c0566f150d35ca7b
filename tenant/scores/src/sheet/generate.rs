//! 生成登记表: of what is assessed without an examination of this batch's setups (part 04 §6.1).

use infra::{Allowed, Body, Change, Error, Reply, Result, Scope, Tx, reply};
use poem_openapi::{Object, OpenApi, types::Example};
use scores_rules::enums::{ExamRound, SheetRound, SheetSource};

use super::{
    GenerateSheets,
    make::{NewRow, Origin, make},
    write::count,
};
use crate::score::{compute, settle};

/// Of which batch, and which of its courses.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ScoreSheetsGenerate {
    /// 批次
    pub batch_id: i64,
    /// 课程
    /// 不填为学期的全部考查课程
    #[oai(validator(min_items = 1, max_items = 500))]
    pub course_ids: Option<Vec<i64>>,
}

impl Example for ScoreSheetsGenerate {
    fn example() -> Self {
        Self { batch_id: 1, course_ids: None }
    }
}

/// What was made.
#[derive(Debug, Clone, Default, Object)]
pub struct ScoreSheetsGenerated {
    /// 登记表数
    pub sheets: i64,
    /// 新增学生数
    pub rows: i64,
}

pub struct Generating;

#[OpenApi(prefix_path = "/adult/pc/score/sheet", tag = "crate::Tag::Scores")]
impl Generating {
    /// 生成成绩登记表
    /// 考查课程和口试、实操、大作业的课程；已有的登记表补充缺少的学生
    #[oai(path = "/generate", method = "post", operation_id = "generateScoreSheets")]
    async fn generate(
        &self,
        caller: Allowed<GenerateSheets>,
        Body(wanted): Body<ScoreSheetsGenerate>,
    ) -> Result<Reply<ScoreSheetsGenerated>> {
        let mut tx = caller.begin_long().await?;
        let (answer, changes) = generated(&mut tx, &wanted, &caller.scope()).await?;
        tx.commit_all(changes).await?;
        Ok(reply(answer))
    }
}

/// # Errors
/// 404 for no batch; 409 for one that does not go on, or is of make-ups; 422 where nothing is to be made.
async fn generated(
    tx: &mut Tx,
    wanted: &ScoreSheetsGenerate,
    scope: &Scope,
) -> Result<(ScoreSheetsGenerated, Vec<Change>)> {
    let batch =
        sqlx::query!("select semester_id, kind, status from test_batch where id = $1 for share", wanted.batch_id)
            .fetch_optional(&mut **tx)
            .await?
            .ok_or_else(Error::not_found)?;
    if batch.status != "active" {
        return Err(Error::conflict("考试批次未启用或已结束，不能生成成绩登记表"));
    }
    if batch.kind != "final" {
        return Err(Error::conflict("补考的成绩登记表由补考考试安排生成"));
    }
    // What a thesis or an internship comes to is scored elsewhere.
    // Rosters of checked courses, and of those whose setup of the batch is oral, practical or a report and goes on.
    let rows = sqlx::query!(
        r#"select c.id, c.course_id
           from course_selection c
           join course_opening o on o.id = c.opening_id
           join student y on y.id = c.student_id
           join course u on u.id = c.course_id and u.kind not in ('thesis', 'internship')
           where c.semester_id = $1 and c.status in ('selected', 'completed')
             and ($2::bigint[] is null or c.course_id = any($2))
             and (o.exam_form = 'check' or exists (
                      select from exam_setup x
                      where x.batch_id = $3 and x.course_id = c.course_id and x.mode = 'offline' and x.round = 'first'
                        and x.assess_mode in ('oral', 'practical', 'report') and x.status <> 'cancelled'))
             and ($4::bigint[] is null or y.site_id = any($4) or y.class_id = any($5::bigint[]))
             and not exists (
                 select from course_score s where s.selection_id = c.id and s.status in ('published', 'locked'))
             and not exists (
                 select from course_score s
                 join score_sheet_row r on r.course_score_id = s.id and not r.excluded
                 join score_sheet h on h.id = r.sheet_id and h.round = 'first' and h.batch_id <> $3
                 where s.selection_id = c.id)
           order by c.course_id, c.id"#,
        batch.semester_id,
        wanted.course_ids.as_deref(),
        wanted.batch_id,
        scope.sites(),
        scope.classes()
    )
    .fetch_all(&mut **tx)
    .await?;
    if rows.is_empty() {
        return Err(Error::field("courseIds", "没有需要生成登记表的考查课程"));
    }
    let mut courses: Vec<i64> = rows.iter().map(|row| row.course_id).collect();
    courses.dedup();
    let (mut answer, mut changes) = (ScoreSheetsGenerated::default(), Vec::new());
    for course in courses {
        let new_row =
            |selection| NewRow { selection, candidate: None, round: ExamRound::First, paper_total: 1_000, fixed: None };
        let of: Vec<NewRow> = rows.iter().filter(|row| row.course_id == course).map(|row| new_row(row.id)).collect();
        // Rows of sheets that were submitted stay as they are.
        let open = open_rows(tx, wanted.batch_id, &of).await?;
        if open.is_empty() {
            continue;
        }
        let origin = Origin {
            setup: None,
            batch: wanted.batch_id,
            course,
            round: SheetRound::First,
            source: SheetSource::Assessment,
        };
        let made = make(tx, origin, &open).await?;
        count(tx, &made.sheets).await?;
        let scores = super::hold::scores_of(tx, &made.sheets).await?;
        let computed = compute::compute(tx, &scores, compute::of_all_kinds()).await?;
        settle(tx, &computed).await?;
        answer.sheets += i64::try_from(made.sheets.len()).map_err(Error::internal)?;
        answer.rows += made.rows;
        changes.extend(made.changes);
        if made.rows > 0 {
            let what = serde_json::json!({ "courseId": course, "rows": made.rows });
            changes.push(Change::event("score_sheet", made.sheets[0], "generate", what));
        }
    }
    if changes.is_empty() {
        changes.push(Change::nothing("score_sheet", 0));
    }
    Ok((answer, changes))
}

/// Of these rows those that stand on no sheet of the batch that was submitted.
async fn open_rows(tx: &mut Tx, batch: i64, rows: &[NewRow]) -> Result<Vec<NewRow>> {
    let ids: Vec<i64> = rows.iter().map(|row| row.selection).collect();
    let closed = sqlx::query_scalar!(
        "select c.id from course_selection c
         join score_sheet h on h.batch_id = $1 and h.course_id = c.course_id and h.round = 'first'
                           and h.class_id is not distinct from c.class_id
                           and h.status not in ('pending', 'entering', 'returned')
         where c.id = any($2)",
        batch,
        &ids
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(rows.iter().filter(|row| !closed.contains(&row.selection)).cloned().collect())
}
