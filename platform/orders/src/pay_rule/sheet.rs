//! What the sheet of pay rules looks like. They are not imported.

use infra::{
    App, Result, Scope,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use sqlx::PgConnection;

use super::{PayRule, PayRuleFilter, PayRules, list::select};

impl Export for PayRules {
    type Filter = PayRuleFilter;
    type Row = PayRule;
    const KIND: &'static str = "payRule.export";
    type Permission = super::ExportPayRules;
    const TITLE: &'static str = "支付规则";
    const COLUMNS: &'static [Column<PayRule>] = &[
        Column { heading: "终端", width: 14, cell: |rule| Cell::Text(rule.terminal.zh().to_owned()) },
        Column { heading: "支付方式", width: 12, cell: |rule| Cell::Text(rule.pay_type.zh().to_owned()) },
        Column { heading: "支付通道", width: 20, cell: |rule| Cell::Text(rule.channel_name.clone()) },
        Column { heading: "通道可用", width: 10, cell: |rule| Cell::Bool(rule.channel_usable) },
        Column { heading: "最低金额(元)", width: 14, cell: |rule| Cell::Decimal(rule.min_amount, 2) },
        Column { heading: "最高金额(元)", width: 14, cell: |rule| Cell::decimal(rule.max_amount, 2) },
        Column { heading: "优先级", width: 8, cell: |rule| Cell::Int(rule.priority.into()) },
        Column { heading: "启用", width: 8, cell: |rule| Cell::Bool(rule.enabled) },
        Column { heading: "创建时间", width: 20, cell: |rule| Cell::DateTime(rule.created_at) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &PayRuleFilter,
        _scope: &Scope,
    ) -> Result<Rows<'c, PayRule>> {
        Ok(select(connection, None, filter, None))
    }
}
