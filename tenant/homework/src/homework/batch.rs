//! 批量布置作业: one homework a course, with the same times and rules (part 03 B6).
//!
//! ```text
//! course ─[its papers, else the newest approved homework paper, else an enabled rule]→ form ─[insert, publish]→ homework
//! ```
//! Each course goes well or not by itself; a check writes nothing.

use homework_rules::names::title;
use infra::{
    Allowed, Body, Change, Error, Reply, Result, Scope, Tx,
    access::Permission,
    clock::Moment,
    jobs::{self, JobKind, JobRun, NewJob, Outcome},
    reply,
};
use poem_openapi::{
    Object, OpenApi,
    types::{Example, ParseFromJSON, ToJSON},
};
use serde_json::json;

use super::{
    HomeworkForm, HomeworkItem, HomeworkTargetForm, PublishHomework, SaveHomeworkBatch, form::insert, publish::publish,
};
use crate::enums::{AttemptScoring, HomeworkKind, HomeworkPaperMode, HomeworkPurpose, ShowAnswer};

/// Courses that a call itself does.
const DIRECT: usize = 20;
const KIND: &str = "tasks.batch";

pub(super) const JOB: JobKind = JobKind {
    kind: KIND,
    code: Some(<SaveHomeworkBatch as Permission>::CODE),
    run: |run| Box::pin(work(run)),
    headings: None,
};

/// What is the same of all of them.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct HomeworkBatchSettings {
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
    #[oai(validator(minimum(value = "1"), maximum(value = "10")))]
    pub max_attempts: Option<i32>,
    /// 计分方式
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
    pub show_answer: Option<ShowAnswer>,
    /// 学习进度要求(%)
    #[oai(validator(minimum(value = "0"), maximum(value = "100")))]
    pub required_progress: Option<f64>,
    /// 权重
    #[oai(validator(minimum(value = "0"), maximum(value = "100")))]
    pub weight: Option<f64>,
    /// 相似度阈值(%)
    #[oai(validator(minimum(value = "30"), maximum(value = "100")))]
    pub similarity_threshold: Option<i32>,
    /// 批阅截止
    pub mark_due_at: Option<Moment>,
}

/// A course that gets a homework.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct HomeworkBatchItem {
    /// 课程
    pub course_id: i64,
    /// 试卷
    /// 不填时自动匹配
    #[oai(validator(min_items = 1, max_items = 10))]
    pub paper_ids: Option<Vec<i64>>,
    /// 组卷策略
    pub rule_id: Option<i64>,
    /// 开课
    /// 不填为该课程本学期已开课的全部开课
    #[oai(validator(min_items = 1, max_items = 200))]
    pub opening_ids: Option<Vec<i64>>,
}

/// Which courses, and what is the same of them.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct HomeworkBatch {
    /// 学期
    pub semester_id: i64,
    /// 课程
    #[oai(validator(min_items = 1, max_items = 500))]
    pub items: Vec<HomeworkBatchItem>,
    /// 设置
    pub settings: HomeworkBatchSettings,
    /// 名称格式
    /// 可用 {课程名}、{学期}、{序号}
    #[oai(validator(min_length = 1, max_length = 100))]
    pub title_pattern: String,
    /// 保存后发布
    #[oai(default)]
    pub publish: bool,
    /// 仅检查
    #[oai(default)]
    pub dry_run: bool,
}

impl Example for HomeworkBatch {
    fn example() -> Self {
        let settings = HomeworkBatchSettings {
            starts_at: Moment::default(),
            ends_at: Moment::default() + chrono::TimeDelta::days(14),
            late_until: None,
            late_penalty: 0,
            duration_minutes: None,
            max_attempts: None,
            attempt_scoring: None,
            min_interval_minutes: 0,
            shuffle_questions: false,
            shuffle_options: false,
            show_answer: None,
            required_progress: None,
            weight: None,
            similarity_threshold: Some(60),
            mark_due_at: None,
        };
        let item = HomeworkBatchItem { course_id: 1, paper_ids: None, rule_id: None, opening_ids: None };
        Self {
            semester_id: 1,
            items: vec![item],
            settings,
            title_pattern: "{课程名}作业{序号}".to_owned(),
            publish: false,
            dry_run: true,
        }
    }
}

/// How it went with a course.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct HomeworkBatchRow {
    /// 课程编号
    pub course_id: i64,
    /// 课程
    pub course_name: String,
    /// 作业名称
    pub title: Option<String>,
    /// 所用试卷或策略
    pub source: Option<String>,
    /// 学生数
    pub student_count: i64,
    /// 作业
    pub homework_id: Option<i64>,
    /// 未布置的原因
    pub message: Option<String>,
}

/// How it went with all of them.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct HomeworkBatchResult {
    /// 已布置的作业数
    /// 仅检查时为0
    pub created: i64,
    /// 可以布置的课程数
    pub ready: i64,
    /// 各课程的结果
    pub rows: Vec<HomeworkBatchRow>,
    /// 任务编号
    /// 超过20门课程时的后台任务，结果见任务中心
    pub job_id: Option<i64>,
}

pub struct Batches;

#[OpenApi(prefix_path = "/exam/pc/tasks", tag = "crate::Tag::Homework")]
impl Batches {
    /// 批量布置作业
    #[oai(path = "/batchSave", method = "post", operation_id = "saveHomeworkBatch")]
    async fn save(
        &self,
        caller: Allowed<SaveHomeworkBatch>,
        Body(wanted): Body<HomeworkBatch>,
    ) -> Result<Reply<HomeworkBatchResult>> {
        let publishes = caller.rights().get(<PublishHomework as Permission>::CODE).filter(|_| wanted.publish);
        if wanted.publish && publishes.is_none() {
            return Err(Error::new(403, "没有“发布作业”权限，请先保存为草稿"));
        }
        let mut courses: Vec<i64> = wanted.items.iter().map(|item| item.course_id).collect();
        courses.sort_unstable();
        courses.dedup();
        if courses.len() < wanted.items.len() {
            return Err(Error::field("items", "课程有重复，请检查"));
        }
        if !wanted.dry_run && wanted.items.len() > DIRECT {
            let job = NewJob {
                kind: KIND,
                target: wanted.semester_id.to_string(),
                title: format!("批量布置作业（{}门课程）", wanted.items.len()),
                params: json!({ "wanted": wanted.to_json() }),
            };
            let job_id = Some(jobs::start(caller.caller(), job).await?);
            return Ok(reply(HomeworkBatchResult { created: 0, ready: 0, rows: Vec::new(), job_id }));
        }
        let (mut rows, mut created, mut ready) = (Vec::with_capacity(wanted.items.len()), 0, 0);
        for item in &wanted.items {
            let mut tx = caller.begin().await?;
            let mut row = named(&mut tx, item.course_id).await?;
            match one(&mut tx, &wanted, item, &mut row, (&caller.scope(), publishes)).await {
                Ok(changes) => {
                    ready += 1;
                    if !wanted.dry_run {
                        tx.commit_all(changes).await?;
                        created += 1;
                    } else {
                        // Nothing of a check stays.
                        row.homework_id = None;
                    }
                }
                Err(error) if error.code == 500 => return Err(error),
                Err(error) => (row.message, row.homework_id) = (Some(error.msg.into_owned()), None),
            }
            rows.push(row);
        }
        Ok(reply(HomeworkBatchResult { created, ready, rows, job_id: None }))
    }
}

async fn named(tx: &mut Tx, course: i64) -> Result<HomeworkBatchRow> {
    let name = sqlx::query_scalar!("select name from course where id = $1", course).fetch_optional(&mut **tx).await?;
    Ok(HomeworkBatchRow {
        course_id: course,
        course_name: name.unwrap_or_default(),
        title: None,
        source: None,
        student_count: 0,
        homework_id: None,
        message: None,
    })
}

/// What a course is asked, and its name for people.
struct Source {
    mode: HomeworkPaperMode,
    paper_ids: Vec<i64>,
    rule_id: Option<i64>,
    name: Option<String>,
}

/// The papers that an item names, else the newest approved homework paper of the course, else an enabled rule.
async fn source(tx: &mut Tx, item: &HomeworkBatchItem) -> Result<Source> {
    if let Some(papers) = &item.paper_ids {
        let mode = if papers.len() > 1 { HomeworkPaperMode::RandomPool } else { HomeworkPaperMode::Fixed };
        return Ok(Source { mode, paper_ids: papers.clone(), rule_id: None, name: None });
    }
    let of_rule =
        |id, name| Source { mode: HomeworkPaperMode::RandomRule, paper_ids: Vec::new(), rule_id: Some(id), name };
    if let Some(rule) = item.rule_id {
        return Ok(of_rule(rule, None));
    }
    let paper = sqlx::query!(
        "select id, name from paper where course_id = $1 and kind = 'homework' and status = 'approved'
         order by updated_at desc, id desc limit 1",
        item.course_id
    )
    .fetch_optional(&mut **tx)
    .await?;
    if let Some(paper) = paper {
        let paper_ids = vec![paper.id];
        return Ok(Source { mode: HomeworkPaperMode::Fixed, paper_ids, rule_id: None, name: Some(paper.name) });
    }
    let rule = sqlx::query!(
        "select id, name from paper_rule where course_id = $1 and kind = 'homework' and enabled
         order by updated_at desc, id desc limit 1",
        item.course_id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(|| Error::conflict("没有可用的试卷或组卷策略"))?;
    Ok(of_rule(rule.id, Some(rule.name)))
}

/// One course: its form, its homework, and, where it is wanted, its publishing by whoever may publish it. What is known of it is
/// told in the row.
async fn one(
    tx: &mut Tx,
    wanted: &HomeworkBatch,
    item: &HomeworkBatchItem,
    row: &mut HomeworkBatchRow,
    (scope, publishes): (&Scope, Option<&Scope>),
) -> Result<Vec<Change>> {
    let openings = match &item.opening_ids {
        Some(ids) => ids.clone(),
        None => sqlx::query_scalar!(
            "select id from course_opening where semester_id = $1 and course_id = $2 and status = 'opened' order by id",
            wanted.semester_id,
            item.course_id
        )
        .fetch_all(&mut **tx)
        .await?,
    };
    if openings.is_empty() {
        return Err(Error::conflict("本学期没有已开课的开课"));
    }
    row.student_count = sqlx::query_scalar!(
        r#"select count(*) as "students!" from course_selection where opening_id = any($1) and status = 'selected'"#,
        &openings
    )
    .fetch_one(&mut **tx)
    .await?;
    let names = sqlx::query!(
        r#"select e.name as "semester!",
                  (select count(*) from homework h where h.semester_id = e.id and h.course_id = $2) as "before!"
           from semester e where e.id = $1"#,
        wanted.semester_id,
        item.course_id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(|| Error::conflict("所选学期不存在"))?;
    let title = title(&wanted.title_pattern, &row.course_name, &names.semester, names.before + 1);
    row.title = Some(title.clone());
    let source = source(tx, item).await?;
    row.source = source.name;
    let settings = wanted.settings.clone();
    let form = HomeworkForm {
        semester_id: wanted.semester_id,
        course_id: item.course_id,
        title,
        purpose: HomeworkPurpose::Homework,
        chapter_id: None,
        kind: HomeworkKind::Paper,
        paper_mode: Some(source.mode),
        paper_ids: source.paper_ids,
        rule_id: source.rule_id,
        instruction: None,
        upload: None,
        total_score: None,
        pass_score: None,
        starts_at: settings.starts_at,
        ends_at: settings.ends_at,
        late_until: settings.late_until,
        late_penalty: settings.late_penalty,
        duration_minutes: settings.duration_minutes,
        max_attempts: settings.max_attempts,
        attempt_scoring: settings.attempt_scoring,
        min_interval_minutes: settings.min_interval_minutes,
        shuffle_questions: settings.shuffle_questions,
        shuffle_options: settings.shuffle_options,
        show_answer: settings.show_answer,
        required_progress: settings.required_progress,
        weight: settings.weight,
        similarity_threshold: settings.similarity_threshold,
        mark_due_at: settings.mark_due_at,
        targets: openings.into_iter().map(|opening_id| HomeworkTargetForm { opening_id, class_id: None }).collect(),
        markers: Vec::new(),
    };
    let (id, created) = insert(tx, form, scope).await?;
    row.homework_id = Some(id);
    let mut changes = vec![created];
    if let Some(scope) = publishes {
        changes.push(publish(tx, HomeworkItem { id, version: 1 }, scope).await?);
    }
    Ok(changes)
}

async fn work(run: JobRun) -> Result<Outcome> {
    let wanted = HomeworkBatch::parse_from_json(Some(run.params["wanted"].clone()))
        .map_err(|error| Error::internal(error.into_message()))?;
    let total = i64::try_from(wanted.items.len()).unwrap_or(i64::MAX);
    let (mut created, mut errors) = (0, Vec::new());
    for (before, item) in (0..).zip(&wanted.items) {
        run.progress("布置作业", before, total).await?;
        // The rights of this moment: who lost the code meanwhile goes no further.
        let scope = run.scope(<SaveHomeworkBatch as Permission>::CODE).await?;
        let publishes = match wanted.publish {
            true => Some(run.scope(<PublishHomework as Permission>::CODE).await?),
            false => None,
        };
        let mut tx = run.begin().await?;
        let mut row = named(&mut tx, item.course_id).await?;
        match one(&mut tx, &wanted, item, &mut row, (&scope, publishes.as_ref())).await {
            Ok(changes) => {
                tx.commit_all(changes).await?;
                created += 1;
            }
            Err(error) if error.code == 500 => return Err(error),
            Err(error) => errors.push(json!({ "id": item.course_id, "name": row.course_name, "msg": error.msg })),
        }
    }
    let message = format!("共{total}门课程，已布置{created}个作业，{}门未布置", errors.len());
    Ok(Outcome { message, errors, ..Outcome::default() })
}
