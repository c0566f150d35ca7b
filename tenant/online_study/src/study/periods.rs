//! The periods of a course in the order of its syllabus, with what one student did with each.

use infra::Result;
use online_study_rules::periods::Line;
use sqlx::PgConnection;

/// # Errors
/// Those of the database.
pub(crate) async fn lines(connection: &mut PgConnection, record: i64, selection: i64) -> Result<Vec<Line>> {
    Ok(sqlx::query_as!(
        Line,
        r#"select p.id as "id!", p.chapter_id as "chapter_id!", p.title as "title!", p.kind as "kind!: _",
                  m.channel as "channel?: _", m.vid as "vid?", m.state as "media_state?: _", p.file_id, p.url,
                  p.live_starts_at, p.live_ends_at, coalesce(p.duration_seconds, m.duration) as duration_seconds,
                  p.page_count, p.required as "required!", p.weight as "weight!",
                  coalesce(x.progress, 0)::float8 as "progress!", x.finished_at as "finished_at?",
                  coalesce(x.last_position, 0) as "last_position!", coalesce(x.watched_seconds, 0) as "watched_seconds!",
                  x.first_at as "first_at?", x.last_at as "last_at?"
           from course_period p
           join course_chapter c on c.id = p.chapter_id
           left join course_chapter above on above.id = c.parent_id
           left join media_asset m on m.id = p.media_asset_id
           left join study_progress x on x.period_id = p.id and x.selection_id = $2
           where p.course_record_id = $1 and p.enabled
           order by coalesce(above.sort_no, c.sort_no), coalesce(above.id, c.id), c.parent_id is not null, c.sort_no, c.id,
                    p.sort_no, p.id"#,
        record,
        selection
    )
    .fetch_all(connection)
    .await?)
}
