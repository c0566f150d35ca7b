//! 站点信息: what the sign-in page must know before anybody is signed in (01 §3.2.2).

use infra::{Public, Reply, Result, reply};
use poem_openapi::{Object, OpenApi};

/// Name, look and public key of the site at this host.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
struct WebsiteInfo {
    /// 无字标志
    logo_no_word: Option<String>,
    /// 标志
    logo: Option<String>,
    /// 域名
    domain: Option<String>,
    /// 站点标题
    title: String,
    /// 页面图标
    ico: Option<String>,
    /// 登录背景
    login_background: Option<String>,
    /// 版权
    copyright: Option<String>,
    /// 备案号
    icp: Option<String>,
    /// 品牌色
    brand_color: Option<String>,
    /// 帮助中心
    school_assistance_center: bool,
    /// 公钥
    public_key: String,
    /// 院校编号
    school_id: Option<i64>,
    /// 院校名称
    school_name: Option<String>,
}

pub struct Website;

#[OpenApi(tag = "crate::Tag::Settings")]
impl Website {
    /// 站点信息
    #[oai(path = "/system/pc/sys/config/get", method = "post", operation_id = "viewWebsiteInfo")]
    async fn get(&self, caller: Public) -> Result<Reply<WebsiteInfo>> {
        let public_key = caller.app.keys().public_key();
        let Some(school) = caller.app.school_of_host(&caller.visit.host).await? else {
            return Ok(reply(WebsiteInfo {
                logo_no_word: None,
                logo: None,
                domain: None,
                title: "成教云".to_owned(),
                ico: None,
                login_background: None,
                copyright: None,
                icp: None,
                brand_color: None,
                school_assistance_center: false,
                public_key,
                school_id: None,
                school_name: None,
            }));
        };
        let mut tx = caller.platform().await?;
        let row = sqlx::query!(
            "select name, title, logo, logo_no_word, ico, login_background, brand_color, domain, assistance_center_enabled
             from platform.school where id = $1",
            school.id
        )
        .fetch_one(&mut *tx)
        .await?;
        Ok(reply(WebsiteInfo {
            logo_no_word: row.logo_no_word,
            logo: row.logo,
            domain: row.domain,
            title: row.title.unwrap_or_else(|| row.name.clone()),
            ico: row.ico,
            login_background: row.login_background,
            copyright: None,
            icp: None,
            brand_color: row.brand_color,
            school_assistance_center: row.assistance_center_enabled,
            public_key,
            school_id: Some(school.id),
            school_name: Some(row.name),
        }))
    }
}
