//! What the sheet of what promoters get looks like.

use infra::{
    App, Result, Scope,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use sqlx::PgConnection;

use super::{Distribution, DistributionFilter, Distributions, list::select};

impl Export for Distributions {
    type Filter = DistributionFilter;
    type Row = Distribution;
    const KIND: &'static str = "distribution.export";
    type Permission = super::ExportDistributions;
    const PLAIN: Option<&'static str> = Some("user:pc:distribution:exportPlain");
    const TITLE: &'static str = "分销记录";
    const COLUMNS: &'static [Column<Distribution>] = &[
        Column { heading: "订单号", width: 22, cell: |each| Cell::Text(each.order_no.clone()) },
        Column { heading: "推广人", width: 16, cell: |each| Cell::text(each.promoter_name.clone()) },
        Column { heading: "推广人手机号", width: 14, cell: |each| Cell::Text(each.promoter_phone.clone()) },
        Column { heading: "购买人", width: 16, cell: |each| Cell::text(each.buyer_name.clone()) },
        Column { heading: "商品", width: 30, cell: |each| Cell::Text(each.product_name.clone()) },
        Column { heading: "商品类型", width: 10, cell: |each| Cell::Text(each.product_type.zh().to_owned()) },
        Column { heading: "实付(元)", width: 10, cell: |each| Cell::Decimal(each.price_paid, 2) },
        Column {
            heading: "佣金比例", width: 10, cell: |each| Cell::Decimal((each.ratio * 100.0).round() as i64, 2)
        },
        Column { heading: "佣金(元)", width: 10, cell: |each| Cell::Decimal(each.amount, 2) },
        Column { heading: "退款收回(元)", width: 12, cell: |each| Cell::Decimal(each.reversed, 2) },
        Column { heading: "状态", width: 10, cell: |each| Cell::Text(each.status.zh().to_owned()) },
        Column { heading: "支付时间", width: 20, cell: |each| Cell::DateTime(each.created_at) },
        Column { heading: "结算时间", width: 20, cell: |each| Cell::time(each.settled_at) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &DistributionFilter,
        _scope: &Scope,
    ) -> Result<Rows<'c, Distribution>> {
        Ok(select(connection, None, filter, None))
    }

    fn mask(each: &mut Distribution) {
        each.mask();
    }
}
