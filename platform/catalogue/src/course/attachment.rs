//! The files that lessons of a content bring with them, as operators and auditors read them.

use catalogue_rules::course::CourseContent;
use infra::{App, Result, files};
use poem_openapi::Object;
use sqlx::PgConnection;

/// A file of a lesson.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct CourseAttachment {
    /// 文件标识
    pub key: String,
    /// 文件名称
    pub name: String,
    /// 大小(字节)
    pub size: i64,
    /// 文件地址
    /// 短时有效
    pub url: String,
}

/// The files of all lessons; those that are gone are left out.
///
/// # Errors
/// Those of the store.
pub(crate) async fn attachments_of(
    app: &App,
    connection: &mut PgConnection,
    content: &CourseContent,
) -> Result<Vec<CourseAttachment>> {
    let keys: Vec<String> = content.attachments().into_iter().flat_map(|lesson| lesson.keys).cloned().collect();
    if keys.is_empty() {
        return Ok(Vec::new());
    }
    let rows = sqlx::query!(
        "select key, original_name, size from platform.file_object where key = any($1) and state = 'stored' order by id",
        &keys
    )
    .fetch_all(connection)
    .await?;
    let mut shown = Vec::with_capacity(rows.len());
    for row in rows {
        let url = files::url_of(app, &row.key, &row.original_name).await?;
        shown.push(CourseAttachment { key: row.key, name: row.original_name, size: row.size, url });
    }
    Ok(shown)
}
