//! The groups of settings of 01 §13. The settings themselves stand beside the rules that read them.

use infra::{App, enumeration};

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
