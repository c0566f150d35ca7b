//! 某日学籍: of whom it is asked.

use chrono::NaiveDate;
use infra::{Error, Result};
use poem_openapi::{Object, types::Example};

use crate::enums::{RegisterScope, StudentStatus};

/// Whose state on which day.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct AsOfFilter {
    /// 日期
    /// 必填，不晚于今天；该日结束时的学籍
    pub on: Option<NaiveDate>,
    /// 编号
    pub id: Option<i64>,
    /// 页签
    pub scope: Option<RegisterScope>,
    /// 年级
    pub grade_id: Option<i64>,
    /// 层次
    pub level_id: Option<i64>,
    /// 专业
    pub major_id: Option<i64>,
    /// 站点
    pub site_id: Option<i64>,
    /// 班级
    pub class_id: Option<i64>,
    /// 学籍状态
    #[oai(validator(max_items = 9))]
    pub status: Option<Vec<StudentStatus>>,
    /// 关键字
    /// 当时的姓名、证件号、考生号，或现在的学号
    #[oai(validator(max_length = 50))]
    pub keyword: Option<String>,
}

impl Example for AsOfFilter {
    fn example() -> Self {
        Self { on: Some(NaiveDate::default()), scope: Some(RegisterScope::All), ..Self::default() }
    }
}

impl AsOfFilter {
    /// The day that is meant.
    pub fn day(&self) -> Result<NaiveDate> {
        self.on.ok_or_else(|| Error::field("on", "请选择日期"))
    }

    /// What is looked for, without the blanks around it.
    pub fn keyword(&self) -> Option<&str> {
        self.keyword.as_deref().map(str::trim).filter(|text| !text.is_empty())
    }

    /// What the stored grams of a name hold that contains the keyword.
    pub fn grams(&self) -> Option<Vec<String>> {
        self.keyword().map(infra::pinyin::search_grams)
    }

    /// The statuses that are wanted; none for all.
    pub fn statuses(&self) -> Option<Vec<&'static str>> {
        let tab = |status: StudentStatus| self.scope.is_none_or(|scope| scope.shows(status));
        let chosen = self.status.as_deref().filter(|chosen| !chosen.is_empty());
        if self.scope.is_none() && chosen.is_none() {
            return None;
        }
        let all = StudentStatus::CHOICES.iter().map(|(_, status)| *status);
        let wanted = all.filter(|status| tab(*status) && chosen.is_none_or(|chosen| chosen.contains(status)));
        Some(wanted.map(StudentStatus::as_str).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tab_narrows_the_statuses() {
        let of = |scope, status: &[StudentStatus]| {
            AsOfFilter { scope, status: Some(status.to_vec()), ..AsOfFilter::example() }.statuses()
        };
        assert_eq!(of(None, &[]), None);
        assert_eq!(of(None, &[StudentStatus::Suspended]), Some(vec!["suspended"]));
        assert_eq!(of(Some(RegisterScope::Left), &[StudentStatus::Registered]), Some(Vec::new()));
        assert_eq!(of(Some(RegisterScope::Registered), &[]), Some(vec!["registered"]));
    }
}
