//! Rules of marketing that need no database: what a coupon takes off and how long it may be used, when a seckill runs, what a promoter
//! gets a part of (01 §9.4). Amounts are 分.

pub mod chosen;
pub mod coupon;
pub mod money;
pub mod seckill;
