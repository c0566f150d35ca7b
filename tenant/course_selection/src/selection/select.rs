//! How selections are read: list, view and export show the same.

use std::collections::HashMap;

use infra::{
    App, Error, Paging, Result, Scope, Window,
    across::{Key, Listed, Segment},
    clock::Moment,
    files,
};
use poem_openapi::Object;
use sqlx::PgConnection;
use student_status::keyword::{Keyword, classify};
use teaching_plan::enums::CourseNature;

use super::Selections;
use crate::enums::{SelectionSource, SelectionStatus};

/// A selection with its student and its course, as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Selection {
    /// 编号
    pub id: i64,
    /// 学生编号
    pub student_id: i64,
    /// 学号
    pub student_no: Option<String>,
    /// 姓名
    pub name: String,
    /// 年级
    pub grade_name: String,
    /// 层次
    pub level_name: String,
    /// 专业
    pub major_name: String,
    /// 站点
    pub site_name: String,
    /// 上课班级编号
    pub class_id: Option<i64>,
    /// 上课班级
    pub class_name: Option<String>,
    /// 开课编号
    pub opening_id: i64,
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
    /// 性质
    pub nature: CourseNature,
    /// 学分
    pub credits: f64,
    /// 来源
    pub source: SelectionSource,
    /// 修读次数
    pub attempt_no: i32,
    /// 主讲
    pub lecturer: Option<String>,
    /// 状态
    pub status: SelectionStatus,
    /// 选课时间
    pub selected_at: Option<Moment>,
    /// 学习进度(%)
    /// 还没有开始在线学习的为空
    pub progress: Option<f64>,
    /// 总评成绩
    pub final_score: Option<f64>,
    /// 是否通过
    pub passed: Option<bool>,
    /// 创建时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

/// A selection with what only its own page needs.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SelectionView {
    #[oai(flatten)]
    pub selection: Selection,
    /// 退选时间
    pub dropped_at: Option<Moment>,
    /// 退选原因
    pub drop_reason: Option<String>,
    /// 免修原因
    pub exempt_reason: Option<String>,
    /// 免修证明文件名
    pub exempt_file_name: Option<String>,
    /// 免修证明地址
    pub exempt_file_url: Option<String>,
    /// 审核时间
    pub audited_at: Option<Moment>,
    /// 备注
    pub remark: Option<String>,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct SelectionFilter {
    /// 学期
    pub semester_id: Option<i64>,
    /// 课程
    pub course_id: Option<i64>,
    /// 开课
    pub opening_id: Option<i64>,
    /// 学生
    pub student_id: Option<i64>,
    /// 年级
    pub grade_id: Option<i64>,
    /// 层次
    pub level_id: Option<i64>,
    /// 专业
    pub major_id: Option<i64>,
    /// 站点
    pub site_id: Option<i64>,
    /// 上课班级
    pub class_id: Option<i64>,
    /// 关键字
    /// 学号、姓名、考生号、证件号或手机
    #[oai(validator(max_length = 50))]
    pub keyword: Option<String>,
    /// 来源
    pub source: Option<SelectionSource>,
    /// 状态
    pub status: Option<SelectionStatus>,
    /// 性质
    pub nature: Option<CourseNature>,
    /// 修读次数大于1
    pub repeated: Option<bool>,
    /// 仅未通过
    /// 已完成而未通过，之后没有通过、免修、再次修读或正在修读的
    pub failed: Option<bool>,
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
}

/// A filter, ready for the statement.
struct Wanted {
    filter: SelectionFilter,
    texts: Option<Vec<Option<String>>>,
    keyword: Keyword,
    scope: Scope,
}

impl SelectionFilter {
    fn wanted(&self, scope: &Scope) -> Wanted {
        Wanted {
            keyword: self.keyword.as_deref().map(classify).unwrap_or_default(),
            texts: infra::naming::sought([
                self.semester_text.as_deref(),
                self.course_text.as_deref(),
                self.grade_text.as_deref(),
                self.level_text.as_deref(),
                self.major_text.as_deref(),
                self.site_text.as_deref(),
                self.class_text.as_deref(),
            ]),
            scope: scope.clone(),
            filter: self.clone(),
        }
    }
}

/// A statement over the selections `c` that a [`Wanted`] names, each with its student `s` and its opening `o`, of whom nothing is
/// read where the filter asks nothing of them. What lies in a scope comes from the indexes of the students.
macro_rules! of_selections {
    ($query:ident [$($row:ident)?] [$($head:tt)+] $wanted:ident [$($tail:tt)*] $(, $extra:expr)*) => {
        sqlx::$query!(
            $($row,)?
            $($head)+ +
            " from course_selection c
              left join student s on s.id = c.student_id
              left join course_opening o on o.id = c.opening_id
              where ($1::bigint[] is null or c.student_id in (
                         select y.id from student y where y.site_id = any($1) or y.class_id = any($2::bigint[])))
                and ($3::bigint is null or c.semester_id = $3)
                and ($4::bigint is null or c.course_id = $4)
                and ($5::bigint is null or c.opening_id = $5)
                and ($6::bigint is null or c.student_id = $6)
                and ($7::bigint is null or s.grade_id = $7)
                and ($8::bigint is null or s.level_id = $8)
                and ($9::bigint is null or s.major_id = $9)
                and ($10::bigint is null or s.site_id = $10)
                and ($11::bigint is null or c.class_id = $11)
                and ($12::text is null or s.id_card_no = $12)
                and ($13::text is null or s.phone = $13)
                and ($14::text is null or s.student_no like $14 or s.examinee_no like $14
                     or ($14 !~ '[0-9]' and s.initials like lower(rtrim($14, '%')) || '%'))
                and ($15::text[] is null or s.name_grams @> $15)
                and ($16::text is null or c.source = $16)
                and ($17::text is null or c.status = $17)
                and ($18::text is null or o.nature = $18)
                and ($19::boolean is null or (c.attempt_no > 1) = $19)
                and ($20::boolean is not true
                     or (c.status = 'completed' and not c.passed
                         and not exists (
                             select from course_selection y
                             where y.student_id = c.student_id and y.course_id = c.course_id and y.id <> c.id
                               and (y.status in ('pending', 'selected', 'exempted')
                                    or y.status = 'completed'
                                       and (y.passed or (y.attempt_no, y.id) > (c.attempt_no, c.id))))))
                and (($21::text[])[1] is null or c.semester_id = any(array(
                         select y.id from semester y where strpos(lower(y.code), ($21::text[])[1]) > 0 or strpos(lower(y.name), ($21::text[])[1]) > 0)))
                and (($21::text[])[2] is null or c.course_id = any(array(
                         select y.id from course y where strpos(lower(y.code), ($21::text[])[2]) > 0 or strpos(lower(y.name), ($21::text[])[2]) > 0)))
                and (($21::text[])[3] is null or s.grade_id = any(array(
                         select y.id from grade y where strpos(lower(y.code), ($21::text[])[3]) > 0 or strpos(lower(y.name), ($21::text[])[3]) > 0)))
                and (($21::text[])[4] is null or s.level_id = any(array(
                         select y.id from level y where strpos(lower(y.code), ($21::text[])[4]) > 0 or strpos(lower(y.name), ($21::text[])[4]) > 0)))
                and (($21::text[])[5] is null or s.major_id = any(array(
                         select y.id from major y where strpos(lower(y.code), ($21::text[])[5]) > 0 or strpos(lower(y.name), ($21::text[])[5]) > 0)))
                and (($21::text[])[6] is null or s.site_id = any(array(
                         select y.id from site y where strpos(lower(y.code), ($21::text[])[6]) > 0 or strpos(lower(y.name), ($21::text[])[6]) > 0)))
                and (($21::text[])[7] is null or c.class_id = any(array(
                         select y.id from class y where strpos(lower(y.code), ($21::text[])[7]) > 0 or strpos(lower(y.name), ($21::text[])[7]) > 0))) " $($tail)*,
            $wanted.scope.sites(),
            $wanted.scope.classes(),
            $wanted.filter.semester_id,
            $wanted.filter.course_id,
            $wanted.filter.opening_id,
            $wanted.filter.student_id,
            $wanted.filter.grade_id,
            $wanted.filter.level_id,
            $wanted.filter.major_id,
            $wanted.filter.site_id,
            $wanted.filter.class_id,
            $wanted.keyword.id_card_no.as_deref(),
            $wanted.keyword.phone.as_deref(),
            $wanted.keyword.number.as_deref(),
            $wanted.keyword.name_grams.as_deref(),
            $wanted.filter.source.map($crate::enums::SelectionSource::as_str),
            $wanted.filter.status.map($crate::enums::SelectionStatus::as_str),
            $wanted.filter.nature.map(teaching_plan::enums::CourseNature::as_str),
            $wanted.filter.repeated,
            $wanted.filter.failed,
            $wanted.texts.as_deref() as _
            $(, $extra)*
        )
    };
}

/// How many selections have a status.
struct InStatus {
    status: SelectionStatus,
    count: i64,
}

impl Listed for Selections {
    type Filter = SelectionFilter;
    type Row = Selection;

    fn id(row: &Selection) -> i64 {
        row.id
    }

    /// The numbers of the page's rows come in order out of an index; only then the rows are looked at.
    async fn page(
        connection: &mut PgConnection,
        filter: &SelectionFilter,
        scope: &Scope,
        paging: Paging,
    ) -> Result<(i64, Vec<Selection>)> {
        let wanted = filter.wanted(scope);
        let total = of_selections!(query_scalar [] [r#"select count(*) as "count!""#] wanted []);
        let total = total.fetch_one(&mut *connection).await?;
        let Some(window) = Window::of(paging, total) else { return Ok((total, Vec::new())) };
        let ids = of_selections!(query_scalar []
            [r#"select c.id as "id!""#]
            wanted
            [+ " order by case when $22 then c.created_at end, case when $22 then c.id end desc, c.created_at desc, c.id
                 limit $23 offset $24"],
            window.from_end,
            window.limit,
            window.offset);
        let mut ids: Vec<i64> = ids.fetch_all(&mut *connection).await?;
        if window.from_end {
            ids.reverse();
        }
        Ok((total, in_order(connection, &ids).await?))
    }

    async fn segments(connection: &mut PgConnection, filter: &SelectionFilter, scope: &Scope) -> Result<Vec<Segment>> {
        let any = SelectionFilter { status: None, ..filter.clone() };
        let wanted = any.wanted(scope);
        let found = of_selections!(query_as [InStatus]
            [r#"select c.status as "status!: SelectionStatus", count(*) as "count!""#]
            wanted
            [+ " group by c.status"]);
        let found = found.fetch_all(connection).await?;
        let of = |status: SelectionStatus| found.iter().find(|row| row.status == status).map_or(0, |row| row.count);
        let segments = SelectionStatus::CHOICES.iter().map(|(_, status)| *status);
        Ok(segments.map(|status| Segment { value: status.as_str().to_owned(), count: of(status) }).collect())
    }

    async fn keys(
        connection: &mut PgConnection,
        filter: &SelectionFilter,
        scope: &Scope,
        until: Moment,
        most: i64,
    ) -> Result<Vec<Key>> {
        let wanted = filter.wanted(scope);
        let keys = of_selections!(query_as [Key]
            [r#"select c.id as "id!", c.created_at as "created_at!", count(*) over () as "total!""#]
            wanted
            [+ " and c.created_at <= $22 order by c.created_at desc, c.id limit $23"],
            until,
            most);
        Ok(keys.fetch_all(connection).await?)
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64]) -> Result<Vec<Selection>> {
        Ok(rows_of(connection, ids).await?)
    }
}

impl Selections {
    /// One selection.
    ///
    /// # Errors
    /// 404 when there is none, or none within the scope.
    pub(super) async fn find(connection: &mut PgConnection, id: i64, scope: &Scope) -> Result<Selection> {
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
}

/// Rows of an export that are read at once.
const AT_ONCE: usize = 1_000;

/// Parts of the numbers of all selections that the filter names and the scope opens, the newest first.
pub(super) async fn parts(
    connection: &mut PgConnection,
    filter: &SelectionFilter,
    scope: &Scope,
) -> Result<Vec<Vec<i64>>> {
    let wanted = filter.wanted(scope);
    let ids = of_selections!(query_scalar []
        [r#"select c.id as "id!""#]
        wanted
        [+ " order by c.created_at desc, c.id"]);
    let ids: Vec<i64> = ids.fetch_all(connection).await?;
    Ok(ids.chunks(AT_ONCE).map(<[i64]>::to_vec).collect())
}

/// Selections by their ids, in that order.
pub(super) async fn in_order(connection: &mut PgConnection, ids: &[i64]) -> sqlx::Result<Vec<Selection>> {
    let rows = rows_of(connection, ids).await?;
    let mut rows: HashMap<i64, Selection> = rows.into_iter().map(|row| (row.id, row)).collect();
    Ok(ids.iter().filter_map(|id| rows.remove(id)).collect())
}

/// The lecturer is who teaches the selection's class, else who teaches all classes.
async fn rows_of(connection: &mut PgConnection, ids: &[i64]) -> sqlx::Result<Vec<Selection>> {
    sqlx::query_as!(
        Selection,
        r#"select c.id, c.student_id, s.student_no, s.name, g.name as grade_name, l.name as level_name,
                  m.name as major_name, t.name as site_name, c.class_id, k.name as "class_name?", c.opening_id,
                  c.semester_id, e.name as semester_name, c.course_id, u.code as course_code, u.name as course_name,
                  o.nature as "nature: _", o.credits::float8 as "credits!", c.source as "source: _", c.attempt_no,
                  (select w.name from course_allocation a join teacher w on w.id = a.teacher_id
                   where a.opening_id = c.opening_id and a.role = 'lecturer'
                     and (a.class_id is null or a.class_id = c.class_id)
                   order by a.class_id nulls last limit 1) as lecturer,
                  c.status as "status: _", c.selected_at, v.progress::float8 as "progress?",
                  c.final_score::float8 as final_score, c.passed, c.created_at, c.version
           from course_selection c
           join student s on s.id = c.student_id
           join grade g on g.id = s.grade_id
           join level l on l.id = s.level_id
           join major m on m.id = s.major_id
           join site t on t.id = s.site_id
           left join class k on k.id = c.class_id
           join course_opening o on o.id = c.opening_id
           join semester e on e.id = c.semester_id
           join course u on u.id = c.course_id
           left join study_course_progress v on v.id = c.id
           where c.id = any($1)"#,
        ids
    )
    .fetch_all(connection)
    .await
}

/// A selection with what stands beside it; its paper as an address that soon expires.
pub(super) async fn viewed(app: &App, connection: &mut PgConnection, selection: Selection) -> Result<SelectionView> {
    let beside = sqlx::query!(
        r#"select c.dropped_at, c.drop_reason, c.exempt_reason, c.exempt_file_id, c.audited_at, c.remark,
                  f.original_name as "file_name?"
           from course_selection c left join file_object f on f.id = c.exempt_file_id where c.id = $1"#,
        selection.id
    )
    .fetch_one(&mut *connection)
    .await?;
    let exempt_file_url = match beside.exempt_file_id {
        Some(file) => files::address(app, connection, file).await?.map(|(url, _)| url),
        None => None,
    };
    Ok(SelectionView {
        selection,
        dropped_at: beside.dropped_at,
        drop_reason: beside.drop_reason,
        exempt_reason: beside.exempt_reason,
        exempt_file_name: beside.file_name,
        exempt_file_url,
        audited_at: beside.audited_at,
        remark: beside.remark,
    })
}
