//! With the submission of its sheet a score keeps its parts and its formula; given back, it is computed again.

use infra::{Result, Tx};
use serde_json::Value;

use super::{
    card::{Rules, cards},
    compute::{compute, of_all_kinds},
};

/// Freezes these scores: those that were frozen stay as they are. They are held by whoever calls.
///
/// # Errors
/// Those of the database.
pub(crate) async fn freeze(tx: &mut Tx, ids: &[i64]) -> Result<()> {
    let rules = Rules::load(tx).await?;
    let (mut keys, mut formulas) = (Vec::new(), Vec::<Value>::new());
    for (_, card) in cards(tx, ids).await? {
        if card.formula.is_none() {
            keys.push(card.id);
            formulas.push(rules.formula(card.place)?.to_json());
        }
    }
    let by = tx.by();
    sqlx::query!(
        "update course_score s set formula = w.formula, updated_at = now(), updated_by = $3::bigint, version = s.version + 1
         from unnest($1::bigint[], $2::jsonb[]) as w (id, formula) where s.id = w.id",
        &keys,
        &formulas,
        by
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "update course_score_component
         set frozen = true, updated_at = now(), updated_by = $2, version = version + 1
         where course_score_id = any($1) and not frozen",
        ids,
        by
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "update course_score set status = 'pending', updated_at = now(), updated_by = $2, version = version + 1
         where id = any($1) and status = 'computing'",
        ids,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Frees those of these scores that nobody has published: their parts are computed again from what their sources say now.
///
/// # Errors
/// Those of the database.
pub(crate) async fn thaw(tx: &mut Tx, ids: &[i64]) -> Result<()> {
    let by = tx.by();
    let thawed = sqlx::query_scalar!(
        "update course_score
         set status = 'computing', formula = null, updated_at = now(), updated_by = $2, version = version + 1
         where id = any($1) and status in ('pending', 'computing') returning id",
        ids,
        by
    )
    .fetch_all(&mut **tx)
    .await?;
    sqlx::query!(
        "update course_score_component
         set frozen = false, fresh_value = null, updated_at = now(), updated_by = $2, version = version + 1
         where course_score_id = any($1) and frozen",
        &thawed,
        by
    )
    .execute(&mut **tx)
    .await?;
    compute(tx, &thawed, of_all_kinds()).await?;
    Ok(())
}
