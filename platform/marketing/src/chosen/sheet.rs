//! What the sheet of these products looks like. They are not imported.

use infra::{
    App, Result, Scope,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use sqlx::PgConnection;

use super::{Chosen, ChosenFilter, ChosenProducts, list::select};

impl Export for ChosenProducts {
    type Filter = ChosenFilter;
    type Row = Chosen;
    const KIND: &'static str = "chosen.export";
    type Permission = super::ExportChosen;
    const TITLE: &'static str = "分销商品";
    const COLUMNS: &'static [Column<Chosen>] = &[
        Column { heading: "商品类型", width: 12, cell: |each| Cell::Text(each.product_type.zh().to_owned()) },
        Column { heading: "商品名称", width: 30, cell: |each| Cell::text(each.product_name.clone()) },
        Column { heading: "优惠价(元)", width: 12, cell: |each| Cell::decimal(each.price_sale, 2) },
        Column {
            heading: "佣金比例", width: 10, cell: |each| Cell::Decimal((each.ratio * 100.0).round() as i64, 2)
        },
        Column { heading: "开始时间", width: 20, cell: |each| Cell::DateTime(each.begins_at) },
        Column { heading: "结束时间", width: 20, cell: |each| Cell::DateTime(each.ends_at) },
        Column { heading: "分享海报模板", width: 20, cell: |each| Cell::text(each.poster_template_name.clone()) },
        Column { heading: "推广订单数", width: 12, cell: |each| Cell::Int(each.order_count) },
        Column { heading: "佣金合计(元)", width: 14, cell: |each| Cell::Decimal(each.commission_total, 2) },
        Column { heading: "启用", width: 8, cell: |each| Cell::Bool(each.enabled) },
        Column { heading: "创建时间", width: 20, cell: |each| Cell::DateTime(each.created_at) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &ChosenFilter,
        _scope: &Scope,
    ) -> Result<Rows<'c, Chosen>> {
        Ok(select(connection, None, filter, None))
    }
}
