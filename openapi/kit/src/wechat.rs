//! The operators' official account: its config, and what the provider tells of followers.

use serde_json::{Value, json};

use crate::Client;

pub const MENU: &str = "/system/pc/gzh/menu";
pub const MATERIAL: &str = "/system/pc/gzh/sck";
pub const AUTO_REPLY: &str = "/system/pc/gzh/autoReply";
pub const APP: &str = "wx1234567890abcdef";
pub const TOKEN: &str = "token-of-the-account";
pub const AES_KEY: &str = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG";

/// Configures the account, with sealed messages or without.
pub async fn configure(operator: &Client<'_>, sealed: bool) -> i64 {
    let mut content =
        json!({ "appId": APP, "appSecret": "secret-of-the-account", "token": TOKEN, "originalId": "gh_1" });
    if sealed {
        content["encodingAesKey"] = json!(AES_KEY);
    }
    let config = json!({ "configName": "公众号", "configKind": "wechat_mp", "content": content, "isDefault": true });
    operator.post("/system/pc/sys/config/save", config).await.id()
}

/// A reply in words to these keywords.
pub fn keyword_reply(keywords: &[&str], mode: &str, content: &str) -> Value {
    json!({ "replyKind": "keyword", "keywords": keywords, "matchMode": mode, "replyType": "text", "content": content })
}

/// A reply in words to whoever follows, or is not understood.
pub fn plain_reply(kind: &str, content: &str) -> Value {
    json!({ "replyKind": kind, "replyType": "text", "content": content })
}

/// An entry that opens a page.
pub fn page(name: &str, parent: Option<i64>) -> Value {
    json!({ "name": name, "parentId": parent, "menuType": "view", "url": "https://www.example.com/page" })
}

/// An entry that does nothing by itself.
pub fn heading(name: &str) -> Value {
    json!({ "name": name })
}
