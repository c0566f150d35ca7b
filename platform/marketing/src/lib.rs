//! Marketing of the operators' online-education site: coupons, seckills, and what promoters are paid for (01 §9.4). Schema `platform`.
//!
//! ```text
//! coupon   received by learners, or granted → coupon_user: unused → locked by an order → used │ unused again │ expired
//! seckill  a product for less, while it runs and its stock lasts: an order locks one, its payment sells it
//! chosen   of whose price whoever brought the buyer gets a part
//! ```
//! Orders stand in another module, which takes and gives back by [`coupon::hold`] and [`seckill::stock`] alone, in the transaction of the
//! order. Invariant: sold and locked never exceed a stock, received never a coupon's number; the statements that count say so
//! themselves.

pub mod chosen;
pub mod coupon;
pub mod demo;
pub mod product;
pub mod seckill;

use infra::Module;
pub use marketing_rules::money;
use poem_openapi::{OpenApi, Tags};

#[derive(Tags)]
enum Tag {
    /// marketing
    #[oai(rename = "marketing")]
    Marketing,
}

pub const MODULE: Module = Module { name: "marketing", parts: &[coupon::PART, seckill::PART, chosen::PART] };

/// Every operation of the module.
pub fn api() -> impl OpenApi {
    (coupon::Coupons, coupon::OwnCoupons, seckill::Seckills, chosen::ChosenProducts)
}
