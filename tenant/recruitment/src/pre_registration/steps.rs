//! 审核, 恢复待审, 取消, 调整站点: how a pre-registration goes on (02 §3).

use infra::{
    Allowed, Body, Bulk, BulkResult, Change, Error, Reply, Result, Saved, Scope, Tx,
    across::Item,
    reply,
    steps::{Chosen, Step, Stepped, inside},
};
use poem_openapi::{Object, OpenApi, types::Example};
use recruitment_rules::steps::{Turn, after, require_reason};
use scenes::{Person, PersonKind, Persons, notify};

use super::{
    AuditPreRegistration, EditPreRegistration, ExportPreRegistrations, ReviewPreRegistrations,
    check::{Known, given, site_wrong},
    duplicates,
    edit::editable,
    form::PreRegistrationForm,
    list::{PreRegistrationFilter, PreRegistrationRow},
    view::{PreRegistration, find, lock},
};
use crate::{
    enums::{ExamStatus, PreRegistrationStatus},
    id_card,
};

pub use recruitment_rules::steps::{AuditResult, ReviewResult};

/// A pre-registration as it was read.
#[derive(Debug, Clone, Copy, Object)]
pub struct PreRegistrationItem {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
}

impl Item for PreRegistrationItem {
    fn id(&self) -> i64 {
        self.id
    }
}

/// What was decided about one.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct PreRegistrationAudit {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 审核结果
    pub result: AuditResult,
    /// 原因
    /// 退回和不通过时填写，2至200个字符
    #[oai(validator(max_length = 200))]
    pub remark: Option<String>,
}

impl Example for PreRegistrationAudit {
    fn example() -> Self {
        Self { id: 1, version: 1, result: AuditResult::Return, remark: Some("照片不清晰".to_owned()) }
    }
}

/// What was decided about several.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct PreRegistrationReview {
    #[oai(flatten)]
    pub rows: Chosen<PreRegistrationItem, PreRegistrationFilter>,
    /// 审核结果
    pub result: ReviewResult,
    /// 原因
    /// 退回和不通过时填写，2至200个字符
    #[oai(validator(max_length = 200))]
    pub remark: Option<String>,
}

impl Example for PreRegistrationReview {
    fn example() -> Self {
        Self {
            rows: Chosen::items(vec![PreRegistrationItem { id: 1, version: 1 }]),
            result: ReviewResult::Pass,
            remark: None,
        }
    }
}

/// A step with its reason, where one may be given.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct PreRegistrationStep {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 说明
    #[oai(validator(max_length = 200))]
    pub remark: Option<String>,
}

impl Example for PreRegistrationStep {
    fn example() -> Self {
        Self { id: 1, version: 1, remark: None }
    }
}

/// Several people to another site.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct PreRegistrationMove {
    #[oai(flatten)]
    pub rows: Chosen<PreRegistrationItem, PreRegistrationFilter>,
    /// 站点
    pub site_id: i64,
}

impl Example for PreRegistrationMove {
    fn example() -> Self {
        Self { rows: Chosen::items(vec![PreRegistrationItem { id: 1, version: 1 }]), site_id: 1 }
    }
}

/// Several people.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct PreRegistrationsChosen {
    #[oai(flatten)]
    pub rows: Chosen<PreRegistrationItem, PreRegistrationFilter>,
}

impl Example for PreRegistrationsChosen {
    fn example() -> Self {
        Self { rows: Chosen::items(vec![PreRegistrationItem { id: 1, version: 1 }]) }
    }
}

pub struct Steps;

#[OpenApi(prefix_path = "/adult/pc/preRegistration", tag = "crate::Tag::Recruitment")]
impl Steps {
    /// 审核预报名
    #[oai(path = "/audit", method = "post", operation_id = "auditPreRegistration")]
    async fn audit(
        &self,
        caller: Allowed<AuditPreRegistration>,
        Body(wanted): Body<PreRegistrationAudit>,
    ) -> Result<Reply<Saved>> {
        require_reason(wanted.result, wanted.remark.as_deref())?;
        let mut tx = caller.begin().await?;
        let item = PreRegistrationItem { id: wanted.id, version: wanted.version };
        let mut review = Review::new(caller.scope(), wanted.remark.as_deref());
        let change = review.transition(&mut tx, item, Turn::Audit(wanted.result)).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 批量审核预报名
    #[oai(path = "/batchReview", method = "post", operation_id = "reviewPreRegistrations")]
    async fn review(
        &self,
        caller: Allowed<ReviewPreRegistrations>,
        Body(wanted): Body<PreRegistrationReview>,
    ) -> Result<Reply<Stepped>> {
        let PreRegistrationReview { rows, result, remark } = wanted;
        if let Turn::Audit(result) = result.turn() {
            require_reason(result, remark.as_deref())?;
        }
        Ok(reply(inside(&caller, rows, ReviewAll { result, remark }).await?))
    }

    /// 预报名恢复待审
    #[oai(path = "/reopen", method = "post", operation_id = "reopenPreRegistration")]
    async fn reopen(
        &self,
        caller: Allowed<AuditPreRegistration>,
        Body(wanted): Body<PreRegistrationStep>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let item = PreRegistrationItem { id: wanted.id, version: wanted.version };
        let mut review = Review::new(caller.scope(), wanted.remark.as_deref());
        let change = review.transition(&mut tx, item, Turn::Reopen).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 取消预报名
    #[oai(path = "/cancel", method = "put", operation_id = "cancelPreRegistration")]
    async fn cancel(
        &self,
        caller: Allowed<EditPreRegistration>,
        Body(wanted): Body<PreRegistrationStep>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let item = PreRegistrationItem { id: wanted.id, version: wanted.version };
        let mut review = Review::new(caller.scope(), wanted.remark.as_deref());
        let change = review.transition(&mut tx, item, Turn::Cancel).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 标记未录取
    /// 省级录取结束后，已网报而未录取的人员
    #[oai(path = "/notAdmitted", method = "post", operation_id = "missPreRegistrations")]
    async fn not_admitted(
        &self,
        caller: Allowed<EditPreRegistration>,
        Body(wanted): Body<PreRegistrationsChosen>,
    ) -> Result<Reply<Stepped>> {
        Ok(reply(inside(&caller, wanted.rows, MissAll {}).await?))
    }

    /// 调整预报名站点
    #[oai(path = "/site", method = "post", operation_id = "movePreRegistrations")]
    async fn site(
        &self,
        caller: Allowed<EditPreRegistration>,
        Body(wanted): Body<PreRegistrationMove>,
    ) -> Result<Reply<Stepped>> {
        Ok(reply(inside(&caller, wanted.rows, MoveAll { site_id: wanted.site_id }).await?))
    }
}

/// 取消 by the person, who opened the row with the code of their own.
///
/// # Errors
/// 409 from a status that does not lead there, or when it changed since it was read.
pub(super) async fn cancel(tx: &mut Tx, item: PreRegistrationItem, remark: Option<&str>) -> Result<Change> {
    Review::new(Scope::whole_school(), remark).transition(tx, item, Turn::Cancel).await
}

fn as_listed(row: &PreRegistrationRow) -> PreRegistrationItem {
    PreRegistrationItem { id: row.id, version: row.version }
}

/// The rows of a step, held in the order of their numbers, as matching holds them, before the first of the list is looked at.
async fn held(mut tx: Tx, items: &[PreRegistrationItem]) -> Result<Bulk> {
    let ids: Vec<i64> = items.iter().map(|item| item.id).collect();
    sqlx::query_scalar!("select id from pre_registration where id = any($1) order by id for update", &ids)
        .fetch_all(&mut *tx)
        .await?;
    Ok(Bulk::new(tx, "pre_registration"))
}

/// 批量审核预报名
#[derive(Debug, Object)]
pub(super) struct ReviewAll {
    result: ReviewResult,
    remark: Option<String>,
}

impl Step for ReviewAll {
    const KIND: &'static str = "pre_registration.review";
    const TITLE: &'static str = "批量审核预报名";
    type Permission = ReviewPreRegistrations;
    type Item = PreRegistrationItem;
    type List = ExportPreRegistrations;

    fn item(row: &PreRegistrationRow) -> PreRegistrationItem {
        as_listed(row)
    }

    async fn run(&self, tx: Tx, items: Vec<PreRegistrationItem>, scope: &Scope) -> Result<BulkResult> {
        let mut bulk = held(tx, &items).await?;
        let mut review = Review::new(scope.clone(), self.remark.as_deref());
        for item in items {
            let outcome = review.transition(bulk.row().await?, item, self.result.turn()).await;
            bulk.ended(item.id, outcome).await?;
        }
        bulk.commit().await
    }
}

/// 标记未录取
#[derive(Debug, Object)]
pub(super) struct MissAll {}

impl Step for MissAll {
    const KIND: &'static str = "pre_registration.miss";
    const TITLE: &'static str = "标记未录取";
    type Permission = EditPreRegistration;
    type Item = PreRegistrationItem;
    type List = ExportPreRegistrations;

    fn item(row: &PreRegistrationRow) -> PreRegistrationItem {
        as_listed(row)
    }

    async fn run(&self, tx: Tx, items: Vec<PreRegistrationItem>, scope: &Scope) -> Result<BulkResult> {
        let mut bulk = held(tx, &items).await?;
        for item in items {
            let outcome = miss(bulk.row().await?, item, scope).await;
            bulk.ended(item.id, outcome).await?;
        }
        bulk.commit().await
    }
}

/// 调整预报名站点
#[derive(Debug, Object)]
pub(super) struct MoveAll {
    site_id: i64,
}

impl Step for MoveAll {
    const KIND: &'static str = "pre_registration.move";
    const TITLE: &'static str = "调整预报名站点";
    type Permission = EditPreRegistration;
    type Item = PreRegistrationItem;
    type List = ExportPreRegistrations;

    fn item(row: &PreRegistrationRow) -> PreRegistrationItem {
        as_listed(row)
    }

    async fn run(&self, tx: Tx, items: Vec<PreRegistrationItem>, scope: &Scope) -> Result<BulkResult> {
        let mut bulk = held(tx, &items).await?;
        let mut review = Review::new(scope.clone(), None);
        for item in items {
            let outcome = review.place_at(bulk.row().await?, item, self.site_id).await;
            bulk.ended(item.id, outcome).await?;
        }
        bulk.commit().await
    }
}

/// Whether somebody whom the province knew may be marked as not admitted, and why not.
fn may_miss(exam: ExamStatus, over: bool) -> Result<(), &'static str> {
    match exam {
        ExamStatus::Registered if over => Ok(()),
        ExamStatus::Registered => Err("该年级的招生批次尚未结束，不能标记未录取"),
        ExamStatus::None => Err("尚未网报，不能标记未录取"),
        ExamStatus::Admitted => Err("该人员已录取，不能标记未录取"),
        ExamStatus::NotAdmitted => Err("已是未录取"),
    }
}

/// 标记未录取: the province's results are out, and this person is not among them.
async fn miss(tx: &mut Tx, item: PreRegistrationItem, scope: &Scope) -> Result<Change> {
    let before = lock(tx, item.id, scope).await?;
    let by = tx.by();
    let grade = sqlx::query_scalar!("select grade_id from pre_registration where id = $1", before.id)
        .fetch_one(&mut **tx)
        .await?;
    let over = enrolment::batch::is_over(tx, grade).await?;
    may_miss(before.exam_status, over).map_err(Error::conflict)?;
    let to = ExamStatus::NotAdmitted;
    let changed = sqlx::query!(
        "update pre_registration set exam_status = $3, updated_at = now(), updated_by = $4, version = version + 1
         where id = $1 and version = $2",
        before.id,
        item.version,
        to.as_str(),
        by
    )
    .execute(&mut **tx)
    .await?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("pre_registration", before.id).await);
    }
    Ok(Change::status("pre_registration", before.id, "examStatus", before.exam_status.as_str(), to.as_str()))
}

/// A step over one row or over many, which mostly are of one batch.
struct Review<'r> {
    scope: Scope,
    remark: Option<&'r str>,
    known: Option<Known>,
}

impl<'r> Review<'r> {
    fn new(scope: Scope, remark: Option<&'r str>) -> Self {
        Self { scope, remark, known: None }
    }

    /// What the batch of a row asks for, read again only for another batch.
    async fn known(&mut self, tx: &mut Tx, batch: i64) -> Result<&Known> {
        let known = match self.known.take() {
            Some(known) if known.offer.batch_id == batch => known,
            _ => Known::load(&tx.app().clone(), tx, batch).await?,
        };
        Ok(self.known.insert(known))
    }

    /// Moves one row on.
    ///
    /// # Errors
    /// 409 from a status that does not lead there, when something required is missing, or when it changed since it was
    /// read; 422 when a row that is to come back has a twin.
    async fn transition(&mut self, tx: &mut Tx, item: PreRegistrationItem, step: Turn) -> Result<Change> {
        let before = lock(tx, item.id, &self.scope).await?;
        let to =
            after(before.status, before.exam_status, step).map_err(|refusal| Error::conflict(refusal.to_string()))?;
        match step {
            Turn::Audit(AuditResult::Pass) => self.ensure_complete(tx, &before).await?,
            Turn::Reopen => self.ensure_no_duplicate(tx, &before).await?,
            Turn::Audit(AuditResult::Return | AuditResult::Reject) | Turn::Cancel => {}
        }
        write(tx, &before, item.version, to, self.remark, matches!(step, Turn::Audit(_))).await?;
        tell(tx, &before, step, self.remark).await?;
        let change = Change::status("pre_registration", before.id, "status", before.status.as_str(), to.as_str());
        Ok(change.because(self.remark))
    }

    /// Everything that the stage requires is there.
    async fn ensure_complete(&mut self, tx: &mut Tx, before: &PreRegistration) -> Result<()> {
        let known = self.known(tx, before.batch_id).await?;
        let form = PreRegistrationForm::from(before);
        let extra = before.extra.clone().into_iter().collect();
        let missing = known.fields.missing(|key| given(&form, key), &extra);
        if missing.is_empty() {
            Ok(())
        } else {
            Err(Error::conflict(format!("资料不完整：{}", missing.join("、"))))
        }
    }

    /// Nobody else is the same person meanwhile.
    async fn ensure_no_duplicate(&mut self, tx: &mut Tx, before: &PreRegistration) -> Result<()> {
        let now = tx.app().clock().now();
        let id = before.id;
        let known = self.known(tx, before.batch_id).await?;
        let person = super::check::Person {
            gender: before.gender,
            form: PreRegistrationForm::from(before),
            study_form: before.study_form,
            extra: serde_json::Map::new(),
        };
        id_card::hold(tx, &[&before.id_card_no]).await?;
        let common = duplicates::look(tx, &known.offer, &[&person], Some(id), now).await?.remove(0);
        match common.wrong.into_iter().next() {
            Some(wrong) => Err(Error::conflict(wrong.message)),
            None => Ok(()),
        }
    }

    async fn place_at(&mut self, tx: &mut Tx, item: PreRegistrationItem, site: i64) -> Result<Change> {
        let before = lock(tx, item.id, &self.scope).await?;
        editable(&before)?;
        let scope = self.scope.clone();
        let known = self.known(tx, before.batch_id).await?;
        if let Some(message) = site_wrong(site, before.major_id, &known.offer, &scope, Some(&before)) {
            return Err(Error::conflict(message));
        }
        let by = tx.by();
        let changed = sqlx::query!(
            "update pre_registration set site_id = $3, updated_at = now(), updated_by = $4, version = version + 1
             where id = $1 and version = $2",
            before.id,
            item.version,
            site,
            by
        )
        .execute(&mut **tx)
        .await?;
        if changed.rows_affected() == 0 {
            return Err(tx.stale("pre_registration", before.id).await);
        }
        let (after, _) = find(tx, before.id, &Scope::whole_school()).await?;
        Ok(Change::edited("pre_registration", before.id, &before, &after))
    }
}

/// Tells the person what was decided, where a scene says how.
async fn tell(tx: &mut Tx, before: &PreRegistration, step: Turn, remark: Option<&str>) -> Result<()> {
    let (scene, values) = match step {
        Turn::Audit(AuditResult::Pass) => {
            let place = [("major", &before.major_name), ("siteName", &before.site_name)];
            ("pre_registration_approved", place.map(|(name, value)| (name.to_owned(), value.clone())).into())
        }
        Turn::Audit(AuditResult::Return) => {
            let remark = remark.unwrap_or_default().to_owned();
            ("pre_registration_returned", [("remark".to_owned(), remark)].into())
        }
        Turn::Audit(AuditResult::Reject) | Turn::Reopen | Turn::Cancel => return Ok(()),
    };
    let person = Person { kind: PersonKind::PreRegistration, id: before.id };
    notify(tx, scene, Persons::Recipients(vec![person]), values, None).await
}

async fn write(
    tx: &mut Tx,
    before: &PreRegistration,
    version: i32,
    to: PreRegistrationStatus,
    remark: Option<&str>,
    audited: bool,
) -> Result<()> {
    let (by, now) = (tx.by(), tx.app().clock().now());
    let changed = sqlx::query!(
        "update pre_registration set status = $3, audit_remark = $4, audited_by = case when $5 then $6::bigint end,
                audited_at = case when $5 then $7::timestamptz end, updated_at = now(), updated_by = $6, version = version + 1
         where id = $1 and version = $2",
        before.id,
        version,
        to.as_str(),
        remark,
        audited,
        by,
        now
    )
    .execute(&mut **tx)
    .await?;
    if changed.rows_affected() == 0 { Err(tx.stale("pre_registration", before.id).await) } else { Ok(()) }
}
