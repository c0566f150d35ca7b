//! 试算: what typed values, or those of a student, come to by the rule that counts, step by step.

use infra::{Allowed, Body, Error, Reply, Result, Scope, reply};
use poem_openapi::{
    Object, OpenApi,
    types::{Any, Example},
};
use scores_rules::{
    arith::{NO_SCORE, in_tenths, points, shown},
    attendance::{self, Attended},
    correct::Formula,
    enums::{ExamRound, ScoreKind, ScoreMark},
    graduation::{GraduationParts, graduation},
    homework, items, makeup,
    params::{self, Params},
    questions,
    resolve::Place,
    study,
    total::{self, Component, Parts, Total},
};
use serde_json::Value;
use sqlx::PgConnection;

use super::{Resolver, ViewScoreRule, explained, inputs};
use crate::{
    achievement::{VIEW_DRAFT, no_drafts},
    score::{Rules, cards},
};

/// A homework of a trial.
#[derive(Debug, Clone, Object)]
pub struct TrialHomework {
    /// 权重
    pub weight: f64,
    /// 得分
    /// 不填为未交
    pub score: Option<f64>,
}

/// An item of a trial.
#[derive(Debug, Clone, Object)]
pub struct TrialItem {
    /// 编码
    pub code: String,
    /// 得分
    pub score: f64,
}

/// Values that are tried.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct TrialValues {
    /// 学习进度(%)
    pub progress: Option<f64>,
    /// 学习分钟
    #[oai(validator(minimum(value = "0"), maximum(value = "1000000")))]
    pub minutes: Option<i64>,
    /// 学习天数
    #[oai(validator(minimum(value = "0"), maximum(value = "10000")))]
    pub days: Option<i64>,
    /// 在线学时
    #[oai(validator(minimum(value = "0"), maximum(value = "1000")))]
    pub online_hours: Option<i64>,
    /// 作业
    #[oai(default, validator(max_items = 100))]
    pub tasks: Vec<TrialHomework>,
    /// 课次
    /// 不含请假
    #[oai(validator(minimum(value = "0"), maximum(value = "10000")))]
    pub sessions: Option<i64>,
    /// 缺勤
    #[oai(validator(minimum(value = "0"), maximum(value = "10000")))]
    pub absent: Option<i64>,
    /// 迟到
    #[oai(validator(minimum(value = "0"), maximum(value = "10000")))]
    pub late: Option<i64>,
    /// 请假
    #[oai(validator(minimum(value = "0"), maximum(value = "10000")))]
    pub leave: Option<i64>,
    /// 面授总成绩
    pub instruction_total: Option<f64>,
    /// 出勤成绩
    /// 不填为面授总成绩
    pub attendance_score: Option<f64>,
    /// 提问次数
    #[oai(validator(minimum(value = "0"), maximum(value = "100000")))]
    pub asked: Option<i64>,
    /// 回答次数
    #[oai(validator(minimum(value = "0"), maximum(value = "100000")))]
    pub answered: Option<i64>,
    /// 评分项
    #[oai(default, validator(max_items = 20))]
    pub items: Vec<TrialItem>,
    /// 学习成绩
    pub study: Option<f64>,
    /// 作业成绩
    pub homework: Option<f64>,
    /// 考勤成绩
    pub attendance: Option<f64>,
    /// 答疑成绩
    pub questions: Option<f64>,
    /// 卷面成绩
    pub exam: Option<f64>,
    /// 特殊情况
    pub mark: Option<ScoreMark>,
    /// 考试性质
    pub round: Option<ExamRound>,
    /// 实习成绩
    pub internship: Option<f64>,
    /// 论文成绩
    pub thesis: Option<f64>,
    /// 评阅成绩
    pub review: Option<f64>,
    /// 答辩成绩
    pub defense: Option<f64>,
}

/// What is tried: by the rule of a student and a course, or by parameters that are not saved yet.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct ScoreTrial {
    /// 成绩项
    pub kind: ScoreKind,
    /// 学生
    pub student_id: Option<i64>,
    /// 课程
    pub course_id: Option<i64>,
    /// 参数
    /// 不填为适用的规则
    pub params: Option<Any<Value>>,
    /// 数值
    /// 不填为学生现有的情况；评分项须填写
    pub values: Option<TrialValues>,
}

impl Example for ScoreTrial {
    fn example() -> Self {
        Self {
            kind: ScoreKind::Questions,
            student_id: None,
            course_id: None,
            params: None,
            values: Some(TrialValues { asked: Some(6), answered: Some(5), ..TrialValues::default() }),
        }
    }
}

/// A line of an explanation.
#[derive(Debug, Clone, Object)]
pub struct ScoreStep {
    /// 项目
    pub name: String,
    /// 说明
    pub text: String,
}

impl From<total::Step> for ScoreStep {
    fn from(step: total::Step) -> Self {
        Self { name: step.name, text: step.text }
    }
}

/// What a trial came to.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ScoreTrialResult {
    /// 规则编号
    pub rule_id: Option<i64>,
    /// 参数摘要
    pub summary: String,
    /// 成绩
    pub value: Option<f64>,
    /// 成绩显示
    pub text: String,
    /// 通过
    pub passed: Option<bool>,
    /// 步骤
    pub steps: Vec<ScoreStep>,
}

pub struct Previews;

#[OpenApi(prefix_path = "/adult/pc/score/rule", tag = "crate::Tag::Scores")]
impl Previews {
    /// 成绩规则试算
    /// 学生未发布的成绩须有查看未发布成绩的权限
    #[oai(path = "/preview", method = "post", operation_id = "tryScoreRule")]
    async fn preview(
        &self,
        caller: Allowed<ViewScoreRule>,
        Body(trial): Body<ScoreTrial>,
    ) -> Result<Reply<ScoreTrialResult>> {
        let mut tx = caller.read().await?;
        Ok(reply(tried(&mut tx, &trial, &caller.scope(), caller.rights().get(VIEW_DRAFT)).await?))
    }
}

/// Where rules are looked for, of a student within the scope.
///
/// # Errors
/// 404 for a student who is not there, or beyond the scope.
pub(super) async fn place_of(
    connection: &mut PgConnection,
    student: i64,
    course: Option<i64>,
    scope: &Scope,
) -> Result<Place> {
    let row = sqlx::query!(
        "select grade_id, level_id, major_id from student
         where id = $1 and ($2::bigint[] is null or site_id = any($2) or class_id = any($3::bigint[]))",
        student,
        scope.sites(),
        scope.classes()
    )
    .fetch_optional(connection)
    .await?
    .ok_or_else(Error::not_found)?;
    Ok(Place { grade: row.grade_id, level: row.level_id, major: row.major_id, course })
}

/// No place that a rule could name.
const NOWHERE: Place = Place { grade: 0, level: 0, major: 0, course: None };

async fn tried(
    connection: &mut PgConnection,
    trial: &ScoreTrial,
    scope: &Scope,
    drafts: Option<&Scope>,
) -> Result<ScoreTrialResult> {
    let place = match trial.student_id {
        Some(student) => place_of(connection, student, trial.course_id, scope).await?,
        None => Place { course: trial.course_id, ..NOWHERE },
    };
    let (rule_id, params) = match &trial.params {
        Some(params) => (None, params::read(trial.kind, &params.0).map_err(Error::fields)?),
        None => {
            let rule = Resolver::load(connection, trial.kind).await?.of(place).clone();
            (Some(rule.id), rule.params)
        }
    };
    let summary = params::summary(&params);
    let (known, values) = match (&trial.values, trial.student_id) {
        (Some(typed), _) => (None, typed.clone()),
        (None, Some(student)) => {
            let drafts = sees_drafts(connection, student, drafts).await?;
            brought(connection, trial, student, drafts).await?
        }
        (None, None) => (None, TrialValues::default()),
    };
    let result = |value: Option<i64>, text: String, passed, steps: Vec<ScoreStep>| ScoreTrialResult {
        rule_id,
        summary: summary.clone(),
        value: value.map(points),
        text,
        passed,
        steps,
    };
    let plain = |value: Option<i64>, mut steps: Vec<ScoreStep>| {
        let text = value.map_or_else(|| "不适用".to_owned(), shown);
        steps.push(ScoreStep { name: trial.kind.zh().to_owned(), text: text.clone() });
        result(value, text, None, steps)
    };
    Ok(match &params {
        Params::Study(p) => {
            let progress = tenths("values.progress", values.progress)?.unwrap_or_default();
            let minutes = values.minutes.unwrap_or_default();
            let (days, hours) = (values.days.unwrap_or_default(), values.online_hours.unwrap_or_default());
            let steps = explained::study(p, progress, minutes, days, hours);
            plain(Some(study::value(p, progress, minutes * 60, days, hours)), steps)
        }
        Params::Homework(p) => {
            let mut tasks = Vec::new();
            for task in &values.tasks {
                let weight = in_tenths(task.weight, 100_000);
                let weight = weight.ok_or_else(|| Error::field("values.tasks", "权重应不小于0，最多一位小数"))?;
                tasks.push((weight, tenths("values.tasks", task.score)?));
            }
            plain(homework::value(p, &tasks), explained::homework(p, &tasks))
        }
        Params::Attendance(p) => {
            let total = tenths("values.instructionTotal", values.instruction_total)?;
            let score = tenths("values.attendanceScore", values.attendance_score)?;
            let came = Attended {
                sessions: values.sessions.unwrap_or_default(),
                absent: values.absent.unwrap_or_default(),
                late: values.late.unwrap_or_default(),
                leave: values.leave.unwrap_or_default(),
                total,
                score: score.or(total),
            };
            plain(attendance::value(p, &came).value(), explained::attendance(p, &came))
        }
        Params::Questions(p) => {
            let (asked, answered) = (values.asked.unwrap_or_default(), values.answered.unwrap_or_default());
            plain(Some(questions::value(p, asked, answered)), explained::questions(p, asked, answered))
        }
        Params::Items(p) => {
            let mut given = Vec::new();
            for item in &values.items {
                let score = in_tenths(item.score, 1_000).ok_or_else(|| Error::field("values.items", NO_SCORE))?;
                given.push((item.code.clone(), score));
            }
            let value = items::value(&p.items, &given).map_err(|why| Error::field("values.items", why.to_string()))?;
            plain(Some(value), explained::items(p, &given))
        }
        Params::GraduationTotal(p) => {
            let parts = GraduationParts {
                internship: tenths("values.internship", values.internship)?,
                thesis: tenths("values.thesis", values.thesis)?,
                review: tenths("values.review", values.review)?,
                defense: tenths("values.defense", values.defense)?,
            };
            let total = graduation(p, &parts);
            let mut steps = explained::graduation(p, &parts);
            if !total.missing.is_empty() {
                let text = format!("缺少{}", total.missing.join("、"));
                steps.push(ScoreStep { name: "缺项".to_owned(), text });
            }
            if let Some(veto) = total.veto {
                steps.push(ScoreStep { name: "否决".to_owned(), text: veto });
            }
            let passed = total.total.is_some().then_some(total.passed);
            result(total.total, total.word.unwrap_or_default(), passed, steps)
        }
        Params::FinalExam(_) | Params::Total(_) => {
            let mut formula: Formula = Rules::load(connection).await?.formula(place)?;
            match params.clone() {
                Params::FinalExam(p) => formula.exam = p,
                Params::Total(p) => formula.total = p,
                _ => {}
            }
            let (parts, round, exam) = match known {
                Some(known) => known,
                None => parts_of(&values)?,
            };
            let counted: Total = match exam {
                Some(exam) if !round.is_first() => makeup::total(&formula.exam, &formula.total, &parts, exam),
                _ => total::total(&formula.total, &formula.exam, &parts),
            };
            let text = total::text(&counted, formula.total.grading_mode, round);
            let steps = counted.steps.into_iter().map(ScoreStep::from).collect();
            result(counted.value, text, counted.passed, steps)
        }
    })
}

/// Whether the code for what is not published opens this student.
async fn sees_drafts(connection: &mut PgConnection, student: i64, drafts: Option<&Scope>) -> Result<bool> {
    let place =
        sqlx::query!("select site_id, class_id from student where id = $1", student).fetch_one(connection).await?;
    Ok(drafts.is_some_and(|drafts| drafts.sees(Some(place.site_id), place.class_id)))
}

/// What a student brings to a trial: the score itself, or the figures of which it is made.
///
/// # Errors
/// 403 for who sees published scores alone, where there is none.
async fn brought(
    connection: &mut PgConnection,
    trial: &ScoreTrial,
    student: i64,
    drafts: bool,
) -> Result<(Option<Known>, TrialValues)> {
    let (found, values) = match (trial.kind, trial.course_id) {
        (ScoreKind::FinalExam | ScoreKind::Total, Some(course)) => {
            (known(connection, student, course, drafts).await?, None)
        }
        (kind, course) if inputs::reads(kind, course) => {
            (None, inputs::own(connection, kind, student, course, drafts).await?)
        }
        // Items are typed.
        _ => return Ok((None, TrialValues::default())),
    };
    if !drafts && found.is_none() && values.is_none() {
        return Err(no_drafts());
    }
    Ok((found, values.unwrap_or_default()))
}

/// The parts and rounds of a student's latest score of a course.
type Known = (Parts, ExamRound, Option<i64>);

async fn known(connection: &mut PgConnection, student: i64, course: i64, drafts: bool) -> Result<Option<Known>> {
    let id = sqlx::query_scalar!(
        "select id from course_score
         where student_id = $1 and course_id = $2 and ($3 or status in ('published', 'locked'))
         order by attempt_no desc, id desc limit 1",
        student,
        course,
        drafts
    )
    .fetch_optional(&mut *connection)
    .await?;
    let Some(id) = id else { return Ok(None) };
    let Some(card) = cards(connection, &[id]).await?.remove(&id) else { return Ok(None) };
    let last = card.rounds.iter().rfind(|round| drafts || round.published);
    let exam = last.and_then(|round| round.value);
    let parts = Parts {
        exam: exam.map_or(Component::None, Component::Value),
        exam_mark: last.map_or(ScoreMark::Normal, |round| round.mark),
        zero_exam: last.is_some_and(|round| round.mark == ScoreMark::Violation),
        ..card.parts()
    };
    Ok(Some((parts, last.map_or(ExamRound::First, |round| round.round), exam)))
}

/// A typed score in tenths.
fn tenths(field: &str, score: Option<f64>) -> Result<Option<i64>> {
    score.map(|score| in_tenths(score, 1_000).ok_or_else(|| Error::field(field, NO_SCORE))).transpose()
}

/// Typed parts; what was not typed does not apply.
fn parts_of(values: &TrialValues) -> Result<Known> {
    let part = |field: &str, score| -> Result<Component> {
        Ok(tenths(field, score)?.map_or(Component::NotApplicable, Component::Value))
    };
    let exam = tenths("values.exam", values.exam)?;
    let mark = values.mark.unwrap_or(ScoreMark::Normal);
    let parts = Parts {
        study: part("values.study", values.study)?,
        homework: part("values.homework", values.homework)?,
        attendance: part("values.attendance", values.attendance)?,
        questions: part("values.questions", values.questions)?,
        exam: exam.map_or(Component::None, Component::Value),
        exam_mark: mark,
        zero_exam: mark == ScoreMark::Violation,
    };
    Ok((parts, values.round.unwrap_or(ExamRound::First), exam))
}
