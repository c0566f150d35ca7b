//! 客户端地址: where the clients of a school are, for links that lead into them (01 §13 `clientUrls`).

use infra::setting::{
    Setting,
    kind::{Field, Kind},
};

use crate::outbox::PersonKind;

const ADDRESS: Kind =
    Kind::Text { default: "", max: 200, pattern: Some(infra::link::WEB), hint: "以 http:// 或 https:// 开头" };

pub const CLIENT_URLS: Setting = Setting::object(
    "clientUrls",
    "客户端地址",
    &[
        Field::new("student", "学生端", ADDRESS),
        Field::new("teacher", "教师端", ADDRESS),
        Field::new("site", "站点端", ADDRESS),
    ],
    None,
    "一键登录和消息中的链接使用；未填时按站点信息的域名",
);

impl PersonKind {
    /// The client that such people sign in to, as `clientUrls` names it; none of who has no client.
    pub const fn client(self) -> Option<&'static str> {
        match self {
            Self::Student => Some("student"),
            Self::Teacher | Self::ClassManager => Some("teacher"),
            Self::SiteStaff => Some("site"),
            Self::Account | Self::PreRegistration | Self::Admission | Self::Learner => None,
        }
    }
}
