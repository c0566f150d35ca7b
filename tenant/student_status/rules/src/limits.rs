//! The lengths and patterns of the form, for the cells of a sheet: read out of the form's own schema, so that 新增 and
//! 导入 cannot differ.

use std::collections::HashMap;

use poem_openapi::{
    registry::{MetaSchema, MetaSchemaRef, Registry},
    types::Type,
};
use regex::Regex;

use crate::form::StudentForm;

#[derive(Debug, Default)]
struct Limit {
    most: Option<usize>,
    pattern: Option<Regex>,
    hint: Option<String>,
}

#[derive(Debug, Default)]
pub struct Limits(HashMap<&'static str, Limit>);

impl Limits {
    pub fn of_the_form() -> Self {
        let mut registry = Registry::new();
        StudentForm::register(&mut registry);
        let schema = registry.schemas.remove(&*StudentForm::name());
        Self(schema.map_or_else(Vec::new, |schema| schema.properties).into_iter().map(limit).collect())
    }

    /// Why a text may not stand in a field.
    pub fn refusal(&self, field: &str, text: &str) -> Option<String> {
        let limit = self.0.get(field)?;
        if let Some(most) = limit.most.filter(|most| text.chars().count() > *most) {
            return Some(format!("不能超过{most}个字符"));
        }
        if limit.pattern.as_ref().is_some_and(|pattern| !pattern.is_match(text)) {
            return Some(match &limit.hint {
                Some(hint) => format!("格式不正确：{hint}"),
                None => "格式不正确".to_owned(),
            });
        }
        None
    }
}

fn limit((field, schema): (&'static str, MetaSchemaRef)) -> (&'static str, Limit) {
    let MetaSchemaRef::Inline(schema) = schema else { return (field, Limit::default()) };
    let MetaSchema { description, max_length, pattern, .. } = *schema;
    // The second line of a field's comment says what its pattern wants.
    let hint = description.and_then(|text| text.lines().nth(1)).map(|line| line.trim().to_owned());
    let pattern = pattern.and_then(|pattern| Regex::new(&pattern).ok());
    (field, Limit { most: max_length, pattern, hint })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_held_to_the_form() {
        let limits = Limits::of_the_form();
        assert_eq!(limits.refusal("phone", "13900000001"), None);
        assert_eq!(limits.refusal("phone", "1390000").as_deref(), Some("格式不正确：应为11位手机号"));
        assert_eq!(limits.refusal("studentNo", "26-1").as_deref(), Some("格式不正确：应为4至20位数字或大写字母"));
        assert_eq!(limits.refusal("name", &"名".repeat(51)).as_deref(), Some("不能超过50个字符"));
        assert_eq!(limits.refusal("name", "欧阳娜娜"), None);
        assert_eq!(limits.refusal("postalCode", "4300").as_deref(), Some("格式不正确：应为6位数字"));
        assert_eq!(limits.refusal("gradeId", "x"), None);
    }
}
