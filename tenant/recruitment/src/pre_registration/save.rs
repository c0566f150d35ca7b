//! 新增: one person, entered by the staff.

use infra::{Allowed, Body, Change, Error, Reply, Result, Saved, Scope, Tx, reply};
use poem_openapi::OpenApi;

use super::{
    SavePreRegistration,
    check::{Door, Known, check},
    duplicates,
    files::{set_papers, set_photo},
    form::PreRegistrationSave,
    insert::{Entry, insert, open_to_staff},
};
use crate::{enums::PersonSource, id_card};

pub struct Save;

#[OpenApi(prefix_path = "/adult/pc/preRegistration", tag = "crate::Tag::Recruitment")]
impl Save {
    /// 新增预报名
    #[oai(path = "/save", method = "post", operation_id = "savePreRegistration")]
    async fn save(
        &self,
        caller: Allowed<SavePreRegistration>,
        Body(wanted): Body<PreRegistrationSave>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let id = add(&mut tx, &wanted, &caller.scope(), PersonSource::BackOffice).await?;
        tx.commit(Change::created("pre_registration", id, &wanted)).await?;
        Ok(reply(Saved { id }))
    }
}

/// Enters a person for staff, in the console or at a site; answers their number.
///
/// # Errors
/// 422 for what is wrong.
pub(super) async fn add(tx: &mut Tx, wanted: &PreRegistrationSave, scope: &Scope, source: PersonSource) -> Result<i64> {
    let app = tx.app().clone();
    let known = Known::load(&app, tx, wanted.batch_id).await?;
    open_to_staff(&known.offer)?;
    let person = check(&wanted.form, &known, scope, app.clock().today(), None, Door::Form).map_err(Error::fields)?;
    id_card::hold(tx, &[&person.form.id_card_no]).await?;
    let common = duplicates::look(tx, &known.offer, &[&person], None, app.clock().now()).await?.remove(0);
    if !common.wrong.is_empty() {
        return Err(Error::fields(common.wrong));
    }
    let entry = Entry { person: &person, common: &common, incomplete: false };
    let ids = insert(tx, &known.offer, &[entry], source).await?;
    let id = ids.first().copied().ok_or_else(|| Error::internal("a person was entered without a number"))?;
    set_photo(tx, id, None, wanted.form.photo.as_deref()).await?;
    set_papers(tx, id, &[], &wanted.form.attachments).await?;
    Ok(id)
}
