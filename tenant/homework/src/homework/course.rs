//! 按课程: the opened courses of a semester with what of their homework is done (part 03 B6).

use infra::{
    Allowed, App, Body, Paged, Reply, Result, Scope,
    across::{self, Key, KeyQuery, Keyed, SchoolPage},
    clock::Moment,
    naming::{sought, tenths},
    sheet::{Cell, Column},
    transfer::{self, Export, Exported, Rows},
};
use poem_openapi::{Object, OpenApi, param::Query};
use sqlx::PgConnection;

use super::{ExportCourseHomework, ListCourseHomework};

/// A course of a semester.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct CourseHomework {
    /// 编号
    /// 该课程本学期的第一个开课
    pub id: i64,
    /// 学期编号
    pub semester_id: i64,
    /// 学期
    pub semester_name: String,
    /// 课程编号
    pub course_id: i64,
    /// 课程代码
    pub course_code: String,
    /// 课程
    pub course_name: String,
    /// 开课数
    pub opening_count: i64,
    /// 学生数
    pub student_count: i64,
    /// 作业数
    pub homework_count: i64,
    /// 已通过的作业试卷数
    pub paper_count: i64,
    /// 启用的作业策略数
    pub rule_count: i64,
    /// 应交
    pub due_count: i64,
    /// 已交
    pub handed_count: i64,
    /// 已批
    pub marked_count: i64,
    /// 待批
    pub pending_count: i64,
    /// 提交率(%)
    pub handed_rate: Option<f64>,
    /// 平均分
    pub average_score: Option<f64>,
    /// 创建时间
    pub created_at: Moment,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct CourseHomeworkFilter {
    /// 学期
    pub semester_id: Option<i64>,
    /// 课程
    pub course_id: Option<i64>,
    /// 课程代码或名称
    #[oai(validator(max_length = 100))]
    pub keyword: Option<String>,
    /// 有无作业
    pub has_homework: Option<bool>,
    /// 学期
    /// 编码或名称包含；查看全部院校时代替学期编号
    #[oai(validator(max_length = 50))]
    pub semester_text: Option<String>,
    /// 课程
    /// 代码或名称包含；查看全部院校时代替课程编号
    #[oai(validator(max_length = 50))]
    pub course_text: Option<String>,
}

/// The list of courses with their homework.
pub struct CourseHomeworks;

pub struct CourseRows;

#[OpenApi(prefix_path = "/exam/pc/tasks/course", tag = "crate::Tag::Homework")]
impl CourseRows {
    /// 按课程作业列表
    #[oai(path = "/list", method = "post", operation_id = "listCourseHomework")]
    async fn list(
        &self,
        caller: Allowed<ListCourseHomework>,
        Body(asked): Body<Paged<CourseHomeworkFilter>>,
    ) -> Result<Reply<SchoolPage<CourseHomework>>> {
        across::list::<CourseHomeworks, _>(&caller, asked.paging()?, asked.filter).await
    }

    /// 导出按课程作业
    #[oai(path = "/export", method = "post", operation_id = "exportCourseHomework")]
    async fn export(
        &self,
        caller: Allowed<ExportCourseHomework>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<CourseHomeworkFilter>>,
    ) -> Result<Exported> {
        transfer::export::<CourseHomeworks>(&caller, asked.filter, job.0).await
    }
}

impl Keyed for CourseHomeworks {
    type Filter = CourseHomeworkFilter;
    type Row = CourseHomework;

    fn id(row: &CourseHomework) -> i64 {
        row.id
    }

    /// The first opened opening of each course of a semester stands for it.
    async fn matching(
        connection: &mut PgConnection,
        filter: &CourseHomeworkFilter,
        scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        let texts = sought([filter.semester_text.as_deref(), filter.course_text.as_deref()]);
        sqlx::query_as!(
            Key,
            r#"select f.id as "id!", f.created_at as "created_at!", count(*) over () as "total!"
               from (select distinct on (o.semester_id, o.course_id) o.id, o.created_at, o.semester_id, o.course_id
                     from course_opening o
                     join course u on u.id = o.course_id
                     where o.status in ('opened', 'closed')
                       and ($1::bigint is null or o.semester_id = $1)
                       and ($2::bigint is null or o.course_id = $2)
                       and ($3::text is null or strpos(u.name, $3) > 0 or starts_with(lower(u.code), lower($3))
                            or starts_with(u.initials, lower($3)))
                       and ($4::bigint[] is null or exists (
                                select from course_selection c join student y on y.id = c.student_id
                                where c.opening_id = o.id and c.status in ('pending', 'selected', 'completed')
                                  and (y.site_id = any($4) or y.class_id = any($5::bigint[]))))
                       and ($6::boolean is null or $6 = exists (
                                select from homework h where h.semester_id = o.semester_id and h.course_id = o.course_id))
                       and (($7::text[])[1] is null or o.semester_id = any(array(
                                select x.id from semester x where strpos(lower(x.code), ($7::text[])[1]) > 0 or strpos(lower(x.name), ($7::text[])[1]) > 0)))
                       and (($7::text[])[2] is null or o.course_id = any(array(
                                select x.id from course x where strpos(lower(x.code), ($7::text[])[2]) > 0 or strpos(lower(x.name), ($7::text[])[2]) > 0)))
                     order by o.semester_id, o.course_id, o.id) f
               where ($8::bigint is null or f.id = $8) and ($9::timestamptz is null or f.created_at <= $9)
               order by f.created_at desc, f.id
               limit $10 offset $11"#,
            filter.semester_id,
            filter.course_id,
            filter.keyword,
            scope.sites(),
            scope.classes(),
            filter.has_homework,
            texts.as_deref() as _,
            wanted.id,
            wanted.newest_until as _,
            wanted.limit,
            wanted.offset
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], scope: &Scope) -> sqlx::Result<Vec<CourseHomework>> {
        sqlx::query_as!(
            CourseHomework,
            r#"select o.id as "id!", o.semester_id as "semester_id!", e.name as "semester_name!", o.course_id as "course_id!",
                      u.code as "course_code!", u.name as "course_name!", r.openings as "opening_count!",
                      r.students as "student_count!", p.homework as "homework_count!", p.papers as "paper_count!",
                      p.rules as "rule_count!", n.due as "due_count!", n.handed as "handed_count!",
                      n.marked as "marked_count!", n.pending as "pending_count!",
                      round(100.0 * n.handed / nullif(n.due, 0), 1)::float8 as handed_rate, n.average as average_score,
                      o.created_at as "created_at!"
               from course_opening o
               join semester e on e.id = o.semester_id
               join course u on u.id = o.course_id
               cross join lateral (
                   select count(distinct x.id) as openings,
                          count(c.id) filter (where $2::bigint[] is null or y.site_id = any($2) or y.class_id = any($3::bigint[]))
                              as students
                   from course_opening x
                   left join course_selection c on c.opening_id = x.id and c.status in ('pending', 'selected', 'completed')
                   left join student y on y.id = c.student_id
                   where x.semester_id = o.semester_id and x.course_id = o.course_id and x.status in ('opened', 'closed')) r
               cross join lateral (
                   select (select count(*) from homework h
                           where h.semester_id = o.semester_id and h.course_id = o.course_id
                             and ($2::bigint[] is null or exists (
                                      select from homework_target t
                                      join course_selection c on c.opening_id = t.opening_id
                                                             and (t.class_id is null or t.class_id = c.class_id)
                                      join student y on y.id = c.student_id
                                      where t.homework_id = h.id and c.status in ('pending', 'selected', 'completed')
                                        and (y.site_id = any($2) or y.class_id = any($3::bigint[]))))) as homework,
                          (select count(*) from paper x
                           where x.course_id = o.course_id and x.kind = 'homework' and x.status = 'approved') as papers,
                          (select count(*) from paper_rule x
                           where x.course_id = o.course_id and x.kind = 'homework' and x.enabled) as rules) p
               cross join lateral (
                   select count(*) filter (where s.state not in ('exempt', 'void')) as due,
                          count(*) filter (where s.state not in ('exempt', 'void') and s.submitted_at is not null) as handed,
                          count(*) filter (where s.state = 'marked') as marked,
                          count(*) filter (where s.state = 'submitted') as pending,
                          round(avg(s.final_score) filter (where s.state = 'marked'), 1)::float8 as average
                   from homework h
                   join homework_student s on s.homework_id = h.id
                   join course_selection c on c.id = s.selection_id
                   join student y on y.id = c.student_id
                   where h.semester_id = o.semester_id and h.course_id = o.course_id
                     and ($2::bigint[] is null or y.site_id = any($2) or y.class_id = any($3::bigint[]))) n
               where o.id = any($1)"#,
            ids,
            scope.sites(),
            scope.classes()
        )
        .fetch_all(connection)
        .await
    }
}

impl Export for CourseHomeworks {
    type Filter = CourseHomeworkFilter;
    type Row = CourseHomework;
    const KIND: &'static str = "homework.course.export";
    type Permission = ExportCourseHomework;
    const TITLE: &'static str = "按课程作业";
    const COLUMNS: &'static [Column<CourseHomework>] = &[
        Column { heading: "学期", width: 18, cell: |row| Cell::Text(row.semester_name.clone()) },
        Column { heading: "课程代码", width: 14, cell: |row| Cell::Text(row.course_code.clone()) },
        Column { heading: "课程", width: 28, cell: |row| Cell::Text(row.course_name.clone()) },
        Column { heading: "开课数", width: 8, cell: |row| Cell::Int(row.opening_count) },
        Column { heading: "学生数", width: 8, cell: |row| Cell::Int(row.student_count) },
        Column { heading: "作业数", width: 8, cell: |row| Cell::Int(row.homework_count) },
        Column { heading: "应交", width: 8, cell: |row| Cell::Int(row.due_count) },
        Column { heading: "已交", width: 8, cell: |row| Cell::Int(row.handed_count) },
        Column { heading: "已批", width: 8, cell: |row| Cell::Int(row.marked_count) },
        Column { heading: "提交率(%)", width: 10, cell: |row| row.handed_rate.map_or(Cell::Empty, tenths) },
        Column { heading: "平均分", width: 8, cell: |row| row.average_score.map_or(Cell::Empty, tenths) },
        Column { heading: "待批", width: 8, cell: |row| Cell::Int(row.pending_count) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &CourseHomeworkFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, CourseHomework>> {
        Self::all(connection, filter, scope).await
    }
}
