//! 得分说明: why a score is what it is: what went in, by which rule in which version, and the same reckoned anew (part 03 B6, B7).
//!
//! Keys are told by their version alone: whoever may see them looks at the sheet.

use std::collections::HashMap;

use homework_rules::{
    times::{final_raw, of_hundred, penalised},
    why::said,
};
use infra::{Error, Result, clock::Moment};
use papers::snapshot::effective_keys;
use poem_openapi::Object;
use question_bank::{
    enums::{MultipleRule, QuestionType},
    score::{points, shown},
};
use sqlx::PgConnection;

use crate::{
    enums::{AttemptScoring, ItemMarkState, SheetMarkState},
    sheet::{Replayed, Sheet, Task, replayed, sheet, task},
};

/// An answer with what its score comes from.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ReplayedItem {
    /// 题号
    pub seq: String,
    /// 题型
    #[oai(rename = "type")]
    pub kind: QuestionType,
    /// 分值
    pub full_score: f64,
    /// 已作答
    pub answered: bool,
    /// 计分方式
    /// 多选题的
    pub scheme: Option<MultipleRule>,
    /// 答案版本
    /// 发布时为1，每更正一次加1
    pub key_version: i64,
    /// 全部给分
    pub full_to_all: bool,
    /// 更正原因
    pub corrected_because: Option<String>,
    /// 批阅状态
    pub mark_state: ItemMarkState,
    /// 批阅人
    /// 系统评分时为空
    pub marked_by: Option<String>,
    /// 批阅时间
    pub marked_at: Option<Moment>,
    /// 得分
    pub score: Option<f64>,
    /// 重算得分
    pub replayed: Option<f64>,
}

/// An attempt with what its score comes from.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ScoreSheet {
    /// 答卷
    pub sheet_id: i64,
    /// 次数
    pub attempt_no: i32,
    /// 状态
    pub mark_state: SheetMarkState,
    /// 试卷
    pub paper_name: String,
    /// 试卷版本
    pub paper_version: Option<i32>,
    /// 快照摘要
    /// 作答所用试卷内容的SHA-256
    pub sha256: String,
    /// 提交时间
    pub submitted_at: Option<Moment>,
    /// 迟交
    pub late: bool,
    /// 扣分(%)
    pub penalty_percent: i32,
    /// 得分
    pub total_score: Option<f64>,
    /// 重算得分
    pub replayed: Option<f64>,
    /// 计入成绩
    pub counts: bool,
    /// 题目
    pub items: Vec<ReplayedItem>,
}

/// 得分说明
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ScoreExplained {
    /// 编号
    pub id: i64,
    /// 作业
    pub title: String,
    /// 作业版本
    pub homework_version: i32,
    /// 总分
    pub total_score: f64,
    /// 计分方式
    pub attempt_scoring: AttemptScoring,
    /// 答卷
    pub sheets: Vec<ScoreSheet>,
    /// 计算过程
    pub steps: Vec<String>,
    /// 得分
    pub final_raw: Option<f64>,
    /// 重算得分
    pub replayed_raw: Option<f64>,
    /// 重算折百分
    pub replayed_score: Option<f64>,
    /// 与记录一致
    /// 不一致时，多为成绩锁定后更正了答案
    pub agrees: bool,
}

/// What is told of a question beside its key.
struct Key {
    version: i64,
    because: Option<String>,
}

async fn versions(connection: &mut PgConnection, snapshot: i64) -> Result<HashMap<String, Key>> {
    let rows = sqlx::query!(
        r#"select q.seq, 1 + count(c.id) as "version!", (array_agg(c.reason order by c.id desc))[1] as because
           from snapshot_question q left join snapshot_correction c on c.snapshot_question_id = q.id
           where q.snapshot_id = $1 group by q.seq"#,
        snapshot
    )
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(|row| (row.seq, Key { version: row.version, because: row.because })).collect())
}

/// Who marked an answer, and when.
type Marks = HashMap<String, (Option<String>, Option<Moment>)>;

async fn marks(connection: &mut PgConnection, sheet: i64) -> Result<Marks> {
    let rows = sqlx::query!(
        r#"select i.seq, i.marked_at, t.name as "teacher?" from answer_item i
           left join teacher t on t.id = i.marked_by_teacher_id where i.sheet_id = $1"#,
        sheet
    )
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(|row| (row.seq, (row.teacher, row.marked_at))).collect())
}

/// # Errors
/// 404 when there is none.
pub(super) async fn explained(connection: &mut PgConnection, id: i64) -> Result<ScoreExplained> {
    let task = task(connection, id).await?;
    let homework_version = sqlx::query_scalar!("select version from homework where id = $1", task.homework_id)
        .fetch_one(&mut *connection)
        .await?;
    let ids = sqlx::query_scalar!(
        r#"select id as "id!" from answer_sheet
           where homework_student_id = $1 and mark_state not in ('void', 'in_progress') order by attempt_no"#,
        id
    )
    .fetch_all(&mut *connection)
    .await?;
    let (mut sheets, mut steps, mut marked) = (Vec::with_capacity(ids.len()), Vec::new(), Vec::new());
    for id in ids {
        let of = sheet(connection, id).await?;
        let (shown_sheet, total, step) = of_sheet(connection, &task, &of).await?;
        if shown_sheet.counts
            && let Some(total) = total
        {
            marked.push((of.attempt_no, total));
        }
        sheets.push(shown_sheet);
        steps.push(step);
    }
    let raw = final_raw(task.attempt_scoring, &marked);
    let score = raw.map(|raw| of_hundred(raw, task.total));
    if let (Some(raw), Some(score)) = (raw, score) {
        steps.push(format!("取{}：{}", task.attempt_scoring.zh(), shown(raw)));
        steps.push(format!("折百分：{}÷{}×100＝{}", shown(raw), shown(task.total), shown(score)));
    }
    let agrees =
        raw == task.final_raw && sheets.iter().all(|sheet| !sheet.counts || sheet.replayed == sheet.total_score);
    Ok(ScoreExplained {
        id: task.id,
        title: task.title,
        homework_version,
        total_score: points(task.total),
        attempt_scoring: task.attempt_scoring,
        sheets,
        steps,
        final_raw: task.final_raw.map(points),
        replayed_raw: raw.map(points),
        replayed_score: score.map(points),
        agrees,
    })
}

/// An attempt, what it comes to now in tenths, and how that is said.
async fn of_sheet(
    connection: &mut PgConnection,
    task: &Task,
    sheet: &Sheet,
) -> Result<(ScoreSheet, Option<i64>, String)> {
    let keys = effective_keys(connection, sheet.snapshot_id).await?;
    let versions = versions(connection, sheet.snapshot_id).await?;
    let marks = marks(connection, sheet.id).await?;
    let (lines, machine) = replayed(connection, sheet.id, &keys).await?;
    let stands = sqlx::query!(
        r#"select p.name, p.paper_version, p.sha256, (a.total_score * 10)::bigint as total
           from answer_sheet a join paper_snapshot p on p.id = a.snapshot_id where a.id = $1"#,
        sheet.id
    )
    .fetch_optional(&mut *connection)
    .await?
    .ok_or_else(Error::not_found)?;
    let late = !sheet.redo && sheet.submitted_at.is_some_and(|at| task.window(false).is_late(at));
    let percent = if late { task.late_penalty } else { 0 };
    let total = (machine.pending == 0).then(|| penalised(machine.objective + machine.subjective, percent.into()));
    let step = said(sheet.attempt_no, (machine.objective, machine.subjective), percent, total, machine.pending);
    let items = lines.into_iter().map(|line| item(line, &keys, &versions, &marks)).collect();
    let shown = ScoreSheet {
        sheet_id: sheet.id,
        attempt_no: sheet.attempt_no,
        mark_state: sheet.mark_state,
        paper_name: stands.name,
        paper_version: stands.paper_version,
        sha256: stands.sha256,
        submitted_at: sheet.submitted_at,
        late,
        penalty_percent: percent,
        total_score: stands.total.map(points),
        replayed: total.map(points),
        counts: sheet.mark_state == SheetMarkState::Marked,
        items,
    };
    Ok((shown, total, step))
}

fn item(
    line: Replayed,
    keys: &HashMap<String, papers::snapshot::EffectiveKey>,
    versions: &HashMap<String, Key>,
    marks: &Marks,
) -> ReplayedItem {
    let (key, version) = (keys.get(&line.seq), versions.get(&line.seq));
    let (marked_by, marked_at) = marks.get(&line.seq).cloned().unwrap_or_default();
    ReplayedItem {
        kind: line.kind,
        full_score: points(line.full),
        answered: line.answered,
        scheme: key.filter(|_| line.kind == QuestionType::MultipleChoice).map(|key| key.scheme),
        key_version: version.map_or(1, |key| key.version),
        full_to_all: key.is_some_and(|key| key.full_score),
        corrected_because: version.and_then(|key| key.because.clone()),
        mark_state: line.state,
        marked_by,
        marked_at,
        score: line.score.map(points),
        replayed: line.again.map(points),
        seq: line.seq,
    }
}
