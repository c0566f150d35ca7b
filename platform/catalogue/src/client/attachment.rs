//! The files that lessons bring with them, as visitors and learners read them: what they are called, and for whoever may watch the lesson
//! also where they are.

use std::collections::HashMap;

use infra::{App, Result, files};
use poem_openapi::Object;
use sqlx::PgConnection;

/// A file of a lesson.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ShownAttachment {
    /// 文件名称
    pub name: String,
    /// 大小(字节)
    pub size: i64,
    /// 文件地址
    /// 短时有效；登录后可学习该课时才有
    pub url: Option<String>,
}

/// Whose files are wanted.
#[derive(Debug, Clone, Copy)]
pub(super) enum Of {
    Course(i64),
    Period(i64),
}

/// The files of lessons by their lesson, in their order. `open` says whether the address of a lesson's files is told.
///
/// # Errors
/// Those of the store.
pub(super) async fn of_lessons(
    app: &App,
    connection: &mut PgConnection,
    of: Of,
    open: impl Fn(i64) -> bool + Send,
) -> Result<HashMap<i64, Vec<ShownAttachment>>> {
    let (course, period) = match of {
        Of::Course(id) => (Some(id), None),
        Of::Period(id) => (None, Some(id)),
    };
    let rows = sqlx::query!(
        r#"select p.id as "period_id!", f.key as "key!", f.original_name as "name!", f.size as "size!"
           from platform.online_period p
           join platform.online_chapter h on h.id = p.chapter_id
           cross join lateral unnest(p.attachment_keys) with ordinality as k (key, place)
           join platform.file_object f on f.key = k.key and f.state = 'stored'
           where (h.course_id = $1 or p.id = $2)
           order by p.id, k.place"#,
        course,
        period
    )
    .fetch_all(connection)
    .await?;
    let mut found: HashMap<i64, Vec<ShownAttachment>> = HashMap::new();
    for row in rows {
        let url = if open(row.period_id) { Some(files::url_of(app, &row.key, &row.name).await?) } else { None };
        found.entry(row.period_id).or_default().push(ShownAttachment { name: row.name, size: row.size, url });
    }
    Ok(found)
}
