//! 按课程统计: how full each opening is, of the students that the caller sees (part 03 B4).

use infra::{
    Allowed, Body, Paged, Reply, Result, Scope,
    across::{self, Key, KeyQuery, Keyed, SchoolPage},
};
use poem_openapi::{Object, OpenApi};
use sqlx::PgConnection;
use teaching_plan::enums::CourseNature;

use super::ListSelections;
use crate::enums::{OpeningKind, OpeningStatus};

/// An opening with its selections by status.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SelectionStatistic {
    /// 开课编号
    pub id: i64,
    /// 学期
    pub semester_name: String,
    /// 课程代码
    pub course_code: String,
    /// 课程
    pub course_name: String,
    /// 开课类别
    pub kind: OpeningKind,
    /// 性质
    pub nature: CourseNature,
    /// 年级
    pub grade_name: Option<String>,
    /// 专业
    pub major_name: Option<String>,
    /// 开课状态
    pub status: OpeningStatus,
    /// 人数上限
    pub capacity: Option<i32>,
    /// 已选
    pub selected: i64,
    /// 待审核
    pub pending: i64,
    /// 已退选
    pub dropped: i64,
    /// 免修
    pub exempted: i64,
    /// 已完成
    pub completed: i64,
}

/// What the figures are asked of.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct SelectionStatisticFilter {
    /// 学期
    pub semester_id: Option<i64>,
    /// 课程
    pub course_id: Option<i64>,
    /// 年级
    pub grade_id: Option<i64>,
    /// 专业
    pub major_id: Option<i64>,
    /// 性质
    pub nature: Option<CourseNature>,
    /// 开课状态
    pub status: Option<OpeningStatus>,
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
    /// 课程
    /// 编码或名称包含；查看全部院校时代替课程编号
    #[oai(validator(max_length = 50))]
    pub course_text: Option<String>,
}

/// The figures as a list.
pub struct Statistics;

#[OpenApi(prefix_path = "/adult/pc/adult/selection", tag = "crate::Tag::CourseSelection")]
impl Statistics {
    /// 选课按课程统计
    #[oai(path = "/stat/list", method = "post", operation_id = "listSelectionStatistics")]
    async fn list(
        &self,
        caller: Allowed<ListSelections>,
        Body(asked): Body<Paged<SelectionStatisticFilter>>,
    ) -> Result<Reply<SchoolPage<SelectionStatistic>>> {
        across::list::<Self, _>(&caller, asked.paging()?, asked.filter).await
    }
}

impl Keyed for Statistics {
    type Filter = SelectionStatisticFilter;
    type Row = SelectionStatistic;

    fn id(row: &SelectionStatistic) -> i64 {
        row.id
    }

    /// An opening that touches a class of the scope, by its grade and major or by somebody in it.
    async fn matching(
        connection: &mut PgConnection,
        filter: &SelectionStatisticFilter,
        scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        let texts = infra::naming::sought([
            filter.semester_text.as_deref(),
            filter.grade_text.as_deref(),
            filter.major_text.as_deref(),
            filter.course_text.as_deref(),
        ]);
        sqlx::query_as!(
            Key,
            r#"select o.id, o.created_at, count(*) over () as "total!"
               from course_opening o
               where ($1::bigint[] is null or exists (
                          select from class k
                          where (k.site_id = any($1) or k.id = any($2::bigint[]))
                            and (o.grade_id is null or k.grade_id = o.grade_id)
                            and (o.major_id is null or k.major_id = o.major_id))
                      or exists (
                          select from course_selection c join student s on s.id = c.student_id
                          where c.opening_id = o.id and (s.site_id = any($1) or s.class_id = any($2::bigint[]))))
                 and ($3::bigint is null or o.semester_id = $3)
                 and ($4::bigint is null or o.course_id = $4)
                 and ($5::bigint is null or o.grade_id = $5)
                 and ($6::bigint is null or o.major_id = $6)
                 and ($7::text is null or o.nature = $7)
                 and ($8::text is null or o.status = $8)
                 and o.status in ('opened', 'closed')
                 and ($9::bigint is null or o.id = $9)
                 and ($10::timestamptz is null or o.created_at <= $10)
                 and (($11::text[])[1] is null or o.semester_id = any(array(
                          select y.id from semester y where strpos(lower(y.code), ($11::text[])[1]) > 0 or strpos(lower(y.name), ($11::text[])[1]) > 0)))
                 and (($11::text[])[2] is null or o.grade_id = any(array(
                          select y.id from grade y where strpos(lower(y.code), ($11::text[])[2]) > 0 or strpos(lower(y.name), ($11::text[])[2]) > 0)))
                 and (($11::text[])[3] is null or o.major_id = any(array(
                          select y.id from major y where strpos(lower(y.code), ($11::text[])[3]) > 0 or strpos(lower(y.name), ($11::text[])[3]) > 0)))
                 and (($11::text[])[4] is null or o.course_id = any(array(
                          select y.id from course y where strpos(lower(y.code), ($11::text[])[4]) > 0 or strpos(lower(y.name), ($11::text[])[4]) > 0)))
               order by o.created_at desc, o.id
               limit $12 offset $13"#,
            scope.sites(),
            scope.classes(),
            filter.semester_id,
            filter.course_id,
            filter.grade_id,
            filter.major_id,
            filter.nature.map(CourseNature::as_str),
            filter.status.map(OpeningStatus::as_str),
            wanted.id,
            wanted.newest_until,
            texts.as_deref() as _,
            wanted.limit,
            wanted.offset
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], scope: &Scope) -> sqlx::Result<Vec<SelectionStatistic>> {
        sqlx::query_as!(
            SelectionStatistic,
            r#"select o.id, e.name as semester_name, u.code as course_code, u.name as course_name, o.kind as "kind: _",
                      o.nature as "nature: _", g.name as "grade_name?", m.name as "major_name?", o.status as "status: _",
                      o.capacity, n.selected as "selected!", n.pending as "pending!", n.dropped as "dropped!",
                      n.exempted as "exempted!", n.completed as "completed!"
               from course_opening o
               join semester e on e.id = o.semester_id
               join course u on u.id = o.course_id
               left join grade g on g.id = o.grade_id
               left join major m on m.id = o.major_id
               cross join lateral (
                   select count(*) filter (where c.status = 'selected') as selected,
                          count(*) filter (where c.status = 'pending') as pending,
                          count(*) filter (where c.status = 'dropped') as dropped,
                          count(*) filter (where c.status = 'exempted') as exempted,
                          count(*) filter (where c.status = 'completed') as completed
                   from course_selection c
                   where c.opening_id = o.id
                     and ($2::bigint[] is null or exists (
                              select from student s
                              where s.id = c.student_id and (s.site_id = any($2) or s.class_id = any($3::bigint[]))))) n
               where o.id = any($1)"#,
            ids,
            scope.sites(),
            scope.classes()
        )
        .fetch_all(connection)
        .await
    }
}
