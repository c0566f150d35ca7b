//! 班级成员: who came in with the code, whom an operator let in, and who was removed.

mod list;
mod step;

use futures_util::TryStreamExt;
use infra::{Allowed, Body, Bulk, BulkResult, Entity, Page, Paged, Part, Reply, Result, Saved, permissions, reply};
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use quiz_rules::enums::{QuizMemberDecision, QuizMemberState};

pub use list::{QuizMember, QuizMemberFilter};

pub(crate) use step::{admit, remove};

use list::{count, select};
use step::decide;

permissions! {
    pages "/exam/grade/info/list";
    InPlatform Reads  ListQuizMembers  = "exam:pc:grade:info:member:list" "考试班级成员列表";
    InPlatform Writes AuditQuizMembers = "exam:pc:grade:info:member:audit" "审核考试班级成员";
    InPlatform Writes RemoveQuizMember = "exam:pc:grade:info:member:delete" "移除考试班级成员";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[QuizMemberState::ENUMERATION, QuizMemberDecision::ENUMERATION],
    entities: &[Entity { table: "exam_grade_member", name: "考试班级成员", counted: "名成员" }],
    ..Part::NONE
};

/// How a member is called in the failures of a bulk step.
const NAME: &str =
    "(select coalesce(nickname, left(phone, 3) || '****' || right(phone, 4)) from user_ext where id = learner_id)";

/// The same decision on several members of one class.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct QuizMemberDecisions {
    /// 成员
    #[oai(validator(min_items = 1, max_items = 200))]
    pub ids: Vec<i64>,
    /// 审核结果
    pub decision: QuizMemberDecision,
}

impl Example for QuizMemberDecisions {
    fn example() -> Self {
        Self { ids: vec![1], decision: QuizMemberDecision::Approved }
    }
}

pub struct QuizMembers;

#[OpenApi(prefix_path = "/exam/pc/grade/info/member", tag = "crate::Tag::QuizClasses")]
impl QuizMembers {
    /// 考试班级成员列表
    #[oai(path = "/list", method = "post", operation_id = "listQuizMembers")]
    async fn list(
        &self,
        caller: Allowed<ListQuizMembers>,
        Body(asked): Body<Paged<QuizMemberFilter>>,
    ) -> Result<Reply<Page<QuizMember>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let mut tx = caller.read().await?;
        let total = count(&mut tx, &filter).await?;
        let list = select(&mut tx, &filter, Some(paging)).map_ok(QuizMember::from).try_collect().await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 审核考试班级成员
    /// 已移除的成员通过后重新加入
    #[oai(path = "/audit", method = "put", operation_id = "auditQuizMembers")]
    async fn decide_many(
        &self,
        caller: Allowed<AuditQuizMembers>,
        Body(decisions): Body<QuizMemberDecisions>,
    ) -> Result<Reply<BulkResult>> {
        let QuizMemberDecisions { mut ids, decision } = decisions;
        ids.sort_unstable();
        ids.dedup();
        let mut bulk = Bulk::named(caller.begin().await?, "exam_grade_member", NAME);
        for id in ids {
            let outcome = decide(bulk.row().await?, id, decision).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 移除考试班级成员
    /// 考试记录保留
    #[oai(path = "/delete", method = "delete", operation_id = "removeQuizMember")]
    async fn delete(
        &self,
        caller: Allowed<RemoveQuizMember>,
        /// 成员
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }
}
