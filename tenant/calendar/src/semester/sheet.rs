//! What the sheets of semesters look like: the export, the import.

use infra::{
    App, Change, Result, Scope, Tx,
    across::Keyed,
    sheet::{Cell, Column, InputColumn, Row, Template},
    transfer::{Export, Imported, RowImport, Rows},
};
use serde_json::{Value, json};
use sqlx::PgConnection;

use super::{Semester, SemesterFilter, SemesterForm, Semesters, insert, remove};

impl Export for Semesters {
    type Filter = SemesterFilter;
    type Row = Semester;
    const KIND: &'static str = "semester.export";
    type Permission = super::ExportSemesters;
    const TITLE: &'static str = "学期";
    const COLUMNS: &'static [Column<Semester>] = &[
        Column { heading: "编码", width: 10, cell: |semester| Cell::Text(semester.code.clone()) },
        Column { heading: "名称", width: 20, cell: |semester| Cell::Text(semester.name.clone()) },
        Column { heading: "开始日期", width: 12, cell: |semester| Cell::Date(semester.starts_on) },
        Column { heading: "结束日期", width: 12, cell: |semester| Cell::Date(semester.ends_on) },
        Column { heading: "周数", width: 8, cell: |semester| Cell::Int(semester.week_count.into()) },
        Column { heading: "当前", width: 8, cell: |semester| Cell::Bool(semester.current) },
        Column {
            heading: "状态",
            width: 10,
            cell: |semester| Cell::Text(if semester.closed { "已关闭" } else { "开放" }.to_owned()),
        },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &SemesterFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, Semester>> {
        Self::all(connection, filter, scope).await
    }
}

impl RowImport for Semesters {
    type Form = SemesterForm;
    const KIND: &'static str = "semester.import";
    type Permission = super::ImportSemesters;
    const COLUMNS: &'static [(&'static str, &'static str)] =
        &[("code", "学期编码"), ("name", "名称"), ("startsOn", "开始日期"), ("endsOn", "结束日期")];
    const ONCE: &'static [(&'static str, &'static str)] = &[("学期编码", "编码")];

    fn template() -> Template {
        Template {
            title: "学期",
            columns: vec![
                InputColumn::required("学期编码", "年份加-1（春季）或-2（秋季），如 2026-1"),
                InputColumn::optional("名称", "不填时为“2026年春季学期”的形式"),
                InputColumn::required("开始日期", "如 2026-03-02"),
                InputColumn::required("结束日期", "如 2026-07-12，学期不能超过30周"),
            ],
        }
    }

    async fn start(_tx: &mut Tx, _scope: Scope) -> Result<Self> {
        Ok(Self)
    }

    fn form(&self, row: &mut Row) -> Value {
        json!({
            "code": row.text("学期编码"),
            "name": row.text("名称"),
            "startsOn": row.date("开始日期"),
            "endsOn": row.date("结束日期"),
        })
    }

    async fn insert(&mut self, tx: &mut Tx, form: SemesterForm) -> Result<Change> {
        Ok(insert(tx, form).await?.1)
    }

    async fn undo(tx: &mut Tx, _scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        remove(tx, record.id).await.map(Some)
    }
}
