//! 选项: what selectors offer, the same for every form and filter (part 03 §0.1).

use futures_util::future::BoxFuture;
use infra::{Allowed, Error, Reply, Result, Scope, permissions, reply};
use poem_openapi::{
    Object, OpenApi,
    param::{Path, Query},
};
use sqlx::PgConnection;
use term::{EntryLevel, NationalLevel};

use crate::{
    class, classroom, grade, level,
    major::{self, StudyForm},
    national_major, organization, semester, site,
};

permissions! {
    pages
        "/schoolPC/basicData/grade", "/platformPC/basicData/grade",
        "/schoolPC/basicData/levels", "/platformPC/basicData/levels",
        "/schoolPC/basicData/term", "/platformPC/basicData/term",
        "/schoolPC/basicData/organize", "/platformPC/basicData/organize",
        "/schoolPC/basicData/site", "/platformPC/basicData/site",
        "/schoolPC/basicData/major/national", "/platformPC/basicData/major/national",
        "/schoolPC/basicData/major/schoolMajor", "/platformPC/basicData/major/schoolMajor",
        "/schoolPC/basicData/major/forecastingMajor", "/platformPC/basicData/major/forecastingMajor",
        "/schoolPC/basicData/classes", "/platformPC/basicData/classes",
        "/schoolPC/basicData/curriculumType",
        "/schoolPC/basicData/course/collegeCurriculum", "/platformPC/basicData/course/collegeCurriculum",
        "/schoolPC/basicData/course/record/list", "/platformPC/basicData/course/record/list",
        "/schoolPC/studentStatus/studentRoll/BeRegistered", "/platformPC/studentStatus/studentRoll/BeRegistered",
        "/schoolPC/userManagerment/studentList", "/platformPC/userManagerment/studentList",
        "/schoolPC/userManagerment/teacherList", "/platformPC/userManagerment/teacherList",
        "/schoolPC/userManagerment/sideList", "/platformPC/userManagerment/sideList",
        "/schoolPC/recruitStudents/preRegistration/preRegistrationBatch",
        "/platformPC/recruitStudents/preRegistration/preRegistrationBatch",
        "/schoolPC/recruitStudents/preRegistration/preRegistrationList",
        "/platformPC/recruitStudents/preRegistration/preRegistrationList",
        "/user/msg/add", "/user/msg/edit", "/user/msg/checkStatistics";
    EachSchool Reads ListOptions = "adult:pc:options:view" "按类型取选项";
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
    /// 上级
    pub parent_id: Option<i64>,
    /// 年级
    pub grade_id: Option<i64>,
    /// 层次
    pub level_id: Option<i64>,
    /// 专业
    pub major_id: Option<i64>,
    /// 站点
    pub site_id: Option<i64>,
    /// 起点层次
    pub entry_level: Option<EntryLevel>,
    /// 培养层次
    pub national_level: Option<NationalLevel>,
    /// 学习形式
    pub study_form: Option<StudyForm>,
    /// 学制
    pub schooling_years: Option<f64>,
    /// 可授学位
    pub degrees: Option<Vec<String>>,
}

impl OptionItem {
    pub fn of(id: i64, name: String, number: String, enabled: bool) -> Self {
        Self { code: id, desc: name, number, enabled, ..Self::default() }
    }
}

/// What a selector asks for.
pub struct Asked {
    pub keyword: Option<String>,
    pub parent_id: Option<i64>,
    pub only_enabled: bool,
    pub scope: Scope,
}

/// A type of options that another room serves.
pub struct Source {
    /// The `{type}` of the call.
    pub kind: &'static str,
    pub find: for<'c> fn(&'c mut PgConnection, &'c Asked) -> BoxFuture<'c, Result<Vec<OptionItem>>>,
}

/// The call, with what other rooms serve besides the types of this one.
pub struct Options(pub &'static [&'static [Source]]);

#[OpenApi(tag = "crate::Tag::BasicData")]
impl Options {
    /// 按类型取选项
    #[oai(path = "/adult/pc/options/:type", method = "get", operation_id = "listOptions")]
    async fn list(
        &self,
        caller: Allowed<ListOptions>,
        /// 类型：grade、level、semester、organization、site、classroom、nationalMajor、major、class、curriculumType、course、courseRecord、chapter、knowledgePoint、classManager、preRegistrationBatch
        #[oai(name = "type")]
        kind: Path<String>,
        /// 名称、编码或拼音首字母
        keyword: Query<Option<String>>,
        /// 上级：机构的上级机构，站点的管理机构，专业的层次，教室、班级和班主任的站点，课程的类型，课程资源、章节和知识点的课程，预报名批次的年级
        #[oai(name = "parentId")]
        parent_id: Query<Option<i64>>,
        /// 默认只取启用的；false 时停用的也取
        enabled: Query<Option<bool>>,
    ) -> Result<Reply<Vec<OptionItem>>> {
        let asked = Asked {
            keyword: keyword.0.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty()),
            parent_id: parent_id.0,
            only_enabled: enabled.0.unwrap_or(true),
            scope: caller.scope(),
        };
        let mut tx = caller.read().await?;
        let found = match kind.0.as_str() {
            "grade" => grade::options(&mut tx, &asked).await,
            "level" => level::options(&mut tx, &asked).await,
            "semester" => semester::options(&mut tx, &asked).await,
            "organization" => organization::options(&mut tx, &asked).await,
            "site" => site::options(&mut tx, &asked).await,
            "classroom" => classroom::options(&mut tx, &asked).await,
            "major" => major::options(&mut tx, &asked).await,
            "class" => class::options(&mut tx, &asked).await,
            "nationalMajor" => national_major::options(&mut *caller.platform().await?, &asked).await,
            other => match self.0.iter().flat_map(|sources| sources.iter()).find(|source| source.kind == other) {
                Some(source) => (source.find)(&mut tx, &asked).await,
                None => Err(Error::new(404, "选项类型不存在")),
            },
        };
        Ok(reply(found?))
    }
}
