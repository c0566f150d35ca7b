//! Closed sets of orders (01 §9.4).

use infra::enumeration;

enumeration! {
    /// 订单状态
    pub enum OrderStatus = "orderStatus" {
        Pending = "pending" "待支付",
        Paid = "paid" "已支付",
        Refunding = "refunding" "退款中",
        Refunded = "refunded" "已退款",
        Closed = "closed" "已关闭",
    }
}

enumeration! {
    /// 订单来源
    pub enum OrderSource = "orderSource" {
        Pc = "pc" "电脑网页",
        H5 = "h5" "手机网页",
        App = "app" "APP",
        MiniProgram = "mini_program" "小程序",
        Manual = "manual" "后台开单",
    }
}

enumeration! {
    /// 支付终端
    pub enum PayTerminal = "payTerminal" {
        Pc = "pc" "电脑网页",
        H5 = "h5" "手机网页",
        App = "app" "APP",
        MiniProgram = "mini_program" "小程序",
        WechatBrowser = "wechat_browser" "微信内网页",
    }
}

impl PayTerminal {
    /// The source of an order that is made there.
    pub const fn source(self) -> OrderSource {
        match self {
            Self::Pc => OrderSource::Pc,
            Self::H5 | Self::WechatBrowser => OrderSource::H5,
            Self::App => OrderSource::App,
            Self::MiniProgram => OrderSource::MiniProgram,
        }
    }
}

enumeration! {
    /// 订单异常
    pub enum OrderAbnormal = "orderAbnormal" {
        None = "none" "无",
        AmountMismatch = "amount_mismatch" "金额不符",
        LatePaid = "late_paid" "关闭后到账",
    }
}

enumeration! {
    /// 到账处理结果
    pub enum PaymentOutcome = "orderPaymentOutcome" {
        Paid = "paid" "已入账",
        AmountMismatch = "amount_mismatch" "金额不符",
        Returned = "returned" "原路退回",
    }
}

enumeration! {
    /// 退款状态
    pub enum RefundStatus = "orderRefundStatus" {
        Processing = "processing" "退款中",
        Success = "success" "退款成功",
        Failed = "failed" "退款失败",
    }
}

enumeration! {
    /// 分销记录状态
    pub enum DistributionStatus = "distributionStatus" {
        Frozen = "frozen" "冻结",
        Settled = "settled" "已结算",
        Cancelled = "cancelled" "已取消",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_inside_wechat_is_a_mobile_page() {
        assert_eq!(PayTerminal::WechatBrowser.source(), OrderSource::H5);
        assert_eq!(PayTerminal::MiniProgram.source(), OrderSource::MiniProgram);
    }
}
