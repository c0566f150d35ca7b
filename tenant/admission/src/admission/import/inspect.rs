//! 录取文件检查: what a file is made of, before anybody says what its columns and codes mean.

use std::collections::{BTreeMap, HashMap};

use admission_rules::maps::proposed;
use enrolment::{
    admitting::{OpenBatch, open},
    batch::{EnrollmentColumn, EnrollmentField, EnrollmentValue},
};
use infra::{
    Allowed, Error, Reply, Result,
    clock::Moment,
    mask, reply,
    sheet::{Reader, Row},
    transfer::{SentSheet, limits},
};
use poem_openapi::{Multipart, Object, OpenApi, types::multipart::Upload};

use super::{
    super::InspectAdmissionFile,
    imported_before,
    maps::{AdmissionMaps, CODED},
};

/// Rows that are shown.
const SAMPLE: usize = 5;
/// Codes of a field that are told; a column with more is no column of codes.
const MOST_CODES: usize = 200;

/// The multipart body.
#[derive(Debug, Multipart)]
#[oai(rename_all = "camelCase")]
pub struct AdmissionInspectForm {
    /// 招生批次
    pub batch_id: i64,
    /// 文件
    /// dbf、xls、xlsx 或 csv
    pub file: Upload,
    /// 字段映射
    /// JSON数组，元素为{field, column}；不填时按批次的映射和常用列名推测
    pub column_map: Option<String>,
}

/// A code that occurs in the file.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
pub struct MetCode {
    /// 字段
    pub field: EnrollmentField,
    /// 招办代码
    pub code: String,
    /// 行数
    pub count: i64,
    /// 对应值
    /// 批次的代码映射；没有时为空
    pub value: Option<String>,
}

/// What the file is made of.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct AdmissionFileFound {
    /// 文件摘要
    pub sha256: String,
    /// 总行数
    pub total: i64,
    /// 列名
    pub columns: Vec<String>,
    /// 样例
    /// 前几行，各列的内容，证件号和手机隐藏中间部分
    pub sample: Vec<Vec<String>>,
    /// 建议的字段映射
    pub proposed_map: Vec<EnrollmentColumn>,
    /// 出现的代码
    pub codes_met: Vec<MetCode>,
    /// 已导入时间
    /// 本批次已导入过同一文件时的时间
    pub imported_at: Option<Moment>,
}

pub struct Inspect;

#[OpenApi(prefix_path = "/adult/pc/admission", tag = "crate::Tag::Admission")]
impl Inspect {
    /// 录取文件检查
    #[oai(path = "/import/inspect", method = "post", operation_id = "inspectAdmissionFile")]
    async fn inspect(
        &self,
        caller: Allowed<InspectAdmissionFile>,
        form: AdmissionInspectForm,
    ) -> Result<Reply<AdmissionFileFound>> {
        let app = caller.app();
        let said = AdmissionMaps::parse(form.column_map.as_deref(), None)?;
        let sent = SentSheet::receive_table(app, super::TITLE, form.file, None).await?;
        let (batch, imported_at) = {
            let mut tx = caller.read().await?;
            (open(&mut tx, form.batch_id).await?, imported_before(&mut tx, form.batch_id, &sent.sha256).await?)
        };
        let mut reader = Reader::foreign(sent.path(), &sent.name, limits(app).await?).await?;
        let columns: Vec<String> = reader.headings().map(ToOwned::to_owned).collect();
        let map = if said.column_map.is_empty() { proposed(&batch.columns, &columns) } else { said.column_map };
        let mut met = Met::of(&map, &columns)?;
        let (mut total, mut sample) = (0, Vec::new());
        while let Some(rows) = reader.next().await? {
            total += i64::try_from(rows.len()).unwrap_or(i64::MAX);
            for row in &rows {
                if sample.len() < SAMPLE {
                    sample.push(shown(row, &columns));
                }
                met.count(row);
            }
        }
        Ok(reply(AdmissionFileFound {
            sha256: sent.sha256,
            total,
            columns,
            sample,
            codes_met: met.told(&batch),
            proposed_map: map,
            imported_at,
        }))
    }
}

fn shown(row: &Row, columns: &[String]) -> Vec<String> {
    columns.iter().map(|column| mask::shapes(&row.peek(column).unwrap_or_default()).into_owned()).collect()
}

/// The codes of the fields that have some.
struct Met {
    columns: Vec<(EnrollmentField, String)>,
    counts: HashMap<EnrollmentField, BTreeMap<String, i64>>,
}

impl Met {
    /// # Errors
    /// 422 at `columnMap` for a column that the file does not have.
    fn of(map: &[EnrollmentColumn], headings: &[String]) -> Result<Self> {
        let mut columns = Vec::new();
        for entry in map {
            let Some(heading) = headings.iter().find(|heading| heading.eq_ignore_ascii_case(&entry.column)) else {
                return Err(Error::field("columnMap", format!("文件中没有列“{}”", entry.column)));
            };
            if CODED.contains(&entry.field) {
                columns.push((entry.field, heading.clone()));
            }
        }
        Ok(Self { columns, counts: HashMap::new() })
    }

    fn count(&mut self, row: &Row) {
        for (field, column) in &self.columns {
            let Some(code) = row.peek(column) else { continue };
            let codes = self.counts.entry(*field).or_default();
            if codes.len() < MOST_CODES || codes.contains_key(&code) {
                *codes.entry(code).or_default() += 1;
            }
        }
    }

    fn told(self, batch: &OpenBatch) -> Vec<MetCode> {
        let value = |field: EnrollmentField, code: &str| {
            let of = |entry: &&EnrollmentValue| entry.field == field && entry.code.eq_ignore_ascii_case(code);
            batch.values.iter().find(of).map(|entry| entry.value.clone())
        };
        let mut told = Vec::new();
        for field in CODED {
            for (code, count) in self.counts.get(&field).into_iter().flatten() {
                told.push(MetCode { field, code: code.clone(), count: *count, value: value(field, code) });
            }
        }
        told
    }
}
