//! What a score comes to, written where it changed.

use infra::{Change, Result, Tx};
use scores_rules::{
    correct::{Formula, recomputed},
    enums::{EffectiveRound, ExamRound, ScoreMark},
    gpa,
    makeup::Effective,
    total::{Total, text},
};
use serde_json::json;

use super::card::{Card, Examined, Rules, cards};

/// What a score comes to.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CameTo {
    pub effective: Effective,
    pub text: String,
    /// Of the first examination, or of the deferred one that counts as it.
    pub first: Option<Total>,
    /// Of each round that counts, by its id.
    pub rounds: Vec<(i64, Total)>,
    /// Hundredths.
    pub point: Option<i64>,
    pub earned: i64,
    pub makeups: i32,
}

/// A score that changed when it was counted anew.
#[derive(Debug, Clone)]
pub(crate) struct Settled {
    pub card: Card,
    pub now: CameTo,
}

impl Settled {
    /// What the trail keeps of it.
    pub fn change(&self) -> Change {
        let what = json!({ "before": self.card.text, "after": self.now.text });
        Change::event("course_score", self.card.id, "count", what)
    }
}

/// Counts one score by a formula.
pub(crate) fn came_to(card: &Card, formula: &Formula) -> CameTo {
    came_to_of(card, formula, &card.counting())
}

/// What a score came to before the round of this sheet: of the rounds that were examined earlier. None where there are none.
pub(crate) fn came_to_before(card: &Card, formula: &Formula, sheet: i64) -> Option<String> {
    let own = card.rounds.iter().position(|round| round.sheet_id == Some(sheet)).unwrap_or(card.rounds.len());
    let earlier: Vec<&Examined> = card.rounds[..own].iter().collect();
    (!earlier.is_empty()).then(|| came_to_of(card, formula, &earlier).text)
}

fn came_to_of(card: &Card, formula: &Formula, counting: &[&Examined]) -> CameTo {
    let rounds: Vec<_> = counting.iter().map(|examined| examined.round()).collect();
    let (totals, effective) = recomputed(formula, &card.parts(), &rounds);
    let found = |round: ExamRound| {
        rounds.iter().zip(&totals).find(|(examined, _)| examined.round == round).map(|(_, total)| total.clone())
    };
    let first = match found(ExamRound::First) {
        Some(first) if first.mark != ScoreMark::Deferred => Some(first),
        put_off => found(ExamRound::Deferred).or(put_off),
    };
    let said = Total {
        value: effective.value,
        mark: effective.mark,
        passed: effective.passed,
        blocked: Vec::new(),
        steps: Vec::new(),
    };
    let text = text(&said, formula.total.grading_mode, effective.exam);
    let counted = effective.round != EffectiveRound::Exempt && effective.mark != ScoreMark::Deferred;
    let point = effective.value.filter(|_| counted).map(|value| match effective.passed {
        Some(true) => gpa::point(formula.total.gpa_scale, value),
        _ => 0,
    });
    let makeups = rounds.iter().filter(|examined| !examined.round.is_first()).count();
    CameTo {
        earned: if effective.passed == Some(true) { card.credits } else { 0 },
        first,
        rounds: counting.iter().map(|examined| examined.id).zip(totals).collect(),
        text,
        point,
        makeups: i32::try_from(makeups).unwrap_or(i32::MAX),
        effective,
    }
}

/// Counts these scores anew and writes those that changed; they are held by whoever calls. Scores of exempted selections, and those
/// that were made elsewhere, have no rounds and stay as they are.
///
/// # Errors
/// Those of the database.
pub(crate) async fn settle(tx: &mut Tx, ids: &[i64]) -> Result<Vec<Settled>> {
    let rules = Rules::load(tx).await?;
    let mut changed = Vec::new();
    for (_, card) in cards(tx, ids).await? {
        if card.mark == Some(ScoreMark::Exempt) || (card.rounds.is_empty() && card.status.is_out()) {
            continue;
        }
        let formula = card.formula(&rules)?;
        let now = came_to(&card, &formula);
        changed.push((card, now, formula));
    }
    let (mut keys, mut firsts, mut first_marks) = (Vec::new(), Vec::new(), Vec::new());
    let (mut totals, mut marks, mut rounds, mut texts, mut passed) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let (mut earned, mut points, mut makeups, mut modes) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let (mut exams, mut exam_totals) = (Vec::new(), Vec::new());
    for (card, now, formula) in &changed {
        let examined = !card.rounds.is_empty();
        keys.push(card.id);
        firsts.push(now.first.as_ref().and_then(|total| total.value));
        first_marks.push(now.first.as_ref().map(|total| total.mark.as_str()));
        totals.push(now.effective.value);
        marks.push(examined.then(|| now.effective.mark.as_str()));
        rounds.push(examined.then(|| now.effective.round.as_str()));
        texts.push(now.text.as_str());
        passed.push(now.effective.passed);
        earned.push(now.earned);
        points.push(now.point);
        makeups.push(now.makeups);
        modes.push(formula.total.grading_mode.as_str());
        for (exam, total) in &now.rounds {
            exams.push(*exam);
            exam_totals.push(total.value);
        }
    }
    let by = tx.by();
    let written = sqlx::query_scalar!(
        r#"update course_score s
           set first_total = w.first / 10.0, first_mark = w.first_mark, total = w.total / 10.0, mark = w.mark,
               effective_round = w.round, display_text = w.said, passed = w.passed, earned_credits = w.earned / 10.0,
               grade_point = w.point / 100.0, makeup_used = w.makeups, grading_mode = w.mode, stale = false,
               updated_at = now(), updated_by = $13::bigint, version = s.version + 1
           from unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::boolean[],
                       $9::bigint[], $10::bigint[], $11::integer[], $12::text[])
                as w (id, first, first_mark, total, mark, round, said, passed, earned, point, makeups, mode)
           where s.id = w.id
             and (s.stale or (s.first_total * 10, s.first_mark, s.total * 10, s.mark, s.effective_round, s.display_text, s.passed,
                              s.earned_credits * 10, s.grade_point * 100, s.makeup_used, s.grading_mode)
                  is distinct from (w.first::numeric, w.first_mark, w.total::numeric, w.mark, w.round, w.said, w.passed,
                                    w.earned::numeric, w.point::numeric, w.makeups, w.mode))
           returning s.id"#,
        &keys,
        &firsts as &[Option<i64>],
        &first_marks as &[Option<&str>],
        &totals as &[Option<i64>],
        &marks as &[Option<&str>],
        &rounds as &[Option<&str>],
        &texts as &[&str],
        &passed as &[Option<bool>],
        &earned,
        &points as &[Option<i64>],
        &makeups,
        &modes as &[&str],
        by
    )
    .fetch_all(&mut **tx)
    .await?;
    sqlx::query!(
        "update exam_score e set total = w.total / 10.0, updated_at = now(), updated_by = $3::bigint, version = e.version + 1
         from unnest($1::bigint[], $2::bigint[]) as w (id, total)
         where e.id = w.id and e.total * 10 is distinct from w.total::numeric",
        &exams,
        &exam_totals as &[Option<i64>],
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(changed
        .into_iter()
        .filter(|(card, ..)| written.contains(&card.id))
        .map(|(card, now, _)| Settled { card, now })
        .collect())
}
