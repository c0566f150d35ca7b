//! 录入表现成绩: in the list itself, several at once; all or none.

use std::collections::BTreeSet;

use infra::{Allowed, Body, Change, Error, FieldError, Reply, Result, Scope, Tx, reply};
use instruction_rules::held::{Held, ScoreContent, in_tenths, points};
use poem_openapi::{Object, OpenApi, types::Example};

use super::{
    EditScores,
    held::{hold, one, weights_of, write},
};
use crate::rule::scored;

/// A performance that was typed.
#[derive(Debug, Clone, Copy, PartialEq, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ScoreItem {
    /// 选课编号
    pub selection_id: i64,
    /// 表现成绩
    /// 0至100，一位小数；为空时清除
    pub performance_score: Option<f64>,
    /// 版本
    pub version: i32,
}

impl Example for ScoreItem {
    fn example() -> Self {
        Self { selection_id: 1, performance_score: Some(88.0), version: 0 }
    }
}

/// Several of them.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct InstructionScoreEdit {
    /// 成绩
    #[oai(validator(min_items = 1, max_items = 500))]
    pub items: Vec<ScoreItem>,
}

impl Example for InstructionScoreEdit {
    fn example() -> Self {
        Self { items: vec![ScoreItem::example()] }
    }
}

/// What became of a score.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ScoreWritten {
    /// 选课编号
    pub selection_id: i64,
    /// 出勤成绩
    pub attendance_score: Option<f64>,
    /// 表现成绩
    pub performance_score: Option<f64>,
    /// 总成绩
    pub total_score: Option<f64>,
    /// 版本
    pub version: i32,
}

/// What became of all of them.
#[derive(Debug, Clone, Object)]
pub struct ScoresWritten {
    /// 成绩
    pub items: Vec<ScoreWritten>,
}

pub struct Edits;

#[OpenApi(prefix_path = "/adult/pc/offlineInstruction", tag = "crate::Tag::Instruction")]
impl Edits {
    /// 编辑面授成绩
    #[oai(path = "/edit", method = "put", operation_id = "editInstructionScores")]
    async fn edit(
        &self,
        caller: Allowed<EditScores>,
        Body(wanted): Body<InstructionScoreEdit>,
    ) -> Result<Reply<ScoresWritten>> {
        let mut tx = caller.begin().await?;
        let (items, changes) = update(&mut tx, &wanted.items, &caller.scope()).await?;
        tx.commit_all(changes).await?;
        Ok(reply(ScoresWritten { items }))
    }
}

/// # Errors
/// 404 outside the scope; 409 for what was submitted, or changed meanwhile; 422 for what is no score, and for somebody twice.
async fn update(tx: &mut Tx, items: &[ScoreItem], scope: &Scope) -> Result<(Vec<ScoreWritten>, Vec<Change>)> {
    let ids: Vec<i64> = items.iter().map(|item| item.selection_id).collect();
    let held = hold(tx, &ids, scope).await?;
    let (mut wanted, mut changes, mut wrong): (Vec<Held>, Vec<Change>, Vec<FieldError>) = Default::default();
    let mut seen = BTreeSet::new();
    for (place, item) in items.iter().enumerate() {
        if !seen.insert(item.selection_id) {
            wrong.push(FieldError {
                field: format!("items[{place}].selectionId"), message: "该学生重复".to_owned()
            });
            continue;
        }
        let before = one(&held, item.selection_id)?;
        before.may_change()?;
        before.is_draft()?;
        if before.version != item.version {
            return Err(stale(tx, before).await);
        }
        let performance = match item.performance_score.map(in_tenths) {
            None => None,
            Some(Some(tenths)) => Some(tenths),
            Some(None) => {
                let field = format!("items[{place}].performanceScore");
                wrong.push(FieldError { field, message: "应在0到100之间，最多一位小数".to_owned() });
                continue;
            }
        };
        let after = Held { performance, ..before.clone() };
        changes.push(change(before, &after));
        wanted.push(after);
    }
    if !wrong.is_empty() {
        return Err(Error::fields(wrong));
    }
    let numbers = write(tx, &wanted).await?;
    let weights = weights_of(tx).await?;
    let told = |tenths: Option<i64>| tenths.map(points);
    let written = wanted.iter().map(|held| {
        let counted = scored(held.attended, held.typed, held.performance, weights);
        ScoreWritten {
            selection_id: held.selection_id,
            attendance_score: told(counted.attendance),
            performance_score: told(held.performance),
            total_score: told(counted.total),
            version: numbers.get(&held.selection_id).map_or(held.version, |(_, version)| *version),
        }
    });
    let written = written.collect();
    let changes = wanted.iter().zip(changes).map(|(held, change)| match numbers.get(&held.selection_id) {
        Some((id, _)) => change.numbered(*id),
        None => change,
    });
    Ok((written, changes.collect()))
}

/// What the trail keeps of a score that was typed; its number follows where it is new.
pub(crate) fn change(before: &Held, after: &Held) -> Change {
    let content: ScoreContent = after.content();
    match before.score_id {
        Some(id) => Change::edited("instruction_score", id, &before.content(), &content),
        None => Change::created("instruction_score", 0, &content),
    }
}

/// 409 with whoever changed it.
pub(crate) async fn stale(tx: &mut Tx, before: &Held) -> Error {
    match before.score_id {
        Some(id) => tx.stale("instruction_score", id).await,
        None => Error::conflict("数据已被修改，请刷新后重试"),
    }
}
