//! What a correction of a published score changes here: the part that was wrong, and what it comes to by the formula of then
//! (part 04 §6.4, §8.2). Scores hold the correction and its score, and read afterwards what stands here.

use futures_util::future::BoxFuture;
use infra::{Change, Error, Part, Result, Scope, Tx};
use scores_rules::enums::{ScoreMark, ScorePart};
use serde_json::{Value, json};
use thesis_rules::total::internship;

use crate::{
    grade::{self, steps::params},
    internship::{self as practice, steps::WAIVED},
};

pub const PART: Part = Part { corrected: Some(corrected), ..Part::NONE };

fn corrected<'a>(tx: &'a mut Tx, table: &'static str, id: i64) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move { if table == "score_correction" { follow(tx, id).await } else { Ok(()) } })
}

/// A correction of a score that was made here.
struct Correction {
    part: Option<ScorePart>,
    /// In tenths.
    value: Option<i64>,
    /// What the score is marked with afterwards.
    mark: ScoreMark,
    formula: Option<Value>,
    reason: String,
}

async fn follow(tx: &mut Tx, id: i64) -> Result<()> {
    let row = sqlx::query!(
        r#"select s.selection_id, c.component_kind as "part: ScorePart", (c.new_value * 10)::bigint as value,
                  coalesce(c.new_mark, s.mark, 'normal') as "mark!: ScoreMark", s.formula, c.reason
           from score_correction c join course_score s on s.id = c.course_score_id where c.id = $1"#,
        id
    )
    .fetch_one(&mut **tx)
    .await?;
    let selection = row.selection_id;
    let correction =
        Correction { part: row.part, value: row.value, mark: row.mark, formula: row.formula, reason: row.reason };
    let theses =
        sqlx::query_scalar!("select id from thesis where selection_id = $1 and status <> 'cancelled'", selection)
            .fetch_all(&mut **tx)
            .await?;
    thesis::offered::hold(tx, &theses).await?;
    let whole = Scope::whole_school();
    let changes = match grade::hold::hold(tx, &[selection], &whole).await?.remove(&selection) {
        Some(held) => of_thesis(tx, &held, &correction).await?,
        None => {
            let held = practice::hold::held(tx, selection, &whole).await?;
            of_practice(tx, &held, &correction).await?
        }
    };
    tx.record(&changes).await
}

async fn of_thesis(tx: &mut Tx, held: &grade::hold::Held, correction: &Correction) -> Result<Vec<Change>> {
    let id = held.record.ok_or_else(Error::not_found)?;
    let mut formula = held.formula.clone().unwrap_or_default();
    let params = params(&formula)?;
    let mut parts = held.parts;
    match correction.part {
        Some(ScorePart::Internship) => parts.internship = correction.value,
        Some(ScorePart::Thesis) => parts.thesis = correction.value,
        Some(ScorePart::Review) => parts.review = correction.value,
        Some(ScorePart::Defense) => parts.defense = correction.value,
        _ => {}
    }
    // Of a thesis that failed by itself no part makes a pass.
    let counted = grade::compute::counted(&params, &parts, formula["failed"] == json!(true));
    let (total, word, veto) = match correction.mark {
        ScoreMark::Normal => (counted.total, counted.word, counted.veto),
        mark => (Some(0), Some(mark.zh().to_owned()), Some(mark.zh().to_owned())),
    };
    formula["veto"] = json!(veto);
    let (by, name, now) = (tx.by(), tx.actor().name.clone(), tx.app().clock().now());
    let part = correction.part.map_or("", ScorePart::as_str);
    // Items do not come to what was corrected any more.
    sqlx::query!(
        "update graduation_score
         set internship_score = $2::bigint / 10.0, thesis_score = $3::bigint / 10.0, review_score = $4::bigint / 10.0,
             defense_score = $5::bigint / 10.0, total = $6::bigint / 10.0, grade_word = $7, veto = $8, formula = $9,
             thesis_items = case $10::text when 'thesis' then '[]' else thesis_items end,
             thesis_by_name = case $10::text when 'thesis' then $11::text else thesis_by_name end,
             thesis_at = case $10::text when 'thesis' then $12::timestamptz else thesis_at end,
             review_items = case $10::text when 'review' then '[]' else review_items end,
             review_by_name = case $10::text when 'review' then $11::text else review_by_name end,
             review_at = case $10::text when 'review' then $12::timestamptz else review_at end,
             defense_items = case $10::text when 'defense' then '[]' else defense_items end,
             defense_by_name = case $10::text when 'defense' then $11::text else defense_by_name end,
             defense_at = case $10::text when 'defense' then $12::timestamptz else defense_at end,
             updated_at = now(), updated_by = $13, version = version + 1
         where id = $1",
        id,
        parts.internship,
        parts.thesis,
        parts.review,
        parts.defense,
        total,
        word,
        veto,
        formula,
        part,
        name,
        now as _,
        by
    )
    .execute(&mut **tx)
    .await?;
    let what = json!({ "part": part, "before": held.word, "after": word });
    let mut changes =
        vec![Change::event("graduation_score", id, "correct", what).because(Some(correction.reason.as_str()))];
    if let Some(thesis) = held.thesis {
        let passed = correction.mark == ScoreMark::Normal && counted.passed;
        changes.extend(thesis::offered::corrected(tx, thesis, passed, &correction.reason).await?);
    }
    Ok(changes)
}

async fn of_practice(tx: &mut Tx, held: &practice::hold::Held, correction: &Correction) -> Result<Vec<Change>> {
    let id = held.record.ok_or_else(Error::not_found)?;
    let (mut unit, mut teacher) = held.scores().map_or((None, None), |(unit, teacher)| (Some(unit), Some(teacher)));
    match correction.part {
        Some(ScorePart::Unit) => unit = correction.value,
        Some(ScorePart::Teacher) => teacher = correction.value,
        _ => {}
    }
    let weight = |key: &str, usual: i64| {
        correction.formula.as_ref().and_then(|formula| formula["internship"][key].as_i64()).unwrap_or(usual)
    };
    let waived = correction.formula.as_ref().is_some_and(|formula| formula["internship"] == json!("waived"));
    let score = match (correction.mark, unit, teacher) {
        (ScoreMark::Normal | ScoreMark::Exempt, ..) if waived => WAIVED,
        (ScoreMark::Normal, Some(unit), Some(teacher)) => {
            internship(unit, teacher, (weight("unit", 40), weight("teacher", 60)))
        }
        _ => 0,
    };
    let by = tx.by();
    sqlx::query!(
        "update internship
         set unit_score = $2::bigint / 10.0, teacher_score = $3::bigint / 10.0, score = $4::bigint / 10.0, updated_at = now(),
             updated_by = $5, version = version + 1
         where id = $1",
        id,
        unit,
        teacher,
        score,
        by
    )
    .execute(&mut **tx)
    .await?;
    let what = json!({ "part": correction.part.map(ScorePart::as_str), "score": scores_rules::arith::points(score) });
    Ok(vec![Change::event("internship", id, "correct", what).because(Some(correction.reason.as_str()))])
}
