//! 教师工作量: how many courses, classes, students and hours a teacher has in a semester (part 03 B3). Hours are those of the
//! allocations, and beside them those of the sessions in the timetable, which most of what is taught on the net has not.

use std::collections::BTreeMap;

use futures_util::{StreamExt, stream};
use infra::{
    Allowed, App, Body, Error, Page, Paged, Reply, Result, Scope, Tx, reply,
    sheet::{Cell, Column},
    transfer::{self, Export, Exported, Rows},
};
use poem_openapi::{Object, OpenApi, param::Query};
use sqlx::PgConnection;

use super::{ExportWorkloads, ListWorkloads, TEACHER_MAX_HOURS};

/// What a teacher has in a semester.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct TeacherWorkload {
    /// 教师编号
    pub teacher_id: i64,
    /// 工号
    pub work_no: String,
    /// 教师
    pub name: String,
    /// 机构
    pub organization_name: String,
    /// 课程数
    pub course_count: i64,
    /// 班级数
    pub class_count: i64,
    /// 学生数
    pub student_count: i64,
    /// 学时
    pub hours: i64,
    /// 已排学时
    /// 课表中未取消的课次
    pub scheduled_hours: i64,
}

/// What the figures are asked of.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct TeacherWorkloadFilter {
    /// 学期
    /// 必填
    pub semester_id: Option<i64>,
    /// 机构
    pub organization_id: Option<i64>,
    /// 工号或姓名
    #[oai(validator(max_length = 50))]
    pub keyword: Option<String>,
}

/// The figures as a sheet.
pub(super) struct Workloads;

pub struct WorkloadRows;

#[OpenApi(prefix_path = "/adult/pc/courseAllocation", tag = "crate::Tag::CourseOpening")]
impl WorkloadRows {
    /// 教师工作量列表
    #[oai(path = "/workload/list", method = "post", operation_id = "listTeacherWorkloads")]
    async fn list(
        &self,
        caller: Allowed<ListWorkloads>,
        Body(asked): Body<Paged<TeacherWorkloadFilter>>,
    ) -> Result<Reply<Page<TeacherWorkload>>> {
        let paging = asked.paging()?;
        let mut tx = caller.read().await?;
        let scope = caller.scope();
        let part = Some((paging.limit(), paging.offset()));
        let (mut total, rows) = workloads(&mut tx, &asked.filter, &scope, part).await?;
        if rows.is_empty() && paging.offset() > 0 {
            // Behind the last page the count is still told.
            total = workloads(&mut tx, &asked.filter, &scope, Some((1, 0))).await?.0;
        }
        Ok(reply(paging.page(total, rows)))
    }

    /// 导出教师工作量
    #[oai(path = "/workload/export", method = "post", operation_id = "exportTeacherWorkloads")]
    async fn export(
        &self,
        caller: Allowed<ExportWorkloads>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<TeacherWorkloadFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Workloads>(&caller, asked.filter, job.0).await
    }
}

impl Export for Workloads {
    type Filter = TeacherWorkloadFilter;
    type Row = TeacherWorkload;
    const KIND: &'static str = "teacher_workload.export";
    type Permission = ExportWorkloads;
    const TITLE: &'static str = "教师工作量";
    const COLUMNS: &'static [Column<TeacherWorkload>] = &[
        Column { heading: "工号", width: 14, cell: |row| Cell::Text(row.work_no.clone()) },
        Column { heading: "教师", width: 12, cell: |row| Cell::Text(row.name.clone()) },
        Column { heading: "机构", width: 24, cell: |row| Cell::Text(row.organization_name.clone()) },
        Column { heading: "课程数", width: 8, cell: |row| Cell::Int(row.course_count) },
        Column { heading: "班级数", width: 8, cell: |row| Cell::Int(row.class_count) },
        Column { heading: "学生数", width: 8, cell: |row| Cell::Int(row.student_count) },
        Column { heading: "学时", width: 8, cell: |row| Cell::Int(row.hours) },
        Column { heading: "已排学时", width: 10, cell: |row| Cell::Int(row.scheduled_hours) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &TeacherWorkloadFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, TeacherWorkload>> {
        let (_, rows) = workloads(connection, filter, scope, None).await?;
        Ok(stream::iter(rows.into_iter().map(Ok)).boxed())
    }
}

/// Of allocations of all classes those classes count that nobody else is named for in the role. Somebody who sees a part of the
/// school sees what lies in it. Answers how many teachers there are, and a `part` of them (so many, behind so many) or all. Who
/// teaches is settled over classes of openings, which are few, before students are counted.
async fn workloads(
    connection: &mut PgConnection,
    filter: &TeacherWorkloadFilter,
    scope: &Scope,
    part: Option<(i64, i64)>,
) -> Result<(i64, Vec<TeacherWorkload>)> {
    let semester = filter.semester_id.ok_or_else(|| Error::field("semesterId", "请选择学期"))?;
    let rows = sqlx::query!(
        r#"with allocated as materialized (
               select a.id, a.teacher_id, a.opening_id, o.course_id, a.class_id, a.role, coalesce(a.hours, 0) as hours
               from course_allocation a join course_opening o on o.id = a.opening_id
               where o.semester_id = $3 and o.status <> 'cancelled'
           ), places as materialized (
               select distinct c.opening_id, c.class_id
               from course_selection c
               join class k on k.id = c.class_id
               where c.semester_id = $3 and c.status in ('pending', 'selected', 'completed')
                 and c.opening_id in (select opening_id from allocated)
                 and ($1::bigint[] is null or k.site_id = any($1) or k.id = any($2::bigint[]))
           ), taught as materialized (
               select x.id, p.opening_id, p.class_id
               from allocated x join places p on p.opening_id = x.opening_id and p.class_id = x.class_id
               union all
               select x.id, p.opening_id, p.class_id
               from allocated x
               join places p on p.opening_id = x.opening_id
               left join (select distinct opening_id, role, class_id from allocated where class_id is not null) own
                    on own.opening_id = x.opening_id and own.role = x.role and own.class_id = p.class_id
               where x.class_id is null and own.class_id is null
           ), visible as materialized (
               select x.id, x.teacher_id, x.course_id, x.class_id, x.hours
               from allocated x left join class k on k.id = x.class_id
               where $1::bigint[] is null or k.site_id = any($1) or k.id = any($2)
                  or x.id in (select id from taught)
           ), sums as (
               select x.teacher_id, sum(x.hours)::bigint as hours, count(distinct x.course_id) as courses
               from visible x group by x.teacher_id
           ), classes as (
               select x.teacher_id, count(distinct coalesce(x.class_id, y.class_id)) as classes
               from visible x left join taught y on y.id = x.id group by x.teacher_id
           ), students as (
               select n.teacher_id, count(distinct c.student_id) as students
               from (select distinct x.teacher_id, y.opening_id, y.class_id
                     from visible x join taught y on y.id = x.id) n
               join course_selection c on c.opening_id = n.opening_id and c.class_id = n.class_id
                    and c.status in ('pending', 'selected', 'completed')
               group by n.teacher_id
           )
           select t.id as "teacher_id!", t.work_no as "work_no!", t.name as "name!", g.name as "organization_name!", s.courses as "course_count!",
                  k.classes as "class_count!", coalesce(n.students, 0) as "student_count!", s.hours as "hours!",
                  coalesce((select sum(z.period_to - z.period_from + 1)
                            from course_arrange_session z
                            join course_arrange b on b.id = z.arrange_id and b.semester_id = $3
                            where z.teacher_id = t.id and z.status = 'scheduled'
                              and ($1 is null or exists (
                                       select from course_arrange_class c join class l on l.id = c.class_id
                                       where c.arrange_id = b.id and (l.site_id = any($1) or l.id = any($2))))), 0)
                      as "scheduled_hours!",
                  count(*) over () as "total!"
           from sums s
           join classes k on k.teacher_id = s.teacher_id
           left join students n on n.teacher_id = s.teacher_id
           join teacher t on t.id = s.teacher_id
           join organization g on g.id = t.organization_id
           where ($4::bigint is null or t.organization_id = $4)
             and ($5::text is null or strpos(t.name, $5) > 0 or starts_with(lower(t.work_no), lower($5)))
           order by s.hours desc, t.work_no
           limit $6 offset $7"#,
        scope.sites(),
        scope.classes(),
        semester,
        filter.organization_id,
        filter.keyword,
        part.map(|(limit, _)| limit),
        part.map_or(0, |(_, offset)| offset)
    )
    .fetch_all(connection)
    .await?;
    let total = rows.first().map_or(0, |row| row.total);
    let rows = rows.into_iter().map(|row| TeacherWorkload {
        teacher_id: row.teacher_id,
        work_no: row.work_no,
        name: row.name,
        organization_name: row.organization_name,
        course_count: row.course_count,
        class_count: row.class_count,
        student_count: row.student_count,
        hours: row.hours,
        scheduled_hours: row.scheduled_hours,
    });
    Ok((total, rows.collect()))
}

/// Who has more hours in the semester of these allocations than the school lets one teacher have.
pub(super) async fn warnings(tx: &mut Tx, allocations: &[i64]) -> Result<Vec<String>> {
    let most = TEACHER_MAX_HOURS.number(tx).await?;
    let over = sqlx::query!(
        r#"select t.name, e.name as semester_name, sum(a.hours) as "hours!"
           from course_allocation a
           join course_opening o on o.id = a.opening_id and o.status <> 'cancelled'
           join semester e on e.id = o.semester_id
           join teacher t on t.id = a.teacher_id
           where (a.teacher_id, o.semester_id) in (
               select b.teacher_id, p.semester_id from course_allocation b join course_opening p on p.id = b.opening_id
               where b.id = any($1))
           group by t.id, t.name, e.id, e.name
           having sum(a.hours) > $2
           order by t.name, t.id"#,
        allocations,
        most
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(over.into_iter().map(|row| beyond(&row.name, &row.semester_name, row.hours, most)).collect())
}

fn beyond(name: &str, semester: &str, hours: i64, most: i64) -> String {
    format!("教师“{name}”{semester}任课{hours}学时，超过上限{most}学时")
}

/// The same before anything is written: of these teachers, each in a semester and with the hours that come on top, those who would
/// have more.
pub(super) async fn expected(
    connection: &mut PgConnection,
    more: &BTreeMap<(i64, i64), i64>,
) -> Result<BTreeMap<(i64, i64), String>> {
    let most = TEACHER_MAX_HOURS.number(connection).await?;
    let (teachers, semesters): (Vec<i64>, Vec<i64>) = more.keys().copied().unzip();
    let rows = sqlx::query!(
        r#"select w.teacher as "teacher!", w.semester as "semester!", t.name, e.name as semester_name,
                  coalesce((select sum(a.hours) from course_allocation a
                            join course_opening o on o.id = a.opening_id and o.status <> 'cancelled'
                            where a.teacher_id = w.teacher and o.semester_id = w.semester), 0) as "hours!"
           from unnest($1::bigint[], $2::bigint[]) as w (teacher, semester)
           join teacher t on t.id = w.teacher
           join semester e on e.id = w.semester"#,
        &teachers,
        &semesters
    )
    .fetch_all(connection)
    .await?;
    let told = rows.into_iter().filter_map(|row| {
        let of = (row.teacher, row.semester);
        let hours = row.hours + more.get(&of).copied().unwrap_or_default();
        (hours > most).then(|| (of, beyond(&row.name, &row.semester_name, hours, most)))
    });
    Ok(told.collect())
}
