//! How withdrawals are read.

use chrono::NaiveDate;
use futures_util::TryStreamExt;
use infra::{
    Error, Paging, Result,
    across::Segment,
    clock::{Moment, day_began, day_ended},
    mask,
    transfer::Rows,
};
use poem_openapi::Object;
use sqlx::PgConnection;

use super::ExtractStatus;

/// A withdrawal.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Extract {
    /// 编号
    pub id: i64,
    /// 讲师姓名
    /// 申请人不再是讲师时为空
    pub lecturer_name: Option<String>,
    /// 手机
    pub phone: String,
    /// 提现金额(分)
    pub amount: i64,
    /// 户名
    pub bank_user_name: String,
    /// 银行卡号
    pub bank_card_no: String,
    /// 开户银行
    pub bank_name: String,
    /// 开户支行
    pub bank_branch: Option<String>,
    /// 状态
    pub status: ExtractStatus,
    /// 意见
    pub opinion: Option<String>,
    /// 审核人
    pub auditor_name: Option<String>,
    /// 审核时间
    pub audited_at: Option<Moment>,
    /// 打款流水号
    pub pay_no: Option<String>,
    /// 打款人
    pub payer_name: Option<String>,
    /// 打款时间
    pub paid_at: Option<Moment>,
    /// 申请时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

impl Extract {
    /// As lists show it; the whole values are one call for one person (05 E4).
    pub fn mask(&mut self) {
        self.phone = mask::phone(&self.phone);
        self.bank_card_no = mask::bank_card(&self.bank_card_no);
    }
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct ExtractFilter {
    /// 姓名
    /// 讲师姓名或户名
    #[oai(validator(max_length = 30))]
    pub name: Option<String>,
    /// 手机
    #[oai(validator(max_length = 20))]
    pub phone: Option<String>,
    /// 状态
    pub status: Option<ExtractStatus>,
    /// 申请日期起
    pub created_from: Option<NaiveDate>,
    /// 申请日期止
    pub created_to: Option<NaiveDate>,
}

/// What the withdrawals of a status come to.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ExtractSum {
    /// 状态
    pub status: ExtractStatus,
    /// 笔数
    pub count: i64,
    /// 金额(分)
    pub amount: i64,
}

impl ExtractSum {
    pub(super) fn segment(&self) -> Segment {
        Segment { value: self.status.as_str().to_owned(), count: self.count }
    }
}

/// Those that wait before all others, then those to be paid, then the newest.
pub(super) fn select<'c>(
    connection: &'c mut PgConnection,
    only: Option<i64>,
    filter: &ExtractFilter,
    page: Option<Paging>,
) -> Rows<'c, Extract> {
    let rows = sqlx::query_as!(
        Extract,
        r#"select e.id, l.lecturer_name as "lecturer_name?", e.phone, e.amount, e.bank_user_name, e.bank_card_no, e.bank_name,
                  e.bank_branch, e.status as "status: _", e.opinion,
                  (select u.real_name from platform.sys_user u where u.id = e.audited_by) as "auditor_name?", e.audited_at,
                  e.pay_no, (select u.real_name from platform.sys_user u where u.id = e.paid_by) as "payer_name?", e.paid_at,
                  e.created_at, e.version
           from platform.account_extract_log e left join platform.lecturer l on l.learner_id = e.learner_id
           where ($1::bigint is null or e.id = $1)
             and ($2::text is null or strpos(e.bank_user_name, $2) > 0 or strpos(l.lecturer_name, $2) > 0)
             and ($3::text is null or e.phone = $3)
             and ($4::text is null or e.status = $4)
             and ($5::timestamptz is null or e.created_at >= $5)
             and ($6::timestamptz is null or e.created_at < $6)
           order by e.status = 'pending' desc, e.status = 'approved' desc, e.created_at desc, e.id desc limit $7 offset $8"#,
        only,
        filter.name,
        filter.phone,
        filter.status.map(ExtractStatus::as_str),
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended),
        page.map(Paging::limit),
        page.map(Paging::offset)
    )
    .fetch(connection);
    Box::pin(rows)
}

/// What the withdrawals of each state come to, whichever of them the filter wants.
pub(super) async fn sums(connection: &mut PgConnection, filter: &ExtractFilter) -> Result<Vec<ExtractSum>> {
    let sums = sqlx::query_as!(
        ExtractSum,
        r#"select e.status as "status: _", count(*) as "count!", coalesce(sum(e.amount), 0)::bigint as "amount!"
           from platform.account_extract_log e left join platform.lecturer l on l.learner_id = e.learner_id
           where ($1::text is null or strpos(e.bank_user_name, $1) > 0 or strpos(l.lecturer_name, $1) > 0)
             and ($2::text is null or e.phone = $2)
             and ($3::timestamptz is null or e.created_at >= $3)
             and ($4::timestamptz is null or e.created_at < $4)
           group by e.status order by e.status"#,
        filter.name,
        filter.phone,
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended)
    )
    .fetch_all(connection)
    .await?;
    Ok(sums)
}

pub(super) async fn find(connection: &mut PgConnection, id: i64) -> Result<Extract> {
    let found = select(connection, Some(id), &ExtractFilter::default(), None).try_next().await?;
    found.ok_or_else(Error::not_found)
}
