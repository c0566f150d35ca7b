//! 选项: what selectors offer, the same for every form and filter (part 03 §0.1).

use infra::{Allowed, Error, Reply, Result, Scope, permissions, reply};
use poem_openapi::{
    Object, OpenApi,
    param::{Path, Query},
};

use crate::{grade};

permissions! {
    pages
        "/schoolPC/basicData/grade", "/platformPC/basicData/grade",
        "/schoolPC/basicData/levels", "/platformPC/basicData/levels",
        "/schoolPC/basicData/term", "/platformPC/basicData/term",
        "/schoolPC/basicData/organize", "/platformPC/basicData/organize",
        "/schoolPC/basicData/site", "/platformPC/basicData/site",
        "/schoolPC/basicData/major/national", "/platformPC/basicData/major/national",
        "/schoolPC/basicData/major/schoolMajor", "/platformPC/basicData/major/schoolMajor",
        "/schoolPC/basicData/classes", "/platformPC/basicData/classes",
        "/schoolPC/studentStatus/studentRoll/BeRegistered", "/platformPC/studentStatus/studentRoll/BeRegistered",
        "/schoolPC/userManagerment/studentList", "/platformPC/userManagerment/studentList";
    InSchool Reads ListOptions = "adult:pc:options:view" "按类型取选项";
}

/// A choice of a selector. Which of the further fields are there depends on the type.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct OptionItem {
    /// 编号
    pub code: i64,
    /// 名称
    pub desc: String,
    /// 编码
    pub number: String,
    /// 启用
    pub enabled: bool,
}

impl OptionItem {
    pub fn of(id: i64, name: String, number: String, enabled: bool) -> Self {
        Self { code: id, desc: name, number, enabled }
    }
}

/// What a selector asks for.
pub(crate) struct Asked {
    pub keyword: Option<String>,
    pub parent_id: Option<i64>,
    pub only_enabled: bool,
    pub scope: Scope,
}
