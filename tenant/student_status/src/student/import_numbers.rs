//! 导入学号: numbers that were made elsewhere, for students who have none; all rows or none (02 §9.4).

use std::collections::{HashMap, HashSet};

use infra::{
    Allowed, Change, Reply, Result, Scope, Tx,
    sheet::{InputColumn, Row, Template},
    transfer::{self, Attachment, Import, ImportAnswer, ImportForm, Imported},
};
use people::account::{OwnerKind, login_owners};
use poem_openapi::OpenApi;
use student_numbers::allocation::used;
use student_status_rules::check::NOT_YOURS;

use super::{
    FetchStudentSheet, ImportStudents,
    number::{give_all, take_back},
};
use crate::{
    enums::StudentStatus,
    id_card::{self, IdCardType},
};

pub struct ImportNumbers;

#[OpenApi(prefix_path = "/adult/pc/studentRoll/studentNo", tag = "crate::Tag::StudentStatus")]
impl ImportNumbers {
    /// 导入学号
    #[oai(path = "/import", method = "post", operation_id = "importStudentNumbers")]
    async fn import(&self, caller: Allowed<ImportStudents>, form: ImportForm) -> Result<Reply<ImportAnswer>> {
        transfer::import::<NumberSheet>(&caller, form).await
    }

    /// 学号导入模板
    #[oai(path = "/import/template", method = "get", operation_id = "fetchStudentNumberTemplate")]
    async fn template(&self, caller: Allowed<FetchStudentSheet>) -> Result<Attachment> {
        transfer::template::<NumberSheet, _>(&caller).await
    }
}

/// A student that a row may name.
#[derive(Debug, Clone)]
struct Known {
    id: i64,
    name: String,
    student_no: Option<String>,
    status: StudentStatus,
    site_id: i64,
    class_id: Option<i64>,
}

/// The students of a batch of rows, locked.
#[derive(Debug, Default)]
struct Batch {
    by_examinee_no: HashMap<String, Known>,
    /// By ID number the enrolment that goes on.
    by_id_card_no: HashMap<String, Known>,
    used: HashSet<String>,
    /// By login name in lower case, whose it is.
    logins: HashMap<String, (OwnerKind, i64)>,
}

/// An import of numbers.
pub(crate) struct NumberSheet {
    scope: Scope,
    students: HashMap<i64, u32>,
    numbers: HashMap<String, u32>,
}

impl Import for NumberSheet {
    const KIND: &'static str = "student.number_import";
    type Permission = ImportStudents;

    fn template() -> Template {
        Template {
            title: "学号",
            columns: vec![
                InputColumn::optional("考生号", "考生号和证件号至少填一项"),
                InputColumn::optional("证件号", ""),
                InputColumn::required("姓名", "与学籍中的姓名一致"),
                InputColumn::required("学号", "4至20位数字或大写字母，不能重复"),
            ],
        }
    }

    async fn start(_tx: &mut Tx, scope: Scope, _into: Option<i64>) -> Result<Self> {
        Ok(Self { scope, students: HashMap::new(), numbers: HashMap::new() })
    }

    async fn rows(&mut self, tx: &mut Tx, rows: &mut [Row], write: bool) -> Result<Vec<Change>> {
        let batch = batch(tx, rows).await?;
        let given: Vec<(i64, String)> = rows.iter_mut().filter_map(|row| self.given(row, &batch)).collect();
        if !write || rows.iter().any(|row| !row.errors().is_empty()) {
            return Ok(Vec::new());
        }
        let given: Vec<(i64, &str)> = given.iter().map(|(student, number)| (*student, number.as_str())).collect();
        give_all(tx, &given).await
    }

    /// The number may come again by a mended sheet; no rule gives it, for counters go on.
    async fn undo(tx: &mut Tx, scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        let Some(number) = record.after::<String>("studentNo")? else { return Ok(None) };
        take_back(tx, record.id, &number, scope).await.map(Some)
    }
}

impl NumberSheet {
    /// Whom the row gives which number; none, with the reasons on the row, when it is wrong.
    fn given(&mut self, row: &mut Row, batch: &Batch) -> Option<(i64, String)> {
        let (examinee_no, id_card_no) = (row.text("考生号").map(|no| id_card::fold(&no)), id_card_no(row));
        let (name, number) = (row.required("姓名"), id_card::fold(&row.required("学号")));
        let found = match (examinee_no.as_ref(), id_card_no.as_ref()) {
            (None, None) => {
                row.refuse("考生号", "请填写考生号或证件号");
                return None;
            }
            (Some(no), _) => named(row, "考生号", batch.by_examinee_no.get(no))?,
            (None, Some(no)) => named(row, "证件号", batch.by_id_card_no.get(no))?,
        };
        if !self.scope.sees(Some(found.site_id), found.class_id) {
            row.refuse("", NOT_YOURS);
            return None;
        }
        if found.name != name && !name.is_empty() {
            row.refuse("姓名", "与学籍中的姓名不一致");
        }
        if let Some(has) = &found.student_no {
            row.refuse("学号", format!("该生已有学号{has}"));
        }
        if !found.status.is_active() {
            row.refuse("", format!("当前学籍状态为{}，不能导入学号", found.status.zh()));
        }
        if !is_number(&number) && !number.is_empty() {
            row.refuse("学号", "学号格式不正确：应为4至20位数字或大写字母");
        } else if batch.used.contains(&number) {
            row.refuse("学号", "学号已被使用过，不能重复使用");
        } else if batch.logins.get(&number.to_lowercase()).is_some_and(|own| *own != (OwnerKind::Student, found.id)) {
            // The number becomes the login name; that of the student may be the same already.
            row.refuse("学号", format!("登录名“{number}”已被其他账号使用"));
        }
        let first = *self.students.entry(found.id).or_insert(row.number());
        if first != row.number() {
            row.refuse("", format!("与第{first}行是同一名学生"));
        }
        let first = *self.numbers.entry(number.clone()).or_insert(row.number());
        if first != row.number() {
            row.refuse("学号", format!("与第{first}行学号重复"));
        }
        row.errors().is_empty().then_some((found.id, number))
    }
}

fn is_number(text: &str) -> bool {
    (4..=20).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase())
}

/// The student behind a number; one that nobody has is refused on the row.
fn named(row: &mut Row, heading: &str, found: Option<&Known>) -> Option<Known> {
    if found.is_none() {
        row.refuse(heading, format!("没有该{heading}的学生"));
    }
    found.cloned()
}

/// The 证件号 of a row as the register has it.
fn id_card_no(row: &mut Row) -> Option<String> {
    row.text("证件号").map(|no| id_card::normalise(IdCardType::ResidentId, &no))
}

async fn batch(tx: &mut Tx, rows: &mut [Row]) -> Result<Batch> {
    let mut folded = |heading: &str| -> Vec<String> {
        rows.iter_mut().filter_map(|row| row.text(heading)).map(|no| id_card::fold(&no)).collect()
    };
    let (examinee_nos, numbers) = (folded("考生号"), folded("学号"));
    let id_card_nos: Vec<String> = rows.iter_mut().filter_map(id_card_no).collect();
    let found = sqlx::query!(
        r#"select id, name, student_no, examinee_no, id_card_no, status as "status: StudentStatus", site_id, class_id
           from student where examinee_no = any($1) or id_card_no = any($2) and active order by id for update"#,
        &examinee_nos,
        &id_card_nos
    )
    .fetch_all(&mut **tx)
    .await?;
    let (used, logins) = (used(tx, &numbers).await?, login_owners(tx, &numbers).await?);
    let mut batch = Batch { used, logins, ..Batch::default() };
    for row in found {
        let known = Known {
            id: row.id,
            name: row.name,
            student_no: row.student_no,
            status: row.status,
            site_id: row.site_id,
            class_id: row.class_id,
        };
        if let Some(number) = row.examinee_no {
            batch.by_examinee_no.insert(number, known.clone());
        }
        if known.status.is_active() {
            batch.by_id_card_no.insert(row.id_card_no, known);
        }
    }
    Ok(batch)
}
