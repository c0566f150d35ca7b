//! 添加, 审核, 初审, 终审, 豁免, 移出 and 撤销 of graduates.

use std::collections::BTreeMap;

use certificates::{enums::CertificateKind, offered as certificates_of};
use graduation_rules::{
    decide::may,
    enums::{GraduationBatchKind, GraduationBatchStatus},
    steps::{UserTurn, user_after},
};
use infra::{
    Allowed, Body, Bulk, BulkResult, Change, Error, OnConstraint, Reply, Result, Saved, Scope, Tx,
    across::{Item, Keyed},
    files::{Takes, adopt_of},
    jobs::{self, NewJob},
    reply,
    steps::{Chosen, Step, Stepped, inside},
};
use poem_openapi::{Object, OpenApi, types::Example};
use serde_json::json;
use sqlx::PgConnection;
use student_status::student::ending::reopen_status;

use super::{
    AddGraduates, AuditGraduates, CheckGraduates, DecideGraduates, GraduationUser, GraduationUserFilter,
    RemoveGraduates, RevokeGraduate, Users, WaiveGraduate,
    audit::{self, audit_users, waiting},
};
use crate::{
    enums::{GraduationDecision, GraduationUserStatus, SiteOpinion},
    person,
};

/// So many are examined while the call waits.
const DIRECT: usize = 500;
/// Upload purpose of evidence.
const EVIDENCE: &str = "registration";

/// A graduate as they were read.
#[derive(Debug, Clone, Copy, Object)]
#[oai(example)]
pub struct GraduateItem {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
}

impl Example for GraduateItem {
    fn example() -> Self {
        Self { id: 1, version: 1 }
    }
}

impl Item for GraduateItem {
    fn id(&self) -> i64 {
        self.id
    }
}

/// Students who come into a batch.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct GraduatesAdd {
    /// 毕业批次
    pub batch_id: i64,
    /// 学生
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub student_ids: Vec<i64>,
}

impl Example for GraduatesAdd {
    fn example() -> Self {
        Self { batch_id: 1, student_ids: vec![1] }
    }
}

/// Graduates who are examined.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct GraduatesAudit {
    /// 编号
    #[oai(validator(min_items = 1, max_items = 20000))]
    pub ids: Vec<i64>,
}

impl Example for GraduatesAudit {
    fn example() -> Self {
        Self { ids: vec![1] }
    }
}

/// What a site thinks of graduates.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct GraduatesCheck {
    #[oai(flatten)]
    pub rows: Chosen<GraduateItem, GraduationUserFilter>,
    /// 意见
    pub opinion: SiteOpinion,
    /// 说明
    /// 不同意时必填
    #[oai(validator(max_length = 200))]
    pub remark: Option<String>,
}

impl Example for GraduatesCheck {
    fn example() -> Self {
        Self { rows: Chosen::items(vec![GraduateItem::example()]), opinion: SiteOpinion::Agree, remark: None }
    }
}

/// What is decided of graduates.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct GraduatesDecide {
    #[oai(flatten)]
    pub rows: Chosen<GraduateItem, GraduationUserFilter>,
    /// 结论
    pub decision: GraduationDecision,
    /// 说明
    /// 结业和肄业时必填
    #[oai(validator(max_length = 200))]
    pub reason: Option<String>,
}

impl Example for GraduatesDecide {
    fn example() -> Self {
        let rows = Chosen::items(vec![GraduateItem::example()]);
        Self { rows, decision: GraduationDecision::Graduate, reason: None }
    }
}

/// Graduates who leave a batch.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct GraduatesRemove {
    #[oai(flatten)]
    pub rows: Chosen<GraduateItem, GraduationUserFilter>,
    /// 原因
    #[oai(validator(min_length = 2, max_length = 200))]
    pub reason: String,
}

impl Example for GraduatesRemove {
    fn example() -> Self {
        Self { rows: Chosen::items(vec![GraduateItem::example()]), reason: "本人申请延期".to_owned() }
    }
}

/// A rule that is waived for somebody.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct GraduateWaive {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 条件
    #[oai(validator(max_length = 40))]
    pub rule_code: String,
    /// 原因
    #[oai(validator(min_length = 2, max_length = 200))]
    pub reason: String,
    /// 证明材料
    #[oai(validator(min_length = 1, max_length = 200))]
    pub file_key: String,
}

impl Example for GraduateWaive {
    fn example() -> Self {
        Self {
            id: 1,
            version: 1,
            rule_code: "fee".to_owned(),
            reason: "已办理缓交".to_owned(),
            file_key: "private/school_1/2028/07/evidence.pdf".to_owned(),
        }
    }
}

/// A graduation that is taken back.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct GraduateRevoke {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 原因
    #[oai(validator(min_length = 2, max_length = 200))]
    pub reason: String,
    /// 证明材料
    #[oai(validator(min_length = 1, max_length = 200))]
    pub file_key: String,
    /// 证书已收回
    #[oai(default)]
    pub certificate_returned: bool,
}

impl Example for GraduateRevoke {
    fn example() -> Self {
        Self {
            id: 1,
            version: 1,
            reason: "学术不端".to_owned(),
            file_key: "private/school_1/2028/07/evidence.pdf".to_owned(),
            certificate_returned: true,
        }
    }
}

pub struct UserSteps;

#[OpenApi(prefix_path = "/adult/pc/graduate/user", tag = "crate::Tag::Graduation")]
impl UserSteps {
    /// 添加毕业生
    #[oai(path = "/add", method = "post", operation_id = "addGraduates")]
    async fn add(&self, caller: Allowed<AddGraduates>, Body(wanted): Body<GraduatesAdd>) -> Result<Reply<BulkResult>> {
        let mut tx = caller.begin().await?;
        auditing(&mut tx, wanted.batch_id).await?;
        let mut students = wanted.student_ids;
        students.sort_unstable();
        students.dedup();
        let mut bulk = Bulk::new(tx, "student");
        for student in students {
            let outcome = add(bulk.row().await?, wanted.batch_id, student, &caller.scope()).await;
            bulk.ended(student, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 毕业审核
    /// 超过500人时转为后台任务
    #[oai(path = "/audit", method = "post", operation_id = "auditGraduates")]
    async fn audit(
        &self,
        caller: Allowed<AuditGraduates>,
        Body(wanted): Body<GraduatesAudit>,
    ) -> Result<Reply<Stepped>> {
        let ids = waiting(&mut *caller.read().await?, None, Some(&wanted.ids), &caller.scope()).await?;
        if ids.is_empty() {
            return Err(Error::conflict("没有可以审核的毕业生"));
        }
        if ids.len() > DIRECT {
            let new = NewJob {
                kind: audit::JOB.kind,
                target: caller.user_id().to_string(),
                title: format!("毕业审核（{}人）", ids.len()),
                params: json!({ "ids": ids }),
            };
            let job_id = Some(jobs::start(caller.caller(), new).await?);
            return Ok(reply(Stepped { job_id, ..Stepped::default() }));
        }
        let mut tx = caller.begin_long().await?;
        let (changes, _) = audit_users(&mut tx, &ids).await?;
        let done = i64::try_from(changes.len()).map_err(Error::internal)?;
        tx.commit_all(changes).await?;
        Ok(reply(Stepped { done, ..Stepped::default() }))
    }

    /// 站点初审
    #[oai(path = "/siteCheck", method = "put", operation_id = "checkGraduates")]
    async fn check(
        &self,
        caller: Allowed<CheckGraduates>,
        Body(wanted): Body<GraduatesCheck>,
    ) -> Result<Reply<Stepped>> {
        let remark = said(wanted.remark);
        match wanted.opinion {
            SiteOpinion::None => return Err(Error::field("opinion", "请选择意见")),
            SiteOpinion::Disagree if remark.is_none() => return Err(Error::field("remark", "不同意时请填写说明")),
            SiteOpinion::Agree | SiteOpinion::Disagree => {}
        }
        let step = CheckAll { opinion: wanted.opinion, remark, by: caller.session.real_name.clone() };
        Ok(reply(inside(&caller, wanted.rows, step).await?))
    }

    /// 毕业终审
    #[oai(path = "/decide", method = "put", operation_id = "decideGraduates")]
    async fn decide(
        &self,
        caller: Allowed<DecideGraduates>,
        Body(wanted): Body<GraduatesDecide>,
    ) -> Result<Reply<Stepped>> {
        let reason = said(wanted.reason);
        match wanted.decision {
            GraduationDecision::None => return Err(Error::field("decision", "请选择终审结论")),
            GraduationDecision::Complete | GraduationDecision::Incomplete if reason.is_none() => {
                return Err(Error::field("reason", "请填写说明"));
            }
            _ => {}
        }
        let step = DecideAll { decision: wanted.decision, reason, by: caller.session.real_name.clone() };
        Ok(reply(inside(&caller, wanted.rows, step).await?))
    }

    /// 移出毕业名单
    #[oai(path = "/remove", method = "put", operation_id = "removeGraduates")]
    async fn remove(
        &self,
        caller: Allowed<RemoveGraduates>,
        Body(wanted): Body<GraduatesRemove>,
    ) -> Result<Reply<Stepped>> {
        Ok(reply(inside(&caller, wanted.rows, RemoveAll { reason: wanted.reason }).await?))
    }

    /// 豁免毕业条件
    #[oai(path = "/waive", method = "put", operation_id = "waiveGraduationRule")]
    async fn waive(&self, caller: Allowed<WaiveGraduate>, Body(wanted): Body<GraduateWaive>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        // The batch before its graduate: the order in which a confirmation holds them.
        hold_batches(&mut tx, &[wanted.id]).await?;
        let before = held(&mut tx, GraduateItem { id: wanted.id, version: wanted.version }, &caller.scope()).await?;
        user_after(before.status, UserTurn::Waive).map_err(|why| Error::conflict(why.to_string()))?;
        auditing(&mut tx, before.batch_id).await?;
        waivable(&mut tx, &before, &wanted.rule_code).await?;
        let item = sqlx::query!(
            "select id, passed from graduation_audit_item where graduation_user_id = $1 and rule_code = $2 for update",
            wanted.id,
            wanted.rule_code
        )
        .fetch_optional(&mut *tx)
        .await?
        .ok_or_else(|| Error::conflict("请先进行毕业审核"))?;
        if item.passed {
            return Err(Error::conflict("该条件已通过，不需要豁免"));
        }
        let file = adopt_of(&mut tx, &wanted.file_key, ("graduation_user", wanted.id), EVIDENCE, Takes::Paper).await?;
        let (by, now) = (tx.by(), tx.app().clock().now());
        sqlx::query!(
            "update graduation_audit_item set waived = true, waive_reason = $2, waive_file_id = $3, waived_by_name = $4,
                    waived_at = $5, updated_at = $5, updated_by = $6, version = version + 1
             where id = $1",
            item.id,
            wanted.reason,
            file,
            caller.session.real_name,
            now as _,
            by
        )
        .execute(&mut *tx)
        .await?;
        let (mut changes, _) = audit_users(&mut tx, &[wanted.id]).await?;
        let what = json!({ "ruleCode": wanted.rule_code, "reason": wanted.reason });
        changes.insert(0, Change::event("graduation_user", wanted.id, "waive", what));
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 撤销毕业
    /// 恢复学籍，作废证书，解锁成绩
    #[oai(path = "/revoke", method = "put", operation_id = "revokeGraduate")]
    async fn revoke(
        &self,
        caller: Allowed<RevokeGraduate>,
        Body(wanted): Body<GraduateRevoke>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let found = Users::find(&mut tx, wanted.id, &caller.scope()).await?;
        tx.lock("student", found.student_id).await?;
        let mut changes = scores::offered::unlock_students(&mut tx, &[found.student_id]).await?;
        let before = held(&mut tx, GraduateItem { id: wanted.id, version: wanted.version }, &caller.scope()).await?;
        let to = user_after(before.status, UserTurn::Revoke).map_err(|why| Error::conflict(why.to_string()))?;
        in_force(&mut tx, &before).await?;
        changes.extend(reopen_status(&mut tx, before.student_id, &wanted.reason).await?);
        for kind in [CertificateKind::Degree, CertificateKind::Graduation, CertificateKind::Completion] {
            let voided = if wanted.certificate_returned {
                certificates_of::void_returned(&mut tx, before.student_id, kind, &wanted.reason).await?
            } else {
                certificates_of::void_of(&mut tx, before.student_id, kind, &wanted.reason).await?
            };
            changes.extend(voided);
        }
        changes.extend(crate::degree::steps::taken_back(&mut tx, before.student_id, &wanted.reason).await?);
        let file = adopt_of(&mut tx, &wanted.file_key, ("graduation_user", wanted.id), EVIDENCE, Takes::Paper).await?;
        let by = tx.by();
        sqlx::query!(
            "update graduation_user set status = $2, revoke_reason = $3, revoke_file_id = $4, updated_at = now(), updated_by = $5,
                    version = version + 1
             where id = $1",
            wanted.id,
            to.as_str(),
            wanted.reason,
            file,
            by
        )
        .execute(&mut *tx)
        .await?;
        let change = Change::status("graduation_user", wanted.id, "status", before.status.as_str(), to.as_str());
        changes.insert(0, change.because(Some(&wanted.reason)));
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id: wanted.id }))
    }
}

fn said(text: Option<String>) -> Option<String> {
    text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// Keeps a batch in its audit while its rows change.
///
/// # Errors
/// 404 for none; 409 for one that is not in its audit.
pub(crate) async fn auditing(tx: &mut Tx, batch: i64) -> Result<()> {
    let status = sqlx::query_scalar!(
        r#"select status as "status: GraduationBatchStatus" from graduation_batch where id = $1 for share"#,
        batch
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)?;
    if status == GraduationBatchStatus::Auditing {
        Ok(())
    } else {
        Err(Error::conflict(format!("毕业批次{}，不能修改名单", status.zh())))
    }
}

/// Whether a conclusion is the one that a student stands by: what a delay left as it was, or a later batch decided anew, is not taken
/// back here.
///
/// # Errors
/// 409 for one that has no effect, and for one that a later batch followed.
async fn in_force(tx: &mut Tx, user: &GraduationUser) -> Result<()> {
    if user.decision == GraduationDecision::Delay {
        return Err(Error::conflict("延期没有改变学籍，不需要撤销"));
    }
    let later = sqlx::query_scalar!(
        "select b.name from graduation_user g join graduation_batch b on b.id = g.batch_id
         where g.student_id = $1 and g.id > $2 and g.status = 'confirmed' and g.decision <> 'delay' order by g.id desc limit 1",
        user.student_id,
        user.id
    )
    .fetch_optional(&mut **tx)
    .await?;
    match later {
        Some(name) => Err(Error::conflict(format!("该生已在批次《{name}》中生效，请先撤销该批次的结论"))),
        None => Ok(()),
    }
}

/// A graduate who is held, in the version that was read.
async fn held(tx: &mut Tx, item: GraduateItem, scope: &Scope) -> Result<GraduationUser> {
    tx.lock("graduation_user", item.id).await?;
    let found = Users::find(tx, item.id, scope).await?;
    if found.version == item.version { Ok(found) } else { Err(tx.stale("graduation_user", item.id).await) }
}

async fn add(tx: &mut Tx, batch: i64, student: i64, scope: &Scope) -> Result<Change> {
    person::seen(tx, "studentIds", student, scope).await.map_err(|_| Error::new(404, person::NOT_YOURS))?;
    let by = tx.by();
    let open = sqlx::query_scalar!(
        "select b.name from graduation_user g join graduation_batch b on b.id = g.batch_id
         where g.student_id = $1 and g.status in ('listed', 'site_checked', 'decided') limit 1",
        student
    )
    .fetch_optional(&mut **tx)
    .await?;
    let taken = |name: String| Error::conflict(format!("该生已在批次《{name}》中"));
    if let Some(name) = open {
        return Err(taken(name));
    }
    let known = sqlx::query!(
        r#"select id, status as "status: GraduationUserStatus" from graduation_user
           where batch_id = $1 and student_id = $2 for update"#,
        batch,
        student
    )
    .fetch_optional(&mut **tx)
    .await?;
    let explain = |constraint: &str| {
        matches!(constraint, "graduation_user_open_taken" | "graduation_user_taken").then(|| taken("其他".to_owned()))
    };
    let Some(known) = known else {
        let id = sqlx::query_scalar!(
            "insert into graduation_user (batch_id, student_id, created_by, updated_by) values ($1, $2, $3, $3) returning id",
            batch,
            student,
            by
        )
        .fetch_one(&mut **tx)
        .await
        .on_constraint(explain)?;
        return Ok(Change::event("graduation_user", id, "insert", json!({ "batchId": batch, "studentId": student })));
    };
    let to = user_after(known.status, UserTurn::List).map_err(|why| Error::conflict(why.to_string()))?;
    sqlx::query!(
        "update graduation_user set status = $2, remove_reason = null, decision = 'none', decision_reason = null, decided_by = null,
                decided_by_name = null, decided_at = null, site_opinion = 'none', site_remark = null, site_by_name = null,
                site_at = null, updated_at = now(), updated_by = $3, version = version + 1
         where id = $1",
        known.id,
        to.as_str(),
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(explain)?;
    Ok(Change::status("graduation_user", known.id, "status", known.status.as_str(), to.as_str()))
}

/// # Errors
/// 409 for a rule that nobody may waive for this student.
async fn waivable(tx: &mut Tx, user: &GraduationUser, code: &str) -> Result<()> {
    let place = sqlx::query!("select grade_id, level_id, major_id from student where id = $1", user.student_id)
        .fetch_one(&mut **tx)
        .await?;
    let rules = crate::load::rules(tx, crate::enums::RulePurpose::Graduation).await?;
    let place = graduation_rules::rules::Place { grade: place.grade_id, level: place.level_id, major: place.major_id };
    match rules.at(code, place) {
        Some(rule) if rule.waivable => Ok(()),
        Some(_) => Err(Error::conflict("该条件不能豁免")),
        None => Err(Error::field("ruleCode", "没有这个条件")),
    }
}

fn item_of(row: &GraduationUser) -> GraduateItem {
    GraduateItem { id: row.id, version: row.version }
}

/// Rows in the order in which they are held, behind their batches.
async fn ordered(tx: &mut Tx, items: &mut [GraduateItem]) -> Result<()> {
    items.sort_by_key(|item| item.id);
    let ids: Vec<i64> = items.iter().map(|item| item.id).collect();
    hold_batches(tx, &ids).await
}

/// Keeps the batches of rows from being confirmed meanwhile.
async fn hold_batches(connection: &mut PgConnection, ids: &[i64]) -> Result<()> {
    sqlx::query_scalar!(
        "select b.id from graduation_batch b where b.id in (select g.batch_id from graduation_user g where g.id = any($1))
         order by b.id for share",
        ids
    )
    .fetch_all(connection)
    .await?;
    Ok(())
}

/// Names of rows in answers.
const NAMED: &str =
    "(select g.id, y.name from graduation_user g join student y on y.id = g.student_id) graduation_user";

/// 站点初审
#[derive(Debug, Object)]
pub(crate) struct CheckAll {
    opinion: SiteOpinion,
    remark: Option<String>,
    by: String,
}

impl Step for CheckAll {
    const KIND: &'static str = "graduation_user.site_check";
    const TITLE: &'static str = "站点初审";
    type Permission = CheckGraduates;
    type Item = GraduateItem;
    type List = Users;

    fn item(row: &GraduationUser) -> GraduateItem {
        item_of(row)
    }

    async fn run(&self, mut tx: Tx, mut items: Vec<GraduateItem>, scope: &Scope) -> Result<BulkResult> {
        ordered(&mut tx, &mut items).await?;
        let mut bulk = Bulk::named(tx, NAMED, "name");
        for item in items {
            let outcome = self.one(bulk.row().await?, item, scope).await;
            bulk.ended(item.id, outcome).await?;
        }
        bulk.commit().await
    }
}

impl CheckAll {
    async fn one(&self, tx: &mut Tx, item: GraduateItem, scope: &Scope) -> Result<Change> {
        let before = held(tx, item, scope).await?;
        auditing(tx, before.batch_id).await?;
        in_time(tx, before.batch_id).await?;
        let to = user_after(before.status, UserTurn::SiteCheck).map_err(|why| Error::conflict(why.to_string()))?;
        let (by, now) = (tx.by(), tx.app().clock().now());
        sqlx::query!(
            "update graduation_user set status = $2, site_opinion = $3, site_remark = $4, site_by_name = $5, site_at = $6,
                    updated_at = $6, updated_by = $7, version = version + 1
             where id = $1",
            item.id,
            to.as_str(),
            self.opinion.as_str(),
            self.remark,
            self.by,
            now as _,
            by
        )
        .execute(&mut **tx)
        .await?;
        let change = Change::status(
            "graduation_user",
            item.id,
            "siteOpinion",
            before.site_opinion.as_str(),
            self.opinion.as_str(),
        );
        Ok(change.because(self.remark.as_deref()))
    }
}

/// 毕业终审
#[derive(Debug, Object)]
pub(crate) struct DecideAll {
    decision: GraduationDecision,
    reason: Option<String>,
    by: String,
}

impl Step for DecideAll {
    const KIND: &'static str = "graduation_user.decide";
    const TITLE: &'static str = "毕业终审";
    type Permission = DecideGraduates;
    type Item = GraduateItem;
    type List = Users;

    fn item(row: &GraduationUser) -> GraduateItem {
        item_of(row)
    }

    async fn run(&self, mut tx: Tx, mut items: Vec<GraduateItem>, scope: &Scope) -> Result<BulkResult> {
        ordered(&mut tx, &mut items).await?;
        let mut bulk = Bulk::named(tx, NAMED, "name");
        for item in items {
            let outcome = self.one(bulk.row().await?, item, scope).await;
            bulk.ended(item.id, outcome).await?;
        }
        bulk.commit().await
    }
}

impl DecideAll {
    async fn one(&self, tx: &mut Tx, item: GraduateItem, scope: &Scope) -> Result<Change> {
        let before = held(tx, item, scope).await?;
        auditing(tx, before.batch_id).await?;
        let to = user_after(before.status, UserTurn::Decide).map_err(|why| Error::conflict(why.to_string()))?;
        let failed = failed_codes(tx, item.id).await?;
        let failed: Vec<&str> = failed.iter().map(String::as_str).collect();
        let kind = kind_of(tx, before.batch_id).await?;
        may(kind, self.decision, before.audit_result, before.stale, &failed).map_err(Error::conflict)?;
        let (by, now) = (tx.by(), tx.app().clock().now());
        sqlx::query!(
            "update graduation_user set status = $2, decision = $3, decision_reason = $4, decided_by = $5, decided_by_name = $6,
                    decided_at = $7, updated_at = $7, updated_by = $5, version = version + 1
             where id = $1",
            item.id,
            to.as_str(),
            self.decision.as_str(),
            self.reason,
            by,
            self.by,
            now as _
        )
        .execute(&mut **tx)
        .await?;
        let change =
            Change::status("graduation_user", item.id, "decision", before.decision.as_str(), self.decision.as_str());
        Ok(change.because(self.reason.as_deref()))
    }
}

async fn kind_of(connection: &mut PgConnection, batch: i64) -> Result<GraduationBatchKind> {
    Ok(sqlx::query_scalar!(r#"select kind as "kind: GraduationBatchKind" from graduation_batch where id = $1"#, batch)
        .fetch_one(connection)
        .await?)
}

/// Whether sites say now what they think: within the days of the batch, where it has some.
///
/// # Errors
/// 409 before and after them.
async fn in_time(tx: &mut Tx, batch: i64) -> Result<()> {
    let today = tx.app().clock().today();
    let days = sqlx::query!("select audit_starts_on, audit_ends_on from graduation_batch where id = $1", batch)
        .fetch_one(&mut **tx)
        .await?;
    if let Some(from) = days.audit_starts_on.filter(|from| today < *from) {
        return Err(Error::conflict(format!("站点初审自{from}开始")));
    }
    match days.audit_ends_on.filter(|to| today > *to) {
        Some(to) => Err(Error::conflict(format!("站点初审已于{to}结束"))),
        None => Ok(()),
    }
}

/// The rules that keep somebody from graduating, in their order.
async fn failed_codes(connection: &mut PgConnection, user: i64) -> Result<Vec<String>> {
    let codes = sqlx::query_scalar!(
        "select rule_code from graduation_audit_item
         where graduation_user_id = $1 and not passed and not waived and severity = 'must'",
        user
    )
    .fetch_all(connection)
    .await?;
    let placed: BTreeMap<&str, String> = codes
        .into_iter()
        .filter_map(|code| Some((graduation_rules::rules::label(crate::enums::RulePurpose::Graduation, &code)?, code)))
        .collect();
    Ok(placed.into_values().collect())
}

/// 移出毕业名单
#[derive(Debug, Object)]
pub(crate) struct RemoveAll {
    reason: String,
}

impl Step for RemoveAll {
    const KIND: &'static str = "graduation_user.remove";
    const TITLE: &'static str = "移出毕业名单";
    type Permission = RemoveGraduates;
    type Item = GraduateItem;
    type List = Users;

    fn item(row: &GraduationUser) -> GraduateItem {
        item_of(row)
    }

    async fn run(&self, mut tx: Tx, mut items: Vec<GraduateItem>, scope: &Scope) -> Result<BulkResult> {
        ordered(&mut tx, &mut items).await?;
        let mut bulk = Bulk::named(tx, NAMED, "name");
        for item in items {
            let outcome = self.one(bulk.row().await?, item, scope).await;
            bulk.ended(item.id, outcome).await?;
        }
        bulk.commit().await
    }
}

impl RemoveAll {
    async fn one(&self, tx: &mut Tx, item: GraduateItem, scope: &Scope) -> Result<Change> {
        let before = held(tx, item, scope).await?;
        let to = user_after(before.status, UserTurn::Remove).map_err(|why| Error::conflict(why.to_string()))?;
        auditing(tx, before.batch_id).await?;
        let by = tx.by();
        sqlx::query!(
            "update graduation_user set status = $2, remove_reason = $3, updated_at = now(), updated_by = $4, version = version + 1
             where id = $1",
            item.id,
            to.as_str(),
            self.reason,
            by
        )
        .execute(&mut **tx)
        .await?;
        let change = Change::status("graduation_user", item.id, "status", before.status.as_str(), to.as_str());
        Ok(change.because(Some(&self.reason)))
    }
}
