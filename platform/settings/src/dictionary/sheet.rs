//! What the sheets of the dictionary look like: the export, the import.

use std::collections::HashMap;

use infra::{
    App, Change, Result, Scope, Tx,
    jobs::JobRun,
    sheet::{Cell, Column, InputColumn, Row, Template},
    transfer::{Export, Imported, RowImport, Rows},
};
use serde_json::{Value, json};
use sqlx::PgConnection;

use super::data::{self, DictData, DictDataFilter, DictDataForm, DictWords, insert, select};

const YES_NO: &[(&str, bool)] = &[("是", true), ("否", false)];

impl Export for DictWords {
    type Filter = DictDataFilter;
    type Row = DictData;
    const KIND: &'static str = "dict_data.export";
    type Permission = crate::dictionary::data::ExportDictData;
    const TITLE: &'static str = "字典数据";
    const COLUMNS: &'static [Column<DictData>] = &[
        Column { heading: "字典类型", width: 20, cell: |row| Cell::Text(row.dict_type.clone()) },
        Column { heading: "标签", width: 24, cell: |row| Cell::Text(row.dict_label.clone()) },
        Column { heading: "值", width: 16, cell: |row| Cell::Text(row.dict_value.clone()) },
        Column { heading: "排序", width: 8, cell: |row| Cell::Int(row.sort.into()) },
        Column { heading: "默认", width: 8, cell: |row| Cell::Bool(row.is_default) },
        Column { heading: "启用", width: 8, cell: |row| Cell::Bool(row.enabled) },
        Column { heading: "备注", width: 30, cell: |row| Cell::text(row.remark.clone()) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &DictDataFilter,
        _scope: &Scope,
    ) -> Result<Rows<'c, DictData>> {
        Ok(select(connection, None, filter, None))
    }
}

/// An import of words.
#[derive(Default)]
pub(crate) struct DictSheet {
    /// The word that was the default of its type before that of the row written last.
    stepped_back: Option<Change>,
}

impl RowImport for DictSheet {
    type Form = DictDataForm;
    const KIND: &'static str = "dict_data.import";
    type Permission = crate::dictionary::data::ImportDictData;
    const COLUMNS: &'static [(&'static str, &'static str)] = &[
        ("dictType", "字典类型"),
        ("dictLabel", "标签"),
        ("dictValue", "值"),
        ("sort", "排序"),
        ("isDefault", "默认"),
        ("remark", "备注"),
    ];
    /// Words repeat between types; within a type the database refuses.
    const ONCE: &'static [(&'static str, &'static str)] = &[];

    fn template() -> Template {
        Template {
            title: "字典数据",
            columns: vec![
                InputColumn::required("字典类型", "类型编码，如 source_channel"),
                InputColumn::required("标签", "同一类型下不能重复，不超过100个字符"),
                InputColumn::required("值", "同一类型下不能重复，不超过64个字符"),
                InputColumn::optional("排序", "0至9999，不填为1"),
                InputColumn::optional("默认", "不填为否").one_of(YES_NO.iter().map(|(word, _)| *word)),
                InputColumn::optional("备注", ""),
            ],
        }
    }

    async fn start(tx: &mut Tx, _scope: Scope) -> Result<Self> {
        tx.notice("dict", "");
        Ok(Self::default())
    }

    fn form(&self, row: &mut Row) -> Value {
        json!({
            "dictType": row.text("字典类型"),
            "dictLabel": row.text("标签"),
            "dictValue": row.text("值"),
            "sort": row.integer("排序").unwrap_or(1),
            "isDefault": row.one_of("默认", YES_NO).unwrap_or(false),
            "remark": row.text("备注"),
        })
    }

    async fn insert(&mut self, tx: &mut Tx, form: DictDataForm) -> Result<Change> {
        let (_, stepped_back, change) = insert(tx, form).await?;
        self.stepped_back = stepped_back;
        Ok(change)
    }

    fn wrote(&mut self, own: Change) -> Vec<Change> {
        self.stepped_back.take().into_iter().chain([own]).collect()
    }

    async fn elsewhere(run: &JobRun, new: &[i64]) -> Result<HashMap<i64, String>> {
        data::held(run, new).await
    }

    /// A word goes; the one that was the default before it, whose record is older, is so again.
    async fn undo(tx: &mut Tx, _scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        if !record.is_new("dict_data") {
            return data::default_again(tx, record.id).await.map(Some);
        }
        tx.notice("dict", "");
        data::remove(tx, record.id).await.map(Some)
    }

    async fn named(tx: &mut Tx, record: &Imported) -> Result<String> {
        let label = sqlx::query_scalar!("select dict_label from platform.dict_data where id = $1", record.id)
            .fetch_optional(&mut **tx)
            .await?;
        Ok(label.unwrap_or_default())
    }
}
