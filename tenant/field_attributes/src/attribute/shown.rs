//! The fields of a stage as people fill them in.

use poem_openapi::Object;

use crate::{
    enums::{FieldControl, FieldGroup},
    stage::{Field, StageFields, Word},
};

/// A word that may be chosen.
#[derive(Debug, Clone, Object)]
pub struct FormFieldOption {
    /// 值
    value: String,
    /// 名称
    label: String,
}

impl From<&Word> for FormFieldOption {
    fn from(word: &Word) -> Self {
        Self { value: word.value.clone(), label: word.label.clone() }
    }
}

/// A field as people fill it in.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct FormField {
    /// 字段标识
    field_key: String,
    /// 显示名称
    label: String,
    /// 分组
    group_name: FieldGroup,
    /// 控件
    control: FieldControl,
    /// 内置
    built_in: bool,
    /// 必填
    required: bool,
    /// 学员可改
    student_editable: bool,
    /// 长度
    max_length: Option<i32>,
    /// 正则
    pattern: Option<String>,
    /// 提示
    help_text: Option<String>,
    /// 选项
    /// 字典的数据；取值由系统决定的字段按枚举取
    options: Vec<FormFieldOption>,
}

/// What of a stage people fill in.
pub fn form_of(stage: &StageFields) -> Vec<FormField> {
    let field = |field: &Field| FormField {
        field_key: field.key.clone(),
        label: field.label.clone(),
        group_name: field.group,
        control: field.control,
        built_in: field.built_in,
        required: field.required,
        student_editable: field.student_editable,
        max_length: field.max_length,
        pattern: field.pattern.as_ref().map(ToString::to_string),
        help_text: field.help_text.clone(),
        options: stage.words(field).iter().map(FormFieldOption::from).collect(),
    };
    stage.fields().iter().map(field).collect()
}
