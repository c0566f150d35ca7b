//! 编辑: what is edited of a registration, and when (02 §7).

use std::collections::BTreeMap;

use infra::{Error, Result};
use poem_openapi::{Object, types::Example};
use serde_json::Value;

use crate::{
    arriving::Arriving,
    enums::{RegistrationMaterial, RegistrationStatus, VerifyMethod},
    own::RegistrationFileForm,
};

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

/// How somebody was compared with their documents, as a form says it.
pub fn verified(is: bool, by: Option<VerifyMethod>) -> Option<VerifyMethod> {
    is.then_some(by.unwrap_or(VerifyMethod::Manual))
}

/// # Errors
/// 422 at `verifyMethod`: a face is compared in the client alone (02 §7).
pub fn at_the_desk(method: Option<VerifyMethod>) -> Result<()> {
    if method == Some(VerifyMethod::Face) {
        return Err(Error::field("verifyMethod", "人脸核验只在客户端办理"));
    }
    Ok(())
}

/// The row with what the form says of it, the files aside.
///
/// # Errors
/// Why the row is not edited so.
pub fn edited(before: &Arriving, form: &RegistrationForm) -> Result<Arriving, String> {
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
pub fn each_once(materials: &[RegistrationMaterial]) -> Vec<RegistrationMaterial> {
    RegistrationMaterial::CHOICES.iter().map(|(_, kind)| *kind).filter(|kind| materials.contains(kind)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arriving::tests::arriving;

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
