//! Which reply a follower gets, and what of it is sent.

use infra::Result;
use sqlx::PgConnection;
use wechat_rules::{
    enums::{GzhMatchMode, GzhReplyKind, GzhReplyType},
    keyword::{Known, chosen},
    message::{Answer, ShownArticle},
};

/// The answer to folded words; to nothing at all the default one.
pub(crate) async fn met(connection: &mut PgConnection, words: Option<&str>) -> Result<Option<Answer>> {
    let by_keyword = match words {
        None => None,
        Some(words) => {
            let known = sqlx::query_as!(
                Known,
                r#"select k.reply_id, k.keyword, r.match_mode as "mode!: GzhMatchMode", r.sort
                   from platform.gzh_keyword k join platform.gzh_auto_reply r on r.id = k.reply_id
                   where k.keyword = $1 or (r.match_mode = 'contains' and strpos($1, k.keyword) > 0)"#,
                words
            )
            .fetch_all(&mut *connection)
            .await?;
            chosen(words, &known)
        }
    };
    match by_keyword {
        Some(reply) => sent(connection, reply).await,
        None => of_kind(connection, GzhReplyKind::Default).await,
    }
}

/// The answer to whoever begins to follow.
pub(crate) async fn greeting(connection: &mut PgConnection) -> Result<Option<Answer>> {
    of_kind(connection, GzhReplyKind::Subscribe).await
}

async fn of_kind(connection: &mut PgConnection, kind: GzhReplyKind) -> Result<Option<Answer>> {
    let reply =
        sqlx::query_scalar!("select id from platform.gzh_auto_reply where reply_kind = $1 and enabled", kind.as_str())
            .fetch_optional(&mut *connection)
            .await?;
    match reply {
        Some(reply) => sent(connection, reply).await,
        None => Ok(None),
    }
}

/// None for a reply whose material is not at the provider.
async fn sent(connection: &mut PgConnection, reply: i64) -> Result<Option<Answer>> {
    let row = sqlx::query!(
        r#"select r.reply_type as "reply_type: GzhReplyType", r.content, r.material_id, m.name as "name?", m.media_id as "media_id?"
           from platform.gzh_auto_reply r left join platform.gzh_material m on m.id = r.material_id
           where r.id = $1"#,
        reply
    )
    .fetch_optional(&mut *connection)
    .await?;
    let Some(row) = row else { return Ok(None) };
    Ok(match row.reply_type {
        GzhReplyType::Text => row.content.map(Answer::Text),
        GzhReplyType::News => {
            let shown = articles(connection, row.material_id).await?;
            (!shown.is_empty()).then_some(Answer::News(shown))
        }
        kind @ (GzhReplyType::Image | GzhReplyType::Voice | GzhReplyType::Video) => {
            row.media_id.map(|media_id| Answer::Media { kind, media_id, title: row.name.unwrap_or_default() })
        }
    })
}

/// What came without a link leads nowhere, so it is left out.
async fn articles(connection: &mut PgConnection, material: Option<i64>) -> Result<Vec<ShownArticle>> {
    let rows = sqlx::query_as!(
        ShownArticle,
        r#"select a.title, coalesce(a.digest, '') as "digest!", coalesce(c.media_url, '') as "picture!", a.link_url as "url!"
           from platform.gzh_article a left join platform.gzh_material c on c.id = a.cover_id
           where a.material_id = $1 and a.link_url is not null order by a.position"#,
        material
    )
    .fetch_all(connection)
    .await?;
    Ok(rows)
}
