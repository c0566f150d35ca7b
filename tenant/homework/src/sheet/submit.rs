//! 提交: what the machine does when a sheet is handed in, and again when a key was corrected (part 03 B6, B7).

use std::collections::HashMap;

use homework_rules::{
    machine::{Line, Machine, came_to, decided, marked},
    times::penalised,
};
use infra::{Change, Error, Result, Tx};
use papers::snapshot::{EffectiveKey, effective_keys};
use question_bank::{
    enums::QuestionType,
    marking::GivenAnswer,
    question::stored,
    score::{points, tenths},
};
use serde_json::Value;
use sqlx::{PgConnection, types::Json};

use super::{Sheet, Task, follow, held_task};
use crate::{
    enums::{ItemMarkState, SheetMarkState, SubmitKind},
    marking::assign::default_marker,
};

/// A sheet that was handed in.
#[derive(Debug)]
pub struct Submitted {
    pub state: SheetMarkState,
    /// What the machine marked, in tenths.
    pub objective: i64,
    pub unanswered: i64,
    pub changes: Vec<Change>,
}

async fn lines(connection: &mut PgConnection, sheet: i64) -> Result<Vec<Line>> {
    let rows = sqlx::query!(
        r#"select i.id, i.seq, q.type as "kind: QuestionType", q.score::float8 as "full!", i.answer as "answer: Json<Value>",
                  (i.score * 10)::bigint as score, i.mark_state as "state: ItemMarkState", (i.auto_score * 10)::bigint as auto
           from answer_item i join snapshot_question q on q.id = i.snapshot_question_id
           where i.sheet_id = $1 order by i.id"#,
        sheet
    )
    .fetch_all(connection)
    .await?;
    rows.into_iter()
        .map(|row| {
            Ok(Line {
                id: row.id,
                seq: row.seq,
                kind: row.kind,
                full: tenths(row.full),
                given: row.answer.map(|answer| stored(answer.0)).transpose()?,
                score: row.score,
                state: row.state,
                auto: row.auto,
            })
        })
        .collect()
}

/// An answer as it stands, and what it comes to when it is marked by the keys that count now.
#[derive(Debug)]
pub(crate) struct Replayed {
    pub seq: String,
    pub kind: QuestionType,
    pub full: i64,
    pub answered: bool,
    pub state: ItemMarkState,
    pub score: Option<i64>,
    pub again: Option<i64>,
}

/// The answers of a sheet marked anew, without writing anything.
///
/// # Errors
/// Those of the database.
pub(crate) async fn replayed(
    connection: &mut PgConnection,
    sheet: i64,
    keys: &HashMap<String, EffectiveKey>,
) -> Result<(Vec<Replayed>, Machine)> {
    let lines = lines(connection, sheet).await?;
    let decided: Vec<_> = lines.iter().map(|line| decided(line, marked(line, keys.get(&line.seq)))).collect();
    let machine = came_to(lines.iter().zip(&decided).map(|(line, (_, score, state))| (line, *score, *state)));
    let replay = lines.into_iter().zip(decided).map(|(line, (_, again, _))| Replayed {
        answered: !line.given.as_ref().is_none_or(GivenAnswer::is_blank),
        seq: line.seq,
        kind: line.kind,
        full: line.full,
        state: line.state,
        score: line.score,
        again,
    });
    Ok((replay.collect(), machine))
}

/// Marks every answer of a sheet by the keys that count now.
///
/// # Errors
/// Those of the database.
pub async fn remark(tx: &mut Tx, sheet: &Sheet, keys: &HashMap<String, EffectiveKey>) -> Result<Machine> {
    let lines = lines(tx, sheet.id).await?;
    let decided: Vec<(Option<i64>, Option<i64>, ItemMarkState)> =
        lines.iter().map(|line| decided(line, marked(line, keys.get(&line.seq)))).collect();
    let changed: Vec<usize> = (0..lines.len())
        .filter(|place| {
            let (line, (auto, score, state)) = (&lines[*place], &decided[*place]);
            line.auto != *auto || line.score != *score || line.state != *state
        })
        .collect();
    let ids: Vec<i64> = changed.iter().map(|place| lines[*place].id).collect();
    let autos: Vec<Option<f64>> = changed.iter().map(|place| decided[*place].0.map(points)).collect();
    let scores: Vec<Option<f64>> = changed.iter().map(|place| decided[*place].1.map(points)).collect();
    let states: Vec<String> = changed.iter().map(|place| decided[*place].2.as_str().to_owned()).collect();
    sqlx::query!(
        "update answer_item i set auto_score = m.auto::numeric, score = m.score::numeric, mark_state = m.state
         from unnest($1::bigint[], $2::float8[], $3::float8[], $4::text[]) as m (id, auto, score, state)
         where i.id = m.id",
        &ids,
        &autos as &[Option<f64>],
        &scores as &[Option<f64>],
        &states
    )
    .execute(&mut **tx)
    .await?;
    Ok(came_to(lines.iter().zip(&decided).map(|(line, (_, score, state))| (line, *score, *state))))
}

/// Writes what a sheet comes to by what of it is marked: its scores, the penalty of who was late, and whether a marker is still
/// to look at it. The sheet is handed in and held.
///
/// # Errors
/// Those of the database.
pub async fn settle(tx: &mut Tx, task: Option<&Task>, sheet: &Sheet, machine: Machine) -> Result<SheetMarkState> {
    let late = match (task, sheet.submitted_at) {
        (Some(task), Some(submitted)) => !sheet.redo && task.window(false).is_late(submitted),
        _ => false,
    };
    let raw = machine.objective + machine.subjective;
    let percent = if late { task.map_or(0, |task| i64::from(task.late_penalty)) } else { 0 };
    let total = penalised(raw, percent);
    let done = machine.pending == 0;
    let state = if done { SheetMarkState::Marked } else { SheetMarkState::Submitted };
    let (by, now) = (tx.by(), tx.app().clock().now());
    sqlx::query!(
        "update answer_sheet
         set late = $2, objective_score = $3::float8::numeric, subjective_score = $4::float8::numeric,
             penalty = $5::float8::numeric, total_score = $6::float8::numeric, mark_state = $7,
             marked_at = case when $7 = 'marked' then coalesce(marked_at, $8::timestamptz) end,
             updated_at = now(), updated_by = $9, version = version + 1
         where id = $1",
        sheet.id,
        late,
        points(machine.objective),
        points(machine.subjective),
        if done { points(raw - total) } else { 0.0 },
        done.then(|| points(total)),
        state.as_str(),
        now as _,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(state)
}

/// Hands a sheet in, whoever answered it, and lets the machine mark what it can; what is left waits for a marker. The answers are
/// those that were saved last (02 §16).
///
/// # Errors
/// 404 for no sheet; 409 for one that was handed in already.
pub async fn submit_sheet(tx: &mut Tx, id: i64, kind: SubmitKind) -> Result<Submitted> {
    let of = super::sheet(tx, id).await?.homework_student_id;
    let task = match of {
        Some(of) => Some(held_task(tx, of).await?),
        None => None,
    };
    tx.lock("answer_sheet", id).await?;
    let mut sheet = super::sheet(tx, id).await?;
    if sheet.mark_state != SheetMarkState::InProgress {
        return Err(Error::conflict("该答卷已提交"));
    }
    let (by, now) = (tx.by(), tx.app().clock().now());
    // What ran out by itself was handed in when it ran out, however late the work that saw it.
    let at = if kind == SubmitKind::AutoTime { sheet.deadline_at.min(now) } else { now };
    sqlx::query!(
        "update answer_sheet set mark_state = 'submitted', submitted_at = $2, submit_kind = $3, updated_at = now(), updated_by = $4
         where id = $1",
        id,
        at as _,
        kind.as_str(),
        by
    )
    .execute(&mut **tx)
    .await?;
    sheet.submitted_at = Some(at);
    let keys = effective_keys(tx, sheet.snapshot_id).await?;
    let machine = remark(tx, &sheet, &keys).await?;
    let state = settle(tx, task.as_ref(), &sheet, machine).await?;
    let mut changes = vec![Change::event(
        "answer_sheet",
        id,
        "submit",
        serde_json::json!({ "submitKind": kind.as_str(), "markState": state.as_str() }),
    )];
    if let Some(task) = &task {
        if state == SheetMarkState::Submitted {
            default_marker(tx, task, &sheet).await?;
        }
        if sheet.redo {
            // It was done again: no attempt after it has that time.
            sqlx::query!("update homework_student set redo_until = null where id = $1", task.id)
                .execute(&mut **tx)
                .await?;
        }
        changes.extend(follow(tx, task).await?);
    }
    let unanswered = i64::try_from(machine.unanswered).map_err(Error::internal)?;
    Ok(Submitted { state, objective: machine.objective, unanswered, changes })
}
