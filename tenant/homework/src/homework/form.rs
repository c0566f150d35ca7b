//! What is typed of a homework, and how it is written (part 03 B6).

use std::collections::BTreeSet;

use chrono::TimeDelta;
use infra::{
    Change, Edit, Error, OnConstraint, Result, Scope, Tx,
    clock::Moment,
    naming::{switched_off, tidy},
    pinyin,
};
use poem_openapi::{
    Object,
    types::{Example, ToJSON},
};
use question_bank::{
    enums::PaperKind,
    question::{QuestionUpload, stored},
    score::{is_score, points, tenths},
    text::QuestionText,
};
use serde_json::Value;
use sqlx::{PgConnection, types::Json};

use super::{Held, NOT_ALL_CLASSES, locked, steps::deadlines};
use crate::enums::{AttemptScoring, HomeworkKind, HomeworkPaperMode, HomeworkPurpose, HomeworkStatus, ShowAnswer};

/// Papers of which each student gets one.
const POOL: std::ops::RangeInclusive<usize> = 2..=10;
const TARGETS: usize = 1_000;
/// Told to whoever sets anew what students have.
const GIVEN: &str = "作业已发布，只能延长时间或调整批阅设置";

/// For whom: an opening, or a class of it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Object)]
#[oai(rename_all = "camelCase")]
pub struct HomeworkTargetForm {
    /// 开课
    pub opening_id: i64,
    /// 班级
    /// 不填为该开课的全部班级
    pub class_id: Option<i64>,
}

/// Who marks.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Object)]
#[oai(rename_all = "camelCase")]
pub struct HomeworkMarkerForm {
    /// 教师
    pub teacher_id: i64,
    /// 班级
    /// 不填为全部班级
    pub class_id: Option<i64>,
    /// 题号
    /// 不填为全部题目
    #[oai(default, validator(max_items = 200))]
    pub question_seqs: Vec<String>,
    /// 最多份数
    #[oai(validator(minimum(value = "1"), maximum(value = "100000")))]
    pub quota: Option<i32>,
}

/// A homework as it is set.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct HomeworkForm {
    /// 学期
    pub semester_id: i64,
    /// 课程
    pub course_id: i64,
    /// 作业名称
    #[oai(validator(min_length = 1, max_length = 100))]
    pub title: String,
    /// 用途
    pub purpose: HomeworkPurpose,
    /// 章节
    /// 章节测验必填
    pub chapter_id: Option<i64>,
    /// 形式
    pub kind: HomeworkKind,
    /// 出卷方式
    /// 试卷作业必填
    pub paper_mode: Option<HomeworkPaperMode>,
    /// 试卷
    /// 固定试卷为1份，多套随机为2至10份，总分应相同
    #[oai(default, validator(max_items = 10))]
    pub paper_ids: Vec<i64>,
    /// 组卷策略
    /// 每人随机必填
    pub rule_id: Option<i64>,
    /// 作业要求
    /// 附件作业必填
    pub instruction: Option<QuestionText>,
    /// 附件要求
    /// 附件作业必填
    pub upload: Option<QuestionUpload>,
    /// 总分
    /// 附件作业必填；试卷作业为试卷的总分
    pub total_score: Option<f64>,
    /// 及格分
    /// 不填为总分的60%
    pub pass_score: Option<f64>,
    /// 开始时间
    pub starts_at: Moment,
    /// 截止时间
    pub ends_at: Moment,
    /// 补交截止
    pub late_until: Option<Moment>,
    /// 迟交扣分(%)
    #[oai(default, validator(minimum(value = "0"), maximum(value = "100")))]
    pub late_penalty: i32,
    /// 限时(分钟)
    #[oai(validator(minimum(value = "5"), maximum(value = "600")))]
    pub duration_minutes: Option<i32>,
    /// 允许次数
    /// 不填为1
    #[oai(validator(minimum(value = "1"), maximum(value = "10")))]
    pub max_attempts: Option<i32>,
    /// 计分方式
    /// 不填为最高
    pub attempt_scoring: Option<AttemptScoring>,
    /// 两次间隔(分钟)
    #[oai(default, validator(minimum(value = "0"), maximum(value = "1440")))]
    pub min_interval_minutes: i32,
    /// 题序乱
    #[oai(default)]
    pub shuffle_questions: bool,
    /// 选项乱
    #[oai(default)]
    pub shuffle_options: bool,
    /// 答案可见
    /// 不填为截止后
    pub show_answer: Option<ShowAnswer>,
    /// 学习进度要求(%)
    /// 不填为所选开课在线教学的要求
    #[oai(validator(minimum(value = "0"), maximum(value = "100")))]
    pub required_progress: Option<f64>,
    /// 权重
    /// 不填为1
    #[oai(validator(minimum(value = "0"), maximum(value = "100")))]
    pub weight: Option<f64>,
    /// 相似度阈值(%)
    /// 不填为不检测
    #[oai(validator(minimum(value = "30"), maximum(value = "100")))]
    pub similarity_threshold: Option<i32>,
    /// 批阅截止
    pub mark_due_at: Option<Moment>,
    /// 对象
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub targets: Vec<HomeworkTargetForm>,
    /// 批阅教师
    /// 不填按任课安排
    #[oai(default, validator(max_items = 200))]
    pub markers: Vec<HomeworkMarkerForm>,
}

impl Example for HomeworkForm {
    fn example() -> Self {
        Self {
            semester_id: 1,
            course_id: 1,
            title: "第一次作业".to_owned(),
            purpose: HomeworkPurpose::Homework,
            chapter_id: None,
            kind: HomeworkKind::Paper,
            paper_mode: Some(HomeworkPaperMode::Fixed),
            paper_ids: vec![1],
            rule_id: None,
            instruction: None,
            upload: None,
            total_score: None,
            pass_score: None,
            starts_at: Moment::default(),
            ends_at: Moment::default() + TimeDelta::days(14),
            late_until: None,
            late_penalty: 0,
            duration_minutes: None,
            max_attempts: Some(1),
            attempt_scoring: Some(AttemptScoring::Highest),
            min_interval_minutes: 0,
            shuffle_questions: false,
            shuffle_options: false,
            show_answer: Some(ShowAnswer::AfterClose),
            required_progress: None,
            weight: Some(1.0),
            similarity_threshold: Some(60),
            mark_due_at: None,
            targets: vec![HomeworkTargetForm { opening_id: 1, class_id: None }],
            markers: Vec::new(),
        }
    }
}

/// Characters of the place of a question: `7.2`.
const LONGEST_SEQ: usize = 20;

/// # Errors
/// 422 at `markers` for what is no place of a question.
pub(crate) fn check_seqs(markers: &[HomeworkMarkerForm]) -> Result<()> {
    let plain =
        |seq: &String| (1..=LONGEST_SEQ).contains(&seq.len()) && seq.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let right = markers.iter().flat_map(|marker| &marker.question_seqs).all(plain);
    if right { Ok(()) } else { Err(Error::field("markers", "题号应为数字，如 3、7.2")) }
}

/// Why a form does not hold together, by its field.
fn check(form: &HomeworkForm) -> Result<()> {
    let wrong = |field: &str, message: &str| Err(Error::field(field, message));
    if tidy(&form.title).is_empty() {
        return wrong("title", "请填写作业名称");
    }
    check_seqs(&form.markers)?;
    if form.purpose == HomeworkPurpose::ChapterTest && form.chapter_id.is_none() {
        return wrong("chapterId", "章节测验请选择章节");
    }
    if form.ends_at <= form.starts_at {
        return wrong("endsAt", "截止时间应晚于开始时间");
    }
    if form.late_until.is_some_and(|late| late <= form.ends_at) {
        return wrong("lateUntil", "补交截止应晚于截止时间");
    }
    if form.mark_due_at.is_some_and(|due| due <= form.ends_at) {
        return wrong("markDueAt", "批阅截止应晚于作业截止时间");
    }
    if form.show_answer == Some(ShowAnswer::AfterSubmit) && form.max_attempts.unwrap_or(1) != 1 {
        return wrong("showAnswer", "允许多次作答时，答案不能在提交后立即可见");
    }
    if !is_score(form.weight.unwrap_or(1.0), 0, 1_000) {
        return wrong("weight", "权重应在0到100之间，最多一位小数");
    }
    if !is_score(form.required_progress.unwrap_or(0.0), 0, 1_000) {
        return wrong("requiredProgress", "学习进度要求应在0到100之间，最多一位小数");
    }
    match (form.kind, form.paper_mode) {
        (HomeworkKind::Upload, _) => {
            if form.instruction.as_ref().is_none_or(QuestionText::is_blank) {
                return wrong("instruction", "请填写作业要求");
            }
            let Some(upload) = &form.upload else { return wrong("upload", "请填写附件要求") };
            let plain = |one: &String| (1..=8).contains(&one.len()) && one.bytes().all(|b| b.is_ascii_alphanumeric());
            if upload.extensions.is_empty() || !upload.extensions.iter().all(plain) {
                return wrong("upload", "请填写允许的扩展名，如 docx、pdf");
            }
            if !form.total_score.is_some_and(|total| is_score(total, 5, 10_000)) {
                return wrong("totalScore", "总分应在0.5到1000之间，最多一位小数");
            }
        }
        (HomeworkKind::Paper, None) => return wrong("paperMode", "请选择出卷方式"),
        (HomeworkKind::Paper, Some(HomeworkPaperMode::Fixed)) if form.paper_ids.len() != 1 => {
            return wrong("paperIds", "固定试卷请选择1份试卷");
        }
        (HomeworkKind::Paper, Some(HomeworkPaperMode::RandomPool)) if !POOL.contains(&form.paper_ids.len()) => {
            return wrong("paperIds", "多套随机请选择2至10份试卷");
        }
        (HomeworkKind::Paper, Some(HomeworkPaperMode::RandomRule)) if form.rule_id.is_none() => {
            return wrong("ruleId", "请选择组卷策略");
        }
        (HomeworkKind::Paper, Some(_)) => {}
    }
    let own: BTreeSet<&HomeworkTargetForm> = form.targets.iter().collect();
    if own.len() < form.targets.len() || form.targets.len() > TARGETS {
        return wrong("targets", "对象有重复，请检查");
    }
    Ok(())
}

/// The form with what it leaves open decided, and without what its kind does not have.
async fn resolved(connection: &mut PgConnection, mut form: HomeworkForm) -> Result<HomeworkForm> {
    form.title = tidy(&form.title);
    check(&form)?;
    if form.purpose == HomeworkPurpose::Homework {
        form.chapter_id = None;
    }
    let total = match (form.kind, form.paper_mode) {
        (HomeworkKind::Upload, _) => {
            (form.paper_mode, form.rule_id, form.paper_ids) = (None, None, Vec::new());
            tenths(form.total_score.unwrap_or_default())
        }
        (HomeworkKind::Paper, Some(HomeworkPaperMode::RandomRule)) => {
            form.paper_ids.clear();
            of_rule(connection, form.course_id, form.rule_id).await?
        }
        (HomeworkKind::Paper, _) => {
            form.rule_id = None;
            of_papers(connection, form.course_id, &form.paper_ids).await?
        }
    };
    if form.kind == HomeworkKind::Paper {
        (form.instruction, form.upload) = (None, None);
    }
    form.total_score = Some(points(total));
    let pass = form.pass_score.unwrap_or_else(|| points(total * 6 / 10));
    if !is_score(pass, 0, total) {
        return Err(Error::field("passScore", "及格分应在0到总分之间，最多一位小数"));
    }
    form.pass_score = Some(pass);
    usual(&mut form);
    if form.required_progress.is_none() {
        form.required_progress = Some(usual_progress(connection, &form.targets).await?);
    }
    Ok(form)
}

/// What is left open is as usual; targets and markers stand in one order.
fn usual(form: &mut HomeworkForm) {
    form.max_attempts.get_or_insert(1);
    form.attempt_scoring.get_or_insert(AttemptScoring::Highest);
    form.show_answer.get_or_insert(ShowAnswer::AfterClose);
    form.weight.get_or_insert(1.0);
    form.targets.sort();
    form.markers.sort();
}

/// The highest that the openings ask of their own homework.
async fn usual_progress(connection: &mut PgConnection, targets: &[HomeworkTargetForm]) -> Result<f64> {
    let openings: Vec<i64> = targets.iter().map(|target| target.opening_id).collect();
    Ok(sqlx::query_scalar!(
        r#"select coalesce(max(required_progress), 0)::float8 as "required!" from online_teaching where id = any($1)"#,
        &openings
    )
    .fetch_one(connection)
    .await?)
}

/// The score that the papers have, in tenths.
async fn of_papers(connection: &mut PgConnection, course: i64, ids: &[i64]) -> Result<i64> {
    let wrong = |message: String| Err(Error::field("paperIds", message));
    let papers = sqlx::query!(
        r#"select name, course_id, kind as "kind: PaperKind", (total_score * 10)::bigint as "total!"
           from paper where id = any($1) order by id"#,
        ids
    )
    .fetch_all(connection)
    .await?;
    if papers.len() < ids.len() {
        return wrong("所选试卷不存在或有重复，请重新选择".to_owned());
    }
    for paper in &papers {
        if paper.course_id != course {
            return wrong(format!("试卷“{}”不是该课程的试卷", paper.name));
        }
        if !matches!(paper.kind, PaperKind::Homework | PaperKind::Practice) {
            return wrong(format!("试卷“{}”用于{}，不能用于作业", paper.name, paper.kind.zh()));
        }
    }
    let total = papers.first().map_or(0, |paper| paper.total);
    if papers.iter().any(|paper| paper.total != total) {
        return wrong("各试卷的总分应相同".to_owned());
    }
    Ok(total)
}

/// The score that a rule draws, in tenths.
async fn of_rule(connection: &mut PgConnection, course: i64, rule: Option<i64>) -> Result<i64> {
    let rule = sqlx::query!(
        r#"select name, course_id, kind as "kind: PaperKind", enabled, (total_score * 10)::bigint as "total!"
           from paper_rule where id = $1"#,
        rule
    )
    .fetch_optional(connection)
    .await?
    .ok_or_else(|| Error::field("ruleId", "所选组卷策略不存在，请重新选择"))?;
    if rule.course_id != course || !matches!(rule.kind, PaperKind::Homework | PaperKind::Practice) {
        return Err(Error::field("ruleId", format!("组卷策略“{}”不是该课程的作业策略", rule.name)));
    }
    if !rule.enabled {
        return Err(switched_off("ruleId", &rule.name));
    }
    Ok(rule.total)
}

/// Which of these classes lie within a scope that is not the whole school.
pub(super) async fn within(connection: &mut PgConnection, classes: &[i64], scope: &Scope) -> Result<BTreeSet<i64>> {
    let seen = sqlx::query_scalar!(
        "select id from class where id = any($1) and (site_id = any($2::bigint[]) or id = any($3::bigint[]))",
        classes,
        scope.sites(),
        scope.classes()
    )
    .fetch_all(connection)
    .await?;
    Ok(seen.into_iter().collect())
}

/// Openings that are opened or will be, of the semester and course, in the scope; teachers who are there.
async fn check_people(tx: &mut Tx, form: &HomeworkForm, before: Option<&HomeworkForm>, scope: &Scope) -> Result<()> {
    let openings: Vec<i64> = form.targets.iter().map(|target| target.opening_id).collect();
    let known = course_selection::opening::hold(tx, &openings).await?;
    for target in &form.targets {
        let opening = known
            .get(&target.opening_id)
            .filter(|opening| opening.semester_id == form.semester_id && opening.course_id == form.course_id)
            .ok_or_else(|| Error::field("targets", "所选开课不是该学期该课程的开课，请重新选择"))?;
        opening.in_open_semester()?;
        if opening.status == course_selection::enums::OpeningStatus::Cancelled {
            return Err(Error::field("targets", "所选开课已取消，请重新选择"));
        }
    }
    if !scope.is_whole() {
        let classes: Vec<i64> = form.targets.iter().filter_map(|target| target.class_id).collect();
        let seen = within(tx, &classes, scope).await?;
        if form.targets.iter().any(|target| target.class_id.is_none_or(|id| !seen.contains(&id))) {
            return Err(Error::new(403, NOT_ALL_CLASSES));
        }
    }
    let kept: BTreeSet<i64> =
        before.into_iter().flat_map(|before| &before.markers).map(|marker| marker.teacher_id).collect();
    for marker in form.markers.iter().filter(|marker| !kept.contains(&marker.teacher_id)) {
        let teacher = sqlx::query!(
            r#"select name, status = 'active' as "active!" from teacher where id = $1"#,
            marker.teacher_id
        )
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(|| Error::field("markers", "所选教师不存在，请重新选择"))?;
        if !teacher.active {
            return Err(Error::field("markers", format!("教师“{}”已离职或停用", teacher.name)));
        }
    }
    Ok(())
}

fn explain(constraint: &str) -> Option<Error> {
    match constraint {
        "homework_title_taken" => Some(Error::field("title", "该课程本学期已有同名作业")),
        "homework_of_semester" => Some(Error::field("semesterId", "所选学期不存在，请重新选择")),
        "homework_of_course" => Some(Error::field("courseId", "所选课程不存在，请重新选择")),
        "homework_of_chapter" => Some(Error::field("chapterId", "所选章节不是该课程的章节，请重新选择")),
        "homework_target_of_class" => Some(Error::field("targets", "所选班级不存在，请重新选择")),
        "homework_marker_taken" => Some(Error::field("markers", "批阅教师有重复，请检查")),
        "homework_marker_of_class" => Some(Error::field("markers", "批阅班级不存在，请重新选择")),
        _ => None,
    }
}

/// Makes a homework, a draft.
///
/// # Errors
/// 403 for classes beyond the scope; 409 when the semester is closed; 422 for what cannot be chosen.
pub(crate) async fn insert(tx: &mut Tx, form: HomeworkForm, scope: &Scope) -> Result<(i64, Change)> {
    check_people(tx, &form, None, scope).await?;
    let form = resolved(tx, form).await?;
    let (by, name) = (tx.by(), tx.actor().name.clone());
    let id = sqlx::query_scalar!(
        "insert into homework (semester_id, course_id, title, purpose, chapter_id, kind, paper_mode, rule_id, instruction, upload,
             total_score, pass_score, starts_at, ends_at, late_until, late_penalty, duration_minutes, max_attempts,
             attempt_scoring, min_interval_minutes, shuffle_questions, shuffle_options, show_answer, required_progress, weight,
             similarity_threshold, mark_due_at, initials, created_by_name, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11::float8::numeric, $12::float8::numeric, $13, $14, $15, $16, $17,
             $18, $19, $20, $21, $22, $23, $24::float8::numeric, $25::float8::numeric, $26, $27, $28, $29, $30, $30)
         returning id",
        form.semester_id,
        form.course_id,
        form.title,
        form.purpose.as_str(),
        form.chapter_id,
        form.kind.as_str(),
        form.paper_mode.map(HomeworkPaperMode::as_str),
        form.rule_id,
        form.instruction.as_ref().map(QuestionText::as_str),
        form.upload.as_ref().and_then(ToJSON::to_json),
        form.total_score,
        form.pass_score,
        form.starts_at as _,
        form.ends_at as _,
        form.late_until as _,
        form.late_penalty,
        form.duration_minutes,
        form.max_attempts,
        form.attempt_scoring.map(AttemptScoring::as_str),
        form.min_interval_minutes,
        form.shuffle_questions,
        form.shuffle_options,
        form.show_answer.map(ShowAnswer::as_str),
        form.required_progress,
        form.weight,
        form.similarity_threshold,
        form.mark_due_at as _,
        pinyin::text_initials(&form.title),
        name,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(explain)?;
    parts(tx, id, &form).await?;
    Ok((id, Change::created("homework", id, &form)))
}

/// Targets, markers and papers of a homework.
async fn parts(tx: &mut Tx, id: i64, form: &HomeworkForm) -> Result<()> {
    sqlx::query!("delete from homework_target where homework_id = $1", id).execute(&mut **tx).await?;
    sqlx::query!("delete from homework_marker where homework_id = $1", id).execute(&mut **tx).await?;
    sqlx::query!("delete from homework_paper where homework_id = $1", id).execute(&mut **tx).await?;
    let openings: Vec<i64> = form.targets.iter().map(|target| target.opening_id).collect();
    let classes: Vec<Option<i64>> = form.targets.iter().map(|target| target.class_id).collect();
    sqlx::query!(
        "insert into homework_target (homework_id, semester_id, course_id, opening_id, class_id)
         select $1, $2, $3, t.opening, t.class from unnest($4::bigint[], $5::bigint[]) as t (opening, class)",
        id,
        form.semester_id,
        form.course_id,
        &openings,
        &classes as &[Option<i64>]
    )
    .execute(&mut **tx)
    .await
    .on_constraint(explain)?;
    for marker in &form.markers {
        sqlx::query!(
            "insert into homework_marker (homework_id, teacher_id, class_id, question_seqs, quota) values ($1, $2, $3, $4, $5)",
            id,
            marker.teacher_id,
            marker.class_id,
            &marker.question_seqs,
            marker.quota
        )
        .execute(&mut **tx)
        .await
        .on_constraint(explain)?;
    }
    sqlx::query!(
        "insert into homework_paper (homework_id, paper_id, sort_no)
         select $1, p.id, p.place::integer from unnest($2::bigint[]) with ordinality as p (id, place)",
        id,
        &form.paper_ids
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// A homework as it was typed.
///
/// # Errors
/// 404 when there is none.
pub(crate) async fn form_of(connection: &mut PgConnection, id: i64) -> Result<HomeworkForm> {
    let row = sqlx::query!(
        r#"select semester_id, course_id, title, purpose as "purpose: HomeworkPurpose", chapter_id,
                  kind as "kind: HomeworkKind", paper_mode as "paper_mode: HomeworkPaperMode", rule_id,
                  instruction as "instruction: QuestionText", upload as "upload: Json<Value>",
                  total_score::float8 as "total!", pass_score::float8 as "pass!", starts_at, ends_at, late_until, late_penalty,
                  duration_minutes, max_attempts, attempt_scoring as "attempt_scoring: AttemptScoring", min_interval_minutes,
                  shuffle_questions, shuffle_options, show_answer as "show_answer: ShowAnswer",
                  required_progress::float8 as "progress!", weight::float8 as "weight!", similarity_threshold, mark_due_at
           from homework where id = $1"#,
        id
    )
    .fetch_optional(&mut *connection)
    .await?
    .ok_or_else(Error::not_found)?;
    let mut targets = sqlx::query_as!(
        HomeworkTargetForm,
        "select opening_id, class_id from homework_target where homework_id = $1 order by id",
        id
    )
    .fetch_all(&mut *connection)
    .await?;
    let mut markers = sqlx::query_as!(
        HomeworkMarkerForm,
        "select teacher_id, class_id, question_seqs, quota from homework_marker where homework_id = $1 order by id",
        id
    )
    .fetch_all(&mut *connection)
    .await?;
    let paper_ids =
        sqlx::query_scalar!("select paper_id from homework_paper where homework_id = $1 order by sort_no", id)
            .fetch_all(connection)
            .await?;
    targets.sort();
    markers.sort();
    Ok(HomeworkForm {
        semester_id: row.semester_id,
        course_id: row.course_id,
        title: row.title,
        purpose: row.purpose,
        chapter_id: row.chapter_id,
        kind: row.kind,
        paper_mode: row.paper_mode,
        paper_ids,
        rule_id: row.rule_id,
        instruction: row.instruction,
        upload: row.upload.map(|upload| stored(upload.0)).transpose()?,
        total_score: Some(row.total),
        pass_score: Some(row.pass),
        starts_at: row.starts_at,
        ends_at: row.ends_at,
        late_until: row.late_until,
        late_penalty: row.late_penalty,
        duration_minutes: row.duration_minutes,
        max_attempts: Some(row.max_attempts),
        attempt_scoring: Some(row.attempt_scoring),
        min_interval_minutes: row.min_interval_minutes,
        shuffle_questions: row.shuffle_questions,
        shuffle_options: row.shuffle_options,
        show_answer: Some(row.show_answer),
        required_progress: Some(row.progress),
        weight: Some(row.weight),
        similarity_threshold: row.similarity_threshold,
        mark_due_at: row.mark_due_at,
        targets,
        markers,
    })
}

/// What of a homework that was given to students may still differ: times that come later, and how it is marked and shown.
fn as_published(before: &HomeworkForm, after: &HomeworkForm) -> Result<()> {
    let refused = || Err(Error::conflict(GIVEN));
    let may = HomeworkForm {
        title: after.title.clone(),
        ends_at: after.ends_at,
        late_until: after.late_until,
        markers: after.markers.clone(),
        show_answer: after.show_answer,
        mark_due_at: after.mark_due_at,
        weight: after.weight,
        similarity_threshold: after.similarity_threshold,
        ..before.clone()
    };
    if may != *after {
        return refused();
    }
    let later = match (before.late_until, after.late_until) {
        (Some(former), Some(late)) => late >= former,
        (Some(_), None) => false,
        (None, _) => true,
    };
    if after.ends_at < before.ends_at || !later { refused() } else { Ok(()) }
}

/// # Errors
/// 404 outside the scope; 403 for classes beyond it; 409 when it changed meanwhile and, once it was published, for what does not
/// change any more: of what is closed the times neither; 422 for what cannot be chosen.
pub(crate) async fn update(tx: &mut Tx, edit: Edit<HomeworkForm>, scope: &Scope) -> Result<Change> {
    let held = locked(tx, edit.id, scope).await?;
    held.as_read(tx, edit.version).await?;
    let before = form_of(tx, edit.id).await?;
    let mut wanted = edit.form;
    if held.status == HomeworkStatus::Closed
        && (wanted.ends_at, wanted.late_until) != (before.ends_at, before.late_until)
    {
        return Err(Error::conflict("作业已截止，请先重新开放再修改时间"));
    }
    if !held.status.is_open_to_edits() {
        // What its papers come to was decided when they were frozen.
        if wanted.total_score.is_some_and(|total| Some(total) != before.total_score) {
            return Err(Error::conflict(GIVEN));
        }
        (wanted.total_score, wanted.pass_score) = (before.total_score, wanted.pass_score.or(before.pass_score));
        wanted.required_progress = wanted.required_progress.or(before.required_progress);
        usual(&mut wanted);
        wanted.title = tidy(&wanted.title);
        check(&wanted)?;
        as_published(&before, &wanted)?;
        check_people(tx, &wanted, Some(&before), scope).await?;
    } else {
        check_people(tx, &wanted, Some(&before), scope).await?;
        wanted = resolved(tx, wanted).await?;
    }
    write(tx, &held, &wanted).await?;
    Ok(Change::edited("homework", edit.id, &before, &wanted))
}

/// Writes a homework as it is wanted; it is held.
pub(crate) async fn write(tx: &mut Tx, held: &Held, form: &HomeworkForm) -> Result<()> {
    let by = tx.by();
    sqlx::query!(
        "update homework
         set semester_id = $2, course_id = $3, title = $4, purpose = $5, chapter_id = $6, kind = $7, paper_mode = $8,
             rule_id = $9, instruction = $10, upload = $11, total_score = $12::float8::numeric,
             pass_score = $13::float8::numeric, starts_at = $14, ends_at = $15, late_until = $16, late_penalty = $17,
             duration_minutes = $18, max_attempts = $19, attempt_scoring = $20, min_interval_minutes = $21,
             shuffle_questions = $22, shuffle_options = $23, show_answer = $24, required_progress = $25::float8::numeric,
             weight = $26::float8::numeric, similarity_threshold = $27, mark_due_at = $28, initials = $29,
             updated_at = now(), updated_by = $30, version = version + 1
         where id = $1",
        held.id,
        form.semester_id,
        form.course_id,
        form.title,
        form.purpose.as_str(),
        form.chapter_id,
        form.kind.as_str(),
        form.paper_mode.map(HomeworkPaperMode::as_str),
        form.rule_id,
        form.instruction.as_ref().map(QuestionText::as_str),
        form.upload.as_ref().and_then(ToJSON::to_json),
        form.total_score,
        form.pass_score,
        form.starts_at as _,
        form.ends_at as _,
        form.late_until as _,
        form.late_penalty,
        form.duration_minutes,
        form.max_attempts,
        form.attempt_scoring.map(AttemptScoring::as_str),
        form.min_interval_minutes,
        form.shuffle_questions,
        form.shuffle_options,
        form.show_answer.map(ShowAnswer::as_str),
        form.required_progress,
        form.weight,
        form.similarity_threshold,
        form.mark_due_at as _,
        pinyin::text_initials(&form.title),
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(explain)?;
    parts(tx, held.id, form).await?;
    deadlines(tx, held.id).await
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(form: &HomeworkForm) -> Option<String> {
        check(form).err().map(|error| error.msg.into_owned())
    }

    #[test]
    fn a_form_holds_together() {
        let form = HomeworkForm::example();
        assert_eq!(told(&form), None);
        let late = HomeworkForm { late_until: Some(form.ends_at), ..form.clone() };
        assert_eq!(told(&late).as_deref(), Some("补交截止应晚于截止时间"));
        let many = HomeworkForm { show_answer: Some(ShowAnswer::AfterSubmit), max_attempts: Some(2), ..form.clone() };
        assert_eq!(told(&many).as_deref(), Some("允许多次作答时，答案不能在提交后立即可见"));
        let test = HomeworkForm { purpose: HomeworkPurpose::ChapterTest, ..form.clone() };
        assert_eq!(told(&test).as_deref(), Some("章节测验请选择章节"));
        let pool = HomeworkForm { paper_mode: Some(HomeworkPaperMode::RandomPool), ..form.clone() };
        assert_eq!(told(&pool).as_deref(), Some("多套随机请选择2至10份试卷"));
        let blank = HomeworkForm { title: " 　".to_owned(), ..form.clone() };
        assert_eq!(told(&blank).as_deref(), Some("请填写作业名称"));
        let seqs = |seq: &str| HomeworkMarkerForm {
            teacher_id: 1,
            class_id: None,
            question_seqs: vec![seq.to_owned()],
            quota: None,
        };
        assert_eq!(told(&HomeworkForm { markers: vec![seqs("7.2")], ..form.clone() }), None);
        let strange = HomeworkForm { markers: vec![seqs("第三题")], ..form.clone() };
        assert_eq!(told(&strange).as_deref(), Some("题号应为数字，如 3、7.2"));
        let upload = HomeworkForm { kind: HomeworkKind::Upload, ..form };
        assert_eq!(told(&upload).as_deref(), Some("请填写作业要求"));
    }

    #[test]
    fn what_was_published_only_gets_longer() {
        let before = HomeworkForm::example();
        let same = |after: HomeworkForm| as_published(&before, &after).map_err(|error| error.msg.into_owned());
        let refused = Err("作业已发布，只能延长时间或调整批阅设置".to_owned());
        assert_eq!(same(before.clone()), Ok(()));
        let longer = HomeworkForm { ends_at: before.ends_at + TimeDelta::days(1), ..before.clone() };
        assert_eq!(same(longer), Ok(()));
        let shorter = HomeworkForm { ends_at: before.ends_at - TimeDelta::days(1), ..before.clone() };
        assert_eq!(same(shorter), refused);
        let other = HomeworkForm { paper_ids: vec![2], ..before.clone() };
        assert_eq!(same(other), refused);
        let marked = HomeworkForm { weight: Some(2.0), show_answer: Some(ShowAnswer::Never), ..before.clone() };
        assert_eq!(same(marked), Ok(()));
        let attempts = HomeworkForm { max_attempts: Some(3), ..before.clone() };
        assert_eq!(same(attempts), refused);
    }
}
