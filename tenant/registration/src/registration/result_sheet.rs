//! 导入报到结果: who came, whose place is kept and who gave up, by sheet; each row goes the way of the desk, all or none (02 §7).

use std::collections::{BTreeMap, HashMap};

use chrono::NaiveDate;
use field_attributes::stage::StageFields;
use infra::{
    Allowed, App, Change, Error, Reply, Result, Scope, Tx,
    access::Permission,
    sheet::{InputColumn, Row, RowError, Template},
    transfer::{self, Attachment, Finished, ImportAnswer, ImportForm, Imported, SentFile},
};
use poem_openapi::{
    Multipart, OpenApi,
    types::{ParseFromJSON, ToJSON, multipart::Upload},
};
use registration_rules::{
    named::{EXAMINEE_NO, ID_CARD_NO, Named},
    report::Late,
    reserve::{day, last_day},
    result::{covers, is_same, reason_of},
};
use serde_json::{Value, json};
use sqlx::{PgConnection, types::Json};

use super::{
    FetchRegistrationSheet, ImportRegistrations, ReportRegistration,
    fee_sheet::{NAME, counting},
    held::{Arriving, changed, held, held_one, write},
    leave::{abandon, open},
    own,
    report::{Came, Refused, Reporting, late_of, report},
    reserve::{Keeping, keep},
    resume::waits_again,
    undo::take_back,
};
use crate::{
    enums::{ArrivalResult, RegistrationStatus, ReserveReason, VerifyMethod},
    id_card::fold,
};

const RESULT: &str = "结果";
const REASON: &str = "原因";
const UNTIL: &str = "保留至";
const HEADINGS: [&str; 6] = [EXAMINEE_NO, NAME, ID_CARD_NO, RESULT, REASON, UNTIL];

/// The multipart body of the import.
#[derive(Debug, Multipart)]
#[oai(rename_all = "camelCase")]
pub struct RegistrationResultForm {
    /// 文件
    pub file: Upload,
    /// 已核验身份
    /// 表中报到的人员均已核验；不填时只办理已核验的人员
    pub identity_verified: Option<bool>,
    /// 仅检查
    pub dry_run: Option<bool>,
    /// 检查时文件的摘要
    /// 仅检查时应答的 sha256；与本次文件不同时拒绝导入
    pub sha256: Option<String>,
}

pub struct Results;

#[OpenApi(prefix_path = "/adult/pc/registration", tag = "crate::Tag::Registration")]
impl Results {
    /// 导入报到结果
    #[oai(path = "/result/import", method = "post", operation_id = "importRegistrationResults")]
    async fn import(
        &self,
        caller: Allowed<ImportRegistrations>,
        form: RegistrationResultForm,
    ) -> Result<Reply<ImportAnswer>> {
        let RegistrationResultForm { file, identity_verified, dry_run, sha256 } = form;
        let desk = caller.rights().get(ReportRegistration::CODE);
        if identity_verified == Some(true) && !desk.is_some_and(|desk| covers(desk, &caller.scope())) {
            return Err(Error::field("identityVerified", "身份由办理报到的人员核验，您没有这些人员的报到权限"));
        }
        // Asked once, as the file is sent: a long one becomes a job.
        let said = json!({ "late": late_of(caller.rights()).to_json(), "verified": identity_verified == Some(true) });
        transfer::import_with::<ResultSheet>(&caller, ImportForm { file, dry_run, sha256 }, None, said).await
    }

    /// 报到结果导入模板
    /// 后面是本校字段的列，报到的人员填写
    #[oai(path = "/result/import/template", method = "get", operation_id = "registrationResultTemplate")]
    async fn template(&self, caller: Allowed<FetchRegistrationSheet>) -> Result<Attachment> {
        let app = caller.app();
        let mut tx = caller.read().await?;
        let template = template_of(&own::asked(app, &mut tx).await?);
        drop(tx);
        transfer::workbook(app, template).await
    }
}

/// The columns of the sheet with those of the school's own fields behind them. Of these none must be filled in: what was said at the
/// desk stays.
fn template_of(fields: &StageFields) -> Template {
    let mut template = <ResultSheet as transfer::Import>::template();
    let own = fields.columns(&HEADINGS).into_iter();
    template.columns.extend(own.map(|column| InputColumn { required: false, ..column }));
    template
}

/// A row that is right by itself.
struct Line {
    row: u32,
    number: String,
    name: String,
    id_card_no: String,
    result: ArrivalResult,
    reason: Option<String>,
    until: Option<NaiveDate>,
    /// What the row says in the school's own fields.
    own: BTreeMap<String, Value>,
}

impl Line {
    fn note(&self, column: &str, message: impl Into<String>) -> RowError {
        RowError { row: self.row, column: column.to_owned(), message: message.into() }
    }
}

/// One import. Whoever reports does so together with the others of the sheet, behind its last row: so numbers are in their order.
pub(crate) struct ResultSheet {
    scope: Scope,
    today: NaiveDate,
    fields: StageFields,
    how: Reporting,
    seen: HashMap<String, u32>,
    lines: Vec<Line>,
}

impl transfer::Import for ResultSheet {
    const KIND: &'static str = "registration.result_import";
    type Permission = ImportRegistrations;

    const COUNTED: &'static [&'static str] = &[RESULT];

    fn template() -> Template {
        let words = ArrivalResult::CHOICES.iter().map(|(word, _)| *word);
        Template {
            title: "报到结果",
            columns: vec![
                InputColumn::required(EXAMINEE_NO, "与报到数据一致"),
                InputColumn::required(NAME, "与报到数据一致"),
                InputColumn::required(ID_CARD_NO, "与报到数据一致"),
                InputColumn::required(RESULT, "保留入学资格的证明材料不随表导入，导入后在报到管理的“核验和材料”中上传")
                    .one_of(words),
                InputColumn::optional(REASON, "报到以外必填，2至200个字符；应征入伍的填写“应征入伍”"),
                InputColumn::optional(
                    UNTIL,
                    "只用于保留入学资格，按 2027-03-01 的格式；不填时为入学日期后一年，应征入伍必须填写",
                ),
            ],
        }
    }

    async fn sheet(app: &App, connection: &mut PgConnection) -> Result<Template> {
        Ok(template_of(&own::asked(app, connection).await?))
    }

    async fn start(tx: &mut Tx, scope: Scope, _into: Option<i64>) -> Result<Self> {
        let app = tx.app().clone();
        let fields = own::asked(&app, tx).await?;
        let today = tx.app().clock().today();
        let how = Reporting { late: Late::default(), verified: None };
        Ok(Self { scope, today, fields, how, seen: HashMap::new(), lines: Vec::new() })
    }

    async fn begin(&mut self, _tx: &mut Tx, sent: &SentFile<'_>) -> Result<()> {
        let flag = |name: &str| sent.more[name].as_bool().unwrap_or(false);
        let late = Late::parse_from_json(Some(sent.more["late"].clone())).unwrap_or_default();
        self.how = Reporting { late, verified: flag("verified").then_some(VerifyMethod::Manual) };
        Ok(())
    }

    async fn rows(&mut self, _tx: &mut Tx, rows: &mut [Row], _write: bool) -> Result<Vec<Change>> {
        for row in rows {
            if let Some(line) = self.line(row) {
                self.lines.push(line);
            }
        }
        Ok(Vec::new())
    }

    /// The steps are taken in every case, for only they know whom they refuse: a check, and a sheet with errors, are undone as a whole.
    async fn finish(&mut self, tx: &mut Tx, _write: bool) -> Result<Finished> {
        let lines = std::mem::take(&mut self.lines);
        let mut finished = Finished::default();
        let people = self.people(tx, &lines, &mut finished).await?;
        let mut coming = Vec::new();
        let mut rows: HashMap<i64, &Line> = HashMap::new();
        for (line, person) in people {
            match line.result {
                ArrivalResult::Reported => match self.brought(person, line) {
                    Ok(came) => {
                        rows.insert(came.person.id, line);
                        coming.push(came);
                    }
                    Err(wrong) => finished.errors.extend(wrong),
                },
                ArrivalResult::Reserved => match keeping(tx, &person, line).await? {
                    Ok(keeping) => noted(&mut finished, line, keep(tx, person, &keeping).await)?,
                    Err(wrong) => finished.errors.push(wrong),
                },
                ArrivalResult::Abandoned => {
                    let reason = line.reason.clone().unwrap_or_default();
                    noted(&mut finished, line, abandon(tx, person, &reason).await)?;
                }
            }
        }
        let went = report(tx, coming, &self.how, &self.scope, Refused::Told).await?;
        for failed in went.failed {
            finished.errors.extend(rows.get(&failed.id).map(|line| line.note(RESULT, failed.msg)));
        }
        for (person, arrived) in went.done {
            let Some(line) = rows.get(&person.id) else { continue };
            finished.warnings.extend(arrived.warnings.into_iter().map(|warning| line.note("", warning)));
        }
        finished.changes.extend(went.changes);
        Ok(finished)
    }

    /// Who came by the sheet is taken back as 撤销报到 does; whose place it kept, and who gave up by it, is to come as before.
    async fn undo(tx: &mut Tx, scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        let person = held_one(tx, record.id, None, scope).await?;
        let (was, is): (Option<RegistrationStatus>, Option<RegistrationStatus>) =
            (record.before("status")?, record.after("status")?);
        let (Some(was), Some(is)) = (was, is) else { return Ok(None) };
        if person.status != is {
            return Err(Imported::changed());
        }
        person.counts().map_err(Error::conflict)?;
        if was == RegistrationStatus::Pending && is != RegistrationStatus::Reported {
            open(tx, person.batch_id, "撤销").await?;
        }
        match is {
            RegistrationStatus::Reported => never_came(tx, &person, record, scope).await.map(Some),
            RegistrationStatus::Reserved => waits_again(tx, &person).await.map(Some),
            RegistrationStatus::Abandoned => {
                let reason = record.before::<Option<String>>("reason")?.flatten();
                let after = Arriving { status: was, reason, ..person.clone() };
                write(tx, std::slice::from_ref(&after)).await?;
                Ok(Some(changed(&person, &after)))
            }
            RegistrationStatus::Pending | RegistrationStatus::NoShow | RegistrationStatus::Revoked => {
                Err(Imported::changed())
            }
        }
    }
}

/// Takes back a report, and what the sheet said of the person: of their identity, and in the school's own fields.
///
/// # Errors
/// 409 when the student's file changed since, or something refers to it.
async fn never_came(tx: &mut Tx, person: &Arriving, record: &Imported, scope: &Scope) -> Result<Change> {
    // Both were written last by the sheet, at one time.
    let changed = sqlx::query_scalar!(
        r#"select s.updated_at > r.updated_at as "changed!" from registration r join student s on s.id = r.student_id
           where r.id = $1"#,
        person.id
    )
    .fetch_optional(&mut **tx)
    .await?;
    if changed == Some(true) {
        return Err(Error::conflict("该生的学籍在导入后又有改动，不能撤销"));
    }
    let mut after = person.clone();
    after.wait();
    if let Some(verified) = record.before::<Option<VerifyMethod>>("verifyMethod")? {
        after.verified = verified;
    }
    if let Some(Value::Object(extra)) = record.before("extra")? {
        after.extra = Json(extra);
    }
    let [own, gone] = take_back(tx, person, &after, "撤销导入", scope).await?;
    tx.record(&[gone]).await?;
    Ok(own)
}

/// Notes how the step of a row went: its record, or why it was refused.
///
/// # Errors
/// Internal ones, which end the import.
fn noted(finished: &mut Finished, line: &Line, step: Result<Change>) -> Result<()> {
    match step {
        Ok(change) => finished.changes.push(change),
        Err(error) if error.code == 500 || error.is_busy() => return Err(error),
        Err(error) => finished.errors.push(line.note(RESULT, error.msg)),
    }
    Ok(())
}

impl ResultSheet {
    /// What the row says; none, with the reasons on the row, when it is wrong.
    fn line(&mut self, row: &mut Row) -> Option<Line> {
        let number = fold(&row.required(EXAMINEE_NO));
        let name = row.required(NAME);
        let id_card_no = row.required(ID_CARD_NO);
        let result = row.one_of(RESULT, ArrivalResult::CHOICES);
        let reason = row.text(REASON);
        let until = row.date(UNTIL);
        let own = self.fields.typed(row, &HEADINGS);
        if result.is_some_and(|result| result != ArrivalResult::Reported) {
            match reason.as_ref().map(|reason| reason.chars().count()) {
                None => row.refuse(REASON, "请填写原因"),
                Some(2..=200) => {}
                Some(_) => row.refuse(REASON, "应为2至200个字符"),
            }
        }
        self.check_until(row, result, reason.as_deref(), until);
        if result.is_some_and(|result| result != ArrivalResult::Reported) {
            for key in own.keys() {
                row.refuse_once(&self.fields.heading(key, &HEADINGS).unwrap_or_default(), "只在报到时填写");
            }
        }
        if !row.errors().is_empty() {
            return None;
        }
        let result = result?;
        let first = *self.seen.entry(number.clone()).or_insert(row.number());
        if first != row.number() {
            row.refuse(EXAMINEE_NO, format!("与第{first}行考生号重复"));
            return None;
        }
        Some(Line { row: row.number(), number, name, id_card_no, result, reason, until, own })
    }

    /// Somebody who came, with what the row says in the school's own fields; a cell that is empty keeps what was said before.
    fn brought(&self, before: Arriving, line: &Line) -> Result<Came, Vec<RowError>> {
        let mut typed = own::as_they_are(&self.fields, &before.extra);
        typed.extend(line.own.clone());
        let values = self.fields.own_values(&typed, &before.extra).map_err(|wrong| {
            let told = wrong.into_iter().map(|wrong| {
                let heading = self.fields.heading(&wrong.field, &HEADINGS);
                line.note(heading.as_deref().unwrap_or(RESULT), wrong.message)
            });
            told.collect::<Vec<_>>()
        })?;
        let person = Arriving { extra: Json(values), ..before.clone() };
        Ok(Came { before, person })
    }

    /// A day until which a place is kept: of who serves in the army only they know it.
    fn check_until(
        &self,
        row: &mut Row,
        result: Option<ArrivalResult>,
        reason: Option<&str>,
        until: Option<NaiveDate>,
    ) {
        let kept = result == Some(ArrivalResult::Reserved);
        match until {
            Some(_) if result.is_some() && !kept => row.refuse(UNTIL, "只在保留入学资格时填写"),
            Some(day) if day < self.today => row.refuse(UNTIL, "保留期限不能早于今天"),
            None if kept && reason.map(reason_of) == Some(ReserveReason::Military) => {
                row.refuse_once(UNTIL, "应征入伍的请填写保留至退役后两年内的日期");
            }
            _ => {}
        }
    }

    /// Whom the lines name, held; who is not to be found, or is called otherwise, is an error of their row.
    async fn people<'l>(
        &self,
        tx: &mut Tx,
        lines: &'l [Line],
        finished: &mut Finished,
    ) -> Result<Vec<(&'l Line, Arriving)>> {
        let wanted: Vec<(&str, &str)> = lines.iter().map(|line| (EXAMINEE_NO, &*line.number)).collect();
        let of = counting(tx, &wanted, &self.scope).await?;
        let ids: Vec<i64> = of.iter().filter_map(Named::id).collect();
        let mut known: HashMap<i64, Arriving> =
            held(tx, &ids, &self.scope).await?.into_iter().map(|person| (person.id, person)).collect();
        let cards = sqlx::query!("select id, id_card_no from registration where id = any($1)", &ids);
        let cards: HashMap<i64, String> =
            cards.fetch_all(&mut **tx).await?.into_iter().map(|row| (row.id, row.id_card_no)).collect();
        let mut people = Vec::with_capacity(lines.len());
        for (line, named) in lines.iter().zip(of) {
            let Some(person) = named.id().and_then(|id| known.remove(&id)) else {
                finished.errors.push(line.note(EXAMINEE_NO, named.refusal(&self.scope, EXAMINEE_NO)));
                continue;
            };
            if person.name != line.name {
                finished.errors.push(line.note(NAME, "姓名与报到数据不一致"));
            } else if !cards.get(&person.id).is_some_and(|card| is_same(card, &line.id_card_no)) {
                finished.errors.push(line.note(ID_CARD_NO, "证件号与报到数据不一致"));
            } else {
                people.push((line, person));
            }
        }
        Ok(people)
    }
}

/// What is kept for somebody: until the day of the row, else for as long as a place is kept.
async fn keeping(tx: &mut Tx, person: &Arriving, line: &Line) -> Result<Result<Keeping, RowError>> {
    let entry: NaiveDate =
        sqlx::query_scalar!("select enrolled_on from enrollment_batch where id = $1", person.batch_id)
            .fetch_optional(&mut **tx)
            .await?
            .ok_or_else(|| Error::internal("a registration without its batch"))?;
    let reason = line.reason.as_deref().unwrap_or_default();
    let reserve_reason = reason_of(reason);
    let last = last_day(entry, reserve_reason);
    let reserve_until = line.until.unwrap_or(last);
    if reserve_until > last {
        return Ok(Err(line.note(UNTIL, format!("保留期限不能晚于{}", day(last)))));
    }
    Ok(Ok(Keeping { reserve_reason, reserve_until, reason: Some(reason.to_owned()), attachment: None }))
}
