//! 导入考生号: the numbers that people were given on the province's site, by their identity numbers (02 §3).

use std::collections::HashMap;

use infra::{
    Allowed, Change, Error, OnConstraint, Reply, Result, Scope, Tx,
    sheet::{InputColumn, Row, Template},
    transfer::{self, Attachment, ImportAnswer, ImportForm, Imported},
};
use poem_openapi::{Object, OpenApi};

use super::{
    FetchPreRegistrationSheet, ImportPreRegistrations,
    import::PreRegistrationImportForm,
    insert::refused,
    view::{PreRegistration, lock},
};
use crate::{
    enums::{ExamStatus, PreRegistrationStatus},
    id_card,
};

const NUMBER: &str = "证件号";
const NAME: &str = "姓名";
const REG_NO: &str = "网报号";
const EXAMINEE_NO: &str = "考生号";

pub struct Import;

#[OpenApi(prefix_path = "/adult/pc/preRegistration", tag = "crate::Tag::Recruitment")]
impl Import {
    /// 导入考生号
    #[oai(path = "/examineeNo/import", method = "put", operation_id = "importExamineeNos")]
    async fn import(
        &self,
        caller: Allowed<ImportPreRegistrations>,
        form: PreRegistrationImportForm,
    ) -> Result<Reply<ImportAnswer>> {
        let PreRegistrationImportForm { batch_id, file, dry_run, sha256 } = form;
        let form = ImportForm { file, dry_run, sha256 };
        transfer::import_into::<ExamineeNos>(&caller, form, Some(batch_id)).await
    }

    /// 考生号导入模板
    #[oai(path = "/examineeNo/import/template", method = "get", operation_id = "fetchExamineeNoTemplate")]
    async fn template(&self, caller: Allowed<FetchPreRegistrationSheet>) -> Result<Attachment> {
        transfer::template::<ExamineeNos, _>(&caller).await
    }
}

/// A person of the batch.
#[derive(Debug, Clone)]
struct Known {
    id: i64,
    name: String,
    site_id: i64,
    status: PreRegistrationStatus,
    numbers: Numbers,
}

/// By which numbers the province knows a person.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase")]
struct Numbers {
    /// 网报号
    provincial_reg_no: Option<String>,
    /// 考生号
    examinee_no: Option<String>,
    /// 考试状态
    exam_status: ExamStatus,
}

impl From<&PreRegistration> for Numbers {
    fn from(stored: &PreRegistration) -> Self {
        Self {
            provincial_reg_no: stored.provincial_reg_no.clone(),
            examinee_no: stored.examinee_no.clone(),
            exam_status: stored.exam_status,
        }
    }
}

/// Numbers of one person that are to be written.
struct Numbered {
    id: i64,
    before: Numbers,
    after: Numbers,
}

/// One import: the people of the batch by their identity numbers, and who has which 考生号 and 网报号.
pub(crate) struct ExamineeNos {
    scope: Scope,
    people: HashMap<String, Known>,
    examinee_nos: HashMap<String, (i64, String)>,
    reg_nos: HashMap<String, (i64, String)>,
    seen: HashMap<String, u32>,
}

impl transfer::Import for ExamineeNos {
    const KIND: &'static str = "pre_registration.examinee_no";
    type Permission = super::ImportPreRegistrations;

    fn template() -> Template {
        Template {
            title: "考生号",
            columns: vec![
                InputColumn::required(NUMBER, "与预报名一致"),
                InputColumn::required(NAME, "与预报名一致"),
                InputColumn::optional(REG_NO, "省级网报系统的报名号"),
                InputColumn::required(EXAMINEE_NO, "4至20位数字或大写字母"),
            ],
        }
    }

    /// The batch's people are held, so that the numbers stay as they were read.
    async fn start(tx: &mut Tx, scope: Scope, into: Option<i64>) -> Result<Self> {
        let batch = into.ok_or_else(|| Error::field("batchId", "请选择批次"))?;
        let rows = sqlx::query!(
            r#"select id, name, id_card_no, site_id, status as "status: PreRegistrationStatus",
                      exam_status as "exam_status: ExamStatus", examinee_no, provincial_reg_no
               from pre_registration where batch_id = $1 and deleted_at is null and scrubbed_at is null
               order by id for update"#,
            batch
        )
        .fetch_all(&mut **tx)
        .await?;
        let mut import = Self {
            scope,
            people: HashMap::with_capacity(rows.len()),
            examinee_nos: HashMap::new(),
            reg_nos: HashMap::new(),
            seen: HashMap::new(),
        };
        for row in rows {
            if let Some(no) = &row.examinee_no {
                import.examinee_nos.insert(no.clone(), (row.id, row.name.clone()));
            }
            if let Some(no) = &row.provincial_reg_no {
                import.reg_nos.insert(no.clone(), (row.id, row.name.clone()));
            }
            let known = Known {
                id: row.id,
                name: row.name,
                site_id: row.site_id,
                status: row.status,
                numbers: Numbers {
                    provincial_reg_no: row.provincial_reg_no,
                    examinee_no: row.examinee_no,
                    exam_status: row.exam_status,
                },
            };
            import.people.insert(row.id_card_no, known);
        }
        Ok(import)
    }

    async fn rows(&mut self, tx: &mut Tx, rows: &mut [Row], write: bool) -> Result<Vec<Change>> {
        let numbered: Vec<Numbered> = rows.iter_mut().filter_map(|row| self.numbered(row)).collect();
        if !write || rows.iter().any(|row| !row.errors().is_empty()) {
            return Ok(Vec::new());
        }
        save(tx, &numbered).await?;
        Ok(numbered.iter().map(Numbered::change).collect())
    }

    async fn undo(tx: &mut Tx, scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        let person = lock(tx, record.id, scope).await?;
        let now = Numbers::from(&person);
        let former: Numbers = record.former(&now)?;
        if former == now {
            return Ok(None);
        }
        if now.exam_status == ExamStatus::Admitted && former.examinee_no != now.examinee_no {
            return Err(Error::conflict("该人员已录取，考生号不能修改"));
        }
        let back = Numbered { id: record.id, before: now, after: former };
        save(tx, std::slice::from_ref(&back)).await?;
        Ok(Some(back.change()))
    }
}

impl Numbered {
    fn change(&self) -> Change {
        Change::edited("pre_registration", self.id, &self.before, &self.after)
    }
}

impl ExamineeNos {
    fn numbered(&mut self, row: &mut Row) -> Option<Numbered> {
        let number = id_card::fold(&row.required(NUMBER));
        let number = id_card::expand(&number).unwrap_or(number);
        let name = row.required(NAME);
        let examinee_no = id_card::fold(&row.required(EXAMINEE_NO));
        let provincial_reg_no = row.text(REG_NO).map(|no| no.trim().to_owned());
        if !row.errors().is_empty() {
            return None;
        }
        if !(4..=20).contains(&examinee_no.len()) || !examinee_no.bytes().all(|sign| sign.is_ascii_alphanumeric()) {
            row.refuse(EXAMINEE_NO, "考生号格式不正确：应为4至20位数字或大写字母");
        }
        if provincial_reg_no.as_deref().is_some_and(|no| !is_reg_no(no)) {
            row.refuse(REG_NO, "网报号格式不正确：应为1至20位数字、字母或短横线");
        }
        let Some(person) = self.people.get(&number).cloned() else {
            row.refuse(NUMBER, "本批次没有该证件号的预报名");
            return None;
        };
        if !self.scope.sees(Some(person.site_id), None) {
            row.refuse(NUMBER, student_status::student::check::NOT_YOURS);
        }
        if person.name != name {
            row.refuse(NAME, format!("姓名与预报名不一致（{}）", person.name));
        }
        if matches!(person.status, PreRegistrationStatus::Rejected | PreRegistrationStatus::Cancelled) {
            row.refuse(NUMBER, format!("该预报名{}，请先恢复待审", person.status.zh()));
        }
        let before = person.numbers.clone();
        if before.exam_status == ExamStatus::Admitted && before.examinee_no.as_ref() != Some(&examinee_no) {
            row.refuse(EXAMINEE_NO, "该人员已录取，考生号不能修改");
        }
        let first = *self.seen.entry(number).or_insert(row.number());
        if first != row.number() {
            row.refuse(NUMBER, format!("与第{first}行证件号重复"));
        }
        taken(row, EXAMINEE_NO, &mut self.examinee_nos, &examinee_no, &person);
        if let Some(no) = &provincial_reg_no {
            taken(row, REG_NO, &mut self.reg_nos, no, &person);
        }
        // Whoever has a number registered with the province.
        let exam_status = match before.exam_status {
            ExamStatus::None => ExamStatus::Registered,
            known => known,
        };
        let provincial_reg_no = provincial_reg_no.or_else(|| before.provincial_reg_no.clone());
        let after = Numbers { provincial_reg_no, examinee_no: Some(examinee_no), exam_status };
        row.errors().is_empty().then_some(Numbered { id: person.id, before, after })
    }
}

/// As the form takes it.
fn is_reg_no(no: &str) -> bool {
    no.len() <= 20 && no.bytes().all(|sign| sign.is_ascii_alphanumeric() || sign == b'-')
}

/// A number belongs to one person of the batch, also when an earlier row of the file gave it away.
fn taken(row: &mut Row, heading: &str, known: &mut HashMap<String, (i64, String)>, no: &str, person: &Known) {
    let (owner, name) = known.entry(no.to_owned()).or_insert_with(|| (person.id, person.name.clone()));
    if *owner != person.id {
        row.refuse(heading, format!("{heading}已被{name}使用"));
    }
}

/// # Errors
/// 422 when somebody else of the batch has a number meanwhile.
async fn save(tx: &mut Tx, numbered: &[Numbered]) -> Result<()> {
    let by = tx.by();
    let ids: Vec<i64> = numbered.iter().map(|row| row.id).collect();
    let examinee_nos: Vec<Option<&str>> = numbered.iter().map(|row| row.after.examinee_no.as_deref()).collect();
    let reg_nos: Vec<Option<&str>> = numbered.iter().map(|row| row.after.provincial_reg_no.as_deref()).collect();
    let exams: Vec<&str> = numbered.iter().map(|row| row.after.exam_status.as_str()).collect();
    sqlx::query!(
        "update pre_registration p
         set examinee_no = r.examinee_no, provincial_reg_no = r.reg_no, exam_status = r.exam_status,
             updated_at = now(), updated_by = $1, version = p.version + 1
         from unnest($2::bigint[], $3::text[], $4::text[], $5::text[]) as r (id, examinee_no, reg_no, exam_status)
         where p.id = r.id",
        by,
        &ids,
        examinee_nos as _,
        reg_nos as _,
        exams as _
    )
    .execute(&mut **tx)
    .await
    .on_constraint(refused)?;
    Ok(())
}
