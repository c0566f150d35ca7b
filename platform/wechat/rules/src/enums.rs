//! Closed sets of the official account (01 §9.9, §12).

use infra::enumeration;

enumeration! {
    /// 公众号菜单动作
    pub enum GzhMenuType = "gzhMenuType" {
        Click = "click" "点击回复",
        View = "view" "打开网页",
        MiniProgram = "miniprogram" "打开小程序",
        Scan = "scancode_push" "扫码",
        Picture = "pic_photo_or_album" "拍照或相册",
        Location = "location_select" "发送位置",
    }
}

enumeration! {
    /// 素材类型
    pub enum GzhMaterialType = "gzhMaterialType" {
        Image = "image" "图片",
        Voice = "voice" "语音",
        Video = "video" "视频",
        News = "news" "图文",
    }
}

enumeration! {
    /// 回复场景
    pub enum GzhReplyKind = "replyKind" {
        Subscribe = "subscribe" "关注回复",
        Default = "default" "默认回复",
        Keyword = "keyword" "关键词",
    }
}

enumeration! {
    /// 匹配方式
    pub enum GzhMatchMode = "gzhMatchMode" {
        Exact = "exact" "完全匹配",
        Contains = "contains" "包含",
    }
}

enumeration! {
    /// 回复类型
    pub enum GzhReplyType = "replyType" {
        Text = "text" "文字",
        Image = "image" "图片",
        Voice = "voice" "语音",
        Video = "video" "视频",
        News = "news" "图文",
    }
}

impl GzhReplyType {
    /// The type of the material that such a reply sends; none for words.
    pub const fn material(self) -> Option<GzhMaterialType> {
        match self {
            Self::Text => None,
            Self::Image => Some(GzhMaterialType::Image),
            Self::Voice => Some(GzhMaterialType::Voice),
            Self::Video => Some(GzhMaterialType::Video),
            Self::News => Some(GzhMaterialType::News),
        }
    }
}
