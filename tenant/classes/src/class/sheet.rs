//! What the sheets of classes look like: the export, the import.

use std::{collections::BTreeMap, ops::Range};

use calendar::{grade, level};
use infra::{
    App, Change, Result, Scope, Tx,
    across::Keyed,
    naming::{Codes, referred},
    sheet::{Cell, Column, InputColumn, Row},
    transfer::{Export, Rows},
};
use majors::major::{self, StudyForm};
use serde_json::{Value, json};
use sqlx::PgConnection;
use units::site;

use super::{Class, ClassFilter, ClassForm, Classes, Cohort, cohort, insert, remove};

impl Export for Classes {
    type Filter = ClassFilter;
    type Row = Class;
    const KIND: &'static str = "class.export";
    type Permission = super::ExportClasses;
    const TITLE: &'static str = "班级";
    const COLUMNS: &'static [Column<Class>] = &[
        Column { heading: "编码", width: 16, cell: |class| Cell::Text(class.code.clone()) },
        Column { heading: "名称", width: 36, cell: |class| Cell::Text(class.name.clone()) },
        Column { heading: "年级", width: 12, cell: |class| Cell::Text(class.grade_name.clone()) },
        Column { heading: "层次", width: 12, cell: |class| Cell::Text(class.level_name.clone()) },
        Column { heading: "专业", width: 24, cell: |class| Cell::Text(class.major_name.clone()) },
        Column { heading: "学习形式", width: 10, cell: |class| Cell::Text(class.study_form.zh().to_owned()) },
        Column { heading: "站点", width: 24, cell: |class| Cell::Text(class.site_name.clone()) },
        Column { heading: "班主任", width: 12, cell: |class| Cell::text(class.manager_name.as_deref()) },
        Column { heading: "人数", width: 8, cell: |class| Cell::Int(class.student_count) },
        Column { heading: "容量", width: 8, cell: |class| Cell::Int(class.capacity.into()) },
        Column { heading: "启用", width: 8, cell: |class| Cell::Bool(class.enabled) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &ClassFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, Class>> {
        Self::all(connection, filter, scope).await
    }
}

/// The rows of an import of classes, with what they refer to. The operation is the class managers' module's, which gives each new
/// class to its manager.
pub struct ClassRows {
    scope: Scope,
    grades: Codes<grade::KnownGrade>,
    levels: Codes<level::KnownLevel>,
    majors: Codes<major::KnownMajor>,
    sites: Codes<site::KnownSite>,
    /// Numbers that the rows to come have at their places.
    taken: BTreeMap<Cohort, Range<i32>>,
}

impl ClassRows {
    /// Headings whose values may occur once in a file, each with the word that the message uses.
    pub const ONCE: &'static [(&'static str, &'static str)] = &[("班级编码", "编码")];

    pub fn columns() -> Vec<InputColumn> {
        vec![
            InputColumn::required("班级编码", "1至32位字母、数字、下划线或短横线"),
            InputColumn::optional("班级名称", "不填时按年级、层次、专业、站点和序号生成"),
            InputColumn::required("年级编码", "年级管理中的编码，如 2026"),
            InputColumn::required("层次编码", "层次管理中的编码"),
            InputColumn::required("校内专业代码", "学校专业中的代码"),
            InputColumn::optional("学习形式", "须与专业一致，可不填")
                .one_of(StudyForm::CHOICES.iter().map(|(word, _)| *word)),
            InputColumn::required("站点编码", "站点管理中的编码"),
            InputColumn::optional("容量", "1至500，不填时取学校默认值"),
        ]
    }

    /// # Errors
    /// Those of the database.
    pub async fn start(tx: &mut Tx, scope: Scope) -> Result<Self> {
        Ok(Self {
            grades: grade::by_code(tx).await?,
            levels: level::by_code(tx).await?,
            majors: major::by_code(tx).await?,
            sites: site::by_code(tx, &Scope::whole_school()).await?,
            scope,
            taken: BTreeMap::new(),
        })
    }

    /// Takes the numbers of the rows to come, in the order of their places.
    ///
    /// # Errors
    /// Those of the database.
    pub async fn hold_referred(&mut self, tx: &mut Tx, rows: &[Row]) -> Result<()> {
        let mut wanted = BTreeMap::new();
        for cohort in rows.iter().filter_map(|row| self.cohort(row)) {
            *wanted.entry(cohort).or_insert(0) += 1;
        }
        for (cohort, count) in wanted {
            let first = cohort::take_seqs(tx, cohort, count).await?;
            self.taken.insert(cohort, first..first + count);
        }
        Ok(())
    }

    /// Of a row whose four codes are known.
    fn cohort(&self, row: &Row) -> Option<Cohort> {
        Some(Cohort {
            grade_id: self.grades.get(&row.peek("年级编码")?)?.id,
            level_id: self.levels.get(&row.peek("层次编码")?)?.id,
            major_id: self.majors.get(&row.peek("校内专业代码")?)?.id,
            site_id: self.sites.get(&row.peek("站点编码")?)?.id,
        })
    }

    /// The row as a [`ClassForm`]; a reference by code that does not exist is refused on the row.
    pub fn form(&self, row: &mut Row) -> Value {
        let major = referred(row, "校内专业代码", &self.majors);
        if let Some(form) = row.one_of("学习形式", StudyForm::CHOICES)
            && let Some(major) = major
            && form != major.study_form
        {
            row.refuse("学习形式", format!("专业“{}”的学习形式是{}", major.name, major.study_form.zh()));
        }
        json!({
            "code": row.text("班级编码"),
            "name": row.text("班级名称"),
            "gradeId": referred(row, "年级编码", &self.grades).map(|grade| grade.id),
            "levelId": referred(row, "层次编码", &self.levels).map(|level| level.id),
            "majorId": major.map(|major| major.id),
            "siteId": referred(row, "站点编码", &self.sites).map(|site| site.id),
            "capacity": row.integer("容量"),
        })
    }

    /// What 新增 does with a checked form.
    ///
    /// # Errors
    /// 422 at a wrong field.
    pub async fn insert(&mut self, tx: &mut Tx, form: ClassForm) -> Result<(i64, Change)> {
        let taken = self.taken.get_mut(&form.cohort()).and_then(Iterator::next);
        insert(tx, form, &self.scope, taken).await
    }

    /// Takes a new class away again.
    ///
    /// # Errors
    /// 404 outside the scope; 409 when something refers to it.
    pub async fn undo(tx: &mut Tx, id: i64, scope: &Scope) -> Result<Change> {
        remove(tx, id, scope).await
    }
}
