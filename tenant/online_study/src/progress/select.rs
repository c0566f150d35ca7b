//! How selections are read with how far each is studied: list and export show the same, and the figures count it.

use std::collections::HashMap;

use infra::{
    Error, Paging, Result, Scope, Window,
    across::{Key, Listed},
    clock::Moment,
};
use poem_openapi::Object;
use sqlx::PgConnection;
use student_status::keyword::{Keyword, classify};

use super::ProgressRows;

/// A selection with how far it is studied.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct StudyProgress {
    /// 选课编号
    pub id: i64,
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
    /// 开课编号
    pub opening_id: i64,
    /// 学期
    pub semester_name: String,
    /// 课程代码
    pub course_code: String,
    /// 课程
    pub course_name: String,
    /// 学习进度(%)
    pub progress: f64,
    /// 已完成课时
    pub finished_periods: i32,
    /// 必修课时
    pub total_periods: i32,
    /// 学习时长(分钟)
    pub study_minutes: i64,
    /// 学习天数
    pub login_days: i32,
    /// 最近学习
    pub last_at: Option<Moment>,
    /// 完成时间
    pub finished_at: Option<Moment>,
    /// 导入的进度(%)
    pub imported_progress: Option<f64>,
    /// 创建时间
    pub created_at: Moment,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct StudyProgressFilter {
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
    /// 班级
    pub class_id: Option<i64>,
    /// 关键字
    /// 学号、姓名、考生号、证件号或手机
    #[oai(validator(max_length = 50))]
    pub keyword: Option<String>,
    /// 进度不低于(%)
    #[oai(validator(minimum(value = "0"), maximum(value = "100")))]
    pub progress_from: Option<f64>,
    /// 进度不高于(%)
    #[oai(validator(minimum(value = "0"), maximum(value = "100")))]
    pub progress_to: Option<f64>,
    /// 最近学习早于
    /// 含从未学习的
    pub last_before: Option<Moment>,
    /// 学期
    /// 编码或名称包含；查看全部院校时代替学期编号
    #[oai(validator(max_length = 50))]
    pub semester_text: Option<String>,
    /// 课程
    /// 编码或名称包含；查看全部院校时代替课程编号
    #[oai(validator(max_length = 50))]
    pub course_text: Option<String>,
    /// 年级
    /// 编码或名称包含；查看全部院校时代替年级编号
    #[oai(validator(max_length = 50))]
    pub grade_text: Option<String>,
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
}

/// A filter, ready for the statement.
pub(super) struct Wanted {
    pub filter: StudyProgressFilter,
    pub keyword: Keyword,
    pub scope: Scope,
    pub texts: Option<Vec<Option<String>>>,
}

impl StudyProgressFilter {
    pub(super) fn wanted(&self, scope: &Scope) -> Wanted {
        Wanted {
            keyword: self.keyword.as_deref().map(classify).unwrap_or_default(),
            scope: scope.clone(),
            texts: infra::naming::sought([
                self.semester_text.as_deref(),
                self.course_text.as_deref(),
                self.grade_text.as_deref(),
                self.major_text.as_deref(),
                self.site_text.as_deref(),
                self.class_text.as_deref(),
            ]),
            // From 0 on are all, also those who did not begin.
            filter: Self { progress_from: self.progress_from.filter(|from| *from > 0.0), ..self.clone() },
        }
    }
}

/// A statement over the selections `c` that a [`Wanted`] names, each with its student `s` and its progress `x`, of whom nothing is
/// read where the filter asks nothing of them. What lies in a scope comes from the indexes of the students.
macro_rules! of_study {
    ($query:ident [$($row:ident)?] [$($head:tt)+] $wanted:ident [$($tail:tt)*] $(, $extra:expr)*) => {
        sqlx::$query!(
            $($row,)?
            $($head)+ +
            " from course_selection c
              left join student s on s.id = c.student_id
              left join study_course_progress x on x.id = c.id
              where c.status in ('selected', 'completed')
                and ($1::bigint[] is null or c.student_id in (
                         select y.id from student y where y.site_id = any($1) or y.class_id = any($2::bigint[])))
                and ($3::bigint is null or c.semester_id = $3)
                and ($4::bigint is null or c.course_id = $4)
                and ($5::bigint is null or c.opening_id = $5)
                and ($6::bigint is null or s.grade_id = $6)
                and ($7::bigint is null or s.major_id = $7)
                and ($8::bigint is null or s.site_id = $8)
                and ($9::bigint is null or c.class_id = $9)
                and ($10::text is null or s.id_card_no = $10)
                and ($11::text is null or s.phone = $11)
                and ($12::text is null or s.student_no like $12 or s.examinee_no like $12
                     or ($12 !~ '[0-9]' and s.initials like lower(rtrim($12, '%')) || '%'))
                and ($13::text[] is null or s.name_grams @> $13)
                and ($14::float8 is null or x.progress >= $14::float8::numeric)
                and ($15::float8 is null or coalesce(x.progress, 0) <= $15::float8::numeric)
                and ($16::timestamptz is null or x.last_at is null or x.last_at < $16)
                and (($17::text[])[1] is null or c.semester_id = any(array(
                         select y.id from semester y where strpos(lower(y.code), ($17::text[])[1]) > 0 or strpos(lower(y.name), ($17::text[])[1]) > 0)))
                and (($17::text[])[2] is null or c.course_id = any(array(
                         select y.id from course y where strpos(lower(y.code), ($17::text[])[2]) > 0 or strpos(lower(y.name), ($17::text[])[2]) > 0)))
                and (($17::text[])[3] is null or s.grade_id = any(array(
                         select y.id from grade y where strpos(lower(y.code), ($17::text[])[3]) > 0 or strpos(lower(y.name), ($17::text[])[3]) > 0)))
                and (($17::text[])[4] is null or s.major_id = any(array(
                         select y.id from major y where strpos(lower(y.code), ($17::text[])[4]) > 0 or strpos(lower(y.name), ($17::text[])[4]) > 0)))
                and (($17::text[])[5] is null or s.site_id = any(array(
                         select y.id from site y where strpos(lower(y.code), ($17::text[])[5]) > 0 or strpos(lower(y.name), ($17::text[])[5]) > 0)))
                and (($17::text[])[6] is null or c.class_id = any(array(
                         select y.id from class y where strpos(lower(y.code), ($17::text[])[6]) > 0 or strpos(lower(y.name), ($17::text[])[6]) > 0))) "
            $($tail)*,
            $wanted.scope.sites(),
            $wanted.scope.classes(),
            $wanted.filter.semester_id,
            $wanted.filter.course_id,
            $wanted.filter.opening_id,
            $wanted.filter.grade_id,
            $wanted.filter.major_id,
            $wanted.filter.site_id,
            $wanted.filter.class_id,
            $wanted.keyword.id_card_no.as_deref(),
            $wanted.keyword.phone.as_deref(),
            $wanted.keyword.number.as_deref(),
            $wanted.keyword.name_grams.as_deref(),
            $wanted.filter.progress_from,
            $wanted.filter.progress_to,
            $wanted.filter.last_before as _,
            $wanted.texts.as_deref() as _
            $(, $extra)*
        )
    };
}
pub(super) use of_study;

impl Listed for ProgressRows {
    type Filter = StudyProgressFilter;
    type Row = StudyProgress;

    fn id(row: &StudyProgress) -> i64 {
        row.id
    }

    /// The numbers of the page's rows come in order out of an index; only then the rows are looked at.
    async fn page(
        connection: &mut PgConnection,
        filter: &StudyProgressFilter,
        scope: &Scope,
        paging: Paging,
    ) -> Result<(i64, Vec<StudyProgress>)> {
        let wanted = filter.wanted(scope);
        let total = of_study!(query_scalar [] [r#"select count(*) as "count!""#] wanted []);
        let total = total.fetch_one(&mut *connection).await?;
        let Some(window) = Window::of(paging, total) else { return Ok((total, Vec::new())) };
        let ids = of_study!(query_scalar []
            [r#"select c.id as "id!""#]
            wanted
            [+ " order by case when $18 then c.created_at end, case when $18 then c.id end desc, c.created_at desc, c.id
                 limit $19 offset $20"],
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
        filter: &StudyProgressFilter,
        scope: &Scope,
        until: Moment,
        most: i64,
    ) -> Result<Vec<Key>> {
        let wanted = filter.wanted(scope);
        let keys = of_study!(query_as [Key]
            [r#"select c.id as "id!", c.created_at as "created_at!", count(*) over () as "total!""#]
            wanted
            [+ " and c.created_at <= $18 order by c.created_at desc, c.id limit $19"],
            until,
            most);
        Ok(keys.fetch_all(connection).await?)
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64]) -> Result<Vec<StudyProgress>> {
        Ok(rows_of(connection, ids).await?)
    }
}

/// Rows of an export that are read at once.
const AT_ONCE: usize = 1_000;

/// Parts of the numbers of all selections that the filter names and the scope opens, the newest first.
pub(super) async fn parts(
    connection: &mut PgConnection,
    filter: &StudyProgressFilter,
    scope: &Scope,
) -> Result<Vec<Vec<i64>>> {
    let wanted = filter.wanted(scope);
    let ids = of_study!(query_scalar []
        [r#"select c.id as "id!""#]
        wanted
        [+ " order by c.created_at desc, c.id"]);
    let ids: Vec<i64> = ids.fetch_all(connection).await?;
    Ok(ids.chunks(AT_ONCE).map(<[i64]>::to_vec).collect())
}

/// Selections by their ids, in that order.
pub(super) async fn in_order(connection: &mut PgConnection, ids: &[i64]) -> sqlx::Result<Vec<StudyProgress>> {
    let rows = rows_of(connection, ids).await?;
    let mut rows: HashMap<i64, StudyProgress> = rows.into_iter().map(|row| (row.id, row)).collect();
    Ok(ids.iter().filter_map(|id| rows.remove(id)).collect())
}

/// One selection.
///
/// # Errors
/// 404 when there is none, or none within the scope.
pub(super) async fn find(connection: &mut PgConnection, id: i64, scope: &Scope) -> Result<StudyProgress> {
    let seen = sqlx::query_scalar!(
        r#"select exists (
               select from course_selection c join student s on s.id = c.student_id
               where c.id = $1 and ($2::bigint[] is null or s.site_id = any($2) or s.class_id = any($3::bigint[]))) as "seen!""#,
        id,
        scope.sites(),
        scope.classes()
    )
    .fetch_one(&mut *connection)
    .await?;
    if !seen {
        return Err(Error::not_found());
    }
    rows_of(connection, &[id]).await?.pop().ok_or_else(Error::not_found)
}

/// Before anything was studied the periods are those that there are.
async fn rows_of(connection: &mut PgConnection, ids: &[i64]) -> sqlx::Result<Vec<StudyProgress>> {
    sqlx::query_as!(
        StudyProgress,
        r#"select c.id as "id!", c.student_id as "student_id!", s.student_no as "student_no?", s.name as "name!",
                  g.name as "grade_name!", m.name as "major_name!", t.name as "site_name!", k.name as "class_name?",
                  c.opening_id as "opening_id!", e.name as "semester_name!", u.code as "course_code!", u.name as "course_name!",
                  coalesce(x.progress, 0)::float8 as "progress!", coalesce(x.finished_periods, 0) as "finished_periods!",
                  coalesce(x.total_periods, p.required)::integer as "total_periods!",
                  (coalesce(x.study_seconds, 0) + coalesce(x.imported_seconds, 0)) / 60 as "study_minutes!",
                  coalesce(x.login_days, 0) as "login_days!", x.last_at as "last_at?", x.finished_at as "finished_at?",
                  x.imported_progress::float8 as "imported_progress?", c.created_at as "created_at!"
           from course_selection c
           join student s on s.id = c.student_id
           join grade g on g.id = s.grade_id
           join major m on m.id = s.major_id
           join site t on t.id = s.site_id
           left join class k on k.id = c.class_id
           join course_opening o on o.id = c.opening_id
           join semester e on e.id = c.semester_id
           join course u on u.id = c.course_id
           left join study_course_progress x on x.id = c.id
           left join online_teaching n on n.id = o.id
           left join course_record d on d.course_id = o.course_id and d.is_default and d.status = 'published'
           cross join lateral (
               select count(*) as required from course_period q
               where q.course_record_id = coalesce(n.course_record_id, d.id) and q.enabled and q.required) p
           where c.id = any($1)"#,
        ids
    )
    .fetch_all(connection)
    .await
}
