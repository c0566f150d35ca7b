//! What the sheet of orders looks like. It comes from a cursor, however many there are.

use infra::{
    App, Result, Scope,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use sqlx::PgConnection;

use super::{
    Orders,
    list::{Order, OrderFilter, select},
};

impl Export for Orders {
    type Filter = OrderFilter;
    type Row = Order;
    const KIND: &'static str = "order.export";
    type Permission = super::ExportOrders;
    const PLAIN: Option<&'static str> = Some("user:pc:order:info:exportPlain");
    const TITLE: &'static str = "订单";
    const COLUMNS: &'static [Column<Order>] = &[
        Column { heading: "订单号", width: 22, cell: |order| Cell::Text(order.order_no.clone()) },
        Column { heading: "用户", width: 16, cell: |order| Cell::text(order.nickname.clone()) },
        Column { heading: "手机号", width: 14, cell: |order| Cell::Text(order.phone.clone()) },
        Column { heading: "商品", width: 30, cell: |order| Cell::Text(order.product_name.clone()) },
        Column { heading: "商品类型", width: 10, cell: |order| Cell::Text(order.product_type.zh().to_owned()) },
        Column { heading: "讲师", width: 12, cell: |order| Cell::text(order.lecturer_name.clone()) },
        Column { heading: "原价(元)", width: 10, cell: |order| Cell::Decimal(order.price_original, 2) },
        Column { heading: "优惠价(元)", width: 10, cell: |order| Cell::Decimal(order.price_sale, 2) },
        Column { heading: "秒杀活动", width: 16, cell: |order| Cell::text(order.seckill_name.clone()) },
        Column { heading: "会员优惠(元)", width: 12, cell: |order| Cell::Decimal(order.vip_discount, 2) },
        Column { heading: "优惠券", width: 16, cell: |order| Cell::text(order.coupon_name.clone()) },
        Column { heading: "优惠券优惠(元)", width: 14, cell: |order| Cell::Decimal(order.coupon_discount, 2) },
        Column { heading: "实付(元)", width: 10, cell: |order| Cell::Decimal(order.price_paid, 2) },
        Column { heading: "已退(元)", width: 10, cell: |order| Cell::Decimal(order.refunded_amount, 2) },
        Column { heading: "支付方式", width: 10, cell: |order| Cell::text(order.pay_type.map(|kind| kind.zh())) },
        Column { heading: "支付通道", width: 14, cell: |order| Cell::text(order.channel_name.clone()) },
        Column { heading: "交易流水号", width: 30, cell: |order| Cell::text(order.trade_no.clone()) },
        Column { heading: "订单状态", width: 10, cell: |order| Cell::Text(order.order_status.zh().to_owned()) },
        Column { heading: "来源", width: 10, cell: |order| Cell::Text(order.source.zh().to_owned()) },
        Column { heading: "推广人", width: 14, cell: |order| Cell::text(order.promoter_name.clone()) },
        Column { heading: "佣金(元)", width: 10, cell: |order| Cell::Decimal(order.commission, 2) },
        Column { heading: "讲师分成(元)", width: 12, cell: |order| Cell::Decimal(order.lecturer_profit, 2) },
        Column { heading: "平台收入(元)", width: 12, cell: |order| Cell::Decimal(order.platform_profit, 2) },
        Column { heading: "手续费(元)", width: 10, cell: |order| Cell::Decimal(order.fee_amount, 2) },
        Column { heading: "异常", width: 12, cell: |order| Cell::Text(order.abnormal.zh().to_owned()) },
        Column { heading: "后台备注", width: 30, cell: |order| Cell::text(order.remark_admin.clone()) },
        Column { heading: "下单时间", width: 20, cell: |order| Cell::DateTime(order.created_at) },
        Column { heading: "支付时间", width: 20, cell: |order| Cell::time(order.paid_at) },
        Column { heading: "关闭时间", width: 20, cell: |order| Cell::time(order.closed_at) },
        Column { heading: "结算时间", width: 20, cell: |order| Cell::time(order.settled_at) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &OrderFilter,
        _scope: &Scope,
    ) -> Result<Rows<'c, Order>> {
        Ok(select(connection, None, filter, None))
    }

    fn mask(order: &mut Order) {
        order.mask();
    }
}
