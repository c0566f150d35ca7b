//! 更正答案: a key that was found wrong is corrected beside its snapshot, and every sheet of it is marked anew (part 03 B7, 02 §16).
//!
//! Sheets that are answered still are marked by the new key when they are handed in; for that whoever corrects holds the rows of all
//! students who have the snapshot, so that nothing is handed in, and no other key is corrected, beside it. What has a published
//! score is left and told.

use std::collections::{BTreeMap, HashSet};

use homework_rules::rejudge::{Asked, check, corrected, normal, score_by};
use infra::{Allowed, Body, Change, Error, Reply, Result, Tx, reply};
use papers::snapshot::{KeyCorrection, correct_key, effective_keys, sections_of};
use poem_openapi::{Object, OpenApi, types::Example};
use question_bank::{
    enums::MultipleRule,
    marking::{GivenAnswer, QuestionAnswer},
    question::stored,
    score::points,
};
use serde_json::Value;
use sqlx::{PgConnection, types::Json};

use super::RejudgeQuestion;
use crate::{
    enums::SheetMarkState,
    sheet::{achievement_locked, follow, held, questions::questions_of, remark, settle},
};

/// Students that an answer names.
const TOLD: usize = 1_000;

/// What is right instead.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct Rejudgement {
    /// 快照试题
    pub snapshot_question_id: i64,
    /// 新答案
    pub answer: Option<QuestionAnswer>,
    /// 新计分方式
    pub scheme: Option<MultipleRule>,
    /// 全部给分
    #[oai(default)]
    pub full_score: bool,
    /// 原因
    #[oai(validator(min_length = 2, max_length = 500))]
    pub reason: String,
    /// 仅检查
    #[oai(default)]
    pub dry_run: bool,
}

impl Example for Rejudgement {
    fn example() -> Self {
        let answer = QuestionAnswer { letters: Some(vec!["C".to_owned()]), ..QuestionAnswer::default() };
        Self {
            snapshot_question_id: 1,
            answer: Some(answer),
            scheme: None,
            full_score: false,
            reason: "答案有误".to_owned(),
            dry_run: true,
        }
    }
}

/// Somebody whose score is locked.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct LockedStudent {
    /// 答卷
    pub sheet_id: i64,
    /// 学号
    pub student_no: Option<String>,
    /// 姓名
    pub name: String,
}

/// Somebody whose score a correction changes.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct MovedStudent {
    /// 答卷
    pub sheet_id: i64,
    /// 学号
    pub student_no: Option<String>,
    /// 姓名
    pub name: String,
    /// 本题现在得分
    pub before: Option<f64>,
    /// 本题更正后得分
    pub after: f64,
}

/// What comes of a correction.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct RejudgeResult {
    /// 已更正的答卷数
    /// 仅检查时为0
    pub done: i64,
    /// 得分有变化的答卷数
    pub changed: i64,
    /// 得分增加的答卷数
    pub up: i64,
    /// 得分减少的答卷数
    pub down: i64,
    /// 得分有变化的学生
    /// 最多列出1000名
    pub moved: Vec<MovedStudent>,
    /// 成绩已锁定、未更正的学生
    pub locked: Vec<LockedStudent>,
}

pub struct Rejudging;

#[OpenApi(prefix_path = "/exam/pc/tasks/marking", tag = "crate::Tag::Homework")]
impl Rejudging {
    /// 更正答案
    #[oai(path = "/rejudge", method = "post", operation_id = "rejudgeQuestion")]
    async fn rejudge(
        &self,
        caller: Allowed<RejudgeQuestion>,
        Body(wanted): Body<Rejudgement>,
    ) -> Result<Reply<RejudgeResult>> {
        let correction = KeyCorrection {
            answer: wanted.answer,
            scheme: wanted.scheme,
            full_score: wanted.full_score,
            reason: wanted.reason,
        };
        let mut tx = caller.begin_long().await?;
        if !wanted.dry_run {
            hold(&mut tx, wanted.snapshot_question_id).await?;
        }
        let correction = normal(correction);
        let (mut told, sheets) = looked_at(&mut tx, wanted.snapshot_question_id, &correction).await?;
        if !wanted.dry_run {
            let changes = rejudged(&mut tx, wanted.snapshot_question_id, &correction, &sheets).await?;
            tx.commit_all(changes).await?;
            told.done = told.changed;
        }
        Ok(reply(told))
    }
}

/// Holds the rows of all students who have the snapshot of a question.
async fn hold(tx: &mut Tx, question: i64) -> Result<()> {
    sqlx::query_scalar!(
        "select id from homework_student
         where snapshot_id = (select snapshot_id from snapshot_question where id = $1) order by id for update",
        question
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(())
}

/// A question of a snapshot, as a correction looks at it.
///
/// # Errors
/// 404 for none.
pub async fn asked(connection: &mut PgConnection, id: i64) -> Result<Asked> {
    let snapshot = sqlx::query_scalar!("select snapshot_id from snapshot_question where id = $1", id)
        .fetch_optional(&mut *connection)
        .await?
        .ok_or_else(Error::not_found)?;
    let sections = sections_of(connection, snapshot).await?;
    let questions = questions_of(connection, snapshot, &sections).await?;
    let question = questions.into_iter().find(|question| question.id == id).ok_or_else(Error::not_found)?;
    Ok(Asked {
        snapshot,
        seq: question.seq,
        kind: question.kind,
        full: question.score,
        options: question.options,
        blanks: question.blanks,
    })
}

/// What a correction would come to, and the sheets whose score it changes and may change.
async fn looked_at(
    connection: &mut PgConnection,
    id: i64,
    correction: &KeyCorrection,
) -> Result<(RejudgeResult, Vec<i64>)> {
    let asked = asked(connection, id).await?;
    check(&asked, correction)?;
    let former = effective_keys(connection, asked.snapshot).await?.remove(&asked.seq);
    let key = corrected(former.as_ref(), correction);
    let rows = sqlx::query!(
        r#"select a.id as "sheet!", i.answer as "answer: Json<Value>", (i.score * 10)::bigint as score, s.selection_id as "selection?",
                  y.student_no as "student_no?", y.name as "name?"
           from answer_item i
           join answer_sheet a on a.id = i.sheet_id
           left join homework_student s on s.id = a.homework_student_id
           left join course_selection c on c.id = s.selection_id
           left join student y on y.id = c.student_id
           where i.snapshot_question_id = $1 and a.homework_student_id is not null
             and a.mark_state in ('submitted', 'marked', 'returned')
           order by a.id"#,
        id
    )
    .fetch_all(&mut *connection)
    .await?;
    let mut selections: Vec<i64> = rows.iter().filter_map(|row| row.selection).collect();
    selections.sort_unstable();
    selections.dedup();
    let locked: HashSet<i64> = achievement_locked(connection, &selections).await?.into_iter().collect();
    let mut told = RejudgeResult { done: 0, changed: 0, up: 0, down: 0, moved: Vec::new(), locked: Vec::new() };
    let mut sheets = Vec::new();
    for row in rows {
        let given: Option<GivenAnswer> = row.answer.map(|answer| stored(answer.0)).transpose()?;
        let (before, after) = (row.score.unwrap_or(0), score_by(&asked, &key, given.as_ref()));
        let Some(after) = after.filter(|after| *after != before || row.score.is_none()) else { continue };
        if row.selection.is_some_and(|selection| locked.contains(&selection)) {
            let name = row.name.unwrap_or_default();
            told.locked.push(LockedStudent { sheet_id: row.sheet, student_no: row.student_no, name });
            continue;
        }
        told.changed += 1;
        if told.moved.len() < TOLD {
            told.moved.push(MovedStudent {
                sheet_id: row.sheet,
                student_no: row.student_no,
                name: row.name.unwrap_or_default(),
                before: row.score.map(points),
                after: points(after),
            });
        }
        told.up += i64::from(after > before);
        told.down += i64::from(after < before);
        sheets.push(row.sheet);
    }
    Ok((told, sheets))
}

/// Corrects the key and marks these sheets anew.
async fn rejudged(tx: &mut Tx, id: i64, correction: &KeyCorrection, sheets: &[i64]) -> Result<Vec<Change>> {
    let mut changes = vec![correct_key(tx, id, correction).await?];
    let snapshot =
        sqlx::query_scalar!("select snapshot_id from snapshot_question where id = $1", id).fetch_one(&mut **tx).await?;
    let keys = effective_keys(tx, snapshot).await?;
    // Rows of students before their sheets, each in their order.
    let of = sqlx::query!(
        r#"select id, homework_student_id as "student!" from answer_sheet
           where id = any($1) and homework_student_id is not null order by homework_student_id, id"#,
        sheets
    )
    .fetch_all(&mut **tx)
    .await?;
    let mut by_student: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
    for row in of {
        by_student.entry(row.student).or_default().push(row.id);
    }
    for sheet in by_student.into_values().flatten() {
        let (task, sheet) = held(tx, sheet).await?;
        let machine = remark(tx, &sheet, &keys).await?;
        settle(tx, Some(&task), &sheet, machine).await?;
        if sheet.mark_state == SheetMarkState::Returned {
            sqlx::query!("update answer_sheet set mark_state = 'returned' where id = $1", sheet.id)
                .execute(&mut **tx)
                .await?;
        }
        let followed = follow(tx, &task).await?;
        let what = serde_json::json!({ "snapshotQuestionId": id });
        changes.push(Change::event("answer_sheet", sheet.id, "rejudge", what));
        changes.extend(followed);
    }
    Ok(changes)
}
