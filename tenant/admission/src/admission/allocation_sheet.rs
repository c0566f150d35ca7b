//! 导入站点分配: who studies where, by sheet; all or none (02 §6).

use std::collections::{HashMap, HashSet};

use enrolment::admitting::{open, share_open};
use infra::{
    Allowed, Change, Error, Reply, Result, Scope, Tx,
    naming::{Codes, referred},
    sheet::{InputColumn, Row, RowError, Template},
    transfer::{self, Attachment, Finished, ImportAnswer, ImportForm, Imported, SentFile},
};
use people::id_card::fold;
use poem_openapi::{Multipart, OpenApi, types::multipart::Upload};
use student_status::student::check::NOT_YOURS;
use units::site::{self, KnownSite};

use super::{
    FetchAllocationSheet, ImportAllocations,
    person::{Person, Placer, before, changed, held, held_one, now, untouched, write},
    undo::undone,
};
use crate::enums::{AdmissionIssue, AdmissionStatus};

const NUMBER: &str = "考生号";
const NAME: &str = "姓名";
const SITE: &str = "站点编码";

/// The multipart body of the import.
#[derive(Debug, Multipart)]
#[oai(rename_all = "camelCase")]
pub struct AllocationImportForm {
    /// 招生批次
    pub batch_id: i64,
    /// 文件
    pub file: Upload,
    /// 仅检查
    pub dry_run: Option<bool>,
    /// 检查时文件的摘要
    /// 仅检查时应答的 sha256；与本次文件不同时拒绝导入
    pub sha256: Option<String>,
}

pub struct Sheet;

#[OpenApi(prefix_path = "/adult/pc/admission", tag = "crate::Tag::Admission")]
impl Sheet {
    /// 站点分配导入模板
    #[oai(path = "/allocation/import/template", method = "get", operation_id = "fetchAllocationImportTemplate")]
    async fn template(&self, caller: Allowed<FetchAllocationSheet>) -> Result<Attachment> {
        transfer::template::<AllocationSheet, _>(&caller).await
    }

    /// 导入站点分配
    #[oai(path = "/allocation/import", method = "post", operation_id = "importAllocations")]
    async fn import(
        &self,
        caller: Allowed<ImportAllocations>,
        form: AllocationImportForm,
    ) -> Result<Reply<ImportAnswer>> {
        let AllocationImportForm { batch_id, file, dry_run, sha256 } = form;
        let form = ImportForm { file, dry_run, sha256 };
        transfer::import_into::<AllocationSheet>(&caller, form, Some(batch_id)).await
    }
}

/// A row that is right by itself.
struct Line {
    row: u32,
    number: String,
    name: String,
    site: i64,
}

impl Line {
    fn note(&self, column: &str, message: impl Into<String>) -> RowError {
        RowError { row: self.row, column: column.to_owned(), message: message.into() }
    }
}

/// One import. People may change places with each other, in whichever order the rows stand: who goes where is judged behind the last
/// row.
pub(crate) struct AllocationSheet {
    batch: i64,
    scope: Scope,
    sites: Codes<KnownSite>,
    seen: HashMap<String, u32>,
    lines: Vec<Line>,
}

impl transfer::Import for AllocationSheet {
    const KIND: &'static str = "admission.allocation";
    type Permission = ImportAllocations;

    const CODES: &'static [(&'static str, &'static str)] = &[(SITE, "site")];

    fn template() -> Template {
        Template {
            title: "站点分配",
            columns: vec![
                InputColumn::required(NUMBER, "与录取数据一致"),
                InputColumn::required(NAME, "与录取数据一致"),
                InputColumn::required(SITE, ""),
            ],
        }
    }

    async fn start(tx: &mut Tx, scope: Scope, into: Option<i64>) -> Result<Self> {
        let batch = into.ok_or_else(|| Error::field("batchId", "请选择招生批次"))?;
        open(tx, batch).await?;
        let sites = site::by_code(tx, &scope).await?;
        Ok(Self { batch, scope, sites, seen: HashMap::new(), lines: Vec::new() })
    }

    async fn begin(&mut self, tx: &mut Tx, sent: &SentFile<'_>) -> Result<()> {
        if !sent.dry_run {
            share_open(tx, self.batch).await?;
        }
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

    async fn finish(&mut self, tx: &mut Tx, write_them: bool) -> Result<Finished> {
        let mut known = self.people(tx, write_them).await?;
        let mut finished = Finished::default();
        let mut moving: Vec<(Person, Line)> = Vec::with_capacity(self.lines.len());
        for line in std::mem::take(&mut self.lines) {
            let Some(person) = known.remove(&line.number) else {
                let why = if self.scope.is_whole() { "本批次没有该考生号的录取数据" } else { NOT_YOURS };
                finished.errors.push(line.note(NUMBER, why));
                continue;
            };
            let wrong = refused(&person, &line);
            if wrong.is_empty() {
                moving.push((person, line));
            }
            finished.errors.extend(wrong);
        }
        moving.sort_by(|(one, _), (other, _)| before(one, other));
        let people: Vec<Person> = moving.iter().map(|(person, _)| person.clone()).collect();
        let sites: Vec<i64> = moving.iter().map(|(_, line)| line.site).collect();
        let mut placer = if write_them {
            Placer::hold(tx, &people, &sites).await?
        } else {
            Placer::look(tx, &people, &sites).await?
        };
        // Whoever moves leaves before anybody comes.
        let mut after = people.clone();
        for (person, site) in after.iter_mut().zip(&sites) {
            if person.site_id != Some(*site) {
                placer.leave(person);
            }
        }
        for (person, (_, line)) in after.iter_mut().zip(&moving) {
            match placer.place(person, line.site) {
                Ok(beyond) => finished.warnings.extend(beyond.map(|beyond| line.note(SITE, beyond))),
                Err(why) => finished.errors.push(line.note(SITE, why)),
            }
        }
        if write_them && finished.errors.is_empty() {
            let was = moving.iter().map(|(person, _)| person);
            let differ: Vec<(&Person, Person)> = was.zip(after).filter(|(was, is)| *was != is).collect();
            finished.changes = told(&differ);
            let differ: Vec<Person> = differ.into_iter().map(|(_, is)| is).collect();
            write(tx, &differ).await?;
            if differ.is_empty() {
                finished.changes.extend(untouched(&people));
            }
        }
        Ok(finished)
    }

    async fn undo(tx: &mut Tx, scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        let person = held_one(tx, record.id, None, scope).await?;
        undone(tx, &person, record, scope).await
    }
}

/// The records of who moved. Whose place goes to somebody else of the sheet is told to have left it first: undone the last first,
/// everybody finds theirs free again.
fn told(moved: &[(&Person, Person)]) -> Vec<Change> {
    let taken: HashSet<(i64, i64)> =
        moved.iter().filter_map(|(_, is)| Some((is.enrollment_major_id, is.site_id?))).collect();
    let (mut changes, mut arrived) = (Vec::with_capacity(moved.len()), Vec::with_capacity(moved.len()));
    for (was, is) in moved {
        let left = was.site_id.filter(|site| is.site_id != Some(*site));
        if left.is_some_and(|site| taken.contains(&(was.enrollment_major_id, site))) {
            let mut between = Person { site_id: None, status: AdmissionStatus::Imported, ..(*was).clone() };
            between.note(AdmissionIssue::OverQuota, false);
            changes.push(changed(was, &between));
            arrived.push(changed(&between, is));
        } else {
            arrived.push(changed(was, is));
        }
    }
    changes.append(&mut arrived);
    changes
}

impl AllocationSheet {
    /// What the row says; none, with the reasons on the row, when it is wrong.
    fn line(&mut self, row: &mut Row) -> Option<Line> {
        let number = fold(&row.required(NUMBER));
        let name = row.required(NAME);
        let site = referred(row, SITE, &self.sites).map(|site| site.id);
        if !row.errors().is_empty() {
            return None;
        }
        let site = site?;
        let first = *self.seen.entry(number.clone()).or_insert(row.number());
        if first != row.number() {
            row.refuse(NUMBER, format!("与第{first}行考生号重复"));
        }
        if !self.scope.sees(Some(site), None) {
            row.refuse(SITE, NOT_YOURS);
        }
        row.errors().is_empty().then(|| Line { row: row.number(), number, name, site })
    }

    /// The people of the sheet whom the scope shows, by their 考生号; held when they are to be written.
    async fn people(&self, tx: &mut Tx, hold: bool) -> Result<HashMap<String, Person>> {
        let numbers: Vec<String> = self.lines.iter().map(|line| line.number.clone()).collect();
        let ids = sqlx::query_scalar!(
            "select id from admission where batch_id = $1 and upper(examinee_no) = any($2) and deleted_at is null",
            self.batch,
            &numbers
        )
        .fetch_all(&mut **tx)
        .await?;
        let people = if hold { held(tx, &ids, &self.scope).await? } else { now(tx, &ids, &self.scope).await? };
        Ok(people.into_iter().map(|person| (fold(&person.examinee_no), person)).collect())
    }
}

/// Why the person is not given a site by this row.
fn refused(person: &Person, line: &Line) -> Vec<RowError> {
    let name = (person.name != line.name).then(|| line.note(NAME, "姓名与录取数据不一致"));
    let status =
        (!person.is_open()).then(|| line.note(NUMBER, format!("当前状态为{}，不能分配站点", person.status.zh())));
    name.into_iter().chain(status).collect()
}
