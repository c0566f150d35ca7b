//! 导入招生专业: a batch's majors with the codes of the authority. What the batch has already gets codes and figures of the sheet.

use std::collections::HashMap;

use infra::{
    Allowed, Change, Edit, Error, Reply, Result, Scope, Tx, body,
    naming::Codes,
    sheet::{InputColumn, Row, Template},
    transfer::{self, Attachment, ImportAnswer, ImportForm},
};
use majors::major::{self, KnownMajor, StudyForm};
use poem_openapi::{Multipart, OpenApi, types::multipart::Upload};
use serde_json::{Value, json};
use student_status::enums::ExamCategory;

use super::{
    EditEnrollmentMajors, FetchEnrollmentMajorSheet,
    form::{EnrollmentMajorForm, EnrollmentMajorSave, insert, update},
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
        transfer::template::<EnrollmentMajorSheet>(caller.app()).await
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
    /// By the school's major: what the batch has already.
    known: HashMap<i64, Known>,
}

/// A major that the batch has, generated or typed.
struct Known {
    id: i64,
    version: i32,
    enabled: bool,
}

impl transfer::Import for EnrollmentMajorSheet {
    const KIND: &'static str = "enrollment_major.import";
    type Permission = EditEnrollmentMajors;

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
        let known =
            sqlx::query!("select id, major_id, version, enabled from enrollment_major where batch_id = $1", batch)
                .fetch_all(&mut **tx)
                .await?
                .into_iter()
                .map(|row| (row.major_id, Known { id: row.id, version: row.version, enabled: row.enabled }))
                .collect();
        Ok(Self { batch, majors, levels, codes: HashMap::new(), seen: HashMap::new(), known })
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
            match self.put(tx, form).await {
                Ok(change) => {
                    tx.row_done().await?;
                    changes.push(change);
                }
                Err(error) => {
                    tx.row_failed(error.clone()).await?;
                    transfer::refuse(row, COLUMNS, &error);
                }
            }
        }
        Ok(changes)
    }
}

impl EnrollmentMajorSheet {
    /// A new major, or the codes and figures of one that the batch has: those of the generated ones come by sheet.
    async fn put(&self, tx: &mut Tx, mut form: EnrollmentMajorForm) -> Result<Change> {
        let Some(known) = self.known.get(&form.major_id) else {
            return Ok(insert(tx, EnrollmentMajorSave { batch_id: self.batch, form }).await?.1);
        };
        form.enabled = known.enabled;
        update(tx, Edit { id: known.id, version: known.version, form }).await
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
        json!({
            "majorId": major.map_or(0, |(major, _)| major.id),
            "authorityCode": authority,
            "authorityName": row.text("招办专业名称"),
            "examCategory": category.map(ExamCategory::as_str),
            "quota": row.integer("计划数").unwrap_or_default(),
            "tuition": row.decimal("学费(元/学年)", 2).unwrap_or_default(),
        })
    }
}
