//! 考试安排: its way, what is wrong with one, what of a published one may still change (part 04 §2.1, §2.2, §4.2).

use chrono::{NaiveDate, TimeDelta};
use courses::course::AssessMode;
use homework_rules::enums::AttemptScoring;
use infra::{FieldError, clock::Moment};
use papers::enums::PaperVariant;
use scores_rules::enums::ExamRound;

use crate::{
    anti_cheat::{self, AntiCheat},
    enums::{
        ExamMode, ExamModeOfBatch, ExamPaperMode, ExamPhase, ExamSetupStatus, MarkingMode, ShowScoreMode,
        TestBatchKind, TestBatchStatus,
    },
};

/// What is typed of an examination. Scores and percents are tenths.
#[derive(Debug, Clone, PartialEq)]
pub struct SetupPlan {
    pub batch_id: i64,
    pub course_id: i64,
    pub semester_id: i64,
    /// None: course and batch.
    pub name: Option<String>,
    pub round: ExamRound,
    pub assess_mode: AssessMode,
    /// None of what stands in a session.
    pub starts_at: Option<Moment>,
    pub ends_at: Option<Moment>,
    pub duration_minutes: Option<i32>,
    pub late_limit_minutes: Option<i32>,
    pub earliest_submit_minutes: i32,
    pub max_attempts: i32,
    pub attempt_scoring: AttemptScoring,
    /// None of what is not answered here.
    pub paper_mode: Option<ExamPaperMode>,
    pub rule_id: Option<i64>,
    pub shuffle_questions: bool,
    pub shuffle_options: bool,
    pub pass_score: i64,
    pub marking_mode: MarkingMode,
    pub mark_diff_percent: i32,
    pub anonymous_marking: bool,
    pub show_score: ShowScoreMode,
    pub show_answer: ShowScoreMode,
    pub min_progress: Option<i64>,
    pub min_homework: Option<i64>,
    pub max_absence: Option<i64>,
    pub require_fee: bool,
    pub include_deferred: bool,
    pub anti_cheat: AntiCheat,
    pub session_id: Option<i64>,
    pub no_seating: bool,
    pub remark: Option<String>,
    pub class_ids: Vec<i64>,
    pub papers: Vec<(PaperVariant, i64)>,
}

impl SetupPlan {
    /// One with the usual values: on paper, without time, classes and papers.
    pub fn usual(batch_id: i64, course_id: i64, semester_id: i64, round: ExamRound) -> Self {
        Self {
            batch_id,
            course_id,
            semester_id,
            name: None,
            round,
            assess_mode: AssessMode::ClosedBook,
            starts_at: None,
            ends_at: None,
            duration_minutes: None,
            late_limit_minutes: None,
            earliest_submit_minutes: 0,
            max_attempts: 1,
            attempt_scoring: AttemptScoring::Highest,
            paper_mode: None,
            rule_id: None,
            shuffle_questions: true,
            shuffle_options: true,
            pass_score: 600,
            marking_mode: MarkingMode::Single,
            mark_diff_percent: 15,
            anonymous_marking: true,
            show_score: ShowScoreMode::AfterPublish,
            show_answer: ShowScoreMode::Never,
            min_progress: None,
            min_homework: None,
            max_absence: Some(330),
            require_fee: false,
            include_deferred: true,
            anti_cheat: AntiCheat::default(),
            session_id: None,
            no_seating: false,
            remark: None,
            class_ids: Vec::new(),
            papers: Vec::new(),
        }
    }
}

/// The round of the setups of such a batch, where nobody says another.
pub const fn round_of(batch: TestBatchKind) -> ExamRound {
    match batch {
        TestBatchKind::Final => ExamRound::First,
        TestBatchKind::Makeup => ExamRound::Makeup,
        TestBatchKind::FinalMakeup => ExamRound::FinalMakeup,
    }
}

/// How such a setup is examined, where nobody says: as most openings of its course say. On paper nothing is answered on the net.
pub fn assess_mode_of(openings: &[AssessMode], mode: ExamMode) -> AssessMode {
    match mode {
        ExamMode::Online => AssessMode::Online,
        ExamMode::Offline => {
            openings.iter().copied().find(|stated| *stated != AssessMode::Online).unwrap_or(AssessMode::ClosedBook)
        }
    }
}

/// What of its batch decides over a setup.
#[derive(Debug, Clone)]
pub struct BatchFacts {
    pub status: TestBatchStatus,
    pub kind: TestBatchKind,
    pub mode: ExamModeOfBatch,
    pub semester_id: i64,
    pub starts_on: Option<NaiveDate>,
    pub ends_on: Option<NaiveDate>,
}

/// Whether such a setup stands in such a batch.
pub const fn fits(batch: ExamModeOfBatch, setup: ExamMode) -> bool {
    match (batch, setup) {
        (ExamModeOfBatch::Mixed, _)
        | (ExamModeOfBatch::Online, ExamMode::Online)
        | (ExamModeOfBatch::Offline, ExamMode::Offline) => true,
        (ExamModeOfBatch::Online, ExamMode::Offline) | (ExamModeOfBatch::Offline, ExamMode::Online) => false,
    }
}

struct Found(Vec<FieldError>);

impl Found {
    fn add(&mut self, wrong: bool, field: &str, message: impl Into<String>) {
        if wrong {
            self.0.push(FieldError { field: field.to_owned(), message: message.into() });
        }
    }
}

fn repeated<T: PartialEq>(all: &[T]) -> bool {
    all.iter().enumerate().any(|(place, one)| all[..place].contains(one))
}

/// What is wrong with a setup of this mode in this batch.
pub fn check(plan: &SetupPlan, batch: &BatchFacts, mode: ExamMode) -> Vec<FieldError> {
    let mut found = Found(Vec::new());
    let ended = matches!(batch.status, TestBatchStatus::Closed | TestBatchStatus::Archived);
    found.add(ended, "batchId", format!("批次{}，不能修改考试安排", batch.status.zh()));
    let told = format!("该批次的考试方式为{}，不能安排{}考试", batch.mode.zh(), mode.zh());
    found.add(!fits(batch.mode, mode), "batchId", told);
    let other = batch.kind == TestBatchKind::Final && plan.semester_id != batch.semester_id;
    found.add(other, "semesterId", "期末考试的学期应与批次的学期一致");
    found.add(plan.round == ExamRound::Deferred, "round", "考试性质应为正考、补考或毕业补考");
    found.add(plan.round == ExamRound::First && plan.class_ids.is_empty(), "classIds", "请选择考试对象");
    found.add(repeated(&plan.class_ids), "classIds", "考试对象有重复，请检查");
    times(&mut found, plan, batch, mode);
    let range = |value: i32, least: i32, most: i32| !(least..=most).contains(&value);
    let late = plan.late_limit_minutes.is_some_and(|late| range(late, 0, 300));
    found.add(late, "lateLimitMinutes", "迟到限制应在0到300分钟之间");
    found.add(range(plan.earliest_submit_minutes, 0, 300), "earliestSubmitMinutes", "最早交卷应在0到300分钟之间");
    found.add(range(plan.max_attempts, 1, 3), "maxAttempts", "作答次数应在1到3之间");
    let average = plan.attempt_scoring == AttemptScoring::Average;
    found.add(average, "attemptScoring", "取分方式应为最高分或最后一次");
    found.add(range(plan.mark_diff_percent, 5, 50), "markDiffPercent", "双评误差应在5%到50%之间");
    let percent = |value: Option<i64>| value.is_some_and(|value| !(0..=1_000).contains(&value));
    found.add(percent(Some(plan.pass_score)), "passScore", "及格线应在0到100之间");
    found.add(percent(plan.min_progress), "minProgress", "最低学习进度应在0到100之间");
    found.add(percent(plan.min_homework), "minHomework", "作业最低完成率应在0到100之间");
    found.add(percent(plan.max_absence), "maxAbsence", "缺课上限应在0到100之间");
    let slots: Vec<PaperVariant> = plan.papers.iter().map(|(slot, _)| *slot).collect();
    let papers: Vec<i64> = plan.papers.iter().map(|(_, paper)| *paper).collect();
    found.add(repeated(&slots) || repeated(&papers), "papers", "试卷有重复，请检查");
    match mode {
        ExamMode::Online => online(&mut found, plan),
        ExamMode::Offline => {
            found.add(plan.assess_mode == AssessMode::Online, "assessMode", "线下考试的考核方式不能为线上考试");
            found.add(plan.paper_mode.is_some() || plan.rule_id.is_some(), "paperMode", "线下考试不填出卷方式");
            let unseated = matches!(plan.assess_mode, AssessMode::Oral | AssessMode::Practical | AssessMode::Report);
            found.add(plan.no_seating && !unseated, "noSeating", "只有口试、实操和大作业可以不编排座位");
        }
    }
    found.0
}

fn times(found: &mut Found, plan: &SetupPlan, batch: &BatchFacts, mode: ExamMode) {
    if plan.session_id.is_some() {
        found.add(mode == ExamMode::Online, "sessionId", "线上考试没有场次");
        found.add(plan.starts_at.is_some() || plan.ends_at.is_some(), "startsAt", "考试时间以场次为准");
    }
    match (plan.starts_at, plan.ends_at) {
        (Some(starts), Some(ends)) => {
            found.add(ends <= starts, "endsAt", "结束时间应晚于开始时间");
            if let (Some(first), Some(last)) = (batch.starts_on, batch.ends_on) {
                let within = |at: Moment| (first..=last).contains(&at.date_naive());
                let told = format!("应在批次的考试日期 {first} 至 {last} 之内");
                found.add(!within(starts), "startsAt", told.clone());
                found.add(!within(ends - TimeDelta::seconds(1)), "endsAt", told);
            }
            let longest = (ends - starts).num_minutes();
            let long = plan.duration_minutes.is_some_and(|minutes| i64::from(minutes) > longest);
            found.add(long, "durationMinutes", "时长不能超过开放时间");
        }
        (None, None) => found.add(mode == ExamMode::Online, "startsAt", "请填写开放时间"),
        _ => found.add(true, "endsAt", "请同时填写开始和结束时间"),
    }
    match plan.duration_minutes {
        Some(minutes) => found.add(!(10..=300).contains(&minutes), "durationMinutes", "时长应在10到300分钟之间"),
        None => found.add(mode == ExamMode::Online, "durationMinutes", "请填写时长"),
    }
}

fn online(found: &mut Found, plan: &SetupPlan) {
    found.add(plan.assess_mode != AssessMode::Online, "assessMode", "线上考试的考核方式应为线上考试");
    found.add(plan.no_seating, "noSeating", "线上考试不编排座位");
    match plan.paper_mode {
        None => found.add(true, "paperMode", "请选择出卷方式"),
        Some(ExamPaperMode::RandomRule) => {
            found.add(plan.rule_id.is_none(), "ruleId", "请选择组卷策略");
            found.add(!plan.papers.is_empty(), "papers", "每人随机出卷不选试卷");
        }
        Some(ExamPaperMode::Fixed) => {
            found.add(plan.rule_id.is_some(), "ruleId", "固定试卷不选组卷策略");
            found.add(plan.papers.len() > 1, "papers", "固定试卷只能选一套");
        }
        Some(ExamPaperMode::RandomPool | ExamPaperMode::ByClass) => {
            found.add(plan.rule_id.is_some(), "ruleId", "多套试卷不选组卷策略");
            found.add(plan.papers.len() > 6, "papers", "最多选6套试卷");
        }
    }
    found.0.extend(anti_cheat::check(&plan.anti_cheat));
}

/// Where a setup goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SetupTurn {
    Submit,
    Pass,
    Fail,
    Publish,
    Withdraw,
    Close,
    Reopen,
    Cancel,
}

impl SetupTurn {
    const fn zh(self) -> &'static str {
        match self {
            Self::Submit => "提交",
            Self::Pass | Self::Fail => "审核",
            Self::Publish => "发布",
            Self::Withdraw => "撤回",
            Self::Close => "结束",
            Self::Reopen => "重新开放",
            Self::Cancel => "取消",
        }
    }
}

/// The status behind a step.
///
/// # Errors
/// The refusal in Chinese.
pub fn after(from: ExamSetupStatus, turn: SetupTurn, mode: ExamMode) -> Result<ExamSetupStatus, String> {
    use ExamSetupStatus::{Approved, Cancelled, Closed, Draft, Published, Submitted};
    let to = match (mode, turn, from) {
        (ExamMode::Online, SetupTurn::Publish, Draft)
        | (ExamMode::Offline, SetupTurn::Publish, Approved)
        | (ExamMode::Online, SetupTurn::Reopen, Closed) => Some(Published),
        (ExamMode::Online, SetupTurn::Withdraw, Published)
        | (ExamMode::Offline, SetupTurn::Fail, Submitted | Approved) => Some(Draft),
        (ExamMode::Offline, SetupTurn::Submit, Draft) => Some(Submitted),
        (ExamMode::Offline, SetupTurn::Pass, Submitted) | (ExamMode::Offline, SetupTurn::Withdraw, Published) => {
            Some(Approved)
        }
        (_, SetupTurn::Close, Published) => Some(Closed),
        (_, SetupTurn::Cancel, Draft | Submitted | Approved | Published) => Some(Cancelled),
        (_, _, Draft | Submitted | Approved | Published | Closed | Cancelled) => None,
    };
    to.ok_or_else(|| format!("考试{}，不能{}", from.zh(), turn.zh()))
}

/// What a published setup keeps and an edit would change. On the net the end may be later, and late limit, notice and when the score
/// is shown may change; on paper the remark alone.
pub fn as_published(before: &SetupPlan, after: &SetupPlan) -> Vec<FieldError> {
    let online = before.paper_mode.is_some();
    let mut found = Found(Vec::new());
    let mut open = after.clone();
    open.remark.clone_from(&before.remark);
    if online {
        let earlier = matches!((before.ends_at, after.ends_at), (Some(was), Some(is)) if is < was);
        found.add(earlier, "endsAt", "考试已发布，结束时间只能延后");
        open.ends_at = before.ends_at;
        open.late_limit_minutes = before.late_limit_minutes;
        open.show_score = before.show_score;
        open.anti_cheat.notice.clone_from(&before.anti_cheat.notice);
    }
    if open != *before {
        let told = if online {
            "考试已发布，只能修改结束时间、迟到限制、考试须知和成绩公布时间"
        } else {
            "考试已发布，只能修改备注"
        };
        found.add(true, "status", told);
    }
    found.0
}

/// Where an examination stands in time.
pub fn phase(window: Option<(Moment, Moment)>, now: Moment) -> ExamPhase {
    match window {
        Some((starts, _)) if now < starts => ExamPhase::NotStarted,
        Some((_, ends)) if now < ends => ExamPhase::Running,
        Some(_) => ExamPhase::Ended,
        None => ExamPhase::NotStarted,
    }
}

#[cfg(test)]
mod tests {
    use infra::clock::day_began;

    use super::*;

    fn day(number: u32) -> NaiveDate {
        NaiveDate::from_ymd_opt(2026, 6, number).expect("a day")
    }

    fn at(number: u32, hour: i64) -> Moment {
        day_began(day(number)) + TimeDelta::hours(hour)
    }

    fn batch() -> BatchFacts {
        BatchFacts {
            status: TestBatchStatus::Active,
            kind: TestBatchKind::Final,
            mode: ExamModeOfBatch::Mixed,
            semester_id: 1,
            starts_on: Some(day(20)),
            ends_on: Some(day(30)),
        }
    }

    fn plan() -> SetupPlan {
        SetupPlan {
            assess_mode: AssessMode::Online,
            starts_at: Some(at(20, 9)),
            ends_at: Some(at(20, 11)),
            duration_minutes: Some(90),
            paper_mode: Some(ExamPaperMode::Fixed),
            class_ids: vec![1],
            papers: vec![(PaperVariant::A, 1)],
            ..SetupPlan::usual(1, 1, 1, ExamRound::First)
        }
    }

    fn fields(plan: &SetupPlan, mode: ExamMode) -> Vec<String> {
        check(plan, &batch(), mode).into_iter().map(|wrong| wrong.field).collect()
    }

    #[test]
    fn what_is_wrong_is_told_at_its_field() {
        assert!(fields(&plan(), ExamMode::Online).is_empty());
        let outside = SetupPlan { starts_at: Some(at(19, 9)), ends_at: Some(at(20, 11)), ..plan() };
        assert_eq!(fields(&outside, ExamMode::Online), ["startsAt"]);
        let midnight = SetupPlan { starts_at: Some(at(30, 9)), ends_at: Some(at(30, 24)), ..plan() };
        assert!(fields(&midnight, ExamMode::Online).is_empty());
        let long = SetupPlan { duration_minutes: Some(121), ..plan() };
        assert_eq!(fields(&long, ExamMode::Online), ["durationMinutes"]);
        let two = SetupPlan { papers: vec![(PaperVariant::A, 1), (PaperVariant::B, 2)], ..plan() };
        assert_eq!(fields(&two, ExamMode::Online), ["papers"]);
        let rule = SetupPlan { paper_mode: Some(ExamPaperMode::RandomRule), papers: Vec::new(), ..plan() };
        assert_eq!(fields(&rule, ExamMode::Online), ["ruleId"]);
        let paper = SetupPlan { class_ids: vec![1], ..SetupPlan::usual(1, 1, 1, ExamRound::First) };
        assert!(fields(&paper, ExamMode::Offline).is_empty());
        let unseated = SetupPlan { no_seating: true, ..paper };
        assert_eq!(fields(&unseated, ExamMode::Offline), ["noSeating"]);
        let online = BatchFacts { mode: ExamModeOfBatch::Offline, ..batch() };
        assert_eq!(check(&plan(), &online, ExamMode::Online)[0].message, "该批次的考试方式为线下，不能安排线上考试");
        let closed = BatchFacts { status: TestBatchStatus::Closed, ..batch() };
        assert_eq!(check(&plan(), &closed, ExamMode::Online)[0].message, "批次已结束，不能修改考试安排");
    }

    #[test]
    fn what_is_not_said_comes_of_batch_and_opening() {
        assert_eq!(round_of(TestBatchKind::Final), ExamRound::First);
        assert_eq!(round_of(TestBatchKind::Makeup), ExamRound::Makeup);
        assert_eq!(round_of(TestBatchKind::FinalMakeup), ExamRound::FinalMakeup);
        let stated = [AssessMode::Online, AssessMode::OpenBook, AssessMode::Oral];
        assert_eq!(assess_mode_of(&stated, ExamMode::Offline), AssessMode::OpenBook);
        assert_eq!(assess_mode_of(&stated[..1], ExamMode::Offline), AssessMode::ClosedBook);
        assert_eq!(assess_mode_of(&stated, ExamMode::Online), AssessMode::Online);
    }

    #[test]
    fn a_setup_goes_its_way() {
        use ExamMode::{Offline, Online};
        use ExamSetupStatus::{Approved, Cancelled, Closed, Draft, Published, Submitted};
        for (from, turn, mode, to) in [
            (Draft, SetupTurn::Publish, Online, Ok(Published)),
            (Published, SetupTurn::Withdraw, Online, Ok(Draft)),
            (Published, SetupTurn::Close, Online, Ok(Closed)),
            (Closed, SetupTurn::Reopen, Online, Ok(Published)),
            (Draft, SetupTurn::Cancel, Online, Ok(Cancelled)),
            (Draft, SetupTurn::Submit, Offline, Ok(Submitted)),
            (Submitted, SetupTurn::Pass, Offline, Ok(Approved)),
            (Submitted, SetupTurn::Fail, Offline, Ok(Draft)),
            (Approved, SetupTurn::Fail, Offline, Ok(Draft)),
            (Approved, SetupTurn::Pass, Offline, Err("考试已审核，不能审核")),
            (Approved, SetupTurn::Publish, Offline, Ok(Published)),
            (Published, SetupTurn::Withdraw, Offline, Ok(Approved)),
            (Closed, SetupTurn::Reopen, Offline, Err("考试已结束，不能重新开放")),
            (Draft, SetupTurn::Publish, Offline, Err("考试草稿，不能发布")),
            (Draft, SetupTurn::Submit, Online, Err("考试草稿，不能提交")),
            (Closed, SetupTurn::Cancel, Online, Err("考试已结束，不能取消")),
            (Cancelled, SetupTurn::Publish, Online, Err("考试已取消，不能发布")),
        ] {
            assert_eq!(after(from, turn, mode), to.map_err(str::to_owned), "{from:?} {turn:?} {mode:?}");
        }
    }

    #[test]
    fn a_published_one_keeps_what_scores_depend_on() {
        let later = SetupPlan { ends_at: Some(at(20, 12)), late_limit_minutes: Some(30), ..plan() };
        assert!(as_published(&plan(), &later).is_empty());
        assert_eq!(as_published(&later, &plan())[0].message, "考试已发布，结束时间只能延后");
        let other = SetupPlan { marking_mode: MarkingMode::Double, ..plan() };
        assert_eq!(as_published(&plan(), &other)[0].field, "status");
        let offline = SetupPlan { class_ids: vec![1], ..SetupPlan::usual(1, 1, 1, ExamRound::First) };
        let noted = SetupPlan { remark: Some("带计算器".to_owned()), ..offline.clone() };
        assert!(as_published(&offline, &noted).is_empty());
        let late = SetupPlan { late_limit_minutes: Some(30), ..offline.clone() };
        assert_eq!(as_published(&offline, &late)[0].message, "考试已发布，只能修改备注");
    }

    #[test]
    fn an_examination_has_three_phases() {
        let window = Some((at(20, 9), at(20, 11)));
        assert_eq!(phase(window, at(20, 8)), ExamPhase::NotStarted);
        assert_eq!(phase(window, at(20, 9)), ExamPhase::Running);
        assert_eq!(phase(window, at(20, 11)), ExamPhase::Ended);
        assert_eq!(phase(None, at(20, 11)), ExamPhase::NotStarted);
    }
}
