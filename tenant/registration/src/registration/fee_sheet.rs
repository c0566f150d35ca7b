//! 导入缴费: who has paid, by sheet; all or none (02 §7).

use std::collections::HashMap;

use chrono::NaiveDate;
use infra::{
    Allowed, Change, Reply, Result, Scope, Tx,
    clock::day_began,
    sheet::{InputColumn, Row, RowError, Template},
    transfer::{self, Attachment, Finished, ImportAnswer, ImportForm, Imported},
};
use poem_openapi::OpenApi;
use registration_rules::{
    fee::{LATER, Ledger, NotPaid, Payment, payable},
    named::{EXAMINEE_NO, ID_CARD_NO, Named, Standing, meant},
};
use sqlx::PgConnection;

use super::{
    FetchRegistrationSheet, ImportRegistrations,
    fee::{MOST, ledger_of, put_back, write},
    held::{Arriving, held, held_one},
};
use crate::{
    enums::FeeSource,
    id_card::{IdCardType, fold, normalise},
};

pub(super) const NAME: &str = "姓名";
const AMOUNT: &str = "实缴金额(元)";
const DAY: &str = "缴费日期";
const TRADE_NO: &str = "流水号";

pub struct Sheet;

#[OpenApi(prefix_path = "/adult/pc/registration", tag = "crate::Tag::Registration")]
impl Sheet {
    /// 导入缴费
    #[oai(path = "/fee/import", method = "post", operation_id = "importRegistrationFees")]
    async fn import(&self, caller: Allowed<ImportRegistrations>, form: ImportForm) -> Result<Reply<ImportAnswer>> {
        transfer::import::<FeeSheet>(&caller, form).await
    }

    /// 缴费导入模板
    #[oai(path = "/fee/import/template", method = "get", operation_id = "registrationFeeTemplate")]
    async fn template(&self, caller: Allowed<FetchRegistrationSheet>) -> Result<Attachment> {
        transfer::template::<FeeSheet, _>(&caller).await
    }
}

/// A row that is right by itself.
struct Line {
    row: u32,
    /// The column by which the person is found, and their number.
    by: &'static str,
    number: String,
    name: String,
    payment: Payment,
}

impl Line {
    fn note(&self, column: &str, message: impl Into<String>) -> RowError {
        RowError { row: self.row, column: column.to_owned(), message: message.into() }
    }
}

/// One import. People are held in the order of their rows here, whatever the order of the sheet: all of them behind its last row.
pub(crate) struct FeeSheet {
    scope: Scope,
    today: NaiveDate,
    trade_nos: HashMap<String, u32>,
    lines: Vec<Line>,
}

impl transfer::Import for FeeSheet {
    const KIND: &'static str = "registration.fee_import";
    type Permission = ImportRegistrations;

    fn template() -> Template {
        Template {
            title: "缴费",
            columns: vec![
                InputColumn::optional(EXAMINEE_NO, "考生号和证件号至少填一项"),
                InputColumn::optional(ID_CARD_NO, ""),
                InputColumn::required(NAME, "与报到数据一致"),
                InputColumn::required(AMOUNT, "最多2位小数，例如 2800.00"),
                InputColumn::required(DAY, "例如 2026-02-25"),
                InputColumn::optional(TRADE_NO, "同一流水号重复导入时不重复登记"),
            ],
        }
    }

    async fn start(tx: &mut Tx, scope: Scope, _into: Option<i64>) -> Result<Self> {
        let today = tx.app().clock().today();
        Ok(Self { scope, today, trade_nos: HashMap::new(), lines: Vec::new() })
    }

    async fn rows(&mut self, _tx: &mut Tx, rows: &mut [Row], _write: bool) -> Result<Vec<Change>> {
        for row in rows {
            if let Some(line) = self.line(row) {
                self.lines.push(line);
            }
        }
        Ok(Vec::new())
    }

    async fn finish(&mut self, tx: &mut Tx, write_them: bool) -> Result<Finished> {
        let lines = std::mem::take(&mut self.lines);
        let wanted: Vec<(&str, &str)> = lines.iter().map(|line| (line.by, &*line.number)).collect();
        let of = counting(tx, &wanted, &self.scope).await?;
        let ids: Vec<i64> = of.iter().filter_map(Named::id).collect();
        let people: HashMap<i64, Arriving> =
            held(tx, &ids, &self.scope).await?.into_iter().map(|person| (person.id, person)).collect();
        let trade_nos: Vec<String> = lines.iter().filter_map(|line| line.payment.trade_no.clone()).collect();
        let ledger = ledger_of(tx, &ids, &trade_nos).await?;
        let mut finished = Finished::default();
        let (mut first, mut paid, mut kept) = (HashMap::new(), Vec::with_capacity(lines.len()), None);
        for (line, named) in lines.iter().zip(of) {
            let Some(person) = named.id().and_then(|id| people.get(&id)) else {
                finished.errors.push(line.note(line.by, named.refusal(&self.scope, line.by)));
                continue;
            };
            let row = *first.entry(person.id).or_insert(line.row);
            match judged(line, person, row, &ledger) {
                Ok(true) => paid.push((person.id, line.payment.clone())),
                Ok(false) => kept = Some(person.id),
                Err(wrong) => finished.errors.push(wrong),
            }
        }
        if write_them && finished.errors.is_empty() {
            finished.changes = write(tx, &ledger, &paid, FeeSource::Import).await?;
            if finished.changes.is_empty() {
                finished.changes.extend(kept.map(|id| ledger.untouched(id)));
            }
        }
        Ok(finished)
    }

    async fn undo(tx: &mut Tx, scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        let person = held_one(tx, record.id, None, scope).await?;
        put_back(tx, &person, record).await
    }
}

impl FeeSheet {
    /// What the row says; none, with the reasons on the row, when it is wrong.
    fn line(&mut self, row: &mut Row) -> Option<Line> {
        let (by, number) = number(row)?;
        let name = row.required(NAME);
        let amount = row.decimal(AMOUNT, 2);
        let day = row.date(DAY);
        let trade_no = row.text(TRADE_NO);
        if amount.is_some_and(|amount| !(0..=MOST).contains(&amount)) {
            row.refuse(AMOUNT, "应在0到1000000之间");
        }
        if day.is_some_and(|day| day > self.today) {
            row.refuse(DAY, LATER);
        }
        if let Some(trade_no) = &trade_no {
            if trade_no.chars().count() > 64 {
                row.refuse(TRADE_NO, "不能超过64个字符");
            }
            let first = *self.trade_nos.entry(trade_no.clone()).or_insert(row.number());
            if first != row.number() {
                row.refuse(TRADE_NO, format!("与第{first}行流水号重复"));
            }
        }
        if !row.errors().is_empty() {
            return None;
        }
        let payment = Payment { amount: amount?, paid_at: day_began(day?), trade_no };
        Some(Line { row: row.number(), by, number, name, payment })
    }
}

/// The column by which the row names its person, 考生号 before 证件号, and the number as it is compared.
pub(super) fn number(row: &mut Row) -> Option<(&'static str, String)> {
    if let Some(number) = row.text(EXAMINEE_NO) {
        return Some((EXAMINEE_NO, fold(&number)));
    }
    if let Some(number) = row.text(ID_CARD_NO) {
        return Some((ID_CARD_NO, normalise(IdCardType::ResidentId, &number)));
    }
    if row.errors().is_empty() {
        row.refuse(EXAMINEE_NO, "请填写考生号或证件号");
    }
    None
}

/// The registration that each number means, by the column in which it stands: within the scope, not deleted, not carried on.
pub(super) async fn counting(
    connection: &mut PgConnection,
    wanted: &[(&str, &str)],
    scope: &Scope,
) -> Result<Vec<Named>> {
    let of = |column: &str| -> Vec<String> {
        wanted.iter().filter(|(by, _)| *by == column).map(|(_, number)| (*number).to_owned()).collect()
    };
    // Numbers are compared in capitals; those that stand otherwise are found in small letters.
    let examinee_nos: Vec<String> =
        of(EXAMINEE_NO).into_iter().flat_map(|number| [number.to_lowercase(), number]).collect();
    let id_card_nos = of(ID_CARD_NO);
    let rows = sqlx::query!(
        r#"select r.id, r.examinee_no, r.id_card_no, b.name as batch_name,
                  r.status in ('pending', 'no_show', 'reserved', 'reported') as "live!"
           from registration r join enrollment_batch b on b.id = r.batch_id
           where r.deleted_at is null and not r.carried_on and (r.examinee_no = any($1) or r.id_card_no = any($2))
             and ($3::bigint[] is null or r.site_id = any($3))
           order by r.id"#,
        &examinee_nos,
        &id_card_nos,
        scope.sites()
    )
    .fetch_all(connection)
    .await?;
    let mut known: HashMap<(&str, String), Vec<Standing>> = HashMap::with_capacity(rows.len() * 2);
    for row in rows {
        let standing = Standing { id: row.id, batch: row.batch_name, live: row.live };
        known.entry((EXAMINEE_NO, fold(&row.examinee_no))).or_default().push(standing.clone());
        known.entry((ID_CARD_NO, row.id_card_no)).or_default().push(standing);
    }
    let named = wanted.iter().map(|(by, number)| {
        let standing = known.get(&(*by, (*number).to_owned()));
        standing.map_or(Named::Nobody, |standing| meant(standing))
    });
    Ok(named.collect())
}

/// Whether the payment is new.
///
/// # Errors
/// What is wrong with the row, at its column.
fn judged(line: &Line, person: &Arriving, first: u32, ledger: &Ledger) -> Result<bool, RowError> {
    if person.name != line.name {
        return Err(line.note(NAME, "姓名与报到数据不一致"));
    }
    if first != line.row {
        return Err(line.note(line.by, format!("与第{first}行是同一人")));
    }
    let new = ledger.judge(person.id, &line.payment).map_err(|why| {
        let column = if why == NotPaid::Taken { TRADE_NO } else { AMOUNT };
        line.note(column, why.message())
    })?;
    if new {
        payable(person).map_err(|why| line.note("", why))?;
    }
    Ok(new)
}
