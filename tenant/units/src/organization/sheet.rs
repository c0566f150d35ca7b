//! What the sheet of units looks like. They are not imported.

use futures_util::{StreamExt, TryStreamExt, future};
use infra::{
    App, Result, Scope, mask,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use sqlx::PgConnection;
use unit_rules::organization::matches;

use super::{Organization, OrganizationFilter, Organizations, select};

impl Export for Organizations {
    type Filter = OrganizationFilter;
    type Row = Organization;
    const KIND: &'static str = "organization.export";
    type Permission = super::ExportOrganizations;
    const PLAIN: Option<&'static str> = Some("adult:pc:organize:exportPlain");
    const TITLE: &'static str = "机构";
    const COLUMNS: &'static [Column<Organization>] = &[
        Column { heading: "名称", width: 28, cell: |unit| Cell::Text(unit.name.clone()) },
        Column { heading: "编码", width: 14, cell: |unit| Cell::Text(unit.code.clone()) },
        Column { heading: "上级机构", width: 28, cell: |unit| Cell::text(unit.parent_name.clone()) },
        Column { heading: "类型", width: 10, cell: |unit| Cell::Text(unit.kind.zh().to_owned()) },
        Column { heading: "负责人", width: 12, cell: |unit| Cell::text(unit.leader.clone()) },
        Column { heading: "电话", width: 16, cell: |unit| Cell::text(unit.phone.clone()) },
        Column { heading: "排序", width: 8, cell: |unit| Cell::Int(unit.sort_no.into()) },
        Column { heading: "启用", width: 8, cell: |unit| Cell::Bool(unit.enabled) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &OrganizationFilter,
        _scope: &Scope,
    ) -> Result<Rows<'c, Organization>> {
        let filter = filter.clone();
        Ok(select(connection, None).try_filter(move |unit| future::ready(matches(unit, &filter))).boxed())
    }

    fn mask(unit: &mut Organization) {
        unit.phone = unit.phone.as_deref().map(mask::phone);
    }
}
