//! How attempts are read: candidates with their sheets, also those who have none.

use std::collections::HashMap;

use exams::enums::{ExamAttendance, ExamEligibility, ExamEvent, RiskLevel, ViolationLevel};
use homework::{
    enums::{SheetMarkState, SubmitKind},
    marking::{MarkingItem, items_of},
    sheet::sheet,
};
use infra::{
    App, Error, Paging, Result, Scope, Window,
    across::{Key, Listed},
    clock::Moment,
    files,
};
use poem_openapi::Object;
use question_bank::question::QuestionMedia;
use sqlx::PgConnection;
use student_status::keyword::{Keyword, classify};

use super::Attempts;

/// A candidate with one of their sheets, as shown; whoever has not entered has one row without.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Attempt {
    /// 编号
    /// 答卷编号；未进入时为考生编号的负数
    pub id: i64,
    /// 考生编号
    pub candidate_id: i64,
    /// 答卷
    /// 未进入时为空；多次作答时每份一行
    pub sheet_id: Option<i64>,
    /// 考试编号
    pub setup_id: i64,
    /// 考试
    pub setup_name: String,
    /// 批次
    pub batch_name: String,
    /// 学生编号
    pub student_id: i64,
    /// 学号
    pub student_no: Option<String>,
    /// 姓名
    pub name: String,
    /// 班级
    pub class_name: Option<String>,
    /// 站点
    pub site_name: String,
    /// 资格
    pub eligibility: ExamEligibility,
    /// 到考
    pub attendance: ExamAttendance,
    /// 违规
    pub violation_level: ViolationLevel,
    /// 次数
    pub attempt_no: Option<i32>,
    /// 开始
    pub started_at: Option<Moment>,
    /// 截止
    pub deadline_at: Option<Moment>,
    /// 交卷
    pub submitted_at: Option<Moment>,
    /// 交卷方式
    pub submit_kind: Option<SubmitKind>,
    /// 最近心跳
    pub last_beat_at: Option<Moment>,
    /// 切屏
    pub switch_count: i32,
    /// 人脸失败
    pub face_fail_count: i32,
    /// 风险
    pub risk_level: RiskLevel,
    /// 风险分
    pub risk_score: i32,
    /// 客观分
    pub objective_score: Option<f64>,
    /// 主观分
    pub subjective_score: Option<f64>,
    /// 总分
    pub total_score: Option<f64>,
    /// 状态
    /// 未进入时为空
    pub mark_state: Option<SheetMarkState>,
    /// 加时(分)
    pub extra_minutes: i32,
    /// 版本
    pub version: Option<i32>,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct AttemptFilter {
    /// 批次
    pub batch_id: Option<i64>,
    /// 考试
    pub setup_id: Option<i64>,
    /// 课程
    pub course_id: Option<i64>,
    /// 站点
    pub site_id: Option<i64>,
    /// 班级
    pub class_id: Option<i64>,
    /// 学生
    pub student_id: Option<i64>,
    /// 状态
    pub mark_state: Option<SheetMarkState>,
    /// 已进入
    pub entered: Option<bool>,
    /// 交卷方式
    pub submit_kind: Option<SubmitKind>,
    /// 风险
    pub risk_level: Option<RiskLevel>,
    /// 违规
    pub violation_level: Option<ViolationLevel>,
    /// 开始时间从
    pub started_from: Option<Moment>,
    /// 开始时间到
    pub started_to: Option<Moment>,
    /// 关键字
    /// 学号、姓名、考生号、证件号或手机
    #[oai(validator(max_length = 50))]
    pub keyword: Option<String>,
}

/// A sheet with all that was seen of it.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct AttemptFile {
    /// 考试情况
    pub attempt: Attempt,
    /// 网络地址
    pub ip: String,
    /// 强制交卷原因
    pub force_reason: Option<String>,
    /// 作废原因
    pub void_reason: Option<String>,
    /// 题目
    pub items: Vec<MarkingItem>,
    /// 图片和音频
    pub media: Vec<QuestionMedia>,
    /// 进入时的照片
    pub face_url: Option<String>,
}

/// An event of a sheet.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ExamEventRow {
    /// 编号
    pub id: i64,
    /// 事件
    #[oai(rename = "type")]
    pub kind: ExamEvent,
    /// 客户端时间
    pub occurred_at: Option<Moment>,
    /// 收到时间
    pub received_at: Moment,
    /// 秒数
    pub seconds: Option<i32>,
    /// 说明
    pub detail: Option<String>,
    /// 操作人
    pub by_name: Option<String>,
    /// 照片
    pub url: Option<String>,
}

/// How many of an examination are where.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct AttemptStat {
    /// 应考
    pub candidates: i64,
    /// 未进入
    pub not_entered: i64,
    /// 作答中
    pub answering: i64,
    /// 已交卷
    pub handed_in: i64,
    /// 高风险
    pub high_risk: i64,
}

struct Wanted {
    filter: AttemptFilter,
    keyword: Keyword,
    scope: Scope,
}

impl Wanted {
    fn of(filter: &AttemptFilter, scope: &Scope) -> Self {
        let keyword = filter.keyword.as_deref().map(classify).unwrap_or_default();
        Self { filter: filter.clone(), keyword, scope: scope.clone() }
    }
}

/// A statement over the candidates `c` that a [`Wanted`] names, with each of their sheets `a` and what was watched of it `m`.
macro_rules! of_attempts {
    ($query:ident [$($row:ident)?] [$($head:tt)+] $wanted:ident [$($tail:tt)*] $(, $extra:expr)*) => {
        sqlx::$query!(
            $($row,)?
            $($head)+ +
            " from exam_candidate c
              join student y on y.id = c.student_id
              join exam_setup s on s.id = c.setup_id and s.mode = 'online'
              left join answer_sheet a on a.exam_candidate_id = c.id
              left join exam_sheet_monitor m on m.id = a.id
              where not c.removed
                and ($1::bigint[] is null or y.site_id = any($1) or y.class_id = any($2::bigint[]))
                and ($3::bigint is null or c.batch_id = $3)
                and ($4::bigint is null or c.setup_id = $4)
                and ($5::bigint is null or c.course_id = $5)
                and ($6::bigint is null or y.site_id = $6)
                and ($7::bigint is null or y.class_id = $7)
                and ($8::bigint is null or c.student_id = $8)
                and ($9::text is null or a.mark_state = $9)
                and ($10::boolean is null or (a.id is not null) = $10)
                and ($11::text is null or a.submit_kind = $11)
                and ($12::text is null or coalesce(m.risk_level, 'low') = $12)
                and ($13::text is null or c.violation_level = $13)
                and ($14::timestamptz is null or a.started_at >= $14)
                and ($15::timestamptz is null or a.started_at <= $15)
                and ($16::text is null or y.id_card_no = $16)
                and ($17::text is null or y.phone = $17)
                and ($18::text is null or y.student_no like $18 or y.examinee_no like $18
                     or ($18 !~ '[0-9]' and y.initials like lower(rtrim($18, '%')) || '%'))
                and ($19::text[] is null or y.name_grams @> $19) " $($tail)*,
            $wanted.scope.sites(),
            $wanted.scope.classes(),
            $wanted.filter.batch_id,
            $wanted.filter.setup_id,
            $wanted.filter.course_id,
            $wanted.filter.site_id,
            $wanted.filter.class_id,
            $wanted.filter.student_id,
            $wanted.filter.mark_state.map(SheetMarkState::as_str),
            $wanted.filter.entered,
            $wanted.filter.submit_kind.map(SubmitKind::as_str),
            $wanted.filter.risk_level.map(RiskLevel::as_str),
            $wanted.filter.violation_level.map(ViolationLevel::as_str),
            $wanted.filter.started_from as _,
            $wanted.filter.started_to as _,
            $wanted.keyword.id_card_no.as_deref(),
            $wanted.keyword.phone.as_deref(),
            $wanted.keyword.number.as_deref(),
            $wanted.keyword.name_grams.as_deref()
            $(, $extra)*
        )
    };
}

impl Listed for Attempts {
    type Filter = AttemptFilter;
    type Row = Attempt;

    fn id(row: &Attempt) -> i64 {
        row.id
    }

    async fn page(
        connection: &mut PgConnection,
        filter: &AttemptFilter,
        scope: &Scope,
        paging: Paging,
    ) -> Result<(i64, Vec<Attempt>)> {
        let wanted = Wanted::of(filter, scope);
        let total = of_attempts!(query_scalar [] [r#"select count(*) as "count!""#] wanted []);
        let total = total.fetch_one(&mut *connection).await?;
        let Some(window) = Window::of(paging, total) else { return Ok((total, Vec::new())) };
        let ids = of_attempts!(query_scalar []
            [r#"select coalesce(a.id, -c.id) as "id!""#]
            wanted
            [+ " order by case when $20 then c.created_at end, case when $20 then c.id end desc,
                    case when $20 then a.attempt_no end, c.created_at desc, c.id, a.attempt_no desc
                 limit $21 offset $22"],
            window.from_end,
            window.limit,
            window.offset);
        let mut ids: Vec<i64> = ids.fetch_all(&mut *connection).await?;
        if window.from_end {
            ids.reverse();
        }
        let rows = rows_of(connection, &ids).await?;
        let mut rows: HashMap<i64, Attempt> = rows.into_iter().map(|row| (row.id, row)).collect();
        Ok((total, ids.iter().filter_map(|id| rows.remove(id)).collect()))
    }

    async fn keys(
        connection: &mut PgConnection,
        filter: &AttemptFilter,
        scope: &Scope,
        until: Moment,
        most: i64,
    ) -> Result<Vec<Key>> {
        let wanted = Wanted::of(filter, scope);
        let keys = of_attempts!(query_as [Key]
            [r#"select coalesce(a.id, -c.id) as "id!", c.created_at as "created_at!", count(*) over () as "total!""#]
            wanted
            [+ " and c.created_at <= $20 order by c.created_at desc, 1 limit $21"],
            until,
            most);
        Ok(keys.fetch_all(connection).await?)
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64]) -> Result<Vec<Attempt>> {
        Ok(rows_of(connection, ids).await?)
    }
}

/// Rows by their ids: sheets, and below zero candidates who have none.
async fn rows_of(connection: &mut PgConnection, ids: &[i64]) -> sqlx::Result<Vec<Attempt>> {
    let (sheets, absent): (Vec<i64>, Vec<i64>) = ids.iter().copied().partition(|id| *id > 0);
    let absent: Vec<i64> = absent.into_iter().map(|id| -id).collect();
    sqlx::query_as!(
        Attempt,
        r#"select coalesce(a.id, -c.id) as "id!", c.id as "candidate_id!", a.id as "sheet_id?", c.setup_id as "setup_id!", s.name as "setup_name!", b.name as "batch_name!",
                  c.student_id as "student_id!", y.student_no, y.name as "name!", k.name as "class_name?", t.name as "site_name!",
                  c.eligibility as "eligibility!: _", c.attendance as "attendance!: _", c.violation_level as "violation_level!: _",
                  a.attempt_no as "attempt_no?", a.started_at as "started_at?", a.deadline_at as "deadline_at?",
                  a.submitted_at as "submitted_at?", a.submit_kind as "submit_kind?: _", m.last_beat_at as "last_beat_at?",
                  coalesce(m.switch_count, 0) as "switch_count!", coalesce(m.face_fail_count, 0) as "face_fail_count!",
                  coalesce(m.risk_level, 'low') as "risk_level!: _", coalesce(m.risk_score, 0) as "risk_score!",
                  a.objective_score::float8 as "objective_score?", a.subjective_score::float8 as "subjective_score?",
                  a.total_score::float8 as "total_score?", a.mark_state as "mark_state?: _", c.extra_minutes as "extra_minutes!",
                  a.version as "version?"
           from (select x.exam_candidate_id as candidate, x.id as sheet from answer_sheet x where x.id = any($1)
                 union all
                 select w.id, null from unnest($2::bigint[]) as w (id)) r
           join exam_candidate c on c.id = r.candidate
           join exam_setup s on s.id = c.setup_id
           join test_batch b on b.id = c.batch_id
           join student y on y.id = c.student_id
           join site t on t.id = y.site_id
           left join class k on k.id = y.class_id
           left join answer_sheet a on a.id = r.sheet
           left join exam_sheet_monitor m on m.id = a.id"#,
        &sheets,
        &absent
    )
    .fetch_all(connection)
    .await
}

/// A sheet with its paper, answers, marks and what was watched.
pub(super) async fn file_of(app: &App, connection: &mut PgConnection, id: i64) -> Result<AttemptFile> {
    let whole = sheet(connection, id).await?;
    let attempt = rows_of(connection, &[id]).await?.pop().ok_or_else(Error::not_found)?;
    let row = sqlx::query!(
        r#"select a.ip as "ip!", m.force_reason as "force_reason?", m.void_reason as "void_reason?", m.face_file_id as "face?"
           from answer_sheet a left join exam_sheet_monitor m on m.id = a.id where a.id = $1"#,
        id
    )
    .fetch_one(&mut *connection)
    .await?;
    let face_url = match row.face {
        Some(file) => files::address(app, connection, file).await?.map(|(url, _)| url),
        None => None,
    };
    let (items, media) = items_of(app, connection, (id, whole.snapshot_id), (None, None)).await?;
    Ok(AttemptFile {
        attempt,
        ip: row.ip,
        force_reason: row.force_reason,
        void_reason: row.void_reason,
        items,
        media,
        face_url,
    })
}

/// A page of the events of a sheet, in their order.
pub(super) async fn events(
    app: &App,
    connection: &mut PgConnection,
    sheet: i64,
    paging: Paging,
) -> Result<(i64, Vec<ExamEventRow>)> {
    let total = sqlx::query_scalar!(r#"select count(*) as "count!" from exam_event where sheet_id = $1"#, sheet)
        .fetch_one(&mut *connection)
        .await?;
    let rows = sqlx::query!(
        r#"select id, type as "kind: ExamEvent", occurred_at, received_at, seconds, detail, by_name, file_id
           from exam_event where sheet_id = $1 order by id limit $2 offset $3"#,
        sheet,
        paging.limit(),
        paging.offset()
    )
    .fetch_all(&mut *connection)
    .await?;
    let mut found = Vec::with_capacity(rows.len());
    for row in rows {
        let url = match row.file_id {
            Some(file) => files::address(app, connection, file).await?.map(|(url, _)| url),
            None => None,
        };
        found.push(ExamEventRow {
            id: row.id,
            kind: row.kind,
            occurred_at: row.occurred_at,
            received_at: row.received_at,
            seconds: row.seconds,
            detail: row.detail,
            by_name: row.by_name,
            url,
        });
    }
    Ok((total, found))
}

/// How many of an examination are where, within the scope.
pub(super) async fn stat(connection: &mut PgConnection, setup: i64, scope: &Scope) -> Result<AttemptStat> {
    Ok(sqlx::query_as!(
        AttemptStat,
        r#"select count(*) as "candidates!", count(*) filter (where a.id is null) as "not_entered!",
                  count(*) filter (where a.mark_state = 'in_progress') as "answering!",
                  count(*) filter (where a.mark_state in ('submitted', 'marked')) as "handed_in!",
                  count(*) filter (where m.risk_level = 'high') as "high_risk!"
           from exam_candidate c
           join student y on y.id = c.student_id
           left join lateral (
               select x.id, x.mark_state from answer_sheet x
               where x.exam_candidate_id = c.id and x.mark_state <> 'void' order by x.attempt_no desc limit 1) a on true
           left join exam_sheet_monitor m on m.id = a.id
           where c.setup_id = $1 and not c.removed and c.eligibility = 'eligible'
             and ($2::bigint[] is null or y.site_id = any($2) or y.class_id = any($3::bigint[]))"#,
        setup,
        scope.sites(),
        scope.classes()
    )
    .fetch_one(connection)
    .await?)
}
