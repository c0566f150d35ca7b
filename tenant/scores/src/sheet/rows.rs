//! The rows of a sheet, and its figures.

use std::collections::BTreeMap;

use infra::{Allowed, Error, Reply, Result, Scope, across::Keyed, reply};
use poem_openapi::{Object, OpenApi, param::Query};
use scores_rules::{
    arith::points,
    enums::{ExamRound, ScoreMark},
    sheet::{Entered, doubts},
    stat::{StatRow, figures},
    total::{Component, text, usual},
};
use sqlx::PgConnection;

use super::{ScoreSheets, ViewSheet, steps::previewed};
use crate::score::{Rules, came_to_before, cards};

/// A row of a sheet.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ScoreSheetRow {
    /// 编号
    pub id: i64,
    /// 课程成绩编号
    pub course_score_id: i64,
    /// 学生编号
    pub student_id: i64,
    /// 学号
    pub student_no: Option<String>,
    /// 姓名
    pub name: String,
    /// 座位号
    pub seat_no: Option<i32>,
    /// 性质
    pub round: ExamRound,
    /// 不计
    /// 提交前已退选
    pub excluded: bool,
    /// 学习成绩
    pub study: Option<f64>,
    /// 作业成绩
    pub homework: Option<f64>,
    /// 考勤成绩
    pub attendance: Option<f64>,
    /// 答疑成绩
    pub questions: Option<f64>,
    /// 平时成绩
    /// 各平时项按权重合成
    pub usual: Option<f64>,
    /// 卷面分
    pub raw: Option<f64>,
    /// 卷面总分
    pub paper_total: f64,
    /// 折百分
    pub value: Option<f64>,
    /// 特殊情况
    pub mark: Option<ScoreMark>,
    /// 不可修改
    /// 特殊情况由登记产生
    pub mark_fixed: bool,
    /// 原成绩
    /// 补考前的有效成绩
    pub former_text: Option<String>,
    /// 总评预览
    pub total: Option<f64>,
    /// 成绩显示
    pub text: String,
    /// 及格
    pub passed: Option<bool>,
    /// 版本
    pub version: i32,
}

/// The rows of a sheet.
#[derive(Debug, Clone, Object)]
pub struct ScoreSheetRowList {
    /// 明细
    pub list: Vec<ScoreSheetRow>,
}

/// How many scores lie in a band.
#[derive(Debug, Clone, Object)]
pub struct ScoreBand {
    /// 分数段
    pub name: String,
    /// 人数
    pub count: i64,
}

/// What a sheet came to.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ScoreSheetStat {
    /// 人数
    /// 不含免修和缓考
    pub enrolled: i64,
    /// 计入人数
    pub counted: i64,
    /// 平均分
    pub mean: Option<f64>,
    /// 中位数
    pub median: Option<f64>,
    /// 标准差
    pub deviation: Option<f64>,
    /// 最高
    pub highest: Option<f64>,
    /// 最低
    pub lowest: Option<f64>,
    /// 及格率(%)
    pub pass_rate: Option<f64>,
    /// 优秀率(%)
    pub excellent_rate: Option<f64>,
    /// 缺考率(%)
    pub absent_rate: Option<f64>,
    /// 分布
    pub bands: Vec<ScoreBand>,
    /// 异常提示
    pub doubts: Vec<String>,
    /// 上学期平均分
    /// 同一课程正考
    pub former_mean: Option<f64>,
    /// 上学期及格率(%)
    pub former_pass_rate: Option<f64>,
}

/// The bands, from the lowest.
pub(crate) const BANDS: [&str; 5] = ["60以下", "60-69", "70-79", "80-89", "90以上"];

pub struct SheetRowList;

#[OpenApi(prefix_path = "/adult/pc/score/sheet", tag = "crate::Tag::Scores")]
impl SheetRowList {
    /// 成绩登记表明细
    #[oai(path = "/rows", method = "get", operation_id = "listScoreSheetRows")]
    async fn rows(
        &self,
        caller: Allowed<ViewSheet>,
        /// 登记表
        #[oai(name = "sheetId")]
        sheet_id: Query<i64>,
    ) -> Result<Reply<ScoreSheetRowList>> {
        let mut tx = caller.read().await?;
        ScoreSheets::find(&mut tx, sheet_id.0, &caller.scope()).await?;
        Ok(reply(ScoreSheetRowList { list: rows_of(&mut tx, sheet_id.0).await? }))
    }

    /// 成绩登记表统计
    #[oai(path = "/stat", method = "get", operation_id = "statScoreSheet")]
    async fn stat(
        &self,
        caller: Allowed<ViewSheet>,
        /// 登记表
        #[oai(name = "sheetId")]
        sheet_id: Query<i64>,
    ) -> Result<Reply<ScoreSheetStat>> {
        let mut tx = caller.read().await?;
        Ok(reply(counted(&mut tx, sheet_id.0, &caller.scope()).await?))
    }
}

/// The rows of a sheet with what they come to, in the order of the students' numbers. What is out is shown as corrections left it.
///
/// # Errors
/// Those of the database.
pub(crate) async fn rows_of(connection: &mut PgConnection, sheet: i64) -> Result<Vec<ScoreSheetRow>> {
    let rows = sqlx::query!(
        r#"select r.id as "id!", r.course_score_id as "score!", s.student_id as "student_id!", y.student_no, y.name as "name!",
                  (select o.seat_no from offline_seat o where o.candidate_id = r.candidate_id limit 1) as "seat_no?",
                  r.row_round as "round!: ExamRound", r.excluded as "excluded!",
                  case when x.id is null then r.raw else x.raw end::float8 as "raw?",
                  r.paper_total::float8 as "paper_total!", case when x.id is null then r.value else x.value end::float8 as "value?",
                  case when x.id is null then r.mark else x.mark end as "mark?: ScoreMark",
                  r.mark_fixed as "mark_fixed!", r.version as "version!"
           from score_sheet_row r
           join score_sheet h on h.id = r.sheet_id
           left join exam_score x on x.course_score_id = r.course_score_id and x.sheet_id = r.sheet_id
                                 and h.status in ('published', 'locked')
           join course_score s on s.id = r.course_score_id
           join student y on y.id = s.student_id
           where r.sheet_id = $1 order by y.student_no nulls last, y.id"#,
        sheet
    )
    .fetch_all(&mut *connection)
    .await?;
    let scores: Vec<i64> = rows.iter().map(|row| row.score).collect();
    let rules = Rules::load(connection).await?;
    let cards: BTreeMap<i64, _> = cards(connection, &scores).await?;
    let mut list = Vec::with_capacity(rows.len());
    for row in rows {
        let Some(card) = cards.get(&row.score) else { continue };
        let formula = card.formula(&rules)?;
        let total = previewed(card, &rules, sheet)?;
        let parts = card.parts();
        let shown = |part: Component| part.value().map(points);
        list.push(ScoreSheetRow {
            id: row.id,
            course_score_id: row.score,
            student_id: row.student_id,
            student_no: row.student_no,
            name: row.name,
            seat_no: row.seat_no,
            round: row.round,
            excluded: row.excluded,
            study: shown(parts.study),
            homework: shown(parts.homework),
            attendance: shown(parts.attendance),
            questions: shown(parts.questions),
            usual: usual(&formula.total, &parts).map(points),
            raw: row.raw,
            paper_total: row.paper_total,
            value: row.value,
            mark_fixed: row.mark_fixed,
            former_text: if row.round == ExamRound::First { None } else { came_to_before(card, &formula, sheet) },
            total: row.mark.and(total.value.map(points)),
            text: row.mark.map(|_| text(&total, formula.total.grading_mode, row.round)).unwrap_or_default(),
            passed: row.mark.and(total.passed),
            mark: row.mark,
            version: row.version,
        });
    }
    Ok(list)
}

/// The figures of rows.
pub(crate) fn stat_of(rows: &[ScoreSheetRow]) -> (Vec<StatRow>, Vec<Entered>) {
    let counted: Vec<&ScoreSheetRow> = rows.iter().filter(|row| !row.excluded && row.mark.is_some()).collect();
    let tenths = |score: Option<f64>| score.map(|score| (score * 10.0).round() as i64);
    let stat = counted.iter().map(|row| StatRow {
        total: tenths(row.total),
        mark: row.mark.unwrap_or(ScoreMark::Normal),
        passed: row.passed == Some(true),
    });
    let entered = counted
        .iter()
        .filter(|row| row.mark == Some(ScoreMark::Normal))
        .map(|row| Entered { value: tenths(row.value), passed: row.passed });
    (stat.collect(), entered.collect())
}

async fn counted(connection: &mut PgConnection, sheet: i64, scope: &Scope) -> Result<ScoreSheetStat> {
    let line = ScoreSheets::find(connection, sheet, scope).await?;
    let rows = rows_of(connection, sheet).await?;
    let (stat, entered) = stat_of(&rows);
    let figures = figures(&stat);
    // The same course the last time before, as far as the caller sees its students.
    let former = sqlx::query!(
        r#"select round(avg(s.total) filter (where s.mark = 'normal'), 1)::float8 as mean,
                  round(100.0 * (count(*) filter (where s.passed)) / nullif(count(*), 0), 1)::float8 as passed
           from course_score s join student y on y.id = s.student_id
           where s.course_id = $1 and s.status in ('published', 'locked') and s.mark not in ('exempt', 'deferred')
             and ($3::bigint[] is null or y.site_id = any($3) or y.class_id = any($4::bigint[]))
             and s.semester_id = (
                 select x.semester_id from course_score x join semester e on e.id = x.semester_id
                 where x.course_id = $1 and x.status in ('published', 'locked')
                   and e.starts_on < (select starts_on from semester where id = $2)
                 order by e.starts_on desc limit 1)"#,
        line.course_id,
        line.semester_id,
        scope.sites(),
        scope.classes()
    )
    .fetch_optional(connection)
    .await?
    .ok_or_else(Error::not_found)?;
    let shown = |tenths: Option<i64>| tenths.map(points);
    Ok(ScoreSheetStat {
        enrolled: figures.enrolled,
        counted: figures.counted,
        mean: shown(figures.mean),
        median: shown(figures.median),
        deviation: shown(figures.deviation),
        highest: shown(figures.highest),
        lowest: shown(figures.lowest),
        pass_rate: shown(figures.pass_rate),
        excellent_rate: shown(figures.excellent_rate),
        absent_rate: shown(figures.absent_rate),
        bands: bands(figures.bands),
        doubts: doubts(&entered),
        former_mean: former.mean,
        former_pass_rate: former.passed,
    })
}

/// Bands with their names.
pub(crate) fn bands(counts: [i64; 5]) -> Vec<ScoreBand> {
    BANDS.iter().zip(counts).map(|(name, count)| ScoreBand { name: (*name).to_owned(), count }).collect()
}
