//! The closed sets of messages (01 §12, 05 I).

use infra::{Part, enumeration};

use crate::outbox::PersonKind;

pub const PART: Part = Part {
    enumerations: &[
        Channel::ENUMERATION,
        MsgType::ENUMERATION,
        MsgStatus::ENUMERATION,
        MsgAudience::ENUMERATION,
        JumpType::ENUMERATION,
        SendMode::ENUMERATION,
        DeliveryStatus::ENUMERATION,
        FailCode::ENUMERATION,
        OutboxStatus::ENUMERATION,
        SkipReason::ENUMERATION,
        SceneAudience::ENUMERATION,
    ],
    ..Part::NONE
};

enumeration! {
    /// 渠道
    pub enum Channel = "msgChannel" {
        InApp = "in_app" "站内信",
        Sms = "sms" "短信",
        Wechat = "wechat" "公众号",
        AppPush = "app_push" "App推送",
        Mail = "mail" "邮件",
    }
}

impl Channel {
    pub const ALL: [Self; 5] = [Self::InApp, Self::Sms, Self::Wechat, Self::AppPush, Self::Mail];

    /// What a person must have to be reached, in the words of a refusal.
    pub const fn address_words(self) -> &'static str {
        match self {
            Self::InApp => "站内信",
            Self::Sms => "手机号",
            Self::Wechat => "微信绑定",
            Self::AppPush => "App账号",
            Self::Mail => "邮箱",
        }
    }

    /// Whether the provider sends a text of its own that ours only fills in.
    pub const fn has_provider_template(self) -> bool {
        matches!(self, Self::Sms | Self::Wechat)
    }
}

enumeration! {
    /// 消息类型
    pub enum MsgType = "msgType" {
        System = "system" "系统",
        Teaching = "teaching" "教学",
        Exam = "exam" "考试",
        Recruit = "recruit" "招生",
        Graduation = "graduation" "毕业",
        Marketing = "marketing" "营销",
    }
}

enumeration! {
    /// 消息状态
    pub enum MsgStatus = "msgStatus" {
        Draft = "draft" "草稿",
        Scheduled = "scheduled" "待发送",
        Sending = "sending" "发送中",
        Sent = "sent" "已发送",
        Failed = "failed" "发送失败",
        Recalled = "recalled" "已撤回",
    }
}

enumeration! {
    /// 接收范围
    pub enum MsgAudience = "msgAudience" {
        AllStudents = "all_students" "全部学生",
        StudentFilter = "student_filter" "按条件选择学生",
        Teachers = "teachers" "全部教师",
        SiteStaff = "site_staff" "站点人员",
        ClassManagers = "class_managers" "班主任",
        List = "list" "导入名单",
        Scene = "scene" "场景消息",
    }
}

impl MsgAudience {
    /// Who is meant. A scene's own events say whom it tells.
    pub(crate) const fn person_kind(self) -> PersonKind {
        match self {
            Self::Teachers => PersonKind::Teacher,
            Self::SiteStaff => PersonKind::SiteStaff,
            Self::ClassManagers => PersonKind::ClassManager,
            Self::AllStudents | Self::StudentFilter | Self::List | Self::Scene => PersonKind::Student,
        }
    }

    /// Whether operators may choose it for whole schools.
    pub(crate) const fn is_of_whole_schools(self) -> bool {
        matches!(self, Self::AllStudents | Self::Teachers | Self::SiteStaff | Self::ClassManagers)
    }
}

enumeration! {
    /// 跳转类型
    pub enum JumpType = "jumpType" {
        None = "none" "不跳转",
        Url = "url" "网址",
        Course = "course" "课程",
        Exam = "exam" "考试",
        Homework = "homework" "作业",
    }
}

enumeration! {
    /// 发送方式
    pub enum SendMode = "sendMode" {
        Now = "now" "立即发送",
        Timed = "timed" "定时发送",
    }
}

enumeration! {
    /// 投递状态
    pub enum DeliveryStatus = "deliveryStatus" {
        Queued = "queued" "待发送",
        Delivering = "delivering" "发送中",
        Sent = "sent" "已发送",
        Delivered = "delivered" "已送达",
        Failed = "failed" "失败",
        Cancelled = "cancelled" "已取消",
        Recalled = "recalled" "已撤回",
    }
}

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

enumeration! {
    /// 事件状态
    pub enum OutboxStatus = "outboxStatus" {
        Pending = "pending" "待处理",
        Done = "done" "已处理",
        Skipped = "skipped" "已跳过",
        Failed = "failed" "失败",
    }
}

enumeration! {
    /// 跳过原因
    pub enum SkipReason = "outboxSkipReason" {
        SceneOff = "scene_off" "场景已停用",
        SceneUnknown = "scene_unknown" "场景不存在",
        NoRecipient = "no_recipient" "没有接收人",
        ChannelsOff = "channels_off" "所有渠道已关闭",
        TemplateMissing = "template_missing" "缺少模板",
    }
}

enumeration! {
    /// 接收人身份
    pub enum SceneAudience = "sceneAudience" {
        Student = "student" "学生",
        Teacher = "teacher" "教师",
        SiteStaff = "site_staff" "站点人员",
        ClassManager = "class_manager" "班主任",
        Learner = "learner" "平台学员",
        Account = "account" "管理人员",
    }
}

/// The words of channels in the database, in their order; unknown ones cannot be there.
pub(crate) fn channels(words: &[String]) -> Vec<Channel> {
    Channel::ALL.into_iter().filter(|channel| words.iter().any(|word| word == channel.as_str())).collect()
}

pub(crate) fn words_of(channels: &[Channel]) -> Vec<String> {
    channels.iter().map(|channel| channel.as_str().to_owned()).collect()
}
