//! How candidates are read: one list for both facades, for as many as sit in a season.

use std::collections::HashMap;

use infra::{
    Paging, Result, Scope, Window,
    across::{Key, Segment},
    clock::Moment,
    sheet::{Cell, Column},
};
use poem_openapi::Object;
use scores_rules::enums::ExamRound;
use sqlx::PgConnection;
use student_status::keyword::{Keyword, classify};

use crate::enums::{ExamAttendance, ExamEligibility, ExamMode, ViolationLevel};

/// A candidate, as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct CandidateRow {
    /// 编号
    pub id: i64,
    /// 考试编号
    pub setup_id: i64,
    /// 考试
    pub setup_name: String,
    /// 批次编号
    pub batch_id: i64,
    /// 批次
    pub batch_name: String,
    /// 课程编码
    pub course_code: String,
    /// 课程
    pub course_name: String,
    /// 选课编号
    pub selection_id: i64,
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
    /// 班级
    pub class_name: Option<String>,
    /// 考试性质
    pub round: ExamRound,
    /// 考试资格
    pub eligibility: ExamEligibility,
    /// 资格原因
    pub eligibility_reason: Option<String>,
    /// 人工核准
    pub eligibility_override: bool,
    /// 核准原因
    pub override_reason: Option<String>,
    /// 核准人
    pub override_by_name: Option<String>,
    /// 人工添加
    pub added_by_hand: bool,
    /// 到考情况
    pub attendance: ExamAttendance,
    /// 违规
    pub violation_level: ViolationLevel,
    /// 卷别
    pub slot: Option<String>,
    /// 加时(分)
    pub extra_minutes: i32,
    /// 重开至
    pub reopened_until: Option<Moment>,
    /// 考场号
    pub exam_room_no: Option<String>,
    /// 座位号
    pub seat_no: Option<i32>,
    /// 准考证号
    pub ticket_no: Option<String>,
    /// 卷面分
    pub final_raw: Option<f64>,
    /// 百分制成绩
    pub final_score: Option<f64>,
    /// 已移除
    pub removed: bool,
    /// 移除原因
    pub remove_reason: Option<String>,
    /// 创建时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct CandidateFilter {
    /// 批次
    pub batch_id: Option<i64>,
    /// 考试
    pub setup_id: Option<i64>,
    /// 课程
    pub course_id: Option<i64>,
    /// 学生
    pub student_id: Option<i64>,
    /// 站点
    pub site_id: Option<i64>,
    /// 班级
    pub class_id: Option<i64>,
    /// 考试性质
    pub round: Option<ExamRound>,
    /// 考试资格
    pub eligibility: Option<ExamEligibility>,
    /// 到考情况
    pub attendance: Option<ExamAttendance>,
    /// 违规
    pub violation_level: Option<ViolationLevel>,
    /// 已移除
    /// 不填为未移除的
    pub removed: Option<bool>,
    /// 关键字
    /// 学号、姓名、考生号、证件号或手机
    #[oai(validator(max_length = 50))]
    pub keyword: Option<String>,
}

/// A filter, ready for the statement.
struct Wanted {
    mode: ExamMode,
    filter: CandidateFilter,
    keyword: Keyword,
    scope: Scope,
}

impl Wanted {
    fn of(mode: ExamMode, filter: &CandidateFilter, scope: &Scope) -> Self {
        let keyword = filter.keyword.as_deref().map(classify).unwrap_or_default();
        Self { mode, filter: filter.clone(), keyword, scope: scope.clone() }
    }
}

/// A statement over the candidates `c` that a [`Wanted`] names, each with their student `y`.
macro_rules! of_candidates {
    ($query:ident [$($row:ident)?] [$($head:tt)+] $wanted:ident [$($tail:tt)*] $(, $extra:expr)*) => {
        sqlx::$query!(
            $($row,)?
            $($head)+ +
            " from exam_candidate c
              join student y on y.id = c.student_id
              join exam_setup s on s.id = c.setup_id
              where s.mode = $1
                and ($2::bigint[] is null or y.site_id = any($2) or y.class_id = any($3::bigint[]))
                and ($4::bigint is null or c.batch_id = $4)
                and ($5::bigint is null or c.setup_id = $5)
                and ($6::bigint is null or c.course_id = $6)
                and ($7::bigint is null or c.student_id = $7)
                and ($8::bigint is null or y.site_id = $8)
                and ($9::bigint is null or y.class_id = $9)
                and ($10::text is null or c.round = $10)
                and ($11::text is null or c.eligibility = $11)
                and ($12::text is null or c.attendance = $12)
                and ($13::text is null or c.violation_level = $13)
                and c.removed = $14
                and ($15::text is null or y.id_card_no = $15)
                and ($16::text is null or y.phone = $16)
                and ($17::text is null or y.student_no like $17 or y.examinee_no like $17
                     or ($17 !~ '[0-9]' and y.initials like lower(rtrim($17, '%')) || '%'))
                and ($18::text[] is null or y.name_grams @> $18) " $($tail)*,
            $wanted.mode.as_str(),
            $wanted.scope.sites(),
            $wanted.scope.classes(),
            $wanted.filter.batch_id,
            $wanted.filter.setup_id,
            $wanted.filter.course_id,
            $wanted.filter.student_id,
            $wanted.filter.site_id,
            $wanted.filter.class_id,
            $wanted.filter.round.map(ExamRound::as_str),
            $wanted.filter.eligibility.map(ExamEligibility::as_str),
            $wanted.filter.attendance.map(ExamAttendance::as_str),
            $wanted.filter.violation_level.map(ViolationLevel::as_str),
            $wanted.filter.removed.unwrap_or(false),
            $wanted.keyword.id_card_no.as_deref(),
            $wanted.keyword.phone.as_deref(),
            $wanted.keyword.number.as_deref(),
            $wanted.keyword.name_grams.as_deref()
            $(, $extra)*
        )
    };
}

/// How many candidates of a mode the filter names within the scope, and a page of them, the newest first.
///
/// # Errors
/// Those of the database.
pub async fn page(
    connection: &mut PgConnection,
    mode: ExamMode,
    filter: &CandidateFilter,
    scope: &Scope,
    paging: Paging,
) -> Result<(i64, Vec<CandidateRow>)> {
    let wanted = Wanted::of(mode, filter, scope);
    let total = of_candidates!(query_scalar [] [r#"select count(*) as "count!""#] wanted []);
    let total = total.fetch_one(&mut *connection).await?;
    let Some(window) = Window::of(paging, total) else { return Ok((total, Vec::new())) };
    let ids = of_candidates!(query_scalar []
        [r#"select c.id as "id!""#]
        wanted
        [+ " order by case when $19 then c.created_at end, case when $19 then c.id end desc, c.created_at desc, c.id
             limit $20 offset $21"],
        window.from_end,
        window.limit,
        window.offset);
    let mut ids: Vec<i64> = ids.fetch_all(&mut *connection).await?;
    if window.from_end {
        ids.reverse();
    }
    Ok((total, in_order(connection, &ids).await?))
}

/// How many candidates are in each state of eligibility.
///
/// # Errors
/// Those of the database.
pub async fn segments(
    connection: &mut PgConnection,
    mode: ExamMode,
    filter: &CandidateFilter,
    scope: &Scope,
) -> Result<Vec<Segment>> {
    let mut segments = Vec::new();
    for (_, state) in ExamEligibility::CHOICES {
        let filter = CandidateFilter { eligibility: Some(*state), ..filter.clone() };
        let wanted = Wanted::of(mode, &filter, scope);
        let count = of_candidates!(query_scalar [] [r#"select count(*) as "count!""#] wanted []);
        let count = count.fetch_one(&mut *connection).await?;
        segments.push(Segment { value: state.as_str().to_owned(), count });
    }
    Ok(segments)
}

/// The newest keys that the filter names and that are no younger.
///
/// # Errors
/// Those of the database.
pub async fn keys(
    connection: &mut PgConnection,
    mode: ExamMode,
    filter: &CandidateFilter,
    scope: &Scope,
    (until, most): (Moment, i64),
) -> Result<Vec<Key>> {
    let wanted = Wanted::of(mode, filter, scope);
    let keys = of_candidates!(query_as [Key]
        [r#"select c.id as "id!", c.created_at as "created_at!", count(*) over () as "total!""#]
        wanted
        [+ " and c.created_at <= $19 order by c.created_at desc, c.id limit $20"],
        until,
        most);
    Ok(keys.fetch_all(connection).await?)
}

/// Rows of an export that are read at once.
const AT_ONCE: usize = 1_000;

/// Parts of the numbers of all candidates that the filter names, by setup and student number.
///
/// # Errors
/// Those of the database.
pub async fn parts(
    connection: &mut PgConnection,
    mode: ExamMode,
    filter: &CandidateFilter,
    scope: &Scope,
) -> Result<Vec<Vec<i64>>> {
    let wanted = Wanted::of(mode, filter, scope);
    let ids = of_candidates!(query_scalar []
        [r#"select c.id as "id!""#]
        wanted
        [+ " order by c.setup_id desc, y.student_no, c.id"]);
    let ids: Vec<i64> = ids.fetch_all(connection).await?;
    Ok(ids.chunks(AT_ONCE).map(<[i64]>::to_vec).collect())
}

/// Candidates by their ids, in that order.
///
/// # Errors
/// Those of the database.
pub async fn in_order(connection: &mut PgConnection, ids: &[i64]) -> sqlx::Result<Vec<CandidateRow>> {
    let rows = rows(connection, ids).await?;
    let mut rows: HashMap<i64, CandidateRow> = rows.into_iter().map(|row| (row.id, row)).collect();
    Ok(ids.iter().filter_map(|id| rows.remove(id)).collect())
}

/// Candidates by their ids.
///
/// # Errors
/// Those of the database.
pub async fn rows(connection: &mut PgConnection, ids: &[i64]) -> sqlx::Result<Vec<CandidateRow>> {
    sqlx::query_as!(
        CandidateRow,
        r#"select c.id as "id!", c.setup_id as "setup_id!", s.name as "setup_name!", c.batch_id as "batch_id!",
                  b.name as "batch_name!", u.code as "course_code!", u.name as "course_name!", c.selection_id as "selection_id!",
                  c.student_id as "student_id!", y.student_no, y.name as "name!", g.name as "grade_name!", l.name as "level_name!",
                  m.name as "major_name!", t.name as "site_name!", k.name as "class_name?", c.round as "round!: _",
                  c.eligibility as "eligibility!: _", c.eligibility_reason, c.eligibility_override as "eligibility_override!",
                  c.override_reason, c.override_by_name, c.added_by_hand as "added_by_hand!", c.attendance as "attendance!: _",
                  c.violation_level as "violation_level!: _", c.slot, c.extra_minutes as "extra_minutes!", c.reopened_until,
                  r.exam_room_no as "exam_room_no?", z.seat_no as "seat_no?", e.ticket_no as "ticket_no?",
                  c.final_raw::float8 as final_raw, c.final_score::float8 as final_score, c.removed as "removed!", c.remove_reason,
                  c.created_at as "created_at!", c.version as "version!"
           from exam_candidate c
           join exam_setup s on s.id = c.setup_id
           join test_batch b on b.id = c.batch_id
           join course u on u.id = c.course_id
           join student y on y.id = c.student_id
           join grade g on g.id = y.grade_id
           join level l on l.id = y.level_id
           join major m on m.id = y.major_id
           join site t on t.id = y.site_id
           left join class k on k.id = y.class_id
           left join offline_seat z on z.candidate_id = c.id
           left join offline_session_room r on r.id = z.session_room_id
           left join exam_ticket e on e.batch_id = c.batch_id and e.student_id = c.student_id
           where c.id = any($1)"#,
        ids
    )
    .fetch_all(connection)
    .await
}

/// The columns of an export of candidates.
pub const COLUMNS: &[Column<CandidateRow>] = &[
    Column { heading: "批次", width: 28, cell: |row| Cell::Text(row.batch_name.clone()) },
    Column { heading: "考试名称", width: 32, cell: |row| Cell::Text(row.setup_name.clone()) },
    Column { heading: "课程编码", width: 14, cell: |row| Cell::Text(row.course_code.clone()) },
    Column { heading: "课程名称", width: 28, cell: |row| Cell::Text(row.course_name.clone()) },
    Column { heading: "性质", width: 10, cell: |row| Cell::Text(row.round.zh().to_owned()) },
    Column { heading: "学号", width: 18, cell: |row| Cell::text(row.student_no.as_deref()) },
    Column { heading: "姓名", width: 12, cell: |row| Cell::Text(row.name.clone()) },
    Column { heading: "年级", width: 10, cell: |row| Cell::Text(row.grade_name.clone()) },
    Column { heading: "层次", width: 12, cell: |row| Cell::Text(row.level_name.clone()) },
    Column { heading: "专业", width: 20, cell: |row| Cell::Text(row.major_name.clone()) },
    Column { heading: "站点", width: 20, cell: |row| Cell::Text(row.site_name.clone()) },
    Column { heading: "班级", width: 24, cell: |row| Cell::text(row.class_name.as_deref()) },
    Column { heading: "资格", width: 10, cell: |row| Cell::Text(row.eligibility.zh().to_owned()) },
    Column { heading: "资格原因", width: 30, cell: |row| Cell::text(row.eligibility_reason.as_deref()) },
    Column { heading: "到考", width: 10, cell: |row| Cell::Text(row.attendance.zh().to_owned()) },
    Column { heading: "违规", width: 8, cell: |row| Cell::Text(row.violation_level.zh().to_owned()) },
    Column { heading: "考场号", width: 8, cell: |row| Cell::text(row.exam_room_no.as_deref()) },
    Column {
        heading: "座位号", width: 8, cell: |row| row.seat_no.map_or(Cell::Empty, |seat| Cell::Int(seat.into()))
    },
    Column { heading: "加时(分)", width: 8, cell: |row| Cell::Int(row.extra_minutes.into()) },
];
