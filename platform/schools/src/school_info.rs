//! 学校信息: what a school says of itself on papers, and the rules of its register, edited by its own office (02 §11.4). It has no table:
//! it is the groups 学校信息 and 招生与学籍 of the settings, beside what the operator's record of the school says.

use infra::{Allowed, Body, Error, Part, Reply, Result, permissions, reply};
use poem_openapi::{
    Object, OpenApi,
    types::{Any, Example},
};
use serde_json::{Map, Value, json};

use crate::{
    school::{SchoolStatus, find, of_directory},
    setting::{SavedSettings, SettingEdit, SettingGroup, SettingsOfGroup, save_kept, view_kept},
};

permissions! {
    pages "/schoolPC/information/schoolInfo";
    InSchool    Reads  ViewSchoolInfo = "user:pc:schoolInfo:view" "查看学校信息";
    WholeSchool Writes EditSchoolInfo = "user:pc:schoolInfo:edit" "编辑学校信息";
}

pub const PART: Part = Part { permissions: &[PERMISSIONS], ..Part::NONE };

/// The groups that are edited here.
const GROUPS: [SettingGroup; 2] = [SettingGroup::SchoolInfo, SettingGroup::Recruitment];

/// What the operator's record says of the school, to be read alone.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SchoolIdentity {
    /// 院校名称
    pub name: String,
    /// 简称
    pub short_name: Option<String>,
    /// 标志
    pub logo: Option<String>,
    /// 地址
    pub address: Option<String>,
    /// 院校代码
    pub code: String,
    /// 域名
    pub domain: Option<String>,
    /// 状态
    pub status: SchoolStatus,
}

/// 学校信息 as its page shows it.
#[derive(Debug, Clone, Object)]
pub struct SchoolInfo {
    /// 院校
    pub school: SchoolIdentity,
    /// 设置
    /// 学校信息、招生与学籍两组
    pub groups: Vec<SettingsOfGroup>,
}

/// New values of one of the two groups. What is left out stays; null goes back to the default.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct SchoolInfoEdit {
    /// 分组
    /// 学校信息或招生与学籍
    pub group: SettingGroup,
    /// 值
    /// 以设置项为键
    pub value: Any<Map<String, Value>>,
    /// 版本
    pub version: i32,
    /// 已确认
    /// 学信网已有本校学生后修改院校代码时须确认
    #[oai(default)]
    pub confirmed: bool,
}

impl Example for SchoolInfoEdit {
    fn example() -> Self {
        let value = json!({ "printHeader": "东湖大学继续教育学院" }).as_object().cloned().unwrap_or_default();
        Self { group: SettingGroup::SchoolInfo, value: Any(value), version: 0, confirmed: false }
    }
}

pub struct SchoolInfos;

#[OpenApi(prefix_path = "/user/pc/schoolInfo", tag = "crate::Tag::Schools")]
impl SchoolInfos {
    /// 查看学校信息
    #[oai(path = "/view", method = "get", operation_id = "viewSchoolInfo")]
    async fn view(&self, caller: Allowed<ViewSchoolInfo>) -> Result<Reply<SchoolInfo>> {
        let id = caller.school_id().ok_or_else(Error::not_found)?;
        let school = find(&mut *caller.platform().await?, 0, Some(id), None).await?;
        let known = of_directory(caller.app(), id).await?;
        let mut tx = caller.read().await?;
        let mut groups = Vec::with_capacity(GROUPS.len());
        for group in GROUPS {
            groups.push(view_kept(caller.app(), &mut tx, &known, group).await?);
        }
        let identity = SchoolIdentity {
            name: school.name,
            short_name: school.short_name,
            logo: school.logo,
            address: school.address,
            code: school.code,
            domain: school.domain,
            status: school.status,
        };
        Ok(reply(SchoolInfo { school: identity, groups }))
    }

    /// 编辑学校信息
    #[oai(path = "/edit", method = "put", operation_id = "editSchoolInfo")]
    async fn edit(
        &self,
        caller: Allowed<EditSchoolInfo>,
        Body(edit): Body<SchoolInfoEdit>,
    ) -> Result<Reply<SavedSettings>> {
        let SchoolInfoEdit { group, value, version, confirmed } = edit;
        if !GROUPS.contains(&group) {
            return Err(Error::field("group", "该分组请在系统设置中修改"));
        }
        let id = caller.school_id().ok_or_else(Error::not_found)?;
        let edit = SettingEdit { id: None, group, value, version, confirmed };
        Ok(reply(SavedSettings { version: save_kept(caller.begin().await?, id, &edit).await? }))
    }
}
