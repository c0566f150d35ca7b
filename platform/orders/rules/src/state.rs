//! Which step an order may take (01 §9.4).
//!
//! ```text
//! pending ─paid→ paid ─refund→ refunding ─whole→ refunded        refunding ─part, or refused→ paid
//!    └─its time, or cancelled→ closed ─paid too late→ paid
//! ```

use crate::enums::OrderStatus;

/// A step that somebody wants to take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OrderStep {
    Pay,
    Close,
    Refund,
    /// 线下收款: also what comes after the order was closed.
    PayOffline,
}

/// Why it is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("订单{}，不能支付", .0.zh())]
    NotToPay(OrderStatus),
    #[error("订单{}，不能关闭", .0.zh())]
    NotToClose(OrderStatus),
    #[error("订单{}，不能退款", .0.zh())]
    NotToRefund(OrderStatus),
}

/// # Errors
/// For a step that does not begin where the order stands.
pub fn may(step: OrderStep, status: OrderStatus) -> Result<(), Refusal> {
    match (step, status) {
        (OrderStep::Pay | OrderStep::PayOffline | OrderStep::Close, OrderStatus::Pending)
        | (OrderStep::PayOffline, OrderStatus::Closed)
        | (OrderStep::Refund, OrderStatus::Paid) => Ok(()),
        (OrderStep::Pay | OrderStep::PayOffline, other) => Err(Refusal::NotToPay(other)),
        (OrderStep::Close, other) => Err(Refusal::NotToClose(other)),
        (OrderStep::Refund, other) => Err(Refusal::NotToRefund(other)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_begins_somewhere() {
        use OrderStatus::{Closed, Paid, Pending, Refunded, Refunding};
        let open = |step| [Pending, Paid, Refunding, Refunded, Closed].map(|status| may(step, status).is_ok());
        assert_eq!(open(OrderStep::Pay), [true, false, false, false, false]);
        assert_eq!(open(OrderStep::PayOffline), [true, false, false, false, true]);
        assert_eq!(open(OrderStep::Close), [true, false, false, false, false]);
        assert_eq!(open(OrderStep::Refund), [false, true, false, false, false]);
        let refused = may(OrderStep::Refund, Refunded).map_err(|why| why.to_string());
        assert_eq!(refused, Err("订单已退款，不能退款".to_owned()));
    }
}
