//! 我的学位申请.

use chrono::NaiveDate;
use infra::{Body, Client, Error, Reads, Reply, Result, Saved, Writes, reply};
use poem_openapi::{Object, OpenApi, types::Example};

use super::steps::apply;
use crate::{
    GraduateClient,
    enums::{DegreeDecision, DegreeSource, DegreeStatus, GraduationAuditResult},
    user::{AuditItem, items_of},
};

/// Told to whoever acts for somebody.
const NOT_FOR_OTHERS: &str = "代登录只能查看，不能申请学位";

/// A student applies.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct OwnDegreeApply {
    /// 请求编号
    /// 24小时内以同一编号重发时，只办理一次，返回第一次的结果
    #[oai(validator(min_length = 1, max_length = 64))]
    pub request_id: String,
}

impl Example for OwnDegreeApply {
    fn example() -> Self {
        Self { request_id: "5c2f7a60".to_owned() }
    }
}

/// One's own application.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct OwnDegreeView {
    /// 编号
    pub id: i64,
    /// 毕业批次
    pub batch_name: String,
    /// 申请日期
    pub applied_on: NaiveDate,
    /// 审核结果
    pub audit_result: GraduationAuditResult,
    /// 评定
    pub decision: DegreeDecision,
    /// 评定日期
    pub committee_date: Option<NaiveDate>,
    /// 原因
    pub reason: Option<String>,
    /// 学位证书编号
    pub certificate_no: Option<String>,
    /// 状态
    pub status: DegreeStatus,
    /// 审核明细
    pub items: Vec<AuditItem>,
}

/// One's own degree; none before one applied.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct OwnDegree {
    /// 可以申请
    pub may_apply: bool,
    /// 学位申请
    pub application: Option<OwnDegreeView>,
}

pub struct OwnDegrees;

#[OpenApi(prefix_path = "/exam/client/degree", tag = "crate::Tag::Graduation")]
impl OwnDegrees {
    /// 申请学位
    /// 在本人所在的毕业批次中
    #[oai(path = "/apply", method = "post", operation_id = "applyOwnDegree")]
    async fn apply(
        &self,
        caller: Client<GraduateClient, Writes>,
        Body(wanted): Body<OwnDegreeApply>,
    ) -> Result<Reply<Saved>> {
        caller.in_person(NOT_FOR_OTHERS)?;
        let mut tx = caller.begin_once(&wanted.request_id, &wanted).await?;
        let student = caller.session.person_id;
        let batch = sqlx::query_scalar!(
            "select g.batch_id from graduation_user g join graduation_batch b on b.id = g.batch_id
             where g.student_id = $1 and g.status not in ('removed', 'revoked') and b.degree_enabled and b.status not in ('draft', 'archived')
             order by g.id desc limit 1",
            student
        )
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(|| Error::conflict("您不在开放学位申请的毕业批次中"))?;
        let change = apply(&mut tx, student, batch, DegreeSource::Student).await?;
        let id = change.id();
        tx.commit(change, Saved { id }).await
    }

    /// 我的学位申请
    #[oai(path = "/view", method = "get", operation_id = "viewOwnDegree")]
    async fn view(&self, caller: Client<GraduateClient, Reads>) -> Result<Reply<OwnDegree>> {
        let student = caller.session.person_id;
        let mut tx = caller.read().await?;
        let found = sqlx::query!(
            r#"select a.id as "id!", b.name as "batch!", a.applied_on as "applied_on!",
                      a.audit_result as "audit_result!: GraduationAuditResult", a.decision as "decision!: DegreeDecision",
                      a.committee_date as "committee_date?", a.reason as "reason?", a.status as "status!: DegreeStatus",
                      (select k.number from certificate k where k.student_id = a.student_id and k.kind = 'degree'
                       and k.status <> 'voided') as "number?"
               from degree_application a join graduation_batch b on b.id = a.batch_id
               where a.student_id = $1 order by a.id desc limit 1"#,
            student
        )
        .fetch_optional(&mut *tx)
        .await?;
        let open = sqlx::query_scalar!(
            r#"select exists (
                   select from graduation_user g
                   join graduation_batch b on b.id = g.batch_id and b.degree_enabled and b.status not in ('draft', 'archived')
                   join student y on y.id = g.student_id
                   join level l on l.id = y.level_id and l.entry_level <> 'high_school_to_associate'
                   where g.student_id = $1 and g.status not in ('removed', 'revoked')) as "open!""#,
            student
        )
        .fetch_one(&mut *tx)
        .await?;
        let Some(found) = found else { return Ok(reply(OwnDegree { may_apply: open, application: None })) };
        let items = items_of(&caller.app, &mut tx, None, Some(found.id)).await?;
        let may_apply = open && found.status == DegreeStatus::Refused;
        let application = OwnDegreeView {
            id: found.id,
            batch_name: found.batch,
            applied_on: found.applied_on,
            audit_result: found.audit_result,
            decision: found.decision,
            committee_date: found.committee_date,
            reason: found.reason,
            certificate_no: found.number,
            status: found.status,
            items,
        };
        Ok(reply(OwnDegree { may_apply, application: Some(application) }))
    }
}
