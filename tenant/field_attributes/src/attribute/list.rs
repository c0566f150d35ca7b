//! The fields of a stage as list and export show them.

use futures_util::TryStreamExt;
use infra::{
    App, Error, Page, Paging, Result, Scope, Tx,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use poem_openapi::{Object, types::Example};
use sqlx::PgConnection;

use super::{FieldAttribute, FieldAttributes};
use crate::enums::FieldStage;

/// A dictionary from which a field may let people choose.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct FieldDictionary {
    /// 字典
    pub(super) dict_type: String,
    /// 字典名称
    pub(super) dict_name: String,
}

/// The fields of a stage, with the dictionaries that a new one may choose from.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub struct FieldAttributePage {
    #[oai(flatten)]
    pub(super) page: Page<FieldAttribute>,
    /// 可选字典
    pub(super) dictionaries: Vec<FieldDictionary>,
}

/// What a list asks for.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct FieldAttributeFilter {
    /// 当前页
    pub page_current: Option<i64>,
    /// 每页条数
    pub page_size: Option<i64>,
    /// 环节
    pub stage: FieldStage,
}

impl Example for FieldAttributeFilter {
    fn example() -> Self {
        Self { page_current: Some(1), page_size: Some(100), stage: FieldStage::PreRegistration }
    }
}

impl Export for FieldAttributes {
    type Filter = FieldAttributeFilter;
    type Row = FieldAttribute;
    const KIND: &'static str = "field_attribute.export";
    type Permission = super::ExportFieldAttributes;
    const TITLE: &'static str = "字段属性";
    const COLUMNS: &'static [Column<FieldAttribute>] = &[
        Column { heading: "环节", width: 12, cell: |row| Cell::Text(row.stage.zh().to_owned()) },
        Column { heading: "排序", width: 8, cell: |row| Cell::Int(row.sort.into()) },
        Column { heading: "字段标识", width: 24, cell: |row| Cell::Text(row.field_key.clone()) },
        Column { heading: "显示名称", width: 24, cell: |row| Cell::Text(row.label.clone()) },
        Column { heading: "分组", width: 14, cell: |row| Cell::Text(row.group_name.zh().to_owned()) },
        Column { heading: "控件", width: 12, cell: |row| Cell::Text(row.control.zh().to_owned()) },
        Column { heading: "内置", width: 8, cell: |row| Cell::Bool(row.built_in) },
        Column { heading: "显示", width: 8, cell: |row| Cell::Bool(row.visible) },
        Column { heading: "必填", width: 8, cell: |row| Cell::Bool(row.required) },
        Column { heading: "学员可改", width: 10, cell: |row| Cell::Bool(row.student_editable) },
        Column { heading: "启用", width: 8, cell: |row| Cell::Bool(row.enabled) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &FieldAttributeFilter,
        _scope: &Scope,
    ) -> Result<Rows<'c, FieldAttribute>> {
        Ok(select(connection, None, Some(filter.stage), None))
    }
}

/// A page of a stage, in its order.
pub(super) async fn page(
    connection: &mut PgConnection,
    stage: FieldStage,
    paging: Paging,
) -> Result<Page<FieldAttribute>> {
    let total =
        sqlx::query_scalar!(r#"select count(*) as "count!" from field_attribute where stage = $1"#, stage.as_str())
            .fetch_one(&mut *connection)
            .await?;
    let list = select(connection, None, Some(stage), Some(paging)).try_collect().await?;
    Ok(paging.page(total, list))
}

pub(super) fn select<'c>(
    connection: &'c mut PgConnection,
    only: Option<&[i64]>,
    stage: Option<FieldStage>,
    page: Option<Paging>,
) -> Rows<'c, FieldAttribute> {
    sqlx::query_as!(
        FieldAttribute,
        r#"select id, stage as "stage: _", field_key, label, group_name as "group_name: _", control as "control: _", dict_type,
                  built_in, system_required, visible, required, student_editable, max_length, pattern, help_text, sort, enabled,
                  version
           from field_attribute
           where ($1::bigint[] is null or id = any($1)) and ($2::text is null or stage = $2)
           order by sort, id limit $3 offset $4"#,
        only,
        stage.map(FieldStage::as_str),
        page.map(Paging::limit),
        page.map(Paging::offset)
    )
    .fetch(connection)
}

pub(super) async fn find(connection: &mut PgConnection, id: i64) -> Result<FieldAttribute> {
    select(connection, Some(&[id]), None, None).try_next().await?.ok_or_else(Error::not_found)
}

/// Nobody else changes the field meanwhile.
pub(super) async fn lock(tx: &mut Tx, id: i64) -> Result<FieldAttribute> {
    tx.lock("field_attribute", id).await?;
    find(tx, id).await
}
