//! 移动到题库, 批量设置: the same bank, chapter, difficulty or points for many questions.

use infra::{Allowed, Body, Bulk, BulkResult, Change, Error, OnConstraint, Reply, Result, Tx, reply};
use poem_openapi::{Object, OpenApi, types::Example};

use super::{
    EditQuestions, MoveQuestions, sees_answers,
    select::find,
    write::{check_places, lock, refuse_twin, told},
};
use crate::{
    bank::{self, BankHead},
    enums::QuestionDifficulty,
};

/// Questions that go into another bank of their course.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct QuestionMove {
    /// 编号
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub ids: Vec<i64>,
    /// 题库
    pub bank_id: i64,
}

impl Example for QuestionMove {
    fn example() -> Self {
        Self { ids: vec![1], bank_id: 1 }
    }
}

/// What is set; what is left out stays as it is.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct QuestionBatchEdit {
    /// 编号
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub ids: Vec<i64>,
    /// 章节
    pub chapter_id: Option<i64>,
    /// 难度
    pub difficulty: Option<QuestionDifficulty>,
    /// 知识点
    #[oai(validator(max_items = 20))]
    pub knowledge_point_ids: Option<Vec<i64>>,
}

impl Example for QuestionBatchEdit {
    fn example() -> Self {
        Self { ids: vec![1], chapter_id: None, difficulty: Some(QuestionDifficulty::Hard), knowledge_point_ids: None }
    }
}

pub struct QuestionBatches;

#[OpenApi(prefix_path = "/exam/pc/exam/problem", tag = "crate::Tag::QuestionBank")]
impl QuestionBatches {
    /// 移动试题
    /// 移到同一课程的其他题库
    #[oai(path = "/move", method = "put", operation_id = "moveQuestions")]
    async fn move_to(
        &self,
        caller: Allowed<MoveQuestions>,
        Body(wanted): Body<QuestionMove>,
    ) -> Result<Reply<BulkResult>> {
        let may_see = sees_answers(&caller);
        let mut tx = caller.begin().await?;
        let bank = bank::chosen(&mut tx, wanted.bank_id).await?;
        let mut bulk = Bulk::named(tx, "question", "left(stem_plain, 30)");
        for id in wanted.ids {
            let outcome = one_moved(bulk.row().await?, id, &bank, may_see).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 批量设置试题
    #[oai(path = "/batchEdit", method = "put", operation_id = "editQuestions")]
    async fn edit_many(
        &self,
        caller: Allowed<EditQuestions>,
        Body(mut edit): Body<QuestionBatchEdit>,
    ) -> Result<Reply<BulkResult>> {
        if edit.chapter_id.is_none() && edit.difficulty.is_none() && edit.knowledge_point_ids.is_none() {
            return Err(Error::refused("请至少选择一项要设置的内容"));
        }
        if let Some(points) = &mut edit.knowledge_point_ids {
            points.sort_unstable();
            points.dedup();
        }
        let mut bulk = Bulk::named(caller.begin().await?, "question", "left(stem_plain, 30)");
        for id in edit.ids.clone() {
            let outcome = one_set(bulk.row().await?, id, &edit).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }
}

async fn one_moved(tx: &mut Tx, id: i64, bank: &BankHead, may_see: bool) -> Result<Change> {
    let before = lock(tx, id).await?;
    if before.question.course_id != bank.course_id {
        return Err(Error::conflict("只能移动到同一课程的题库"));
    }
    bank::refuse_other_use(tx, (None, Some(id)), (before.question.bank_usage, bank.usage), may_see).await?;
    let mark = sqlx::query_scalar!("select fingerprint from question where id = $1", id).fetch_one(&mut **tx).await?;
    refuse_twin(tx, bank.id, &mark, Some(id)).await?;
    let by = tx.by();
    sqlx::query!(
        "update question set bank_id = $2, updated_at = now(), updated_by = $3, version = version + 1
         where id = $1 or parent_id = $1",
        id,
        bank.id,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(|constraint| {
        (constraint == "question_fingerprint_taken").then(|| Error::conflict("题库中已有相同的试题"))
    })?;
    Ok(Change::status("question", id, "bankId", before.question.bank_id, bank.id))
}

async fn one_set(tx: &mut Tx, id: i64, edit: &QuestionBatchEdit) -> Result<Change> {
    let before = lock(tx, id).await?;
    let points = edit.knowledge_point_ids.clone().unwrap_or_default();
    check_places(tx, before.question.course_id, edit.chapter_id, &points).await?;
    let by = tx.by();
    sqlx::query!(
        "update question set chapter_id = case when parent_id is null then coalesce($2, chapter_id) end, difficulty = coalesce($3, difficulty), updated_at = now(),
                updated_by = $4, version = version + 1
         where id = $1 or parent_id = $1",
        id,
        edit.chapter_id,
        edit.difficulty.map(QuestionDifficulty::grade),
        by
    )
    .execute(&mut **tx)
    .await?;
    if edit.knowledge_point_ids.is_some() {
        sqlx::query!("delete from question_knowledge where question_id = $1", id).execute(&mut **tx).await?;
        sqlx::query!(
            "insert into question_knowledge (question_id, knowledge_point_id) select $1, p.id from unnest($2::bigint[]) as p (id)",
            id,
            &points
        )
        .execute(&mut **tx)
        .await?;
    }
    let after = find(tx, id, Some(by)).await?;
    Ok(Change::edited("question", id, &told(&before), &told(&after)))
}
