//! How openings are read: list, view and export show the same. What they count of students and classes is within the scope.

use courses::course::{AssessMode, ExamForm};
use infra::{
    Scope,
    across::{Key, KeyQuery, Keyed},
    clock::Moment,
};
use poem_openapi::Object;
use sqlx::PgConnection;
use teaching_plan::enums::CourseNature;

use super::Openings;
use crate::enums::{OpeningKind, OpeningStatus, TeachingMode};

/// An opening, as stored and as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct CourseOpening {
    /// 编号
    pub id: i64,
    /// 学期编号
    pub semester_id: i64,
    /// 学期
    pub semester_name: String,
    /// 开课类别
    pub kind: OpeningKind,
    /// 计划课程
    pub plan_course_id: Option<i64>,
    /// 课程编号
    pub course_id: i64,
    /// 课程代码
    pub course_code: String,
    /// 课程
    pub course_name: String,
    /// 年级编号
    pub grade_id: Option<i64>,
    /// 年级
    pub grade_name: Option<String>,
    /// 层次编号
    pub level_id: Option<i64>,
    /// 层次
    pub level_name: Option<String>,
    /// 专业编号
    pub major_id: Option<i64>,
    /// 专业
    pub major_name: Option<String>,
    /// 学期序
    pub term_no: Option<i32>,
    /// 课程类型
    pub type_name: String,
    /// 性质
    pub nature: CourseNature,
    /// 选修组
    pub group_name: Option<String>,
    /// 学分
    pub credits: f64,
    /// 学时
    pub hours: i32,
    /// 面授学时
    pub lecture_hours: i32,
    /// 线上学时
    pub online_hours: i32,
    /// 实践学时
    pub practice_hours: i32,
    /// 自学学时
    pub self_study_hours: i32,
    /// 考核类型
    pub exam_form: ExamForm,
    /// 考核方式
    pub assess_mode: Option<AssessMode>,
    /// 教学方式
    pub teaching_mode: TeachingMode,
    /// 人数上限
    pub capacity: Option<i32>,
    /// 选课人数
    pub selected_count: i64,
    /// 班级数
    pub class_count: i64,
    /// 已安排主讲的班级数
    pub allocated_count: i64,
    /// 作业数
    /// 已发布和已截止的
    pub homework_count: i64,
    /// 开课状态
    pub status: OpeningStatus,
    /// 开课时间
    pub opened_at: Option<Moment>,
    /// 结课时间
    pub closed_at: Option<Moment>,
    /// 取消原因
    pub cancel_reason: Option<String>,
    /// 备注
    pub remark: Option<String>,
    /// 创建时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct OpeningFilter {
    /// 学期
    pub semester_id: Option<i64>,
    /// 年级
    pub grade_id: Option<i64>,
    /// 层次
    pub level_id: Option<i64>,
    /// 专业
    pub major_id: Option<i64>,
    /// 课程
    pub course_id: Option<i64>,
    /// 课程代码或名称
    #[oai(validator(max_length = 100))]
    pub keyword: Option<String>,
    /// 开课类别
    pub kind: Option<OpeningKind>,
    /// 性质
    pub nature: Option<CourseNature>,
    /// 教学方式
    pub teaching_mode: Option<TeachingMode>,
    /// 开课状态
    pub status: Option<OpeningStatus>,
    /// 有无任课
    pub allocated: Option<bool>,
    /// 有无课程资源
    pub has_records: Option<bool>,
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

impl Keyed for Openings {
    type Filter = OpeningFilter;
    type Row = CourseOpening;

    fn id(row: &CourseOpening) -> i64 {
        row.id
    }

    fn states(filter: &OpeningFilter) -> Vec<(&'static str, OpeningFilter)> {
        let of = |status: OpeningStatus| OpeningFilter { status: Some(status), ..filter.clone() };
        OpeningStatus::CHOICES.iter().map(|(_, status)| (status.as_str(), of(*status))).collect()
    }

    /// An opening that touches a class of the scope, or has a student of it.
    async fn matching(
        connection: &mut PgConnection,
        filter: &OpeningFilter,
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
               from course_opening o join course u on u.id = o.course_id
               where ($1::bigint[] is null or exists (
                          select from class k
                          where (k.site_id = any($1) or k.id = any($2::bigint[]))
                            and (o.grade_id is null or k.grade_id = o.grade_id)
                            and (o.major_id is null or k.major_id = o.major_id))
                      or exists (
                          select from course_selection c join student s on s.id = c.student_id
                          where c.opening_id = o.id and c.status in ('pending', 'selected', 'completed')
                            and (s.site_id = any($1) or s.class_id = any($2))))
                 and ($3::bigint is null or o.semester_id = $3)
                 and ($4::bigint is null or o.grade_id = $4)
                 and ($5::bigint is null or o.level_id = $5)
                 and ($6::bigint is null or o.major_id = $6)
                 and ($7::bigint is null or o.course_id = $7)
                 and ($8::text is null or strpos(u.name, $8) > 0 or starts_with(lower(u.code), lower($8)))
                 and ($9::text is null or o.kind = $9)
                 and ($10::text is null or o.nature = $10)
                 and ($11::text is null or o.teaching_mode = $11)
                 and ($12::text is null or o.status = $12)
                 and ($13::boolean is null or $13 = exists (
                          select from course_allocation a left join class k on k.id = a.class_id
                          where a.opening_id = o.id and a.role = 'lecturer'
                            and ($1 is null or a.class_id is null or k.site_id = any($1) or k.id = any($2))))
                 and ($14::boolean is null or $14 = exists (
                          select from course_record r where r.course_id = o.course_id and r.status = 'published'))
                 and (($15::text[])[1] is null or o.semester_id = any(array(
                          select x.id from semester x where strpos(lower(x.code), ($15::text[])[1]) > 0 or strpos(lower(x.name), ($15::text[])[1]) > 0)))
                 and (($15::text[])[2] is null or o.grade_id = any(array(
                          select x.id from grade x where strpos(lower(x.code), ($15::text[])[2]) > 0 or strpos(lower(x.name), ($15::text[])[2]) > 0)))
                 and (($15::text[])[3] is null or o.level_id = any(array(
                          select x.id from level x where strpos(lower(x.code), ($15::text[])[3]) > 0 or strpos(lower(x.name), ($15::text[])[3]) > 0)))
                 and (($15::text[])[4] is null or o.major_id = any(array(
                          select x.id from major x where strpos(lower(x.code), ($15::text[])[4]) > 0 or strpos(lower(x.name), ($15::text[])[4]) > 0)))
                 and (($15::text[])[5] is null or o.course_id = any(array(
                          select x.id from course x where strpos(lower(x.code), ($15::text[])[5]) > 0 or strpos(lower(x.name), ($15::text[])[5]) > 0)))
                 and ($16::bigint is null or o.id = $16)
                 and ($17::timestamptz is null or o.created_at <= $17)
               order by o.created_at desc, o.id
               limit $18 offset $19"#,
            scope.sites(),
            scope.classes(),
            filter.semester_id,
            filter.grade_id,
            filter.level_id,
            filter.major_id,
            filter.course_id,
            filter.keyword,
            filter.kind.map(OpeningKind::as_str),
            filter.nature.map(CourseNature::as_str),
            filter.teaching_mode.map(TeachingMode::as_str),
            filter.status.map(OpeningStatus::as_str),
            filter.allocated,
            filter.has_records,
            texts.as_deref() as _,
            wanted.id,
            wanted.newest_until,
            wanted.limit,
            wanted.offset
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], scope: &Scope) -> sqlx::Result<Vec<CourseOpening>> {
        sqlx::query_as!(
            CourseOpening,
            r#"select o.id, o.semester_id, e.name as semester_name, o.kind as "kind: _", o.plan_course_id, o.course_id,
                      u.code as course_code, u.name as course_name, o.grade_id, g.name as "grade_name?", o.level_id,
                      l.name as "level_name?", o.major_id, m.name as "major_name?", o.term_no, t.name as type_name,
                      o.nature as "nature: _", p.name as "group_name?", o.credits::float8 as "credits!", o.hours,
                      o.lecture_hours, o.online_hours, o.practice_hours, o.self_study_hours, o.exam_form as "exam_form: _",
                      o.assess_mode as "assess_mode: _", o.teaching_mode as "teaching_mode: _", o.capacity,
                      n.students as "selected_count!", k.classes as "class_count!", k.allocated as "allocated_count!",
                      w.homework as "homework_count!",
                      o.status as "status: _", o.opened_at, o.closed_at, o.cancel_reason, o.remark, o.created_at, o.version
               from course_opening o
               join semester e on e.id = o.semester_id
               join course u on u.id = o.course_id
               join curriculum_type t on t.id = o.type_id
               left join grade g on g.id = o.grade_id
               left join level l on l.id = o.level_id
               left join major m on m.id = o.major_id
               left join plan_elective_group p on p.id = o.elective_group_id
               cross join lateral (
                   select count(*) as students from course_selection c
                   where c.opening_id = o.id and c.status in ('pending', 'selected', 'completed')
                     and ($2::bigint[] is null or exists (
                              select from student s
                              where s.id = c.student_id and (s.site_id = any($2) or s.class_id = any($3::bigint[]))))) n
               cross join lateral (
                   select count(*) as classes,
                          count(*) filter (where exists (
                              select from course_allocation a
                              where a.opening_id = o.id and a.role = 'lecturer'
                                and (a.class_id is null or a.class_id = x.id))) as allocated
                   from (select id, site_id from class
                         where o.kind = 'plan' and grade_id = o.grade_id and major_id = o.major_id and level_id = o.level_id
                         union all
                         select id, site_id from class
                         where o.kind <> 'plan' and id in (
                             select c.class_id from course_selection c
                             where c.opening_id = o.id and c.status in ('pending', 'selected', 'completed'))) x
                   where $2::bigint[] is null or x.site_id = any($2) or x.id = any($3::bigint[])) k
               cross join lateral (
                   select count(distinct t.homework_id) as homework
                   from homework_target t join homework h on h.id = t.homework_id and h.status in ('published', 'closed')
                   where t.opening_id = o.id
                     and ($2::bigint[] is null or t.class_id is null or exists (
                              select from class x
                              where x.id = t.class_id and (x.site_id = any($2) or x.id = any($3::bigint[]))))) w
               where o.id = any($1)"#,
            ids,
            scope.sites(),
            scope.classes()
        )
        .fetch_all(connection)
        .await
    }
}
