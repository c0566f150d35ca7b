//! How sheets are listed for who marks them: list and export show the same.

use std::collections::HashMap;

use infra::{
    Paging, Result, Scope, Window,
    across::{Key, Listed, Segment},
    clock::Moment,
};
use poem_openapi::Object;
use sqlx::PgConnection;
use student_status::keyword::{Keyword, classify};

use super::Markings;
use crate::enums::{MarkingTab, SheetMarkState};

/// A sheet of the list.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct MarkingSheet {
    /// 答卷编号
    pub id: i64,
    /// 学生作业编号
    pub homework_student_id: i64,
    /// 作业编号
    pub homework_id: i64,
    /// 作业
    pub title: String,
    /// 学期
    pub semester_name: String,
    /// 课程
    pub course_name: String,
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
    /// 次数
    pub attempt_no: i32,
    /// 提交时间
    pub submitted_at: Option<Moment>,
    /// 迟交
    pub late: bool,
    /// 客观分
    pub objective_score: Option<f64>,
    /// 主观分
    pub subjective_score: Option<f64>,
    /// 得分
    pub total_score: Option<f64>,
    /// 总分
    pub full_score: f64,
    /// 相似度(%)
    pub similarity: Option<f64>,
    /// 批阅教师编号
    pub marker_id: Option<i64>,
    /// 批阅教师
    pub marker_name: Option<String>,
    /// 批阅人
    pub marked_by_name: Option<String>,
    /// 批阅时间
    pub marked_at: Option<Moment>,
    /// 批阅截止
    pub mark_due_at: Option<Moment>,
    /// 超期
    pub overdue: bool,
    /// 正在批阅的人
    pub locked_by_name: Option<String>,
    /// 状态
    pub mark_state: SheetMarkState,
    /// 创建时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct MarkingFilter {
    /// 页签
    pub tab: Option<MarkingTab>,
    /// 学期
    pub semester_id: Option<i64>,
    /// 课程
    pub course_id: Option<i64>,
    /// 作业
    pub homework_id: Option<i64>,
    /// 年级
    pub grade_id: Option<i64>,
    /// 专业
    pub major_id: Option<i64>,
    /// 站点
    pub site_id: Option<i64>,
    /// 班级
    pub class_id: Option<i64>,
    /// 批阅教师
    pub marker_id: Option<i64>,
    /// 试题
    /// 只取该题还没有给分的答卷，用于逐题批阅
    pub question_id: Option<i64>,
    /// 关键字
    /// 学号、姓名、考生号、证件号或手机
    #[oai(validator(max_length = 50))]
    pub keyword: Option<String>,
    /// 迟交
    pub late: Option<bool>,
    /// 相似度不低于
    #[oai(validator(minimum(value = "0"), maximum(value = "100")))]
    pub similarity_from: Option<f64>,
    /// 提交时间起
    pub submitted_from: Option<Moment>,
    /// 提交时间止
    pub submitted_to: Option<Moment>,
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
    /// 批阅教师
    /// 工号或姓名包含；查看全部院校时代替批阅教师编号
    #[oai(validator(max_length = 50))]
    pub marker_text: Option<String>,
}

/// A filter, ready for the statement.
struct Wanted {
    filter: MarkingFilter,
    keyword: Keyword,
    scope: Scope,
    texts: Option<Vec<Option<String>>>,
    /// Whose sheets alone.
    teacher: Option<i64>,
}

impl MarkingFilter {
    fn wanted(&self, scope: &Scope, teacher: Option<i64>) -> Wanted {
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
                self.homework_text.as_deref(),
                self.marker_text.as_deref(),
            ]),
            teacher,
            filter: self.clone(),
        }
    }
}

/// A statement over the sheets `a` that were handed in and that a [`Wanted`] names.
macro_rules! of_sheets {
    ($query:ident [$($row:ident)?] [$($head:tt)+] $wanted:ident [$($tail:tt)*] $(, $extra:expr)*) => {
        sqlx::$query!(
            $($row,)?
            $($head)+ +
            " from answer_sheet a
              join homework_student s on s.id = a.homework_student_id
              left join homework h on h.id = s.homework_id
              left join course_selection c on c.id = s.selection_id
              left join student y on y.id = c.student_id
              where a.mark_state in ('submitted', 'marked', 'returned') and s.state not in ('exempt', 'void')
                and ($1::bigint[] is null or s.selection_id in (
                         select z.id from course_selection z join student x on x.id = z.student_id
                         where x.site_id = any($1) or x.class_id = any($2::bigint[])))
                and ($3::bigint is null or h.semester_id = $3)
                and ($4::bigint is null or h.course_id = $4)
                and ($5::bigint is null or s.homework_id = $5)
                and ($6::bigint is null or y.grade_id = $6)
                and ($7::bigint is null or y.major_id = $7)
                and ($8::bigint is null or y.site_id = $8)
                and ($9::bigint is null or c.class_id = $9)
                and ($10::bigint is null or a.marker_id = $10)
                and ($11::text is null or y.id_card_no = $11)
                and ($12::text is null or y.phone = $12)
                and ($13::text is null or y.student_no like $13 or y.examinee_no like $13
                     or ($13 !~ '[0-9]' and y.initials like lower(rtrim($13, '%')) || '%'))
                and ($14::text[] is null or y.name_grams @> $14)
                and ($15::boolean is null or a.late = $15)
                and ($16::float8 is null or a.similarity >= $16::float8::numeric)
                and ($17::timestamptz is null or a.submitted_at >= $17)
                and ($18::timestamptz is null or a.submitted_at <= $18)
                and ($19::text is null or case $19 when 'similar' then a.similarity >= coalesce(h.similarity_threshold, 60)
                                                   when 'pending' then a.mark_state = 'submitted'
                                                   else a.mark_state = $19 end)
                and ($20::bigint is null or a.marker_id = $20
                     or exists (select from answer_item i where i.sheet_id = a.id and i.marker_id = $20))
                and (($21::text[])[1] is null or h.semester_id = any(array(
                         select x.id from semester x where strpos(lower(x.code), ($21::text[])[1]) > 0 or strpos(lower(x.name), ($21::text[])[1]) > 0)))
                and (($21::text[])[2] is null or h.course_id = any(array(
                         select x.id from course x where strpos(lower(x.code), ($21::text[])[2]) > 0 or strpos(lower(x.name), ($21::text[])[2]) > 0)))
                and (($21::text[])[3] is null or y.grade_id = any(array(
                         select x.id from grade x where strpos(lower(x.code), ($21::text[])[3]) > 0 or strpos(lower(x.name), ($21::text[])[3]) > 0)))
                and (($21::text[])[4] is null or y.major_id = any(array(
                         select x.id from major x where strpos(lower(x.code), ($21::text[])[4]) > 0 or strpos(lower(x.name), ($21::text[])[4]) > 0)))
                and (($21::text[])[5] is null or y.site_id = any(array(
                         select x.id from site x where strpos(lower(x.code), ($21::text[])[5]) > 0 or strpos(lower(x.name), ($21::text[])[5]) > 0)))
                and (($21::text[])[6] is null or c.class_id = any(array(
                         select x.id from class x where strpos(lower(x.code), ($21::text[])[6]) > 0 or strpos(lower(x.name), ($21::text[])[6]) > 0)))
                and (($21::text[])[7] is null or strpos(lower(h.title), ($21::text[])[7]) > 0)
                and (($21::text[])[8] is null or a.marker_id = any(array(
                         select x.id from teacher x where strpos(lower(x.work_no), ($21::text[])[8]) > 0 or strpos(lower(x.name), ($21::text[])[8]) > 0)))
                and ($22::bigint is null or exists (
                         select from answer_item i join snapshot_question q on q.id = i.snapshot_question_id
                         where i.sheet_id = a.id and i.mark_state = 'pending' and q.question_id = $22)) " $($tail)*,
            $wanted.scope.sites(),
            $wanted.scope.classes(),
            $wanted.filter.semester_id,
            $wanted.filter.course_id,
            $wanted.filter.homework_id,
            $wanted.filter.grade_id,
            $wanted.filter.major_id,
            $wanted.filter.site_id,
            $wanted.filter.class_id,
            $wanted.filter.marker_id,
            $wanted.keyword.id_card_no.as_deref(),
            $wanted.keyword.phone.as_deref(),
            $wanted.keyword.number.as_deref(),
            $wanted.keyword.name_grams.as_deref(),
            $wanted.filter.late,
            $wanted.filter.similarity_from,
            $wanted.filter.submitted_from as _,
            $wanted.filter.submitted_to as _,
            $wanted.filter.tab.map($crate::enums::MarkingTab::as_str),
            $wanted.teacher,
            $wanted.texts.as_deref() as _,
            $wanted.filter.question_id
            $(, $extra)*
        )
    };
}

/// How many sheets there are of each kind.
struct Counts {
    pending: i64,
    marked: i64,
    returned: i64,
    similar: i64,
}

async fn page_of(connection: &mut PgConnection, wanted: &Wanted, paging: Paging) -> Result<(i64, Vec<MarkingSheet>)> {
    let total = of_sheets!(query_scalar [] [r#"select count(*) as "count!""#] wanted []);
    let total = total.fetch_one(&mut *connection).await?;
    let Some(window) = Window::of(paging, total) else { return Ok((total, Vec::new())) };
    let ids = of_sheets!(query_scalar []
        [r#"select a.id as "id!""#]
        wanted
        [+ " order by case when $23 then a.created_at end, case when $23 then a.id end desc, a.created_at desc, a.id
             limit $24 offset $25"],
        window.from_end,
        window.limit,
        window.offset);
    let mut ids: Vec<i64> = ids.fetch_all(&mut *connection).await?;
    if window.from_end {
        ids.reverse();
    }
    Ok((total, in_order(connection, &ids).await?))
}

/// A page of the sheets that were given to a teacher, whole or in part.
///
/// # Errors
/// Those of the database.
pub(crate) async fn of_teacher(
    connection: &mut PgConnection,
    filter: &MarkingFilter,
    teacher: i64,
    paging: Paging,
) -> Result<(i64, Vec<MarkingSheet>)> {
    page_of(connection, &filter.wanted(&Scope::whole_school(), Some(teacher)), paging).await
}

impl Listed for Markings {
    type Filter = MarkingFilter;
    type Row = MarkingSheet;

    fn id(row: &MarkingSheet) -> i64 {
        row.id
    }

    async fn page(
        connection: &mut PgConnection,
        filter: &MarkingFilter,
        scope: &Scope,
        paging: Paging,
    ) -> Result<(i64, Vec<MarkingSheet>)> {
        page_of(connection, &filter.wanted(scope, None), paging).await
    }

    async fn segments(connection: &mut PgConnection, filter: &MarkingFilter, scope: &Scope) -> Result<Vec<Segment>> {
        let any = MarkingFilter { tab: None, ..filter.clone() };
        let wanted = any.wanted(scope, None);
        let found = of_sheets!(query_as [Counts]
            [r#"select count(*) filter (where a.mark_state = 'submitted') as "pending!",
                       count(*) filter (where a.mark_state = 'marked') as "marked!",
                       count(*) filter (where a.mark_state = 'returned') as "returned!",
                       count(*) filter (where a.similarity >= coalesce(h.similarity_threshold, 60)) as "similar!""#]
            wanted
            []);
        let found = found.fetch_one(connection).await?;
        let segment = |tab: MarkingTab| Segment {
            value: tab.as_str().to_owned(),
            count: match tab {
                MarkingTab::Pending => found.pending,
                MarkingTab::Marked => found.marked,
                MarkingTab::Returned => found.returned,
                MarkingTab::Similar => found.similar,
            },
        };
        Ok(MarkingTab::CHOICES.iter().map(|(_, tab)| segment(*tab)).collect())
    }

    async fn keys(
        connection: &mut PgConnection,
        filter: &MarkingFilter,
        scope: &Scope,
        until: Moment,
        most: i64,
    ) -> Result<Vec<Key>> {
        let wanted = filter.wanted(scope, None);
        let keys = of_sheets!(query_as [Key]
            [r#"select a.id as "id!", a.created_at as "created_at!", count(*) over () as "total!""#]
            wanted
            [+ " and a.created_at <= $23 order by a.created_at desc, a.id limit $24"],
            until,
            most);
        Ok(keys.fetch_all(connection).await?)
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64]) -> Result<Vec<MarkingSheet>> {
        Ok(rows_of(connection, ids).await?)
    }
}

/// Rows of an export that are read at once.
const AT_ONCE: usize = 1_000;

/// Parts of the numbers of all sheets that the filter names and the scope opens, the newest first.
pub(super) async fn parts(
    connection: &mut PgConnection,
    filter: &MarkingFilter,
    scope: &Scope,
) -> Result<Vec<Vec<i64>>> {
    let wanted = filter.wanted(scope, None);
    let ids = of_sheets!(query_scalar []
        [r#"select a.id as "id!""#]
        wanted
        [+ " order by a.created_at desc, a.id"]);
    let ids: Vec<i64> = ids.fetch_all(connection).await?;
    Ok(ids.chunks(AT_ONCE).map(<[i64]>::to_vec).collect())
}

/// Sheets by their ids, in that order.
pub(super) async fn in_order(connection: &mut PgConnection, ids: &[i64]) -> sqlx::Result<Vec<MarkingSheet>> {
    let rows = rows_of(connection, ids).await?;
    let mut rows: HashMap<i64, MarkingSheet> = rows.into_iter().map(|row| (row.id, row)).collect();
    Ok(ids.iter().filter_map(|id| rows.remove(id)).collect())
}

async fn rows_of(connection: &mut PgConnection, ids: &[i64]) -> sqlx::Result<Vec<MarkingSheet>> {
    sqlx::query_as!(
        MarkingSheet,
        r#"select a.id as "id!", s.id as "homework_student_id!", h.id as "homework_id!", h.title as "title!",
                  e.name as "semester_name!", u.name as "course_name!", y.student_no, y.name as "name!",
                  g.name as "grade_name!", m.name as "major_name!", t.name as "site_name!", k.name as "class_name?",
                  a.attempt_no as "attempt_no!", a.submitted_at, a.late as "late!",
                  a.objective_score::float8 as objective_score, a.subjective_score::float8 as subjective_score,
                  a.total_score::float8 as total_score, h.total_score::float8 as "full_score!",
                  a.similarity::float8 as similarity, a.marker_id, w.name as "marker_name?", a.marked_by_name, a.marked_at,
                  h.mark_due_at, coalesce(a.mark_state = 'submitted' and h.mark_due_at < now(), false) as "overdue!",
                  case when a.locked_until >= now() then a.locked_by_name end as locked_by_name,
                  a.mark_state as "mark_state!: _", a.created_at as "created_at!", a.version as "version!"
           from answer_sheet a
           join homework_student s on s.id = a.homework_student_id
           join homework h on h.id = s.homework_id
           join semester e on e.id = h.semester_id
           join course u on u.id = h.course_id
           join course_selection c on c.id = s.selection_id
           join student y on y.id = c.student_id
           join grade g on g.id = y.grade_id
           join major m on m.id = y.major_id
           join site t on t.id = y.site_id
           left join class k on k.id = c.class_id
           left join teacher w on w.id = a.marker_id
           where a.id = any($1)"#,
        ids
    )
    .fetch_all(connection)
    .await
}
