//! The rules that count for the score of a thesis.

use infra::{Error, Result};
use scores::rule::{Place, Resolver};
use scores_rules::{
    enums::ScoreKind,
    params::{self, GraduationTotalParams, ItemsParams, Params},
    resolve::Rule,
};
use sqlx::PgConnection;

use super::select::GraduationPart;

/// The items of a part by every rule of its kind, each name once, with what it weighs where they agree.
///
/// # Errors
/// Those of the database; an internal one for a rule that is not right.
pub(crate) async fn item_names(
    connection: &mut PgConnection,
    part: GraduationPart,
) -> Result<Vec<(String, Option<i32>)>> {
    let kind = match part {
        GraduationPart::Thesis => ScoreKind::Thesis,
        GraduationPart::Review => ScoreKind::Review,
        GraduationPart::Defense => ScoreKind::Defense,
        GraduationPart::Internship => return Err(Error::internal("an internship has no items")),
    };
    let rows =
        sqlx::query_scalar!("select params from score_rule where kind = $1 and enabled order by id", kind.as_str())
            .fetch_all(connection)
            .await?;
    let mut names: Vec<(String, Option<i32>)> = Vec::new();
    for row in rows {
        let Params::Items(rule) = params::read(kind, &row).map_err(Error::internal)? else { continue };
        for item in rule.items {
            match names.iter_mut().find(|(name, _)| *name == item.name) {
                Some((_, weight)) if *weight != Some(item.weight) => *weight = None,
                Some(_) => {}
                None => names.push((item.name, Some(item.weight))),
            }
        }
    }
    Ok(names)
}

/// Of the three parts that are entered, and of their total.
pub(crate) struct GradeRules {
    thesis: Resolver,
    review: Resolver,
    defense: Resolver,
    total: Resolver,
}

impl GradeRules {
    /// # Errors
    /// Those of the database.
    pub async fn load(connection: &mut PgConnection) -> Result<Self> {
        Ok(Self {
            thesis: Resolver::load(connection, ScoreKind::Thesis).await?,
            review: Resolver::load(connection, ScoreKind::Review).await?,
            defense: Resolver::load(connection, ScoreKind::Defense).await?,
            total: Resolver::load(connection, ScoreKind::GraduationTotal).await?,
        })
    }

    /// # Errors
    /// An internal one for a part without items, and a rule that is not of its kind.
    pub fn items(&self, part: GraduationPart, place: Place) -> Result<&ItemsParams> {
        let rule = match part {
            GraduationPart::Thesis => self.thesis.of(place),
            GraduationPart::Review => self.review.of(place),
            GraduationPart::Defense => self.defense.of(place),
            GraduationPart::Internship => return Err(Error::internal("an internship has no items")),
        };
        match &rule.params {
            Params::Items(items) => Ok(items),
            _ => Err(Error::internal("a rule of items without items")),
        }
    }

    /// The rule of the total, with what it says.
    ///
    /// # Errors
    /// An internal one for a rule that is not of its kind.
    pub fn total(&self, place: Place) -> Result<(&Rule, &GraduationTotalParams)> {
        let rule = self.total.of(place);
        match &rule.params {
            Params::GraduationTotal(params) => Ok((rule, params)),
            _ => Err(Error::internal("a rule of the total of a thesis without its parts")),
        }
    }
}
