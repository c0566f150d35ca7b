//! What the sheet of memberships looks like. They are not imported.

use infra::{
    App, Result, Scope,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use sqlx::PgConnection;

use super::{VipSet, VipSetFilter, VipSets, list::select};

impl Export for VipSets {
    type Filter = VipSetFilter;
    type Row = VipSet;
    const KIND: &'static str = "vipSet.export";
    type Permission = super::ExportVipSets;
    const TITLE: &'static str = "会员设置";
    const COLUMNS: &'static [Column<VipSet>] = &[
        Column { heading: "名称", width: 20, cell: |set| Cell::Text(set.set_name.clone()) },
        Column { heading: "月数", width: 8, cell: |set| Cell::Int(set.months.into()) },
        Column { heading: "原价(元)", width: 12, cell: |set| Cell::Decimal(set.price_original, 2) },
        Column { heading: "售价(元)", width: 12, cell: |set| Cell::Decimal(set.price, 2) },
        Column { heading: "会员折扣", width: 10, cell: |set| rate(set.discount_rate) },
        Column { heading: "会员权益", width: 40, cell: |set| Cell::text(set.benefits.clone()) },
        Column { heading: "会员数", width: 8, cell: |set| Cell::Int(set.member_count) },
        Column { heading: "排序", width: 8, cell: |set| Cell::Int(set.sort.into()) },
        Column { heading: "启用", width: 8, cell: |set| Cell::Bool(set.enabled) },
        Column { heading: "创建时间", width: 20, cell: |set| Cell::DateTime(set.created_at) },
    ];

    async fn rows<'c>(
        app: &App,
        connection: &'c mut PgConnection,
        filter: &VipSetFilter,
        _scope: &Scope,
    ) -> Result<Rows<'c, VipSet>> {
        Ok(select(connection, None, filter, None, app.clock().now()))
    }
}

/// Two places.
fn rate(part: f64) -> Cell {
    Cell::Decimal((part * 100.0).round() as i64, 2)
}
