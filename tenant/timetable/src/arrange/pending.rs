//! 待排课程: classes of courses that are taught face to face, with the periods that they have and those that they are to have.

use infra::{
    Allowed, Body, Page, Paged, Reply, Result, Scope,
    across::{Key, KeyQuery, Keyed, Listed},
    reply,
};
use poem_openapi::{Object, OpenApi};
use sqlx::PgConnection;

use super::ListArranges;

/// A class of an opening, with its periods.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct PendingCourse {
    /// 编号
    /// 开课与班级的组合
    pub id: i64,
    /// 开课编号
    pub opening_id: i64,
    /// 课程编号
    pub course_id: i64,
    /// 课程代码
    pub course_code: String,
    /// 课程
    pub course_name: String,
    /// 年级
    pub grade_name: String,
    /// 专业
    pub major_name: String,
    /// 班级编号
    pub class_id: i64,
    /// 班级
    pub class_name: String,
    /// 站点编号
    pub site_id: i64,
    /// 站点
    pub site_name: String,
    /// 人数
    pub students: i64,
    /// 主讲教师编号
    pub teacher_id: Option<i64>,
    /// 主讲
    pub teacher_name: Option<String>,
    /// 已排学时
    pub scheduled: i64,
    /// 应排学时
    pub required: i64,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct PendingFilter {
    /// 学期
    pub semester_id: Option<i64>,
    /// 课程
    pub course_id: Option<i64>,
    /// 站点
    pub site_id: Option<i64>,
    /// 班级
    pub class_id: Option<i64>,
    /// 教师
    pub teacher_id: Option<i64>,
    /// 仅未排满
    pub unfinished: Option<bool>,
}

/// The list of what is to be arranged.
pub struct Pendings;

pub struct Pending;

#[OpenApi(prefix_path = "/adult/pc/courseArrange/pending", tag = "crate::Tag::Timetable")]
impl Pending {
    /// 待排课程列表
    /// 面授和混合教学的开课按班级列出已排和应排的学时
    #[oai(path = "/list", method = "post", operation_id = "listPendingCourses")]
    async fn list(
        &self,
        caller: Allowed<ListArranges>,
        Body(asked): Body<Paged<PendingFilter>>,
    ) -> Result<Reply<Page<PendingCourse>>> {
        let paging = asked.paging()?;
        let mut tx = caller.read().await?;
        let (total, list) = <Pendings as Listed>::page(&mut tx, &asked.filter, &caller.scope(), paging).await?;
        Ok(reply(paging.page(total, list)))
    }
}

/// 16777216 is 2 to the power of this.
const PLACES_OF_CLASSES: u32 = 24;

/// Pairs of a semester, or of all that are open: those on the rosters of what is opened, and the classes of the cohort of what
/// waits to be. They have no row of their own: the number of one is made of both, which leaves room for 2^24 classes. Of named
/// openings no other is looked at.
macro_rules! pairs {
    ($row:ident, $tail:tt, $($argument:expr),*) => {
        sqlx::query_as!(
            $row,
            "with pair as (
                   select o.id as opening_id, k.id as class_id
                   from course_opening o
                   join class k on k.grade_id = o.grade_id and k.major_id = o.major_id and k.level_id = o.level_id and k.enabled
                   where o.status = 'draft' and o.kind = 'plan' and o.teaching_mode in ('offline', 'blended')
                     and exists (select from student s
                                 where s.class_id = k.id and s.status in ('registered', 'pending_registration'))
                     and ($1::bigint is null or o.semester_id = $1)
                     and ($4::bigint[] is null or o.id = any($4))
                   union
                   select c.opening_id, c.class_id
                   from course_opening o
                   join course_selection c on c.opening_id = o.id and c.status in ('pending', 'selected', 'completed')
                   where o.status = 'opened' and o.teaching_mode in ('offline', 'blended') and c.class_id is not null
                     and ($1::bigint is null or o.semester_id = $1)
                     and ($4::bigint[] is null or o.id = any($4))
               ), counted as (
                   select p.opening_id, p.class_id, o.status, o.course_id, o.grade_id, o.major_id, o.created_at,
                          k.site_id, o.lecture_hours + o.practice_hours as required,
                          coalesce((select sum(s.period_to - s.period_from + 1)
                                    from course_arrange_class c
                                    join course_arrange a on a.id = c.arrange_id and a.kind in ('lecture', 'lab', 'live')
                                    join course_arrange_session s on s.arrange_id = a.id and s.status = 'scheduled'
                                    where c.opening_id = p.opening_id and c.class_id = p.class_id), 0) as scheduled,
                          (select y.teacher_id from course_allocation y
                           where y.opening_id = p.opening_id and y.role = 'lecturer'
                             and (y.class_id = p.class_id or y.class_id is null)
                           order by y.class_id nulls last limit 1) as teacher_id
                   from pair p
                   join course_opening o on o.id = p.opening_id
                   join class k on k.id = p.class_id
                   where $2::bigint[] is null or k.site_id = any($2) or k.id = any($3::bigint[])
               ) "
            + $tail,
            $($argument),*
        )
    };
}

impl Keyed for Pendings {
    type Filter = PendingFilter;
    type Row = PendingCourse;

    fn id(row: &PendingCourse) -> i64 {
        row.id
    }

    async fn matching(
        connection: &mut PgConnection,
        filter: &PendingFilter,
        scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        pairs!(
            Key,
            r#"select x.opening_id * 16777216 + x.class_id as "id!", x.created_at as "created_at!", count(*) over () as "total!"
               from counted x
               join course u on u.id = x.course_id
               join class k on k.id = x.class_id
               where ($5::bigint is null or x.course_id = $5)
                 and ($6::bigint is null or x.site_id = $6)
                 and ($7::bigint is null or x.class_id = $7)
                 and ($8::bigint is null or x.teacher_id = $8)
                 and ($9::boolean is null or (x.scheduled < x.required) = $9)
                 and ($10::bigint is null or x.opening_id * 16777216 + x.class_id = $10)
               order by u.code, k.code, x.opening_id
               limit $11 offset $12"#,
            filter.semester_id,
            scope.sites(),
            scope.classes(),
            None::<&[i64]>,
            filter.course_id,
            filter.site_id,
            filter.class_id,
            filter.teacher_id,
            filter.unfinished,
            wanted.id,
            wanted.limit,
            wanted.offset
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], scope: &Scope) -> sqlx::Result<Vec<PendingCourse>> {
        let openings: Vec<i64> = ids.iter().map(|id| id >> PLACES_OF_CLASSES).collect();
        pairs!(
            PendingCourse,
            r#"select x.opening_id * 16777216 + x.class_id as "id!", x.opening_id as "opening_id!", x.course_id as "course_id!",
                      u.code as "course_code!", u.name as "course_name!", coalesce(g.name, '') as "grade_name!",
                      coalesce(m.name, '') as "major_name!", x.class_id as "class_id!", k.name as "class_name!",
                      x.site_id as "site_id!", w.name as "site_name!",
                      case when x.status = 'draft' then
                          (select count(*) from student s
                           where s.class_id = x.class_id and s.status in ('registered', 'pending_registration'))
                      else
                          (select count(*) from course_selection z
                           where z.opening_id = x.opening_id and z.class_id = x.class_id
                             and z.status in ('pending', 'selected', 'completed'))
                      end as "students!",
                      x.teacher_id as "teacher_id?", t.name as "teacher_name?", x.scheduled::bigint as "scheduled!",
                      x.required::bigint as "required!"
               from counted x
               join course u on u.id = x.course_id
               join class k on k.id = x.class_id
               join site w on w.id = x.site_id
               left join grade g on g.id = x.grade_id
               left join major m on m.id = x.major_id
               left join teacher t on t.id = x.teacher_id
               where x.opening_id * 16777216 + x.class_id = any($5::bigint[])"#,
            None::<i64>,
            scope.sites(),
            scope.classes(),
            openings.as_slice(),
            ids
        )
        .fetch_all(connection)
        .await
    }
}

/// A pair that still lacks periods, for the automatic arrangement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Lacking {
    pub opening_id: i64,
    pub class_id: i64,
    pub periods: i64,
}

/// The pairs of a semester within the scope that lack periods.
///
/// # Errors
/// Those of the database.
pub(crate) async fn lacking(connection: &mut PgConnection, semester: i64, scope: &Scope) -> Result<Vec<Lacking>> {
    let found = pairs!(
        Lacking,
        r#"select x.opening_id as "opening_id!", x.class_id as "class_id!", (x.required - x.scheduled)::bigint as "periods!"
           from counted x where x.scheduled < x.required order by x.opening_id, x.class_id"#,
        Some(semester),
        scope.sites(),
        scope.classes(),
        None::<&[i64]>
    );
    Ok(found.fetch_all(connection).await?)
}
