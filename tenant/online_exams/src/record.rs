//! 考试记录 of examinations on the net, as the contract's export has them (part 04 §2.5).

use std::collections::HashMap;

use exam_rules::{enums::ExamRound, percent::of_hundred};
use exams::enums::{ExamAttendance, RiskLevel, ViolationLevel};
use futures_util::{TryStreamExt, stream};
use homework::enums::{SheetMarkState, SubmitKind};
use infra::{
    Allowed, App, Body, Error, Paged, Paging, Part, Reply, Result, Scope, Window,
    across::{self, Key, Listed, SchoolPage},
    clock::Moment,
    naming::tenths as cell,
    permissions, reply,
    sheet::{Cell, Column},
    transfer::{self, Export, Exported, Rows, export_job},
};
use poem_openapi::{Object, OpenApi, param::Query};
use question_bank::score::{points, tenths};
use sqlx::PgConnection;

permissions! {
    pages
        "/schoolPC/examination/onlineIndex/onlineExamination",
        "/platformPC/examination/onlineIndex/onlineExamination";
    EachSchool Reads       ListExamRecords   = "adult:pc:exam:achievement:record:list" "考试记录列表";
    EachSchool Reads       ViewExamRecord    = "adult:pc:exam:achievement:record:view" "查看考试记录";
    EachSchool ReadsLogged ExportExamRecords = "adult:pc:exam:achievement:record:export" "导出考试记录";
}

pub const PART: Part =
    Part { permissions: &[PERMISSIONS], jobs: &[export_job::<ExamRecords>()], option_pages: PAGES, ..Part::NONE };

/// A sheet of an examination, as the records tell it.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ExamRecord {
    /// 编号
    /// 考生编号
    pub id: i64,
    /// 批次
    pub batch_name: String,
    /// 考试名称
    pub setup_name: String,
    /// 课程编码
    pub course_code: String,
    /// 课程名称
    pub course_name: String,
    /// 考试性质
    pub round: ExamRound,
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
    /// 班级
    pub class_name: Option<String>,
    /// 教学站点
    pub site_name: String,
    /// 答卷
    pub sheet_id: Option<i64>,
    /// 开始时间
    pub started_at: Option<Moment>,
    /// 交卷时间
    pub submitted_at: Option<Moment>,
    /// 用时(分)
    pub minutes: Option<i64>,
    /// 交卷方式
    pub submit_kind: Option<SubmitKind>,
    /// 状态
    pub mark_state: Option<SheetMarkState>,
    /// 客观题得分
    pub objective_score: Option<f64>,
    /// 主观题得分
    pub subjective_score: Option<f64>,
    /// 卷面总分
    pub total_score: Option<f64>,
    /// 百分制成绩
    pub percent_score: Option<f64>,
    /// 到考情况
    pub attendance: ExamAttendance,
    /// 切屏次数
    pub switch_count: i32,
    /// 风险等级
    pub risk_level: RiskLevel,
    /// 违规认定
    pub violation_level: ViolationLevel,
    /// 网络地址
    pub ip: Option<String>,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct ExamRecordFilter {
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
    pub status: Option<SheetMarkState>,
}

/// The list of records.
pub struct ExamRecords;

#[OpenApi(prefix_path = "/adult/pc/exam/achievement/record", tag = "crate::Tag::OnlineExams")]
impl ExamRecords {
    /// 考试记录列表
    #[oai(path = "/list", method = "post", operation_id = "listExamRecords")]
    async fn list(
        &self,
        caller: Allowed<ListExamRecords>,
        Body(asked): Body<Paged<ExamRecordFilter>>,
    ) -> Result<Reply<SchoolPage<ExamRecord>>> {
        across::list::<Self, _>(&caller, asked.paging()?, asked.filter).await
    }

    /// 查看考试记录
    #[oai(path = "/view", method = "get", operation_id = "viewExamRecord")]
    async fn view(
        &self,
        caller: Allowed<ViewExamRecord>,
        /// 考生编号
        id: Query<i64>,
    ) -> Result<Reply<ExamRecord>> {
        let scope = caller.scope();
        let mut tx = caller.read().await?;
        let seen = sqlx::query_scalar!(
            r#"select exists (
                   select from exam_candidate c join student y on y.id = c.student_id
                   where c.id = $1 and not c.removed
                     and ($2::bigint[] is null or y.site_id = any($2) or y.class_id = any($3::bigint[]))) as "seen!""#,
            id.0,
            scope.sites(),
            scope.classes()
        )
        .fetch_one(&mut *tx)
        .await?;
        if !seen {
            return Err(Error::not_found());
        }
        Ok(reply(rows_of(&mut tx, &[id.0]).await?.pop().ok_or_else(Error::not_found)?))
    }

    /// 导出考试记录
    #[oai(path = "/export", method = "post", operation_id = "exportExamRecords")]
    async fn export(
        &self,
        caller: Allowed<ExportExamRecords>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<ExamRecordFilter>>,
    ) -> Result<Exported> {
        let scope = caller.scope();
        if job.0 != Some(true) && caller.school_id().is_some() {
            let any = Self::page(&mut *caller.read().await?, &asked.filter, &scope, Paging::of(None, Some(1))?).await?;
            if any.0 == 0 {
                return Err(Error::new(999, "没有可导出的数据"));
            }
        }
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}

/// A statement over the candidates `c` that a filter names, with the state of the sheet `a` that counts: the best one, or the newest.
macro_rules! of_records {
    ($query:ident [$($row:ident)?] [$($head:tt)+] ($filter:ident, $scope:ident) [$($tail:tt)*] $(, $extra:expr)*) => {
        sqlx::$query!(
            $($row,)?
            $($head)+ +
            " from exam_candidate c
              join student y on y.id = c.student_id
              join exam_setup s on s.id = c.setup_id and s.mode = 'online' and s.status in ('published', 'closed')
              left join lateral (
                  select x.mark_state from answer_sheet x where x.exam_candidate_id = c.id and x.mark_state <> 'void'
                  order by case when s.attempt_scoring = 'highest' then x.total_score end desc nulls last, x.attempt_no desc
                  limit 1) a on true
              where not c.removed
                and ($1::bigint[] is null or y.site_id = any($1) or y.class_id = any($2::bigint[]))
                and ($3::bigint is null or c.batch_id = $3)
                and ($4::bigint is null or c.setup_id = $4)
                and ($5::bigint is null or c.course_id = $5)
                and ($6::bigint is null or y.site_id = $6)
                and ($7::bigint is null or y.class_id = $7)
                and ($8::bigint is null or c.student_id = $8)
                and ($9::text is null or a.mark_state = $9) " $($tail)*,
            $scope.sites(),
            $scope.classes(),
            $filter.batch_id,
            $filter.setup_id,
            $filter.course_id,
            $filter.site_id,
            $filter.class_id,
            $filter.student_id,
            $filter.status.map(SheetMarkState::as_str)
            $(, $extra)*
        )
    };
}

impl Listed for ExamRecords {
    type Filter = ExamRecordFilter;
    type Row = ExamRecord;

    fn id(row: &ExamRecord) -> i64 {
        row.id
    }

    async fn page(
        connection: &mut PgConnection,
        filter: &ExamRecordFilter,
        scope: &Scope,
        paging: Paging,
    ) -> Result<(i64, Vec<ExamRecord>)> {
        let total = of_records!(query_scalar [] [r#"select count(*) as "count!""#] (filter, scope) []);
        let total = total.fetch_one(&mut *connection).await?;
        let Some(window) = Window::of(paging, total) else { return Ok((total, Vec::new())) };
        let ids = of_records!(query_scalar []
            [r#"select c.id as "id!""#]
            (filter, scope)
            [+ " order by case when $10 then c.created_at end, case when $10 then c.id end desc, c.created_at desc, c.id
                 limit $11 offset $12"],
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
        filter: &ExamRecordFilter,
        scope: &Scope,
        until: Moment,
        most: i64,
    ) -> Result<Vec<Key>> {
        let keys = of_records!(query_as [Key]
            [r#"select c.id as "id!", c.created_at as "created_at!", count(*) over () as "total!""#]
            (filter, scope)
            [+ " and c.created_at <= $10 order by c.created_at desc, c.id limit $11"],
            until,
            most);
        Ok(keys.fetch_all(connection).await?)
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64]) -> Result<Vec<ExamRecord>> {
        Ok(rows_of(connection, ids).await?)
    }
}

async fn in_order(connection: &mut PgConnection, ids: &[i64]) -> sqlx::Result<Vec<ExamRecord>> {
    let rows = rows_of(connection, ids).await?;
    let mut rows: HashMap<i64, ExamRecord> = rows.into_iter().map(|row| (row.id, row)).collect();
    Ok(ids.iter().filter_map(|id| rows.remove(id)).collect())
}

async fn rows_of(connection: &mut PgConnection, ids: &[i64]) -> sqlx::Result<Vec<ExamRecord>> {
    let rows = sqlx::query!(
        r#"select c.id as "id!", b.name as "batch!", s.name as "setup!", u.code as "code!", u.name as "course!",
                  c.round as "round!: ExamRound", y.student_no, y.name as "name!", g.name as "grade!", l.name as "level!",
                  m.name as "major!", k.name as "class?", t.name as "site!", a.id as "sheet?", a.started_at as "started?",
                  a.submitted_at as "submitted?", a.submit_kind as "kind?: SubmitKind", a.mark_state as "state?: SheetMarkState",
                  a.objective_score::float8 as "objective?", a.subjective_score::float8 as "subjective?",
                  a.total_score::float8 as "total?", (s.paper_total * 10)::bigint as "paper?",
                  c.attendance as "attendance!: ExamAttendance", coalesce(w.switch_count, 0) as "switches!",
                  coalesce(w.risk_level, 'low') as "risk!: RiskLevel", c.violation_level as "violation!: ViolationLevel", a.ip as "ip?"
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
           left join lateral (
               select x.id, x.started_at, x.submitted_at, x.submit_kind, x.mark_state, x.objective_score, x.subjective_score,
                      x.total_score, x.ip
               from answer_sheet x where x.exam_candidate_id = c.id and x.mark_state <> 'void'
               order by case when s.attempt_scoring = 'highest' then x.total_score end desc nulls last, x.attempt_no desc
               limit 1) a on true
           left join exam_sheet_monitor w on w.id = a.id
           where c.id = any($1)"#,
        ids
    )
    .fetch_all(connection)
    .await?;
    let record = rows.into_iter().map(|row| ExamRecord {
        id: row.id,
        batch_name: row.batch,
        setup_name: row.setup,
        course_code: row.code,
        course_name: row.course,
        round: row.round,
        student_no: row.student_no,
        name: row.name,
        grade_name: row.grade,
        level_name: row.level,
        major_name: row.major,
        class_name: row.class,
        site_name: row.site,
        sheet_id: row.sheet,
        started_at: row.started,
        submitted_at: row.submitted,
        minutes: row.started.zip(row.submitted).map(|(from, to)| (to - from).num_minutes()),
        submit_kind: row.kind,
        mark_state: row.state,
        objective_score: row.objective,
        subjective_score: row.subjective,
        total_score: row.total,
        percent_score: row.total.zip(row.paper).map(|(total, paper)| points(of_hundred(tenths(total), paper))),
        attendance: row.attendance,
        switch_count: row.switches,
        risk_level: row.risk,
        violation_level: row.violation,
        ip: row.ip,
    });
    Ok(record.collect())
}

fn score(score: Option<f64>) -> Cell {
    score.map_or(Cell::Empty, cell)
}

/// Rows of an export that are read at once.
const AT_ONCE: usize = 1_000;

impl Export for ExamRecords {
    type Filter = ExamRecordFilter;
    type Row = ExamRecord;
    const KIND: &'static str = "online_exam.record.export";
    type Permission = ExportExamRecords;
    const TITLE: &'static str = "在线考试记录";
    const COLUMNS: &'static [Column<ExamRecord>] = &[
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
        Column { heading: "班级", width: 24, cell: |row| Cell::text(row.class_name.as_deref()) },
        Column { heading: "教学站点", width: 20, cell: |row| Cell::Text(row.site_name.clone()) },
        Column { heading: "开始时间", width: 20, cell: |row| Cell::time(row.started_at) },
        Column { heading: "交卷时间", width: 20, cell: |row| Cell::time(row.submitted_at) },
        Column { heading: "用时(分)", width: 8, cell: |row| row.minutes.map_or(Cell::Empty, Cell::Int) },
        Column { heading: "交卷方式", width: 10, cell: |row| Cell::text(row.submit_kind.map(SubmitKind::zh)) },
        Column { heading: "客观题得分", width: 10, cell: |row| score(row.objective_score) },
        Column { heading: "主观题得分", width: 10, cell: |row| score(row.subjective_score) },
        Column { heading: "卷面总分", width: 10, cell: |row| score(row.total_score) },
        Column { heading: "百分制成绩", width: 10, cell: |row| score(row.percent_score) },
        Column { heading: "到考情况", width: 10, cell: |row| Cell::Text(row.attendance.zh().to_owned()) },
        Column { heading: "切屏次数", width: 8, cell: |row| Cell::Int(row.switch_count.into()) },
        Column { heading: "风险等级", width: 8, cell: |row| Cell::Text(row.risk_level.zh().to_owned()) },
        Column { heading: "违规认定", width: 8, cell: |row| Cell::Text(row.violation_level.zh().to_owned()) },
        Column { heading: "IP", width: 18, cell: |row| Cell::text(row.ip.as_deref()) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &ExamRecordFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, ExamRecord>> {
        let ids = of_records!(query_scalar []
            [r#"select c.id as "id!""#]
            (filter, scope)
            [+ " order by c.setup_id desc, y.student_no, c.id"]);
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
