//! 编辑: what was checked and handed in before somebody reports; papers may also come afterwards (02 §7).

use infra::{Allowed, Body, Edit as Edited, Error, Reply, Result, Saved, Tx, reply};
use poem_openapi::OpenApi;
pub use registration_rules::edit::RegistrationForm;
use registration_rules::edit::{at_the_desk, edited};
use sqlx::types::Json;
use student_status::{album::keep_copy, enums::PhotoKind};

use super::{
    EditRegistration,
    attached::let_go,
    held::{Arriving, adopted, changed, held_one, write},
    own::{self, Said, Typed},
};
use crate::enums::VerifyMethod;

pub struct Edit;

#[OpenApi(prefix_path = "/adult/pc/registration", tag = "crate::Tag::Registration")]
impl Edit {
    /// 编辑报到
    /// 核验、材料、照片和本校字段；已报到的人员只能补充材料和本校字段，保留入学资格的人员可补充证明材料
    #[oai(path = "/edit", method = "put", operation_id = "editRegistration")]
    async fn edit(
        &self,
        caller: Allowed<EditRegistration>,
        Body(edit): Body<Edited<RegistrationForm>>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let Edited { id, version, form } = edit;
        let before = held_one(&mut tx, id, Some(version), &caller.scope()).await?;
        if before.verified != Some(VerifyMethod::Face) {
            at_the_desk(form.verify_method)?;
        }
        let mut after = edited(&before, &form).map_err(Error::conflict)?;
        let typed = Typed { values: form.extra.as_ref(), files: form.files.as_deref() };
        said(&mut tx, &mut after, typed).await?;
        if let Some(key) = &form.photo {
            after.photo_id = Some(photographed(&mut tx, key, &before).await?);
        }
        if let Some(key) = &form.attachment {
            let paper = adopted(&mut tx, "attachment", key, id).await?;
            let_go(&mut tx, before.attachment_id.filter(|former| *former != paper), id).await?;
            after.attachment_id = Some(paper);
        }
        write(&mut tx, std::slice::from_ref(&after)).await?;
        tx.commit(changed(&before, &after)).await?;
        Ok(reply(Saved { id }))
    }
}

/// Takes over what is typed of the school's own fields of somebody who is held. Their files are kept at once, before photo and
/// attachment, which see that a file is one of these already; values are written with the row.
///
/// # Errors
/// 422 at each field that is missing or wrong.
pub(super) async fn said(tx: &mut Tx, person: &mut Arriving, typed: Typed<'_>) -> Result<()> {
    let app = tx.app().clone();
    let fields = own::asked(&app, tx).await?;
    let there = own::kept(tx, &[person.id]).await?;
    let Said { values, mut files } = own::said(&fields, typed, &person.extra, &there).map_err(Error::fields)?;
    own::keep(tx, person.id, &there, &files).await?;
    files.sort_by(|one, other| one.kind.cmp(&other.kind));
    person.extra = Json(values);
    person.files = files.into_iter().map(|file| file.key).collect();
    Ok(())
}

/// Keeps a clean copy of the picture of somebody that was sent in; what was sent in, and the picture before, are nobody's.
///
/// # Errors
/// 422 at `photo` for what is no picture of a person, was not sent completely, or is another record's; 409 when the school's
/// storage is full.
pub(super) async fn photographed(tx: &mut Tx, key: &str, person: &Arriving) -> Result<i64> {
    let sent = adopted(tx, "photo", key, person.id).await?;
    if person.photo_id == Some(sent) {
        return Ok(sent);
    }
    let copy = keep_copy(tx, key, PhotoKind::Enrol, ("registration", person.id)).await;
    let photo = copy.map_err(|error| match error.code {
        422 => Error::field("photo", error.msg),
        _ => error,
    })?;
    let_go(tx, Some(sent), person.id).await?;
    let_go(tx, person.photo_id, person.id).await?;
    Ok(photo)
}
