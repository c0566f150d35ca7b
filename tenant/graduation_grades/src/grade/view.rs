//! One score with the items of its parts and what its total is made of.

use infra::{Result, Scope, across::Keyed};
use scores::rule::Place;
use scores_rules::{
    arith::in_tenths,
    graduation::GraduationParts,
    params::{ItemsParams, Params, summary},
};
use sqlx::PgConnection;

use super::{
    compute::{counted, ground},
    rules::GradeRules,
    select::{GraduationItem, GraduationPart, GraduationScoreView, GraduationScores, Stored, items_of},
};

/// # Errors
/// 404 beyond the scope.
pub(super) async fn viewed(connection: &mut PgConnection, id: i64, scope: &Scope) -> Result<GraduationScoreView> {
    let score = GraduationScores::find(connection, id, scope).await?;
    let row = sqlx::query!(
        r#"select y.grade_id as "grade!", y.level_id as "level!", y.major_id as "major!", c.course_id as "course!",
                  g.formula as "formula?"
           from course_selection c
           join student y on y.id = c.student_id
           left join graduation_score g on g.selection_id = c.id
           where c.id = $1"#,
        id
    )
    .fetch_one(&mut *connection)
    .await?;
    let place = Place { grade: row.grade, level: row.level, major: row.major, course: Some(row.course) };
    let rules = GradeRules::load(connection).await?;
    let [thesis, review, defense] = items_of(connection, id).await?;
    let of = |part| rules.items(part, place);
    let (thesis_rule, review_rule, defense_rule) =
        (of(GraduationPart::Thesis)?, of(GraduationPart::Review)?, of(GraduationPart::Defense)?);
    let (total, failed) = ground(&rules, place, score.status, score.thesis_status, row.formula.as_ref())?;
    let tenths = |score: Option<f64>| score.and_then(|score| in_tenths(score, 1_000));
    let parts = GraduationParts {
        internship: tenths(score.internship_score),
        thesis: tenths(score.thesis_score),
        review: tenths(score.review_score),
        defense: tenths(score.defense_score),
    };
    let missing = counted(&total, &parts, failed).missing.into_iter().map(ToOwned::to_owned).collect();
    Ok(GraduationScoreView {
        score,
        thesis_items: listed(thesis_rule, &thesis),
        review_items: listed(review_rule, &review),
        defense_items: listed(defense_rule, &defense),
        thesis_items_required: thesis_rule.items_required,
        review_items_required: review_rule.items_required,
        defense_items_required: defense_rule.items_required,
        formula_summary: summary(&Params::GraduationTotal(total)),
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
