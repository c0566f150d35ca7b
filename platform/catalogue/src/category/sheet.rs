//! What the sheet of categories looks like. They are not imported.

use futures_util::{StreamExt, TryStreamExt, future};
use infra::{
    App, Result, Scope,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use sqlx::PgConnection;

use super::{
    Category, CategoryFilter, CategoryType, LiveCategories, RecordCategories, ResourceCategories, select, tree,
};

/// As every sheet of categories has them.
pub const COLUMNS: &[Column<Category>] = &[
    Column { heading: "名称", width: 28, cell: |category| Cell::Text(category.category_name.clone()) },
    Column { heading: "上级分类", width: 28, cell: |category| Cell::text(category.parent_name.clone()) },
    Column { heading: "排序", width: 8, cell: |category| Cell::Int(category.sort.into()) },
    Column { heading: "启用", width: 8, cell: |category| Cell::Bool(category.enabled) },
    Column { heading: "备注", width: 30, cell: |category| Cell::text(category.remark.clone()) },
    Column { heading: "创建时间", width: 20, cell: |category| Cell::DateTime(category.created_at) },
];

/// The categories of a kind that match, without those above them.
pub fn matching<'c>(
    connection: &'c mut PgConnection,
    kind: CategoryType,
    filter: &CategoryFilter,
) -> Rows<'c, Category> {
    let filter = filter.clone();
    let all = select(connection, kind, None);
    all.try_filter(move |category| future::ready(tree::matches(category, &filter))).boxed()
}

impl Export for RecordCategories {
    type Filter = CategoryFilter;
    type Row = Category;
    const KIND: &'static str = "recordCategory.export";
    type Permission = crate::category::record::ExportRecordCategories;
    const TITLE: &'static str = "录播分类";
    const COLUMNS: &'static [Column<Category>] = COLUMNS;

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &CategoryFilter,
        _scope: &Scope,
    ) -> Result<Rows<'c, Category>> {
        Ok(matching(connection, CategoryType::Record, filter))
    }
}

impl Export for LiveCategories {
    type Filter = CategoryFilter;
    type Row = Category;
    const KIND: &'static str = "liveCategory.export";
    type Permission = crate::category::live::ExportLiveCategories;
    const TITLE: &'static str = "直播分类";
    const COLUMNS: &'static [Column<Category>] = COLUMNS;

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &CategoryFilter,
        _scope: &Scope,
    ) -> Result<Rows<'c, Category>> {
        Ok(matching(connection, CategoryType::Live, filter))
    }
}

impl Export for ResourceCategories {
    type Filter = CategoryFilter;
    type Row = Category;
    const KIND: &'static str = "resourceCategory.export";
    type Permission = crate::category::resource::ExportResourceCategories;
    const TITLE: &'static str = "文库分类";
    const COLUMNS: &'static [Column<Category>] = COLUMNS;

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &CategoryFilter,
        _scope: &Scope,
    ) -> Result<Rows<'c, Category>> {
        Ok(matching(connection, CategoryType::Resource, filter))
    }
}
