//! How allocations are read: one, and by opening with its classes within the scope.

use std::collections::HashMap;

use infra::{
    Error, Result, Scope,
    across::{Key, KeyQuery, Keyed},
    clock::Moment,
};
use poem_openapi::Object;
use sqlx::PgConnection;
use teaching_plan::enums::CourseNature;

use super::{AllocationForm, Allocations, ClassAllocations, CourseAllocation};
use crate::enums::OpeningStatus;

/// An opening with its classes and their teachers.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct AllocationGrid {
    /// 开课编号
    pub id: i64,
    /// 学期
    pub semester_name: String,
    /// 课程代码
    pub course_code: String,
    /// 课程
    pub course_name: String,
    /// 年级
    pub grade_name: Option<String>,
    /// 专业
    pub major_name: Option<String>,
    /// 性质
    pub nature: CourseNature,
    /// 学时
    pub hours: i32,
    /// 开课状态
    pub status: OpeningStatus,
    /// 全部班级的教师
    pub of_all_classes: Vec<CourseAllocation>,
    /// 班级
    pub classes: Vec<ClassAllocations>,
    /// 创建时间
    pub created_at: Moment,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct AllocationFilter {
    /// 学期
    pub semester_id: Option<i64>,
    /// 开课
    pub opening_id: Option<i64>,
    /// 年级
    pub grade_id: Option<i64>,
    /// 层次
    pub level_id: Option<i64>,
    /// 专业
    pub major_id: Option<i64>,
    /// 站点
    pub site_id: Option<i64>,
    /// 班级
    pub class_id: Option<i64>,
    /// 课程
    pub course_id: Option<i64>,
    /// 教师
    pub teacher_id: Option<i64>,
    /// 是否已安排
    pub allocated: Option<bool>,
    /// 学期
    /// 编码或名称包含；查看全部院校时代替学期编号
    #[oai(validator(max_length = 50))]
    pub semester_text: Option<String>,
    /// 年级
    /// 编码或名称包含；查看全部院校时代替年级编号
    #[oai(validator(max_length = 50))]
    pub grade_text: Option<String>,
    /// 层次
    /// 编码或名称包含；查看全部院校时代替层次编号
    #[oai(validator(max_length = 50))]
    pub level_text: Option<String>,
    /// 专业
    /// 编码或名称包含；查看全部院校时代替专业编号
    #[oai(validator(max_length = 50))]
    pub major_text: Option<String>,
    /// 课程
    /// 编码或名称包含；查看全部院校时代替课程编号
    #[oai(validator(max_length = 50))]
    pub course_text: Option<String>,
}

impl Keyed for Allocations {
    type Filter = AllocationFilter;
    type Row = AllocationGrid;

    fn id(row: &AllocationGrid) -> i64 {
        row.id
    }

    /// An opening that touches a class of the scope, or has a student of it. It is allocated when each of its classes that the
    /// caller sees has a lecturer; who teaches classes beyond the scope is not told by the filters either.
    async fn matching(
        connection: &mut PgConnection,
        filter: &AllocationFilter,
        scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        let texts = infra::naming::sought([
            filter.semester_text.as_deref(),
            filter.grade_text.as_deref(),
            filter.level_text.as_deref(),
            filter.major_text.as_deref(),
            filter.course_text.as_deref(),
        ]);
        sqlx::query_as!(
            Key,
            r#"select o.id, o.created_at, count(*) over () as "total!"
               from course_opening o
               where o.status <> 'cancelled'
                 and ($1::bigint[] is null or exists (
                          select from class k
                          where (k.site_id = any($1) or k.id = any($2::bigint[]))
                            and (o.grade_id is null or k.grade_id = o.grade_id)
                            and (o.major_id is null or k.major_id = o.major_id))
                      or exists (
                          select from course_selection c join student s on s.id = c.student_id
                          where c.opening_id = o.id and c.status in ('pending', 'selected', 'completed')
                            and (s.site_id = any($1) or s.class_id = any($2))))
                 and ($3::bigint is null or o.semester_id = $3)
                 and ($4::bigint is null or o.id = $4)
                 and ($5::bigint is null or o.grade_id = $5)
                 and ($6::bigint is null or o.level_id = $6)
                 and ($7::bigint is null or o.major_id = $7)
                 and (($8::bigint is null and $9::bigint is null) or exists (
                          select from class k
                          where ($8::bigint is null or k.site_id = $8) and ($9::bigint is null or k.id = $9)
                            and o.kind = 'plan' and k.grade_id = o.grade_id and k.major_id = o.major_id)
                      or exists (
                          select from course_selection c join class k on k.id = c.class_id
                          where c.opening_id = o.id and c.status in ('pending', 'selected', 'completed')
                            and ($8 is null or k.site_id = $8) and ($9 is null or k.id = $9)))
                 and ($10::bigint is null or o.course_id = $10)
                 and ($11::bigint is null or exists (
                          select from course_allocation a left join class k on k.id = a.class_id
                          where a.opening_id = o.id and a.teacher_id = $11
                            and ($1 is null or a.class_id is null or k.site_id = any($1) or k.id = any($2))))
                 and ($12::boolean is null or $12 = (
                          exists (
                              select from course_allocation a left join class k on k.id = a.class_id
                              where a.opening_id = o.id and a.role = 'lecturer'
                                and ($1 is null or a.class_id is null or k.site_id = any($1) or k.id = any($2)))
                          and not exists (
                              select from (
                                  select id, site_id from class
                                  where o.kind = 'plan' and grade_id = o.grade_id and major_id = o.major_id
                                    and level_id = o.level_id
                                  union
                                  select x.id, x.site_id from course_selection c join class x on x.id = c.class_id
                                  where c.opening_id = o.id and c.status in ('pending', 'selected', 'completed')) k
                              where ($1::bigint[] is null or k.site_id = any($1) or k.id = any($2::bigint[]))
                                and not exists (
                                    select from course_allocation a
                                    where a.opening_id = o.id and a.role = 'lecturer'
                                      and (a.class_id is null or a.class_id = k.id)))))
                 and ($13::bigint is null or o.id = $13)
                 and ($14::timestamptz is null or o.created_at <= $14)
                 and (($15::text[])[1] is null or o.semester_id = any(array(
                          select y.id from semester y where strpos(lower(y.code), ($15::text[])[1]) > 0 or strpos(lower(y.name), ($15::text[])[1]) > 0)))
                 and (($15::text[])[2] is null or o.grade_id = any(array(
                          select y.id from grade y where strpos(lower(y.code), ($15::text[])[2]) > 0 or strpos(lower(y.name), ($15::text[])[2]) > 0)))
                 and (($15::text[])[3] is null or o.level_id = any(array(
                          select y.id from level y where strpos(lower(y.code), ($15::text[])[3]) > 0 or strpos(lower(y.name), ($15::text[])[3]) > 0)))
                 and (($15::text[])[4] is null or o.major_id = any(array(
                          select y.id from major y where strpos(lower(y.code), ($15::text[])[4]) > 0 or strpos(lower(y.name), ($15::text[])[4]) > 0)))
                 and (($15::text[])[5] is null or o.course_id = any(array(
                          select y.id from course y where strpos(lower(y.code), ($15::text[])[5]) > 0 or strpos(lower(y.name), ($15::text[])[5]) > 0)))
               order by o.created_at desc, o.id
               limit $16 offset $17"#,
            scope.sites(),
            scope.classes(),
            filter.semester_id,
            filter.opening_id,
            filter.grade_id,
            filter.level_id,
            filter.major_id,
            filter.site_id,
            filter.class_id,
            filter.course_id,
            filter.teacher_id,
            filter.allocated,
            wanted.id,
            wanted.newest_until,
            texts.as_deref() as _,
            wanted.limit,
            wanted.offset
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], scope: &Scope) -> sqlx::Result<Vec<AllocationGrid>> {
        let openings = sqlx::query!(
            r#"select o.id as "id!", e.name as "semester_name!", u.code as "course_code!", u.name as "course_name!",
                      g.name as "grade_name?", m.name as "major_name?", o.nature as "nature!: CourseNature",
                      o.hours as "hours!", o.status as "status!: OpeningStatus", o.created_at as "created_at!"
               from course_opening o
               join semester e on e.id = o.semester_id
               join course u on u.id = o.course_id
               left join grade g on g.id = o.grade_id
               left join major m on m.id = o.major_id
               where o.id = any($1)"#,
            ids
        )
        .fetch_all(&mut *connection)
        .await?;
        let mut teachers: HashMap<i64, Vec<CourseAllocation>> = HashMap::new();
        for allocation in of_openings(connection, ids).await? {
            teachers.entry(allocation.opening_id).or_default().push(allocation);
        }
        let mut classes = classes(connection, ids, scope).await?;
        let grid = openings.into_iter().map(|row| {
            let teachers = teachers.remove(&row.id).unwrap_or_default();
            let mut of_opening = classes.remove(&row.id).unwrap_or_default();
            for class in &mut of_opening {
                class.fill(&teachers);
            }
            AllocationGrid {
                id: row.id,
                semester_name: row.semester_name,
                course_code: row.course_code,
                course_name: row.course_name,
                grade_name: row.grade_name,
                major_name: row.major_name,
                nature: row.nature,
                hours: row.hours,
                status: row.status,
                of_all_classes: teachers.into_iter().filter(|allocation| allocation.class_id.is_none()).collect(),
                classes: of_opening,
                created_at: row.created_at,
            }
        });
        Ok(grid.collect())
    }
}

/// The allocations that these forms made.
pub(super) async fn ids_of(connection: &mut PgConnection, forms: &[AllocationForm]) -> Result<Vec<i64>> {
    let mut ids = Vec::with_capacity(forms.len());
    for form in forms {
        let id = sqlx::query_scalar!(
            "select id from course_allocation
             where opening_id = $1 and class_id is not distinct from $2 and teacher_id = $3 and role = $4",
            form.opening_id,
            form.class_id,
            form.teacher_id,
            form.role.as_str()
        )
        .fetch_optional(&mut *connection)
        .await?;
        ids.extend(id);
    }
    Ok(ids)
}

/// The allocations of these openings.
pub(super) async fn of_openings(
    connection: &mut PgConnection,
    openings: &[i64],
) -> sqlx::Result<Vec<CourseAllocation>> {
    sqlx::query_as!(
        CourseAllocation,
        r#"select a.id, a.opening_id, e.name as semester_name, u.code as course_code, u.name as course_name, a.class_id,
                  k.name as "class_name?", a.teacher_id, t.work_no as teacher_work_no, t.name as teacher_name,
                  a.role as "role: _", a.hours, a.remark, a.version
           from course_allocation a
           join course_opening o on o.id = a.opening_id
           join semester e on e.id = o.semester_id
           join course u on u.id = o.course_id
           join teacher t on t.id = a.teacher_id
           left join class k on k.id = a.class_id
           where a.opening_id = any($1) order by a.opening_id, a.id"#,
        openings
    )
    .fetch_all(connection)
    .await
}

/// The classes of the openings that the caller sees, by opening: those of the grade and major, or those of who is on the roster.
async fn classes(
    connection: &mut PgConnection,
    openings: &[i64],
    scope: &Scope,
) -> sqlx::Result<HashMap<i64, Vec<ClassAllocations>>> {
    let rows = sqlx::query!(
        r#"select x.opening_id as "opening_id!", k.id, k.name, k.site_id, t.name as site_name, n.students as "students!"
           from (select o.id as opening_id, c.id as class_id
                 from course_opening o
                 join class c on c.grade_id = o.grade_id and c.major_id = o.major_id and c.level_id = o.level_id
                 where o.id = any($1) and o.kind = 'plan'
                 union
                 select s.opening_id, s.class_id from course_selection s
                 where s.opening_id = any($1) and s.status in ('pending', 'selected', 'completed') and s.class_id is not null) x
           join class k on k.id = x.class_id
           join site t on t.id = k.site_id
           cross join lateral (
               select count(*) as students from course_selection s
               where s.opening_id = x.opening_id and s.class_id = k.id and s.status in ('pending', 'selected', 'completed')) n
           where $2::bigint[] is null or k.site_id = any($2) or k.id = any($3::bigint[])
           order by x.opening_id, t.code, k.seq, k.id"#,
        openings,
        scope.sites(),
        scope.classes()
    )
    .fetch_all(connection)
    .await?;
    let mut classes: HashMap<i64, Vec<ClassAllocations>> = HashMap::new();
    for row in rows {
        classes.entry(row.opening_id).or_default().push(ClassAllocations {
            class_id: row.id,
            class_name: row.name,
            site_id: row.site_id,
            site_name: row.site_name,
            student_count: row.students,
            lecturer: None,
            tutors: Vec::new(),
            markers: Vec::new(),
        });
    }
    Ok(classes)
}

/// One allocation.
///
/// # Errors
/// 404 when there is none, or none that the scope opens: its class, or of all classes an opening that touches one of it or has a
/// student of it.
pub(super) async fn find(connection: &mut PgConnection, id: i64, scope: &Scope) -> Result<CourseAllocation> {
    let opening = sqlx::query_scalar!(
        r#"select a.opening_id
           from course_allocation a
           join course_opening o on o.id = a.opening_id
           left join class k on k.id = a.class_id
           where a.id = $1
             and ($2::bigint[] is null or k.site_id = any($2) or k.id = any($3::bigint[])
                  or a.class_id is null and (
                      exists (
                          select from class x
                          where (x.site_id = any($2) or x.id = any($3::bigint[]))
                            and (o.grade_id is null or x.grade_id = o.grade_id)
                            and (o.major_id is null or x.major_id = o.major_id))
                      or exists (
                          select from course_selection c join student s on s.id = c.student_id
                          where c.opening_id = o.id and c.status in ('pending', 'selected', 'completed')
                            and (s.site_id = any($2) or s.class_id = any($3)))))"#,
        id,
        scope.sites(),
        scope.classes()
    )
    .fetch_optional(&mut *connection)
    .await?
    .ok_or_else(Error::not_found)?;
    let found = of_openings(connection, &[opening]).await?;
    found.into_iter().find(|allocation| allocation.id == id).ok_or_else(Error::not_found)
}
