//! An opening as others choose it: `大学英语(一)（2026级会计学）`.

use infra::{
    Result,
    options::{Asked, OptionItem},
};
use sqlx::PgConnection;

/// Those of the semester `parent_id`, or of all; draft and opened ones unless all are asked for.
pub(super) async fn options(connection: &mut PgConnection, asked: &Asked) -> Result<Vec<OptionItem>> {
    let rows = sqlx::query!(
        r#"select o.id, u.code, u.name, concat(g.name, m.name) as "whose!", o.status in ('draft', 'opened') as "enabled!",
                  o.semester_id
           from course_opening o
           join course u on u.id = o.course_id
           left join grade g on g.id = o.grade_id
           left join major m on m.id = o.major_id
           where (o.status in ('draft', 'opened') or not $2)
             and ($1::text is null or strpos(u.name, $1) > 0 or starts_with(lower(u.code), lower($1))
                  or starts_with(u.initials, lower($1)))
             and ($3::bigint is null or o.semester_id = $3)
             and ($4::bigint[] is null or exists (
                      select from class k
                      where (k.site_id = any($4) or k.id = any($5::bigint[]))
                        and (o.grade_id is null or k.grade_id = o.grade_id)
                        and (o.major_id is null or k.major_id = o.major_id))
                  or exists (
                      select from course_selection c join student s on s.id = c.student_id
                      where c.opening_id = o.id and c.status in ('pending', 'selected', 'completed')
                        and (s.site_id = any($4) or s.class_id = any($5))))
           order by o.created_at desc, o.id limit 200"#,
        asked.keyword,
        asked.only_enabled,
        asked.parent_id,
        asked.scope.sites(),
        asked.scope.classes()
    )
    .fetch_all(connection)
    .await?;
    let named = |name: String, whose: String| if whose.is_empty() { name } else { format!("{name}（{whose}）") };
    let items = rows
        .into_iter()
        .map(|row| OptionItem::of(row.id, named(row.name, row.whose), row.code, row.enabled).below(row.semester_id));
    Ok(items.collect())
}
