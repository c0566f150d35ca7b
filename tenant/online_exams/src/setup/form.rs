//! What is typed of an examination on the net.

use exam_rules::{
    anti_cheat::AntiCheat,
    enums::{AttemptScoring, ExamRound, PaperVariant},
    setup::SetupPlan,
};
use exams::{
    enums::{ExamMode, ExamPaperMode, MarkingMode, ShowScoreMode},
    setup,
};
use infra::{Error, Result, clock::Moment};
use poem_openapi::{Object, types::Example};
use question_bank::score::{is_score, points, tenths};
use sqlx::PgConnection;

/// A paper of an examination.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase")]
pub struct OnlineExamPaper {
    /// 卷别
    pub slot: PaperVariant,
    /// 试卷
    pub paper_id: i64,
}

/// What is typed.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct OnlineExamForm {
    /// 批次
    pub batch_id: i64,
    /// 课程
    pub course_id: i64,
    /// 学期
    /// 课程修读的学期
    pub semester_id: i64,
    /// 考试名称
    /// 不填时为课程和批次
    #[oai(validator(max_length = 80))]
    pub name: Option<String>,
    /// 考试性质
    /// 不填时按批次的类型
    pub round: Option<ExamRound>,
    /// 开始时间
    pub starts_at: Moment,
    /// 结束时间
    pub ends_at: Moment,
    /// 时长(分)
    #[oai(validator(minimum(value = "10"), maximum(value = "300")))]
    pub duration_minutes: i32,
    /// 迟到限制(分)
    /// 开考后多少分钟内可以进入，为空时到结束
    pub late_limit_minutes: Option<i32>,
    /// 最早交卷(分)
    #[oai(default)]
    pub earliest_submit_minutes: i32,
    /// 作答次数
    /// 不填为1
    pub max_attempts: Option<i32>,
    /// 取分
    /// 不填为最高分
    pub attempt_scoring: Option<AttemptScoring>,
    /// 出卷方式
    /// 不填为固定
    pub paper_mode: Option<ExamPaperMode>,
    /// 组卷策略
    pub rule_id: Option<i64>,
    /// 试卷
    #[oai(default, validator(max_items = 6))]
    pub papers: Vec<OnlineExamPaper>,
    /// 题目乱序
    /// 不填为是
    pub shuffle_questions: Option<bool>,
    /// 选项乱序
    /// 不填为是
    pub shuffle_options: Option<bool>,
    /// 及格线
    /// 不填为60
    pub pass_score: Option<f64>,
    /// 阅卷方式
    /// 不填为单评
    pub marking_mode: Option<MarkingMode>,
    /// 双评误差(%)
    /// 不填为15
    pub mark_diff_percent: Option<i32>,
    /// 匿名阅卷
    /// 不填为是
    pub anonymous_marking: Option<bool>,
    /// 公布成绩
    /// 不填为成绩发布后
    pub show_score: Option<ShowScoreMode>,
    /// 公布答案
    /// 不填为不公布
    pub show_answer: Option<ShowScoreMode>,
    /// 最低学习进度(%)
    pub min_progress: Option<f64>,
    /// 作业最低完成率(%)
    pub min_homework: Option<f64>,
    /// 缺课上限(%)
    pub max_absence: Option<f64>,
    /// 须缴费
    #[oai(default)]
    pub require_fee: bool,
    /// 纳入缓考学生
    /// 不填为是
    pub include_deferred: Option<bool>,
    /// 防作弊
    pub anti_cheat: Option<AntiCheat>,
    /// 备注
    #[oai(validator(max_length = 500))]
    pub remark: Option<String>,
    /// 考试对象
    /// 班级
    #[oai(default, validator(max_items = 1000))]
    pub class_ids: Vec<i64>,
}

impl Example for OnlineExamForm {
    fn example() -> Self {
        Self {
            batch_id: 1,
            course_id: 1,
            semester_id: 1,
            name: None,
            round: Some(ExamRound::First),
            starts_at: Moment::default(),
            ends_at: Moment::default() + chrono::TimeDelta::hours(2),
            duration_minutes: 90,
            late_limit_minutes: Some(30),
            earliest_submit_minutes: 0,
            max_attempts: None,
            attempt_scoring: None,
            paper_mode: Some(ExamPaperMode::Fixed),
            rule_id: None,
            papers: vec![OnlineExamPaper { slot: PaperVariant::A, paper_id: 1 }],
            shuffle_questions: None,
            shuffle_options: None,
            pass_score: None,
            marking_mode: None,
            mark_diff_percent: None,
            anonymous_marking: None,
            show_score: None,
            show_answer: None,
            min_progress: Some(60.0),
            min_homework: None,
            max_absence: None,
            require_fee: false,
            include_deferred: None,
            anti_cheat: None,
            remark: None,
            class_ids: vec![1],
        }
    }
}

/// A percent in tenths.
fn percent(field: &str, value: Option<f64>) -> Result<Option<i64>> {
    match value {
        Some(value) if !is_score(value, 0, 1_000) => Err(Error::field(field, "应在0到100之间，最多一位小数")),
        other => Ok(other.map(tenths)),
    }
}

impl OnlineExamForm {
    /// # Errors
    /// 422 at a percent that is none, and when there is no such batch.
    pub async fn plan(&self, connection: &mut PgConnection) -> Result<SetupPlan> {
        let of = (self.batch_id, self.course_id, self.semester_id);
        let usual = setup::usual(connection, of, ExamMode::Online).await?;
        Ok(SetupPlan {
            name: self.name.clone(),
            round: self.round.unwrap_or(usual.round),
            starts_at: Some(self.starts_at),
            ends_at: Some(self.ends_at),
            duration_minutes: Some(self.duration_minutes),
            late_limit_minutes: self.late_limit_minutes,
            earliest_submit_minutes: self.earliest_submit_minutes,
            max_attempts: self.max_attempts.unwrap_or(1),
            attempt_scoring: self.attempt_scoring.unwrap_or(AttemptScoring::Highest),
            paper_mode: Some(self.paper_mode.unwrap_or(ExamPaperMode::Fixed)),
            rule_id: self.rule_id,
            shuffle_questions: self.shuffle_questions.unwrap_or(true),
            shuffle_options: self.shuffle_options.unwrap_or(true),
            pass_score: percent("passScore", self.pass_score)?.unwrap_or(600),
            marking_mode: self.marking_mode.unwrap_or(MarkingMode::Single),
            mark_diff_percent: self.mark_diff_percent.unwrap_or(15),
            anonymous_marking: self.anonymous_marking.unwrap_or(true),
            show_score: self.show_score.unwrap_or(ShowScoreMode::AfterPublish),
            show_answer: self.show_answer.unwrap_or(ShowScoreMode::Never),
            min_progress: percent("minProgress", self.min_progress)?,
            min_homework: percent("minHomework", self.min_homework)?,
            max_absence: percent("maxAbsence", self.max_absence)?,
            require_fee: self.require_fee,
            include_deferred: self.include_deferred.unwrap_or(true),
            anti_cheat: self.anti_cheat.clone().unwrap_or_default(),
            remark: self.remark.clone(),
            class_ids: self.class_ids.clone(),
            papers: self.papers.iter().map(|paper| (paper.slot, paper.paper_id)).collect(),
            ..usual
        })
    }

    /// As it stands.
    pub fn of(plan: &SetupPlan) -> Self {
        Self {
            batch_id: plan.batch_id,
            course_id: plan.course_id,
            semester_id: plan.semester_id,
            name: plan.name.clone(),
            round: Some(plan.round),
            starts_at: plan.starts_at.unwrap_or_default(),
            ends_at: plan.ends_at.unwrap_or_default(),
            duration_minutes: plan.duration_minutes.unwrap_or_default(),
            late_limit_minutes: plan.late_limit_minutes,
            earliest_submit_minutes: plan.earliest_submit_minutes,
            max_attempts: Some(plan.max_attempts),
            attempt_scoring: Some(plan.attempt_scoring),
            paper_mode: plan.paper_mode,
            rule_id: plan.rule_id,
            papers: plan.papers.iter().map(|(slot, paper)| OnlineExamPaper { slot: *slot, paper_id: *paper }).collect(),
            shuffle_questions: Some(plan.shuffle_questions),
            shuffle_options: Some(plan.shuffle_options),
            pass_score: Some(points(plan.pass_score)),
            marking_mode: Some(plan.marking_mode),
            mark_diff_percent: Some(plan.mark_diff_percent),
            anonymous_marking: Some(plan.anonymous_marking),
            show_score: Some(plan.show_score),
            show_answer: Some(plan.show_answer),
            min_progress: plan.min_progress.map(points),
            min_homework: plan.min_homework.map(points),
            max_absence: plan.max_absence.map(points),
            require_fee: plan.require_fee,
            include_deferred: Some(plan.include_deferred),
            anti_cheat: Some(plan.anti_cheat.clone()),
            remark: plan.remark.clone(),
            class_ids: plan.class_ids.clone(),
        }
    }
}
