//! 导入注册结果: what 学信网 answered, all rows or none (02 §9.9). Whose place is kept, or who is struck off, was never a student: the
//! report is taken back.

use std::collections::HashMap;

use chrono::NaiveDate;
use infra::{
    Allowed, Change, Error, Reply, Result, Scope, Tx, enumeration,
    sheet::{InputColumn, Row, RowError, Template},
    transfer::{self, Attachment, Finished, Import, ImportAnswer, ImportForm, Imported},
};
use people::id_card::{IdCardType, fold, normalise};
use poem_openapi::OpenApi;
use registration::registration::{Untaken, hold_of, untaken};
use student_status::student::{
    check::NOT_YOURS,
    chsi::{self, Applicant},
};

use crate::{FetchChsiSheet, ImportOfChsi};

const EXAMINEE_NO: &str = "考生号";
const NAME: &str = "姓名";
const ID_CARD_NO: &str = "身份证号";
const ANSWER: &str = "注册结果";
const DAY: &str = "注册日期";
const MESSAGE: &str = "说明";
const NOBODY: &str = "没有该考生号的学生";
/// Told before anything happens: of such a row nothing comes back by an undo.
const FOR_GOOD: &str = "将撤销报到并删除学籍和账号，撤销导入时不能恢复";

enumeration! {
    /// 学信网注册结果
    pub enum ChsiAnswer = "chsiAnswer" {
        Registered = "registered" "已注册",
        Refused = "refused" "未注册",
        Reserved = "reserved" "保留入学资格",
        Revoked = "revoked" "取消入学资格",
    }
}

pub struct ChsiResults;

#[OpenApi(prefix_path = "/adult/pc/studentRoll/chsi", tag = "crate::Tag::Chsi")]
impl ChsiResults {
    /// 导入学信网注册结果
    #[oai(path = "/import", method = "post", operation_id = "importChsiResults")]
    async fn import(&self, caller: Allowed<ImportOfChsi>, form: ImportForm) -> Result<Reply<ImportAnswer>> {
        transfer::import::<ResultSheet>(&caller, form).await
    }

    /// 注册结果导入模板
    #[oai(path = "/import/template", method = "get", operation_id = "fetchChsiResultTemplate")]
    async fn template(&self, caller: Allowed<FetchChsiSheet>) -> Result<Attachment> {
        transfer::template::<ResultSheet, _>(&caller).await
    }
}

/// A row that is right by itself.
struct Line {
    row: u32,
    number: String,
    name: String,
    id_card_no: String,
    answer: ChsiAnswer,
    on: Option<NaiveDate>,
    message: Option<String>,
}

impl Line {
    fn note(&self, column: &str, message: impl Into<String>) -> RowError {
        RowError { row: self.row, column: column.to_owned(), message: message.into() }
    }
}

/// One import. Registrations are held before students, as wherever a report is taken back; so everything happens behind the last row.
pub(crate) struct ResultSheet {
    scope: Scope,
    today: NaiveDate,
    seen: HashMap<String, u32>,
    lines: Vec<Line>,
}

impl Import for ResultSheet {
    const KIND: &'static str = "chsi.result_import";
    type Permission = ImportOfChsi;

    const COUNTED: &'static [&'static str] = &[ANSWER];

    fn template() -> Template {
        let words = ChsiAnswer::CHOICES.iter().map(|(word, _)| *word);
        Template {
            title: "注册结果",
            columns: vec![
                InputColumn::required(EXAMINEE_NO, "与学籍中的考生号一致"),
                InputColumn::required(NAME, "与学籍中的姓名一致"),
                InputColumn::required(ID_CARD_NO, "与学籍中的证件号一致"),
                InputColumn::required(ANSWER, "保留或取消入学资格的，撤销报到并同时办理").one_of(words),
                InputColumn::optional(DAY, "只用于已注册，例如 2026-03-20；不填为今天"),
                InputColumn::optional(MESSAGE, "未注册的原因等，最多200个字符"),
            ],
        }
    }

    async fn start(tx: &mut Tx, scope: Scope, _into: Option<i64>) -> Result<Self> {
        let today = tx.app().clock().today();
        Ok(Self { scope, today, seen: HashMap::new(), lines: Vec::new() })
    }

    async fn rows(&mut self, _tx: &mut Tx, rows: &mut [Row], _write: bool) -> Result<Vec<Change>> {
        for row in rows {
            if let Some(line) = self.line(row) {
                self.lines.push(line);
            }
        }
        Ok(Vec::new())
    }

    async fn finish(&mut self, tx: &mut Tx, write: bool) -> Result<Finished> {
        let lines = std::mem::take(&mut self.lines);
        let mut finished = Finished::default();
        // Seats before registrations, these before students, whatever the order of the sheet: as wherever somebody is registered
        // or a report is taken back.
        let seats = match lines.iter().any(|line| line.answer == ChsiAnswer::Registered) {
            true => chsi::seats(tx).await?,
            false => None,
        };
        let known = of_numbers(tx, &lines).await?;
        let (mut others, mut gone) = (Vec::new(), Vec::new());
        for line in &lines {
            match (known.get(&line.number), line.answer) {
                (None, _) => finished.errors.push(line.note(EXAMINEE_NO, NOBODY)),
                (Some(id), ChsiAnswer::Registered | ChsiAnswer::Refused) => others.push((line, *id)),
                (Some(id), ChsiAnswer::Reserved) => gone.push((line, *id, Untaken::Reserved)),
                (Some(id), ChsiAnswer::Revoked) => gone.push((line, *id, Untaken::Revoked)),
            }
        }
        let leaving: Vec<i64> = gone.iter().map(|(_, id, _)| *id).collect();
        hold_of(tx, &leaving).await?;
        let ids: Vec<i64> = others.iter().map(|(_, id)| *id).chain(leaving).collect();
        let held = chsi::hold(tx, &ids).await?;
        // Only the step knows whom it refuses, so it is taken in every case: a check, and a sheet with errors, are undone as a whole.
        for (line, id, to) in gone {
            match self.untaken(tx, line, held.get(&id), to).await? {
                Ok(last) => {
                    finished.changes.extend(last);
                    finished.warnings.push(line.note(ANSWER, FOR_GOOD));
                }
                Err(wrong) => finished.errors.push(wrong),
            }
        }
        let (mut accepted, mut refused) = (Vec::new(), Vec::new());
        for (line, id) in others {
            let Some(student) = held.get(&id) else {
                finished.errors.push(line.note(EXAMINEE_NO, NOBODY));
                continue;
            };
            match self.judged(line, student) {
                Err(wrong) => finished.errors.push(wrong),
                Ok(()) if line.answer == ChsiAnswer::Registered => {
                    accepted.push((student, line.on.unwrap_or(self.today)));
                }
                Ok(()) => refused.push((student, line.message.clone())),
            }
        }
        if write && finished.errors.is_empty() {
            finished.changes.extend(chsi::accepted(tx, &accepted, seats).await?);
            finished.changes.extend(chsi::refused(tx, &refused).await?);
        }
        Ok(finished)
    }

    /// An answer goes back; a report that was taken back does not: file, account and forms are gone.
    async fn undo(tx: &mut Tx, scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        if record.entity == "student" {
            return chsi::take_back(tx, record, scope).await;
        }
        let site = sqlx::query_scalar!("select site_id from registration where id = $1", record.id)
            .fetch_optional(&mut **tx)
            .await?;
        match site.filter(|site| scope.sees(Some(*site), None)) {
            Some(_) => Err(Error::conflict("该生的报到已撤销，学籍和账号已删除，不能恢复，请在报到管理中重新办理")),
            None => Err(Error::not_found()),
        }
    }
}

impl ResultSheet {
    /// What the row says; none, with the reasons on the row, when it is wrong.
    fn line(&mut self, row: &mut Row) -> Option<Line> {
        let number = fold(&row.required(EXAMINEE_NO));
        let name = row.required(NAME);
        let id_card_no = row.required(ID_CARD_NO);
        let answer = row.one_of(ANSWER, ChsiAnswer::CHOICES);
        let on = row.date(DAY);
        let message = row.text(MESSAGE);
        if on.is_some() && answer.is_some_and(|answer| answer != ChsiAnswer::Registered) {
            row.refuse(DAY, "只在已注册时填写");
        }
        if message.as_ref().is_some_and(|message| message.chars().count() > 200) {
            row.refuse(MESSAGE, "不能超过200个字符");
        }
        if !row.errors().is_empty() {
            return None;
        }
        let first = *self.seen.entry(number.clone()).or_insert(row.number());
        if first != row.number() {
            row.refuse(EXAMINEE_NO, format!("与第{first}行考生号重复"));
            return None;
        }
        Some(Line { row: row.number(), number, name, id_card_no, answer: answer?, on, message })
    }

    /// Whether the row is about this student, and its answer is still of account.
    fn judged(&self, line: &Line, student: &Applicant) -> Result<(), RowError> {
        same(line, student, &self.scope)?;
        let may = if line.answer == ChsiAnswer::Registered {
            student.registrable(line.on.unwrap_or(self.today), self.today)
        } else {
            student.waits()
        };
        may.map_err(|why| line.note(ANSWER, why))
    }

    /// The last step of a report that is taken back. The others are steps on the way: written here, so that each row of the sheet
    /// has one record.
    async fn untaken(
        &self,
        tx: &mut Tx,
        line: &Line,
        student: Option<&Applicant>,
        to: Untaken,
    ) -> Result<Result<Option<Change>, RowError>> {
        let Some(known) = student else { return Ok(Err(line.note(EXAMINEE_NO, NOBODY))) };
        if let Err(wrong) = same(line, known, &self.scope) {
            return Ok(Err(wrong));
        }
        if let Err(why) = known.waits() {
            return Ok(Err(line.note(ANSWER, why)));
        }
        let reason = line.message.clone().unwrap_or_else(|| format!("学信网注册结果：{}", line.answer.zh()));
        match untaken(tx, known.id, to, &reason, &self.scope).await {
            Ok(mut changes) => {
                let last = changes.pop();
                tx.record(&changes).await?;
                Ok(Ok(last))
            }
            // Behind a lock that is busy nothing can be done any more.
            Err(error) if error.code == 500 || error.is_busy() => Err(error),
            Err(error) => Ok(Err(line.note(ANSWER, error.msg))),
        }
    }
}

/// Whether name and number are the student's, and the student the caller's.
fn same(line: &Line, student: &Applicant, scope: &Scope) -> Result<(), RowError> {
    if !scope.sees(Some(student.site_id), student.class_id) {
        return Err(line.note("", NOT_YOURS));
    }
    if student.name != line.name {
        return Err(line.note(NAME, "姓名与学籍不一致"));
    }
    let number = &student.id_card_no;
    if *number != fold(&line.id_card_no) && *number != normalise(IdCardType::ResidentId, &line.id_card_no) {
        return Err(line.note(ID_CARD_NO, "证件号与学籍不一致"));
    }
    Ok(())
}

/// The students of these 考生号.
async fn of_numbers(tx: &mut Tx, lines: &[Line]) -> Result<HashMap<String, i64>> {
    let numbers: Vec<&str> = lines.iter().map(|line| line.number.as_str()).collect();
    let rows = sqlx::query!(
        r#"select id, examinee_no as "examinee_no!" from student where examinee_no = any($1)"#,
        numbers as _
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(rows.into_iter().map(|row| (row.examinee_no, row.id)).collect())
}

#[cfg(test)]
mod tests {
    use student_status::enums::{RegisterResult, StudentStatus};

    use super::*;

    fn line(answer: ChsiAnswer) -> Line {
        Line {
            row: 2,
            number: "26420101150001".to_owned(),
            name: "张晓玫".to_owned(),
            id_card_no: "420106199903074521".to_owned(),
            answer,
            on: None,
            message: None,
        }
    }

    fn student() -> Applicant {
        Applicant {
            id: 1,
            name: "张晓玫".to_owned(),
            id_card_no: "420106199903074521".to_owned(),
            student_no: Some("26304120070023".to_owned()),
            status: StudentStatus::PendingRegistration,
            register_result: RegisterResult::Exported,
            register_message: None,
            registered_on: None,
            enrolled_on: "2026-03-01".parse().expect("a day"),
            site_id: 1,
            class_id: None,
        }
    }

    #[test]
    fn an_answer_is_of_its_student() {
        let sheet = |scope| ResultSheet {
            scope,
            today: "2026-04-01".parse().expect("a day"),
            seen: HashMap::new(),
            lines: Vec::new(),
        };
        let told = |answer, student: &Applicant| {
            sheet(Scope::whole_school()).judged(&line(answer), student).err().map(|wrong| wrong.message)
        };
        assert_eq!(told(ChsiAnswer::Registered, &student()), None);
        assert_eq!(told(ChsiAnswer::Refused, &student()), None);
        let other = Applicant { name: "张晓梅".to_owned(), ..student() };
        assert_eq!(told(ChsiAnswer::Registered, &other).as_deref(), Some("姓名与学籍不一致"));
        let registered = Applicant { status: StudentStatus::Registered, ..student() };
        assert!(told(ChsiAnswer::Refused, &registered).is_some());
        let narrow = sheet(Scope::limited(vec![2], Vec::new()));
        let told = narrow.judged(&line(ChsiAnswer::Registered), &student()).err().map(|wrong| wrong.message);
        assert_eq!(told.as_deref(), Some("无权操作该数据"));
    }
}
