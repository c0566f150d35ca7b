//! 提交, 审核, 退回, 启用停用: how a question comes into use where the school has its questions reviewed (part 03 A7).

use futures_util::{TryStreamExt, stream};
use infra::{
    Allowed, App, Body, Bulk, BulkResult, Change, EnabledChange, Error, Reply, Result, Saved, Scope, Tx,
    across::ItemOfSchool,
    reply,
    sheet::Column,
    steps::{self, Chosen, Step, SteppedOfSchools},
    transfer::{Export, Rows},
};
use poem_openapi::{Object, OpenApi, types::Example};
use question_bank_rules::{
    form::QuestionItem,
    steps::{Turn, after},
};
use sqlx::PgConnection;

use super::{
    AuditQuestions, ChangeQuestionStatus, QUESTION_REVIEW, RejectQuestions, SubmitQuestions,
    export::COLUMNS,
    select::{Question, QuestionFilter, QuestionsSeen, in_order, numbers},
    write::{lock, set_status},
};

/// Rows of a step that are read at once.
const AT_ONCE: usize = 500;

/// Questions that are ticked, or all that the list's filter names.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct QuestionsChosen {
    /// 勾选的试题
    /// 与 filter 二选一
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub items: Option<Vec<ItemOfSchool<QuestionItem>>>,
    /// 查询条件
    /// 与列表的条件相同，办理符合条件的全部试题，最多20000题；转为后台任务，返回任务编号
    pub filter: Option<QuestionFilter>,
}

impl Example for QuestionsChosen {
    fn example() -> Self {
        Self { items: Some(vec![QuestionItem { id: 1, version: 1 }.into()]), filter: None }
    }
}

impl QuestionsChosen {
    fn rows(self, viewer: i64) -> Chosen<ItemOfSchool<QuestionItem>, QuestionsSeen> {
        let seen = |filter| QuestionsSeen { filter, viewer: Some(viewer), ..QuestionsSeen::default() };
        let filter = self.filter.map(seen);
        Chosen { items: self.items, filter }
    }
}

/// Questions that go back.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct QuestionsRejected {
    #[oai(flatten)]
    pub rows: QuestionsChosen,
    /// 原因
    /// 2至500个字符
    #[oai(validator(min_length = 2, max_length = 500))]
    pub reason: String,
}

impl Example for QuestionsRejected {
    fn example() -> Self {
        Self { rows: QuestionsChosen::example(), reason: "答案有误".to_owned() }
    }
}

async fn go(tx: &mut Tx, item: QuestionItem, turn: Turn, reason: Option<&str>) -> Result<Change> {
    let before = lock(tx, item.id).await?;
    if before.question.version != item.version {
        return Err(tx.stale("question", item.id).await);
    }
    let to = after(before.question.status, turn).map_err(Error::conflict)?;
    set_status(tx, &before, to, reason).await
}

async fn go_all(tx: Tx, items: Vec<QuestionItem>, turn: Turn, reason: Option<&str>) -> Result<BulkResult> {
    let mut bulk = Bulk::named(tx, "question", "left(stem_plain, 30)");
    for item in items {
        let outcome = go(bulk.row().await?, item, turn, reason).await;
        bulk.ended(item.id, outcome).await?;
    }
    bulk.commit().await
}

/// 提交试题
#[derive(Debug, Object)]
pub(super) struct Submit {
    /// A step has a value of its own; this one has nothing to say.
    note: Option<String>,
}

/// 审核试题
#[derive(Debug, Object)]
pub(super) struct Audit {
    /// As [`Submit::note`].
    note: Option<String>,
}

/// 退回试题
#[derive(Debug, Object)]
pub(super) struct Reject {
    reason: String,
}

/// The rows of the steps: what the list's filter names.
pub(super) struct QuestionsListed;

impl Export for QuestionsListed {
    type Filter = QuestionsSeen;
    type Row = Question;
    const KIND: &'static str = "question.chosen";
    type Permission = super::ListQuestions;
    const TITLE: &'static str = "试题";
    const COLUMNS: &'static [Column<Question>] = COLUMNS;

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &QuestionsSeen,
        _scope: &Scope,
    ) -> Result<Rows<'c, Question>> {
        listed(connection, filter).await
    }
}

/// All questions that a filter names, in the list's order.
pub(super) async fn listed<'c>(connection: &'c mut PgConnection, filter: &QuestionsSeen) -> Result<Rows<'c, Question>> {
    let ids = numbers(connection, filter).await?;
    let hides = filter.hides;
    let parts: Vec<Vec<i64>> = ids.chunks(AT_ONCE).map(<[i64]>::to_vec).collect();
    let rows = stream::try_unfold((connection, parts.into_iter()), move |(connection, mut parts)| async move {
        let Some(ids) = parts.next() else { return Ok(None) };
        let mut rows = in_order(connection, &ids).await.map_err(|error| sqlx::Error::Protocol(error.to_string()))?;
        rows.iter_mut().for_each(|row| row.hide_answer(!hides));
        Ok::<_, sqlx::Error>(Some((stream::iter(rows.into_iter().map(Ok)), (connection, parts))))
    });
    Ok(Box::pin(rows.try_flatten()))
}

impl Step for Submit {
    const KIND: &'static str = "question.submit";
    const TITLE: &'static str = "提交试题";
    type Permission = SubmitQuestions;
    type Item = QuestionItem;
    type List = QuestionsListed;

    fn item(row: &Question) -> QuestionItem {
        QuestionItem { id: row.id, version: row.version }
    }

    async fn run(&self, mut tx: Tx, items: Vec<QuestionItem>, _scope: &Scope) -> Result<BulkResult> {
        let review = QUESTION_REVIEW.is_on(&mut tx).await?;
        go_all(tx, items, Turn::Submit(review), self.note.as_deref()).await
    }
}

impl Step for Audit {
    const KIND: &'static str = "question.audit";
    const TITLE: &'static str = "审核试题";
    type Permission = AuditQuestions;
    type Item = QuestionItem;
    type List = QuestionsListed;

    fn item(row: &Question) -> QuestionItem {
        QuestionItem { id: row.id, version: row.version }
    }

    async fn run(&self, tx: Tx, items: Vec<QuestionItem>, _scope: &Scope) -> Result<BulkResult> {
        go_all(tx, items, Turn::Pass, self.note.as_deref()).await
    }
}

impl Step for Reject {
    const KIND: &'static str = "question.reject";
    const TITLE: &'static str = "退回试题";
    type Permission = RejectQuestions;
    type Item = QuestionItem;
    type List = QuestionsListed;

    fn item(row: &Question) -> QuestionItem {
        QuestionItem { id: row.id, version: row.version }
    }

    async fn run(&self, tx: Tx, items: Vec<QuestionItem>, _scope: &Scope) -> Result<BulkResult> {
        go_all(tx, items, Turn::Return, Some(&self.reason)).await
    }
}

pub struct QuestionSteps;

#[OpenApi(prefix_path = "/exam/pc/exam/problem", tag = "crate::Tag::QuestionBank")]
impl QuestionSteps {
    /// 提交试题
    /// 院校要求审核时转为待审核，否则直接启用
    #[oai(path = "/submit", method = "put", operation_id = "submitQuestions")]
    async fn submit(
        &self,
        caller: Allowed<SubmitQuestions>,
        Body(wanted): Body<QuestionsChosen>,
    ) -> Result<Reply<SteppedOfSchools>> {
        let rows = wanted.rows(caller.user_id());
        Ok(reply(steps::over_schools(&caller, rows, Submit { note: None }).await?))
    }

    /// 审核试题
    #[oai(path = "/audit", method = "put", operation_id = "auditQuestions")]
    async fn audit(
        &self,
        caller: Allowed<AuditQuestions>,
        Body(wanted): Body<QuestionsChosen>,
    ) -> Result<Reply<SteppedOfSchools>> {
        let rows = wanted.rows(caller.user_id());
        Ok(reply(steps::over_schools(&caller, rows, Audit { note: None }).await?))
    }

    /// 退回试题
    #[oai(path = "/reject", method = "put", operation_id = "rejectQuestions")]
    async fn reject(
        &self,
        caller: Allowed<RejectQuestions>,
        Body(wanted): Body<QuestionsRejected>,
    ) -> Result<Reply<SteppedOfSchools>> {
        let rows = wanted.rows.rows(caller.user_id());
        Ok(reply(steps::over_schools(&caller, rows, Reject { reason: wanted.reason }).await?))
    }

    /// 启用停用试题
    #[oai(path = "/update/status", method = "put", operation_id = "changeQuestionStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeQuestionStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let before = lock(&mut tx, wanted.id).await?;
        if wanted.version.is_some_and(|version| version != before.question.version) {
            return Err(tx.stale("question", wanted.id).await);
        }
        let review = QUESTION_REVIEW.is_on(&mut tx).await?;
        let turn = if wanted.enabled { Turn::Enable(review) } else { Turn::Disable };
        let to = after(before.question.status, turn).map_err(Error::conflict)?;
        let change = set_status(&mut tx, &before, to, None).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }
}
