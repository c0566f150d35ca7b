//! Rules of channels that need no database and no provider: how requests are signed, what the answers and receipts of providers mean,
//! and why a message does not arrive (01 §12, 05 D4, D5).

pub mod enums;
pub mod getui;
pub mod outcome;
pub mod push;
pub mod report;
pub mod signed;
pub mod sms_aliyun;
pub mod sms_tencent;
pub mod wechat;
