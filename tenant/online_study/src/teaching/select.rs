//! How opened courses are read with how they are studied: list, view and export show the same. Figures of students are within the
//! scope.

use course_selection::enums::{OpeningKind, OpeningStatus};
use infra::{
    Scope,
    across::{Key, KeyQuery, Keyed},
    clock::Moment,
};
use poem_openapi::Object;
use sqlx::PgConnection;

use super::Teachings;
use crate::enums::{StudyResource, StudyWindow};

/// An opened course with how it is studied.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct OnlineTeaching {
    /// 开课编号
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
    /// 开课类别
    pub kind: OpeningKind,
    /// 年级
    pub grade_name: Option<String>,
    /// 专业
    pub major_name: Option<String>,
    /// 开课状态
    pub opening_status: OpeningStatus,
    /// 人数
    pub student_count: i64,
    /// 指定的课程资源
    /// 未指定时使用课程的默认资源
    pub course_record_id: Option<i64>,
    /// 使用的课程资源编号
    pub record_id: Option<i64>,
    /// 课程资源
    pub record_name: Option<String>,
    /// 资源状态
    pub resource: StudyResource,
    /// 课时数
    pub period_count: i64,
    /// 指定的学习开始时间
    /// 未指定时为学期开始
    pub study_starts_at: Option<Moment>,
    /// 指定的学习结束时间
    /// 未指定时为学期结束
    pub study_ends_at: Option<Moment>,
    /// 学习开始时间
    pub starts_at: Moment,
    /// 学习结束时间
    pub ends_at: Moment,
    /// 完成标准(%)
    pub finish_percent: i32,
    /// 最高倍速
    pub max_speed: f64,
    /// 允许拖动到未学部分
    pub allow_seek_unwatched: bool,
    /// 每日学习上限(分钟)
    pub daily_limit_minutes: i32,
    /// 按顺序学习
    pub sequential: bool,
    /// 作业和考试要求进度(%)
    pub required_progress: i32,
    /// 人脸核验
    pub face_check: bool,
    /// 平均进度(%)
    pub average_progress: f64,
    /// 完成率(%)
    pub finished_rate: f64,
    /// 学习状态
    pub window: StudyWindow,
    /// 创建时间
    pub created_at: Moment,
    /// 版本
    /// 尚未设置过时为0
    pub version: i32,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct OnlineTeachingFilter {
    /// 学期
    pub semester_id: Option<i64>,
    /// 课程
    pub course_id: Option<i64>,
    /// 年级
    pub grade_id: Option<i64>,
    /// 专业
    pub major_id: Option<i64>,
    /// 课程代码或名称
    #[oai(validator(max_length = 100))]
    pub keyword: Option<String>,
    /// 资源状态
    pub resource: Option<StudyResource>,
    /// 开课状态
    pub opening_status: Option<OpeningStatus>,
    /// 学期
    /// 编码或名称包含；查看全部院校时代替学期编号
    #[oai(validator(max_length = 50))]
    pub semester_text: Option<String>,
    /// 年级
    /// 编码或名称包含；查看全部院校时代替年级编号
    #[oai(validator(max_length = 50))]
    pub grade_text: Option<String>,
    /// 专业
    /// 编码或名称包含；查看全部院校时代替专业编号
    #[oai(validator(max_length = 50))]
    pub major_text: Option<String>,
}

impl Keyed for Teachings {
    type Filter = OnlineTeachingFilter;
    type Row = OnlineTeaching;

    fn id(row: &OnlineTeaching) -> i64 {
        row.id
    }

    /// An opening that is taught or was, and touches a class of the scope or has a student of it.
    async fn matching(
        connection: &mut PgConnection,
        filter: &OnlineTeachingFilter,
        scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        let texts = infra::naming::sought([
            filter.semester_text.as_deref(),
            filter.grade_text.as_deref(),
            filter.major_text.as_deref(),
        ]);
        sqlx::query_as!(
            Key,
            r#"select o.id as "id!", o.created_at as "created_at!", count(*) over () as "total!"
               from course_opening o
               join course u on u.id = o.course_id
               left join online_teaching n on n.id = o.id
               left join course_record d on d.course_id = o.course_id and d.is_default and d.status = 'published'
               where o.status in ('opened', 'closed')
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
                 and ($4::bigint is null or o.course_id = $4)
                 and ($5::bigint is null or o.grade_id = $5)
                 and ($6::bigint is null or o.major_id = $6)
                 and ($7::text is null or strpos(u.name, $7) > 0 or starts_with(lower(u.code), lower($7)))
                 and ($8::text is null or $8 = (
                          select case when count(*) = 0 then 'missing'
                                      when count(*) filter (where p.required and a.state <> 'ready') > 0 then 'unready'
                                      else 'ready' end
                          from course_period p left join media_asset a on a.id = p.media_asset_id
                          where p.course_record_id = coalesce(n.course_record_id, d.id) and p.enabled))
                 and ($9::text is null or o.status = $9)
                 and (($10::text[])[1] is null or o.semester_id = any(array(
                          select x.id from semester x where strpos(lower(x.code), ($10::text[])[1]) > 0 or strpos(lower(x.name), ($10::text[])[1]) > 0)))
                 and (($10::text[])[2] is null or o.grade_id = any(array(
                          select x.id from grade x where strpos(lower(x.code), ($10::text[])[2]) > 0 or strpos(lower(x.name), ($10::text[])[2]) > 0)))
                 and (($10::text[])[3] is null or o.major_id = any(array(
                          select x.id from major x where strpos(lower(x.code), ($10::text[])[3]) > 0 or strpos(lower(x.name), ($10::text[])[3]) > 0)))
                 and ($11::bigint is null or o.id = $11)
                 and ($12::timestamptz is null or o.created_at <= $12)
               order by o.created_at desc, o.id
               limit $13 offset $14"#,
            scope.sites(),
            scope.classes(),
            filter.semester_id,
            filter.course_id,
            filter.grade_id,
            filter.major_id,
            filter.keyword,
            filter.resource.map(StudyResource::as_str),
            filter.opening_status.map(OpeningStatus::as_str),
            texts.as_deref() as _,
            wanted.id,
            wanted.newest_until,
            wanted.limit,
            wanted.offset
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], scope: &Scope) -> sqlx::Result<Vec<OnlineTeaching>> {
        sqlx::query_as!(
            OnlineTeaching,
            r#"select o.id as "id!", o.semester_id as "semester_id!", e.name as "semester_name!", o.course_id as "course_id!",
                      u.code as "course_code!", u.name as "course_name!", o.kind as "kind!: _", g.name as "grade_name?",
                      m.name as "major_name?", o.status as "opening_status!: _", s.students as "student_count!",
                      n.course_record_id as "course_record_id?", r.id as "record_id?", r.name as "record_name?",
                      case when q.periods = 0 then 'missing' when q.unready > 0 then 'unready' else 'ready' end as "resource!: _",
                      q.periods as "period_count!", n.study_starts_at as "study_starts_at?", n.study_ends_at as "study_ends_at?",
                      w.starts_at as "starts_at!", w.ends_at as "ends_at!", coalesce(n.finish_percent, 90) as "finish_percent!",
                      coalesce(n.max_speed, 1.5)::float8 as "max_speed!",
                      coalesce(n.allow_seek_unwatched, false) as "allow_seek_unwatched!",
                      coalesce(n.daily_limit_minutes, 0) as "daily_limit_minutes!", coalesce(n.sequential, false) as "sequential!",
                      coalesce(n.required_progress, 0) as "required_progress!", coalesce(n.face_check, false) as "face_check!",
                      s.average as "average_progress!", s.finished as "finished_rate!",
                      case when now() < w.starts_at then 'not_started' when now() < w.ends_at then 'running' else 'ended' end
                          as "window!: _",
                      o.created_at as "created_at!", coalesce(n.version, 0) as "version!"
               from course_opening o
               join semester e on e.id = o.semester_id
               join course u on u.id = o.course_id
               left join grade g on g.id = o.grade_id
               left join major m on m.id = o.major_id
               left join online_teaching n on n.id = o.id
               left join course_record d on d.course_id = o.course_id and d.is_default and d.status = 'published'
               left join course_record r on r.id = coalesce(n.course_record_id, d.id)
               cross join lateral (
                   select coalesce(n.study_starts_at, e.starts_on::timestamp at time zone 'Asia/Shanghai') as starts_at,
                          coalesce(n.study_ends_at, (e.ends_on + 1)::timestamp at time zone 'Asia/Shanghai') as ends_at) w
               cross join lateral (
                   select count(*) as periods, count(*) filter (where p.required and a.state <> 'ready') as unready
                   from course_period p left join media_asset a on a.id = p.media_asset_id
                   where p.course_record_id = r.id and p.enabled) q
               cross join lateral (
                   select count(*) as students, coalesce(round(avg(coalesce(x.progress, 0)), 1), 0)::float8 as average,
                          coalesce(round(count(x.finished_at) * 100.0 / nullif(count(*), 0), 1), 0)::float8 as finished
                   from course_selection c left join study_course_progress x on x.id = c.id
                   where c.opening_id = o.id and c.status in ('selected', 'completed')
                     and ($2::bigint[] is null or exists (
                              select from student s
                              where s.id = c.student_id and (s.site_id = any($2) or s.class_id = any($3::bigint[]))))) s
               where o.id = any($1)"#,
            ids,
            scope.sites(),
            scope.classes()
        )
        .fetch_all(connection)
        .await
    }
}
