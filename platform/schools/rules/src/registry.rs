//! The groups of settings, and the settings of 01 §13 whose rules are still to come. Those stand here without effect: they are
//! neither shown nor changed until a module reads them, which then takes over their line. All others stand beside their rules.

use infra::{
    App, enumeration,
    setting::{Setting, kind::Kind},
};

enumeration! {
    /// 设置分组
    pub enum SettingGroup = "settingGroup" {
        Basic = "basic" "基本信息",
        Brand = "brand" "品牌",
        Domain = "domain" "域名",
        HelpCenter = "help_center" "帮助中心",
        Params = "params" "业务参数",
        SchoolInfo = "school_info" "学校信息",
        Recruitment = "recruitment" "招生与学籍",
        Teaching = "teaching" "教学",
        Examination = "examination" "考试与毕业",
        Statistics = "statistics" "统计与督学",
        Support = "support" "帮助与数据",
    }
}

const fn text(max: usize) -> Kind {
    Kind::Text { default: "", max, pattern: None, hint: "" }
}

const SCHOOL_INFO: &[Setting] = &[
    Setting::new("englishName", "英文名", text(100), ""),
    Setting::new("collegeName", "继续教育学院名称", text(60), ""),
    Setting::new(
        "postalCode",
        "邮编",
        Kind::Text { default: "", max: 6, pattern: Some("^[0-9]{6}$"), hint: "应为6位数字" },
        "",
    ),
    Setting::new("officePhone", "办公电话", text(30), ""),
    Setting::new(
        "officeEmail",
        "办公邮箱",
        Kind::Text { default: "", max: 100, pattern: Some("^[^@ ]+@[^@ ]+$"), hint: "应为邮箱地址" },
        "",
    ),
];

impl SettingGroup {
    /// Whether new schools can begin with values of the group. Row and parameters are a school's from the first, and
    /// 学校信息 is each school's own (its seal).
    pub const fn of_new_schools(self) -> bool {
        !matches!(self, Self::Basic | Self::Brand | Self::Domain | Self::HelpCenter | Self::Params | Self::SchoolInfo)
    }
}

/// The groups that have settings, of a school or of new ones.
pub fn groups(app: &App, of_school: bool) -> Vec<SettingGroup> {
    let all = SettingGroup::CHOICES.iter().map(|(_, group)| *group);
    let has_some = |group: SettingGroup| app.modules().settings(group.as_str()).next().is_some();
    all.filter(|group| match group {
        SettingGroup::Basic
        | SettingGroup::Brand
        | SettingGroup::Domain
        | SettingGroup::HelpCenter
        | SettingGroup::Params => of_school,
        _ => (of_school || group.of_new_schools()) && has_some(*group),
    })
    .collect()
}

/// The settings of a group that no module reads yet.
pub const fn to_come(group: SettingGroup) -> &'static [Setting] {
    match group {
        SettingGroup::Basic
        | SettingGroup::Brand
        | SettingGroup::Domain
        | SettingGroup::HelpCenter
        | SettingGroup::Params
        | SettingGroup::Recruitment
        | SettingGroup::Teaching
        | SettingGroup::Examination
        | SettingGroup::Statistics
        | SettingGroup::Support => &[],
        SettingGroup::SchoolInfo => SCHOOL_INFO,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::json;

    use super::*;

    fn all() -> impl Iterator<Item = &'static Setting> {
        SettingGroup::CHOICES.iter().flat_map(|(_, group)| to_come(*group))
    }

    fn normal(key: &str, value: &serde_json::Value) -> Result<serde_json::Value, String> {
        all().find(|setting| setting.key == key).expect("a setting").kind.normal(value)
    }

    #[test]
    fn keys_are_unique_and_defaults_may_stand() {
        let mut known = BTreeSet::new();
        for setting in all() {
            assert!(known.insert(setting.key), "{} twice", setting.key);
            let default = setting.kind.default();
            assert_eq!(setting.kind.normal(&default).as_ref(), Ok(&default), "{}", setting.key);
        }
    }

    #[test]
    fn rules_of_texts_know_their_shapes() {
        let normal = |key: &str, text: &str| normal(key, &json!(text)).is_ok();
        assert!(!normal("postalCode", "43007"));
    }
}
