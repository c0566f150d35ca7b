//! What the sheets of grades look like: the export, the import.

use infra::{
    App, Change, Result, Scope, Tx,
    across::Keyed,
    sheet::{Cell, Column, InputColumn, Row, Template},
    transfer::{Export, Imported, RowImport, Rows},
};
use serde_json::{Value, json};
use sqlx::PgConnection;
use term::Season;

use super::{Grade, GradeFilter, GradeForm, Grades, insert, remove};

impl Export for Grades {
    type Filter = GradeFilter;
    type Row = Grade;
    const KIND: &'static str = "grade.export";
    type Permission = super::ExportGrades;
    const TITLE: &'static str = "年级";
    const COLUMNS: &'static [Column<Grade>] = &[
        Column { heading: "编码", width: 10, cell: |grade| Cell::Text(grade.code.clone()) },
        Column { heading: "名称", width: 20, cell: |grade| Cell::Text(grade.name.clone()) },
        Column { heading: "入学年份", width: 10, cell: |grade| Cell::Int(grade.entry_year.into()) },
        Column { heading: "入学季", width: 10, cell: |grade| Cell::Text(grade.entry_season.zh().to_owned()) },
        Column { heading: "班级数", width: 10, cell: |grade| Cell::Int(grade.class_count) },
        Column { heading: "在籍人数", width: 10, cell: |grade| Cell::Int(grade.student_count) },
        Column { heading: "启用", width: 8, cell: |grade| Cell::Bool(grade.enabled) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &GradeFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, Grade>> {
        Self::all(connection, filter, scope).await
    }
}

impl RowImport for Grades {
    type Form = GradeForm;
    const KIND: &'static str = "grade.import";
    type Permission = super::ImportGrades;
    const COLUMNS: &'static [(&'static str, &'static str)] =
        &[("code", "年级编码"), ("name", "年级名称"), ("entrySeason", "入学季")];
    const ONCE: &'static [(&'static str, &'static str)] = &[("年级编码", "编码")];

    fn template() -> Template {
        Template {
            title: "年级",
            columns: vec![
                InputColumn::required("年级编码", "四位年份，一年有两次招生时后面加一个大写字母，如 2026A"),
                InputColumn::optional("年级名称", "不填时为“编码+级”"),
                InputColumn::required("入学季", "").one_of(Season::CHOICES.iter().map(|(word, _)| *word)),
            ],
        }
    }

    async fn start(_tx: &mut Tx, _scope: Scope) -> Result<Self> {
        Ok(Self)
    }

    fn form(&self, row: &mut Row) -> Value {
        json!({
            "code": row.text("年级编码"),
            "name": row.text("年级名称"),
            "entrySeason": row.one_of("入学季", Season::CHOICES).map(Season::as_str),
        })
    }

    async fn insert(&mut self, tx: &mut Tx, form: GradeForm) -> Result<Change> {
        Ok(insert(tx, form).await?.1)
    }

    async fn undo(tx: &mut Tx, _scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        remove(tx, record.id).await.map(Some)
    }
}
