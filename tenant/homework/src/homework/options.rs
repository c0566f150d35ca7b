//! A homework as others choose it: `第一次作业（会计学原理）`.

use infra::{
    Result,
    options::{Asked, OptionItem},
};
use sqlx::PgConnection;

/// Those of the course `parent_id`, or of all; published and closed ones unless all are asked for.
pub(super) async fn options(connection: &mut PgConnection, asked: &Asked) -> Result<Vec<OptionItem>> {
    let rows = sqlx::query!(
        r#"select h.id, h.title, u.code, u.name, h.status in ('published', 'closed') as "given!", h.course_id
           from homework h join course u on u.id = h.course_id
           where (h.status in ('published', 'closed') or not $2)
             and ($1::text is null or strpos(h.title, $1) > 0 or starts_with(h.initials, lower($1))
                  or strpos(u.name, $1) > 0 or starts_with(lower(u.code), lower($1)))
             and ($3::bigint is null or h.course_id = $3)
             and ($4::bigint[] is null or exists (
                      select from homework_student s join course_selection c on c.id = s.selection_id
                      join student y on y.id = c.student_id
                      where s.homework_id = h.id and (y.site_id = any($4) or y.class_id = any($5::bigint[]))))
           order by h.created_at desc, h.id limit 200"#,
        asked.keyword,
        asked.only_enabled,
        asked.parent_id,
        asked.scope.sites(),
        asked.scope.classes()
    )
    .fetch_all(connection)
    .await?;
    let item = |(id, name, code, given, course): (i64, String, String, bool, i64)| {
        OptionItem::of(id, name, code, given).below(course)
    };
    Ok(rows
        .into_iter()
        .map(|row| item((row.id, format!("{}（{}）", row.title, row.name), row.code, row.given, row.course_id)))
        .collect())
}
