//! Rules of orders that need no database: how a price comes about, how a payment is split and taken back, which step an order may take,
//! and how the providers want their messages signed (01 §9.4). Amounts are 分.

pub mod alipay;
pub mod enums;
pub mod key;
pub mod price;
pub mod split;
pub mod state;
pub mod wechat;
