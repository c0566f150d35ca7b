//! 补考: who has not passed and may try again, and drafts that are made of them (part 04 §4.3, §4.4).

use std::collections::{HashMap, HashSet};

use chrono::NaiveDate;
use exams::{
    candidate,
    enums::{ExamMode, ExamPaperMode, ExamSetupStatus, TestBatchKind},
    setup,
};
use futures_util::stream;
use infra::{
    Allowed, App, Body, Change, Error, Page, Paged, Part, Reply, Result, Scope, Tx,
    clock::Moment,
    permissions, reply,
    sheet::{Cell, Column},
    transfer::{self, Export, Exported, Rows, export_job},
};
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use question_bank::score::tenths;
use scores_rules::{
    enums::{ExamRound, FailedKind, ScoreKind, ScoreMark},
    makeup::chances,
    params::{self, FinalExamParams, Params},
    resolve::{Place, Rule, Scope4, winner},
    settings::CONVERSION_YEARS,
};
use sqlx::PgConnection;

permissions! {
    pages
        "/schoolPC/examination/offlineIndex/supplementaryOffline",
        "/schoolPC/examination/offlineIndex/offlineTestList";
    InSchool Reads       ListMakeups   = "offline:pc:offline:setup:makeup" "补考安排";
    InSchool Writes      MakeMakeups   = "offline:pc:offline:setup:makeup" "补考安排";
    InSchool ReadsLogged ExportMakeups = "offline:pc:offline:setup:makeup" "补考安排";
}

pub const PART: Part =
    Part { permissions: &[PERMISSIONS], jobs: &[export_job::<Makeups>()], option_pages: PAGES, ..Part::NONE };

/// So much is told of who sits already.
const HERE: &str = "本批次已安排";
const REASON: &str = "补考安排";

/// The list of who may try again.
pub struct Makeups;

/// A course score that is not passed, or whose examination was put off.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct MakeupCandidate {
    /// 编号
    /// 课程成绩
    pub id: i64,
    /// 选课
    pub selection_id: i64,
    /// 学生
    pub student_id: i64,
    /// 学号
    pub student_no: Option<String>,
    /// 姓名
    pub name: String,
    /// 班级
    pub class_name: Option<String>,
    /// 站点
    pub site_name: String,
    /// 课程
    pub course_id: i64,
    /// 课程编码
    pub course_code: String,
    /// 课程名称
    pub course_name: String,
    /// 学期
    pub semester_id: i64,
    /// 学分
    pub credits: f64,
    /// 原成绩
    pub total: Option<f64>,
    /// 原因
    pub kind: FailedKind,
    /// 已补考次数
    pub used: i32,
    /// 剩余次数
    pub left: i32,
    /// 本批次状态
    /// 在批次中的考试；没有时可以安排
    pub arranged: Option<String>,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct MakeupCandidateFilter {
    /// 批次
    /// 决定补考的次数和本批次状态；不填为补考
    pub batch_id: Option<i64>,
    /// 原批次
    /// 成绩来自该批次的登记表
    pub origin_batch_id: Option<i64>,
    /// 学期
    pub semester_id: Option<i64>,
    /// 课程
    pub course_id: Option<i64>,
    /// 原因
    pub kind: Option<FailedKind>,
    /// 站点
    pub site_id: Option<i64>,
    /// 班级
    pub class_id: Option<i64>,
    /// 年级
    pub grade_id: Option<i64>,
    /// 层次
    pub level_id: Option<i64>,
    /// 专业
    pub major_id: Option<i64>,
    /// 关键字
    /// 姓名或学号
    #[oai(validator(max_length = 50))]
    pub keyword: Option<String>,
    /// 含没有剩余次数的
    #[oai(default)]
    pub exhausted: bool,
    /// 已安排
    pub arranged: Option<bool>,
}

/// Who of a course tries again.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct MakeupLine {
    /// 课程
    pub course_id: i64,
    /// 学期
    pub semester_id: i64,
    /// 选课
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub selection_ids: Vec<i64>,
    /// 场次
    /// 线下考试
    pub session_id: Option<i64>,
    /// 开始时间
    /// 新建的线上考试必填
    pub starts_at: Option<Moment>,
    /// 结束时间
    /// 新建的线上考试必填
    pub ends_at: Option<Moment>,
    /// 时长（分钟）
    /// 新建的线上考试必填
    pub duration_minutes: Option<i32>,
    /// 考试
    /// 加入已有的草稿；不填时新建
    pub setup_id: Option<i64>,
}

/// Which examinations are made of whom.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct MakeupForm {
    /// 批次
    pub batch_id: i64,
    /// 考试方式
    pub mode: ExamMode,
    /// 课程
    #[oai(validator(min_items = 1, max_items = 300))]
    pub rows: Vec<MakeupLine>,
}

impl Example for MakeupForm {
    fn example() -> Self {
        let line = MakeupLine {
            course_id: 1,
            semester_id: 1,
            selection_ids: vec![1],
            session_id: None,
            starts_at: None,
            ends_at: None,
            duration_minutes: None,
            setup_id: None,
        };
        Self { batch_id: 1, mode: ExamMode::Offline, rows: vec![line] }
    }
}

/// Somebody who was left out.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct MakeupSkipped {
    /// 选课
    pub selection_id: i64,
    /// 姓名
    pub name: String,
    /// 原因
    pub why: String,
}

/// What became of a course.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct MakeupMade {
    /// 课程
    pub course_id: i64,
    /// 考试
    pub setup_id: Option<i64>,
    /// 已安排人数
    pub added: i64,
    /// 未安排
    pub skipped: Vec<MakeupSkipped>,
    /// 原因
    /// 没有安排该课程时
    pub why: Option<String>,
}

/// What became of all courses.
#[derive(Debug, Clone, Object)]
pub struct MakeupsMade {
    /// 课程
    pub rows: Vec<MakeupMade>,
}

#[OpenApi(prefix_path = "/offline/pc/offline/setup", tag = "crate::Tag::OfflineExams")]
impl Makeups {
    /// 补考人员名单
    /// 已发布的不及格和缓考成绩，带剩余次数
    #[oai(path = "/makeup/candidates", method = "post", operation_id = "listMakeupCandidates")]
    async fn list(
        &self,
        caller: Allowed<ListMakeups>,
        Body(asked): Body<Paged<MakeupCandidateFilter>>,
    ) -> Result<Reply<Page<MakeupCandidate>>> {
        let paging = asked.paging()?;
        let mut tx = caller.read().await?;
        let all = matching(&mut tx, &asked.filter, &caller.scope(), caller.app().clock().today()).await?;
        let total = i64::try_from(all.len()).unwrap_or(i64::MAX);
        let from = usize::try_from(paging.offset()).unwrap_or(usize::MAX);
        let most = usize::try_from(paging.limit()).unwrap_or(usize::MAX);
        Ok(reply(paging.page(total, all.into_iter().skip(from).take(most).collect())))
    }

    /// 生成补考安排
    /// 新建草稿或加入草稿；已在本批次中的学生略过
    #[oai(path = "/makeup", method = "post", operation_id = "makeMakeupSetups")]
    async fn make(&self, caller: Allowed<MakeMakeups>, Body(form): Body<MakeupForm>) -> Result<Reply<MakeupsMade>> {
        let scope = caller.scope();
        let mut tx = caller.begin_long().await?;
        let round = round_of(&mut tx, form.batch_id).await?;
        let round = round.ok_or_else(|| Error::field("batchId", "所选批次不是补考批次，请重新选择"))?;
        let (mut rows, mut changes) = (Vec::with_capacity(form.rows.len()), Vec::new());
        for line in &form.rows {
            tx.savepoint().await?;
            match one(&mut tx, (&form, round), line, &scope).await {
                Ok((made, done)) => {
                    tx.row_done().await?;
                    rows.push(made);
                    changes.extend(done);
                }
                Err(error) => {
                    let why = tx.row_failed(error).await?.0;
                    let skipped = Vec::new();
                    rows.push(MakeupMade {
                        course_id: line.course_id,
                        setup_id: None,
                        added: 0,
                        skipped,
                        why: Some(why),
                    });
                }
            }
        }
        tx.commit_all(changes).await?;
        Ok(reply(MakeupsMade { rows }))
    }

    /// 导出补考名单
    #[oai(path = "/makeup/export", method = "post", operation_id = "exportMakeupCandidates")]
    async fn export(
        &self,
        caller: Allowed<ExportMakeups>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<MakeupCandidateFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}

/// Which round a batch holds; none of one whose examinations are first ones.
///
/// # Errors
/// 422 at the batch when there is none.
async fn round_of(connection: &mut PgConnection, batch: i64) -> Result<Option<ExamRound>> {
    let kind = sqlx::query_scalar!(r#"select kind as "kind: TestBatchKind" from test_batch where id = $1"#, batch)
        .fetch_optional(connection)
        .await?
        .ok_or_else(|| Error::field("batchId", "所选批次不存在，请重新选择"))?;
    Ok(Some(exam_rules::setup::round_of(kind)).filter(|round| *round != ExamRound::First))
}

/// Makes or joins the draft of a course.
async fn one(
    tx: &mut Tx,
    (form, round): (&MakeupForm, ExamRound),
    line: &MakeupLine,
    scope: &Scope,
) -> Result<(MakeupMade, Vec<Change>)> {
    let mut ids = line.selection_ids.clone();
    ids.sort_unstable();
    ids.dedup();
    let filter = MakeupCandidateFilter {
        batch_id: Some(form.batch_id),
        course_id: Some(line.course_id),
        exhausted: true,
        ..MakeupCandidateFilter::default()
    };
    let today = tx.app().clock().today();
    let known: HashMap<i64, MakeupCandidate> =
        matching(tx, &filter, scope, today).await?.into_iter().map(|row| (row.selection_id, row)).collect();
    let (mut wanted, mut skipped) = (Vec::new(), Vec::new());
    for id in ids {
        let (name, why) = match known.get(&id) {
            None => (String::new(), "不是已发布的不及格或缓考成绩"),
            Some(row) if row.arranged.is_some() => (row.name.clone(), HERE),
            Some(row) if row.left == 0 => (row.name.clone(), "没有剩余的补考次数"),
            Some(_) => {
                wanted.push(id);
                continue;
            }
        };
        skipped.push(MakeupSkipped { selection_id: id, name, why: why.to_owned() });
    }
    if wanted.is_empty() {
        let made = MakeupMade { course_id: line.course_id, setup_id: line.setup_id, added: 0, skipped, why: None };
        return Ok((made, Vec::new()));
    }
    let mut changes = Vec::new();
    let id = match line.setup_id {
        Some(id) => id,
        None => {
            let of = (form.batch_id, line.course_id, line.semester_id);
            let mut plan = setup::usual(tx, of, form.mode).await?;
            match form.mode {
                ExamMode::Offline => plan.session_id = line.session_id,
                ExamMode::Online => {
                    plan.paper_mode = Some(ExamPaperMode::Fixed);
                    (plan.starts_at, plan.ends_at) = (line.starts_at, line.ends_at);
                    plan.duration_minutes = line.duration_minutes;
                }
            }
            let (id, change) = setup::insert(tx, &plan, form.mode, scope).await?;
            changes.push(change);
            id
        }
    };
    let held = match line.setup_id {
        Some(_) => setup::held(tx, id, form.mode, scope).await?,
        None => setup::hold(tx, id, form.mode).await?,
    };
    if held.status != ExamSetupStatus::Draft || held.batch_id != form.batch_id || held.round != round {
        return Err(Error::field("setupId", "只能加入本批次的考试草稿"));
    }
    if let Some(session) = held.session_id {
        let students: Vec<i64> = wanted.iter().filter_map(|id| known.get(id)).map(|row| row.student_id).collect();
        let found = exam_seats::offered::clashes(tx, None, &students, session).await?;
        let clashing: HashSet<i64> = found.iter().map(|clash| clash.student_id).collect();
        wanted.retain(|id| {
            let Some(row) = known.get(id).filter(|row| clashing.contains(&row.student_id)) else { return true };
            let course = found.iter().find(|clash| clash.student_id == row.student_id).map(|clash| &clash.course);
            let why = course.map(|course| format!("与《{course}》时间冲突")).unwrap_or_default();
            skipped.push(MakeupSkipped { selection_id: *id, name: row.name.clone(), why });
            false
        });
    }
    if wanted.is_empty() && line.setup_id.is_none() {
        return Err(Error::conflict("所选学生都在该场次有其他考试"));
    }
    if !wanted.is_empty() {
        changes.extend(candidate::add(tx, &held, &wanted, REASON, scope).await?);
    }
    let added = i64::try_from(wanted.len()).unwrap_or_default();
    Ok((MakeupMade { course_id: line.course_id, setup_id: Some(id), added, skipped, why: None }, changes))
}

/// The rules of final examinations that are on; there are few.
async fn rules(connection: &mut PgConnection) -> Result<Vec<Rule>> {
    let rows = sqlx::query!(
        "select id, grade_id, level_id, major_id, course_id, params, version from score_rule
         where kind = $1 and enabled order by id",
        ScoreKind::FinalExam.as_str()
    )
    .fetch_all(connection)
    .await?;
    rows.into_iter()
        .map(|row| {
            let params = params::read(ScoreKind::FinalExam, &row.params).map_err(Error::internal)?;
            let scope = Scope4 { grade: row.grade_id, level: row.level_id, major: row.major_id, course: row.course_id };
            Ok(Rule { id: row.id, kind: ScoreKind::FinalExam, scope, params, version: row.version })
        })
        .collect()
}

fn params_of(rules: &[Rule], place: Place) -> Option<&FinalExamParams> {
    match &winner(rules, place)?.params {
        Params::FinalExam(params) => Some(params),
        _ => None,
    }
}

/// What kept somebody from passing.
const fn kind_of(mark: ScoreMark) -> FailedKind {
    match mark {
        ScoreMark::Absent => FailedKind::Absent,
        ScoreMark::Deferred => FailedKind::Deferred,
        ScoreMark::Violation => FailedKind::Violation,
        ScoreMark::Cheating => FailedKind::Cheating,
        ScoreMark::Normal | ScoreMark::Disqualified | ScoreMark::Exempt => FailedKind::Failed,
    }
}

/// Everybody whom a filter names, by course and student number. How often somebody may still try depends on rules that are read
/// here and not there, so that all are read.
async fn matching(
    connection: &mut PgConnection,
    filter: &MakeupCandidateFilter,
    scope: &Scope,
    today: NaiveDate,
) -> Result<Vec<MakeupCandidate>> {
    let last = match filter.batch_id {
        Some(batch) => round_of(&mut *connection, batch).await? == Some(ExamRound::FinalMakeup),
        None => false,
    };
    let rules = rules(&mut *connection).await?;
    let years = i32::try_from(CONVERSION_YEARS.number(&mut *connection).await?).unwrap_or(2);
    let rows = sqlx::query!(
        r#"select s.id as "id!", s.selection_id as "selection_id!", s.student_id as "student_id!", y.student_no,
                  y.name as "name!", k.name as "class_name?", t.name as "site_name!", s.course_id as "course_id!",
                  u.code as "course_code!", u.name as "course_name!", s.semester_id as "semester_id!",
                  s.credits::float8 as "credits!", s.total::float8 as total, s.mark as "mark: ScoreMark",
                  y.grade_id as "grade!", y.level_id as "level!", y.major_id as "major!",
                  (select count(*) from exam_score e where e.course_score_id = s.id and e.round = 'makeup' and e.published)
                      as "makeups!",
                  (select count(*) from exam_score e where e.course_score_id = s.id and e.round = 'final_makeup' and e.published)
                      as "finals!",
                  exists (select from exam_score e where e.course_score_id = s.id and e.published and e.mark = 'cheating')
                      as "cheated!",
                  (select p.name from exam_candidate c join exam_setup p on p.id = c.setup_id and p.status <> 'cancelled'
                   where c.batch_id = $3 and c.course_id = s.course_id and c.student_id = s.student_id and not c.removed
                   limit 1) as arranged
           from course_score s
           join student y on y.id = s.student_id
           join course u on u.id = s.course_id
           join site t on t.id = y.site_id
           left join class k on k.id = y.class_id
           where s.status in ('published', 'locked')
             and (s.passed = false
                  or s.mark = 'deferred'
                     and exists (select from exam_deferral d
                                 where d.selection_id = s.selection_id and d.status = 'approved'
                                   and ($3::bigint is null or d.batch_id <> $3)))
             and ($1::bigint[] is null or y.site_id = any($1) or y.class_id = any($2::bigint[]))
             and ($4::bigint is null or s.semester_id = $4) and ($5::bigint is null or s.course_id = $5)
             and ($6::bigint is null or y.site_id = $6) and ($7::bigint is null or y.class_id = $7)
             and ($8::bigint is null or y.grade_id = $8) and ($9::bigint is null or y.level_id = $9)
             and ($10::bigint is null or y.major_id = $10)
             and ($11::text is null or strpos(y.name, $11) > 0 or starts_with(y.student_no, $11))
             and not exists (
                 select from transcript_score x
                 where x.student_id = s.student_id and x.course_id = s.course_id and coalesce(x.passed, false))
             and (y.status in ('registered', 'pending_registration')
                  or $12 and (y.status = 'expired'
                              or y.status = 'completed' and y.ended_on >= $15::date - make_interval(years => $13)))
             and ($14::bigint is null
                  or exists (select from score_sheet_row r join score_sheet f on f.id = r.sheet_id
                             where r.course_score_id = s.id and f.batch_id = $14))
           order by u.code, y.student_no, s.attempt_no desc, s.id"#,
        scope.sites(),
        scope.classes(),
        filter.batch_id,
        filter.semester_id,
        filter.course_id,
        filter.site_id,
        filter.class_id,
        filter.grade_id,
        filter.level_id,
        filter.major_id,
        filter.keyword.as_deref().map(str::trim).filter(|word| !word.is_empty()),
        last,
        years,
        filter.origin_batch_id,
        today
    )
    .fetch_all(connection)
    .await?;
    let mut seen = HashSet::new();
    let mut list = Vec::with_capacity(rows.len());
    for row in rows {
        // Of several attempts the last is made up for.
        if !seen.insert((row.student_id, row.course_id)) {
            continue;
        }
        // Who cheated in any round has no more than whoever cheated in the first.
        let mark = if row.cheated { ScoreMark::Cheating } else { row.mark.unwrap_or(ScoreMark::Normal) };
        let place = Place { grade: row.grade, level: row.level, major: row.major, course: Some(row.course_id) };
        let count = |count: i64| i32::try_from(count).unwrap_or(i32::MAX);
        let (makeups, finals) = (count(row.makeups), count(row.finals));
        let kept = params_of(&rules, place).map(|params| chances(params, mark, (makeups, finals))).unwrap_or_default();
        // What was put off is sat once, and takes no chance away.
        let left = match mark {
            ScoreMark::Deferred => 1,
            _ if last => kept.final_makeup,
            _ => kept.makeup,
        };
        let kind = kind_of(mark);
        let here = filter.arranged.is_none_or(|arranged| arranged == row.arranged.is_some());
        if (left == 0 && !filter.exhausted) || filter.kind.is_some_and(|wanted| wanted != kind) || !here {
            continue;
        }
        list.push(MakeupCandidate {
            id: row.id,
            selection_id: row.selection_id,
            student_id: row.student_id,
            student_no: row.student_no,
            name: row.name,
            class_name: row.class_name,
            site_name: row.site_name,
            course_id: row.course_id,
            course_code: row.course_code,
            course_name: row.course_name,
            semester_id: row.semester_id,
            credits: row.credits,
            total: row.total,
            kind,
            used: makeups + finals,
            left,
            arranged: row.arranged,
        });
    }
    Ok(list)
}

impl Export for Makeups {
    type Filter = MakeupCandidateFilter;
    type Row = MakeupCandidate;
    const KIND: &'static str = "offline_exam.makeup.export";
    type Permission = ExportMakeups;
    const TITLE: &'static str = "补考名单";
    const COLUMNS: &'static [Column<MakeupCandidate>] = &[
        Column { heading: "学号", width: 18, cell: |row| Cell::text(row.student_no.clone()) },
        Column { heading: "姓名", width: 12, cell: |row| Cell::Text(row.name.clone()) },
        Column { heading: "班级", width: 28, cell: |row| Cell::text(row.class_name.clone()) },
        Column { heading: "站点", width: 24, cell: |row| Cell::Text(row.site_name.clone()) },
        Column { heading: "课程编码", width: 14, cell: |row| Cell::Text(row.course_code.clone()) },
        Column { heading: "课程", width: 28, cell: |row| Cell::Text(row.course_name.clone()) },
        Column { heading: "学分", width: 8, cell: |row| Cell::Decimal(tenths(row.credits), 1) },
        Column {
            heading: "原成绩",
            width: 10,
            cell: |row| row.total.map_or(Cell::Empty, |total| Cell::Decimal(tenths(total), 1)),
        },
        Column { heading: "原因", width: 10, cell: |row| Cell::Text(row.kind.zh().to_owned()) },
        Column { heading: "已补考次数", width: 10, cell: |row| Cell::Int(i64::from(row.used)) },
        Column { heading: "剩余次数", width: 10, cell: |row| Cell::Int(i64::from(row.left)) },
        Column { heading: "本批次状态", width: 32, cell: |row| Cell::text(row.arranged.clone()) },
    ];

    async fn rows<'c>(
        app: &App,
        connection: &'c mut PgConnection,
        filter: &MakeupCandidateFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, MakeupCandidate>> {
        let all = matching(connection, filter, scope, app.clock().today()).await?;
        Ok(Box::pin(stream::iter(all.into_iter().map(Ok))))
    }
}
