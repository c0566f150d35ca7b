//! 线下成绩: marks that came on paper, over all sheets (part 04 §6.2).

use infra::{
    Allowed, App, Body, Change, Page, Paged, Part, Reply, Result, Scope, Tx,
    across::{Key, KeyQuery, Keyed, Listed},
    clock::Moment,
    naming::tenths,
    permissions, reply,
    sheet::{Cell, Column, Row, Template},
    transfer::{
        self, Attachment, Export, Exported, Import, ImportAnswer, ImportForm, Imported, Rows, export_job, import_job,
    },
};
use poem_openapi::{Object, OpenApi, param::Query};
use scores_rules::enums::{ExamRound, ExamScoreSource, ScoreMark, SheetStatus};
use sqlx::PgConnection;

use crate::sheet::import::Marks;

permissions! {
    pages "/schoolPC/achievement/gradeProcessing/offlineScoreList";
    InSchool Reads       ListOfflineScores   = "adult:pc:score:offline:list" "线下成绩列表";
    InSchool ReadsLogged ExportOfflineScores = "adult:pc:score:offline:export" "导出线下成绩";
    InSchool Writes      ImportOfflineScores = "adult:pc:score:offline:import" "导入线下成绩";
    InSchool Reads       FetchOfflineSheet   = "adult:pc:score:offline:import" "导入线下成绩";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    jobs: &[export_job::<OfflineScores>(), import_job::<OfflineRows>()],
    option_pages: PAGES,
    ..Part::NONE
};

/// The list of offline scores.
pub struct OfflineScores;

/// A mark that came on paper.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct OfflineScore {
    /// 编号
    pub id: i64,
    /// 学号
    pub student_no: Option<String>,
    /// 姓名
    pub student_name: String,
    /// 班级
    pub class_name: Option<String>,
    /// 课程
    pub course_name: String,
    /// 批次
    pub batch_name: Option<String>,
    /// 性质
    pub round: ExamRound,
    /// 考场
    pub room_no: Option<String>,
    /// 座位
    pub seat_no: Option<i32>,
    /// 卷面分
    pub raw: Option<f64>,
    /// 卷面总分
    pub paper_total: f64,
    /// 特殊情况
    pub mark: ScoreMark,
    /// 来源
    pub source: ExamScoreSource,
    /// 登记表编号
    pub sheet_id: Option<i64>,
    /// 登记表号
    pub sheet_no: Option<String>,
    /// 录入人
    pub entered_by_name: String,
    /// 录入时间
    pub entered_at: Moment,
    /// 登记表状态
    pub sheet_status: Option<SheetStatus>,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct OfflineScoreFilter {
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
    pub round: Option<ExamRound>,
    /// 特殊情况
    pub mark: Option<ScoreMark>,
    /// 卷面分下限
    pub raw_from: Option<f64>,
    /// 卷面分上限
    pub raw_to: Option<f64>,
    /// 登记表状态
    pub sheet_status: Option<SheetStatus>,
    /// 来源
    /// 录入或导入
    pub source: Option<ExamScoreSource>,
    /// 登记表录入人
    pub teacher_id: Option<i64>,
    /// 逾期
    /// 登记表过了录入截止时间仍未提交
    pub overdue: Option<bool>,
    /// 关键字
    /// 学号或姓名
    #[oai(validator(max_length = 50))]
    pub keyword: Option<String>,
}

impl Keyed for OfflineScores {
    type Filter = OfflineScoreFilter;
    type Row = OfflineScore;

    fn id(row: &OfflineScore) -> i64 {
        row.id
    }

    async fn matching(
        connection: &mut PgConnection,
        filter: &OfflineScoreFilter,
        scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        sqlx::query_as!(
            Key,
            r#"select x.id as "id!", x.created_at as "created_at!", count(*) over () as "total!"
               from exam_score x
               join course_score s on s.id = x.course_score_id
               join student y on y.id = s.student_id
               left join score_sheet h on h.id = x.sheet_id
               left join test_batch b on b.id = h.batch_id
               where x.source in ('offline_entry', 'import')
                 and ($1::bigint[] is null or y.site_id = any($1) or y.class_id = any($2::bigint[]))
                 and ($3::bigint is null or h.batch_id = $3)
                 and ($4::bigint is null or s.semester_id = $4)
                 and ($5::bigint is null or y.site_id = $5)
                 and ($6::bigint is null or y.grade_id = $6)
                 and ($7::bigint is null or y.major_id = $7)
                 and ($8::bigint is null or s.class_id = $8)
                 and ($9::bigint is null or s.course_id = $9)
                 and ($10::text is null or x.round = $10)
                 and ($11::text is null or x.mark = $11)
                 and ($12::float8 is null or x.raw >= $12::float8::numeric)
                 and ($13::float8 is null or x.raw <= $13::float8::numeric)
                 and ($14::text is null or h.status = $14)
                 and ($15::text is null or y.student_no = $15 or strpos(y.name, $15) > 0)
                 and ($16::bigint is null or x.id = $16)
                 and ($17::timestamptz is null or x.created_at <= $17)
                 and ($20::bigint is null or y.level_id = $20)
                 and ($21::text is null or x.source = $21)
                 and ($22::bigint is null or h.teacher_id = $22)
                 and ($23::boolean is null or $23 = coalesce(h.status in ('pending', 'entering', 'returned')
                          and greatest(h.entry_open_until, b.score_entry_ends_at) < now(), false))
               order by x.created_at desc, x.id
               limit $18 offset $19"#,
            scope.sites(),
            scope.classes(),
            filter.batch_id,
            filter.semester_id,
            filter.site_id,
            filter.grade_id,
            filter.major_id,
            filter.class_id,
            filter.course_id,
            filter.round.map(ExamRound::as_str),
            filter.mark.map(ScoreMark::as_str),
            filter.raw_from,
            filter.raw_to,
            filter.sheet_status.map(SheetStatus::as_str),
            filter.keyword,
            wanted.id,
            wanted.newest_until as _,
            wanted.limit,
            wanted.offset,
            filter.level_id,
            filter.source.map(ExamScoreSource::as_str),
            filter.teacher_id,
            filter.overdue
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], _scope: &Scope) -> sqlx::Result<Vec<OfflineScore>> {
        sqlx::query_as!(
            OfflineScore,
            r#"select x.id as "id!", y.student_no, y.name as "student_name!", k.name as "class_name?", u.name as "course_name!",
                      b.name as "batch_name?", x.round as "round!: _",
                      (select w.exam_room_no from offline_seat q join offline_session_room w on w.id = q.session_room_id
                       where q.candidate_id = x.candidate_id limit 1) as "room_no?",
                      (select q.seat_no from offline_seat q where q.candidate_id = x.candidate_id limit 1) as "seat_no?",
                      x.raw::float8 as "raw?", x.paper_total::float8 as "paper_total!", x.mark as "mark!: _",
                      x.source as "source!: _", x.sheet_id, h.sheet_no as "sheet_no?",
                      x.entered_by_name as "entered_by_name!", x.updated_at as "entered_at!", h.status as "sheet_status?: _"
               from exam_score x
               join course_score s on s.id = x.course_score_id
               join student y on y.id = s.student_id
               join course u on u.id = s.course_id
               left join class k on k.id = s.class_id
               left join score_sheet h on h.id = x.sheet_id
               left join test_batch b on b.id = h.batch_id
               where x.id = any($1)"#,
            ids
        )
        .fetch_all(connection)
        .await
    }
}

impl Export for OfflineScores {
    type Filter = OfflineScoreFilter;
    type Row = OfflineScore;
    const KIND: &'static str = "offline_score.export";
    type Permission = ExportOfflineScores;
    const TITLE: &'static str = "线下成绩";
    const COLUMNS: &'static [Column<OfflineScore>] = &[
        Column { heading: "学号", width: 18, cell: |row| Cell::text(row.student_no.as_deref()) },
        Column { heading: "姓名", width: 12, cell: |row| Cell::Text(row.student_name.clone()) },
        Column { heading: "班级", width: 24, cell: |row| Cell::text(row.class_name.as_deref()) },
        Column { heading: "课程", width: 28, cell: |row| Cell::Text(row.course_name.clone()) },
        Column { heading: "批次", width: 24, cell: |row| Cell::text(row.batch_name.as_deref()) },
        Column { heading: "性质", width: 10, cell: |row| Cell::Text(row.round.zh().to_owned()) },
        Column { heading: "考场", width: 10, cell: |row| Cell::text(row.room_no.as_deref()) },
        Column {
            heading: "座位",
            width: 8,
            cell: |row| row.seat_no.map_or(Cell::Empty, |seat| Cell::Int(seat.into())),
        },
        Column { heading: "卷面分", width: 8, cell: |row| row.raw.map_or(Cell::Empty, tenths) },
        Column { heading: "特殊情况", width: 10, cell: |row| Cell::Text(row.mark.zh().to_owned()) },
        Column { heading: "登记表", width: 20, cell: |row| Cell::text(row.sheet_no.as_deref()) },
        Column { heading: "录入人", width: 12, cell: |row| Cell::Text(row.entered_by_name.clone()) },
        Column { heading: "录入时间", width: 20, cell: |row| Cell::time(Some(row.entered_at)) },
        Column { heading: "状态", width: 10, cell: |row| Cell::text(row.sheet_status.map(SheetStatus::zh)) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &OfflineScoreFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, OfflineScore>> {
        Self::all(connection, filter, scope).await
    }
}

/// 线下成绩, into the sheets whose numbers the rows name.
pub(crate) struct OfflineRows(Marks);

impl Import for OfflineRows {
    const KIND: &'static str = "offline_score.import";
    type Permission = ImportOfflineScores;
    const CODES: &'static [(&'static str, &'static str)] = &[("课程编码", "course")];

    fn template() -> Template {
        Marks::template("线下成绩")
    }

    async fn start(tx: &mut Tx, scope: Scope, _into: Option<i64>) -> Result<Self> {
        Ok(Self(Marks::start(tx, scope, None)))
    }

    async fn rows(&mut self, tx: &mut Tx, rows: &mut [Row], write: bool) -> Result<Vec<Change>> {
        self.0.rows(tx, rows, write).await
    }

    async fn undo(tx: &mut Tx, scope: &Scope, record: &Imported) -> Result<Option<Change>> {
        Marks::undo(tx, scope, record).await
    }

    async fn named(tx: &mut Tx, record: &Imported) -> Result<String> {
        Marks::named(tx, record).await
    }
}

pub struct Offline;

#[OpenApi(prefix_path = "/adult/pc/score/offline", tag = "crate::Tag::Scores")]
impl Offline {
    /// 线下成绩列表
    #[oai(path = "/list", method = "post", operation_id = "listOfflineScores")]
    async fn list(
        &self,
        caller: Allowed<ListOfflineScores>,
        Body(asked): Body<Paged<OfflineScoreFilter>>,
    ) -> Result<Reply<Page<OfflineScore>>> {
        let paging = asked.paging()?;
        let mut tx = caller.read().await?;
        let (total, list) = <OfflineScores as Listed>::page(&mut tx, &asked.filter, &caller.scope(), paging).await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 导出线下成绩
    #[oai(path = "/export", method = "post", operation_id = "exportOfflineScores")]
    async fn export(
        &self,
        caller: Allowed<ExportOfflineScores>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<OfflineScoreFilter>>,
    ) -> Result<Exported> {
        transfer::export::<OfflineScores>(&caller, asked.filter, job.0).await
    }

    /// 导入线下成绩
    /// 写入登记表，检查与导入登记表相同
    #[oai(path = "/import", method = "post", operation_id = "importOfflineScores")]
    async fn import(&self, caller: Allowed<ImportOfflineScores>, form: ImportForm) -> Result<Reply<ImportAnswer>> {
        transfer::import::<OfflineRows>(&caller, form).await
    }

    /// 线下成绩导入模板
    #[oai(path = "/import/template", method = "get", operation_id = "fetchOfflineScoreImportTemplate")]
    async fn template(&self, caller: Allowed<FetchOfflineSheet>) -> Result<Attachment> {
        transfer::template::<OfflineRows, _>(&caller).await
    }
}

/// The operations on offline scores.
pub(crate) fn api() -> impl OpenApi {
    Offline
}
