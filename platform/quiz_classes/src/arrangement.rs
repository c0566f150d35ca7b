//! 考试安排: which exams a class takes, each from when until when it may be begun.

mod form;
mod list;

use futures_util::TryStreamExt;
use infra::{Allowed, Body, Edit, Entity, Page, Paged, Part, Reply, Result, Saved, permissions, reply};
use poem_openapi::{OpenApi, param::Query};

pub use form::QuizArrangementForm;
pub use list::{QuizArrangement, QuizArrangementFilter};

pub(crate) use form::insert;

use form::{remove, update};
use list::{count, select};

permissions! {
    pages "/exam/grade/info/list";
    InPlatform Reads  ListQuizArrangements  = "exam:pc:grade:info:exam:list" "考试班级的考试安排";
    InPlatform Writes SaveQuizArrangement   = "exam:pc:grade:info:exam:save" "新增考试班级的考试";
    InPlatform Writes EditQuizArrangement   = "exam:pc:grade:info:exam:edit" "编辑考试班级的考试";
    InPlatform Writes DeleteQuizArrangement = "exam:pc:grade:info:exam:delete" "删除考试班级的考试";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[Entity { table: "exam_grade_exam", name: "班级考试安排", counted: "次班级考试" }],
    ..Part::NONE
};

pub struct QuizArrangements;

#[OpenApi(prefix_path = "/exam/pc/grade/info/exam", tag = "crate::Tag::QuizClasses")]
impl QuizArrangements {
    /// 考试班级的考试安排
    #[oai(path = "/list", method = "post", operation_id = "listQuizArrangements")]
    async fn list(
        &self,
        caller: Allowed<ListQuizArrangements>,
        Body(asked): Body<Paged<QuizArrangementFilter>>,
    ) -> Result<Reply<Page<QuizArrangement>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let mut tx = caller.read().await?;
        let total = count(&mut tx, &filter).await?;
        let list = select(&mut tx, None, &filter, Some(paging)).try_collect().await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 新增考试班级的考试
    #[oai(path = "/save", method = "post", operation_id = "saveQuizArrangement")]
    async fn save(
        &self,
        caller: Allowed<SaveQuizArrangement>,
        Body(form): Body<QuizArrangementForm>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = insert(&mut tx, form).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑考试班级的考试
    /// 已有成员参加后不能更换试卷
    #[oai(path = "/edit", method = "put", operation_id = "editQuizArrangement")]
    async fn edit(
        &self,
        caller: Allowed<EditQuizArrangement>,
        Body(edit): Body<Edit<QuizArrangementForm>>,
    ) -> Result<Reply<Saved>> {
        let id = edit.id;
        let mut tx = caller.begin().await?;
        let change = update(&mut tx, edit).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除考试班级的考试
    #[oai(path = "/delete", method = "delete", operation_id = "deleteQuizArrangement")]
    async fn delete(
        &self,
        caller: Allowed<DeleteQuizArrangement>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }
}
