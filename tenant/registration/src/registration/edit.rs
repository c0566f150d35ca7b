//! 编辑: what was checked and handed in before somebody reports; papers may also come afterwards (02 §7).

use infra::{Allowed, Body, Edit as Edited, Error, Reply, Result, Saved, Tx, files, reply};
use poem_openapi::{Object, OpenApi, types::Example};

use super::{
    EditRegistration,
    held::{Arriving, adopted, changed, held_one, write},
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
}

impl Example for RegistrationForm {
    fn example() -> Self {
        Self {
            identity_verified: true,
            verify_method: Some(VerifyMethod::Manual),
            materials: vec![RegistrationMaterial::IdCopy],
            photo: None,
        }
    }
}

pub struct Edit;

#[OpenApi(prefix_path = "/adult/pc/registration", tag = "crate::Tag::Registration")]
impl Edit {
    /// 编辑报到
    /// 核验、材料和照片；已报到的人员只能补充材料
    #[oai(path = "/edit", method = "put", operation_id = "editRegistration")]
    async fn edit(
        &self,
        caller: Allowed<EditRegistration>,
        Body(edit): Body<Edited<RegistrationForm>>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let Edited { id, version, form } = edit;
        let before = held_one(&mut tx, id, Some(version), &caller.scope()).await?;
        let mut after = edited(&before, &form).map_err(Error::conflict)?;
        if let Some(key) = &form.photo {
            after.photo_id = Some(photographed(&mut tx, key, &before).await?);
        }
        write(&mut tx, std::slice::from_ref(&after)).await?;
        tx.commit(changed(&before, &after)).await?;
        Ok(reply(Saved { id }))
    }
}

/// The row with what the form says of it, the photo aside.
///
/// # Errors
/// Why the row is not edited so.
fn edited(before: &Arriving, form: &RegistrationForm) -> Result<Arriving, String> {
    use RegistrationStatus::{NoShow, Pending, Reported, Reserved};
    before.only(&[Pending, NoShow, Reserved, Reported], "编辑")?;
    let verified = verified(form.identity_verified, form.verify_method);
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

/// Keeps the picture of somebody that was sent in; the one before is nobody's.
///
/// # Errors
/// 422 at `photo` for what is no picture, was not sent completely, or is another record's.
pub(super) async fn photographed(tx: &mut Tx, key: &str, person: &Arriving) -> Result<i64> {
    let photo = adopted(tx, "photo", key, person.id).await?;
    let kind =
        sqlx::query_scalar!("select content_type from file_object where id = $1", photo).fetch_one(&mut **tx).await?;
    if !matches!(kind.as_str(), "image/jpeg" | "image/png") {
        return Err(Error::field("photo", "请上传jpg或png格式的照片"));
    }
    if let Some(former) = person.photo_id.filter(|former| *former != photo) {
        let keys =
            sqlx::query_scalar!("select key from file_object where id = $1", former).fetch_all(&mut **tx).await?;
        files::release(tx, &keys).await?;
    }
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
    }

    #[test]
    fn a_paper_is_handed_in_once() {
        use RegistrationMaterial::{Commitment, IdCopy};
        assert_eq!(each_once(&[Commitment, IdCopy, Commitment]), [IdCopy, Commitment]);
    }
}
