//! How sheets are read: list, view and export show the same.

use infra::{
    App, Result, Scope,
    across::{Key, KeyQuery, Keyed},
    clock::Moment,
    naming::sought,
};
use poem_openapi::Object;
use scores_rules::{
    enums::{SheetRound, SheetSource, SheetStatus},
    sheet::{Doubted, told},
};
use sqlx::PgConnection;

use crate::evidence::{ScoreFile, shown};

/// The list of sheets.
pub struct ScoreSheets;

/// A sheet, as stored and as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ScoreSheetLine {
    /// 编号
    pub id: i64,
    /// 登记表号
    pub sheet_no: String,
    /// 批次编号
    pub batch_id: i64,
    /// 批次
    pub batch_name: String,
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
    /// 班级编号
    pub class_id: Option<i64>,
    /// 班级
    pub class_name: Option<String>,
    /// 站点
    pub site_name: Option<String>,
    /// 性质
    pub round: SheetRound,
    /// 来源
    pub source: SheetSource,
    /// 录入人编号
    pub teacher_id: Option<i64>,
    /// 录入人
    pub teacher_name: Option<String>,
    /// 应录
    pub total_count: i32,
    /// 已录
    pub entered_count: i32,
    /// 缺考
    pub absent_count: i32,
    /// 平均分
    pub mean: Option<f64>,
    /// 最高
    pub highest: Option<f64>,
    /// 最低
    pub lowest: Option<f64>,
    /// 及格率(%)
    pub pass_rate: Option<f64>,
    /// 优秀率(%)
    pub excellent_rate: Option<f64>,
    /// 异常提示
    pub doubts: Vec<String>,
    #[oai(skip)]
    pub(super) judged: i64,
    #[oai(skip)]
    pub(super) failed: i64,
    #[oai(skip)]
    pub(super) alike: i64,
    /// 录入开始
    pub entry_starts_at: Option<Moment>,
    /// 录入截止
    pub entry_ends_at: Option<Moment>,
    /// 延长原因
    pub extend_reason: Option<String>,
    /// 逾期
    pub overdue: bool,
    /// 状态
    pub status: SheetStatus,
    /// 提交人
    pub submitted_by_name: Option<String>,
    /// 提交时间
    pub submitted_at: Option<Moment>,
    /// 初审人
    pub first_reviewed_by_name: Option<String>,
    /// 初审时间
    pub first_reviewed_at: Option<Moment>,
    /// 终审人
    pub reviewed_by_name: Option<String>,
    /// 终审时间
    pub reviewed_at: Option<Moment>,
    /// 审核意见
    pub review_opinion: Option<String>,
    /// 发布时间
    pub published_at: Option<Moment>,
    /// 退回原因
    pub return_reason: Option<String>,
    /// 创建时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

/// A sheet with its signed paper.
#[derive(Debug, Clone, Object)]
pub struct ScoreSheetView {
    #[oai(flatten)]
    pub sheet: ScoreSheetLine,
    /// 签字扫描件
    pub files: Vec<ScoreFile>,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct ScoreSheetFilter {
    /// 批次
    pub batch_id: Option<i64>,
    /// 学期
    pub semester_id: Option<i64>,
    /// 站点
    pub site_id: Option<i64>,
    /// 年级
    pub grade_id: Option<i64>,
    /// 层次
    pub level_id: Option<i64>,
    /// 专业
    pub major_id: Option<i64>,
    /// 班级
    pub class_id: Option<i64>,
    /// 课程
    pub course_id: Option<i64>,
    /// 性质
    #[oai(validator(max_items = 3))]
    pub rounds: Option<Vec<SheetRound>>,
    /// 来源
    pub source: Option<SheetSource>,
    /// 状态
    pub status: Option<SheetStatus>,
    /// 录入人
    pub teacher_id: Option<i64>,
    /// 逾期
    pub overdue: Option<bool>,
    /// 已录入
    /// 只看已有成绩的登记表
    pub entered: Option<bool>,
    /// 已提交
    /// 只看提交过的登记表，含退回的
    pub submitted: Option<bool>,
    /// 登记表号
    #[oai(validator(max_length = 30))]
    pub sheet_no: Option<String>,
    /// 编号
    #[oai(validator(max_items = 1000))]
    pub ids: Option<Vec<i64>>,
    /// 课程
    /// 代码或名称包含；查看全部院校时代替课程编号
    #[oai(validator(max_length = 50))]
    pub course_text: Option<String>,
}

impl Keyed for ScoreSheets {
    type Filter = ScoreSheetFilter;
    type Row = ScoreSheetLine;

    fn id(row: &ScoreSheetLine) -> i64 {
        row.id
    }

    fn states(filter: &ScoreSheetFilter) -> Vec<(&'static str, ScoreSheetFilter)> {
        let of = |status: SheetStatus| ScoreSheetFilter { status: Some(status), ..filter.clone() };
        SheetStatus::CHOICES.iter().map(|(_, status)| (status.as_str(), of(*status))).collect()
    }

    /// A sheet lies where its class is; one without a class is for whoever sees the whole school.
    async fn matching(
        connection: &mut PgConnection,
        filter: &ScoreSheetFilter,
        scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        let rounds: Option<Vec<&str>> =
            filter.rounds.as_ref().map(|rounds| rounds.iter().map(|round| round.as_str()).collect());
        let texts = sought([filter.course_text.as_deref()]);
        sqlx::query_as!(
            Key,
            r#"select s.id as "id!", s.created_at as "created_at!", count(*) over () as "total!"
               from score_sheet s
               join test_batch b on b.id = s.batch_id
               left join class k on k.id = s.class_id
               where ($1::bigint[] is null or k.site_id = any($1) or k.id = any($2::bigint[]))
                 and ($3::bigint is null or s.batch_id = $3)
                 and ($4::bigint is null or s.semester_id = $4)
                 and ($5::bigint is null or k.site_id = $5)
                 and ($6::bigint is null or k.grade_id = $6)
                 and ($7::bigint is null or k.level_id = $7)
                 and ($8::bigint is null or k.major_id = $8)
                 and ($9::bigint is null or s.class_id = $9)
                 and ($10::bigint is null or s.course_id = $10)
                 and ($11::text[] is null or s.round = any($11))
                 and ($12::text is null or s.source = $12)
                 and ($13::text is null or s.status = $13)
                 and ($14::bigint is null or s.teacher_id = $14)
                 and ($15::boolean is null or $15 = (s.status in ('pending', 'entering', 'returned')
                          and coalesce(greatest(s.entry_open_until, b.score_entry_ends_at) < now(), false)))
                 and ($16::boolean is null or $16 = (s.entered_count > 0))
                 and ($17::text is null or starts_with(s.sheet_no, $17))
                 and ($18::bigint[] is null or s.id = any($18))
                 and ($19::bigint is null or s.id = $19)
                 and ($20::timestamptz is null or s.created_at <= $20)
                 and ($24::boolean is null or $24 = (s.status not in ('pending', 'entering')))
                 and (($21::text[])[1] is null or s.course_id = any(array(
                          select x.id from course x where strpos(lower(x.code), ($21::text[])[1]) > 0 or strpos(lower(x.name), ($21::text[])[1]) > 0)))
               order by s.created_at desc, s.id
               limit $22 offset $23"#,
            scope.sites(),
            scope.classes(),
            filter.batch_id,
            filter.semester_id,
            filter.site_id,
            filter.grade_id,
            filter.level_id,
            filter.major_id,
            filter.class_id,
            filter.course_id,
            rounds.as_deref() as _,
            filter.source.map(SheetSource::as_str),
            filter.status.map(SheetStatus::as_str),
            filter.teacher_id,
            filter.overdue,
            filter.entered,
            filter.sheet_no,
            filter.ids.as_deref(),
            wanted.id,
            wanted.newest_until as _,
            texts.as_deref() as _,
            wanted.limit,
            wanted.offset,
            filter.submitted
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], _scope: &Scope) -> sqlx::Result<Vec<ScoreSheetLine>> {
        let mut sheets = sqlx::query_as!(
            ScoreSheetLine,
            r#"select s.id as "id!", s.sheet_no as "sheet_no!", s.batch_id as "batch_id!", b.name as "batch_name!",
                      s.semester_id as "semester_id!", e.name as "semester_name!", s.course_id as "course_id!",
                      u.code as "course_code!", u.name as "course_name!", s.class_id, k.name as "class_name?",
                      t.name as "site_name?", s.round as "round!: _", s.source as "source!: _", s.teacher_id,
                      a.name as "teacher_name?", s.total_count as "total_count!", s.entered_count as "entered_count!",
                      s.absent_count as "absent_count!", n.mean as "mean?", n.highest as "highest?", n.lowest as "lowest?",
                      n.passed as "pass_rate?", n.excellent as "excellent_rate?", '{}'::text[] as "doubts!",
                      n.judged as "judged!", n.failed as "failed!", n.alike as "alike!",
                      b.score_entry_starts_at as "entry_starts_at?",
                      greatest(s.entry_open_until, b.score_entry_ends_at) as "entry_ends_at?",
                      s.extend_reason, (s.status in ('pending', 'entering', 'returned')
                       and coalesce(greatest(s.entry_open_until, b.score_entry_ends_at) < now(), false)) as "overdue!",
                      s.status as "status!: _", s.submitted_by_name, s.submitted_at as "submitted_at?",
                      s.first_reviewed_by_name, s.first_reviewed_at as "first_reviewed_at?", s.reviewed_by_name,
                      s.reviewed_at as "reviewed_at?", s.review_opinion, s.published_at as "published_at?", s.return_reason,
                      s.created_at as "created_at!", s.version as "version!"
               from score_sheet s
               join test_batch b on b.id = s.batch_id
               join semester e on e.id = s.semester_id
               join course u on u.id = s.course_id
               left join class k on k.id = s.class_id
               left join site t on t.id = k.site_id
               left join teacher a on a.id = s.teacher_id
               cross join lateral (
                   select round(avg(v.value) filter (where v.mark = 'normal'), 1)::float8 as mean,
                          (max(v.value) filter (where v.mark = 'normal'))::float8 as highest,
                          (min(v.value) filter (where v.mark = 'normal'))::float8 as lowest,
                          round(100.0 * (count(*) filter (where v.total >= v.pass)) / nullif(count(v.total), 0), 1)::float8 as passed,
                          round(100.0 * (count(*) filter (where v.total >= 90)) / nullif(count(v.total), 0), 1)::float8 as excellent,
                          count(v.total) filter (where v.mark = 'normal') as judged,
                          count(*) filter (where v.mark = 'normal' and v.total < v.pass) as failed,
                          count(*) filter (where v.mark = 'normal' and v.value = v.before and v.before = v.earlier) as alike
                   from (
                       select w.value, w.mark, x.total, coalesce((c.formula #>> '{params,total,passLine}')::numeric, 60) as pass,
                              lag(w.value) over beside as before, lag(w.value, 2) over beside as earlier
                       from score_sheet_row r
                       join course_score c on c.id = r.course_score_id
                       join student y on y.id = c.student_id
                       left join exam_score x on x.course_score_id = r.course_score_id and x.sheet_id = r.sheet_id
                       cross join lateral (
                           select case when x.id is not null and s.status in ('published', 'locked') then x.value else r.value end as value,
                                  case when x.id is not null and s.status in ('published', 'locked') then x.mark else r.mark end as mark) w
                       where r.sheet_id = s.id and not r.excluded
                       window beside as (partition by w.mark = 'normal' order by y.student_no nulls last, y.id)) v) n
               where s.id = any($1)"#,
            ids
        )
        .fetch_all(connection)
        .await?;
        for sheet in &mut sheets {
            let mean = sheet.mean.map(|mean| (mean * 10.0).round() as i64);
            let of = Doubted { mean, judged: sheet.judged, failed: sheet.failed, alike: sheet.alike };
            sheet.doubts = told(&of);
        }
        Ok(sheets)
    }
}

/// One with the scans of its signed paper.
///
/// # Errors
/// 404 beyond the scope.
pub(super) async fn viewed(app: &App, connection: &mut PgConnection, id: i64, scope: &Scope) -> Result<ScoreSheetView> {
    let sheet = ScoreSheets::find(connection, id, scope).await?;
    let ids =
        sqlx::query_scalar!("select file_id from score_sheet_file where sheet_id = $1 order by sort_no, file_id", id)
            .fetch_all(&mut *connection)
            .await?;
    Ok(ScoreSheetView { sheet, files: shown(app, connection, &ids).await? })
}
