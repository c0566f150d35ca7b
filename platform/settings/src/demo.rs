//! What the demonstration shows of settings: banners, sensitive words, a configuration that is not in use; and videos, which
//! no provider has.

use chrono::NaiveDate;
use infra::{Change, Result, Tx};
use serde_json::json;
use setting_rules::lexicon::fold;

use crate::{config, sensitive, website::TITLE};

/// A wide picture with a title, in plain colours.
fn picture(color: &str, title: &str) -> String {
    format!(
        "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1200 300'%3E%3Crect width='1200' height='300' \
         fill='%23{color}'/%3E%3Ctext x='80' y='175' font-size='64' fill='white'%3E{title}%3C/text%3E%3C/svg%3E"
    )
}

/// Title, colour, position, days from today until it begins and ends.
const BANNERS: [(&str, &str, &str, i32, i32); 4] = [
    ("成人高等教育招生简章", "165DFF", "home", -20, 60),
    ("新学期选课指南", "0E7A5F", "course", -5, 25),
    ("系统升级公告", "7A3E9D", "login", 7, 9),
    ("春季开学典礼", "B4331F", "home", -120, -100),
];

/// Word, category, what is done with it.
const WORDS: [(&str, &str, &str); 8] = [
    ("代考包过", "ad", "reject"),
    ("免考拿证", "ad", "reject"),
    ("内部答案", "ad", "review"),
    ("加微信领资料", "ad", "review"),
    ("办假证", "other", "reject"),
    ("刷课代挂", "ad", "reject"),
    ("笨蛋", "abuse", "mask"),
    ("废物", "abuse", "mask"),
];

/// What [`fill`] made: table and number of each row, and the trail.
#[derive(Default)]
pub struct Made {
    pub rows: Vec<(&'static str, i64)>,
    pub changes: Vec<Change>,
}

/// The operators' part. Does nothing where there are banners; the caller commits.
///
/// # Errors
/// Only internal ones.
pub async fn fill(tx: &mut Tx, today: NaiveDate) -> Result<Made> {
    let mut made = Made::default();
    let banners = banners(tx, today).await?;
    if banners.is_empty() {
        return Ok(made);
    }
    made.rows.extend(banners.into_iter().map(|id| ("banner", id)));
    made.rows.extend(words(tx).await?.into_iter().map(|id| ("sensitive_word", id)));
    let mail = json!({
        "host": "smtp.example.invalid", "port": 587, "security": "starttls", "user": "notice@example.invalid",
        "from": "notice@example.invalid", "fromName": "成教云", "timeoutSeconds": 15, "perMinute": 120, "poolSize": 2,
    });
    let config = sqlx::query_scalar!(
        "insert into platform.sys_config (config_name, config_kind, content, enabled, remark, created_by, updated_by)
         values ('演示邮箱', 'mail', $1, false, '示例，停用；填写密码并启用后才会发送邮件', 0, 0) returning id",
        mail
    )
    .fetch_one(&mut **tx)
    .await?;
    made.rows.push(("sys_config", config));
    made.rows.extend(website(tx).await?.map(|id| ("sys_config", id)));
    made.changes =
        made.rows.iter().map(|(table, id)| Change::event(table, *id, "insert", json!({ "demo": true }))).collect();
    Ok(made)
}

/// The platform's site with its help centre, where none is configured.
async fn website(tx: &mut Tx) -> Result<Option<i64>> {
    let content = json!({ "title": TITLE, "servicePhone": "400-000-0000", "schoolAssistanceCenter": true });
    let id = sqlx::query_scalar!(
        "insert into platform.sys_config (config_name, config_kind, content, is_default, enabled, remark, created_by, updated_by)
         select '演示站点', 'website', $1::jsonb, true, true, '示例', 0, 0
         where not exists (select from platform.sys_config where config_kind = 'website' and school_id is null)
         returning id",
        content
    )
    .fetch_optional(&mut **tx)
    .await?;
    tx.notice(config::TOPIC, "");
    Ok(id)
}

/// Adds banners of the transaction's area, a shown, a waiting and an ended one among them; none where there are some.
///
/// # Errors
/// Only internal ones.
pub async fn banners(tx: &mut Tx, today: NaiveDate) -> Result<Vec<i64>> {
    let known = sqlx::query_scalar!(r#"select exists (select from banner) as "known!""#).fetch_one(&mut **tx).await?;
    let mut made = Vec::new();
    for (title, color, position, begins, ends) in BANNERS.iter().filter(|_| !known) {
        let id = sqlx::query_scalar!(
            "insert into banner (title, image_url, target, terminal, position, begins_at, ends_at, created_by, updated_by)
             values ($1, $2, 'self', 'pc', $3, ($6::date + $4::integer)::timestamp at time zone 'Asia/Shanghai',
                     ($6::date + $5::integer)::timestamp at time zone 'Asia/Shanghai', 0, 0) returning id",
            title,
            picture(color, title),
            position,
            begins,
            ends,
            today
        )
        .fetch_one(&mut **tx)
        .await?;
        made.push(id);
    }
    Ok(made)
}

async fn words(tx: &mut Tx) -> Result<Vec<i64>> {
    let mut made = Vec::with_capacity(WORDS.len());
    for (word, category, action) in WORDS {
        let id = sqlx::query_scalar!(
            "insert into platform.sensitive_word (word, normal, category, action, created_by, updated_by)
             values ($1, $2, $3, $4, 0, 0) on conflict (normal) do nothing returning id",
            word,
            fold(word),
            category,
            action
        )
        .fetch_optional(&mut **tx)
        .await?;
        made.extend(id);
    }
    tx.notice(sensitive::TOPIC, "");
    Ok(made)
}

/// Rows of the operators' part.
pub struct Rows {
    pub banners: Vec<i64>,
    pub words: Vec<i64>,
    pub configs: Vec<i64>,
}

/// Removes them.
///
/// # Errors
/// Only internal ones.
pub async fn clear(tx: &mut Tx, rows: &Rows) -> Result<()> {
    sqlx::query!("delete from platform.banner where id = any($1)", &rows.banners).execute(&mut **tx).await?;
    sqlx::query!("delete from platform.sensitive_word where id = any($1)", &rows.words).execute(&mut **tx).await?;
    tx.notice(sensitive::TOPIC, "");
    sqlx::query!("delete from platform.sys_config where id = any($1)", &rows.configs).execute(&mut **tx).await?;
    Ok(())
}

/// 模拟支付, open where all data are invented; none elsewhere, and where there is one already.
///
/// # Errors
/// Only internal ones.
pub async fn mock_channel(tx: &mut Tx) -> Result<Option<i64>> {
    let channel = sqlx::query_scalar!(
        "insert into platform.pay_channel (channel_code, channel_name, provider, pay_type, configured, enabled, created_by, updated_by)
         select 'mock', '模拟支付（演示）', 'mock', 'wechat', true, true, 0, 0 where exists (select from platform.demonstration)
         on conflict on constraint pay_channel_code_taken do nothing returning id"
    )
    .fetch_optional(&mut **tx)
    .await?;
    Ok(channel)
}

/// Removes such channels; one that somebody paid by stays.
///
/// # Errors
/// Only internal ones.
pub async fn remove_channels(tx: &mut Tx, channels: &[i64]) -> Result<()> {
    sqlx::query!(
        "delete from platform.pay_channel h where id = any($1)
           and not exists (select from platform.order_info o where o.channel_id = h.id)
           and not exists (select from platform.order_payment p where p.channel_id = h.id)
           and not exists (select from platform.pay_rule r where r.channel_id = h.id)",
        channels
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Bytes that each is said to have.
const SIZE: i64 = 100 << 20;

/// A video as the list of media shows it.
pub struct Video<'a> {
    pub title: &'a str,
    pub channel: &'a str,
    pub vid: &'a str,
    pub file: &'a str,
    pub seconds: i32,
    pub state: &'a str,
}

/// Adds a video to the transaction's area; answers its number.
///
/// # Errors
/// Only internal ones.
pub async fn video(tx: &mut Tx, video: &Video<'_>) -> Result<i64> {
    let id = sqlx::query_scalar!(
        "insert into media_asset (title, channel, vid, file_name, size, duration, state, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, 0, 0) returning id",
        video.title,
        video.channel,
        video.vid,
        video.file,
        SIZE,
        video.seconds,
        video.state
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(id)
}

/// Removes videos that nobody plays.
///
/// # Errors
/// Only internal ones.
pub async fn remove(tx: &mut Tx, ids: &[i64]) -> Result<()> {
    sqlx::query!("delete from media_asset where id = any($1)", ids).execute(&mut **tx).await?;
    Ok(())
}
