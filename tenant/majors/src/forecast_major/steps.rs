//! 上报, 备案通过, 未通过, 撤销: how a filing goes on. The result itself comes from outside the school.

use chrono::NaiveDate;
use infra::{
    Allowed, Body, BulkResult, Change, Error, Reply, Result, Saved, Scope, Tx,
    across::{self, BulkOfSchools, Item, ItemOfSchool, Keyed},
    reply,
    transfer::Imported,
};
use major_rules::forecast::{ForecastStatus, Step, after};
use poem_openapi::{Object, OpenApi, types::Example};

use super::{
    AuditForecastMajors, ForecastMajor, ForecastMajors, RejectForecastMajors, SubmitForecastMajors,
    WithdrawForecastMajor, filed::unplanned, rows_of,
};

/// A filing as it was read.
#[derive(Debug, Clone, Copy, Object)]
pub struct ForecastItem {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
}

impl Item for ForecastItem {
    fn id(&self) -> i64 {
        self.id
    }
}

/// `{items}`.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct ForecastItems {
    /// 拟招生专业
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub items: Vec<ForecastItem>,
}

impl Example for ForecastItems {
    fn example() -> Self {
        Self { items: vec![ForecastItem { id: 1, version: 1 }] }
    }
}

/// The ministry accepted them.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct FilingAccepted {
    /// 拟招生专业
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub items: Vec<ItemOfSchool<ForecastItem>>,
    /// 备案号
    #[oai(validator(max_length = 50))]
    pub filing_no: Option<String>,
    /// 备案日期
    pub filed_on: NaiveDate,
}

impl Example for FilingAccepted {
    fn example() -> Self {
        let filed_on = NaiveDate::from_ymd_opt(2026, 11, 2).unwrap_or_default();
        Self {
            items: vec![ForecastItem { id: 1, version: 1 }.into()],
            filing_no: Some("鄂成备2027-012".to_owned()),
            filed_on,
        }
    }
}

/// The ministry refused them.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct FilingRefused {
    /// 拟招生专业
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub items: Vec<ItemOfSchool<ForecastItem>>,
    /// 原因
    #[oai(validator(min_length = 2, max_length = 200))]
    pub reason: String,
}

impl Example for FilingRefused {
    fn example() -> Self {
        Self { items: vec![ForecastItem { id: 1, version: 1 }.into()], reason: "办学条件不足".to_owned() }
    }
}

/// The school gives one up.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct FilingWithdrawn {
    /// 编号
    pub id: i64,
    /// 原因
    #[oai(validator(min_length = 2, max_length = 200))]
    pub reason: String,
    /// 版本
    pub version: i32,
}

impl Example for FilingWithdrawn {
    fn example() -> Self {
        Self { id: 1, reason: "今年不再招生".to_owned(), version: 1 }
    }
}

/// What the ministry said, as far as the step has it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Told<'t> {
    pub(super) filing_no: Option<&'t str>,
    pub(super) filed_on: Option<NaiveDate>,
    pub(super) result: Option<&'t str>,
}

/// Moves one filing on.
///
/// # Errors
/// 409 from a status that does not lead there, when it is recruited for, or when it changed since it was read.
pub(super) async fn go(tx: &mut Tx, item: ForecastItem, step: Step, told: Told<'_>) -> Result<Change> {
    tx.lock("forecast_major", item.id).await?;
    let before = ForecastMajors::find(tx, item.id, &Scope::whole_school()).await?;
    let to = after(before.status, step).map_err(|refusal| Error::conflict(refusal.to_string()))?;
    if step == Step::Withdraw {
        unplanned(tx, item.id).await?;
    }
    write(tx, &before, item.version, to, told).await
}

async fn write(
    tx: &mut Tx,
    before: &ForecastMajor,
    version: i32,
    to: ForecastStatus,
    told: Told<'_>,
) -> Result<Change> {
    let by = tx.by();
    let changed = sqlx::query!(
        "update forecast_major set status = $3, filing_no = coalesce($4, filing_no), filed_on = coalesce($5, filed_on),
                filing_result = coalesce($6, filing_result), updated_at = now(), updated_by = $7, version = version + 1
         where id = $1 and version = $2",
        before.id,
        version,
        to.as_str(),
        told.filing_no,
        told.filed_on,
        told.result,
        by
    )
    .execute(&mut **tx)
    .await?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("forecast_major", before.id).await);
    }
    let after = ForecastMajors::find(tx, before.id, &Scope::whole_school()).await?;
    Ok(Change::edited("forecast_major", before.id, before, &after))
}

/// Takes back what an import told of a filing: it waits for its result again.
///
/// # Errors
/// 409 when it changed since, or is recruited for.
pub(super) async fn untell(tx: &mut Tx, record: &Imported) -> Result<Change> {
    tx.lock("forecast_major", record.id).await?;
    let now = ForecastMajors::find(tx, record.id, &Scope::whole_school()).await?;
    let former: ForecastMajor = record.former(&now)?;
    unplanned(tx, record.id).await?;
    let by = tx.by();
    sqlx::query!(
        "update forecast_major set status = $2, filing_no = $3, filed_on = $4, filing_result = $5,
                updated_at = now(), updated_by = $6, version = version + 1
         where id = $1",
        record.id,
        former.status.as_str(),
        former.filing_no,
        former.filed_on,
        former.filing_result,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(Change::edited("forecast_major", record.id, &now, &former))
}

pub struct Steps;

#[OpenApi(prefix_path = "/adult/pc/forecastingMajor", tag = "crate::Tag::Majors")]
impl Steps {
    /// 上报拟招生专业
    #[oai(path = "/submit", method = "put", operation_id = "submitForecastMajors")]
    async fn submit(
        &self,
        caller: Allowed<SubmitForecastMajors>,
        Body(wanted): Body<ForecastItems>,
    ) -> Result<Reply<BulkResult>> {
        Ok(reply(each(caller.begin().await?, wanted.items, Step::Submit, Told::default()).await?))
    }

    /// 拟招生专业备案通过
    #[oai(path = "/audit", method = "put", operation_id = "acceptForecastMajors")]
    async fn accept(
        &self,
        caller: Allowed<AuditForecastMajors>,
        Body(wanted): Body<FilingAccepted>,
    ) -> Result<Reply<BulkOfSchools>> {
        let told = Told { filing_no: wanted.filing_no.as_deref(), filed_on: Some(wanted.filed_on), result: None };
        let accept = |tx, items| each(tx, items, Step::Accept, told);
        Ok(reply(across::bulk_over_schools(&caller, wanted.items, accept).await?))
    }

    /// 拟招生专业未通过
    #[oai(path = "/reject", method = "put", operation_id = "rejectForecastMajors")]
    async fn reject(
        &self,
        caller: Allowed<RejectForecastMajors>,
        Body(wanted): Body<FilingRefused>,
    ) -> Result<Reply<BulkOfSchools>> {
        let told = Told { result: Some(&wanted.reason), ..Told::default() };
        let refuse = |tx, items| each(tx, items, Step::Refuse, told);
        Ok(reply(across::bulk_over_schools(&caller, wanted.items, refuse).await?))
    }

    /// 撤销拟招生专业
    #[oai(path = "/withdraw", method = "put", operation_id = "withdrawForecastMajor")]
    async fn withdraw(
        &self,
        caller: Allowed<WithdrawForecastMajor>,
        Body(wanted): Body<FilingWithdrawn>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let item = ForecastItem { id: wanted.id, version: wanted.version };
        let change = go(&mut tx, item, Step::Withdraw, Told::default()).await?;
        tx.commit(change.because(Some(&wanted.reason))).await?;
        Ok(reply(Saved { id: wanted.id }))
    }
}

/// One step over several filings, each for itself.
async fn each(tx: Tx, items: Vec<ForecastItem>, step: Step, told: Told<'_>) -> Result<BulkResult> {
    let mut bulk = rows_of(tx);
    for item in items {
        let outcome = go(bulk.row().await?, item, step, told).await;
        bulk.ended(item.id, outcome).await?;
    }
    bulk.commit().await
}
