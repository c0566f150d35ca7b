//! What a person types of a field, and what of it may change afterwards.

use infra::{Error, FieldError, Result};
use poem_openapi::{Object, types::Example};

use super::{FieldAttribute, Refusal};
use crate::{
    enums::{FieldControl, FieldGroup, FieldStage},
    stage,
};

/// What a person types, and may type again.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct FieldAttributeForm {
    /// 显示名称
    #[oai(validator(max_length = 20))]
    pub label: String,
    /// 分组
    pub group_name: FieldGroup,
    /// 控件
    pub control: FieldControl,
    /// 字典
    #[oai(validator(max_length = 50))]
    pub dict_type: Option<String>,
    /// 显示
    #[oai(default = "on")]
    pub visible: bool,
    /// 必填
    #[oai(default)]
    pub required: bool,
    /// 学员可改
    #[oai(default = "on")]
    pub student_editable: bool,
    /// 长度
    #[oai(validator(minimum(value = "1"), maximum(value = "2000")))]
    pub max_length: Option<i32>,
    /// 正则
    #[oai(validator(max_length = 200))]
    pub pattern: Option<String>,
    /// 提示
    #[oai(validator(max_length = 100))]
    pub help_text: Option<String>,
    /// 排序
    #[oai(validator(minimum(value = "0"), maximum(value = "9999")))]
    pub sort: Option<i32>,
}

fn on() -> bool {
    true
}

impl Example for FieldAttributeForm {
    fn example() -> Self {
        Self {
            label: "推荐渠道".to_owned(),
            group_name: FieldGroup::Other,
            control: FieldControl::Select,
            dict_type: Some("source_channel".to_owned()),
            visible: true,
            required: true,
            student_editable: true,
            max_length: None,
            pattern: None,
            help_text: Some("从哪里知道本校".to_owned()),
            sort: None,
        }
    }
}

impl FieldAttributeForm {
    /// # Errors
    /// 422 at every field that does not fit the others.
    pub(super) fn check(&self) -> Result<()> {
        let mut wrong = Vec::new();
        let mut tell = |field: &str, message: &str| {
            wrong.push(FieldError { field: field.to_owned(), message: message.to_owned() });
        };
        if self.required && !self.visible {
            tell("required", NOT_HIDDEN);
        }
        match (self.control.chooses(), self.dict_type.is_some()) {
            (true, false) => tell("dictType", "请选择字典"),
            (false, true) => tell("dictType", "只有单选和多选使用字典"),
            (true, true) | (false, false) => {}
        }
        if !self.control.is_text() && self.max_length.is_some() {
            tell("maxLength", "只有文本可以限制长度");
        }
        match self.pattern.as_deref() {
            Some(_) if !self.control.is_text() => tell("pattern", "只有文本可以使用正则"),
            Some(pattern) if !stage::compiles(pattern) => tell("pattern", "正则表达式无效"),
            Some(_) | None => {}
        }
        if wrong.is_empty() { Ok(()) } else { Err(Error::fields(wrong)) }
    }

    /// Whether a field may become this.
    ///
    /// # Errors
    /// 409 for what the product needs, 422 as [`FieldAttributeForm::check`].
    pub(super) fn allowed(&self, before: &FieldAttribute) -> Result<()> {
        if before.system_required && !(self.required && self.visible) {
            return Err(Refusal::SystemRequired.into());
        }
        if !before.built_in {
            return self.check();
        }
        let fixed = self.kind() == before.kind()
            && self.max_length == before.max_length
            && self.pattern.as_deref() == before.pattern.as_deref();
        if !fixed {
            return Err(Refusal::BuiltIn.into());
        }
        if self.required && !self.visible { Err(Error::field("required", NOT_HIDDEN)) } else { Ok(()) }
    }

    /// What values of the field are made of.
    pub(super) fn kind(&self) -> (FieldControl, Option<&str>) {
        (self.control, self.dict_type.as_deref())
    }
}

/// Told of a field that must be filled in where nobody sees it.
const NOT_HIDDEN: &str = "必填字段必须显示";

/// A field of a school's, or the operators', own.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct NewFieldAttribute {
    /// 环节
    pub stage: FieldStage,
    /// 字段标识
    /// 以 x_ 开头，后接1至30位小写字母、数字或下划线
    #[oai(validator(pattern = "^x_[a-z0-9_]{1,30}$"))]
    pub field_key: String,
    /// 启用
    #[oai(default = "on")]
    pub enabled: bool,
    #[oai(flatten)]
    pub form: FieldAttributeForm,
}

impl Example for NewFieldAttribute {
    fn example() -> Self {
        Self {
            stage: FieldStage::PreRegistration,
            field_key: "x_channel".to_owned(),
            enabled: true,
            form: FieldAttributeForm::example(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text() -> FieldAttributeForm {
        FieldAttributeForm { control: FieldControl::Text, dict_type: None, ..FieldAttributeForm::example() }
    }

    fn field(form: &FieldAttributeForm, built_in: bool, system_required: bool) -> FieldAttribute {
        FieldAttribute {
            id: 1,
            stage: FieldStage::PreRegistration,
            field_key: "phone".to_owned(),
            label: form.label.clone(),
            group_name: form.group_name,
            control: form.control,
            dict_type: form.dict_type.clone(),
            built_in,
            system_required,
            visible: true,
            required: true,
            student_editable: true,
            max_length: form.max_length,
            pattern: form.pattern.clone(),
            help_text: None,
            sort: 10,
            enabled: true,
            version: 1,
        }
    }

    /// Field and message of each refusal, or the message alone.
    fn told(outcome: Result<()>) -> Vec<String> {
        let Err(error) = outcome else { return Vec::new() };
        let fields = error.data.as_array().cloned().unwrap_or_default();
        if fields.is_empty() {
            return vec![error.to_string()];
        }
        let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
        fields.iter().map(|one| format!("{}: {}", text(&one["field"]), text(&one["message"]))).collect()
    }

    #[test]
    fn what_does_not_fit_the_control_is_told_at_its_field() {
        assert_eq!(told(FieldAttributeForm::example().check()), Vec::<String>::new());
        assert_eq!(
            told(FieldAttributeForm { dict_type: None, visible: false, ..FieldAttributeForm::example() }.check()),
            ["required: 必填字段必须显示", "dictType: 请选择字典"]
        );
        let limited = |form: FieldAttributeForm| FieldAttributeForm {
            max_length: Some(5),
            pattern: Some("[0-9]+".to_owned()),
            ..form
        };
        assert_eq!(told(limited(text()).check()), Vec::<String>::new());
        assert_eq!(
            told(
                FieldAttributeForm { control: FieldControl::Number, ..limited(FieldAttributeForm::example()) }.check()
            ),
            ["dictType: 只有单选和多选使用字典", "maxLength: 只有文本可以限制长度", "pattern: 只有文本可以使用正则"]
        );
        // The last two would stand within the brackets that are put around a pattern.
        for pattern in ["[0-9", "(?<=a)b", "a)(b", "(?x)a #"] {
            let form = FieldAttributeForm { pattern: Some(pattern.to_owned()), ..text() };
            assert_eq!(told(form.check()), ["pattern: 正则表达式无效"], "{pattern}");
        }
    }

    #[test]
    fn of_a_built_in_field_only_what_is_shown_changes() {
        let phone = text();
        let needed = field(&phone, true, true);
        let renamed = FieldAttributeForm { label: "联系电话".to_owned(), student_editable: false, ..phone.clone() };
        assert_eq!(told(renamed.allowed(&needed)), Vec::<String>::new());
        for (required, visible) in [(false, true), (true, false), (false, false)] {
            let form = FieldAttributeForm { required, visible, ..phone.clone() };
            assert_eq!(told(form.allowed(&needed)), ["409 系统必填字段不可停用或设为非必填"]);
        }
        let email = field(&phone, true, false);
        let hidden = FieldAttributeForm { visible: false, ..phone.clone() };
        assert_eq!(told(hidden.allowed(&email)), ["required: 必填字段必须显示"]);
        let fixed = "409 内置字段的控件、字典、长度和正则由系统决定，不能修改";
        assert_eq!(told(FieldAttributeForm::example().allowed(&email)), [fixed]);
        assert_eq!(told(FieldAttributeForm { max_length: Some(3), ..phone.clone() }.allowed(&email)), [fixed]);
        // A field of one's own may become anything that fits.
        assert_eq!(told(FieldAttributeForm::example().allowed(&field(&phone, false, false))), Vec::<String>::new());
    }
}
