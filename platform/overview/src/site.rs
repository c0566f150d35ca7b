//! The operators' online-education site on their page: what it sold today and in thirty days, and what there waits for somebody
//! (01 §11). The site is no school's: whoever holds a code sees all of it, as in the list behind the figure.

use std::collections::HashMap;

use chrono::NaiveDate;
use infra::{
    Result,
    clock::{Moment, day_began, day_ended},
};
use sqlx::PgConnection;

use crate::figures::{Card, Chart, ChartKind, DAYS, Figures, MONEY, Series, Todo, by_day};

const ORDERS: &str = "/user/order/info/list";
/// Who sees what orders come to.
const SUMS_CODE: &str = "data:pc:order:stat:view";

/// What waits, as the statement of [`waiting`] names it, and as the page does.
struct Open {
    what: &'static str,
    key: &'static str,
    title: &'static str,
    link: &'static str,
    code: &'static str,
}

const fn open(
    what: &'static str,
    key: &'static str,
    title: &'static str,
    link: &'static str,
    code: &'static str,
) -> Open {
    Open { what, key, title, link, code }
}

const OPEN: [Open; 12] = [
    open(
        "record",
        "pendingCourses",
        "待审核的录播课程",
        "/course/audit/record/list?auditStatus=pending",
        "course:pc:audit:record:list",
    ),
    open(
        "live",
        "pendingLiveCourses",
        "待审核的直播课程",
        "/course/audit/live/list?auditStatus=pending",
        "course:pc:audit:live:list",
    ),
    open(
        "resource",
        "pendingResources",
        "待审核的文库资源",
        "/course/audit/resource/list?auditStatus=pending",
        "course:pc:audit:resource:list",
    ),
    open("exam", "pendingExams", "待审核的试卷", "/exam/audit/list?auditStatus=pending", "exam:pc:audit:list"),
    open(
        "lecturer",
        "pendingLecturers",
        "待审核的讲师",
        "/user/lecturer/audit/list?auditStatus=pending",
        "user:pc:lecturer:audit:list",
    ),
    open(
        "extract_pending",
        "pendingExtracts",
        "待审核的提现",
        "/user/account/extract/log/list?status=pending",
        "user:pc:account:extract:log:list",
    ),
    open(
        "extract_approved",
        "unpaidExtracts",
        "待打款的提现",
        "/user/account/extract/log/list?status=approved",
        "user:pc:account:extract:log:list",
    ),
    open(
        "refund",
        "refundingOrders",
        "退款中的订单",
        "/user/order/info/list?orderStatus=refunding",
        "user:pc:order:info:list",
    ),
    open(
        "certificate",
        "pendingCertificates",
        "待审核的社区认证",
        "/community/certificate/list?auditStatus=pending",
        "user:pc:community:certificate:list",
    ),
    open(
        "blog",
        "pendingBlogs",
        "待审核的博客",
        "/community/blog/list?auditStatus=pending",
        "user:pc:community:blog:list",
    ),
    open(
        "question",
        "pendingQuestions",
        "待审核的问答",
        "/community/questions/list?auditStatus=pending",
        "user:pc:community:questions:list",
    ),
    open(
        "comment",
        "pendingComments",
        "待审核的课程评论",
        "/course/comment/list?auditStatus=pending",
        "course:pc:comment:list",
    ),
];

pub(crate) async fn add(tx: &mut PgConnection, today: NaiveDate, figures: &mut Figures) -> Result<()> {
    figures.cards.extend(sold(tx, today).await?);
    figures.charts.push(income(tx, today).await?);
    figures.todos.extend(waiting(tx).await?);
    Ok(())
}

/// What was ordered today, and what of that is paid: the number and the sum of the list of these orders.
async fn sold(tx: &mut PgConnection, today: NaiveDate) -> Result<[Card; 2]> {
    let of = sqlx::query!(
        r#"select count(*) filter (where o.created_at >= $2) as "orders!",
                  count(*) filter (where o.created_at < $2) as "orders_before!",
                  coalesce(sum(o.price_paid) filter (
                      where o.created_at >= $2 and o.order_status in ('paid', 'refunding', 'refunded')), 0)::bigint as "paid!",
                  coalesce(sum(o.price_paid) filter (
                      where o.created_at < $2 and o.order_status in ('paid', 'refunding', 'refunded')), 0)::bigint
                      as "paid_before!"
           from platform.order_info o
           where o.created_at >= $1::timestamptz and o.created_at < $3::timestamptz"#,
        day_began(today - chrono::Duration::days(1)),
        day_began(today),
        day_ended(today)
    )
    .fetch_one(tx)
    .await?;
    let link = format!("{ORDERS}?createdFrom={today}&createdTo={today}");
    Ok([
        Card::new("ordersToday", "今日订单数", of.orders, "个", "今天下单的订单，含未支付和已关闭的")
            .beside(of.orders_before)
            .leads_to(link.clone()),
        Card::new("paidToday", "今日订单金额", of.paid, MONEY, "今天下单并已支付的订单的实付金额，退款未扣除")
            .beside(of.paid_before)
            .leads_to(link),
    ])
}

/// What was paid on each of thirty days, and what of it went back since: the sums of the list of a day's orders.
async fn income(tx: &mut PgConnection, today: NaiveDate) -> Result<Chart> {
    let from = today - chrono::Duration::days(DAYS - 1);
    let rows = sqlx::query!(
        r#"select (o.paid_at at time zone 'Asia/Shanghai')::date as "day!",
                  coalesce(sum(o.price_paid) filter (where o.order_status in ('paid', 'refunding', 'refunded')), 0)::bigint
                      as "paid!",
                  coalesce(sum(o.refunded_amount), 0)::bigint as "refunded!"
           from platform.order_info o
           where o.paid_at >= $1::timestamptz
           group by 1"#,
        day_began(from)
    )
    .fetch_all(tx)
    .await?;
    let on = |day: NaiveDate| rows.iter().find(|row| row.day == day);
    let mut chart = Chart::new(
        "income",
        "近30天收入",
        ChartKind::Line,
        MONEY,
        "按支付日期：当天支付的订单的实付金额，以及这些订单至今已退的金额",
        vec![
            linked(by_day("实付", today, |day| on(day).map_or(0, |row| row.paid))),
            linked(by_day("退款", today, |day| on(day).map_or(0, |row| row.refunded))),
        ],
    );
    chart.code = Some(SUMS_CODE.to_owned());
    Ok(chart)
}

/// Each day leads to the orders that were paid on it.
fn linked(mut series: Series) -> Series {
    for point in &mut series.points {
        point.link = Some(format!("{ORDERS}?paidFrom={0}&paidTo={0}", point.name));
    }
    series
}

/// What nobody decided or finished, with the time of the one that waits longest.
async fn waiting(tx: &mut PgConnection) -> Result<Vec<Todo>> {
    let rows = sqlx::query!(
        r#"select w.what as "what!", w.count as "count!", w.oldest as "oldest?: Moment"
           from (select c.course_type as what, count(*) as count, min(r.submitted_at) as oldest
                 from platform.online_course_revision r join platform.online_course c on c.id = r.course_id
                 where r.audit_status = 'pending' group by c.course_type
                 union all
                 select 'exam', count(*), min(r.submitted_at) from platform.online_exam_revision r
                 where r.audit_status = 'pending'
                 union all
                 select 'lecturer', count(*), min(a.created_at) from platform.lecturer_audit a
                 where a.audit_status = 'pending'
                 union all
                 select 'extract_' || e.status, count(*), min(coalesce(e.audited_at, e.created_at))
                 from platform.account_extract_log e where e.status in ('pending', 'approved') group by e.status
                 union all
                 select 'refund', count(*), min(o.updated_at) from platform.order_info o where o.order_status = 'refunding'
                 union all
                 select 'certificate', count(*), min(c.created_at) from platform.community_certificate c
                 where c.audit_status = 'pending'
                 union all
                 select 'blog', count(*), min(b.created_at) from platform.blog b where b.audit_status = 'pending'
                 union all
                 select 'question', count(*), min(q.created_at) from platform.community_question q
                 where q.audit_status = 'pending'
                 union all
                 select 'comment', count(*), min(m.created_at) from platform.course_comment m
                 where m.audit_status = 'pending') w"#
    )
    .fetch_all(tx)
    .await?;
    let found: HashMap<String, (i64, Option<Moment>)> =
        rows.into_iter().map(|row| (row.what, (row.count, row.oldest))).collect();
    let todo = |open: &Open| {
        let (count, oldest) = found.get(open.what).copied().unwrap_or_default();
        Todo::new(open.key, open.title, count, open.link, open.code).since(oldest)
    };
    Ok(OPEN.iter().map(todo).collect())
}
