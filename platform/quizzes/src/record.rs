//! 考试记录: attempts as operators see and mark them (01 §9.7).
//!
//! ```text
//! doing ─submit, or the time is over→ marking ─mark: every answer has its score→ finished     marked again → finished
//! ```

mod list;
mod mark;
pub(crate) mod write;

use futures_util::TryStreamExt;
use infra::{Allowed, Body, Entity, History, Page, Paged, Part, Reply, Result, Saved, permissions, reply};
use poem_openapi::{OpenApi, param::Query};
use quiz_rules::enums::{QuizRecordState, QuizSubmitKind};

pub use list::{QuizRecord, QuizRecordFilter, QuizRecordView};
pub use mark::QuizMarking;

use list::{count, find, select};
pub(crate) use mark::mark;

permissions! {
    pages "/exam/list";
    InPlatform Reads  ListQuizRecords = "exam:pc:info:record:list" "考试记录列表";
    InPlatform Reads  ViewQuizRecord  = "exam:pc:info:record:view" "查看考试记录";
    InPlatform Writes MarkQuizRecord  = "exam:pc:info:record:mark" "批改考试记录";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[QuizRecordState::ENUMERATION, QuizSubmitKind::ENUMERATION],
    entities: &[Entity { table: "online_exam_record", name: "考试记录", counted: "条考试记录" }],
    histories: &[History { table: "online_exam_record", code: "exam:pc:info:record:view", scope: None }],
    ..Part::NONE
};

pub struct QuizRecords;

#[OpenApi(prefix_path = "/exam/pc/info/record", tag = "crate::Tag::Quizzes")]
impl QuizRecords {
    /// 考试记录列表
    #[oai(path = "/list", method = "post", operation_id = "listQuizRecords")]
    async fn list(
        &self,
        caller: Allowed<ListQuizRecords>,
        Body(asked): Body<Paged<QuizRecordFilter>>,
    ) -> Result<Reply<Page<QuizRecord>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let mut tx = caller.read().await?;
        let total = count(&mut tx, &filter).await?;
        let list = select(&mut tx, None, &filter, Some(paging)).map_ok(QuizRecord::from).try_collect().await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 查看考试记录
    /// 试卷、答案和评分，试题为开始考试时的内容
    #[oai(path = "/view", method = "get", operation_id = "viewQuizRecord")]
    async fn view(
        &self,
        caller: Allowed<ViewQuizRecord>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<QuizRecordView>> {
        let mut tx = caller.read().await?;
        Ok(reply(find(caller.app(), &mut tx, id.0).await?))
    }

    /// 批改考试记录
    /// 所有主观题给分后完成；已完成的可以重新批改
    #[oai(path = "/mark", method = "put", operation_id = "markQuizRecord")]
    async fn mark(&self, caller: Allowed<MarkQuizRecord>, Body(marking): Body<QuizMarking>) -> Result<Reply<Saved>> {
        let id = marking.id;
        let mut tx = caller.begin().await?;
        let change = mark(&mut tx, marking).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }
}
