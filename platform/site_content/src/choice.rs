//! What can be chosen for the site: courses, exams, blogs and lecturers that visitors see, categories that are in use. Read from the
//! tables of the modules that own them.

use catalogue::category::CategoryType;
use infra::Result;
use poem_openapi::Object;
use sqlx::PgConnection;

use crate::zone::ZoneType;

/// A choice of a selector.
#[derive(Debug, Clone, Object)]
pub struct SiteChoice {
    /// 编号
    pub code: i64,
    /// 名称
    pub desc: String,
}

/// A selector shows so many; of more, people search.
const SHOWN: i64 = 200;

/// Enabled categories of the catalogue, each with its kind and those above it.
pub(crate) async fn categories(connection: &mut PgConnection, keyword: Option<&str>) -> Result<Vec<SiteChoice>> {
    let rows = sqlx::query!(
        r#"with recursive path (id, category_type, words) as (
               select c.id, c.category_type, c.category_name from platform.online_category c
               where c.parent_id is null and c.enabled
               union all
               select c.id, c.category_type, p.words || ' / ' || c.category_name
               from platform.online_category c join path p on p.id = c.parent_id
               where c.enabled)
           select id as "id!", category_type as "category_type!: CategoryType", words as "words!" from path
           where $1::text is null or strpos(words, $1) > 0
           order by category_type, words, id limit $2"#,
        keyword,
        SHOWN
    )
    .fetch_all(connection)
    .await?;
    let choice = |kind: CategoryType, words: String| format!("{}：{words}", kind.zh());
    Ok(rows.into_iter().map(|row| SiteChoice { code: row.id, desc: choice(row.category_type, row.words) }).collect())
}

/// What visitors see of a kind and does not stand on the shelf yet.
pub(crate) async fn content(
    connection: &mut PgConnection,
    zone: i64,
    kind: ZoneType,
    keyword: Option<&str>,
) -> Result<Vec<SiteChoice>> {
    let choices = match kind {
        ZoneType::Lecturer => {
            sqlx::query_as!(
                SiteChoice,
                r#"select l.id as code, l.lecturer_name as "desc" from platform.lecturer l
                   where l.enabled and ($2::text is null or strpos(l.lecturer_name, $2) > 0)
                     and not exists (select from platform.zone_item i where i.zone_id = $1 and i.ref_id = l.id)
                   order by l.created_at desc, l.id desc limit $3"#,
                zone,
                keyword,
                SHOWN
            )
            .fetch_all(connection)
            .await?
        }
        ZoneType::Record | ZoneType::Live | ZoneType::Resource => {
            sqlx::query_as!(
                SiteChoice,
                r#"select c.id as code, c.course_name as "desc" from platform.online_course c
                   where c.course_type = $4 and c.enabled and c.putaway = 'on' and c.audit_status = 'approved'
                     and ($2::text is null or strpos(c.course_name, $2) > 0)
                     and not exists (select from platform.zone_item i where i.zone_id = $1 and i.ref_id = c.id)
                   order by c.id desc limit $3"#,
                zone,
                keyword,
                SHOWN,
                kind.as_str()
            )
            .fetch_all(connection)
            .await?
        }
        ZoneType::Exam => {
            sqlx::query_as!(
                SiteChoice,
                r#"select x.id as code, x.exam_name as "desc" from platform.online_exam x
                   where x.enabled and x.putaway = 'on' and x.audit_status = 'approved'
                     and ($2::text is null or strpos(x.exam_name, $2) > 0)
                     and not exists (select from platform.zone_item i where i.zone_id = $1 and i.ref_id = x.id)
                   order by x.id desc limit $3"#,
                zone,
                keyword,
                SHOWN
            )
            .fetch_all(connection)
            .await?
        }
        ZoneType::Blog => {
            sqlx::query_as!(
                SiteChoice,
                r#"select b.id as code, b.title as "desc"
                   from platform.blog b join platform.blogger g on g.id = b.blogger_id
                   where b.audit_status = 'approved' and b.putaway = 'on' and g.enabled
                     and ($2::text is null or strpos(b.title, $2) > 0)
                     and not exists (select from platform.zone_item i where i.zone_id = $1 and i.ref_id = b.id)
                   order by b.created_at desc, b.id desc limit $3"#,
                zone,
                keyword,
                SHOWN
            )
            .fetch_all(connection)
            .await?
        }
    };
    Ok(choices)
}
