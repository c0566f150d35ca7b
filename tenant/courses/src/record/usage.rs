//! 使用情况: the openings that are studied with a record, by their own choice or because it is the default (part 03 A6).

use infra::Result;
use poem_openapi::Object;
use sqlx::PgConnection;

/// An opening of the record's course.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct CourseRecordUse {
    /// 开课编号
    pub opening_id: i64,
    /// 学期
    pub semester_name: String,
    /// 年级
    /// 不限年级时为空
    pub grade_name: Option<String>,
    /// 专业
    /// 不限专业时为空
    pub major_name: Option<String>,
    /// 开课状态
    pub status_name: String,
    /// 默认资源
    /// 开课没有另选资源，使用课程的默认资源
    pub by_default: bool,
}

/// So many openings are told; whoever wants all looks at the list of openings.
const MOST: i64 = 200;

/// The newest semester first, at most [`MOST`].
pub(super) async fn uses(connection: &mut PgConnection, record: i64) -> Result<Vec<CourseRecordUse>> {
    let uses = sqlx::query_as!(
        CourseRecordUse,
        r#"select o.id as "opening_id!", s.name as "semester_name!", g.name as "grade_name?", m.name as "major_name?",
                  case o.status when 'draft' then '待开课' when 'opened' then '已开课' else '已结课' end as "status_name!",
                  t.course_record_id is null as "by_default!"
           from course_record r
           join course_opening o on o.course_id = r.course_id and o.status <> 'cancelled'
           join semester s on s.id = o.semester_id
           left join online_teaching t on t.id = o.id
           left join grade g on g.id = o.grade_id
           left join major m on m.id = o.major_id
           where r.id = $1 and coalesce(t.course_record_id, case when r.is_default then r.id end) = r.id
           order by s.starts_on desc, o.id limit $2"#,
        record,
        MOST
    )
    .fetch_all(connection)
    .await?;
    Ok(uses)
}
