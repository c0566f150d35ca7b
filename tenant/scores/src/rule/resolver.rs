//! All rules of a kind that are on, in memory: there are few.

use infra::{Error, Result};
use scores_rules::{
    enums::ScoreKind,
    params,
    resolve::{Place, Rule, Scope4, winner},
};
use sqlx::PgConnection;

/// Finds the rule of a place.
pub struct Resolver {
    rules: Vec<Rule>,
    /// The one of the whole school.
    default: Rule,
}

impl Resolver {
    /// # Errors
    /// Those of the database; an internal one where a rule that stands there is not right.
    pub async fn load(connection: &mut PgConnection, kind: ScoreKind) -> Result<Self> {
        let rows = sqlx::query!(
            "select id, grade_id, level_id, major_id, course_id, params, version from score_rule
             where kind = $1 and enabled order by id",
            kind.as_str()
        )
        .fetch_all(connection)
        .await?;
        let mut rules = Vec::with_capacity(rows.len());
        for row in rows {
            let params = params::read(kind, &row.params).map_err(Error::internal)?;
            let scope = Scope4 { grade: row.grade_id, level: row.level_id, major: row.major_id, course: row.course_id };
            rules.push(Rule { id: row.id, kind, scope, params, version: row.version });
        }
        let default = rules.iter().find(|rule| rule.scope == Scope4::default()).cloned();
        let default = default.ok_or_else(|| Error::internal(format!("no rule of {}", kind.as_str())))?;
        Ok(Self { rules, default })
    }

    #[must_use]
    pub fn of(&self, place: Place) -> &Rule {
        winner(&self.rules, place).unwrap_or(&self.default)
    }
}
