//! What the sheet of seckills looks like. They are not imported.

use infra::{
    App, Result, Scope,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use sqlx::PgConnection;

use super::{Seckill, SeckillFilter, Seckills, list::select};

impl Export for Seckills {
    type Filter = SeckillFilter;
    type Row = Seckill;
    const KIND: &'static str = "seckill.export";
    type Permission = super::ExportSeckills;
    const TITLE: &'static str = "秒杀活动";
    const COLUMNS: &'static [Column<Seckill>] = &[
        Column { heading: "活动名称", width: 24, cell: |each| Cell::Text(each.activity_name.clone()) },
        Column { heading: "商品类型", width: 12, cell: |each| Cell::Text(each.product_type.zh().to_owned()) },
        Column { heading: "商品名称", width: 30, cell: |each| Cell::text(each.product_name.clone()) },
        Column { heading: "优惠价(元)", width: 12, cell: |each| Cell::decimal(each.price_sale, 2) },
        Column { heading: "秒杀价(元)", width: 12, cell: |each| Cell::Decimal(each.seckill_price, 2) },
        Column { heading: "库存", width: 8, cell: |each| Cell::Int(each.stock_total.into()) },
        Column { heading: "已售", width: 8, cell: |each| Cell::Int(each.stock_sold.into()) },
        Column { heading: "占用", width: 8, cell: |each| Cell::Int(each.stock_locked.into()) },
        Column { heading: "每人限购", width: 10, cell: |each| Cell::Int(each.per_limit.into()) },
        Column { heading: "开始时间", width: 20, cell: |each| Cell::DateTime(each.begins_at) },
        Column { heading: "结束时间", width: 20, cell: |each| Cell::DateTime(each.ends_at) },
        Column { heading: "活动状态", width: 10, cell: |each| Cell::Text(each.state.zh().to_owned()) },
        Column { heading: "启用", width: 8, cell: |each| Cell::Bool(each.enabled) },
        Column { heading: "创建时间", width: 20, cell: |each| Cell::DateTime(each.created_at) },
    ];

    async fn rows<'c>(
        app: &App,
        connection: &'c mut PgConnection,
        filter: &SeckillFilter,
        _scope: &Scope,
    ) -> Result<Rows<'c, Seckill>> {
        Ok(select(connection, None, filter, None, app.clock().now()))
    }
}
