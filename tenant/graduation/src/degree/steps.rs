//! 申请, 审核, 评定 and 授予.

use std::collections::HashSet;

use certificates::offered::award_degrees;
use chrono::NaiveDate;
use graduation_rules::{decide::result, degree::audit, graduation::Item as Said};
use infra::{
    Allowed, Body, Bulk, BulkResult, Change, Error, OnConstraint, Reply, Result, Scope, Tx,
    access::Permission,
    across::{Item, Keyed},
    jobs::{self, JobKind, JobRun, NewJob, Outcome},
    reply,
    steps::Stepped,
};
use poem_openapi::{Object, OpenApi, types::Example};
use scenes::{Person, PersonKind, Persons, notify};
use serde_json::{Value, json};
use sqlx::PgConnection;

use super::{AuditDegrees, AwardDegrees, DecideDegrees, Degree, Degrees};
use crate::{
    enums::{DegreeDecision, DegreeSource, DegreeStatus, GraduationAuditResult, RulePurpose},
    load,
    user::audit::Columns,
};

pub const JOB: JobKind =
    JobKind { kind: "degree.audit", code: Some(AuditDegrees::CODE), run: |run| Box::pin(work(run)), headings: None };

/// So many are examined while the call waits, and in one part of a job.
const AT_ONCE: usize = 500;

/// An application as it was read.
#[derive(Debug, Clone, Copy, Object)]
#[oai(example)]
pub struct DegreeItem {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
}

impl Example for DegreeItem {
    fn example() -> Self {
        Self { id: 1, version: 1 }
    }
}

impl Item for DegreeItem {
    fn id(&self) -> i64 {
        self.id
    }
}

/// Applications that are examined.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct DegreesAudit {
    /// 编号
    /// 与毕业批次二选一
    #[oai(validator(min_items = 1, max_items = 20000))]
    pub ids: Option<Vec<i64>>,
    /// 毕业批次
    /// 审核该批次的全部申请
    pub batch_id: Option<i64>,
}

impl Example for DegreesAudit {
    fn example() -> Self {
        Self { ids: Some(vec![1]), batch_id: None }
    }
}

/// What the committee decided.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct DegreesDecide {
    /// 勾选的记录
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub items: Vec<DegreeItem>,
    /// 评定
    pub decision: DegreeDecision,
    /// 评定日期
    pub committee_date: NaiveDate,
    /// 会议编号
    #[oai(validator(min_length = 1, max_length = 60))]
    pub committee_no: String,
    /// 主席
    /// 不填时为设置中的学位评定委员会主席
    #[oai(validator(max_length = 30))]
    pub chair_name: Option<String>,
    /// 原因
    /// 不授予时必填
    #[oai(validator(max_length = 200))]
    pub reason: Option<String>,
}

impl Example for DegreesDecide {
    fn example() -> Self {
        Self {
            items: vec![DegreeItem::example()],
            decision: DegreeDecision::Approved,
            committee_date: NaiveDate::from_ymd_opt(2028, 6, 20).unwrap_or_default(),
            committee_no: "2028-1".to_owned(),
            chair_name: None,
            reason: None,
        }
    }
}

/// Degrees that are awarded.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct DegreesAward {
    /// 勾选的记录
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub items: Vec<DegreeItem>,
}

impl Example for DegreesAward {
    fn example() -> Self {
        Self { items: vec![DegreeItem::example()] }
    }
}

pub struct DegreeSteps;

#[OpenApi(prefix_path = "/adult/pc/degree", tag = "crate::Tag::Graduation")]
impl DegreeSteps {
    /// 学位审核
    /// 超过500份时转为后台任务
    #[oai(path = "/audit", method = "post", operation_id = "auditDegrees")]
    async fn audit(&self, caller: Allowed<AuditDegrees>, Body(wanted): Body<DegreesAudit>) -> Result<Reply<Stepped>> {
        if wanted.ids.is_some() == wanted.batch_id.is_some() {
            return Err(Error::field("ids", "请选择学位申请或毕业批次"));
        }
        let ids = waiting(&mut *caller.read().await?, wanted.batch_id, wanted.ids.as_deref(), &caller.scope()).await?;
        if ids.is_empty() {
            return Err(Error::conflict("没有可以审核的学位申请"));
        }
        if ids.len() > AT_ONCE {
            let job = NewJob {
                kind: JOB.kind,
                target: wanted.batch_id.map_or_else(|| caller.user_id().to_string(), |batch| format!("batch:{batch}")),
                title: format!("学位审核（{}份）", ids.len()),
                params: json!({ "ids": ids }),
            };
            let job_id = Some(jobs::start(caller.caller(), job).await?);
            return Ok(reply(Stepped { job_id, ..Stepped::default() }));
        }
        let mut tx = caller.begin_long().await?;
        let changes = audit_all(&mut tx, &ids).await?;
        let done = i64::try_from(changes.len()).map_err(Error::internal)?;
        tx.commit_all(changes).await?;
        Ok(reply(Stepped { done, ..Stepped::default() }))
    }

    /// 学位评定
    #[oai(path = "/decide", method = "put", operation_id = "decideDegrees")]
    async fn decide(
        &self,
        caller: Allowed<DecideDegrees>,
        Body(wanted): Body<DegreesDecide>,
    ) -> Result<Reply<BulkResult>> {
        let reason = wanted.reason.as_deref().map(str::trim).filter(|reason| !reason.is_empty());
        match wanted.decision {
            DegreeDecision::None => return Err(Error::field("decision", "请选择评定结果")),
            DegreeDecision::Refused if reason.is_none() => return Err(Error::field("reason", "请填写不授予的原因")),
            DegreeDecision::Approved | DegreeDecision::Refused => {}
        }
        let mut tx = caller.begin().await?;
        if wanted.committee_date > tx.app().clock().today() {
            return Err(Error::field("committeeDate", "评定日期不能晚于今天"));
        }
        let chair = match wanted.chair_name.as_deref().map(str::trim).filter(|chair| !chair.is_empty()) {
            Some(chair) => chair.to_owned(),
            None => super::DEGREE_CHAIR_NAME.value(&mut tx).await?.as_str().unwrap_or_default().to_owned(),
        };
        let by = caller.session.real_name.clone();
        let said = Committee { wanted: &wanted, chair: &chair, reason, by: &by };
        let mut items = wanted.items.clone();
        items.sort_by_key(|item| item.id);
        let mut bulk = Bulk::named(tx, NAMED, "name");
        for item in items {
            let outcome = decide(bulk.row().await?, item, &said, &caller.scope()).await;
            bulk.ended(item.id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 授予学位
    /// 给出学位证书编号
    #[oai(path = "/award", method = "put", operation_id = "awardDegrees")]
    async fn award(
        &self,
        caller: Allowed<AwardDegrees>,
        Body(wanted): Body<DegreesAward>,
    ) -> Result<Reply<BulkResult>> {
        let mut items = wanted.items;
        items.sort_by_key(|item| item.id);
        let mut bulk = Bulk::named(caller.begin().await?, NAMED, "name");
        for item in items {
            let outcome = award(bulk.row().await?, item, &caller.scope()).await;
            bulk.ended(item.id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }
}

/// Names of rows in answers.
const NAMED: &str =
    "(select a.id, y.name from degree_application a join student y on y.id = a.student_id) degree_application";

/// Adds an application.
///
/// # Errors
/// 409 for who may not apply, or has applied; 422 at the batch.
pub(super) async fn apply(tx: &mut Tx, student: i64, batch: i64, source: DegreeSource) -> Result<Change> {
    let asked = sqlx::query!(
        r#"select b.degree_enabled as "enabled!", b.status as "status!",
                  exists (select from graduation_user g where g.batch_id = b.id and g.student_id = $2
                          and g.status not in ('removed', 'revoked')) as "listed!",
                  (select l.entry_level <> 'high_school_to_associate' from student y join level l on l.id = y.level_id
                   where y.id = $2) as "bachelor!"
           from graduation_batch b where b.id = $1"#,
        batch,
        student
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(|| Error::field("batchId", "所选毕业批次不存在，请重新选择"))?;
    if !asked.bachelor {
        return Err(Error::conflict("只有本科层次可以申请学士学位"));
    }
    if !asked.enabled || asked.status == "draft" || asked.status == "archived" {
        return Err(Error::conflict("该毕业批次没有开放学位申请"));
    }
    if !asked.listed {
        return Err(Error::conflict("该生不在所选毕业批次中"));
    }
    let (by, today) = (tx.by(), tx.app().clock().today());
    let id = sqlx::query_scalar!(
        "insert into degree_application (student_id, batch_id, applied_on, source, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $5) returning id",
        student,
        batch,
        today,
        source.as_str(),
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(|constraint| {
        (constraint == "degree_application_open_taken").then(|| Error::conflict("已有学位申请，不能重复申请"))
    })?;
    let what = json!({ "studentId": student, "batchId": batch, "source": source.as_str() });
    Ok(Change::event("degree_application", id, "insert", what))
}

/// Applications that may be examined and lie within the scope.
async fn waiting(
    connection: &mut PgConnection,
    batch: Option<i64>,
    ids: Option<&[i64]>,
    scope: &Scope,
) -> Result<Vec<i64>> {
    Ok(sqlx::query_scalar!(
        "select a.id from degree_application a join student y on y.id = a.student_id
         where ($1::bigint is null or a.batch_id = $1) and ($2::bigint[] is null or a.id = any($2))
           and a.status in ('applied', 'audited')
           and ($3::bigint[] is null or y.site_id = any($3) or y.class_id = any($4::bigint[]))
         order by a.id",
        batch,
        ids,
        scope.sites(),
        scope.classes()
    )
    .fetch_all(connection)
    .await?)
}

async fn work(run: JobRun) -> Result<Outcome> {
    let ids: Vec<i64> = run.params["ids"].as_array().into_iter().flatten().filter_map(Value::as_i64).collect();
    let scope = run.scope(AuditDegrees::CODE).await?;
    let mut read = run.read().await?;
    let ids = waiting(&mut read, None, Some(&ids), &scope).await?;
    drop(read);
    let total = i64::try_from(ids.len()).map_err(Error::internal)?;
    let mut done = 0;
    for part in ids.chunks(AT_ONCE) {
        run.progress("学位审核", done, total).await?;
        let mut tx = run.begin().await?;
        let changes = audit_all(&mut tx, part).await?;
        tx.commit_all(changes).await?;
        done += i64::try_from(part.len()).map_err(Error::internal)?;
    }
    Ok(Outcome { message: format!("已审核{total}份学位申请"), ..Outcome::default() })
}

/// Examines applications, which are held by id.
///
/// # Errors
/// Those of the database.
pub(crate) async fn audit_all(tx: &mut Tx, ids: &[i64]) -> Result<Vec<Change>> {
    let rows = sqlx::query!(
        r#"select id, student_id, applied_on, status as "status: DegreeStatus" from degree_application
           where id = any($1) and status in ('applied', 'audited') order by id for update"#,
        ids
    )
    .fetch_all(&mut **tx)
    .await?;
    let now = tx.app().clock().now();
    let applied: Vec<(i64, NaiveDate)> = rows.iter().map(|row| (row.student_id, row.applied_on)).collect();
    let rules = load::rules(tx, RulePurpose::Degree).await?;
    let facts = load::degree(tx, &applied).await?;
    let mut judged: Vec<(i64, Vec<Said>, &'static str)> = Vec::with_capacity(rows.len());
    for row in rows {
        let Some(fact) = facts.get(&row.student_id) else { continue };
        let items = audit(&rules, fact);
        let result = result(&items, &HashSet::new()).as_str();
        judged.push((row.id, items, result));
    }
    write_items(tx, &judged).await?;
    let owners: Vec<i64> = judged.iter().map(|(id, _, _)| *id).collect();
    let results: Vec<String> = judged.iter().map(|(_, _, result)| (*result).to_owned()).collect();
    let by = tx.by();
    sqlx::query!(
        "update degree_application a set audit_result = w.result, audited_at = $3, status = 'audited', updated_at = $3,
                updated_by = $4, version = a.version + 1
         from unnest($1::bigint[], $2::text[]) as w (id, result) where a.id = w.id",
        &owners,
        &results,
        now as _,
        by
    )
    .execute(&mut **tx)
    .await?;
    let change = |(id, _, result): &(i64, Vec<Said>, &'static str)| {
        Change::event("degree_application", *id, "audit", json!({ "result": result }))
    };
    Ok(judged.iter().map(change).collect())
}

/// Writes what the rules said anew.
async fn write_items(tx: &mut Tx, judged: &[(i64, Vec<Said>, &'static str)]) -> Result<()> {
    let items: Vec<(i64, &Said)> =
        judged.iter().flat_map(|(id, items, _)| items.iter().map(move |item| (*id, item))).collect();
    let owners: Vec<i64> = judged.iter().map(|(id, _, _)| *id).collect();
    let columns = Columns::of(&items);
    let by = tx.by();
    sqlx::query!("delete from graduation_audit_item where degree_application_id = any($1)", &owners)
        .execute(&mut **tx)
        .await?;
    sqlx::query!(
        "insert into graduation_audit_item (degree_application_id, rule_code, severity, passed, required, actual, explanation, detail,
                                            created_by, updated_by)
         select w.owner, w.code, w.severity, w.passed, w.required, w.actual, w.explanation, w.detail, $9::bigint, $9::bigint
         from unnest($1::bigint[], $2::text[], $3::text[], $4::boolean[], $5::text[], $6::text[], $7::text[], $8::jsonb[])
              as w (owner, code, severity, passed, required, actual, explanation, detail)",
        &columns.owners,
        &columns.codes,
        &columns.severities,
        &columns.passed,
        &columns.required,
        &columns.actual,
        &columns.explanations,
        &columns.details,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// What the committee said.
struct Committee<'a> {
    wanted: &'a DegreesDecide,
    chair: &'a str,
    reason: Option<&'a str>,
    by: &'a str,
}

async fn held(tx: &mut Tx, item: DegreeItem, scope: &Scope) -> Result<Degree> {
    tx.lock("degree_application", item.id).await?;
    let found = Degrees::find(tx, item.id, scope).await?;
    if found.version == item.version { Ok(found) } else { Err(tx.stale("degree_application", item.id).await) }
}

/// # Errors
/// 409 for one that was not examined, or does not fit.
async fn decide(tx: &mut Tx, item: DegreeItem, said: &Committee<'_>, scope: &Scope) -> Result<Change> {
    let before = held(tx, item, scope).await?;
    if before.status != DegreeStatus::Audited {
        return Err(Error::conflict(format!("学位申请{}，不能评定", before.status.zh())));
    }
    let to = match said.wanted.decision {
        DegreeDecision::Refused => DegreeStatus::Refused,
        DegreeDecision::Approved | DegreeDecision::None => DegreeStatus::Approved,
    };
    if to == DegreeStatus::Approved {
        if before.audit_result != GraduationAuditResult::Passed {
            return Err(Error::conflict(format!("不符合学位授予条件：{}", before.explanations.join("；"))));
        }
        fresh(tx, item.id).await?;
    }
    let (by, now) = (tx.by(), tx.app().clock().now());
    sqlx::query!(
        "update degree_application set decision = $2, committee_date = $3, committee_no = $4, chair_name = nullif($5, ''), reason = $6,
                decided_by_name = $7, decided_at = $8, status = $9, updated_at = $8, updated_by = $10, version = version + 1
         where id = $1",
        item.id,
        said.wanted.decision.as_str(),
        said.wanted.committee_date,
        said.wanted.committee_no,
        said.chair,
        said.reason,
        said.by,
        now as _,
        to.as_str(),
        by
    )
    .execute(&mut **tx)
    .await?;
    if to == DegreeStatus::Refused {
        tell(tx, item.id, before.student_id, "未通过", said.reason.unwrap_or_default()).await?;
    }
    let change = Change::status("degree_application", item.id, "status", before.status.as_str(), to.as_str());
    Ok(change.because(said.reason))
}

/// # Errors
/// 409 when a score of the student counted anew since the audit.
async fn fresh(tx: &mut Tx, id: i64) -> Result<()> {
    let stale = sqlx::query_scalar!(
        r#"select exists (select from degree_application a
                          join course_score c on c.student_id = a.student_id and c.counted_at > a.audited_at
                          where a.id = $1) as "stale!""#,
        id
    )
    .fetch_one(&mut **tx)
    .await?;
    if stale { Err(Error::conflict("审核结果已过期，请重新审核")) } else { Ok(()) }
}

/// Ends the degree of somebody whose graduation is taken back, so that they may apply again when they graduate anew.
///
/// # Errors
/// Those of the database.
pub(crate) async fn taken_back(tx: &mut Tx, student: i64, reason: &str) -> Result<Vec<Change>> {
    let (by, now) = (tx.by(), tx.app().clock().now());
    let ids = sqlx::query_scalar!(
        "update degree_application set status = 'refused', decision = 'refused', awarded_at = null, reason = $2, updated_at = $3,
                updated_by = $4, version = version + 1
         where student_id = $1 and status = 'awarded' returning id",
        student,
        format!("撤销毕业：{reason}"),
        now as _,
        by
    )
    .fetch_all(&mut **tx)
    .await?;
    let change = |id: i64| {
        let (from, to) = (DegreeStatus::Awarded.as_str(), DegreeStatus::Refused.as_str());
        Change::status("degree_application", id, "status", from, to).because(Some(reason))
    };
    Ok(ids.into_iter().map(change).collect())
}

/// # Errors
/// 409 for one that was not approved, or whose graduation has no certificate yet.
async fn award(tx: &mut Tx, item: DegreeItem, scope: &Scope) -> Result<Change> {
    let before = held(tx, item, scope).await?;
    // Whose certificate was void gets another number.
    let again = before.status == DegreeStatus::Awarded && before.certificate_no.is_none();
    if before.status != DegreeStatus::Approved && !again {
        return Err(Error::conflict(format!("学位申请{}，不能授予", before.status.zh())));
    }
    let graduated = sqlx::query_scalar!(
        r#"select exists (select from certificate where student_id = $1 and kind = 'graduation' and status <> 'voided') as "graduated!""#,
        before.student_id
    )
    .fetch_one(&mut **tx)
    .await?;
    if !graduated {
        return Err(Error::conflict("该生还没有毕业证书编号"));
    }
    let numbered = award_degrees(tx, &[(before.student_id, before.batch_id)]).await?;
    tx.record(&numbered).await?;
    let (by, now) = (tx.by(), tx.app().clock().now());
    sqlx::query!(
        "update degree_application set status = 'awarded', awarded_at = $2, updated_at = $2, updated_by = $3, version = version + 1
         where id = $1",
        item.id,
        now as _,
        by
    )
    .execute(&mut **tx)
    .await?;
    tell(tx, item.id, before.student_id, "授予学士学位", "").await?;
    Ok(Change::status("degree_application", item.id, "status", before.status.as_str(), DegreeStatus::Awarded.as_str()))
}

async fn tell(tx: &mut Tx, id: i64, student: i64, result: &str, remark: &str) -> Result<()> {
    let values = [("result".to_owned(), result.to_owned()), ("remark".to_owned(), remark.to_owned())].into();
    let people = vec![Person { kind: PersonKind::Student, id: student }];
    notify(tx, "degree_result", Persons::Recipients(people), values, Some(&format!("degree_result:{id}:{result}")))
        .await
}
