//! Why a message does not arrive (01 §12).

use infra::{Part, enumeration};

pub const PART: Part = Part { enumerations: &[FailCode::ENUMERATION], ..Part::NONE };

enumeration! {
    /// 失败原因
    pub enum FailCode = "deliveryFailCode" {
        NoAddress = "no_address" "无联系方式",
        NoOpenid = "no_openid" "未绑定微信",
        TemplateMissing = "template_missing" "缺少模板",
        ProviderRejected = "provider_rejected" "服务商拒绝",
        RateLimited = "rate_limited" "超过频率",
        Quota = "quota" "超过配额",
        Expired = "expired" "已过期",
        InvalidAddress = "invalid_address" "地址无效",
        Blacklisted = "blacklisted" "黑名单",
        ContentRejected = "content_rejected" "内容被拒",
        ProviderBusy = "provider_busy" "通道繁忙",
        Timeout = "timeout" "超时",
        NotConfigured = "not_configured" "未配置",
    }
}

impl FailCode {
    /// Whether a later attempt may end otherwise (05 D5).
    pub const fn is_retryable(self) -> bool {
        matches!(self, Self::RateLimited | Self::ProviderBusy | Self::Timeout | Self::NotConfigured)
    }

    /// Whether the person must first get an address; 重发 alone would change nothing.
    pub const fn wants_address(self) -> bool {
        matches!(self, Self::NoAddress | Self::NoOpenid)
    }
}
