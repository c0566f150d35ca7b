//! How scores are read: everybody on the rosters, also those of whom nothing was registered yet.

use std::collections::HashMap;

use infra::{
    Paging, Result, Scope, Window,
    across::{Key, Listed},
    clock::Moment,
};
use poem_openapi::Object;
use sqlx::PgConnection;
use student_status::keyword::{Keyword, classify};

use super::Scores;
use crate::enums::InstructionScoreStatus;

/// A score with its student and course, as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct InstructionScore {
    /// 编号
    /// 选课的编号
    pub id: i64,
    /// 选课编号
    pub selection_id: i64,
    /// 成绩编号
    /// 还未登记时为空
    pub score_id: Option<i64>,
    /// 学号
    pub student_no: Option<String>,
    /// 姓名
    pub name: String,
    /// 站点
    pub site_name: String,
    /// 班级编号
    pub class_id: Option<i64>,
    /// 班级
    pub class_name: Option<String>,
    /// 开课编号
    pub opening_id: i64,
    /// 学期编号
    pub semester_id: i64,
    /// 学期
    pub semester_name: String,
    /// 课程代码
    pub course_code: String,
    /// 课程
    pub course_name: String,
    /// 应到次数
    pub required_sessions: i32,
    /// 实到次数
    /// 迟到计半次
    pub attended_count: f64,
    /// 出勤率(%)
    pub attendance_rate: Option<f64>,
    /// 出勤成绩
    pub attendance_score: Option<f64>,
    /// 表现成绩
    pub performance_score: Option<f64>,
    /// 总成绩
    pub total_score: Option<f64>,
    /// 面授成绩状态
    pub status: InstructionScoreStatus,
    /// 退回原因
    pub return_reason: Option<String>,
    /// 提交时间
    pub submitted_at: Option<Moment>,
    /// 确认时间
    pub confirmed_at: Option<Moment>,
    /// 版本
    /// 还未登记时为0
    pub version: i32,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct InstructionScoreFilter {
    /// 学期
    pub semester_id: Option<i64>,
    /// 课程
    pub course_id: Option<i64>,
    /// 开课
    pub opening_id: Option<i64>,
    /// 年级
    pub grade_id: Option<i64>,
    /// 专业
    pub major_id: Option<i64>,
    /// 站点
    pub site_id: Option<i64>,
    /// 上课班级
    pub class_id: Option<i64>,
    /// 主讲教师
    pub teacher_id: Option<i64>,
    /// 关键字
    /// 学号、姓名、考生号、证件号或手机
    #[oai(validator(max_length = 50))]
    pub keyword: Option<String>,
    /// 面授成绩状态
    pub status: Option<InstructionScoreStatus>,
}

/// A filter, ready for the statement.
struct Wanted {
    filter: InstructionScoreFilter,
    keyword: Keyword,
    scope: Scope,
}

impl InstructionScoreFilter {
    fn wanted(&self, scope: &Scope) -> Wanted {
        Wanted {
            keyword: self.keyword.as_deref().map(classify).unwrap_or_default(),
            scope: scope.clone(),
            filter: self.clone(),
        }
    }
}

/// A statement over the selections `c` that a [`Wanted`] names, each with its student `s`, of whom nothing is read where the filter
/// asks nothing of them, and its score `x`.
macro_rules! of_scores {
    ($query:ident [$($row:ident)?] [$($head:tt)+] $wanted:ident [$($tail:tt)*] $(, $extra:expr)*) => {
        sqlx::$query!(
            $($row,)?
            $($head)+ +
            " from course_selection c
              left join student s on s.id = c.student_id
              left join instruction_score x on x.selection_id = c.id
              where c.status in ('selected', 'completed')
                and c.opening_id in (
                    select o.id from course_opening o
                    where o.teaching_mode in ('offline', 'blended') and o.status in ('opened', 'closed')
                      and ($3::bigint is null or o.semester_id = $3)
                      and ($4::bigint is null or o.course_id = $4)
                      and ($5::bigint is null or o.id = $5))
                and ($1::bigint[] is null or c.student_id in (
                         select y.id from student y where y.site_id = any($1) or y.class_id = any($2::bigint[])))
                and ($3 is null or c.semester_id = $3)
                and ($4 is null or c.course_id = $4)
                and ($6::bigint is null or s.grade_id = $6)
                and ($7::bigint is null or s.major_id = $7)
                and ($8::bigint is null or s.site_id = $8)
                and ($9::bigint is null or c.class_id = $9)
                and ($10::bigint is null or $10 = (
                         select a.teacher_id from course_allocation a
                         where a.opening_id = c.opening_id and a.role = 'lecturer'
                           and (a.class_id is null or a.class_id = c.class_id)
                         order by a.class_id nulls last limit 1))
                and ($11::text is null or s.id_card_no = $11)
                and ($12::text is null or s.phone = $12)
                and ($13::text is null or s.student_no like $13 or s.examinee_no like $13
                     or ($13 !~ '[0-9]' and s.initials like lower(rtrim($13, '%')) || '%'))
                and ($14::text[] is null or s.name_grams @> $14)
                and ($15::text is null or coalesce(x.status, 'draft') = $15) " $($tail)*,
            $wanted.scope.sites(),
            $wanted.scope.classes(),
            $wanted.filter.semester_id,
            $wanted.filter.course_id,
            $wanted.filter.opening_id,
            $wanted.filter.grade_id,
            $wanted.filter.major_id,
            $wanted.filter.site_id,
            $wanted.filter.class_id,
            $wanted.filter.teacher_id,
            $wanted.keyword.id_card_no.as_deref(),
            $wanted.keyword.phone.as_deref(),
            $wanted.keyword.number.as_deref(),
            $wanted.keyword.name_grams.as_deref(),
            $wanted.filter.status.map($crate::enums::InstructionScoreStatus::as_str)
            $(, $extra)*
        )
    };
}

impl Listed for Scores {
    type Filter = InstructionScoreFilter;
    type Row = InstructionScore;

    fn id(row: &InstructionScore) -> i64 {
        row.selection_id
    }

    async fn page(
        connection: &mut PgConnection,
        filter: &InstructionScoreFilter,
        scope: &Scope,
        paging: Paging,
    ) -> Result<(i64, Vec<InstructionScore>)> {
        let wanted = filter.wanted(scope);
        let total = of_scores!(query_scalar [] [r#"select count(*) as "count!""#] wanted []);
        let total = total.fetch_one(&mut *connection).await?;
        let Some(window) = Window::of(paging, total) else { return Ok((total, Vec::new())) };
        let ids = of_scores!(query_scalar []
            [r#"select c.id as "id!""#]
            wanted
            [+ " order by case when $16 then c.created_at end, case when $16 then c.id end desc, c.created_at desc, c.id
                 limit $17 offset $18"],
            window.from_end,
            window.limit,
            window.offset);
        let mut ids: Vec<i64> = ids.fetch_all(&mut *connection).await?;
        if window.from_end {
            ids.reverse();
        }
        Ok((total, in_order(connection, &ids).await?))
    }

    async fn keys(
        connection: &mut PgConnection,
        filter: &InstructionScoreFilter,
        scope: &Scope,
        until: Moment,
        most: i64,
    ) -> Result<Vec<Key>> {
        let wanted = filter.wanted(scope);
        let keys = of_scores!(query_as [Key]
            [r#"select c.id as "id!", c.created_at as "created_at!", count(*) over () as "total!""#]
            wanted
            [+ " and c.created_at <= $16 order by c.created_at desc, c.id limit $17"],
            until,
            most);
        Ok(keys.fetch_all(connection).await?)
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64]) -> Result<Vec<InstructionScore>> {
        Ok(rows_of(connection, ids).await?)
    }
}

/// Rows of an export that are read at once.
const AT_ONCE: usize = 1_000;

/// Parts of the numbers of all selections that the filter names and the scope opens, by course, class and student.
pub(super) async fn parts(
    connection: &mut PgConnection,
    filter: &InstructionScoreFilter,
    scope: &Scope,
) -> Result<Vec<Vec<i64>>> {
    let wanted = filter.wanted(scope);
    let ids = of_scores!(query_scalar []
        [r#"select c.id as "id!""#]
        wanted
        [+ " order by c.semester_id desc, c.opening_id, c.class_id, s.student_no, c.id"]);
    let ids: Vec<i64> = ids.fetch_all(connection).await?;
    Ok(ids.chunks(AT_ONCE).map(<[i64]>::to_vec).collect())
}

/// Scores by their selections, in that order.
pub(super) async fn in_order(connection: &mut PgConnection, ids: &[i64]) -> sqlx::Result<Vec<InstructionScore>> {
    let rows = rows_of(connection, ids).await?;
    let mut rows: HashMap<i64, InstructionScore> = rows.into_iter().map(|row| (row.selection_id, row)).collect();
    Ok(ids.iter().filter_map(|id| rows.remove(id)).collect())
}

async fn rows_of(connection: &mut PgConnection, ids: &[i64]) -> sqlx::Result<Vec<InstructionScore>> {
    sqlx::query_as!(
        InstructionScore,
        r#"select c.id as "id!", c.id as "selection_id!", x.id as "score_id?", s.student_no, s.name as "name!", t.name as "site_name!",
                  c.class_id, k.name as "class_name?", c.opening_id as "opening_id!", c.semester_id as "semester_id!",
                  e.name as "semester_name!", u.code as "course_code!", u.name as "course_name!",
                  coalesce(x.required_sessions, 0) as "required_sessions!",
                  coalesce(x.attended_count, 0)::float8 as "attended_count!", x.attendance_rate::float8 as "attendance_rate?",
                  x.attendance_score::float8 as "attendance_score?", x.performance_score::float8 as "performance_score?",
                  x.total_score::float8 as "total_score?", coalesce(x.status, 'draft') as "status!: InstructionScoreStatus",
                  x.return_reason as "return_reason?", x.submitted_at as "submitted_at?", x.confirmed_at as "confirmed_at?",
                  coalesce(x.version, 0) as "version!"
           from course_selection c
           join student s on s.id = c.student_id
           join site t on t.id = s.site_id
           join semester e on e.id = c.semester_id
           join course u on u.id = c.course_id
           left join class k on k.id = c.class_id
           left join instruction_score x on x.selection_id = c.id
           where c.id = any($1)"#,
        ids
    )
    .fetch_all(connection)
    .await
}
