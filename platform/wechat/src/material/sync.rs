//! 同步: what lies at the provider and is wanted no more goes, what it lacks goes there, what is not known here comes (01 §9.9).
//! Each step is written by itself, for the provider's part of it cannot be undone; a job that breaks off is run again.

use channels::wechat::{OfficialAccount, WechatFile};
use infra::{
    Change, Error, Result, RichText, files,
    jobs::{JobRun, Outcome},
};
use serde_json::{Value, json};
use wechat_rules::{enums::GzhMaterialType, material::MOST_ARTICLES};

use super::{form::drop_there, list::articles};
use crate::account::{account, is_refused_with, words};

/// The provider lists so many at a time, and so many pages are asked for.
const PAGE: i64 = 20;
const PAGES: i64 = 500;
/// What the provider says of a number that it does not have.
const UNKNOWN: &str = "40007";
/// The largest file of a material.
const MOST_BYTES: usize = 10 << 20;

/// How far the exchange came.
#[derive(Default)]
struct Exchanged {
    removed: i64,
    sent: i64,
    came: i64,
    errors: Vec<Value>,
}

/// The job.
pub(super) async fn sync(run: JobRun) -> Result<Outcome> {
    let account = account(run.app()).await?;
    let mut done = Exchanged::default();
    remove_there(&run, &account, &mut done).await?;
    send(&run, &account, &mut done).await?;
    fetch(&run, &account, &mut done).await?;
    let Exchanged { removed, sent, came, errors } = done;
    let failed = if errors.is_empty() { String::new() } else { format!("，失败{}个", errors.len()) };
    let message = format!("上传{sent}个，拉取{came}个，删除微信中不再使用的{removed}个{failed}");
    Ok(Outcome { message, errors, ..Outcome::default() })
}

async fn remove_there(run: &JobRun, account: &OfficialAccount, done: &mut Exchanged) -> Result<()> {
    let dropped = sqlx::query!(
        r#"select media_id, material_type as "material_type: GzhMaterialType" from platform.gzh_dropped_media order by dropped_at"#
    )
    .fetch_all(&mut *run.read_platform().await?)
    .await?;
    let total = i64::try_from(dropped.len()).unwrap_or(i64::MAX);
    for (row, at) in dropped.into_iter().zip(0..) {
        run.progress("删除不再使用的素材", at, total).await?;
        let path = if row.material_type == GzhMaterialType::News { "draft/delete" } else { "material/del_material" };
        let now = run.app().clock().now();
        match account.post(now, path, &json!({ "media_id": row.media_id })).await {
            Err(outcome) if !is_refused_with(&outcome, UNKNOWN) => {
                done.errors.push(json!({ "id": 0, "name": row.media_id, "msg": words(&outcome) }));
                continue;
            }
            _ => {}
        }
        let mut tx = run.begin_in_platform().await?;
        sqlx::query!("delete from platform.gzh_dropped_media where media_id = $1", row.media_id)
            .execute(&mut *tx)
            .await?;
        tx.commit_untracked("what the provider was to remove").await?;
        done.removed += 1;
    }
    Ok(())
}

/// A material that has to go to the provider.
struct Waiting {
    id: i64,
    material_type: GzhMaterialType,
    name: String,
    file_key: Option<String>,
    version: i32,
}

/// Files before articles, whose covers they are.
async fn send(run: &JobRun, account: &OfficialAccount, done: &mut Exchanged) -> Result<()> {
    let waiting = sqlx::query_as!(
        Waiting,
        r#"select id, material_type as "material_type: _", name, file_key, version from platform.gzh_material
           where media_id is null order by material_type = 'news', id"#
    )
    .fetch_all(&mut *run.read_platform().await?)
    .await?;
    let total = i64::try_from(waiting.len()).unwrap_or(i64::MAX);
    for (material, at) in waiting.into_iter().zip(0..) {
        run.progress("上传素材", at, total).await?;
        let sent = match material.material_type {
            GzhMaterialType::News => send_articles(run, account, &material).await?,
            _ => send_file(run, account, &material).await?,
        };
        match sent {
            Ok(answer) => {
                kept(run, &material, &answer).await?;
                done.sent += 1;
            }
            Err(why) => done.errors.push(json!({ "id": material.id, "name": material.name, "msg": why })),
        }
    }
    Ok(())
}

/// The provider's answer, or why it has none.
type Sent = Result<Value, String>;

async fn send_file(run: &JobRun, account: &OfficialAccount, material: &Waiting) -> Result<Sent> {
    let app = run.app();
    let gone = || "文件不存在，请重新上传".to_owned();
    let Some(key) = &material.file_key else { return Ok(Err(gone())) };
    let Some(file) = file_of(run, key).await? else { return Ok(Err(gone())) };
    let description = (material.material_type == GzhMaterialType::Video)
        .then(|| json!({ "title": material.name, "introduction": material.name }).to_string());
    let file = WechatFile { description, ..file };
    let answer = account.keep(app.clock().now(), material.material_type.as_str(), &file).await;
    Ok(answer.map_err(|outcome| words(&outcome)))
}

async fn file_of(run: &JobRun, key: &str) -> Result<Option<WechatFile>> {
    let known = sqlx::query!(
        "select original_name, content_type from platform.file_object where key = $1 and state = 'stored'",
        key
    )
    .fetch_optional(&mut *run.read_platform().await?)
    .await?;
    let Some(known) = known else { return Ok(None) };
    let Some(bytes) = files::beginning(run.app(), key, MOST_BYTES).await? else { return Ok(None) };
    let (name, content_type) = (known.original_name, known.content_type);
    Ok(Some(WechatFile { name, content_type, bytes, description: None }))
}

async fn send_articles(run: &JobRun, account: &OfficialAccount, material: &Waiting) -> Result<Sent> {
    let mut look = run.read_platform().await?;
    let written = articles(&mut look, material.id).await?;
    let mut sent = Vec::with_capacity(written.len());
    for article in written {
        let cover = sqlx::query_scalar!(
            r#"select media_id as "media_id!" from platform.gzh_material where id = $1 and media_id is not null"#,
            article.cover_id
        )
        .fetch_optional(&mut *look)
        .await?;
        let Some(cover) = cover else { return Ok(Err(format!("“{}”的封面尚未同步", article.title))) };
        sent.push(json!({
            "title": article.title,
            "author": article.author.unwrap_or_default(),
            "digest": article.digest.unwrap_or_default(),
            "content": article.content.as_str(),
            "content_source_url": article.link_url.unwrap_or_default(),
            "thumb_media_id": cover,
            "need_open_comment": 0,
        }));
    }
    drop(look);
    let answer = account.post(run.app().clock().now(), "draft/add", &json!({ "articles": sent })).await;
    Ok(answer.map_err(|outcome| words(&outcome)))
}

/// Keeps the provider's number. Whoever changed the material meanwhile wants another one there.
async fn kept(run: &JobRun, material: &Waiting, answer: &Value) -> Result<()> {
    let media_id = answer["media_id"].as_str().ok_or_else(|| Error::conflict("微信的应答没有素材编号，请稍后再试"))?;
    let now = run.app().clock().now();
    let mut tx = run.begin_in_platform().await?;
    let by = tx.by();
    let changed = sqlx::query!(
        "update platform.gzh_material
         set media_id = $3, media_url = $4, synced_at = $5, updated_at = now(), updated_by = $6, version = version + 1
         where id = $1 and version = $2 and media_id is null",
        material.id,
        material.version,
        media_id,
        answer["url"].as_str(),
        now,
        by
    )
    .execute(&mut *tx)
    .await?;
    if changed.rows_affected() == 0 {
        drop_there(&mut tx, media_id, material.material_type).await?;
        return tx.commit_untracked("what the provider has of a material that changed meanwhile").await;
    }
    let none: Option<&str> = None;
    tx.commit(Change::status("gzh_material", material.id, "mediaId", none, media_id)).await
}

async fn fetch(run: &JobRun, account: &OfficialAccount, done: &mut Exchanged) -> Result<()> {
    for kind in [GzhMaterialType::Image, GzhMaterialType::Voice, GzhMaterialType::Video, GzhMaterialType::News] {
        for page in 0..PAGES {
            let offset = page * PAGE;
            let (path, asked) = match kind {
                GzhMaterialType::News => {
                    ("draft/batchget", json!({ "offset": offset, "count": PAGE, "no_content": 0 }))
                }
                _ => {
                    let asked = json!({ "type": kind.as_str(), "offset": offset, "count": PAGE });
                    ("material/batchget_material", asked)
                }
            };
            let answer = match account.post(run.app().clock().now(), path, &asked).await {
                Ok(answer) => answer,
                Err(outcome) => {
                    done.errors.push(json!({ "id": 0, "name": kind.zh(), "msg": words(&outcome) }));
                    break;
                }
            };
            let total = answer["total_count"].as_i64().unwrap_or_default();
            run.progress("拉取素材", offset.min(total), total).await?;
            let items = answer["item"].as_array().cloned().unwrap_or_default();
            for item in &items {
                if came(run, kind, item).await? {
                    done.came += 1;
                }
            }
            if items.is_empty() || offset + PAGE >= total {
                break;
            }
        }
    }
    Ok(())
}

fn text(value: &Value, most: usize) -> Option<String> {
    let text: String = value.as_str()?.chars().filter(|sign| *sign != '\0').take(most).collect();
    (!text.trim().is_empty()).then_some(text)
}

/// Keeps a material that is not known here; answers whether it was none.
async fn came(run: &JobRun, kind: GzhMaterialType, item: &Value) -> Result<bool> {
    let Some(media_id) = item["media_id"].as_str() else { return Ok(false) };
    let news = item["content"]["news_item"].as_array().cloned().unwrap_or_default();
    if kind == GzhMaterialType::News && news.is_empty() {
        return Ok(false);
    }
    let name = text(&item["name"], 60)
        .or_else(|| news.first().and_then(|first| text(&first["title"], 60)))
        .unwrap_or_else(|| format!("微信{}", kind.zh()));
    let now = run.app().clock().now();
    let mut tx = run.begin_in_platform().await?;
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into platform.gzh_material (material_type, name, media_id, media_url, synced_at, created_by, updated_by)
         select $1::text, $2::text, $3::text, $4::text, $5::timestamptz, $6::bigint, $6::bigint
         where not exists (select from platform.gzh_dropped_media d where d.media_id = $3)
         on conflict on constraint gzh_material_media_taken do nothing returning id",
        kind.as_str(),
        name,
        media_id,
        text(&item["url"], 500),
        now,
        by
    )
    .fetch_optional(&mut *tx)
    .await?;
    let Some(id) = id else { return Ok(false) };
    for (article, position) in news.iter().take(MOST_ARTICLES).zip(1_i32..) {
        let cover = sqlx::query_scalar!(
            "select id from platform.gzh_material where media_id = $1 and material_type = 'image'",
            article["thumb_media_id"].as_str()
        )
        .fetch_optional(&mut *tx)
        .await?;
        let content = RichText::cleaned(&text(&article["content"], 100_000).unwrap_or_default());
        sqlx::query!(
            "insert into platform.gzh_article (material_id, position, title, author, digest, cover_id, content, link_url)
             values ($1, $2, $3, $4, $5, $6, $7, $8)",
            id,
            position,
            text(&article["title"], 64).unwrap_or_else(|| name.clone()),
            text(&article["author"], 16),
            text(&article["digest"], 120),
            cover,
            content.as_str(),
            text(&article["content_source_url"], 300).filter(|url| infra::link::is_web(url))
        )
        .execute(&mut *tx)
        .await?;
    }
    tx.commit(Change::event("gzh_material", id, "insert", json!({ "name": name, "mediaId": media_id }))).await?;
    Ok(true)
}
