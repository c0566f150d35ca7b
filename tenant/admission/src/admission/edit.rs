//! 编辑联系方式: how somebody is reached; what the authority says changes by its file alone (02 §0.4, §6).

use infra::{Allowed, Body, Edit as Edited, Error, FieldError, Reply, Result, Saved, mask, reply};
use poem_openapi::{Object, OpenApi, types::Example};

use super::{
    EditAdmission,
    person::{Person, changed, held_one, write},
};
use crate::enums::AdmissionStatus;

/// What a registrar types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct AdmissionContact {
    /// 手机
    #[oai(validator(max_length = 20))]
    pub phone: Option<String>,
    /// 通讯地址
    #[oai(validator(max_length = 200))]
    pub address: Option<String>,
    /// 邮编
    #[oai(validator(max_length = 20))]
    pub postal_code: Option<String>,
}

impl Example for AdmissionContact {
    fn example() -> Self {
        Self { phone: Some("15400000001".to_owned()), address: Some("某路1号".to_owned()), postal_code: None }
    }
}

pub struct Edit;

#[OpenApi(prefix_path = "/adult/pc/admission", tag = "crate::Tag::Admission")]
impl Edit {
    /// 编辑录取数据
    /// 只修改联系方式；招办数据以重新导入更新
    #[oai(path = "/edit", method = "put", operation_id = "editAdmission")]
    async fn edit(
        &self,
        caller: Allowed<EditAdmission>,
        Body(edit): Body<Edited<AdmissionContact>>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let before = held_one(&mut tx, edit.id, Some(edit.version), &caller.scope()).await?;
        if before.status == AdmissionStatus::Cancelled {
            return Err(Error::conflict("已注销的录取数据不能修改，请先恢复"));
        }
        let mut after = before.clone();
        after.phone = mask::kept(edit.form.phone, before.phone.as_deref(), mask::phone);
        after.address = mask::kept(edit.form.address, before.address.as_deref(), mask::address);
        after.postal_code = edit.form.postal_code;
        let wrong = wrong(&before, &after);
        if !wrong.is_empty() {
            return Err(Error::fields(wrong));
        }
        write(&mut tx, std::slice::from_ref(&after)).await?;
        let mut changes = vec![changed(&before, &after)];
        changes.extend(registration::opening::follow_phone(&mut tx, after.id, after.phone.as_deref()).await?);
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id: edit.id }))
    }
}

/// What is wrong with what was typed. What the authority's file has stays as it is there, however it looks.
fn wrong(before: &Person, after: &Person) -> Vec<FieldError> {
    let typed = |was: &Option<String>, now: &Option<String>| now.clone().filter(|_| was != now);
    let phone = typed(&before.phone, &after.phone).and_then(|phone| {
        let fits = (5..=20).contains(&phone.len())
            && phone.bytes().all(|sign| sign.is_ascii_digit() || b"()+ -".contains(&sign));
        let why = if phone.contains('*') { "请填写完整的手机号" } else { "手机格式不正确" };
        (!fits).then(|| FieldError { field: "phone".to_owned(), message: why.to_owned() })
    });
    let postal_code = typed(&before.postal_code, &after.postal_code).and_then(|code| {
        let fits = code.len() == 6 && code.bytes().all(|digit| digit.is_ascii_digit());
        (!fits).then(|| FieldError { field: "postalCode".to_owned(), message: "邮编格式不正确".to_owned() })
    });
    phone.into_iter().chain(postal_code).collect()
}

#[cfg(test)]
mod tests {
    use super::{super::person::tests::person, *};

    #[test]
    fn what_the_file_has_is_not_judged() {
        let before =
            Person { phone: Some("转123".to_owned()), postal_code: Some("43000".to_owned()), ..person(1, "张伟") };
        assert!(wrong(&before, &before).is_empty());
        let of = |phone: &str, code: &str| {
            let after = Person { phone: Some(phone.to_owned()), postal_code: Some(code.to_owned()), ..before.clone() };
            wrong(&before, &after).into_iter().map(|error| error.message).collect::<Vec<_>>()
        };
        assert!(of("027-87654321", "430000").is_empty());
        assert_eq!(of("1390", "4300"), ["手机格式不正确", "邮编格式不正确"]);
        assert_eq!(of("154****0001", "43000"), ["请填写完整的手机号"]);
    }
}
