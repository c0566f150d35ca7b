//! 系统配置: the site, storages and the ways out; their secrets are sent and forgotten.

use async_trait::async_trait;
use serde_json::{Map, Value as Json, json};

use crate::{
    api::{Api, Call, number, unless_gone},
    entity::{number_in, numbered, school_of},
    failure::{Failure, Result},
    field::{Field, Place, Rule, body, differs, id, local, number_field, put, seen, switch, text_field},
    kind::{Given, Kind, Made, Memory, Resource, Secret, Seen, import_command},
    protocol::{
        diagnostic::Diagnostic,
        schema::{Type, attribute},
        value::{Object, Value},
    },
};

const LIST: &str = "/system/pc/sys/config/list";
const VIEW: &str = "/system/pc/sys/config/view";
const SAVE: &str = "/system/pc/sys/config/save";
const EDIT: &str = "/system/pc/sys/config/edit";
const DELETE: &str = "/system/pc/sys/config/delete";
/// In what the server says of the last one that is used.
const LAST: &str = "至少保留一个";
/// Of the site there is one in a school, and nobody sees its name.
const SITE: &str = "website";

/// The attributes of one service among several.
type Variant = (&'static str, &'static [&'static str]);

/// One kind of config.
pub struct Config {
    resource: Resource,
    /// The server's kind; with variants, what stands before theirs.
    kind: &'static str,
    /// The services, where each has fields of its own.
    variants: &'static [Variant],
}

/// A secret with its three attributes.
struct Hidden {
    /// What is typed.
    attribute: &'static str,
    /// Its number.
    version: &'static str,
    /// Its end, as the server shows it.
    tail: &'static str,
    /// Its name in calls.
    json: &'static str,
    says: &'static str,
}

pub fn all() -> Vec<Config> {
    vec![website(), storage(), sms(), video(), wechat(), mail()]
}

fn config(
    name: &'static str,
    says: &'static str,
    kind: &'static str,
    variants: &'static [Variant],
    content: Vec<Field>,
    hidden: &[Hidden],
) -> Config {
    let is_site = kind == SITE;
    let school = attribute("school_code", Type::Text, "Code of the school; without it, the platform's.");
    let config_name = text_field("name", "configName", "Its name among its kind (名称).").rule(Rule::Longest(50));
    let mut fields = vec![
        id(),
        local(school),
        if is_site { config_name.default(Value::Text("站点信息".to_owned())) } else { config_name.required() },
    ];
    fields.extend(content);
    let mut secrets = Vec::new();
    for hidden in hidden {
        let &Hidden { attribute: secret, version, tail, json, says } = hidden;
        fields.push(local(attribute(secret, Type::Text, says).write_only()));
        let number = attribute(version, Type::Number, "Another number than before sends the secret beside it again.");
        fields.push(local(number));
        let seen = local(attribute(tail, Type::Text, "The end of the secret, as the server shows it.").read_only());
        fields.push(seen);
        secrets.push(Secret { attribute: secret, version, json, tail: Some(tail) });
    }
    fields.extend([
        switch("default", "isDefault", is_site, "Whether it is the one that is used (默认)."),
        switch("enabled", "enabled", true, "Whether it is used at all (启用)."),
        text_field("remark", "remark", "Remark (备注).").rule(Rule::Longest(255)),
    ]);
    Config {
        resource: Resource {
            name,
            says,
            fields,
            secrets,
            import: if is_site { &["school_code"] } else { &["school_code", "name"] },
            frozen: &[],
            replaced: if variants.is_empty() { &["school_code"] } else { &["school_code", "service"] },
        },
        kind,
        variants,
    }
}

fn website() -> Config {
    let long = |name, json, says| text_field(name, json, says).rule(Rule::Longest(20_000));
    config(
        "school_website_config",
        "What a site shows before anybody signs in (站点信息): of a school, or of the platform.",
        SITE,
        &[],
        vec![
            text_field("title", "content.title", "Title (站点标题).").required().rule(Rule::Longest(60)),
            text_field("domain", "content.domain", "Host name (域名), without protocol and port.").rule(Rule::Pattern(
                "^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$",
                "It is a host name in small letters, without protocol and port.",
            )),
            text_field("logo", "content.logo", "Address of the logo (标志)."),
            text_field("logo_no_word", "content.logoNoWord", "Address of the logo without words (无字标志)."),
            text_field("ico", "content.ico", "Address of the icon (页面图标)."),
            text_field("login_background", "content.loginBackground", "Address of the picture at sign-in (登录背景)."),
            text_field("copyright", "content.copyright", "Line at the bottom (版权)."),
            text_field("icp", "content.icp", "ICP number (备案号)."),
            text_field("police_record", "content.policeRecord", "Number of the police record (公安备案号)."),
            text_field("keywords", "content.keywords", "Words for search engines (关键词)."),
            text_field("description", "content.description", "Sentence for search engines (描述)."),
            text_field("service_phone", "content.servicePhone", "Phone for questions (客服电话)."),
            switch(
                "assistance_center_enabled",
                "content.schoolAssistanceCenter",
                false,
                "Help centre of schools (院校帮助中心).",
            ),
            long("user_agreement", "content.userAgreement", "Terms of use (用户协议)."),
            long("privacy_policy", "content.privacyPolicy", "Privacy policy (隐私政策)."),
            long("lecturer_agreement", "content.lecturerAgreement", "Terms of lecturers (讲师协议)."),
        ],
        &[],
    )
}

fn storage() -> Config {
    config(
        "school_storage_config",
        "Where files are kept (对象存储).",
        "storage",
        &[],
        vec![
            text_field("service", "content.provider", "s3, aliyun_oss, tencent_cos, minio or local.")
                .required()
                .rule(Rule::OneOf(&["s3", "aliyun_oss", "tencent_cos", "minio", "local"])),
            text_field("endpoint", "content.endpoint", "Address of the service (服务地址)."),
            text_field("region", "content.region", "Region (区域)."),
            text_field("bucket", "content.bucket", "Bucket (存储桶)."),
            text_field("directory", "content.directory", "Folder in the bucket (目录)."),
            text_field("key_id", "content.keyId", "Number of the access key (密钥编号)."),
            text_field(
                "public_base_url",
                "content.publicBaseUrl",
                "Address from which public files are read (公开访问地址).",
            ),
            switch(
                "force_path_style",
                "content.forcePathStyle",
                false,
                "Whether the bucket is in the path (路径式访问).",
            ),
        ],
        &[Hidden {
            attribute: "secret_wo",
            version: "secret_wo_version",
            tail: "secret_tail",
            json: "content.secret",
            says: "The access key's secret (密钥).",
        }],
    )
}

fn sms() -> Config {
    config(
        "school_sms_config",
        "The service for short messages (短信).",
        "sms",
        &[],
        vec![
            text_field("service", "content.provider", "aliyun, tencent or recorded (仅记录，不发送).")
                .required()
                .rule(Rule::OneOf(&["aliyun", "tencent", "recorded"])),
            text_field("key_id", "content.keyId", "Number of the access key (密钥编号)."),
            text_field("sign_name", "content.signName", "Signature (签名)."),
            text_field("region", "content.region", "Region (地域)."),
            number_field("per_second", "content.perSecond", "Messages a second (每秒条数).").rule(Rule::Between(1, 50)),
        ],
        &[
            Hidden {
                attribute: "secret_wo",
                version: "secret_wo_version",
                tail: "secret_tail",
                json: "content.secret",
                says: "The access key's secret (密钥).",
            },
            Hidden {
                attribute: "receipt_secret_wo",
                version: "receipt_secret_wo_version",
                tail: "receipt_secret_tail",
                json: "content.receiptSecret",
                says: "With what the service signs its receipts (回执密钥).",
            },
        ],
    )
}

/// What each service of videos has.
const VIDEO: &[Variant] = &[
    (
        "polyv",
        &[
            "user_id",
            "live_app_id",
            "category_id",
            "write_token_wo",
            "read_token_wo",
            "secret_key_wo",
            "live_app_secret_wo",
        ],
    ),
    ("baijiayun", &["partner_id", "private_domain", "partner_key_wo"]),
    ("aliyun", &["region", "key_id", "template_group_id", "secret_wo"]),
];

fn video() -> Config {
    let service = attribute("service", Type::Text, "polyv (保利威), baijiayun (百家云) or aliyun (阿里云点播).");
    config(
        "school_video_config",
        "The service for videos and live lessons (视频云).",
        "video_",
        VIDEO,
        vec![
            local(service.required()).rule(Rule::OneOf(&["polyv", "baijiayun", "aliyun"])),
            text_field("user_id", "content.userId", "Number of the account at polyv (用户编号)."),
            text_field("live_app_id", "content.liveAppId", "Application for live lessons at polyv (直播应用编号)."),
            text_field("category_id", "content.categoryId", "Category of videos at polyv (分类编号)."),
            text_field("partner_id", "content.partnerId", "Number of the partner at baijiayun (合作方编号)."),
            text_field(
                "private_domain",
                "content.privateDomain",
                "First part of the own domain at baijiayun (专属域名前缀).",
            ),
            text_field("region", "content.region", "Region at aliyun (区域)."),
            text_field("key_id", "content.keyId", "Number of the access key at aliyun (密钥编号)."),
            text_field(
                "template_group_id",
                "content.templateGroupId",
                "Group of transcoding templates at aliyun (转码模板组编号).",
            ),
        ],
        &[
            Hidden {
                attribute: "write_token_wo",
                version: "write_token_wo_version",
                tail: "write_token_tail",
                json: "content.writeToken",
                says: "Token for writing at polyv (写令牌).",
            },
            Hidden {
                attribute: "read_token_wo",
                version: "read_token_wo_version",
                tail: "read_token_tail",
                json: "content.readToken",
                says: "Token for reading at polyv (读令牌).",
            },
            Hidden {
                attribute: "secret_key_wo",
                version: "secret_key_wo_version",
                tail: "secret_key_tail",
                json: "content.secretKey",
                says: "Key of the interface at polyv (接口密钥).",
            },
            Hidden {
                attribute: "live_app_secret_wo",
                version: "live_app_secret_wo_version",
                tail: "live_app_secret_tail",
                json: "content.liveAppSecret",
                says: "Secret of the application for live lessons at polyv (直播应用密钥).",
            },
            Hidden {
                attribute: "partner_key_wo",
                version: "partner_key_wo_version",
                tail: "partner_key_tail",
                json: "content.partnerKey",
                says: "Key of the partner at baijiayun (合作方密钥).",
            },
            Hidden {
                attribute: "secret_wo",
                version: "secret_wo_version",
                tail: "secret_tail",
                json: "content.secret",
                says: "The access key's secret at aliyun (密钥).",
            },
        ],
    )
}

fn wechat() -> Config {
    config(
        "school_wechat_config",
        "The WeChat official account (公众号).",
        "wechat_mp",
        &[],
        vec![
            text_field("app_id", "content.appId", "Number of the application (应用编号).").required(),
            text_field("original_id", "content.originalId", "Original number of the account (原始编号)."),
        ],
        &[
            Hidden {
                attribute: "app_secret_wo",
                version: "app_secret_wo_version",
                tail: "app_secret_tail",
                json: "content.appSecret",
                says: "Secret of the application (应用密钥).",
            },
            Hidden {
                attribute: "token_wo",
                version: "token_wo_version",
                tail: "token_tail",
                json: "content.token",
                says: "Token of its messages (消息令牌).",
            },
            Hidden {
                attribute: "encoding_aes_key_wo",
                version: "encoding_aes_key_wo_version",
                tail: "encoding_aes_key_tail",
                json: "content.encodingAesKey",
                says: "Key of its messages (消息加解密密钥), 43 characters.",
            },
        ],
    )
}

fn mail() -> Config {
    config(
        "school_mail_config",
        "The mail server (邮件).",
        "mail",
        &[],
        vec![
            text_field("host", "content.host", "Host name of the server (服务器).").required(),
            number_field("port", "content.port", "Port (端口).").required().rule(Rule::Between(1, 65_535)),
            text_field("security", "content.security", "starttls, tls or none (连接加密).")
                .or_computed()
                .rule(Rule::OneOf(&["starttls", "tls", "none"])),
            text_field("user", "content.user", "Account (账号)."),
            text_field("from", "content.from", "Address of the sender (发件地址).").required(),
            text_field("from_name", "content.fromName", "Name of the sender (发件人名称)."),
            text_field("reply_to", "content.replyTo", "Address for answers (回复地址)."),
            number_field("timeout_seconds", "content.timeoutSeconds", "How long the server may take (超时).")
                .default(Value::Integer(15))
                .rule(Rule::Between(1, 120)),
            number_field("per_minute", "content.perMinute", "Letters a minute (每分钟封数).")
                .default(Value::Integer(120))
                .rule(Rule::Between(1, 10_000)),
            number_field("pool_size", "content.poolSize", "Connections at once (连接数).")
                .default(Value::Integer(2))
                .rule(Rule::Between(1, 20)),
        ],
        &[Hidden {
            attribute: "password_wo",
            version: "password_wo_version",
            tail: "password_tail",
            json: "content.password",
            says: "Password of the account (密码).",
        }],
    )
}

impl Config {
    /// The variant that a configuration or a record has.
    fn variant(&self, service: Option<&str>) -> Option<&Variant> {
        self.variants.iter().find(|(name, _)| Some(*name) == service)
    }

    fn kind_of(&self, state: &Object) -> String {
        let service = state.get("service").and_then(Value::as_text);
        let service = service.filter(|_| !self.variants.is_empty()).unwrap_or_default();
        format!("{}{service}", self.kind)
    }

    /// Whether the service has this attribute; what all services have is in no list.
    fn takes(&self, service: Option<&str>, attribute: &str) -> bool {
        let of_some = self.variants.iter().any(|(_, attributes)| attributes.contains(&attribute));
        !of_some || self.variant(service).is_some_and(|(_, attributes)| attributes.contains(&attribute))
    }

    fn fields_of(&self, state: &Object) -> Vec<Field> {
        let service = state.get("service").and_then(Value::as_text);
        self.resource.fields.iter().filter(|field| self.takes(service, field.name())).cloned().collect()
    }

    async fn record(&self, api: &Api, state: &Object) -> Result<Option<Json>> {
        if let Some(id) = number_in(state) {
            return unless_gone(api.send(Call::get(VIEW).with("id", id)).await);
        }
        let school = school_of(api, state).await?;
        let mut filter = json!({ "pageSize": 500 });
        if self.variants.is_empty() {
            filter["configKind"] = json!(self.kind);
        }
        if let Some(school) = school {
            filter["schoolId"] = json!(school);
        }
        let name = state.get("name").and_then(Value::as_text).filter(|_| self.kind != SITE);
        if let Some(name) = name {
            filter["configName"] = json!(name);
        }
        let page = api.send(Call::list(LIST, filter)).await?;
        Ok(page["list"].as_array().into_iter().flatten().find(|record| self.is_it(record, school, name)).cloned())
    }

    /// Names of configs are not unique and a new default makes the former one step back, so that a save would take over
    /// in silence what the console or another configuration has made.
    async fn must_be_free(&self, api: &Api, planned: &Object) -> Result<()> {
        if self.record(api, planned).await?.is_none() {
            return Ok(());
        }
        let command = import_command(&self.resource, planned);
        let told = Diagnostic::error("It is there already");
        let told = told.detail(format!("If it is to be managed here: {command}"));
        Err(Failure::Told(if self.kind == SITE { told } else { told.at("name") }))
    }

    /// Whether a row of the list is meant; of the site, the one that is used.
    fn is_it(&self, record: &Json, school: Option<i64>, name: Option<&str>) -> bool {
        record["schoolId"].as_i64() == school
            && record["configKind"].as_str().is_some_and(|kind| self.is_kind(kind))
            && match name {
                Some(name) => record["configName"] == *name,
                None => record["isDefault"] == json!(true),
            }
    }

    fn is_kind(&self, kind: &str) -> bool {
        if self.variants.is_empty() {
            kind == self.kind
        } else {
            kind.strip_prefix(self.kind).is_some_and(|service| self.variant(Some(service)).is_some())
        }
    }

    async fn form(&self, api: &Api, given: &Given<'_>) -> Result<Map<String, Json>> {
        let service = given.planned.get("service").and_then(Value::as_text);
        let mut form = body(api, &self.fields_of(given.planned), given.planned, None, true).await?;
        form.insert("configKind".to_owned(), json!(self.kind_of(given.planned)));
        form.insert("schoolId".to_owned(), json!(school_of(api, given.planned).await?));
        // A secret that is not sent stays as it is.
        for secret in self.resource.secrets.iter().filter(|secret| self.takes(service, secret.attribute)) {
            if let Some(text) = given.secret(secret) {
                put(&mut form, secret.json, json!(text));
            }
        }
        Ok(form)
    }
}

#[async_trait]
impl Kind for Config {
    fn resource(&self) -> &Resource {
        &self.resource
    }

    fn validate(&self, config: &Object, told: &mut Vec<Diagnostic>) {
        let Some(service) = config.get("service").and_then(Value::as_text) else { return };
        for field in &self.resource.fields {
            let is_given = config.get(field.name()).is_some_and(|value| !value.is_null());
            if is_given && !self.takes(Some(service), field.name()) {
                told.push(Diagnostic::error(format!("{service} has no `{}`", field.name())).at(field.name()));
            }
        }
    }

    async fn read(&self, api: &Api, state: &Object) -> Result<Option<Seen>> {
        let Some(record) = self.record(api, state).await? else { return Ok(None) };
        let mut values = seen(api, &self.resource.fields, &record, state, None).await?;
        values.insert("id".to_owned(), Value::Text(number(&record, "id")?.to_string()));
        for secret in &self.resource.secrets {
            if let Some(tail) = secret.tail {
                let shown = crate::field::within(&record, &format!("{}Tail", secret.json)).as_str();
                values.insert(tail.to_owned(), Value::text(shown));
            }
        }
        if !self.variants.is_empty() {
            let service = record["configKind"].as_str().and_then(|kind| kind.strip_prefix(self.kind));
            values.insert("service".to_owned(), Value::text(service));
        }
        Ok(Some(Seen { values, version: record["version"].as_i64() }))
    }

    async fn create(&self, api: &Api, given: Given<'_>) -> Result<Made> {
        self.must_be_free(api, given.planned).await?;
        let form = self.form(api, &given).await?;
        let call = Call::post(SAVE, Json::Object(form)).under_key(given.memory.key());
        Ok(Made::numbered(number(&api.send(call).await?, "id")?))
    }

    async fn update(&self, api: &Api, given: Given<'_>) -> Result<Vec<Diagnostic>> {
        let is_sent = self.resource.secrets.iter().any(|secret| given.secret(secret).is_some());
        if !is_sent && !differs(&self.resource.fields, Place::Form, given.prior, given.planned) {
            return Ok(Vec::new());
        }
        let id = numbered(given.prior)?;
        let version = match given.memory.version() {
            Some(version) => version,
            None => number(&api.send(Call::get(VIEW).with("id", id)).await?, "version")?,
        };
        let mut form = self.form(api, &given).await?;
        form.insert("id".to_owned(), json!(id));
        form.insert("version".to_owned(), json!(version));
        api.send(Call::put(EDIT, Json::Object(form))).await?;
        Ok(Vec::new())
    }

    async fn delete(&self, api: &Api, prior: &Object, _memory: &Memory) -> Result<Vec<Diagnostic>> {
        match api.send(Call::delete(DELETE).with("id", numbered(prior)?)).await {
            Ok(_) => Ok(Vec::new()),
            Err(failure) => left(prior, failure),
        }
    }
}

/// The platform always has a used site, storage and way for short messages: the last one stays.
fn left(prior: &Object, failure: Failure) -> Result<Vec<Diagnostic>> {
    let is_of_platform = prior.get("school_code").is_none_or(Value::is_null);
    let is_default = prior.get("default") == Some(&Value::Bool(true));
    match failure {
        Failure::Refused(refusal)
            if refusal.code == 409 && is_of_platform && is_default && refusal.msg.contains(LAST) =>
        {
            let told = Diagnostic::warning("It stays as it is, and is only no longer managed here");
            Ok(vec![told.detail(refusal.msg)])
        }
        failure => Err(failure),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::failure::Refusal;

    #[test]
    fn the_last_default_of_the_platform_stays_and_everything_else_is_told() {
        let refused = |msg: &str| Failure::Refused(Refusal { code: 409, msg: msg.to_owned(), ..Refusal::default() });
        let default = Object::from([("default".to_owned(), Value::Bool(true))]);
        let warned = left(&default, refused("至少保留一个启用的默认配置")).expect("a warning");
        assert!(!warned[0].is_error && warned[0].detail.contains("默认配置"));
        assert!(left(&default, refused("该存储中仍有文件，不能删除，可以停用")).is_err());
        let mut of_school = default;
        of_school.insert("school_code".to_owned(), Value::Text("10589".to_owned()));
        assert!(left(&of_school, refused("至少保留一个启用的默认配置")).is_err());
    }

    #[tokio::test]
    async fn what_is_there_is_not_taken_over() {
        let row =
            json!({ "id": 4, "schoolId": null, "configKind": "website", "configName": "平台站点", "isDefault": true });
        let (api, served) = crate::api::answering(vec![("/config/list", json!({ "list": [row] }))]).await;
        let planned = Object::from([("title".to_owned(), Value::Text("成教云".to_owned()))]);
        let (prior, memory) = (Object::new(), Memory::default());
        let given = Given { prior: &prior, planned: &planned, config: &planned, memory: &memory };
        let Err(Failure::Told(told)) = website().create(&api, given).await else { panic!("it is there") };
        assert!(told.detail.ends_with("terraform import school_website_config.<name> 'platform'"), "{told:?}");
        assert_eq!(served.await.expect("one call, and no save").len(), 1);
    }

    fn configured(values: &[(&str, &str)]) -> Object {
        values.iter().map(|(name, value)| ((*name).to_owned(), Value::Text((*value).to_owned()))).collect()
    }

    #[test]
    fn a_service_has_its_own_attributes_and_those_of_all() {
        let video = video();
        assert!(video.takes(Some("polyv"), "user_id") && !video.takes(Some("aliyun"), "user_id"));
        assert!(video.takes(Some("aliyun"), "remark") && video.takes(Some("aliyun"), "secret_wo"));
        let mut told = Vec::new();
        video.validate(&configured(&[("service", "aliyun"), ("partner_id", "1")]), &mut told);
        assert_eq!(told, [Diagnostic::error("aliyun has no `partner_id`").at("partner_id")]);
        let names: Vec<&str> = video.resource.fields.iter().map(Field::name).collect();
        for attribute in VIDEO.iter().flat_map(|(_, attributes)| attributes.iter()) {
            assert!(names.contains(attribute), "{attribute}");
        }
    }

    #[test]
    fn the_kind_of_a_service_is_the_servers() {
        assert_eq!(video().kind_of(&configured(&[("service", "polyv")])), "video_polyv");
        assert_eq!(storage().kind_of(&configured(&[("service", "s3")])), "storage");
        assert!(video().is_kind("video_aliyun") && !video().is_kind("video_other") && !video().is_kind("sms"));
    }

    #[test]
    fn a_row_is_found_by_its_name_and_the_site_by_being_used() {
        let row = json!({ "schoolId": null, "configKind": "storage", "configName": "main", "isDefault": false });
        assert!(storage().is_it(&row, None, Some("main")));
        assert!(!storage().is_it(&row, None, Some("mai")) && !storage().is_it(&row, Some(1), Some("main")));
        let site = json!({ "schoolId": 1, "configKind": "website", "configName": "x", "isDefault": true });
        assert!(website().is_it(&site, Some(1), None) && !storage().is_it(&site, Some(1), None));
    }
}
