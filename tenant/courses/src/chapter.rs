//! 章节: the syllabus of a course, 章 and 节, on which periods and questions hang (part 03 A6). The wire calls it schoolChapter.
//!
//! Every change holds the course's row, so that the tree does not change between the look and the step.

mod form;
mod options;
mod sheet;
mod sort;
mod tree;

use infra::{
    Allowed, Body, Change, Edit, Entity, Part, Reply, Result, Saved, Tx,
    options::Source,
    permissions, reply,
    transfer::{self, Attachment, ImportAnswer, undo_job},
};
use poem_openapi::{Multipart, OpenApi, param::Query, types::multipart::Upload};

pub use form::ChapterForm;
use options::options;
pub use sort::{ChapterOrder, ChapterPlace};
pub use tree::ChapterNode;

use crate::{
    course,
    into_course::{self, Lines, Sent},
};

permissions! {
    pages
        "/schoolPC/basicData/course/record/list/{courseId}", "/platformPC/basicData/course/record/list/chapterList";
    EachSchool Reads  ListChapters      = "course:pc:schoolChapter:list" "课程章节树";
    EachSchool Writes SaveChapter       = "course:pc:schoolChapter:save" "新增课程章节";
    EachSchool Writes EditChapter       = "course:pc:schoolChapter:edit" "编辑课程章节";
    EachSchool Writes SortChapters      = "course:pc:schoolChapter:edit" "编辑课程章节";
    EachSchool Writes DeleteChapter     = "course:pc:schoolChapter:delete" "删除课程章节";
    EachSchool Writes ImportChapters    = "course:pc:schoolChapter:import" "导入课程章节";
    EachSchool Reads  FetchChapterSheet = "course:pc:schoolChapter:import" "导入课程章节";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[Entity { table: "course_chapter", name: "课程章节", counted: "个章节" }],
    jobs: &[undo_job::<sheet::ChapterLines>()],
    options: &[Source::new("chapter", |connection, asked| Box::pin(options(connection, asked))).below("章节的课程")],
    ..Part::NONE
};

/// The multipart body of the import.
#[derive(Debug, Multipart)]
#[oai(rename_all = "camelCase")]
pub struct ChapterImportForm {
    /// 课程
    pub course_id: i64,
    /// 文件
    pub file: Upload,
    /// 仅检查
    pub dry_run: Option<bool>,
    /// 检查时文件的摘要
    pub sha256: Option<String>,
}

pub struct Chapters;

#[OpenApi(prefix_path = "/course/pc/schoolChapter", tag = "crate::Tag::Courses")]
impl Chapters {
    /// 课程章节树
    #[oai(path = "/list", method = "get", operation_id = "listChapters")]
    async fn list(
        &self,
        caller: Allowed<ListChapters>,
        /// 课程
        #[oai(name = "courseId")]
        course_id: Query<i64>,
    ) -> Result<Reply<Vec<ChapterNode>>> {
        let mut tx = caller.read().await?;
        course::known(&mut tx, course_id.0).await?;
        Ok(reply(tree::of_course(&mut tx, course_id.0).await?))
    }

    /// 新增课程章节
    #[oai(path = "/save", method = "post", operation_id = "saveChapter")]
    async fn save(&self, caller: Allowed<SaveChapter>, Body(form): Body<ChapterForm>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        course::hold(&mut tx, form.course_id).await?;
        let (id, change) = form::insert(&mut tx, &form).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑课程章节
    #[oai(path = "/edit", method = "put", operation_id = "editChapter")]
    async fn edit(&self, caller: Allowed<EditChapter>, Body(edit): Body<Edit<ChapterForm>>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        course::hold(&mut tx, edit.form.course_id).await?;
        let change = form::update(&mut tx, &edit).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: edit.id }))
    }

    /// 课程章节排序
    #[oai(path = "/sort", method = "put", operation_id = "sortChapters")]
    async fn sort(&self, caller: Allowed<SortChapters>, Body(order): Body<ChapterOrder>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        course::hold(&mut tx, order.course_id).await?;
        let change = sort::sort(&mut tx, &order).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: order.course_id }))
    }

    /// 删除课程章节
    #[oai(path = "/delete", method = "delete", operation_id = "deleteChapter")]
    async fn delete(
        &self,
        caller: Allowed<DeleteChapter>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 课程章节导入模板
    #[oai(path = "/import/template", method = "get", operation_id = "fetchChapterImportTemplate")]
    async fn template(&self, caller: Allowed<FetchChapterSheet>) -> Result<Attachment> {
        transfer::workbook(caller.app(), sheet::ChapterLines::template()).await
    }

    /// 导入课程章节
    #[oai(path = "/import", method = "post", operation_id = "importChapters")]
    async fn import(&self, caller: Allowed<ImportChapters>, form: ChapterImportForm) -> Result<Reply<ImportAnswer>> {
        let mut tx = caller.begin_long().await?;
        course::hold(&mut tx, form.course_id).await?;
        let lines = sheet::ChapterLines::start(&mut tx, form.course_id).await?;
        let sent = Sent { file: form.file, dry_run: form.dry_run.unwrap_or(false), sha256: form.sha256 };
        into_course::import(&caller, tx, lines, sent).await
    }
}

async fn remove(tx: &mut Tx, id: i64) -> Result<Change> {
    let before = form::find(tx, id).await?;
    tx.remove("course_chapter", id, &before.title).await?;
    Ok(Change::deleted("course_chapter", id, &before))
}
