//! Orders and payments of the operators' online-education site (01 §9.4). Schema `platform`.
//!
//! ```text
//! order         pending ─arrive→ paid ─refund→ refunding → refunded │ paid        pending ─close→ closed
//! pay_rule      which channel an amount is paid by on a terminal → provider: mock, offline, 微信支付, 支付宝
//! callback      what a provider tells ─checked→ arrive, or the end of a refund
//! distribution  what a promoter gets of an order: frozen, settled with it, cancelled with a whole refund
//! ```
//! Invariants: a payment counts once, by its channel and number ([`order::arrive`]); it is split when it comes, in the transaction that
//! grants what was bought; nobody speaks to a provider inside a transaction; the lecturer's and the promoter's money moves by
//! [`lecturers::account::book`] alone. Locks are taken in the order: order, learner, coupon, seckill, accounts by their number.
//!
//! Start reading at [`order::open`], then [`order::arrive`] and [`order::refund`].

pub mod callback;
pub mod demo;
pub mod distribution;
pub mod order;
pub mod own;
pub mod pay_rule;
pub mod provider;
mod work;

use infra::Module;
use poem_openapi::{OpenApi, Tags};

#[derive(Tags)]
enum Tag {
    /// orders
    #[oai(rename = "orders")]
    Orders,
}

pub const MODULE: Module =
    Module { name: "orders", parts: &[order::PART, pay_rule::PART, distribution::PART, work::PART] };

/// Every operation of the module.
pub fn api() -> impl OpenApi {
    (
        (order::Orders, order::OrderFigures),
        (pay_rule::PayRules, distribution::Distributions),
        (own::OwnOrders, callback::PayCallbacks),
    )
}
