//! One score with the items of its parts and what its total is made of.

use infra::{Result, Scope, across::Keyed};
use scores::rule::Place;
use scores_rules::{
    arith::in_tenths,
    graduation::{GraduationParts, graduation},
    params::{ItemsParams, Params, summary},
};
use sqlx::PgConnection;

use super::{
    rules::GradeRules,
    select::{GraduationItem, GraduationPart, GraduationScoreView, GraduationScores, Stored, items_of},
};

/// # Errors
/// 404 beyond the scope.
pub(super) async fn viewed(connection: &mut PgConnection, id: i64, scope: &Scope) -> Result<GraduationScoreView> {
    let score = GraduationScores::find(connection, id, scope).await?;
    let place = sqlx::query!(
        "select y.grade_id, y.level_id, y.major_id, c.course_id
         from course_selection c join student y on y.id = c.student_id where c.id = $1",
        id
    )
    .fetch_one(&mut *connection)
    .await?;
    let place =
        Place { grade: place.grade_id, level: place.level_id, major: place.major_id, course: Some(place.course_id) };
    let rules = GradeRules::load(connection).await?;
    let [thesis, review, defense] = items_of(connection, id).await?;
    let of = |part| rules.items(part, place);
    let (thesis_rule, review_rule, defense_rule) =
        (of(GraduationPart::Thesis)?, of(GraduationPart::Review)?, of(GraduationPart::Defense)?);
    let (_, total) = rules.total(place)?;
    let tenths = |score: Option<f64>| score.and_then(|score| in_tenths(score, 1_000));
    let parts = GraduationParts {
        internship: tenths(score.internship_score),
        thesis: tenths(score.thesis_score),
        review: tenths(score.review_score),
        defense: tenths(score.defense_score),
    };
    let missing = graduation(total, &parts).missing.into_iter().map(ToOwned::to_owned).collect();
    Ok(GraduationScoreView {
        score,
        thesis_items: listed(thesis_rule, &thesis),
        review_items: listed(review_rule, &review),
        defense_items: listed(defense_rule, &defense),
        thesis_items_required: thesis_rule.items_required,
        review_items_required: review_rule.items_required,
        defense_items_required: defense_rule.items_required,
        formula_summary: summary(&Params::GraduationTotal(total.clone())),
        missing,
    })
}

/// Items of a rule with what was given for them.
fn listed(rule: &ItemsParams, given: &[Stored]) -> Vec<GraduationItem> {
    let of = |code: &str| given.iter().find(|item| item.code == code).map(|item| item.score);
    let item = |item: &scores_rules::params::ItemRule| GraduationItem {
        code: item.code.clone(),
        name: item.name.clone(),
        weight: item.weight,
        score: of(&item.code),
    };
    rule.items.iter().map(item).collect()
}
