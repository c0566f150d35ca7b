//! What is typed of a homework (part 03 B6).

use std::collections::BTreeSet;

use chrono::TimeDelta;
use infra::{Error, Result, clock::Moment, naming::tidy};
use poem_openapi::{Object, types::Example};
use question_bank::{question::QuestionUpload, score::is_score, text::QuestionText};

use crate::enums::{AttemptScoring, HomeworkKind, HomeworkPaperMode, HomeworkPurpose, ShowAnswer};

/// Papers of which each student gets one.
const POOL: std::ops::RangeInclusive<usize> = 2..=10;
const TARGETS: usize = 1_000;
/// Told to whoever sets anew what students have.
pub const GIVEN: &str = "作业已发布，只能延长时间或调整批阅设置";

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
pub fn check_seqs(markers: &[HomeworkMarkerForm]) -> Result<()> {
    let plain =
        |seq: &String| (1..=LONGEST_SEQ).contains(&seq.len()) && seq.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let right = markers.iter().flat_map(|marker| &marker.question_seqs).all(plain);
    if right { Ok(()) } else { Err(Error::field("markers", "题号应为数字，如 3、7.2")) }
}

/// Why a form does not hold together, by its field.
pub fn check(form: &HomeworkForm) -> Result<()> {
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

/// What is left open is as usual; targets and markers stand in one order.
pub fn usual(form: &mut HomeworkForm) {
    form.max_attempts.get_or_insert(1);
    form.attempt_scoring.get_or_insert(AttemptScoring::Highest);
    form.show_answer.get_or_insert(ShowAnswer::AfterClose);
    form.weight.get_or_insert(1.0);
    form.targets.sort();
    form.markers.sort();
}

/// What of a homework that was given to students may still differ: times that come later, and how it is marked and shown.
pub fn as_published(before: &HomeworkForm, after: &HomeworkForm) -> Result<()> {
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
