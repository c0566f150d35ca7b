//! How a product is chosen for promoters.

use infra::{Change, Edit, Error, OnConstraint, Result, Tx};
use learners::right::Product;
use marketing_rules::chosen::{ChosenForm, checked};

use super::list::find;
use crate::product;

/// # Errors
/// 422 at the field for a product or a poster that is not there; 409 for a product that was chosen already.
pub(super) async fn insert(tx: &mut Tx, form: ChosenForm) -> Result<(i64, Change)> {
    let form = checked(form)?;
    is_there(tx, &form).await?;
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into platform.chosen (product_type, product_id, ratio, begins_at, ends_at, poster_template_id, created_by, updated_by)
         values ($1, $2, $3::float8::numeric, $4, $5, $6, $7, $7) returning id",
        form.product_type.as_str(),
        form.product_id,
        form.ratio,
        form.begins_at,
        form.ends_at,
        form.poster_template_id,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(taken)?;
    let after = find(tx, id).await?;
    Ok((id, Change::created("chosen", id, &after)))
}

/// # Errors
/// As [`insert`], and 409 when somebody else changed it.
pub(super) async fn update(tx: &mut Tx, edit: Edit<ChosenForm>) -> Result<Change> {
    let form = checked(edit.form)?;
    let before = find(tx, edit.id).await?;
    is_there(tx, &form).await?;
    let by = tx.by();
    let changed = sqlx::query!(
        "update platform.chosen set product_type = $3, product_id = $4, ratio = $5::float8::numeric, begins_at = $6, ends_at = $7,
                poster_template_id = $8, updated_at = now(), updated_by = $9, version = version + 1
         where id = $1 and version = $2",
        edit.id,
        edit.version,
        form.product_type.as_str(),
        form.product_id,
        form.ratio,
        form.begins_at,
        form.ends_at,
        form.poster_template_id,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(taken)?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("chosen", edit.id).await);
    }
    let after = find(tx, edit.id).await?;
    Ok(Change::edited("chosen", edit.id, &before, &after))
}

/// What was earned with it stays.
///
/// # Errors
/// 404 when it is gone.
pub(super) async fn remove(tx: &mut Tx, id: i64) -> Result<Change> {
    let before = find(tx, id).await?;
    tx.remove("chosen", id, before.product_name.as_deref().unwrap_or("分销商品")).await?;
    Ok(Change::deleted("chosen", id, &before))
}

fn taken(constraint: &str) -> Option<Error> {
    (constraint == "chosen_product_taken").then(|| Error::conflict("该商品已是分销商品"))
}

/// # Errors
/// 422 at the field.
async fn is_there(tx: &mut Tx, form: &ChosenForm) -> Result<()> {
    let product = Product { kind: form.product_type, id: form.product_id };
    if product::find(tx, product).await?.is_none() {
        return Err(Error::field("productId", "所选商品不存在，请重新选择"));
    }
    let Some(poster) = form.poster_template_id else { return Ok(()) };
    let known = sqlx::query_scalar!(
        r#"select exists (select from platform.sharing_template where id = $1) as "known!""#,
        poster
    )
    .fetch_one(&mut **tx)
    .await?;
    if known { Ok(()) } else { Err(Error::field("posterTemplateId", "所选海报模板不存在，请重新选择")) }
}
