//! The closed sets of scenes (05 I).

use infra::{Part, enumeration};

pub const PART: Part = Part {
    enumerations: &[
        Channel::ENUMERATION,
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
pub fn channels(words: &[String]) -> Vec<Channel> {
    Channel::ALL.into_iter().filter(|channel| words.iter().any(|word| word == channel.as_str())).collect()
}

pub fn words_of(channels: &[Channel]) -> Vec<String> {
    channels.iter().map(|channel| channel.as_str().to_owned()).collect()
}
