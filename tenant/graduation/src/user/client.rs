//! 我的毕业审核: what a student sees of it; the decision behind the confirmation.

use chrono::NaiveDate;
use infra::{Client, Reads, Reply, Result, reply};
use poem_openapi::{Object, OpenApi};

use super::{AuditItem, items_of};
use crate::{
    GraduateClient,
    enums::{GraduationAuditResult, GraduationDecision, GraduationUserStatus},
};

/// One's own graduation in a batch.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct OwnGraduationView {
    /// 毕业批次
    pub batch_name: String,
    /// 毕业日期
    pub graduates_on: Option<NaiveDate>,
    /// 审核结果
    pub audit_result: GraduationAuditResult,
    /// 已过期
    pub stale: bool,
    /// 状态
    pub status: GraduationUserStatus,
    /// 结论
    /// 批次确认后
    pub decision: Option<GraduationDecision>,
    /// 结论说明
    pub decision_reason: Option<String>,
    /// 审核明细
    pub items: Vec<AuditItem>,
}

/// One's own graduation; none before one is in a batch.
#[derive(Debug, Clone, Default, Object)]
pub struct OwnGraduations {
    /// 毕业审核
    pub graduation: Option<OwnGraduationView>,
}

pub struct OwnGraduation;

#[OpenApi(prefix_path = "/user/client/graduation", tag = "crate::Tag::Graduation")]
impl OwnGraduation {
    /// 我的毕业审核
    #[oai(path = "/view", method = "get", operation_id = "viewOwnGraduation")]
    async fn view(&self, caller: Client<GraduateClient, Reads>) -> Result<Reply<OwnGraduations>> {
        let mut tx = caller.read().await?;
        let found = sqlx::query!(
            r#"select g.id as "id!", b.name as "batch!", b.graduates_on as "graduates_on?",
                      g.audit_result as "audit_result!: GraduationAuditResult", g.status as "status!: GraduationUserStatus",
                      g.decision as "decision!: GraduationDecision", g.decision_reason as "decision_reason?",
                      exists (select from course_score c where c.student_id = g.student_id and c.counted_at > g.audited_at) as "stale!"
               from graduation_user g join graduation_batch b on b.id = g.batch_id
               where g.student_id = $1 and g.status <> 'removed' order by g.id desc limit 1"#,
            caller.session.person_id
        )
        .fetch_optional(&mut *tx)
        .await?;
        let Some(found) = found else { return Ok(reply(OwnGraduations::default())) };
        let mut items = items_of(&caller.app, &mut tx, Some(found.id), None).await?;
        for item in &mut items {
            // Who waived it, and by which paper, is the school's.
            (item.waived_by_name, item.waive_file_url, item.waive_reason) = (None, None, None);
        }
        let told = matches!(found.status, GraduationUserStatus::Confirmed | GraduationUserStatus::Revoked);
        Ok(reply(OwnGraduations {
            graduation: Some(OwnGraduationView {
                batch_name: found.batch,
                graduates_on: found.graduates_on,
                audit_result: found.audit_result,
                stale: found.stale,
                status: if told { found.status } else { GraduationUserStatus::Listed },
                decision: told.then_some(found.decision),
                decision_reason: found.decision_reason.filter(|_| told),
                items,
            }),
        }))
    }
}
