//! 导入备案结果: what the ministry's platform answered, for many majors at once.

use std::collections::{HashMap, HashSet};

use chrono::NaiveDate;
use infra::{
    Allowed, Change, Reply, Result, Scope, Tx, body,
    sheet::{InputColumn, Row, Template},
    transfer::{self, Attachment, Import, ImportAnswer, ImportForm, Imported, refuse},
};
use major_rules::forecast::{ForecastStatus, Step, after};
use poem_openapi::OpenApi;
use serde_json::json;

use super::{
    FetchFilingResults, ImportFilingResults,
    steps::{FilingAccepted, FilingRefused, ForecastItem, Told, go, untell},
};

pub struct Results;

#[OpenApi(prefix_path = "/adult/pc/forecastingMajor", tag = "crate::Tag::Majors")]
impl Results {
    /// 导入备案结果
    /// 表头：招生年份、校内专业代码、结果（通过或不通过）、备案号、备案日期、说明
    #[oai(path = "/result/import", method = "post", operation_id = "importFilingResults")]
    async fn import(&self, caller: Allowed<ImportFilingResults>, form: ImportForm) -> Result<Reply<ImportAnswer>> {
        transfer::import::<FilingResults>(&caller, form).await
    }

    /// 备案结果导入模板
    #[oai(path = "/result/import/template", method = "get", operation_id = "fetchFilingResultTemplate")]
    async fn template(&self, caller: Allowed<FetchFilingResults>) -> Result<Attachment> {
        transfer::template::<FilingResults, _>(&caller).await
    }
}

/// A filing that a row may name.
#[derive(Debug, Clone, Copy)]
struct Known {
    id: i64,
    version: i32,
    status: ForecastStatus,
}

/// An import of results, with the filings that its rows name by year and major.
pub(crate) struct FilingResults {
    known: HashMap<(i32, String), Known>,
    seen: HashSet<i64>,
    today: NaiveDate,
}

/// A result that fits its filing.
struct Decision {
    item: ForecastItem,
    step: Step,
    filing_no: Option<String>,
    filed_on: Option<NaiveDate>,
    result: Option<String>,
}

/// Fields of both steps and the headings under which they are typed.
const COLUMNS: &[(&str, &str)] = &[("filingNo", "备案号"), ("filedOn", "备案日期"), ("reason", "说明")];

const OUTCOMES: &[(&str, Step)] = &[("通过", Step::Accept), ("不通过", Step::Refuse)];

impl Import for FilingResults {
    const KIND: &'static str = "forecast_major.result_import";
    type Permission = super::ImportFilingResults;

    const CODES: &'static [(&'static str, &'static str)] = &[("校内专业代码", "major")];

    fn template() -> Template {
        Template {
            title: "备案结果",
            columns: vec![
                InputColumn::required("招生年份", "如 2027"),
                InputColumn::required("校内专业代码", "学校专业中的代码"),
                InputColumn::required("结果", "").one_of(OUTCOMES.iter().map(|(word, _)| *word)),
                InputColumn::optional("备案号", ""),
                InputColumn::optional("备案日期", "通过时不填为导入当天"),
                InputColumn::optional("说明", "不通过时必填"),
            ],
        }
    }

    async fn start(tx: &mut Tx, _scope: Scope, _into: Option<i64>) -> Result<Self> {
        let rows = sqlx::query!(
            r#"select f.id, f.year, lower(m.code) as "code!", f.version, f.status as "status: ForecastStatus"
               from forecast_major f join major m on m.id = f.major_id"#
        )
        .fetch_all(&mut **tx)
        .await?;
        let known = rows
            .into_iter()
            .map(|row| ((row.year, row.code), Known { id: row.id, version: row.version, status: row.status }))
            .collect();
        Ok(Self { known, seen: HashSet::new(), today: tx.app().clock().today() })
    }

    async fn rows(&mut self, tx: &mut Tx, rows: &mut [Row], write: bool) -> Result<Vec<Change>> {
        let decisions: Vec<Decision> = rows.iter_mut().filter_map(|row| self.decision(row)).collect();
        let mut changes = Vec::new();
        if !write || decisions.len() < rows.len() {
            return Ok(changes);
        }
        for decision in decisions {
            let told = Told {
                filing_no: decision.filing_no.as_deref(),
                filed_on: decision.filed_on,
                result: decision.result.as_deref(),
            };
            changes.push(go(tx, decision.item, decision.step, told).await?);
        }
        Ok(changes)
    }

    async fn undo(tx: &mut Tx, _scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        untell(tx, record).await.map(Some)
    }

    async fn named(tx: &mut Tx, record: &Imported) -> Result<String> {
        let name = sqlx::query_scalar!(
            r#"select f.year || '年 ' || m.name as "name!"
               from forecast_major f join major m on m.id = f.major_id where f.id = $1"#,
            record.id
        )
        .fetch_optional(&mut **tx)
        .await?;
        Ok(name.unwrap_or_default())
    }
}

impl FilingResults {
    /// What the row decides; none, with the reasons on the row, when it is wrong.
    fn decision(&mut self, row: &mut Row) -> Option<Decision> {
        let year = row.integer("招生年份");
        let code = row.text("校内专业代码");
        let step = row.one_of("结果", OUTCOMES);
        let (filing_no, filed_on, result) = (row.text("备案号"), row.date("备案日期"), row.text("说明"));
        let (year, code, step) = (i32::try_from(year?).unwrap_or(i32::MAX), code?, step?);
        if step == Step::Refuse && result.is_none() {
            row.refuse("说明", "不通过时请填写说明");
        }
        let Some(known) = self.known.get(&(year, code.to_lowercase())) else {
            row.refuse("校内专业代码", format!("{year}年的拟招生专业中没有代码“{code}”"));
            return None;
        };
        if let Err(refusal) = after(known.status, step) {
            row.refuse("结果", refusal.to_string());
        }
        if !self.seen.insert(known.id) {
            row.refuse("校内专业代码", "与前面的行重复");
        }
        let filed_on = if step == Step::Accept { filed_on.or(Some(self.today)) } else { None };
        let item = ForecastItem { id: known.id, version: known.version };
        // As the step takes it by hand.
        let items = json!([{ "id": item.id, "version": item.version }]);
        let taken = match step {
            Step::Refuse => body::check::<FilingRefused>(json!({ "items": items, "reason": result })).map(drop),
            Step::Submit | Step::Accept | Step::Withdraw => {
                let accepted = json!({ "items": items, "filingNo": filing_no, "filedOn": filed_on });
                body::check::<FilingAccepted>(accepted).map(drop)
            }
        };
        if let Err(error) = taken {
            refuse(row, COLUMNS, &error);
        }
        row.errors().is_empty().then_some(Decision { item, step, filing_no, filed_on, result })
    }
}
