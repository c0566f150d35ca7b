//! What the numbers in the contents of a version are called.

use catalogue_rules::{course::CourseContent, difference::Names};
use infra::Result;
use sqlx::PgConnection;

use super::content::media_of;

/// The names in two contents.
pub(crate) async fn names_of(
    connection: &mut PgConnection,
    before: Option<&CourseContent>,
    after: &CourseContent,
) -> Result<Names> {
    let both: Vec<&CourseContent> = before.into_iter().chain([after]).collect();
    let category_ids: Vec<i64> = both.iter().map(|content| content.head().category_id).collect();
    let categories =
        sqlx::query!("select id, category_name from platform.online_category where id = any($1)", &category_ids)
            .fetch_all(&mut *connection)
            .await?;
    let lecturer_ids: Vec<i64> = both.iter().map(|content| content.head().lecturer_id).collect();
    let lecturers = sqlx::query!("select id, lecturer_name from platform.lecturer where id = any($1)", &lecturer_ids)
        .fetch_all(&mut *connection)
        .await?;
    let channel_ids: Vec<i64> = both.iter().flat_map(|content| content.channels()).collect();
    let channels = sqlx::query!("select id, channel_name from platform.live_channel where id = any($1)", &channel_ids)
        .fetch_all(&mut *connection)
        .await?;
    let keys: Vec<String> = both.iter().flat_map(|content| content.file_keys()).collect();
    let files = sqlx::query!("select key, original_name from platform.file_object where key = any($1)", &keys)
        .fetch_all(&mut *connection)
        .await?;
    Ok(Names {
        files: files.into_iter().map(|row| (row.key, row.original_name)).collect(),
        categories: categories.into_iter().map(|row| (row.id, row.category_name)).collect(),
        lecturers: lecturers.into_iter().map(|row| (row.id, row.lecturer_name)).collect(),
        channels: channels.into_iter().map(|row| (row.id, row.channel_name)).collect(),
        media: media_of(connection, &both).await?,
    })
}
