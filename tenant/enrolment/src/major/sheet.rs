//! 导入招生专业: a batch's majors with the codes of the authority. What the batch has already gets codes and figures of the
//! sheet, and keeps what an empty cell does not say; how it differs is told row by row.

use std::collections::HashMap;

use infra::{
    Allowed, Change, Error, Reply, Result, Scope, Tx,
    across::Keyed,
    body,
    naming::Codes,
    sheet::{InputColumn, Row, RowError, Template},
    transfer::{self, Attachment, Finished, ImportAnswer, ImportForm, Imported, RowDifference},
};
use majors::major::{self, KnownMajor, StudyForm};
use poem_openapi::{Multipart, OpenApi, types::multipart::Upload};
use serde_json::{Value, json};
use student_status::enums::ExamCategory;

use super::{
    EditEnrollmentMajors, EnrollmentMajor, EnrollmentMajors, FetchEnrollmentMajorSheet,
    form::{EnrollmentMajorForm, EnrollmentMajorSave, authority_taken, insert, replace},
    lock, remove,
};
use crate::{Level, batch::running};

/// Fields of the form and the headings under which they are typed.
const COLUMNS: &[(&str, &str)] = &[
    ("majorId", "专业代码"),
    ("authorityCode", "招办专业代码"),
    ("authorityName", "招办专业名称"),
    ("examCategory", "科类"),
    ("quota", "计划数"),
    ("tuition", "学费(元/学年)"),
];

/// The multipart body of the import.
#[derive(Debug, Multipart)]
#[oai(rename_all = "camelCase")]
pub struct EnrollmentMajorImportForm {
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

#[OpenApi(prefix_path = "/adult/pc/enrollmentMajor", tag = "crate::Tag::Enrolment")]
impl Sheet {
    /// 招生专业导入模板
    #[oai(path = "/import/template", method = "get", operation_id = "fetchEnrollmentMajorImportTemplate")]
    async fn template(&self, caller: Allowed<FetchEnrollmentMajorSheet>) -> Result<Attachment> {
        transfer::template::<EnrollmentMajorSheet, _>(&caller).await
    }

    /// 导入招生专业
    #[oai(path = "/import", method = "post", operation_id = "importEnrollmentMajors")]
    async fn import(
        &self,
        caller: Allowed<EditEnrollmentMajors>,
        form: EnrollmentMajorImportForm,
    ) -> Result<Reply<ImportAnswer>> {
        let EnrollmentMajorImportForm { batch_id, file, dry_run, sha256 } = form;
        let form = ImportForm { file, dry_run, sha256 };
        transfer::import_into::<EnrollmentMajorSheet>(&caller, form, Some(batch_id)).await
    }
}

/// One import, with the majors that its rows name.
pub(crate) struct EnrollmentMajorSheet {
    batch: i64,
    majors: Codes<KnownMajor>,
    /// Names and codes of levels.
    levels: HashMap<String, Level>,
    /// Level and the authority's code, with the row that has them.
    codes: HashMap<(i64, String), u32>,
    seen: HashMap<i64, u32>,
    /// By the school's major: what the batch has already, generated or typed; held until the end.
    known: HashMap<i64, EnrollmentMajor>,
    /// Majors of the batch whose code a row has taken and whose own row has not come yet: the row, and the code.
    robbed: HashMap<i64, (u32, String)>,
    differences: Vec<RowDifference>,
}

impl transfer::Import for EnrollmentMajorSheet {
    const KIND: &'static str = "enrollment_major.import";
    type Permission = EditEnrollmentMajors;

    const CODES: &'static [(&'static str, &'static str)] = &[("专业代码", "major"), ("层次", "level")];

    fn template() -> Template {
        Template {
            title: "招生专业",
            columns: vec![
                InputColumn::required("专业代码", "学校专业中的代码"),
                InputColumn::required("层次", "名称或编码"),
                InputColumn::required("学习形式", "").one_of(StudyForm::CHOICES.iter().map(|(word, _)| *word)),
                InputColumn::required("招办专业代码", "同一层次内不能重复"),
                InputColumn::optional("招办专业名称", ""),
                InputColumn::optional("科类", ""),
                InputColumn::required("计划数", "0至99999"),
                InputColumn::required("学费(元/学年)", "最多两位小数"),
            ],
        }
    }

    async fn start(tx: &mut Tx, _scope: Scope, into: Option<i64>) -> Result<Self> {
        let batch = into.ok_or_else(|| Error::field("batchId", "请选择招生批次"))?;
        running(tx, batch).await?;
        let majors = major::by_code(tx).await?;
        let levels = crate::levels(tx).await?;
        let ids =
            sqlx::query_scalar!("select id from enrollment_major where batch_id = $1 order by id for update", batch)
                .fetch_all(&mut **tx)
                .await?;
        let known = EnrollmentMajors::rows(tx, &ids, &Scope::whole_school()).await?;
        Ok(Self {
            batch,
            majors,
            levels,
            codes: HashMap::new(),
            seen: HashMap::new(),
            known: known.into_iter().map(|major| (major.major_id, major)).collect(),
            robbed: HashMap::new(),
            differences: Vec::new(),
        })
    }

    /// Inserting is the check, so it is done also in a dry run and after the first wrong row; all of it is undone then.
    async fn rows(&mut self, tx: &mut Tx, rows: &mut [Row], _write: bool) -> Result<Vec<Change>> {
        let mut changes = Vec::with_capacity(rows.len());
        for row in rows {
            let value = self.form(row);
            let form = match body::check::<EnrollmentMajorForm>(value) {
                Ok(form) => form,
                Err(error) => {
                    transfer::refuse(row, COLUMNS, &error);
                    continue;
                }
            };
            if !row.errors().is_empty() {
                continue;
            }
            tx.savepoint().await?;
            match self.put(tx, row.number(), form).await {
                Ok((of_row, robbed)) => {
                    tx.row_done().await?;
                    self.robbed.extend(robbed);
                    changes.extend(of_row);
                }
                Err(error) => {
                    tx.row_failed(error.clone()).await?;
                    transfer::refuse(row, COLUMNS, &error);
                }
            }
        }
        Ok(changes)
    }

    /// Codes may go from one major to another; who had one and got none by the sheet still has it.
    async fn finish(&mut self, _tx: &mut Tx, _write: bool) -> Result<Finished> {
        let error = |(row, code): (u32, String)| RowError {
            row,
            column: "招办专业代码".to_owned(),
            message: authority_taken(&code),
        };
        Ok(Finished { errors: self.robbed.drain().map(|(_, of)| error(of)).collect(), ..Finished::default() })
    }

    fn differences(self) -> Vec<RowDifference> {
        self.differences
    }

    /// A code that went from one major to another comes back in the same steps, the last first.
    async fn undo(tx: &mut Tx, _scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        if record.is_new("enrollment_major") {
            return remove(tx, record.id).await.map(Some);
        }
        let before = lock(tx, record.id).await?;
        let EnrollmentMajorSave { form, .. } = record.former(&before.as_saved())?;
        let (_, change) = replace(tx, &before, before.version, form).await?;
        Ok(Some(change))
    }

    async fn named(tx: &mut Tx, record: &Imported) -> Result<String> {
        let name = sqlx::query_scalar!(
            "select m.name from enrollment_major e join major m on m.id = e.major_id where e.id = $1",
            record.id
        )
        .fetch_optional(&mut **tx)
        .await?;
        Ok(name.unwrap_or_default())
    }
}

/// A major of the batch whose code a row took: the row, and the code.
type Robbed = Option<(i64, (u32, String))>;

impl EnrollmentMajorSheet {
    /// A new major, or the codes and figures of one that the batch has: those of the generated ones come by sheet. Answers
    /// also whose code it took, which is a change of that one.
    async fn put(&mut self, tx: &mut Tx, row: u32, form: EnrollmentMajorForm) -> Result<(Vec<Change>, Robbed)> {
        let robbed = self.rob(tx, row, &form).await?;
        let mut changes: Vec<Change> = robbed.iter().map(|(owner, _)| self.lost(*owner)).collect();
        let Some(before) = self.known.get(&form.major_id) else {
            let (id, change) = insert(tx, EnrollmentMajorSave { batch_id: self.batch, form }).await?;
            let new = EnrollmentMajors::find(tx, id, &Scope::whole_school()).await?;
            self.differences.extend(differences(row, None, &new));
            changes.push(change);
            return Ok((changes, robbed));
        };
        let mut stands = before.clone();
        if self.robbed.contains_key(&before.id) {
            stands.authority_code = None;
        }
        let (after, change) = replace(tx, &stands, before.version, form).await?;
        self.differences.extend(differences(row, Some(before), &after));
        self.robbed.remove(&before.id);
        changes.push(change);
        Ok((changes, robbed))
    }

    /// The record of a major that was robbed of its code.
    fn lost(&self, owner: i64) -> Change {
        let code = self.known.values().find(|major| major.id == owner).and_then(|major| major.authority_code.clone());
        Change::status("enrollment_major", owner, "authorityCode", code, Value::Null)
    }

    /// Takes the code from another major of the batch whose row is still to come, if there is one.
    async fn rob(&self, tx: &mut Tx, row: u32, form: &EnrollmentMajorForm) -> Result<Robbed> {
        let Some(code) = form.authority_code.clone() else { return Ok(None) };
        let come: Vec<i64> = self.seen.keys().copied().collect();
        let owner = sqlx::query_scalar!(
            "update enrollment_major o set authority_code = null
             from major m where m.id = $2 and o.batch_id = $1 and o.level_id = m.level_id
               and lower(o.authority_code) = lower($3) and o.major_id <> all($4)
             returning o.id",
            self.batch,
            form.major_id,
            code,
            &come
        )
        .fetch_optional(&mut **tx)
        .await?;
        Ok(owner.map(|owner| (owner, (row, code))))
    }

    /// The row as the body of 新增 would be. What cannot be read is refused in its cell.
    fn form(&mut self, row: &mut Row) -> Value {
        let major = crate::major_of(row, &self.levels, &self.majors);
        let authority = row.text("招办专业代码");
        let category = row.one_of("科类", ExamCategory::CHOICES);
        let category = category.map(|category| major.as_ref().map_or(category, |(_, level)| category.at(*level)));
        if let Some((major, _)) = &major {
            let first = *self.seen.entry(major.id).or_insert(row.number());
            if first != row.number() {
                row.refuse("专业代码", format!("与第{first}行专业重复"));
            }
            if let Some(code) = &authority {
                let first = *self.codes.entry((major.level_id, code.to_lowercase())).or_insert(row.number());
                if first != row.number() {
                    row.refuse("招办专业代码", format!("与第{first}行招办专业代码重复"));
                }
            }
        }
        let before = major.as_ref().and_then(|(major, _)| self.known.get(&major.id));
        let name = row.text("招办专业名称").or_else(|| before?.authority_name.clone());
        let category = category.or_else(|| before?.exam_category);
        json!({
            "majorId": major.map_or(0, |(major, _)| major.id),
            "enabled": before.is_none_or(|before| before.enabled),
            "authorityCode": authority,
            "authorityName": name,
            "examCategory": category.map(ExamCategory::as_str),
            "quota": row.integer("计划数").unwrap_or_default(),
            "tuition": row.decimal("学费(元/学年)", 2).unwrap_or_default(),
        })
    }
}

/// What the sheet can change of a major, in its own words.
fn told(major: &EnrollmentMajor) -> [(&'static str, String); 5] {
    let word = |text: Option<&str>| text.unwrap_or_default().to_owned();
    [
        ("招办专业代码", word(major.authority_code.as_deref())),
        ("招办专业名称", word(major.authority_name.as_deref())),
        ("科类", word(major.exam_category.map(ExamCategory::zh))),
        ("计划数", major.quota.to_string()),
        ("学费(元/学年)", format!("{}.{:02}", major.tuition / 100, major.tuition % 100)),
    ]
}

/// What a row changed of the major that was there; one line without a column for a new one.
fn differences(row: u32, before: Option<&EnrollmentMajor>, after: &EnrollmentMajor) -> Vec<RowDifference> {
    let line = |column: &str, before: String, is: String| RowDifference {
        row,
        name: format!("{} {}", after.major_code, after.name),
        column: column.to_owned(),
        before,
        after: is,
    };
    let Some(before) = before else { return vec![line("", String::new(), String::new())] };
    told(before)
        .into_iter()
        .zip(told(after))
        .filter(|((_, was), (_, is))| was != is)
        .map(|((column, was), (_, is))| line(column, was, is))
        .collect()
}
