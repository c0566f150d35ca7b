//! 录入: values and absences of rows, one by one; two people in one sheet keep each other's rows (part 04 §6.1).

use std::collections::BTreeMap;

use infra::{Allowed, Body, BulkFailure, Change, Error, Reply, Result, Tx, reply};
use poem_openapi::{Object, OpenApi, types::Example};
use scores_rules::{
    arith::{in_tenths, of_hundred, points},
    enums::{ExamScoreSource, ScoreMark},
    sheet::{SheetTurn, after},
};

use super::{
    EnterScores,
    hold::{HeldSheet, Reach, Who, hold, hold_scores},
    write::{count, follow_rows},
};
use crate::score::settle;

/// A row that was typed.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ScoreEntry {
    /// 行编号
    pub row_id: i64,
    /// 卷面分
    /// 与缺考二选一，都不填为清除
    pub raw: Option<f64>,
    /// 特殊情况
    /// 只能录入缺考，其余由相应登记产生
    pub mark: Option<ScoreMark>,
    /// 版本
    pub version: i32,
}

impl Example for ScoreEntry {
    fn example() -> Self {
        Self { row_id: 1, raw: Some(86.0), mark: None, version: 1 }
    }
}

/// One row, or several.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ScoresEntry {
    /// 行编号
    /// 只录入一行时填写，下同
    pub row_id: Option<i64>,
    /// 卷面分
    pub raw: Option<f64>,
    /// 特殊情况
    pub mark: Option<ScoreMark>,
    /// 版本
    pub version: Option<i32>,
    /// 多行
    #[oai(validator(min_items = 1, max_items = 500))]
    pub rows: Option<Vec<ScoreEntry>>,
}

impl Example for ScoresEntry {
    fn example() -> Self {
        Self { row_id: None, raw: None, mark: None, version: None, rows: Some(vec![ScoreEntry::example()]) }
    }
}

impl ScoresEntry {
    /// The rows, and whether it is one that stands alone.
    ///
    /// # Errors
    /// 422 for neither or both.
    pub(crate) fn entries(self) -> Result<(Vec<ScoreEntry>, bool)> {
        match (self.rows, self.row_id) {
            (Some(rows), None) => Ok((rows, false)),
            (None, Some(row_id)) => {
                let version = self.version.ok_or_else(|| Error::field("version", "请填写版本"))?;
                Ok((vec![ScoreEntry { row_id, raw: self.raw, mark: self.mark, version }], true))
            }
            (Some(_), Some(_)) | (None, None) => Err(Error::field("rows", "请填写一行或多行成绩")),
        }
    }
}

/// A row as it stands now.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ScoreEntered {
    /// 行编号
    pub row_id: i64,
    /// 卷面分
    pub raw: Option<f64>,
    /// 折百分
    pub value: Option<f64>,
    /// 特殊情况
    pub mark: Option<ScoreMark>,
    /// 总评预览
    pub text: String,
    /// 版本
    pub version: i32,
}

/// What became of the rows.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct ScoresEntered {
    /// 成功条数
    pub done: i64,
    /// 失败明细
    pub failed: Vec<BulkFailure>,
    /// 已录入的行
    pub rows: Vec<ScoreEntered>,
}

pub struct Entering;

#[OpenApi(prefix_path = "/adult/pc/score/sheet", tag = "crate::Tag::Scores")]
impl Entering {
    /// 录入成绩
    #[oai(path = "/enter", method = "put", operation_id = "enterScores")]
    async fn enter(
        &self,
        caller: Allowed<EnterScores>,
        Body(typed): Body<ScoresEntry>,
    ) -> Result<Reply<ScoresEntered>> {
        let (entries, alone) = typed.entries()?;
        let who = Who::of_account(&caller).await?;
        let mut tx = caller.begin().await?;
        let (entered, changes) = enter(&mut tx, &entries, alone, (&who, &Reach::Scope(caller.scope()))).await?;
        tx.commit_all(changes).await?;
        Ok(reply(entered))
    }
}

/// What people put into a row, as the trail keeps it.
#[derive(Debug, Clone, Copy, PartialEq, Object)]
pub(crate) struct EntryContent {
    /// 卷面分
    pub raw: Option<f64>,
    /// 特殊情况
    pub mark: Option<ScoreMark>,
}

/// A row of a sheet that is held.
#[derive(Debug, Clone)]
pub(crate) struct HeldRow {
    pub id: i64,
    pub sheet_id: i64,
    pub score_id: i64,
    pub name: String,
    pub excluded: bool,
    pub raw: Option<i64>,
    pub paper_total: i64,
    pub mark: Option<ScoreMark>,
    pub fixed: bool,
    pub version: i32,
}

impl HeldRow {
    pub fn content(&self) -> EntryContent {
        EntryContent { raw: self.raw.map(points), mark: self.mark }
    }
}

/// Rows by their ids; their sheets and scores are held.
///
/// # Errors
/// Those of the database.
pub(crate) async fn rows_of(tx: &mut Tx, ids: &[i64]) -> Result<BTreeMap<i64, HeldRow>> {
    let rows = sqlx::query!(
        r#"select r.id, r.sheet_id, r.course_score_id, y.name, r.excluded, (r.raw * 10)::bigint as raw,
                  (r.paper_total * 10)::bigint as "paper_total!", r.mark as "mark: ScoreMark", r.mark_fixed, r.version
           from score_sheet_row r
           join course_score s on s.id = r.course_score_id
           join student y on y.id = s.student_id
           where r.id = any($1)"#,
        ids
    )
    .fetch_all(&mut **tx)
    .await?;
    let held = rows.into_iter().map(|row| {
        let held = HeldRow {
            id: row.id,
            sheet_id: row.sheet_id,
            score_id: row.course_score_id,
            name: row.name,
            excluded: row.excluded,
            raw: row.raw,
            paper_total: row.paper_total,
            mark: row.mark,
            fixed: row.mark_fixed,
            version: row.version,
        };
        (row.id, held)
    });
    Ok(held.collect())
}

/// Holds the sheets and the scores of rows.
///
/// # Errors
/// 409 when somebody else holds one for too long.
pub(crate) async fn hold_of_rows(tx: &mut Tx, rows: &[i64]) -> Result<BTreeMap<i64, HeldSheet>> {
    let of = sqlx::query!("select sheet_id, course_score_id from score_sheet_row where id = any($1)", rows)
        .fetch_all(&mut **tx)
        .await?;
    let sheets: Vec<i64> = of.iter().map(|row| row.sheet_id).collect();
    let scores: Vec<i64> = of.iter().map(|row| row.course_score_id).collect();
    let held = hold(tx, &sheets).await?;
    hold_scores(tx, &scores).await?;
    Ok(held)
}

/// What was typed of a row, judged: raw and mark as they are to stand.
///
/// # Errors
/// 409 for a row that is not to be typed over; 422 for what is no score.
pub(crate) fn judged(
    row: &HeldRow,
    raw: Option<f64>,
    mark: Option<ScoreMark>,
) -> Result<(Option<i64>, Option<ScoreMark>)> {
    if row.excluded {
        return Err(Error::conflict("该生已退选，不计成绩"));
    }
    if row.fixed {
        let said = row.mark.map_or("特殊情况", ScoreMark::zh);
        return Err(Error::conflict(format!("该生已登记{said}，不能录入分数")));
    }
    match (raw, mark) {
        (Some(raw), None | Some(ScoreMark::Normal)) => {
            let most = points(row.paper_total);
            let raw = in_tenths(raw, row.paper_total)
                .ok_or_else(|| Error::field("raw", format!("卷面分应在0到{most}之间，最多一位小数")))?;
            Ok((Some(raw), Some(ScoreMark::Normal)))
        }
        (None, Some(ScoreMark::Absent)) => Ok((None, Some(ScoreMark::Absent))),
        (None, None) => Ok((None, None)),
        (Some(_), Some(ScoreMark::Absent)) => Err(Error::field("mark", "卷面分和缺考只能填写一项")),
        (None, Some(ScoreMark::Normal)) => Err(Error::field("raw", "请填写卷面分")),
        (_, Some(ScoreMark::Violation | ScoreMark::Cheating)) => {
            Err(Error::field("mark", format!("{}须由违规登记产生", mark.map_or("", ScoreMark::zh))))
        }
        (_, Some(ScoreMark::Deferred | ScoreMark::Disqualified | ScoreMark::Exempt)) => {
            Err(Error::field("mark", format!("{}须由相应登记产生", mark.map_or("", ScoreMark::zh))))
        }
    }
}

/// Writes a row that was judged.
///
/// # Errors
/// Those of the database.
pub(crate) async fn write_row(tx: &mut Tx, row: &HeldRow, raw: Option<i64>, mark: Option<ScoreMark>) -> Result<Change> {
    let value = raw.map(|raw| of_hundred(raw, row.paper_total));
    let by = tx.by();
    sqlx::query!(
        "update score_sheet_row
         set raw = $2::bigint / 10.0, value = $3::bigint / 10.0, mark = $4, updated_at = now(), updated_by = $5,
             version = version + 1
         where id = $1",
        row.id,
        raw,
        value,
        mark.map(ScoreMark::as_str),
        by
    )
    .execute(&mut **tx)
    .await?;
    let after = EntryContent { raw: raw.map(points), mark };
    Ok(Change::edited("score_sheet_row", row.id, &row.content(), &after))
}

/// Enters rows, each for itself; one that stands alone is refused as a whole.
///
/// # Errors
/// 404 beyond the reach, 409 and 422 of the row that stands alone.
pub(crate) async fn enter(
    tx: &mut Tx,
    entries: &[ScoreEntry],
    alone: bool,
    (who, reach): (&Who, &Reach),
) -> Result<(ScoresEntered, Vec<Change>)> {
    let ids: Vec<i64> = entries.iter().map(|entry| entry.row_id).collect();
    let sheets = hold_of_rows(tx, &ids).await?;
    let now = tx.app().clock().now();
    let (mut answer, mut changes, mut done) = (ScoresEntered::default(), Vec::new(), Vec::new());
    for entry in entries {
        // Read anew: the same row may stand twice.
        let row = rows_of(tx, &[entry.row_id]).await?.remove(&entry.row_id);
        let outcome = async {
            let row = row.as_ref().ok_or_else(Error::not_found)?;
            let sheet = sheets.get(&row.sheet_id).filter(|sheet| reach.sees(sheet)).ok_or_else(Error::not_found)?;
            after(sheet.status, SheetTurn::Enter, sheet.review_levels)
                .map_err(|why| Error::conflict(why.to_string()))?;
            sheet.in_time(now)?;
            if row.version != entry.version {
                return Err(changed(row));
            }
            let (raw, mark) = judged(row, entry.raw, entry.mark)?;
            let change = write_row(tx, row, raw, mark).await?;
            Ok((row.clone(), change))
        };
        match outcome.await {
            Ok((row, change)) => {
                changes.push(change);
                done.push(row);
            }
            Err(error) if alone || error.code == 500 => return Err(error),
            Err(error) => {
                let name = row.filter(|_| error.code != 404).map(|row| row.name).unwrap_or_default();
                answer.failed.push(BulkFailure { id: entry.row_id, name, msg: error.msg.into_owned() });
            }
        }
    }
    let rows: Vec<i64> = done.iter().map(|row| row.id).collect();
    follow_rows(tx, &rows, Some(ExamScoreSource::OfflineEntry), &who.name).await?;
    let of: Vec<i64> = done.iter().map(|row| row.sheet_id).collect();
    count(tx, &of).await?;
    let scores: Vec<i64> = done.iter().map(|row| row.score_id).collect();
    settle(tx, &scores).await?;
    answer.done = i64::try_from(done.len()).map_err(Error::internal)?;
    answer.rows = entered(tx, &rows).await?;
    if changes.is_empty() {
        // Nothing was written: the call tells why of each row.
        changes.extend(of_nothing(&sheets));
    }
    Ok((answer, changes))
}

fn of_nothing(sheets: &BTreeMap<i64, HeldSheet>) -> Option<Change> {
    sheets.keys().next().map(|id| Change::nothing("score_sheet", *id))
}

/// 409 with what the row holds now.
fn changed(row: &HeldRow) -> Error {
    let holds = match (row.raw, row.mark) {
        (Some(raw), _) => format!("卷面分{}", points(raw)),
        (None, Some(mark)) => mark.zh().to_owned(),
        (None, None) => "未录入".to_owned(),
    };
    Error::conflict(format!("该行已被他人修改，现为：{holds}，请刷新后重试"))
}

async fn entered(tx: &mut Tx, rows: &[i64]) -> Result<Vec<ScoreEntered>> {
    Ok(sqlx::query_as!(
        ScoreEntered,
        r#"select r.id as row_id, r.raw::float8 as raw, r.value::float8 as value, r.mark as "mark: _",
                  s.display_text as "text!", r.version
           from score_sheet_row r join course_score s on s.id = r.course_score_id
           where r.id = any($1) order by r.id"#,
        rows
    )
    .fetch_all(&mut **tx)
    .await?)
}
