//! What an operator types of a category, and where it may stand.

use infra::{
    Error, Result,
    naming::{switched_off, tidy},
};
use poem_openapi::{Object, types::Example};

use super::{Category, tree};

/// What an operator types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct CategoryForm {
    /// 上级分类
    pub parent_id: Option<i64>,
    /// 名称
    #[oai(validator(max_length = 20))]
    pub category_name: String,
    /// 图标
    /// 以 http://、https:// 或 / 开头
    #[oai(validator(max_length = 300, pattern = r"^(https?://[^\s/\\?#@]+([/?#][^\s\\]*)?|/([^\s/\\][^\s\\]*)?)$"))]
    pub icon: Option<String>,
    /// 备注
    #[oai(validator(max_length = 200))]
    pub remark: Option<String>,
    /// 排序
    #[oai(default, validator(minimum(value = "0"), maximum(value = "9999")))]
    pub sort: i32,
    /// 启用
    #[oai(default = "on")]
    pub enabled: bool,
}

fn on() -> bool {
    true
}

impl Example for CategoryForm {
    fn example() -> Self {
        Self {
            parent_id: None, category_name: "考前辅导".to_owned(), icon: None, remark: None, sort: 0, enabled: true
        }
    }
}

impl CategoryForm {
    /// Inner runs of blanks become one blank.
    pub(super) fn tidy(mut self) -> Self {
        self.category_name = tidy(&self.category_name);
        self
    }

    /// # Errors
    /// 422 at `parentId` for a place that would break the tree, or below a category that was switched off.
    pub(super) fn check_place(&self, units: &tree::Units, before: Option<&Category>) -> Result<()> {
        let moved = before.is_none_or(|before| before.parent_id != self.parent_id);
        let Some(parent) = self.parent_id.filter(|_| moved) else { return Ok(()) };
        tree::may_stand(units, before.map(|before| before.id), parent)
            .map_err(|reason| Error::field("parentId", reason))?;
        match units.get(&parent) {
            Some(unit) if !unit.enabled => Err(switched_off("parentId", &unit.name)),
            _ => Ok(()),
        }
    }

    /// The constraints of the table that a form can break.
    pub(super) fn explain_constraint(&self, constraint: &str) -> Option<Error> {
        (constraint == "online_category_name_taken")
            .then(|| Error::field("categoryName", format!("同级分类中名称“{}”已存在", self.category_name)))
    }
}
