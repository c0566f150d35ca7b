//! Files that belong to a contact: pictures of what was said, recordings.

use infra::{
    App, Error, Part, Result, Tx,
    files::{self, Takes, adopt_of, purpose},
};
use poem_openapi::Object;
use sqlx::PgConnection;

const PURPOSE: &str = "supervise";

pub const PART: Part = Part {
    params: &[&[purpose("upload.ext.supervise", "督学联系附件格式", "pdf,doc,docx,jpg,jpeg,png,mp3,mp4")]],
    ..Part::NONE
};

/// A file of a contact; the address lasts some minutes.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SuperviseFile {
    /// 编号
    pub id: i64,
    /// 文件名
    pub name: String,
    /// 地址
    pub url: String,
}

/// Makes these files a contact's own; who acts sent them in.
///
/// # Errors
/// 422 at `fileIds` for files that are not theirs, or of another kind.
pub(crate) async fn keep(tx: &mut Tx, contact: i64, ids: &[i64]) -> Result<()> {
    if ids.is_empty() {
        return Ok(());
    }
    let actor = tx.actor().clone();
    let kind = if matches!(actor.kind.as_str(), "platform" | "school") { "account" } else { actor.kind.as_str() };
    let known = sqlx::query!(
        "select id, key from file_object where id = any($1) and uploader_type = $2 and uploader_id = $3 order by id",
        ids,
        kind,
        actor.id
    )
    .fetch_all(&mut **tx)
    .await?;
    if known.len() < ids.len() {
        return Err(Error::field("fileIds", "附件不存在或有重复，请重新上传"));
    }
    for file in known {
        adopt_of(tx, &file.key, ("supervise_contact", contact), PURPOSE, Takes::Paper)
            .await
            .map_err(|error| if error.code == 422 { Error::field("fileIds", error.msg) } else { error })?;
    }
    sqlx::query!(
        "insert into supervise_contact_file (contact_id, file_id, sort_no)
         select $1, f.id, f.place::integer from unnest($2::bigint[]) with ordinality as f (id, place)",
        contact,
        ids
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// The files of contacts, each with its contact.
///
/// # Errors
/// Those of the store.
pub(crate) async fn of_contacts(
    app: &App,
    connection: &mut PgConnection,
    contacts: &[i64],
) -> Result<Vec<(i64, SuperviseFile)>> {
    let rows = sqlx::query!(
        "select x.contact_id, f.id, f.key, f.original_name from supervise_contact_file x
         join file_object f on f.id = x.file_id and f.state = 'stored'
         where x.contact_id = any($1) order by x.contact_id, x.sort_no",
        contacts
    )
    .fetch_all(connection)
    .await?;
    let mut found = Vec::with_capacity(rows.len());
    for row in rows {
        let url = files::url_of(app, &row.key, &row.original_name).await?;
        found.push((row.contact_id, SuperviseFile { id: row.id, name: row.original_name, url }));
    }
    Ok(found)
}
