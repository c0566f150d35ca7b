//! What the sheets of majors look like: the export, the import.

use std::collections::HashMap;

use calendar::level;
use infra::{
    App, Change, Error, Result, Scope, Tx,
    across::Keyed,
    naming::{Codes, referred, tenths},
    sheet::{Cell, Column, InputColumn, Row, Template},
    transfer::{Export, Imported, RowImport, Rows},
};
use major_rules::national_major::KnownNationalMajor;
use serde_json::{Value, json};
use sqlx::PgConnection;
use units::organization;

use super::{Major, MajorFilter, MajorForm, Majors, StudyForm, Written, insert, remove};
use crate::national_major;

impl Export for Majors {
    type Filter = MajorFilter;
    type Row = Major;
    const KIND: &'static str = "major.export";
    type Permission = super::ExportMajors;
    const TITLE: &'static str = "学校专业";
    const COLUMNS: &'static [Column<Major>] = &[
        Column { heading: "校内代码", width: 14, cell: |major| Cell::Text(major.code.clone()) },
        Column { heading: "名称", width: 28, cell: |major| Cell::Text(major.name.clone()) },
        Column {
            heading: "国家专业",
            width: 28,
            cell: |major| Cell::Text(format!("{} {}", major.national_code, major.national_name)),
        },
        Column { heading: "层次", width: 12, cell: |major| Cell::Text(major.level_name.clone()) },
        Column { heading: "学习形式", width: 10, cell: |major| Cell::Text(major.study_form.zh().to_owned()) },
        Column { heading: "学制", width: 8, cell: |major| tenths(major.schooling_years) },
        Column { heading: "总学分", width: 8, cell: |major| tenths(major.total_credits) },
        Column { heading: "学院", width: 24, cell: |major| Cell::text(major.organization_name.clone()) },
        Column { heading: "在籍人数", width: 10, cell: |major| Cell::Int(major.student_count) },
        Column { heading: "启用", width: 8, cell: |major| Cell::Bool(major.enabled) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &MajorFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, Major>> {
        Self::all(connection, filter, scope).await
    }
}

/// An import of majors, with what its rows refer to.
pub(crate) struct MajorImport {
    levels: Codes<level::KnownLevel>,
    units: Codes<i64>,
    national_codes: Codes<i64>,
    nationals: HashMap<i64, KnownNationalMajor>,
    /// Of the row that was written last.
    warnings: Vec<String>,
}

impl RowImport for MajorImport {
    type Form = MajorForm;
    const KIND: &'static str = "major.import";
    type Permission = super::ImportMajors;
    const COLUMNS: &'static [(&'static str, &'static str)] = &[
        ("code", "校内专业代码"),
        ("name", "专业名称"),
        ("nationalMajorId", "国家专业代码"),
        ("levelId", "层次编码"),
        ("studyForm", "学习形式"),
        ("direction", "专业方向"),
        ("schoolingYears", "学制"),
        ("totalCredits", "总学分"),
        ("organizationId", "学院编码"),
        ("tuitionPerYear", "学费(元)"),
    ];
    const ONCE: &'static [(&'static str, &'static str)] = &[("校内专业代码", "代码")];

    const CODES: &'static [(&'static str, &'static str)] =
        &[("国家专业代码", "nationalMajor"), ("层次编码", "level"), ("学院编码", "organization")];

    fn template() -> Template {
        Template {
            title: "学校专业",
            columns: vec![
                InputColumn::required("校内专业代码", "1至32位字母、数字、下划线或短横线"),
                InputColumn::required("专业名称", "可带方向，如 会计学(财务管理方向)"),
                InputColumn::required("国家专业代码", "国家专业库中的代码，如 120203K"),
                InputColumn::required("层次编码", "层次管理中的编码"),
                InputColumn::required("学习形式", "").one_of(StudyForm::CHOICES.iter().map(|(word, _)| *word)),
                InputColumn::optional("专业方向", ""),
                InputColumn::optional("学制", "2至6年，0.5的倍数；不填时与层次相同"),
                InputColumn::required("总学分", "40至250，最多一位小数"),
                InputColumn::optional("学院编码", "机构管理中的编码"),
                InputColumn::optional("学费(元)", "每年"),
            ],
        }
    }

    async fn start(tx: &mut Tx, _scope: Scope) -> Result<Self> {
        let levels = level::by_code(tx).await?;
        let units = organization::by_code(tx).await?;
        let nationals = national_major::all(&mut *tx.app().platform_read().await?).await?;
        let national_codes = nationals.iter().map(|known| (known.code.clone(), known.id)).collect();
        Ok(Self {
            levels,
            units,
            national_codes,
            nationals: nationals.into_iter().map(|known| (known.id, known)).collect(),
            warnings: Vec::new(),
        })
    }

    fn form(&self, row: &mut Row) -> Value {
        json!({
            "code": row.text("校内专业代码"),
            "name": row.text("专业名称"),
            "nationalMajorId": referred(row, "国家专业代码", &self.national_codes),
            "levelId": referred(row, "层次编码", &self.levels).map(|level| level.id),
            "studyForm": row.one_of("学习形式", StudyForm::CHOICES).map(StudyForm::as_str),
            "direction": row.text("专业方向"),
            "schoolingYears": row.decimal("学制", 1).map(|tenths| tenths as f64 / 10.0),
            "totalCredits": row.decimal("总学分", 1).map(|tenths| tenths as f64 / 10.0),
            "organizationId": referred(row, "学院编码", &self.units),
            "tuitionPerYear": row.decimal("学费(元)", 2),
        })
    }

    async fn insert(&mut self, tx: &mut Tx, form: MajorForm) -> Result<Change> {
        let national = self.nationals.get(&form.national_major_id).ok_or_else(Error::not_found)?;
        let Written { change, warnings, .. } = insert(tx, form, national).await?;
        self.warnings = warnings;
        Ok(change)
    }

    fn warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }

    async fn undo(tx: &mut Tx, _scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        remove(tx, record.id).await.map(Some)
    }
}
