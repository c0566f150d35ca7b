//! 站点信息: what the sign-in page must know before anybody is signed in (01 §3.2.2).
//!
//! ```text
//! host → the open school with this domain   its own website config, then its record, then the platform's config
//!      → else                               the platform's website config
//! ```

use std::{sync::Arc, time::Duration};

use infra::{App, Public, Reply, Result, directory::School, notice::Cached, reply};
use poem_openapi::{Object, OpenApi};

use crate::config::{ConfigKind, TOPIC, in_force, kinds::WebsiteConfig};

/// The title until somebody configures one.
pub(crate) const TITLE: &str = "成教云";

/// Name, look and public key of the site at this host.
#[derive(Debug, Default, Object)]
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
    /// 公安备案号
    police_record: Option<String>,
    /// 客服电话
    service_phone: Option<String>,
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
        let app = &caller.app;
        let public_key = app.keys().public_key();
        let school = app.school_of_host(&caller.visit.host).await?;
        let sites = sites(app, school.as_ref().map(|school| school.id)).await?;
        let platform = sites.platform.clone();
        let Some(school) = school else {
            return Ok(reply(WebsiteInfo { public_key, ..of_config(platform) }));
        };
        let mut tx = caller.platform().await?;
        let row = sqlx::query!(
            "select name, title, logo, logo_no_word, ico, login_background, brand_color, domain, assistance_center_enabled
             from platform.school where id = $1",
            school.id
        )
        .fetch_one(&mut *tx)
        .await?;
        let helps = platform.as_ref().is_some_and(|site| site.school_assistance_center);
        let operator = of_config(platform);
        let own = sites.school.clone().map(|site| of_config(Some(site)));
        let title = own.as_ref().map(|site| site.title.clone()).or(row.title).unwrap_or_else(|| row.name.clone());
        let own = own.unwrap_or_default();
        Ok(reply(WebsiteInfo {
            logo_no_word: own.logo_no_word.or(row.logo_no_word),
            logo: own.logo.or(row.logo),
            domain: row.domain,
            title,
            ico: own.ico.or(row.ico),
            login_background: own.login_background.or(row.login_background),
            copyright: own.copyright.or(operator.copyright),
            icp: own.icp.or(operator.icp),
            police_record: own.police_record.or(operator.police_record),
            service_phone: own.service_phone.or(operator.service_phone),
            brand_color: row.brand_color,
            school_assistance_center: row.assistance_center_enabled && helps,
            public_key,
            school_id: Some(school.id),
            school_name: Some(row.name),
        }))
    }
}

/// Whether people find the help centre: the platform has one, and of a school it is switched on too.
///
/// # Errors
/// Those of the database.
pub async fn has_help(app: &App, school: Option<&School>) -> Result<bool> {
    let sites = sites(app, None).await?;
    if !sites.platform.as_ref().is_some_and(|site| site.school_assistance_center) {
        return Ok(false);
    }
    let Some(school) = school else { return Ok(true) };
    let mut tx = app.platform_read().await?;
    let on = sqlx::query_scalar!("select assistance_center_enabled from platform.school where id = $1", school.id)
        .fetch_optional(&mut *tx)
        .await?;
    Ok(on.unwrap_or(false))
}

/// What the operator's site is called.
///
/// # Errors
/// Those of the database.
pub async fn title(app: &App) -> Result<String> {
    let sites = sites(app, None).await?;
    Ok(sites.platform.as_ref().map_or_else(|| TITLE.to_owned(), |site| site.title.clone()))
}

fn of_config(site: Option<WebsiteConfig>) -> WebsiteInfo {
    let Some(site) = site else { return WebsiteInfo { title: TITLE.to_owned(), ..WebsiteInfo::default() } };
    WebsiteInfo {
        logo_no_word: site.logo_no_word,
        logo: site.logo,
        domain: site.domain,
        title: site.title,
        ico: site.ico,
        login_background: site.login_background,
        copyright: site.copyright,
        icp: site.icp,
        police_record: site.police_record,
        service_phone: site.service_phone,
        school_assistance_center: site.school_assistance_center,
        ..WebsiteInfo::default()
    }
}

/// The website configs that concern a host.
#[derive(Default)]
struct Sites {
    platform: Option<WebsiteConfig>,
    school: Option<WebsiteConfig>,
}

struct Remembered(Cached<Option<i64>, Arc<Sites>>);

/// Everybody who opens the sign-in page asks, so they are remembered until a config changes.
async fn sites(app: &App, school_id: Option<i64>) -> Result<Arc<Sites>> {
    let remembered = app.of_room(|notices| {
        let any = |_: &Option<i64>, _: &Arc<Sites>, _: &str| true;
        Remembered(Cached::new(notices, TOPIC, 10_000, Duration::from_secs(300), any))
    });
    let load = async {
        let platform = in_force(app, ConfigKind::Website, None).await?;
        let school = match school_id {
            Some(id) => own(app, id).await?,
            None => None,
        };
        Ok::<_, infra::Error>(Arc::new(Sites { platform, school }))
    };
    remembered.0.get(school_id, load).await
}

/// A school's own website config; the platform's does not stand in for it.
async fn own(app: &App, school_id: i64) -> Result<Option<WebsiteConfig>> {
    let mut tx = app.platform_read().await?;
    let has_own = sqlx::query_scalar!(
        r#"select exists (select from platform.sys_config
                          where config_kind = 'website' and school_id = $1 and is_default and enabled) as "has!""#,
        school_id
    )
    .fetch_one(&mut *tx)
    .await?;
    drop(tx);
    if has_own { in_force(app, ConfigKind::Website, Some(school_id)).await } else { Ok(None) }
}
