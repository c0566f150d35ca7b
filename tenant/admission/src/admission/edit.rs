//! 编辑联系方式: how somebody is reached; what the authority says changes by its file alone (02 §0.4, §6).

use admission_rules::edit::wrong;
use infra::{Allowed, Body, Edit as Edited, Error, Reply, Result, Saved, mask, reply};
use poem_openapi::{Object, OpenApi, types::Example};

use super::{
    EditAdmission,
    person::{changed, held_one, write},
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
