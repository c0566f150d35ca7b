//! 访问记录: a browser tells which public page it opened (part 05 A1). The host says whose site it is. No address is kept, only its hash,
//! which another salt makes every day; of where the visitor came from, the registrable domain.

use infra::{App, Body, Public, Reply, Result, Tx, Writes, clock::Moment, pace::Pace, reply};
use poem_openapi::{Object, OpenApi, types::Example};
use statistics_rules::{
    enums::{VisitPage, VisitTerminal},
    visits::registrable_domain,
};

use crate::roll_up::{Key, mark};

/// Pages that one address may open in a minute.
const OF_ADDRESS: Pace = Pace::per_minute(60);
/// Characters of what a browser is known by.
const KEY_LENGTH: usize = 32;
const KEY_LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
/// What came without a link comes directly, or by another site.
const DIRECT: &str = "";

/// A page that a browser opened.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct PageVisit {
    /// 页面
    pub page: VisitPage,
    /// 页面对象编号
    /// 例如课程或批次的编号
    pub ref_id: Option<i64>,
    /// 推广链接码
    #[oai(validator(max_length = 20))]
    pub link_code: Option<String>,
    /// 来路地址
    /// 只保留其主域名
    #[oai(validator(max_length = 2000))]
    pub referrer: Option<String>,
    /// 终端
    pub terminal: VisitTerminal,
    /// 访问标识
    /// 首次访问留空，由服务器生成后交浏览器保存
    #[oai(validator(max_length = 64))]
    pub visitor_key: Option<String>,
}

impl Example for PageVisit {
    fn example() -> Self {
        Self {
            page: VisitPage::Enrol,
            ref_id: None,
            link_code: Some("a8Kx2mPq".to_owned()),
            referrer: None,
            terminal: VisitTerminal::H5,
            visitor_key: None,
        }
    }
}

/// What the browser keeps.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct PageVisited {
    /// 访问标识
    pub visitor_key: String,
}

pub struct Visits;

#[OpenApi(prefix_path = "/data/client/visit", tag = "crate::Tag::Statistics")]
impl Visits {
    /// 访问记录
    #[oai(path = "/save", method = "post", operation_id = "savePageVisit")]
    async fn save(&self, caller: Public<Writes>, Body(visit): Body<PageVisit>) -> Result<Reply<PageVisited>> {
        let app = &caller.app;
        app.in_pace("visit", &caller.visit.ip, OF_ADDRESS)?;
        let own = |key: &&String| key.len() == KEY_LENGTH && key.bytes().all(|byte| KEY_LETTERS.contains(&byte));
        let visitor_key = match visit.visitor_key.as_ref().filter(own) {
            Some(key) => key.clone(),
            None => app.random().text(KEY_LETTERS, KEY_LENGTH),
        };
        let mut tx = match app.school_of_host(&caller.visit.host).await? {
            Some(school) => caller.begin_in(&school).await?,
            None => caller.begin().await?,
        };
        keep(&mut tx, &visit, &visitor_key, &caller.visit.ip).await?;
        tx.commit_untracked("a page that somebody opened is counted, and is no record that somebody keeps").await?;
        Ok(reply(PageVisited { visitor_key }))
    }
}

/// What an address is counted by on a day; nobody finds the address from it, nor the same address on another day.
fn hashed(app: &App, ip: &str, at: Moment) -> Vec<u8> {
    app.keys().sign(format!("visit {} {ip}", at.date_naive()).as_bytes())
}

/// Keeps the visit in the school of the transaction, or in `platform`: both have the tables.
async fn keep(tx: &mut Tx, visit: &PageVisit, visitor_key: &str, ip: &str) -> Result<()> {
    let now = tx.app().clock().now();
    let link = match visit.link_code.as_deref().filter(|code| !code.is_empty()) {
        Some(code) => {
            sqlx::query!("select id, source_channel from promotion_link where code = $1 and enabled", code)
                .fetch_optional(&mut **tx)
                .await?
        }
        None => None,
    };
    let (link_id, channel) = link.map_or((0, DIRECT.to_owned()), |link| (link.id, link.source_channel));
    let address = hashed(tx.app(), ip, now);
    mark(tx, "visit", &[Key { k1: 0, k2: 0, day: now.date_naive() }]).await?;
    sqlx::query!(
        "insert into visit (visitor_key, at, page, ref_id, link_id, channel, terminal, referrer_domain, address_hash)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        visitor_key,
        now as _,
        visit.page.as_str(),
        visit.ref_id,
        link_id,
        channel,
        visit.terminal.as_str(),
        visit.referrer.as_deref().map(registrable_domain).unwrap_or_default(),
        address
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
