//! How students' homework is read: list and export show the same.

use std::collections::HashMap;

use infra::{
    Paging, Result, Scope, Window,
    across::{Key, Listed, Segment},
    clock::Moment,
};
use poem_openapi::Object;
use sqlx::PgConnection;
use student_status::keyword::{Keyword, classify};

use super::StudentHomeworks;
use crate::enums::HomeworkStudentState;

/// A student of a homework, as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct StudentHomework {
    /// 编号
    pub id: i64,
    /// 作业编号
    pub homework_id: i64,
    /// 作业
    pub title: String,
    /// 学期
    pub semester_name: String,
    /// 课程代码
    pub course_code: String,
    /// 课程
    pub course_name: String,
    /// 学生编号
    pub student_id: i64,
    /// 学号
    pub student_no: Option<String>,
    /// 姓名
    pub name: String,
    /// 年级
    pub grade_name: String,
    /// 专业
    pub major_name: String,
    /// 站点
    pub site_name: String,
    /// 班级
    pub class_name: Option<String>,
    /// 状态
    pub state: HomeworkStudentState,
    /// 次数
    pub attempts_used: i32,
    /// 增加次数
    pub extra_attempts: i32,
    /// 延期至
    pub extended_until: Option<Moment>,
    /// 免做原因
    pub exempt_reason: Option<String>,
    /// 提交时间
    pub submitted_at: Option<Moment>,
    /// 迟交
    pub late: bool,
    /// 客观分
    /// 最近一次答卷的
    pub objective_score: Option<f64>,
    /// 主观分
    /// 最近一次答卷的
    pub subjective_score: Option<f64>,
    /// 扣分
    pub penalty: Option<f64>,
    /// 得分
    pub final_raw: Option<f64>,
    /// 总分
    pub total_score: f64,
    /// 折百分
    pub final_score: Option<f64>,
    /// 相似度(%)
    pub similarity: Option<f64>,
    /// 批阅人
    pub marked_by_name: Option<String>,
    /// 答卷编号
    /// 最近一次答卷
    pub sheet_id: Option<i64>,
    /// 创建时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct StudentHomeworkFilter {
    /// 学期
    pub semester_id: Option<i64>,
    /// 课程
    pub course_id: Option<i64>,
    /// 作业
    pub homework_id: Option<i64>,
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
    /// 关键字
    /// 学号、姓名、考生号、证件号或手机
    #[oai(validator(max_length = 50))]
    pub keyword: Option<String>,
    /// 状态
    pub state: Option<HomeworkStudentState>,
    /// 折百分从
    #[oai(validator(minimum(value = "0"), maximum(value = "100")))]
    pub score_from: Option<f64>,
    /// 折百分到
    #[oai(validator(minimum(value = "0"), maximum(value = "100")))]
    pub score_to: Option<f64>,
    /// 迟交
    pub late: Option<bool>,
    /// 学期
    /// 编码或名称包含；查看全部院校时代替学期编号
    #[oai(validator(max_length = 50))]
    pub semester_text: Option<String>,
    /// 课程
    /// 代码或名称包含；查看全部院校时代替课程编号
    #[oai(validator(max_length = 50))]
    pub course_text: Option<String>,
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
    /// 站点
    /// 编码或名称包含；查看全部院校时代替站点编号
    #[oai(validator(max_length = 50))]
    pub site_text: Option<String>,
    /// 班级
    /// 编码或名称包含；查看全部院校时代替班级编号
    #[oai(validator(max_length = 50))]
    pub class_text: Option<String>,
    /// 作业
    /// 名称包含；查看全部院校时代替作业编号
    #[oai(validator(max_length = 50))]
    pub homework_text: Option<String>,
}

/// A filter, ready for the statement.
struct Wanted {
    filter: StudentHomeworkFilter,
    keyword: Keyword,
    scope: Scope,
    texts: Option<Vec<Option<String>>>,
}

impl StudentHomeworkFilter {
    fn wanted(&self, scope: &Scope) -> Wanted {
        Wanted {
            keyword: self.keyword.as_deref().map(classify).unwrap_or_default(),
            scope: scope.clone(),
            texts: infra::naming::sought([
                self.semester_text.as_deref(),
                self.course_text.as_deref(),
                self.grade_text.as_deref(),
                self.level_text.as_deref(),
                self.major_text.as_deref(),
                self.site_text.as_deref(),
                self.class_text.as_deref(),
                self.homework_text.as_deref(),
            ]),
            filter: self.clone(),
        }
    }
}

/// A statement over the rows `s` that a [`Wanted`] names, each with its homework, selection and student, of whom nothing is read
/// where the filter asks nothing of them.
macro_rules! of_students {
    ($query:ident [$($row:ident)?] [$($head:tt)+] $wanted:ident [$($tail:tt)*] $(, $extra:expr)*) => {
        sqlx::$query!(
            $($row,)?
            $($head)+ +
            " from homework_student s
              left join homework h on h.id = s.homework_id
              left join course_selection c on c.id = s.selection_id
              left join student y on y.id = c.student_id
              where ($1::bigint[] is null or s.selection_id in (
                         select z.id from course_selection z join student x on x.id = z.student_id
                         where x.site_id = any($1) or x.class_id = any($2::bigint[])))
                and ($3::bigint is null or h.semester_id = $3)
                and ($4::bigint is null or h.course_id = $4)
                and ($5::bigint is null or s.homework_id = $5)
                and ($6::bigint is null or y.grade_id = $6)
                and ($7::bigint is null or y.level_id = $7)
                and ($8::bigint is null or y.major_id = $8)
                and ($9::bigint is null or y.site_id = $9)
                and ($10::bigint is null or c.class_id = $10)
                and ($11::text is null or y.id_card_no = $11)
                and ($12::text is null or y.phone = $12)
                and ($13::text is null or y.student_no like $13 or y.examinee_no like $13
                     or ($13 !~ '[0-9]' and y.initials like lower(rtrim($13, '%')) || '%'))
                and ($14::text[] is null or y.name_grams @> $14)
                and ($15::text is null or s.state = $15)
                and ($16::float8 is null or s.final_score >= $16::float8::numeric)
                and ($17::float8 is null or s.final_score <= $17::float8::numeric)
                and ($18::boolean is null or s.late = $18)
                and (($19::text[])[1] is null or h.semester_id = any(array(
                         select x.id from semester x where strpos(lower(x.code), ($19::text[])[1]) > 0 or strpos(lower(x.name), ($19::text[])[1]) > 0)))
                and (($19::text[])[2] is null or h.course_id = any(array(
                         select x.id from course x where strpos(lower(x.code), ($19::text[])[2]) > 0 or strpos(lower(x.name), ($19::text[])[2]) > 0)))
                and (($19::text[])[3] is null or y.grade_id = any(array(
                         select x.id from grade x where strpos(lower(x.code), ($19::text[])[3]) > 0 or strpos(lower(x.name), ($19::text[])[3]) > 0)))
                and (($19::text[])[4] is null or y.level_id = any(array(
                         select x.id from level x where strpos(lower(x.code), ($19::text[])[4]) > 0 or strpos(lower(x.name), ($19::text[])[4]) > 0)))
                and (($19::text[])[5] is null or y.major_id = any(array(
                         select x.id from major x where strpos(lower(x.code), ($19::text[])[5]) > 0 or strpos(lower(x.name), ($19::text[])[5]) > 0)))
                and (($19::text[])[6] is null or y.site_id = any(array(
                         select x.id from site x where strpos(lower(x.code), ($19::text[])[6]) > 0 or strpos(lower(x.name), ($19::text[])[6]) > 0)))
                and (($19::text[])[7] is null or c.class_id = any(array(
                         select x.id from class x where strpos(lower(x.code), ($19::text[])[7]) > 0 or strpos(lower(x.name), ($19::text[])[7]) > 0)))
                and (($19::text[])[8] is null or strpos(lower(h.title), ($19::text[])[8]) > 0) " $($tail)*,
            $wanted.scope.sites(),
            $wanted.scope.classes(),
            $wanted.filter.semester_id,
            $wanted.filter.course_id,
            $wanted.filter.homework_id,
            $wanted.filter.grade_id,
            $wanted.filter.level_id,
            $wanted.filter.major_id,
            $wanted.filter.site_id,
            $wanted.filter.class_id,
            $wanted.keyword.id_card_no.as_deref(),
            $wanted.keyword.phone.as_deref(),
            $wanted.keyword.number.as_deref(),
            $wanted.keyword.name_grams.as_deref(),
            $wanted.filter.state.map($crate::enums::HomeworkStudentState::as_str),
            $wanted.filter.score_from,
            $wanted.filter.score_to,
            $wanted.filter.late,
            $wanted.texts.as_deref() as _
            $(, $extra)*
        )
    };
}

/// How many rows are in a state.
struct InState {
    state: HomeworkStudentState,
    count: i64,
}

impl Listed for StudentHomeworks {
    type Filter = StudentHomeworkFilter;
    type Row = StudentHomework;

    fn id(row: &StudentHomework) -> i64 {
        row.id
    }

    async fn page(
        connection: &mut PgConnection,
        filter: &StudentHomeworkFilter,
        scope: &Scope,
        paging: Paging,
    ) -> Result<(i64, Vec<StudentHomework>)> {
        let wanted = filter.wanted(scope);
        let total = of_students!(query_scalar [] [r#"select count(*) as "count!""#] wanted []);
        let total = total.fetch_one(&mut *connection).await?;
        let Some(window) = Window::of(paging, total) else { return Ok((total, Vec::new())) };
        let ids = of_students!(query_scalar []
            [r#"select s.id as "id!""#]
            wanted
            [+ " order by case when $20 then s.created_at end, case when $20 then s.id end desc, s.created_at desc, s.id
                 limit $21 offset $22"],
            window.from_end,
            window.limit,
            window.offset);
        let mut ids: Vec<i64> = ids.fetch_all(&mut *connection).await?;
        if window.from_end {
            ids.reverse();
        }
        Ok((total, in_order(connection, &ids).await?))
    }

    async fn segments(
        connection: &mut PgConnection,
        filter: &StudentHomeworkFilter,
        scope: &Scope,
    ) -> Result<Vec<Segment>> {
        let any = StudentHomeworkFilter { state: None, ..filter.clone() };
        let wanted = any.wanted(scope);
        let found = of_students!(query_as [InState]
            [r#"select s.state as "state!: HomeworkStudentState", count(*) as "count!""#]
            wanted
            [+ " group by s.state"]);
        let found = found.fetch_all(connection).await?;
        let of = |state: HomeworkStudentState| found.iter().find(|row| row.state == state).map_or(0, |row| row.count);
        let segments = HomeworkStudentState::CHOICES.iter().map(|(_, state)| *state);
        Ok(segments.map(|state| Segment { value: state.as_str().to_owned(), count: of(state) }).collect())
    }

    async fn keys(
        connection: &mut PgConnection,
        filter: &StudentHomeworkFilter,
        scope: &Scope,
        until: Moment,
        most: i64,
    ) -> Result<Vec<Key>> {
        let wanted = filter.wanted(scope);
        let keys = of_students!(query_as [Key]
            [r#"select s.id as "id!", s.created_at as "created_at!", count(*) over () as "total!""#]
            wanted
            [+ " and s.created_at <= $20 order by s.created_at desc, s.id limit $21"],
            until,
            most);
        Ok(keys.fetch_all(connection).await?)
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64]) -> Result<Vec<StudentHomework>> {
        Ok(rows_of(connection, ids).await?)
    }
}

/// Rows of an export that are read at once.
const AT_ONCE: usize = 1_000;

/// Parts of the numbers of all rows that the filter names and the scope opens, the newest first.
pub(super) async fn parts(
    connection: &mut PgConnection,
    filter: &StudentHomeworkFilter,
    scope: &Scope,
) -> Result<Vec<Vec<i64>>> {
    let wanted = filter.wanted(scope);
    let ids = of_students!(query_scalar []
        [r#"select s.id as "id!""#]
        wanted
        [+ " order by s.created_at desc, s.id"]);
    let ids: Vec<i64> = ids.fetch_all(connection).await?;
    Ok(ids.chunks(AT_ONCE).map(<[i64]>::to_vec).collect())
}

/// Rows by their ids, in that order.
pub(super) async fn in_order(connection: &mut PgConnection, ids: &[i64]) -> sqlx::Result<Vec<StudentHomework>> {
    let rows = rows_of(connection, ids).await?;
    let mut rows: HashMap<i64, StudentHomework> = rows.into_iter().map(|row| (row.id, row)).collect();
    Ok(ids.iter().filter_map(|id| rows.remove(id)).collect())
}

async fn rows_of(connection: &mut PgConnection, ids: &[i64]) -> sqlx::Result<Vec<StudentHomework>> {
    sqlx::query_as!(
        StudentHomework,
        r#"select s.id as "id!", s.homework_id as "homework_id!", h.title as "title!", e.name as "semester_name!",
                  u.code as "course_code!", u.name as "course_name!", c.student_id as "student_id!", y.student_no,
                  y.name as "name!", g.name as "grade_name!", m.name as "major_name!", t.name as "site_name!",
                  k.name as "class_name?", s.state as "state!: _", s.attempts_used as "attempts_used!",
                  s.extra_attempts as "extra_attempts!", s.extended_until, s.exempt_reason, s.submitted_at,
                  s.late as "late!", a.objective::float8 as objective_score, a.subjective::float8 as subjective_score,
                  a.penalty::float8 as penalty, s.final_raw::float8 as final_raw, h.total_score::float8 as "total_score!",
                  s.final_score::float8 as final_score, s.similarity::float8 as similarity,
                  coalesce(a.marked_by_name, w.name) as marked_by_name, a.id as "sheet_id?", s.created_at as "created_at!",
                  s.version as "version!"
           from homework_student s
           join homework h on h.id = s.homework_id
           join semester e on e.id = h.semester_id
           join course u on u.id = h.course_id
           join course_selection c on c.id = s.selection_id
           join student y on y.id = c.student_id
           join grade g on g.id = y.grade_id
           join major m on m.id = y.major_id
           join site t on t.id = y.site_id
           left join class k on k.id = c.class_id
           left join lateral (
               select x.id, x.objective_score as objective, x.subjective_score as subjective, x.penalty, x.marker_id,
                      x.marked_by_name
               from answer_sheet x
               where x.homework_student_id = s.id and x.mark_state <> 'void' order by x.attempt_no desc limit 1) a on true
           left join teacher w on w.id = a.marker_id
           where s.id = any($1)"#,
        ids
    )
    .fetch_all(connection)
    .await
}
