//! 导入: transferred and old students by sheet, all or none (02 §9.7).
//!
//! The database writes the rows of one part of the sheet while the next part is read and checked: both take about as long, and a
//! sheet may have 100,000 rows.

use std::collections::{HashMap, HashSet};

use classes::class::{Seats, seats_of_classes};
use infra::{
    Allowed, Change, FieldError, Reply, Result, Scope, Tx,
    sheet::{Row, RowError, Template},
    transfer::{self, Attachment, Finished, ImportAnswer, ImportForm, Imported},
};
use poem_openapi::OpenApi;
use student_status_rules::{
    check::check,
    form::{FreeFields, StudentForm},
    limits::Limits,
    new_student::NewStudent,
    references::{References, Word},
    sheet::{SOURCES, columns, heading},
    warnings::{filing_expired, full, of_person},
};
use tokio::{join, task::yield_now};

use super::{
    FetchStudentSheet, ImportStudents,
    check::duplicates,
    enrol::enrol,
    lock,
    number::{Numbered, give_to_new},
    references::Only,
    removal::remove,
};
use crate::{
    enums::{PreEduLevel, StudentStatus, StudyForm, WithdrawReason},
    id_card::{self, Gender, IdCardType},
};

/// After so many rows what waits for the database is looked at again.
const AT_A_TIME: usize = 20;

pub struct Import;

#[OpenApi(prefix_path = "/adult/pc/studentRoll", tag = "crate::Tag::StudentStatus")]
impl Import {
    /// 学籍导入模板
    #[oai(path = "/import/template", method = "get", operation_id = "studentImportTemplate")]
    async fn template(&self, caller: Allowed<FetchStudentSheet>) -> Result<Attachment> {
        let mut tx = caller.read().await?;
        let known = Only::default().load(caller.app(), &mut tx).await?;
        drop(tx);
        transfer::workbook(caller.app(), columns(Some((&known, &caller.scope())))).await
    }

    /// 导入学籍
    #[oai(path = "/import", method = "post", operation_id = "importStudents")]
    async fn import(&self, caller: Allowed<ImportStudents>, form: ImportForm) -> Result<Reply<ImportAnswer>> {
        transfer::import::<StudentSheet>(&caller, form).await
    }
}

/// One import: what the rows refer to, and what was seen of the file.
pub(crate) struct StudentSheet {
    known: References,
    scope: Scope,
    today: chrono::NaiveDate,
    /// Who of those that bring no number gets one by rule.
    numbered: Numbered,
    /// Students who get one behind the last row, each with the row: numbers go through the whole file in the rule's order.
    numberless: HashMap<i64, u32>,
    limits: Limits,
    grades: HashMap<String, i64>,
    levels: HashMap<String, i64>,
    majors: HashMap<String, i64>,
    sites: HashMap<String, i64>,
    classes: HashMap<(i64, String), i64>,
    /// The classes that rows name so far, locked, with whom earlier rows seated.
    seats: HashMap<i64, Seats>,
    /// Sites of which the file was warned already, and of what.
    warned: HashSet<(i64, &'static str)>,
    seen: Seen,
    /// The part of the file before, which is right and not yet written.
    waiting: Waiting,
}

/// Students who were checked, each with the form that their row was and its number.
#[derive(Default)]
struct Waiting {
    forms: Vec<StudentForm>,
    students: Vec<NewStudent>,
    rows: Vec<u32>,
}

impl transfer::Import for StudentSheet {
    const KIND: &'static str = "student.import";
    const COUNTED: &'static [&'static str] = &["年级", "层次", "专业代码", "站点编码", "班级", "学籍状态"];
    type Permission = super::ImportStudents;

    fn template() -> Template {
        columns(None)
    }

    async fn start(tx: &mut Tx, scope: Scope, _into: Option<i64>) -> Result<Self> {
        let app = tx.app().clone();
        let known = Only::default().load(&app, tx).await?;
        let numbered = Numbered::of_school(tx).await?;
        Ok(Self { numbered, ..Self::over(known, scope, app.clock().today()) })
    }

    async fn rows(&mut self, tx: &mut Tx, rows: &mut [Row], write: bool) -> Result<Vec<Change>> {
        let before = std::mem::take(&mut self.waiting);
        let (entered, right) = join!(enter(tx, &before), self.checked(rows));
        let changes = self.entered(&before, entered?);
        let students: Vec<&NewStudent> = right.iter().map(|(_, _, new)| new).collect();
        let wrong = duplicates(tx, &students).await?;
        for ((index, _, _), wrong) in right.iter().zip(wrong) {
            refuse(&mut rows[*index], wrong);
        }
        self.count_seats(tx, right.iter().map(|(_, _, new)| new)).await?;
        for (index, _, new) in &right {
            self.take_seat(&mut rows[*index], new);
            self.warn(&mut rows[*index], new);
        }
        if write && rows.iter().all(|row| row.errors().is_empty()) {
            for (place, form, new) in right {
                self.waiting.rows.push(rows[place].number());
                self.waiting.forms.push(form);
                self.waiting.students.push(new);
            }
        }
        Ok(changes)
    }

    async fn finish(&mut self, tx: &mut Tx, write: bool) -> Result<Finished> {
        let last = std::mem::take(&mut self.waiting);
        if !write {
            return Ok(Finished::default());
        }
        let changes = self.entered(&last, enter(tx, &last).await?);
        if self.numberless.is_empty() {
            return Ok(Finished { changes, ..Finished::default() });
        }
        let ids: Vec<i64> = self.numberless.keys().copied().collect();
        let without = give_to_new(tx, &ids).await?;
        let told = without.into_iter().filter_map(|(student, why)| {
            let row = *self.numberless.get(&student)?;
            Some(RowError { row, column: heading("studentNo").to_owned(), message: format!("未生成学号：{why}") })
        });
        Ok(Finished { changes, warnings: told.collect(), ..Finished::default() })
    }

    /// With account, history and pictures, and with the forms that opened by themselves; the number may come again by a mended sheet.
    async fn undo(tx: &mut Tx, scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        let student = lock(tx, record.id, scope).await?;
        let gone = remove(tx, student.id, "撤销导入").await?;
        if let Some(number) = &student.student_no {
            student_numbers::allocation::forget(tx, student.id, number).await?;
        }
        Ok(Some(gone))
    }
}

/// Notes what is wrong in the cells.
fn refuse(row: &mut Row, wrong: Vec<FieldError>) {
    for FieldError { field, message } in wrong {
        row.refuse_once(heading(&field), message);
    }
}

/// Writes students who were checked; answers the record of each with their number.
///
/// # Errors
/// As [`enrol`].
async fn enter(tx: &mut Tx, waiting: &Waiting) -> Result<Vec<Change>> {
    if waiting.students.is_empty() {
        return Ok(Vec::new());
    }
    let (ids, records) = join!(enrol(tx, &waiting.students), records(&waiting.forms));
    Ok(ids?.into_iter().zip(records).map(|(id, record)| record.numbered(id)).collect())
}

/// What the trail tells of students whose numbers are not known yet.
async fn records(forms: &[StudentForm]) -> Vec<Change> {
    let mut records = Vec::with_capacity(forms.len());
    for part in forms.chunks(AT_A_TIME) {
        yield_now().await;
        records.extend(part.iter().map(|form| Change::created("student", 0, form)));
    }
    records
}

impl StudentSheet {
    /// The rows as students, those that are right by themselves; the others are refused.
    async fn checked(&mut self, rows: &mut [Row]) -> Vec<(usize, StudentForm, NewStudent)> {
        let mut right = Vec::with_capacity(rows.len());
        for (index, row) in rows.iter_mut().enumerate() {
            if index % AT_A_TIME == 0 {
                yield_now().await;
            }
            let form = self.form(row);
            match check(&form, &self.known, &self.scope, self.today) {
                Ok(new) => {
                    self.seen.refuse_repeated(row, &new);
                    if row.errors().is_empty() {
                        right.push((index, form, new));
                    }
                }
                Err(wrong) => refuse(row, wrong),
            }
        }
        right
    }

    /// Notes who of those that were written is still to get a number by rule.
    fn entered(&mut self, written: &Waiting, changes: Vec<Change>) -> Vec<Change> {
        let of_row = changes.iter().map(Change::id).zip(written.rows.iter().copied()).zip(&written.students);
        self.numberless.extend(of_row.filter(|(_, new)| self.numbered.includes(new)).map(|(of_row, _)| of_row));
        changes
    }

    fn over(known: References, scope: Scope, today: chrono::NaiveDate) -> Self {
        fn both(id: i64, code: &str, name: &str) -> [(String, i64); 2] {
            [(code.to_lowercase(), id), (name.to_lowercase(), id)]
        }
        Self {
            grades: known.grades.values().flat_map(|grade| both(grade.id, &grade.code, &grade.name)).collect(),
            levels: known.levels.values().flat_map(|level| both(level.id, &level.code, &level.name)).collect(),
            majors: known.majors.values().map(|major| (major.code.to_lowercase(), major.id)).collect(),
            sites: known.sites.values().map(|site| (site.code.to_lowercase(), site.id)).collect(),
            classes: known.classes.values().map(|class| ((class.grade_id, class.name.clone()), class.id)).collect(),
            limits: Limits::of_the_form(),
            seats: HashMap::new(),
            warned: HashSet::new(),
            seen: Seen::default(),
            known,
            scope,
            today,
            numbered: Numbered::Nobody,
            numberless: HashMap::new(),
            waiting: Waiting::default(),
        }
    }

    /// Locks the classes of these students that were not locked yet, and counts who sits there.
    async fn count_seats(&mut self, tx: &mut Tx, students: impl Iterator<Item = &NewStudent> + Send) -> Result<()> {
        let new: HashSet<i64> =
            students.filter_map(seated_in).filter(|class_id| !self.seats.contains_key(class_id)).collect();
        if new.is_empty() {
            return Ok(());
        }
        if self.seats.is_empty() {
            // A later part of the file may name a class before these: two sheets at once would wait for each other.
            sqlx::query!("select id from class order by id for update").fetch_all(&mut **tx).await?;
        }
        self.seats.extend(seats_of_classes(tx, &new.into_iter().collect::<Vec<_>>()).await?);
        Ok(())
    }

    /// Takes a seat as 新增 does (02 §9.5); where none is left, the row is refused.
    fn take_seat(&mut self, row: &mut Row, new: &NewStudent) {
        let Some(seats) = seated_in(new).and_then(|class_id| self.seats.get_mut(&class_id)) else { return };
        if let Err(full) = seats.admit(1) {
            row.refuse(heading("classId"), full.msg.into_owned());
        }
        // Counted all the same, so that the last row says how many are too many.
        seats.taken += 1;
    }

    /// Warns as 新增 does; of a site once a file, on the first row that it concerns.
    fn warn(&mut self, row: &mut Row, new: &NewStudent) {
        let mut warnings = of_person(new);
        if new.status.is_active()
            && let Some(site) = self.known.sites.get_mut(&new.site_id)
        {
            for (what, warning) in [("full", full(site)), ("filing", filing_expired(site, self.today))] {
                warnings.extend(warning.filter(|_| self.warned.insert((site.id, what))));
            }
            site.taken += 1;
        }
        for FieldError { field, message } in warnings {
            row.warn(heading(&field), message);
        }
    }

    /// The row as the body of 新增 would be. What cannot be read is refused in its cell; what stands in its place is
    /// refused by the check in the same cell, or passes it.
    fn form(&self, row: &mut Row) -> StudentForm {
        let grade_id = self.named(row, "年级", &self.grades);
        let class_id = row.text("班级").and_then(|name| {
            let found = self.classes.get(&(grade_id, name.clone())).copied();
            if found.is_none() && grade_id != 0 {
                row.refuse("班级", format!("该年级没有班级“{name}”"));
            }
            found
        });
        let free = FreeFields {
            political_status: word(row, "政治面貌", &self.known.political),
            phone: self.text(row, "phone"),
            pre_edu_level: row.one_of("入学前学历", PreEduLevel::CHOICES),
            pre_edu_school: self.text(row, "preEduSchool"),
            pre_edu_major: self.text(row, "preEduMajor"),
            pre_edu_certificate_no: self.text(row, "preEduCertificateNo"),
            pre_edu_graduated_on: row.date("入学前毕业日期"),
            address: self.text(row, "address"),
            postal_code: self.text(row, "postalCode"),
            work_unit: self.text(row, "workUnit"),
            ..FreeFields::default()
        };
        StudentForm {
            name: self.text(row, "name").unwrap_or_default(),
            gender: row.one_of("性别", Gender::CHOICES),
            birthday: None,
            id_card_type: row.one_of("证件类型", IdCardType::CHOICES),
            id_card_no: self.text(row, "idCardNo").unwrap_or_default(),
            ethnicity: word(row, "民族", &self.known.ethnicities),
            student_no: self.number(row, "studentNo"),
            examinee_no: self.number(row, "examineeNo"),
            grade_id,
            level_id: self.named(row, "层次", &self.levels),
            major_id: self.named(row, "专业代码", &self.majors),
            study_form: row.one_of("学习形式", StudyForm::CHOICES).unwrap_or(StudyForm::NonFullTime),
            schooling_years: row.decimal("学制", 1).map_or(0.0, |tenths| tenths as f64 / 10.0),
            site_id: self.named(row, "站点编码", &self.sites),
            class_id,
            enrolled_on: row.date("入学日期").unwrap_or(self.today),
            status: row.one_of("学籍状态", StudentStatus::CHOICES),
            status_reason: row.one_of("状态原因", WithdrawReason::CHOICES),
            registered_on: row.date("注册日期"),
            ended_on: row.date("毕业日期"),
            source: row.one_of("来源", SOURCES),
            free,
        }
    }

    /// A reference by name or code, in any case; 0 when nothing has it.
    fn named(&self, row: &mut Row, heading: &str, known: &HashMap<String, i64>) -> i64 {
        let Some(text) = row.text(heading) else { return 0 };
        let found = known.get(&text.to_lowercase()).copied();
        if found.is_none() {
            row.refuse(heading, format!("“{text}”不存在"));
        }
        found.unwrap_or(0)
    }

    /// A text as the form allows it.
    fn text(&self, row: &mut Row, field: &'static str) -> Option<String> {
        let heading = heading(field);
        let text = row.text(heading)?;
        if let Some(message) = self.limits.refusal(field, &text) {
            row.refuse(heading, message);
        }
        Some(text)
    }

    /// The same in upper case.
    fn number(&self, row: &mut Row, field: &'static str) -> Option<String> {
        let heading = heading(field);
        let text = id_card::fold(&row.text(heading)?);
        if let Some(message) = self.limits.refusal(field, &text) {
            row.refuse(heading, message);
        }
        Some(text)
    }
}

/// The class in which a student takes a seat; who has ended takes none.
fn seated_in(new: &NewStudent) -> Option<i64> {
    new.class_id.filter(|_| new.status.is_active())
}

/// A word of a dictionary, by its label or its value.
fn word(row: &mut Row, heading: &str, words: &[Word]) -> Option<String> {
    let text = row.text(heading)?;
    let found = words.iter().find(|word| word.label == text || word.value == text);
    if found.is_none() {
        row.refuse(heading, format!("“{text}”不在可选范围内，请从下拉列表中选择"));
    }
    found.map(|word| word.value.clone())
}

/// What may stand in a file once, with the row that had it first.
#[derive(Default)]
struct Seen {
    persons: HashMap<(IdCardType, String), u32>,
    student_nos: HashMap<String, u32>,
    examinee_nos: HashMap<String, u32>,
    logins: HashMap<String, u32>,
}

impl Seen {
    /// The later of two rows is wrong and names the first. Enrolments that have ended may stand beside each other.
    fn refuse_repeated(&mut self, row: &mut Row, new: &NewStudent) {
        let number = row.number();
        let mut repeated = false;
        let mut tell = |first: u32, heading: &str, word: &str| {
            if first != number {
                repeated = true;
                row.refuse(heading, format!("与第{first}行{word}重复"));
            }
        };
        if new.status.is_active() {
            let person = (new.id_card_type, new.id_card_no.clone());
            tell(*self.persons.entry(person).or_insert(number), "证件号", "证件号");
        }
        if let Some(no) = &new.student_no {
            tell(*self.student_nos.entry(no.clone()).or_insert(number), "学号", "学号");
        }
        if let Some(no) = &new.examinee_no {
            tell(*self.examinee_nos.entry(no.clone()).or_insert(number), "考生号", "考生号");
        }
        if let Some(login) = new.login_name().filter(|_| !repeated) {
            // The 考生号 of one may be the 学号 of another.
            let heading = if new.student_no.is_some() { "学号" } else { "考生号" };
            let first = *self.logins.entry(login.to_lowercase()).or_insert(number);
            if first != number {
                row.refuse(heading, format!("与第{first}行登录名重复"));
            }
        }
    }
}
