//! What each kind of config holds (01 §3.1). The fields named in [`ConfigKind::secrets`] never leave the server.

use infra::enumeration;
use poem_openapi::Object;

enumeration! {
    /// 配置类别
    pub enum ConfigKind = "configKind" {
        Website = "website" "站点信息",
        Storage = "storage" "对象存储",
        VideoPolyv = "video_polyv" "保利威",
        VideoBaijiayun = "video_baijiayun" "百家云",
        VideoAliyun = "video_aliyun" "阿里云点播",
        Sms = "sms" "短信",
        WechatMp = "wechat_mp" "公众号",
        AppPush = "app_push" "应用推送",
        Mail = "mail" "邮件",
    }
}

enumeration! {
    /// 存储服务商
    pub enum StorageProvider = "storageProvider" {
        S3 = "s3" "S3 兼容存储",
        AliyunOss = "aliyun_oss" "阿里云 OSS",
        TencentCos = "tencent_cos" "腾讯云 COS",
        Minio = "minio" "MinIO",
        Local = "local" "本机目录",
    }
}

enumeration! {
    /// 短信服务商
    pub enum SmsProvider = "smsProvider" {
        Aliyun = "aliyun" "阿里云",
        Tencent = "tencent" "腾讯云",
        Recorded = "recorded" "仅记录，不发送",
    }
}

enumeration! {
    /// 推送服务商
    pub enum PushProvider = "pushProvider" {
        Jiguang = "jiguang" "极光",
        Getui = "getui" "个推",
        Recorded = "recorded" "仅记录，不发送",
    }
}

enumeration! {
    /// 连接加密
    pub enum MailSecurity = "mailSecurity" {
        Starttls = "starttls" "STARTTLS",
        Tls = "tls" "TLS",
        Plain = "none" "不加密",
    }
}

/// Name, pictures and texts of a site.
#[derive(Debug, Clone, Object)]
#[oai(rename = "website_config", rename_all = "camelCase")]
pub struct WebsiteConfig {
    /// 站点标题
    #[oai(validator(max_length = 60))]
    pub title: String,
    /// 域名
    /// 例如 cj.example.edu.cn，不含协议和端口
    #[oai(validator(max_length = 100, pattern = "^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$"))]
    pub domain: Option<String>,
    /// 标志
    #[oai(validator(max_length = 300))]
    pub logo: Option<String>,
    /// 无字标志
    #[oai(validator(max_length = 300))]
    pub logo_no_word: Option<String>,
    /// 页面图标
    #[oai(validator(max_length = 300))]
    pub ico: Option<String>,
    /// 登录背景
    #[oai(validator(max_length = 300))]
    pub login_background: Option<String>,
    /// 版权
    #[oai(validator(max_length = 120))]
    pub copyright: Option<String>,
    /// 备案号
    #[oai(validator(max_length = 60))]
    pub icp: Option<String>,
    /// 公安备案号
    #[oai(validator(max_length = 60))]
    pub police_record: Option<String>,
    /// 关键词
    #[oai(validator(max_length = 120))]
    pub keywords: Option<String>,
    /// 描述
    #[oai(validator(max_length = 300))]
    pub description: Option<String>,
    /// 客服电话
    #[oai(validator(max_length = 30))]
    pub service_phone: Option<String>,
    /// 院校帮助中心
    #[oai(default)]
    pub school_assistance_center: bool,
    /// 用户协议
    #[oai(validator(max_length = 20000))]
    pub user_agreement: Option<String>,
    /// 隐私政策
    #[oai(validator(max_length = 20000))]
    pub privacy_policy: Option<String>,
    /// 讲师协议
    #[oai(validator(max_length = 20000))]
    pub lecturer_agreement: Option<String>,
}

/// Where files lie.
#[derive(Debug, Clone, Object)]
#[oai(rename = "storage_config", rename_all = "camelCase")]
pub struct StorageConfig {
    /// 服务商
    pub provider: StorageProvider,
    /// 目录
    /// 小写字母、数字、下划线和短横线，可用斜杠分级
    #[oai(validator(max_length = 60, pattern = "^[a-z0-9_-]+(/[a-z0-9_-]+)*$"))]
    pub directory: Option<String>,
    /// 服务地址
    /// 以 http:// 或 https:// 开头
    #[oai(validator(max_length = 120, pattern = r"^https?://[^\s/\\?#@]+([/?#][^\s\\]*)?$"))]
    pub endpoint: Option<String>,
    /// 区域
    /// 小写字母、数字和短横线，例如 cn-hangzhou
    #[oai(validator(max_length = 60, pattern = "^[a-z0-9-]+$"))]
    pub region: Option<String>,
    /// 存储桶
    #[oai(validator(max_length = 100))]
    pub bucket: Option<String>,
    /// 密钥编号
    #[oai(validator(max_length = 120))]
    pub key_id: Option<String>,
    /// 密钥
    #[oai(write_only, validator(max_length = 120))]
    pub secret: Option<String>,
    /// 公开访问地址
    /// 以 http:// 或 https:// 开头
    #[oai(validator(max_length = 120, pattern = r"^https?://[^\s/\\?#@]+([/?#][^\s\\]*)?$"))]
    pub public_base_url: Option<String>,
    /// 路径式访问
    #[oai(default)]
    pub force_path_style: bool,
}

/// An account at 保利威.
#[derive(Debug, Clone, Object)]
#[oai(rename = "video_polyv_config", rename_all = "camelCase")]
pub struct PolyvConfig {
    /// 用户编号
    #[oai(validator(max_length = 60))]
    pub user_id: String,
    /// 写令牌
    #[oai(write_only, validator(max_length = 120))]
    pub write_token: Option<String>,
    /// 读令牌
    #[oai(write_only, validator(max_length = 120))]
    pub read_token: Option<String>,
    /// 接口密钥
    #[oai(write_only, validator(max_length = 120))]
    pub secret_key: Option<String>,
    /// 直播应用编号
    #[oai(validator(max_length = 60))]
    pub live_app_id: Option<String>,
    /// 直播应用密钥
    #[oai(write_only, validator(max_length = 120))]
    pub live_app_secret: Option<String>,
    /// 分类编号
    #[oai(validator(max_length = 60))]
    pub category_id: Option<String>,
}

/// An account at 百家云.
#[derive(Debug, Clone, Object)]
#[oai(rename = "video_baijiayun_config", rename_all = "camelCase")]
pub struct BaijiayunConfig {
    /// 合作方编号
    #[oai(validator(max_length = 60))]
    pub partner_id: String,
    /// 合作方密钥
    #[oai(write_only, validator(max_length = 120))]
    pub partner_key: Option<String>,
    /// 专属域名前缀
    /// 小写字母、数字和短横线
    #[oai(validator(max_length = 60, pattern = "^[a-z0-9-]+$"))]
    pub private_domain: String,
}

/// An account at 阿里云点播.
#[derive(Debug, Clone, Object)]
#[oai(rename = "video_aliyun_config", rename_all = "camelCase")]
pub struct AliyunVideoConfig {
    /// 区域
    /// 例如 cn-shanghai
    #[oai(validator(max_length = 60, pattern = "^[a-z0-9-]+$"))]
    pub region: String,
    /// 密钥编号
    #[oai(validator(max_length = 120))]
    pub key_id: String,
    /// 密钥
    #[oai(write_only, validator(max_length = 120))]
    pub secret: Option<String>,
    /// 转码模板组编号
    #[oai(validator(max_length = 60))]
    pub template_group_id: Option<String>,
}

/// An account for short messages.
#[derive(Debug, Clone, Object)]
#[oai(rename = "sms_config", rename_all = "camelCase")]
pub struct SmsConfig {
    /// 服务商
    pub provider: SmsProvider,
    /// 密钥编号
    #[oai(validator(max_length = 120))]
    pub key_id: Option<String>,
    /// 密钥
    #[oai(write_only, validator(max_length = 120))]
    pub secret: Option<String>,
    /// 签名
    #[oai(validator(max_length = 30))]
    pub sign_name: Option<String>,
    /// 地域
    /// 腾讯云的地域，不填为 ap-guangzhou
    #[oai(validator(pattern = "^[a-z0-9-]{2,30}$"))]
    pub region: Option<String>,
    /// 每秒条数
    /// 1至50，不填为50
    #[oai(validator(minimum(value = "1"), maximum(value = "50")))]
    pub per_second: Option<i32>,
    /// 回执密钥
    /// 16至64位字母、数字、下划线和短横线，自行设定，填写后才接收送达回执
    #[oai(write_only, validator(pattern = "^[A-Za-z0-9_-]{16,64}$"))]
    pub receipt_secret: Option<String>,
}

/// A WeChat official account.
#[derive(Debug, Clone, Object)]
#[oai(rename = "wechat_mp_config", rename_all = "camelCase")]
pub struct WechatConfig {
    /// 应用编号
    #[oai(validator(max_length = 60))]
    pub app_id: String,
    /// 应用密钥
    #[oai(write_only, validator(max_length = 120))]
    pub app_secret: Option<String>,
    /// 消息令牌
    #[oai(write_only, validator(max_length = 120))]
    pub token: Option<String>,
    /// 消息加解密密钥
    /// 43位字母和数字
    #[oai(write_only, validator(pattern = "^[A-Za-z0-9]{43}$"))]
    pub encoding_aes_key: Option<String>,
    /// 原始编号
    #[oai(validator(max_length = 60))]
    pub original_id: Option<String>,
}

/// An account for notices on phones.
#[derive(Debug, Clone, Object)]
#[oai(rename = "app_push_config", rename_all = "camelCase")]
pub struct PushConfig {
    /// 服务商
    pub provider: PushProvider,
    /// 应用编号
    /// 个推的 AppID，极光不填
    #[oai(validator(max_length = 60, pattern = "^[A-Za-z0-9]+$"))]
    pub app_id: Option<String>,
    /// 应用标识
    #[oai(validator(max_length = 120))]
    pub app_key: Option<String>,
    /// 主密钥
    #[oai(write_only, validator(max_length = 120))]
    pub master_secret: Option<String>,
}

/// A mail server (05 D4).
#[derive(Debug, Clone, Object)]
#[oai(rename = "mail_config", rename_all = "camelCase")]
pub struct MailConfig {
    /// 服务器
    #[oai(validator(max_length = 100, pattern = "^[A-Za-z0-9.-]+$"))]
    pub host: String,
    /// 端口
    #[oai(validator(minimum(value = "1"), maximum(value = "65535")))]
    pub port: i32,
    /// 连接加密
    #[oai(default = "starttls")]
    pub security: MailSecurity,
    /// 账号
    #[oai(validator(max_length = 100))]
    pub user: Option<String>,
    /// 密码
    #[oai(write_only, validator(max_length = 120))]
    pub password: Option<String>,
    /// 发件地址
    /// 应为邮箱地址
    #[oai(validator(max_length = 100, pattern = "^[^@ ]+@[^@ ]+$"))]
    pub from: String,
    /// 发件人名称
    #[oai(validator(max_length = 60))]
    pub from_name: Option<String>,
    /// 回复地址
    /// 应为邮箱地址
    #[oai(validator(max_length = 100, pattern = "^[^@ ]+@[^@ ]+$"))]
    pub reply_to: Option<String>,
    /// 超时(秒)
    #[oai(default = "fifteen", validator(minimum(value = "1"), maximum(value = "120")))]
    pub timeout_seconds: i32,
    /// 每分钟封数
    #[oai(default = "a_hundred_and_twenty", validator(minimum(value = "1"), maximum(value = "10000")))]
    pub per_minute: i32,
    /// 连接数
    #[oai(default = "two", validator(minimum(value = "1"), maximum(value = "20")))]
    pub pool_size: i32,
}

fn starttls() -> MailSecurity {
    MailSecurity::Starttls
}

fn fifteen() -> i32 {
    15
}

fn a_hundred_and_twenty() -> i32 {
    120
}

fn two() -> i32 {
    2
}

impl ConfigKind {
    /// The fields that are write-only.
    pub const fn secrets(self) -> &'static [&'static str] {
        match self {
            Self::Website => &[],
            Self::Storage | Self::VideoAliyun => &["secret"],
            Self::Sms => &["secret", "receiptSecret"],
            Self::VideoPolyv => &["writeToken", "readToken", "secretKey", "liveAppSecret"],
            Self::VideoBaijiayun => &["partnerKey"],
            Self::WechatMp => &["appSecret", "token", "encodingAesKey"],
            Self::AppPush => &["masterSecret"],
            Self::Mail => &["password"],
        }
    }

    /// What must be there before a config with this provider may be enabled, beyond what its form always wants: fields
    /// with their labels.
    pub fn needed(self, provider: Option<&str>) -> &'static [(&'static str, &'static str)] {
        match (self, provider) {
            (Self::Storage, Some("local")) | (Self::Sms | Self::AppPush, Some("recorded")) => &[],
            (Self::Storage, _) => {
                &[("region", "区域"), ("bucket", "存储桶"), ("keyId", "密钥编号"), ("secret", "密钥")]
            }
            (Self::Sms, _) => &[("keyId", "密钥编号"), ("secret", "密钥"), ("signName", "签名")],
            (Self::AppPush, Some("getui")) => {
                &[("appId", "应用编号"), ("appKey", "应用标识"), ("masterSecret", "主密钥")]
            }
            (Self::AppPush, _) => &[("appKey", "应用标识"), ("masterSecret", "主密钥")],
            (Self::VideoPolyv, _) => &[("writeToken", "写令牌"), ("readToken", "读令牌"), ("secretKey", "接口密钥")],
            (Self::VideoBaijiayun, _) => &[("partnerKey", "合作方密钥")],
            (Self::VideoAliyun, _) => &[("secret", "密钥")],
            (Self::WechatMp, _) => &[("appSecret", "应用密钥")],
            (Self::Website | Self::Mail, _) => &[],
        }
    }

    /// Whether the platform always has an enabled default one (01 §3.2.5).
    pub const fn is_indispensable(self) -> bool {
        matches!(self, Self::Website | Self::Storage | Self::Sms)
    }

    pub const fn is_video(self) -> bool {
        matches!(self, Self::VideoPolyv | Self::VideoBaijiayun | Self::VideoAliyun)
    }
}
