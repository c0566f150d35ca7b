//! 学生学分: what each student has selected, what they have obtained, and what their plan asks for (part 03 B2). Nothing is changed
//! here.

use std::collections::HashMap;

use futures_util::{TryStreamExt, stream};
use infra::{
    Allowed, App, Body, Paged, Paging, Reply, Result, Scope, Window,
    across::{self, Key, Listed, SchoolPage},
    clock::Moment,
    naming::tenths,
    sheet::{Cell, Column},
    transfer::{self, Export, Exported, Rows},
};
use poem_openapi::{Object, OpenApi, param::Query};
use sqlx::PgConnection;
use student_status::{
    enums::StudentStatus,
    keyword::{Keyword, classify},
};

use super::{ExportStudentCredits, ListStudentCredits};

/// A student with their credits.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct StudentCredit {
    /// 学生编号
    pub id: i64,
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
    /// 班级
    pub class_name: Option<String>,
    /// 学籍状态
    pub status: StudentStatus,
    /// 已选学分
    /// 已选、已完成和免修的课程
    pub selected_credits: f64,
    /// 已获学分
    /// 已通过和免修的课程
    pub obtained_credits: f64,
    /// 要求学分
    /// 所在年级专业生效的教学计划的总学分，没有时为空
    pub required_credits: Option<f64>,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct StudentCreditFilter {
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
    /// 未选满学分的学期
    /// 该学期的已选学分低于选课规则下限的学生
    pub below_minimum_of: Option<i64>,
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
    filter: StudentCreditFilter,
    texts: Option<Vec<Option<String>>>,
    keyword: Keyword,
    scope: Scope,
}

impl Wanted {
    fn of(filter: &StudentCreditFilter, scope: &Scope) -> Self {
        Self {
            keyword: filter.keyword.as_deref().map(classify).unwrap_or_default(),
            texts: infra::naming::sought([
                filter.grade_text.as_deref(),
                filter.level_text.as_deref(),
                filter.major_text.as_deref(),
                filter.site_text.as_deref(),
                filter.class_text.as_deref(),
            ]),
            scope: scope.clone(),
            filter: filter.clone(),
        }
    }
}

/// A statement over the students `s` in the register that a [`Wanted`] names. Of the rules that of the major counts before that
/// of the grade, as everywhere; it is looked for once a grade and major, and what is selected is summed once over the semester.
macro_rules! of_students {
    ($query:ident [$($row:ident)?] [$($head:tt)+] $wanted:ident [$($tail:tt)*] $(, $extra:expr)*) => {
        sqlx::$query!(
            $($row,)?
            $($head)+ +
            " from student s
              where s.active
                and ($1::bigint[] is null or s.site_id = any($1) or s.class_id = any($2::bigint[]))
                and ($3::bigint is null or s.grade_id = $3)
                and ($4::bigint is null or s.level_id = $4)
                and ($5::bigint is null or s.major_id = $5)
                and ($6::bigint is null or s.site_id = $6)
                and ($7::bigint is null or s.class_id = $7)
                and ($8::text is null or s.id_card_no = $8)
                and ($9::text is null or s.phone = $9)
                and ($10::text is null or s.student_no like $10 or s.examinee_no like $10
                     or ($10 !~ '[0-9]' and s.initials like lower(rtrim($10, '%')) || '%'))
                and ($11::text[] is null or s.name_grams @> $11)
                and ($12::bigint is null or s.id in (
                        select x.id
                        from student x
                        join (select p.grade_id, p.major_id,
                                     (select r.min_credits
                                      from selection_rule r
                                      join semester e on e.id = r.semester_id
                                      join grade g on g.id = p.grade_id
                                      where r.semester_id = $12
                                        and (r.grade_id is null or r.grade_id = p.grade_id)
                                        and (r.major_id is null or r.major_id = p.major_id)
                                        and (r.term_no is null or r.term_no
                                             = e.year * 2 + case e.season when 'autumn' then 1 else 0 end
                                               - g.entry_year * 2
                                               - case g.entry_season when 'autumn' then 1 else 0 end + 1)
                                      order by r.major_id is null, r.grade_id is null, r.term_no is null
                                      limit 1) as least
                              from (select distinct y.grade_id, y.major_id from student y where y.active) p) f
                             on f.grade_id = x.grade_id and f.major_id = x.major_id and f.least > 0
                        left join (select c.student_id, sum(o.credits) as credits
                                   from course_selection c join course_opening o on o.id = c.opening_id
                                   where c.semester_id = $12 and c.status in ('pending', 'selected', 'completed')
                                   group by c.student_id) n on n.student_id = x.id
                        where x.active and coalesce(n.credits, 0) < f.least))
                and (($13::text[])[1] is null or s.grade_id = any(array(
                         select y.id from grade y where strpos(lower(y.code), ($13::text[])[1]) > 0 or strpos(lower(y.name), ($13::text[])[1]) > 0)))
                and (($13::text[])[2] is null or s.level_id = any(array(
                         select y.id from level y where strpos(lower(y.code), ($13::text[])[2]) > 0 or strpos(lower(y.name), ($13::text[])[2]) > 0)))
                and (($13::text[])[3] is null or s.major_id = any(array(
                         select y.id from major y where strpos(lower(y.code), ($13::text[])[3]) > 0 or strpos(lower(y.name), ($13::text[])[3]) > 0)))
                and (($13::text[])[4] is null or s.site_id = any(array(
                         select y.id from site y where strpos(lower(y.code), ($13::text[])[4]) > 0 or strpos(lower(y.name), ($13::text[])[4]) > 0)))
                and (($13::text[])[5] is null or s.class_id = any(array(
                         select y.id from class y where strpos(lower(y.code), ($13::text[])[5]) > 0 or strpos(lower(y.name), ($13::text[])[5]) > 0))) " $($tail)*,
            $wanted.scope.sites(),
            $wanted.scope.classes(),
            $wanted.filter.grade_id,
            $wanted.filter.level_id,
            $wanted.filter.major_id,
            $wanted.filter.site_id,
            $wanted.filter.class_id,
            $wanted.keyword.id_card_no.as_deref(),
            $wanted.keyword.phone.as_deref(),
            $wanted.keyword.number.as_deref(),
            $wanted.keyword.name_grams.as_deref(),
            $wanted.filter.below_minimum_of,
            $wanted.texts.as_deref() as _
            $(, $extra)*
        )
    };
}

/// The list of students with their credits.
pub(super) struct StudentCredits;

pub struct StudentCreditRows;

#[OpenApi(prefix_path = "/adult/pc/courseCredit", tag = "crate::Tag::CourseOpening")]
impl StudentCreditRows {
    /// 学生学分列表
    #[oai(path = "/student/list", method = "post", operation_id = "listStudentCredits")]
    async fn list(
        &self,
        caller: Allowed<ListStudentCredits>,
        Body(asked): Body<Paged<StudentCreditFilter>>,
    ) -> Result<Reply<SchoolPage<StudentCredit>>> {
        across::list::<StudentCredits, _>(&caller, asked.paging()?, asked.filter).await
    }

    /// 导出学生学分
    #[oai(path = "/student/export", method = "post", operation_id = "exportStudentCredits")]
    async fn export(
        &self,
        caller: Allowed<ExportStudentCredits>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<StudentCreditFilter>>,
    ) -> Result<Exported> {
        transfer::export::<StudentCredits>(&caller, asked.filter, job.0).await
    }
}

impl Listed for StudentCredits {
    type Filter = StudentCreditFilter;
    type Row = StudentCredit;

    fn id(row: &StudentCredit) -> i64 {
        row.id
    }

    async fn page(
        connection: &mut PgConnection,
        filter: &StudentCreditFilter,
        scope: &Scope,
        paging: Paging,
    ) -> Result<(i64, Vec<StudentCredit>)> {
        let wanted = Wanted::of(filter, scope);
        let total = of_students!(query_scalar [] [r#"select count(*) as "count!""#] wanted []);
        let total = total.fetch_one(&mut *connection).await?;
        let Some(window) = Window::of(paging, total) else { return Ok((total, Vec::new())) };
        let ids = of_students!(query_scalar []
            ["select s.id"]
            wanted
            [+ " order by case when $14 then s.created_at end, case when $14 then s.id end, s.created_at desc, s.id desc
                 limit $15 offset $16"],
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
        filter: &StudentCreditFilter,
        scope: &Scope,
        until: Moment,
        most: i64,
    ) -> Result<Vec<Key>> {
        let wanted = Wanted::of(filter, scope);
        let keys = of_students!(query_as [Key]
            [r#"select s.id, s.created_at, count(*) over () as "total!""#]
            wanted
            [+ " and s.created_at <= $14 order by s.created_at desc, s.id limit $15"],
            until,
            most);
        Ok(keys.fetch_all(connection).await?)
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64]) -> Result<Vec<StudentCredit>> {
        Ok(rows_of(connection, ids).await?)
    }
}

async fn in_order(connection: &mut PgConnection, ids: &[i64]) -> sqlx::Result<Vec<StudentCredit>> {
    let rows = rows_of(connection, ids).await?;
    let mut rows: HashMap<i64, StudentCredit> = rows.into_iter().map(|row| (row.id, row)).collect();
    Ok(ids.iter().filter_map(|id| rows.remove(id)).collect())
}

/// A course counts once, however often it was taken.
async fn rows_of(connection: &mut PgConnection, ids: &[i64]) -> sqlx::Result<Vec<StudentCredit>> {
    sqlx::query_as!(
        StudentCredit,
        r#"select s.id, s.student_no, s.name, g.name as grade_name, l.name as level_name, m.name as major_name,
                  t.name as site_name, k.name as "class_name?", s.status as "status: _",
                  n.selected::float8 as "selected_credits!", n.obtained::float8 as "obtained_credits!",
                  p.total_credits::float8 as "required_credits?"
           from student s
           join grade g on g.id = s.grade_id
           join level l on l.id = s.level_id
           join major m on m.id = s.major_id
           join site t on t.id = s.site_id
           left join class k on k.id = s.class_id
           left join teaching_plan p on p.grade_id = s.grade_id and p.major_id = s.major_id and p.status = 'effective'
           cross join lateral (
               select coalesce(sum(x.credits), 0) as selected, coalesce(sum(x.credits) filter (where x.passed), 0) as obtained
               from (select c.course_id, max(o.credits) as credits,
                            bool_or(c.status = 'exempted' or c.status = 'completed' and c.passed) as passed
                     from course_selection c join course_opening o on o.id = c.opening_id
                     where c.student_id = s.id and c.status in ('selected', 'completed', 'exempted')
                     group by c.course_id) x) n
           where s.id = any($1)"#,
        ids
    )
    .fetch_all(connection)
    .await
}

/// Students of an export that are read at once.
const AT_ONCE: usize = 1_000;

impl Export for StudentCredits {
    type Filter = StudentCreditFilter;
    type Row = StudentCredit;
    const KIND: &'static str = "student_credit.export";
    type Permission = ExportStudentCredits;
    const TITLE: &'static str = "学生学分";
    const COLUMNS: &'static [Column<StudentCredit>] = &[
        Column { heading: "学号", width: 18, cell: |row| Cell::text(row.student_no.as_deref()) },
        Column { heading: "姓名", width: 12, cell: |row| Cell::Text(row.name.clone()) },
        Column { heading: "年级", width: 10, cell: |row| Cell::Text(row.grade_name.clone()) },
        Column { heading: "层次", width: 10, cell: |row| Cell::Text(row.level_name.clone()) },
        Column { heading: "专业", width: 20, cell: |row| Cell::Text(row.major_name.clone()) },
        Column { heading: "站点", width: 20, cell: |row| Cell::Text(row.site_name.clone()) },
        Column { heading: "班级", width: 24, cell: |row| Cell::text(row.class_name.as_deref()) },
        Column { heading: "学籍状态", width: 10, cell: |row| Cell::Text(row.status.zh().to_owned()) },
        Column { heading: "已选学分", width: 10, cell: |row| tenths(row.selected_credits) },
        Column { heading: "已获学分", width: 10, cell: |row| tenths(row.obtained_credits) },
        Column { heading: "要求学分", width: 10, cell: |row| row.required_credits.map_or(Cell::Empty, tenths) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &StudentCreditFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, StudentCredit>> {
        let wanted = Wanted::of(filter, scope);
        let ids = of_students!(query_scalar [] ["select s.id"] wanted [+ " order by s.created_at desc, s.id desc"]);
        let ids: Vec<i64> = ids.fetch_all(&mut *connection).await?;
        let parts: Vec<Vec<i64>> = ids.chunks(AT_ONCE).map(<[i64]>::to_vec).collect();
        let rows = stream::try_unfold((connection, parts.into_iter()), |(connection, mut parts)| async move {
            let Some(ids) = parts.next() else { return Ok(None) };
            let rows = in_order(connection, &ids).await?;
            Ok::<_, sqlx::Error>(Some((stream::iter(rows.into_iter().map(Ok)), (connection, parts))))
        });
        Ok(Box::pin(rows.try_flatten()))
    }
}
