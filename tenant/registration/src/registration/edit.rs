//! 编辑: what was checked and handed in before somebody reports; papers may also come afterwards (02 §7).

use std::collections::BTreeMap;

use infra::{Allowed, Body, Edit as Edited, Error, Reply, Result, Saved, Tx, reply};
use poem_openapi::{Object, OpenApi, types::Example};
use serde_json::Value;
use sqlx::types::Json;
use student_status::{album::keep_copy, enums::PhotoKind};

use super::{
    EditRegistration,
    attached::let_go,
    held::{Arriving, adopted, changed, held_one, write},
    own::{self, RegistrationFileForm, Said, Typed},
    report::verified,
};
use crate::enums::{RegistrationMaterial, RegistrationStatus, VerifyMethod};

/// What a registration is edited to.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct RegistrationForm {
    /// 已核验身份
    pub identity_verified: bool,
    /// 核验方式
    /// 不填时为人工
    pub verify_method: Option<VerifyMethod>,
    /// 已收材料
    #[oai(default, validator(max_items = 10))]
    pub materials: Vec<RegistrationMaterial>,
    /// 报到照片
    /// 上传后的文件标识；不填时保留已有照片
    #[oai(validator(max_length = 200))]
    pub photo: Option<String>,
    /// 保留证明材料
    /// 上传后的文件标识；只用于保留入学资格的人员，不填时保留已有材料
    #[oai(validator(max_length = 200))]
    pub attachment: Option<String>,
    /// 自定义字段
    /// 本校字段的值，以字段标识为名；不填时保留已有内容
    pub extra: Option<BTreeMap<String, Value>>,
    /// 自定义文件
    /// 本校图片和文件字段的文件；不填时保留已有文件
    #[oai(validator(max_items = 40))]
    pub files: Option<Vec<RegistrationFileForm>>,
}

impl Example for RegistrationForm {
    fn example() -> Self {
        Self {
            identity_verified: true,
            verify_method: Some(VerifyMethod::Manual),
            materials: vec![RegistrationMaterial::IdCopy],
            photo: None,
            attachment: None,
            extra: None,
            files: None,
        }
    }
}

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

/// # Errors
/// 422 at `verifyMethod`: a face is compared in the client alone (02 §7).
pub(super) fn at_the_desk(method: Option<VerifyMethod>) -> Result<()> {
    if method == Some(VerifyMethod::Face) {
        return Err(Error::field("verifyMethod", "人脸核验只在客户端办理"));
    }
    Ok(())
}

/// The row with what the form says of it, the files aside.
///
/// # Errors
/// Why the row is not edited so.
fn edited(before: &Arriving, form: &RegistrationForm) -> Result<Arriving, String> {
    use RegistrationStatus::{NoShow, Pending, Reported, Reserved};
    before.only(&[Pending, NoShow, Reserved, Reported], "编辑")?;
    let verified = verified(form.identity_verified, form.verify_method);
    if form.attachment.is_some() && before.status != Reserved {
        return Err(format!("当前状态为{}，没有保留证明材料", before.status.zh()));
    }
    if before.status == Reported {
        if verified != before.verified {
            return Err("该生已报到，不能再更改身份核验".to_owned());
        }
        if form.photo.is_some() {
            return Err("该生已报到，照片请在学籍中更换".to_owned());
        }
    }
    Ok(Arriving { verified, materials: each_once(&form.materials), ..before.clone() })
}

/// The papers in the order in which people read them, each once.
pub(super) fn each_once(materials: &[RegistrationMaterial]) -> Vec<RegistrationMaterial> {
    RegistrationMaterial::CHOICES.iter().map(|(_, kind)| *kind).filter(|kind| materials.contains(kind)).collect()
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

#[cfg(test)]
mod tests {
    use super::{super::held::tests::arriving, *};

    #[test]
    fn who_reported_hands_papers_in_alone() {
        let form = RegistrationForm::example();
        let told = |status, form: &RegistrationForm| edited(&arriving(status), form).err().unwrap_or_default();
        assert_eq!(told(RegistrationStatus::Pending, &form), "");
        assert_eq!(told(RegistrationStatus::Reported, &form), "");
        let unverified = RegistrationForm { identity_verified: false, ..form.clone() };
        assert_eq!(told(RegistrationStatus::NoShow, &unverified), "");
        assert_eq!(told(RegistrationStatus::Reported, &unverified), "该生已报到，不能再更改身份核验");
        let pictured = RegistrationForm { photo: Some("private/s1/x.jpg".to_owned()), ..form.clone() };
        assert_eq!(told(RegistrationStatus::Reported, &pictured), "该生已报到，照片请在学籍中更换");
        assert_eq!(told(RegistrationStatus::Revoked, &form), "当前状态为取消入学资格，不能编辑");
        let papered = RegistrationForm { attachment: Some("private/s1/x.pdf".to_owned()), ..form.clone() };
        assert_eq!(told(RegistrationStatus::Reserved, &papered), "");
        assert_eq!(told(RegistrationStatus::Pending, &papered), "当前状态为待报到，没有保留证明材料");
    }

    #[test]
    fn a_face_is_compared_in_the_client() {
        assert!(at_the_desk(Some(VerifyMethod::CardReader)).is_ok() && at_the_desk(None).is_ok());
        let told = at_the_desk(Some(VerifyMethod::Face)).err().map(|error| error.msg.into_owned());
        assert_eq!(told.as_deref(), Some("人脸核验只在客户端办理"));
    }

    #[test]
    fn a_paper_is_handed_in_once() {
        use RegistrationMaterial::{Commitment, IdCopy};
        assert_eq!(each_once(&[Commitment, IdCopy, Commitment]), [IdCopy, Commitment]);
    }
}
