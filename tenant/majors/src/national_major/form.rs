//! How a national major is written.

use infra::{Change, Edit, Error, OnConstraint, Result, Scope, Tx, across::Keyed, pinyin};
use major_rules::{
    code::{national_code_controlled, national_code_special},
    national_major::NationalMajorForm,
};

use super::NationalMajors;

/// A person who writes a major vouches for its code, so it is no longer 待核对.
pub(super) async fn insert(tx: &mut Tx, form: NationalMajorForm) -> Result<(i64, Change)> {
    let form = form.checked()?;
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into platform.national_major (code, name, level, discipline_code, discipline, category_code, category, degrees,
             special, controlled, year, former_code, initials, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $14) returning id",
        form.code,
        form.name,
        form.level.as_str(),
        form.discipline_code.as_str(),
        form.discipline_code.zh(),
        form.category_code,
        form.category,
        &form.degrees,
        national_code_special(&form.code),
        national_code_controlled(&form.code),
        form.year,
        form.former_code,
        pinyin::text_initials(&form.name),
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(|constraint| explain_constraint(constraint, &form))?;
    Ok((id, Change::created("national_major", id, &form)))
}

/// A checked form, as it replaces what is stored.
///
/// # Errors
/// 409 when it was changed meanwhile, 422 for the code of another.
pub(super) async fn update(tx: &mut Tx, edit: Edit<NationalMajorForm>) -> Result<Change> {
    let Edit { id, version, form } = edit;
    let whole = Scope::whole_school();
    let before = NationalMajors::find(tx, id, &whole).await?;
    let by = tx.by();
    let changed = sqlx::query!(
        "update platform.national_major
         set code = $3, name = $4, level = $5, discipline_code = $6, discipline = $7, category_code = $8, category = $9,
             degrees = $10, special = $11, controlled = $12, year = $13, former_code = $14, checked = 'confirmed',
             initials = $15, updated_at = now(), updated_by = $16, version = version + 1
         where id = $1 and version = $2",
        id,
        version,
        form.code,
        form.name,
        form.level.as_str(),
        form.discipline_code.as_str(),
        form.discipline_code.zh(),
        form.category_code,
        form.category,
        &form.degrees,
        national_code_special(&form.code),
        national_code_controlled(&form.code),
        form.year,
        form.former_code,
        pinyin::text_initials(&form.name),
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(|constraint| explain_constraint(constraint, &form))?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("national_major", id).await);
    }
    let after = NationalMajors::find(tx, id, &whole).await?;
    Ok(Change::edited("national_major", id, &before, &after))
}

fn explain_constraint(constraint: &str, form: &NationalMajorForm) -> Option<Error> {
    (constraint == "national_major_code_taken")
        .then(|| Error::field("code", format!("{}年版中代码“{}”已存在", form.year, form.code)))
}
