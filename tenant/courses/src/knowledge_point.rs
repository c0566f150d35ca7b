//! 知识点: what the questions of a course are about, a tree of at most three levels (part 03 A5).
//!
//! A name stands once in a course: sheets of questions name the points alone (A7). Every change holds the course's row, so that
//! the tree does not change between the look and the step.

mod form;
mod options;
mod select;
mod sheet;
mod tree;

use course_rules::knowledge_point::build_tree;
use futures_util::TryStreamExt;
use infra::{
    Allowed, Body, Bulk, BulkResult, Change, Edit, Entity, History, Ids, Part, Reply, Result, Saved, Tx,
    options::Source,
    permissions, reply,
    transfer::{self, Exported, export_job},
};
use poem_openapi::{OpenApi, param::Query};

pub use course_rules::knowledge_point::{KnowledgePoint, KnowledgePointFilter, KnowledgePointNode};
pub use form::KnowledgePointForm;
use options::options;

use crate::course;

permissions! {
    pages "/schoolPC/basicData/course/collegeCurriculum", "/platformPC/basicData/course/collegeCurriculum";
    EachSchool Reads       ListKnowledgePoints   = "course:pc:knowledgePoint:list" "知识点列表";
    EachSchool Reads       ViewKnowledgePoint    = "course:pc:knowledgePoint:view" "查看知识点";
    EachSchool Writes      SaveKnowledgePoint    = "course:pc:knowledgePoint:save" "新增知识点";
    EachSchool Writes      EditKnowledgePoint    = "course:pc:knowledgePoint:edit" "编辑知识点";
    EachSchool Writes      DeleteKnowledgePoint  = "course:pc:knowledgePoint:delete" "删除知识点";
    EachSchool Writes      DeleteKnowledgePoints = "course:pc:knowledgePoint:batchDel" "批量删除知识点";
    EachSchool ReadsLogged ExportKnowledgePoints = "course:pc:knowledgePoint:export" "导出知识点";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[Entity { table: "knowledge_point", name: "知识点", counted: "个知识点" }],
    jobs: &[export_job::<KnowledgePoints>()],
    histories: &[History { table: "knowledge_point", code: "course:pc:knowledgePoint:view", scope: None }],
    options: &[
        Source::new("knowledgePoint", |connection, asked| Box::pin(options(connection, asked))).below("知识点的课程")
    ],
    ..Part::NONE
};

pub struct KnowledgePoints;

#[OpenApi(prefix_path = "/course/pc/knowledgePoint", tag = "crate::Tag::Courses")]
impl KnowledgePoints {
    /// 知识点列表
    #[oai(path = "/list", method = "post", operation_id = "listKnowledgePoints")]
    async fn list(
        &self,
        caller: Allowed<ListKnowledgePoints>,
        Body(filter): Body<KnowledgePointFilter>,
    ) -> Result<Reply<Vec<KnowledgePointNode>>> {
        let mut tx = caller.read().await?;
        course::known(&mut tx, filter.course_id).await?;
        let all: Vec<KnowledgePoint> = select::select(&mut tx, None, Some(filter.course_id)).try_collect().await?;
        Ok(reply(build_tree(all, &filter)))
    }

    /// 查看知识点
    #[oai(path = "/view", method = "get", operation_id = "viewKnowledgePoint")]
    async fn view(
        &self,
        caller: Allowed<ViewKnowledgePoint>,
        /// 编号
        id: Query<Option<i64>>,
        /// 课程
        /// 与编码一起指定知识点
        #[oai(name = "courseId")]
        course_id: Query<Option<i64>>,
        /// 编码
        code: Query<Option<String>>,
    ) -> Result<Reply<KnowledgePoint>> {
        let mut tx = caller.read().await?;
        let id = select::one(&mut tx, id.0, course_id.0, code.0).await?;
        Ok(reply(select::find(&mut tx, id).await?))
    }

    /// 新增知识点
    #[oai(path = "/save", method = "post", operation_id = "saveKnowledgePoint")]
    async fn save(
        &self,
        caller: Allowed<SaveKnowledgePoint>,
        Body(form): Body<KnowledgePointForm>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        course::hold(&mut tx, form.course_id).await?;
        let (id, change) = form::insert(&mut tx, &form).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑知识点
    #[oai(path = "/edit", method = "put", operation_id = "editKnowledgePoint")]
    async fn edit(
        &self,
        caller: Allowed<EditKnowledgePoint>,
        Body(edit): Body<Edit<KnowledgePointForm>>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        course::hold(&mut tx, edit.form.course_id).await?;
        let change = form::update(&mut tx, &edit).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: edit.id }))
    }

    /// 删除知识点
    #[oai(path = "/delete", method = "delete", operation_id = "deleteKnowledgePoint")]
    async fn delete(
        &self,
        caller: Allowed<DeleteKnowledgePoint>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除知识点
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteKnowledgePoints")]
    async fn delete_many(
        &self,
        caller: Allowed<DeleteKnowledgePoints>,
        Body(ids): Body<Ids>,
    ) -> Result<Reply<BulkResult>> {
        let mut tx = caller.begin().await?;
        // Whoever ticks a point and those below it means all of them.
        let ids = select::deepest_first(&mut tx, &ids.ids).await?;
        let mut bulk = Bulk::new(tx, "knowledge_point");
        for id in ids {
            let outcome = remove(bulk.row().await?, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 导出知识点
    #[oai(path = "/export", method = "post", operation_id = "exportKnowledgePoints")]
    async fn export(
        &self,
        caller: Allowed<ExportKnowledgePoints>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(filter): Body<KnowledgePointFilter>,
    ) -> Result<Exported> {
        // A course is one school's, so a school must be named here, unlike in the exports of whole lists.
        course::known(&mut *caller.read().await?, filter.course_id).await?;
        transfer::export::<Self>(&caller, filter, job.0).await
    }
}

async fn remove(tx: &mut Tx, id: i64) -> Result<Change> {
    let before = select::find(tx, id).await?;
    tx.remove("knowledge_point", id, &before.name).await?;
    Ok(Change::deleted("knowledge_point", id, &before))
}
