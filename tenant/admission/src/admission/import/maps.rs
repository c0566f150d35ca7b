//! How the columns and codes of a file are understood.

use std::collections::HashMap;

pub use admission_rules::maps::AdmissionMaps;
use admission_rules::maps::is_score;
use enrolment::{
    admitting::{OpenBatch, merged},
    batch::{EnrollmentColumn, EnrollmentField, EnrollmentValue},
};
use infra::{Error, Result};
use sqlx::PgConnection;

/// Without these columns nobody can be taken over (02 §6.4-2).
const REQUIRED: [EnrollmentField; 7] = [
    EnrollmentField::ExamineeNo,
    EnrollmentField::Name,
    EnrollmentField::Gender,
    EnrollmentField::Birthday,
    EnrollmentField::IdCardNo,
    EnrollmentField::AuthorityCode,
    EnrollmentField::Level,
];

/// Fields whose values are codes that a map explains.
pub(super) const CODED: [EnrollmentField; 7] = [
    EnrollmentField::Level,
    EnrollmentField::Gender,
    EnrollmentField::StudyForm,
    EnrollmentField::ExamCategory,
    EnrollmentField::PreEduLevel,
    EnrollmentField::Ethnicity,
    EnrollmentField::PoliticalStatus,
];

/// The maps with which a file is read.
#[derive(Debug, Clone)]
pub(super) struct Reading {
    /// As they are kept for the next file.
    pub kept: (Vec<EnrollmentColumn>, Vec<EnrollmentValue>),
    columns: HashMap<EnrollmentField, String>,
    values: HashMap<(EnrollmentField, String), String>,
    /// 分科成绩项
    pub scores: Vec<String>,
}

impl Reading {
    /// The batch's maps with those that were said, for a file with these headings.
    ///
    /// # Errors
    /// 422 at `columnMap` for a column that the file does not have, and for what cannot be.
    pub async fn of(
        connection: &mut PgConnection,
        batch: &OpenBatch,
        said: &AdmissionMaps,
        headings: &[String],
    ) -> Result<Self> {
        let found = |name: &str| headings.iter().find(|heading| heading.eq_ignore_ascii_case(name));
        if let Some(entry) = said.column_map.iter().find(|entry| found(&entry.column).is_none()) {
            return Err(Error::field("columnMap", format!("文件中没有列“{}”", entry.column)));
        }
        let kept = merged(connection, batch, &said.column_map, &said.value_maps).await?;
        let columns: HashMap<EnrollmentField, String> =
            kept.0.iter().filter_map(|entry| Some((entry.field, found(&entry.column)?.clone()))).collect();
        let missing: Vec<&str> =
            REQUIRED.into_iter().filter(|field| !columns.contains_key(field)).map(EnrollmentField::zh).collect();
        if !missing.is_empty() {
            return Err(Error::field("columnMap", format!("请选择{}的来源列", missing.join("、"))));
        }
        let values =
            kept.1.iter().map(|entry| ((entry.field, entry.code.to_uppercase()), entry.value.clone())).collect();
        let used: Vec<&String> = columns.values().collect();
        let scores = headings.iter().filter(|heading| is_score(heading) && !used.contains(heading)).cloned().collect();
        Ok(Self { columns, values, scores, kept })
    }

    /// The heading of a field, where the file has one.
    pub fn column(&self, field: EnrollmentField) -> Option<&str> {
        self.columns.get(&field).map(String::as_str)
    }

    /// What a code means.
    pub fn value(&self, field: EnrollmentField, code: &str) -> Option<&str> {
        self.values.get(&(field, code.to_uppercase())).map(String::as_str)
    }
}
