//! 录取审核: whether somebody whom the authority admitted may begin here (02 §6). Who may is to report from then on.

use std::collections::HashMap;

use admission_rules::audit::{Decision, Standing, said};
use enrolment::admitting::share_open;
use infra::{
    Allowed, Body, BulkFailure, BulkResult, Change, Error, Reply, Result, Scope, Tx, Warned, reply,
    steps::{Chosen, Step, Stepped, inside},
};
use poem_openapi::{Object, OpenApi, types::Example};
use registration::opening;
use scenes::outbox::{Person as Told, PersonKind, Persons, notify};
use sqlx::PgConnection;

use super::{
    AuditAdmission, AuditAdmissions, ExportAdmissions,
    list::{AdmissionFilter, AdmissionRow},
    matching::{AdmissionItem, Rows, as_listed, rows},
    person::{Person, Placer, changed, held_one, write},
};
use crate::enums::{AdmissionResult, AdmissionStatus};

/// What was decided of one person, and why.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct AdmissionAudit {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 审核结果
    pub result: AdmissionResult,
    /// 审核意见
    /// 不予入学和撤销时填写，2至200个字符
    #[oai(validator(max_length = 200))]
    pub remark: Option<String>,
    /// 确认重复
    /// 该人员现为在籍学生、将在入学前毕业时，确认后通过
    pub confirm_duplicate: Option<bool>,
}

impl Example for AdmissionAudit {
    fn example() -> Self {
        Self { id: 1, version: 1, result: AdmissionResult::Pass, remark: None, confirm_duplicate: None }
    }
}

/// What was decided of several.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct AdmissionsAudit {
    #[oai(flatten)]
    pub rows: Chosen<AdmissionItem, AdmissionFilter>,
    /// 审核结果
    /// 通过或不予入学
    pub result: AdmissionResult,
    /// 审核意见
    /// 不予入学时填写，2至200个字符
    #[oai(validator(max_length = 200))]
    pub remark: Option<String>,
    /// 确认重复
    /// 现为在籍学生、将在入学前毕业的人员一并通过
    pub confirm_duplicate: Option<bool>,
}

impl Example for AdmissionsAudit {
    fn example() -> Self {
        Self {
            rows: Chosen::items(vec![AdmissionItem { id: 1, version: 1 }]),
            result: AdmissionResult::Pass,
            remark: None,
            confirm_duplicate: None,
        }
    }
}

pub struct Audit;

#[OpenApi(prefix_path = "/adult/pc/admission", tag = "crate::Tag::Admission")]
impl Audit {
    /// 审核录取
    /// 通过后进入报到
    #[oai(path = "/audit", method = "post", operation_id = "auditAdmission")]
    async fn audit(
        &self,
        caller: Allowed<AuditAdmission>,
        Body(wanted): Body<AdmissionAudit>,
    ) -> Result<Reply<Warned>> {
        let AdmissionAudit { id, version, result, remark, confirm_duplicate } = wanted;
        let remark = said(result, remark)?;
        let mut tx = caller.begin().await?;
        let person = held_one(&mut tx, id, Some(version), &caller.scope()).await?;
        let decision = Decision { result, remark, confirmed: confirm_duplicate == Some(true) };
        let (changes, warnings) = match result {
            AdmissionResult::Revoke => taken_back(&mut tx, person, &decision).await?,
            AdmissionResult::Pass | AdmissionResult::Reject => {
                let students = students(&mut tx, &[id]).await?;
                decision.allow(&person, students.get(&id))?;
                (decided(&mut tx, &[person], &decision).await?, Vec::new())
            }
        };
        tx.commit_all(changes).await?;
        Ok(reply(Warned { id, warnings }))
    }

    /// 批量审核录取
    #[oai(path = "/batchReview", method = "post", operation_id = "auditAdmissions")]
    async fn audit_many(
        &self,
        caller: Allowed<AuditAdmissions>,
        Body(wanted): Body<AdmissionsAudit>,
    ) -> Result<Reply<Stepped>> {
        let AdmissionsAudit { rows, result, remark, confirm_duplicate } = wanted;
        if result == AdmissionResult::Revoke {
            return Err(Error::field("result", "撤销须逐人办理"));
        }
        let remark = said(result, remark)?;
        Ok(reply(inside(&caller, rows, AuditAll { result, remark, confirm_duplicate }).await?))
    }
}

/// The active students who are these people, by the admission.
async fn students(tx: &mut Tx, ids: &[i64]) -> Result<HashMap<i64, Standing>> {
    let rows = sqlx::query!(
        r#"select a.id, coalesce(s.student_no, s.examinee_no, '学号未生成') as "number!", s.expected_graduation_on,
                  s.expected_graduation_on < b.enrolled_on as "before_entry!"
           from admission a
           join enrollment_batch b on b.id = a.batch_id
           join student s on s.id_card_no = a.id_card_no and s.id_card_type = a.id_card_type and s.active
           where a.id = any($1)"#,
        ids
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| {
            let standing = Standing {
                number: row.number,
                graduates_on: row.expected_graduation_on,
                before_entry: row.before_entry,
            };
            (row.id, standing)
        })
        .collect())
}

/// Writes a decision of people of whom it may be had; those who pass are to report.
async fn decided(tx: &mut Tx, people: &[Person], decision: &Decision) -> Result<Vec<Change>> {
    let status = match decision.result {
        AdmissionResult::Pass => AdmissionStatus::Audited,
        AdmissionResult::Reject => AdmissionStatus::Rejected,
        AdmissionResult::Revoke => return Err(Error::internal("a decision is not taken back together with others")),
    };
    let after: Vec<Person> = people.iter().map(|person| Person { status, ..person.clone() }).collect();
    write(tx, &after).await?;
    let ids: Vec<i64> = after.iter().map(|person| person.id).collect();
    note(tx, &ids, decision.remark.as_deref()).await?;
    let mut changes: Vec<Change> = people
        .iter()
        .zip(&after)
        .map(|(before, after)| changed(before, after).because(decision.remark.as_deref()))
        .collect();
    if decision.result == AdmissionResult::Pass {
        changes.extend(opening::open(tx, &ids).await?);
        tell(tx, &ids).await?;
    }
    Ok(changes)
}

/// Tells people that they are admitted (01 §12, scene admission_result): those of a major together.
async fn tell(tx: &mut Tx, ids: &[i64]) -> Result<()> {
    let rows = sqlx::query!(
        r#"select l.name as "level!", m.name as "major!", array_agg(a.id order by a.id) as "ids!"
           from admission a
           join level l on l.id = a.level_id
           join major m on m.id = a.major_id
           where a.id = any($1)
           group by l.id, l.name, m.id, m.name
           order by l.id, m.id"#,
        ids
    )
    .fetch_all(&mut **tx)
    .await?;
    for row in rows {
        let people = row.ids.into_iter().map(|id| Told { kind: PersonKind::Admission, id }).collect();
        let values = [("major".to_owned(), row.major), ("level".to_owned(), row.level)].into();
        notify(tx, "admission_result", Persons::Recipients(people), values, None).await?;
    }
    Ok(())
}

/// Who decided, when, and what was said.
async fn note(tx: &mut Tx, ids: &[i64], remark: Option<&str>) -> Result<()> {
    let (by, now) = (tx.by(), tx.app().clock().now());
    sqlx::query!(
        "update admission set audit_remark = $2, audited_by = $3, audited_at = $4 where id = any($1)",
        ids,
        remark,
        by,
        now as _
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// A decision is taken back while its batch goes on: who had passed reports no more, who was rejected has their site again where
/// it has room.
async fn taken_back(tx: &mut Tx, before: Person, decision: &Decision) -> Result<(Vec<Change>, Vec<String>)> {
    let mut after = before.clone();
    let mut changes = Vec::new();
    let mut warnings = Vec::new();
    share_open(tx, before.batch_id).await?;
    match before.status {
        AdmissionStatus::Audited => {
            changes.extend(opening::withdraw(tx, before.id).await?);
            after.status = AdmissionStatus::Assigned;
        }
        AdmissionStatus::Rejected => {
            after.status = AdmissionStatus::Imported;
            if let Some(site) = after.site_id.take() {
                let mut placer = Placer::hold(tx, std::slice::from_ref(&after), &[site]).await?;
                warnings.extend(placer.place(&mut after, site).unwrap_or_else(Some));
            }
        }
        AdmissionStatus::Imported | AdmissionStatus::Assigned | AdmissionStatus::Cancelled => {
            return Err(Error::conflict(format!("当前状态为{}，没有可以撤销的审核", before.status.zh())));
        }
    }
    write(tx, std::slice::from_ref(&after)).await?;
    // Nobody has audited who waits again; why is told by the trail.
    sqlx::query!(
        "update admission set audit_remark = null, audited_by = null, audited_at = null where id = $1",
        before.id
    )
    .execute(&mut **tx)
    .await?;
    changes.insert(0, changed(&before, &after).because(decision.remark.as_deref()));
    Ok((changes, warnings))
}

/// 批量审核录取
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub(crate) struct AuditAll {
    result: AdmissionResult,
    remark: Option<String>,
    confirm_duplicate: Option<bool>,
}

impl Step for AuditAll {
    const KIND: &'static str = "admission.audit";
    const TITLE: &'static str = "批量审核录取";
    type Permission = AuditAdmissions;
    type Item = AdmissionItem;
    type List = ExportAdmissions;

    fn item(row: &AdmissionRow) -> AdmissionItem {
        as_listed(row)
    }

    async fn in_order(&self, connection: &mut PgConnection, items: Vec<AdmissionItem>) -> Result<Vec<AdmissionItem>> {
        super::matching::by_score(connection, items).await
    }

    async fn run(&self, mut tx: Tx, items: Vec<AdmissionItem>, scope: &Scope) -> Result<BulkResult> {
        let decision = Decision {
            result: self.result,
            remark: self.remark.clone(),
            confirmed: self.confirm_duplicate == Some(true),
        };
        let Rows { people, mut failed } = rows(&mut tx, &items, scope, |_| Ok(())).await?;
        let ids: Vec<i64> = people.iter().map(|person| person.id).collect();
        let students = students(&mut tx, &ids).await?;
        let mut allowed = Vec::with_capacity(people.len());
        for person in people {
            match decision.allow(&person, students.get(&person.id)) {
                Ok(()) => allowed.push(person),
                Err(why) => {
                    failed.push(BulkFailure { id: person.id, name: person.name, msg: why.msg.into_owned() });
                }
            }
        }
        let done = i64::try_from(allowed.len()).unwrap_or(i64::MAX);
        let changes = decided(&mut tx, &allowed, &decision).await?;
        tx.commit_all(changes).await?;
        Ok(BulkResult { done, failed })
    }
}
