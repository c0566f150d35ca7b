//! What the sheets of coupons look like: the export, and the phones of those who are given one.

use std::collections::{HashMap, HashSet};

use infra::{
    App, Change, Error, Result, Scope, Tx,
    clock::Moment,
    sheet::{Cell, Column, InputColumn, Row, Template},
    transfer::{Export, Finished, Import, Imported, Rows},
};
use marketing_rules::coupon::validity;
use serde_json::json;
use sqlx::PgConnection;

use super::{
    Coupon, CouponFilter, Coupons,
    give::not_given,
    list::{find, select},
};

impl Export for Coupons {
    type Filter = CouponFilter;
    type Row = Coupon;
    const KIND: &'static str = "coupon.export";
    type Permission = super::ExportCoupons;
    const TITLE: &'static str = "优惠券";
    const COLUMNS: &'static [Column<Coupon>] = &[
        Column { heading: "名称", width: 24, cell: |coupon| Cell::Text(coupon.coupon_name.clone()) },
        Column { heading: "类型", width: 8, cell: |coupon| Cell::Text(coupon.coupon_type.zh().to_owned()) },
        Column { heading: "优惠内容", width: 30, cell: |coupon| Cell::Text(coupon.terms().words()) },
        Column { heading: "适用范围", width: 12, cell: |coupon| Cell::Text(coupon.scope_type.zh().to_owned()) },
        Column {
            heading: "适用的分类或商品", width: 40, cell: |coupon| Cell::Text(coupon.scope_names.join("、"))
        },
        Column { heading: "发放总量", width: 10, cell: |coupon| Cell::Int(coupon.total_count.into()) },
        Column { heading: "已领取", width: 10, cell: |coupon| Cell::Int(coupon.received_count.into()) },
        Column { heading: "已使用", width: 10, cell: |coupon| Cell::Int(coupon.used_count.into()) },
        Column { heading: "每人限领", width: 10, cell: |coupon| Cell::Int(coupon.per_limit.into()) },
        Column { heading: "领取开始时间", width: 20, cell: |coupon| Cell::DateTime(coupon.receive_begins_at) },
        Column { heading: "领取截止时间", width: 20, cell: |coupon| Cell::DateTime(coupon.receive_ends_at) },
        Column { heading: "有效期开始", width: 20, cell: |coupon| Cell::time(coupon.valid_from) },
        Column { heading: "有效期结束", width: 20, cell: |coupon| Cell::time(coupon.valid_to) },
        Column { heading: "有效天数", width: 10, cell: |coupon| days(coupon.valid_days) },
        Column { heading: "启用", width: 8, cell: |coupon| Cell::Bool(coupon.enabled) },
        Column { heading: "创建时间", width: 20, cell: |coupon| Cell::DateTime(coupon.created_at) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &CouponFilter,
        _scope: &Scope,
    ) -> Result<Rows<'c, Coupon>> {
        Ok(select(connection, None, filter, None))
    }
}

fn days(days: Option<i32>) -> Cell {
    days.map_or(Cell::Empty, |days| Cell::Int(days.into()))
}

const PHONE: &str = "手机号";

/// Phones of learners who are each given one of a coupon; all or nobody (01 §9.10 Orders 9).
pub(super) struct GrantSheet {
    coupon: i64,
    per_limit: i32,
    span: (Moment, Moment),
    seen: HashSet<String>,
    given: i32,
}

impl Import for GrantSheet {
    const KIND: &'static str = "coupon.grant";
    type Permission = super::GrantCoupon;

    fn template() -> Template {
        Template {
            title: "优惠券发放名单",
            columns: vec![InputColumn::required(PHONE, "学员的11位手机号，每名学员发放一张")],
        }
    }

    async fn start(tx: &mut Tx, _scope: Scope, into: Option<i64>) -> Result<Self> {
        let coupon = into.ok_or_else(|| Error::field("id", "请选择优惠券"))?;
        let known = find(tx, coupon).await?;
        if !known.enabled {
            return Err(Error::conflict("该优惠券已停用，不能发放"));
        }
        let now = tx.app().clock().now();
        let span = validity(now, (known.valid_from, known.valid_to), known.valid_days)
            .ok_or_else(|| Error::conflict("该优惠券的有效期已过"))?;
        Ok(Self { coupon, per_limit: known.per_limit, span, seen: HashSet::new(), given: 0 })
    }

    async fn rows(&mut self, tx: &mut Tx, rows: &mut [Row], write: bool) -> Result<Vec<Change>> {
        let phones: Vec<String> = rows.iter_mut().map(|row| row.required(PHONE)).collect();
        // Nobody receives one between being counted and being given.
        sqlx::query_scalar!(
            "select id from platform.user_ext where phone = any($1) order by id for no key update",
            &phones
        )
        .fetch_all(&mut **tx)
        .await?;
        let known = sqlx::query!(
            r#"select e.id, e.phone, e.enabled,
                      (select count(*) from platform.coupon_user u where u.coupon_id = $2 and u.learner_id = e.id) as "has!"
               from platform.user_ext e where e.phone = any($1)"#,
            &phones,
            self.coupon
        )
        .fetch_all(&mut **tx)
        .await?;
        let people: HashMap<&str, (i64, bool, i64)> =
            known.iter().map(|row| (row.phone.as_str(), (row.id, row.enabled, row.has))).collect();
        let mut learners = Vec::with_capacity(rows.len());
        for (row, phone) in rows.iter_mut().zip(&phones) {
            if phone.is_empty() {
                continue;
            }
            match people.get(phone.as_str()) {
                None => row.refuse(PHONE, "没有使用该手机号的学员"),
                Some((_, false, _)) => row.refuse(PHONE, "该学员已停用"),
                Some((_, true, has)) if *has >= i64::from(self.per_limit) => {
                    row.refuse(PHONE, format!("该学员已领取{has}张，每人限领{}张", self.per_limit));
                }
                Some(_) if !self.seen.insert(phone.clone()) => row.refuse(PHONE, "手机号重复"),
                Some((id, true, _)) => learners.push(*id),
            }
        }
        if !write || learners.is_empty() {
            return Ok(Vec::new());
        }
        let by = tx.by();
        let given = sqlx::query!(
            "insert into platform.coupon_user (coupon_id, learner_id, granted, valid_from, valid_to, created_by, updated_by)
             select $1, learner, true, $3, $4, $5, $5 from unnest($2::bigint[]) as g (learner) returning id, learner_id",
            self.coupon,
            &learners,
            self.span.0,
            self.span.1,
            by
        )
        .fetch_all(&mut **tx)
        .await?;
        self.given += i32::try_from(given.len()).map_err(Error::internal)?;
        let made = given.into_iter().map(|row| {
            let what = json!({ "couponId": self.coupon, "learnerId": row.learner_id, "granted": true });
            Change::event("coupon_user", row.id, "insert", what)
        });
        Ok(made.collect())
    }

    /// Counts them at once and last: whoever receives the same coupon holds themself first, too.
    async fn finish(&mut self, tx: &mut Tx, write: bool) -> Result<Finished> {
        if !write || self.given == 0 {
            return Ok(Finished::default());
        }
        let counted = sqlx::query!(
            "update platform.coupon set received_count = received_count + $2
             where id = $1 and enabled and received_count + $2 <= total_count",
            self.coupon,
            self.given
        )
        .execute(&mut **tx)
        .await?;
        if counted.rows_affected() == 0 {
            return Err(not_given(tx, self.coupon).await?);
        }
        Ok(Finished::default())
    }

    /// What is unused goes; what an order holds or used stays.
    async fn undo(tx: &mut Tx, _scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        let gone = sqlx::query!(
            "delete from platform.coupon_user where id = $1 and status in ('unused', 'expired') returning coupon_id, learner_id",
            record.id
        )
        .fetch_optional(&mut **tx)
        .await?;
        let Some(gone) = gone else {
            return Err(Error::conflict("该优惠券已使用或被订单占用，不能收回"));
        };
        sqlx::query!("update platform.coupon set received_count = received_count - 1 where id = $1", gone.coupon_id)
            .execute(&mut **tx)
            .await?;
        let what = json!({ "couponId": gone.coupon_id, "learnerId": gone.learner_id });
        Ok(Some(Change::event("coupon_user", record.id, "delete", what)))
    }

    async fn named(tx: &mut Tx, record: &Imported) -> Result<String> {
        let name = sqlx::query_scalar!(
            r#"select coalesce(e.nickname, '学员' || e.id) as "name!"
               from platform.coupon_user u join platform.user_ext e on e.id = u.learner_id where u.id = $1"#,
            record.id
        )
        .fetch_optional(&mut **tx)
        .await?;
        Ok(name.unwrap_or_default())
    }
}
