//! What the sheets of levels look like: the export, the import.

use infra::{
    App, Change, Result, Scope, Tx,
    across::Keyed,
    naming::tenths,
    sheet::{Cell, Column, InputColumn, Row, Template},
    transfer::{Export, Imported, RowImport, Rows},
};
use serde_json::{Value, json};
use sqlx::PgConnection;
use term::EntryLevel;

use super::{Level, LevelFilter, LevelForm, Levels, insert, remove};

impl Export for Levels {
    type Filter = LevelFilter;
    type Row = Level;
    const KIND: &'static str = "level.export";
    type Permission = super::ExportLevels;
    const TITLE: &'static str = "层次";
    const COLUMNS: &'static [Column<Level>] = &[
        Column { heading: "编码", width: 12, cell: |level| Cell::Text(level.code.clone()) },
        Column { heading: "名称", width: 20, cell: |level| Cell::Text(level.name.clone()) },
        Column { heading: "起点层次", width: 12, cell: |level| Cell::Text(level.entry_level.zh().to_owned()) },
        Column { heading: "学制", width: 8, cell: |level| tenths(level.schooling_years) },
        Column { heading: "最长年限", width: 10, cell: |level| tenths(level.max_years) },
        Column { heading: "最低学时", width: 10, cell: |level| Cell::Int(level.min_hours.into()) },
        Column { heading: "线下比例(%)", width: 12, cell: |level| Cell::Int(level.min_offline_ratio.into()) },
        Column { heading: "启用", width: 8, cell: |level| Cell::Bool(level.enabled) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &LevelFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, Level>> {
        Self::all(connection, filter, scope).await
    }
}

impl RowImport for Levels {
    type Form = LevelForm;
    const KIND: &'static str = "level.import";
    type Permission = super::ImportLevels;
    const COLUMNS: &'static [(&'static str, &'static str)] = &[
        ("code", "编码"),
        ("name", "名称"),
        ("entryLevel", "起点层次"),
        ("schoolingYears", "学制"),
        ("maxYears", "学制"),
    ];
    const ONCE: &'static [(&'static str, &'static str)] = &[("编码", "编码"), ("名称", "名称")];

    fn template() -> Template {
        Template {
            title: "层次",
            columns: vec![
                InputColumn::required("编码", "1至32位字母、数字、下划线或短横线"),
                InputColumn::required("名称", ""),
                InputColumn::required("起点层次", "").one_of(EntryLevel::CHOICES.iter().map(|(word, _)| *word)),
                InputColumn::optional("学制", "2至6年，0.5的倍数；不填时按起点层次取国家标准"),
            ],
        }
    }

    async fn start(_tx: &mut Tx, _scope: Scope) -> Result<Self> {
        Ok(Self)
    }

    fn form(&self, row: &mut Row) -> Value {
        json!({
            "code": row.text("编码"),
            "name": row.text("名称"),
            "entryLevel": row.one_of("起点层次", EntryLevel::CHOICES).map(EntryLevel::as_str),
            "schoolingYears": row.decimal("学制", 1).map(|tenths| tenths as f64 / 10.0),
        })
    }

    async fn insert(&mut self, tx: &mut Tx, form: LevelForm) -> Result<Change> {
        Ok(insert(tx, form).await?.1)
    }

    async fn undo(tx: &mut Tx, _scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        remove(tx, record.id).await.map(Some)
    }
}
