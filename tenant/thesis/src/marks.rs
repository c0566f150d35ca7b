//! 评分项 of reviews and defences: given one by one as the rule names them, or as a whole where the rule lets it (part 04 §5.3, §8.1).

use std::collections::HashMap;

use infra::{Error, Result};
use poem_openapi::{Object, types::Example};
use scores::rule::{Place, Resolver};
use scores_rules::{
    arith::{NO_SCORE, in_tenths, shown},
    enums::ScoreKind,
    items::value,
    params::{ItemsParams, Params},
};
use serde_json::{Value, json};
use sqlx::PgConnection;

/// What was given for an item.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(example)]
pub struct ThesisMark {
    /// 评分项代码
    #[oai(validator(max_length = 50))]
    pub code: String,
    /// 成绩
    pub score: f64,
}

impl Example for ThesisMark {
    fn example() -> Self {
        Self { code: "novelty".to_owned(), score: 82.0 }
    }
}

/// An item of the rule with what was given for it.
#[derive(Debug, Clone, PartialEq, Object)]
pub struct ThesisMarkItem {
    /// 评分项代码
    pub code: String,
    /// 评分项
    pub name: String,
    /// 权重
    pub weight: i32,
    /// 成绩
    pub score: Option<f64>,
}

/// The rule that counts for each of these theses.
///
/// # Errors
/// An internal one for a kind without items.
pub(crate) async fn rules(
    connection: &mut PgConnection,
    kind: ScoreKind,
    theses: &[i64],
) -> Result<HashMap<i64, ItemsParams>> {
    let places = sqlx::query!(
        "select t.id, y.grade_id, y.level_id, y.major_id, c.course_id
         from thesis t join student y on y.id = t.student_id join course_selection c on c.id = t.selection_id
         where t.id = any($1)",
        theses
    )
    .fetch_all(&mut *connection)
    .await?;
    let resolver = Resolver::load(connection, kind).await?;
    let mut rules = HashMap::with_capacity(places.len());
    for row in places {
        let place =
            Place { grade: row.grade_id, level: row.level_id, major: row.major_id, course: Some(row.course_id) };
        let Params::Items(items) = &resolver.of(place).params else {
            return Err(Error::internal("a rule of items without items"));
        };
        rules.insert(row.id, items.clone());
    }
    Ok(rules)
}

/// The rule of one thesis.
///
/// # Errors
/// 404 for no thesis.
pub(crate) async fn rule(connection: &mut PgConnection, kind: ScoreKind, thesis: i64) -> Result<ItemsParams> {
    rules(connection, kind, &[thesis]).await?.remove(&thesis).ok_or_else(Error::not_found)
}

/// What was given comes to, in tenths; refusals stand at `field`.
///
/// # Errors
/// 422 for what is no score, for items that the rule does not know or misses, and for a whole where it wants items.
pub(crate) fn worth(rule: &ItemsParams, items: &[ThesisMark], score: Option<f64>, field: &str) -> Result<i64> {
    let tenths = |score: f64| in_tenths(score, 1_000).ok_or_else(|| Error::field(field, NO_SCORE));
    let score = score.map(tenths).transpose()?;
    if items.is_empty() {
        if rule.items_required {
            return Err(Error::field(field, "请按评分项录入"));
        }
        return score.ok_or_else(|| Error::field(field, "请录入成绩"));
    }
    let given = items.iter().map(|item| Ok((item.code.clone(), tenths(item.score)?))).collect::<Result<Vec<_>>>()?;
    let worth = value(&rule.items, &given).map_err(|why| Error::field(field, why.to_string()))?;
    match score {
        Some(score) if score != worth => Err(Error::field(field, format!("成绩与评分项不符，应为{}", shown(worth)))),
        _ => Ok(worth),
    }
}

/// Items as they are stored.
pub(crate) fn kept(items: &[ThesisMark]) -> Value {
    items.iter().map(|item| json!({ "code": item.code, "score": item.score })).collect()
}

/// The items of a rule with what was stored of them.
pub(crate) fn listed(rule: Option<&ItemsParams>, stored: &Value) -> Vec<ThesisMarkItem> {
    let of = |code: &str| {
        let found = stored.as_array().into_iter().flatten().find(|item| item["code"].as_str() == Some(code));
        found.and_then(|item| item["score"].as_f64())
    };
    let items = rule.map(|rule| rule.items.as_slice()).unwrap_or_default();
    items
        .iter()
        .map(|item| ThesisMarkItem {
            code: item.code.clone(),
            name: item.name.clone(),
            weight: item.weight,
            score: of(&item.code),
        })
        .collect()
}
