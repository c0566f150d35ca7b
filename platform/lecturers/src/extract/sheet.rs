//! The list for the bank.

use infra::{
    App, Result, Scope,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use sqlx::PgConnection;

use super::{Extract, ExtractFilter, Extracts, list::select};

impl Export for Extracts {
    type Filter = ExtractFilter;
    type Row = Extract;
    const KIND: &'static str = "extract.export";
    type Permission = super::ExportExtracts;
    const PLAIN: Option<&'static str> = Some("user:pc:account:extract:log:exportPlain");
    const TITLE: &'static str = "提现记录";
    const COLUMNS: &'static [Column<Extract>] = &[
        Column { heading: "户名", width: 14, cell: |each| Cell::Text(each.bank_user_name.clone()) },
        Column { heading: "银行卡号", width: 24, cell: |each| Cell::Text(each.bank_card_no.clone()) },
        Column { heading: "开户银行", width: 20, cell: |each| Cell::Text(each.bank_name.clone()) },
        Column { heading: "开户支行", width: 26, cell: |each| Cell::text(each.bank_branch.clone()) },
        Column { heading: "提现金额(元)", width: 14, cell: |each| Cell::Decimal(each.amount, 2) },
        Column { heading: "讲师姓名", width: 14, cell: |each| Cell::text(each.lecturer_name.clone()) },
        Column { heading: "手机", width: 16, cell: |each| Cell::Text(each.phone.clone()) },
        Column { heading: "状态", width: 10, cell: |each| Cell::Text(each.status.zh().to_owned()) },
        Column { heading: "申请时间", width: 20, cell: |each| Cell::DateTime(each.created_at) },
        Column { heading: "审核人", width: 12, cell: |each| Cell::text(each.auditor_name.clone()) },
        Column { heading: "审核时间", width: 20, cell: |each| Cell::time(each.audited_at) },
        Column { heading: "意见", width: 30, cell: |each| Cell::text(each.opinion.clone()) },
        Column { heading: "打款流水号", width: 26, cell: |each| Cell::text(each.pay_no.clone()) },
        Column { heading: "打款人", width: 12, cell: |each| Cell::text(each.payer_name.clone()) },
        Column { heading: "打款时间", width: 20, cell: |each| Cell::time(each.paid_at) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &ExtractFilter,
        _scope: &Scope,
    ) -> Result<Rows<'c, Extract>> {
        Ok(select(connection, None, filter, None))
    }

    fn mask(each: &mut Extract) {
        each.mask();
    }
}
