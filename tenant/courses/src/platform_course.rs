//! 引用平台课程: a course of the operator's site becomes a record of a school's course (part 03 A6).
//!
//! Names, chapters and references to the videos are copied, never files. From then on the record is the school's own: it
//! changes whatever it likes of it, and nothing that the operator does to their course changes the record. A newer version of
//! the course is taken over as a record of its own.

mod take;

use infra::{Allowed, Body, Page, Paged, Part, Reply, Result, Saved, permissions, reply};
use poem_openapi::{Object, OpenApi, param::Query, types::Example};

permissions! {
    pages "/schoolPC/basicData/course/record/list";
    InSchool Writes ImportPlatformCourse = "course:pc:schoolCourse:importPlatform" "引用平台课程";
    InSchool Reads  ListPlatformCourses  = "course:pc:schoolCourse:importPlatform" "引用平台课程";
    InSchool Reads  ViewPlatformCourse   = "course:pc:schoolCourse:importPlatform" "引用平台课程";
}

pub const PART: Part = Part { permissions: &[PERMISSIONS], ..Part::NONE };

/// A course that the operator shares.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct PlatformCourse {
    /// 编号
    pub id: i64,
    /// 课程名称
    pub course_name: String,
    /// 分类
    pub category_name: String,
    /// 讲师
    pub lecturer_name: String,
    /// 封面
    pub cover: String,
    /// 章节数
    pub chapter_total: i64,
    /// 课时数
    pub period_total: i64,
    /// 总时长(秒)
    pub total_seconds: i64,
    /// 已引用
    /// 本校已有资源引用该课程
    pub taken: bool,
}

/// A chapter of such a course.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct PlatformChapter {
    /// 章节名称
    pub chapter_name: String,
    /// 课时
    pub periods: Vec<PlatformPeriod>,
}

/// A period of such a course.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct PlatformPeriod {
    /// 课时名称
    pub period_name: String,
    /// 试看
    pub is_free: bool,
    /// 时长(秒)
    pub duration: Option<i32>,
}

/// Such a course with what is in it.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct PlatformCourseView {
    #[oai(flatten)]
    pub course: PlatformCourse,
    /// 章节
    pub chapters: Vec<PlatformChapter>,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct PlatformCourseFilter {
    /// 课程名称或讲师
    #[oai(validator(max_length = 60))]
    pub keyword: Option<String>,
}

/// Which course is taken over, and into which of the school's.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct PlatformCourseImport {
    /// 平台课程
    pub platform_course_id: i64,
    /// 课程
    pub course_id: i64,
}

impl Example for PlatformCourseImport {
    fn example() -> Self {
        Self { platform_course_id: 1, course_id: 1 }
    }
}

pub struct PlatformCourses;

#[OpenApi(prefix_path = "/course/pc/schoolCourse", tag = "crate::Tag::Courses")]
impl PlatformCourses {
    /// 可引用的平台课程
    #[oai(path = "/platformCourse/list", method = "post", operation_id = "listPlatformCourses")]
    async fn list(
        &self,
        caller: Allowed<ListPlatformCourses>,
        Body(asked): Body<Paged<PlatformCourseFilter>>,
    ) -> Result<Reply<Page<PlatformCourse>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let (total, found) =
            catalogue::shared::page(&mut *caller.platform().await?, filter.keyword.as_deref(), paging).await?;
        let list = take::shown(&mut *caller.read().await?, found).await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 查看可引用的平台课程
    #[oai(path = "/platformCourse/view", method = "get", operation_id = "viewPlatformCourse")]
    async fn view(
        &self,
        caller: Allowed<ViewPlatformCourse>,
        /// 平台课程
        #[oai(name = "platformCourseId")]
        platform_course_id: Query<i64>,
    ) -> Result<Reply<PlatformCourseView>> {
        let found = catalogue::shared::find(&mut *caller.platform().await?, platform_course_id.0).await?;
        Ok(reply(take::looked_at(&mut *caller.read().await?, found).await?))
    }

    /// 引用平台课程
    /// 复制课程信息、章节和音视频引用，生成草稿资源
    #[oai(path = "/importPlatform", method = "post", operation_id = "importPlatformCourse")]
    async fn import(
        &self,
        caller: Allowed<ImportPlatformCourse>,
        Body(wanted): Body<PlatformCourseImport>,
    ) -> Result<Reply<Saved>> {
        let found = catalogue::shared::find(&mut *caller.platform().await?, wanted.platform_course_id).await?;
        let mut tx = caller.begin().await?;
        let (id, changes) = take::take_over(&mut tx, wanted.course_id, found).await?;
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id }))
    }
}
