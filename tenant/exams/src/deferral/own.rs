//! 我的缓考: students apply, look and take back in their client (part 04 §2.6, §3).

use infra::{Body, Change, Client, Error, Reads, Reply, Result, Saved, clock::Moment, reply};
use online_study::{StudentClient, WritesOwn};
use poem_openapi::{Object, OpenApi, types::Example};

use super::{
    decide::{cancelled, known},
    save::{DeferralForm, insert},
};
use crate::enums::{DeferralApplicant, DeferralReason, DeferralStatus};

/// What a student applies for.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct OwnDeferralForm {
    /// 批次
    pub batch_id: i64,
    /// 课程
    pub course_id: i64,
    /// 缓考原因
    pub reason_type: DeferralReason,
    /// 说明
    #[oai(validator(min_length = 2, max_length = 500))]
    pub reason: String,
    /// 证明材料
    #[oai(default, validator(max_items = 9))]
    pub file_ids: Vec<i64>,
    /// 请求编号
    /// 24小时内以同一编号重发时，只办理一次，返回第一次的结果
    #[oai(validator(min_length = 1, max_length = 64))]
    pub request_id: String,
}

impl Example for OwnDeferralForm {
    fn example() -> Self {
        Self {
            batch_id: 1,
            course_id: 1,
            reason_type: DeferralReason::Illness,
            reason: "住院治疗".to_owned(),
            file_ids: Vec::new(),
            request_id: "7d1f0c84".to_owned(),
        }
    }
}

/// An application that its student takes back.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct OwnDeferralItem {
    /// 编号
    pub id: i64,
}

impl Example for OwnDeferralItem {
    fn example() -> Self {
        Self { id: 1 }
    }
}

/// An application of a student.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct OwnDeferral {
    /// 编号
    pub id: i64,
    /// 批次
    pub batch_name: String,
    /// 课程
    pub course_name: String,
    /// 缓考原因
    pub reason_type: DeferralReason,
    /// 说明
    pub reason: String,
    /// 状态
    pub status: DeferralStatus,
    /// 审核意见
    pub opinion: Option<String>,
    /// 申请时间
    pub created_at: Moment,
}

pub struct OwnDeferrals;

#[OpenApi(prefix_path = "/exam/client/deferral", tag = "crate::Tag::Exams")]
impl OwnDeferrals {
    /// 申请缓考
    /// 证明材料以 /user/client/upload 上传
    #[oai(path = "/save", method = "post", operation_id = "saveOwnDeferral")]
    async fn save(
        &self,
        caller: Client<StudentClient, WritesOwn>,
        Body(wanted): Body<OwnDeferralForm>,
    ) -> Result<Reply<Saved>> {
        let mut once = caller.begin_once(&wanted.request_id, &wanted).await?;
        let form = DeferralForm {
            student_id: caller.session.person_id,
            batch_id: wanted.batch_id,
            course_id: wanted.course_id,
            reason_type: wanted.reason_type,
            reason: wanted.reason,
            file_ids: wanted.file_ids,
        };
        let (id, change) = insert(&mut once, form, DeferralApplicant::Student).await?;
        once.commit(change, Saved { id }).await
    }

    /// 我的缓考申请
    #[oai(path = "/list", method = "get", operation_id = "listOwnDeferrals")]
    async fn list(&self, caller: Client<StudentClient, Reads>) -> Result<Reply<Vec<OwnDeferral>>> {
        let mut tx = caller.read().await?;
        let rows = sqlx::query_as!(
            OwnDeferral,
            r#"select d.id, b.name as batch_name, u.name as course_name, d.reason_type as "reason_type: _", d.reason,
                      d.status as "status: _", d.opinion, d.created_at
               from exam_deferral d join test_batch b on b.id = d.batch_id join course u on u.id = d.course_id
               where d.student_id = $1 order by d.created_at desc, d.id limit 200"#,
            caller.session.person_id
        )
        .fetch_all(&mut *tx)
        .await?;
        Ok(reply(rows))
    }

    /// 撤销缓考申请
    /// 考试开始前可以撤销
    #[oai(path = "/cancel", method = "put", operation_id = "cancelOwnDeferral")]
    async fn cancel(
        &self,
        caller: Client<StudentClient, WritesOwn>,
        Body(wanted): Body<OwnDeferralItem>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (held, _) = known(&mut tx, wanted.id).await?;
        if held.student_id != caller.session.person_id {
            return Err(Error::not_found());
        }
        let changes: Vec<Change> = cancelled(&mut tx, &held, None).await?;
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id: wanted.id }))
    }
}
