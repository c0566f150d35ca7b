//! Files of articles and questions, by their numbers: an editor or a person who asks sends them in first.

use infra::{
    App, Error, Part, Result, Tx,
    files::{self, purpose},
};
use poem_openapi::Object;
use sqlx::PgConnection;

pub const PART: Part = Part {
    params: &[&[purpose(
        "upload.ext.support",
        "帮助中心附件格式",
        "pdf,doc,docx,xls,xlsx,ppt,pptx,zip,mp4,jpg,jpeg,png",
    )]],
    ..Part::NONE
};

/// A file; the address of a private one lasts some minutes.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SupportFile {
    /// 编号
    pub id: i64,
    /// 文件名
    pub name: String,
    /// 大小(字节)
    pub size: i64,
    /// 地址
    pub url: String,
}

/// What a record takes over.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Takes {
    pub extensions: &'static [&'static str],
    /// Of each, in MiB.
    pub most_mb: i64,
}

/// Attachments of an article.
pub(crate) const ATTACHMENTS: Takes =
    Takes { extensions: &["pdf", "doc", "docx", "xls", "xlsx", "ppt", "pptx", "zip", "mp4"], most_mb: 50 };
/// What goes with a question or a reply.
pub(crate) const PAPERS: Takes =
    Takes { extensions: &["pdf", "doc", "docx", "xls", "xlsx", "jpg", "jpeg", "png", "zip"], most_mb: 10 };

/// Makes these files a record's own. A file is taken from whoever sent it in, and from nobody else; `held` are those that the record
/// has, or had, or that the one has of which it is a copy: they stay as they are.
///
/// # Errors
/// 422 at `fileIds` for files that are not theirs, or of another kind or size.
pub(crate) async fn keep(
    tx: &mut Tx,
    owner: (&'static str, i64),
    ids: &[i64],
    takes: Takes,
    held: &[i64],
) -> Result<()> {
    let told = |message: String| Error::field("fileIds", message);
    let missing = || told("附件不存在或有重复，请重新上传".to_owned());
    let mut once = ids.to_vec();
    once.sort_unstable();
    once.dedup();
    if once.len() < ids.len() {
        return Err(missing());
    }
    once.retain(|id| !held.contains(id));
    if once.is_empty() {
        return Ok(());
    }
    let actor = tx.actor().clone();
    let kind = if matches!(actor.kind.as_str(), "platform" | "school") { "account" } else { actor.kind.as_str() };
    let known = sqlx::query!(
        "select id, key, size from file_object
         where id = any($1) and state = 'stored' and owner_type is null and uploader_type = $2 and uploader_id = $3
         order by id",
        &once,
        kind,
        actor.id
    )
    .fetch_all(&mut **tx)
    .await?;
    if known.len() < once.len() {
        return Err(missing());
    }
    for file in known {
        files::is_one_of(&file.key, takes.extensions).map_err(|error| told(error.msg.into_owned()))?;
        if file.size > takes.most_mb << 20 {
            return Err(told(format!("单个附件不能超过{}MB", takes.most_mb)));
        }
        files::adopt_attachment(tx, &file.key, owner.0, owner.1)
            .await
            .map_err(|error| if error.code == 422 { told(error.msg.into_owned()) } else { error })?;
    }
    Ok(())
}

/// The files of these numbers in their order, where the connection stands; what is gone is left out.
///
/// # Errors
/// Those of the store.
pub(crate) async fn shown(app: &App, connection: &mut PgConnection, ids: &[i64]) -> Result<Vec<SupportFile>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let rows = sqlx::query!(
        "select f.id, f.key, f.original_name, f.size from unnest($1::bigint[]) with ordinality as w (id, place)
         join file_object f on f.id = w.id and f.state = 'stored' order by w.place",
        ids
    )
    .fetch_all(connection)
    .await?;
    let mut found = Vec::with_capacity(rows.len());
    for row in rows {
        let url = files::url_of(app, &row.key, &row.original_name).await?;
        found.push(SupportFile { id: row.id, name: row.original_name, size: row.size, url });
    }
    Ok(found)
}
