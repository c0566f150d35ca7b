//! Whether a student may sit: study, homework, absence and fees, in this order; the first that fails gives the sentence
//! (part 04 §2.3). Percents are tenths.

use question_bank::score::{part, shown};

use crate::enums::ExamEligibility;

/// What an examination asks of who sits for it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Limits {
    pub progress: Option<i64>,
    pub homework: Option<i64>,
    pub absence: Option<i64>,
    pub fee: bool,
}

/// What is known of a student.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Facts {
    pub progress: i64,
    /// Handed in, of how many.
    pub homework: Option<(i64, i64)>,
    /// Missed, of how many lessons.
    pub sessions: Option<(i64, i64)>,
    pub arrears: bool,
    pub deferred: bool,
    pub exempt: bool,
}

/// The tenths of a percent that a part is of a whole; none of nothing.
fn rate((some, all): (i64, i64)) -> Option<i64> {
    (all > 0).then(|| part(some, 1_000, all))
}

/// A limit for a person: without a place where it has none.
fn limit(tenths: i64) -> String {
    if tenths % 10 == 0 { (tenths / 10).to_string() } else { shown(tenths) }
}

/// Whether a student may sit, and why not.
pub fn judge(limits: &Limits, facts: &Facts) -> (ExamEligibility, Option<String>) {
    if facts.exempt {
        return (ExamEligibility::Exempt, Some("课程免修".to_owned()));
    }
    if facts.deferred {
        return (ExamEligibility::Deferred, Some("已批准缓考".to_owned()));
    }
    let refused = |why: String| (ExamEligibility::Disqualified, Some(why));
    if let Some(least) = limits.progress
        && facts.progress < least
    {
        return refused(format!("学习进度 {}%，要求 {}%", shown(facts.progress), limit(least)));
    }
    if let (Some(least), Some(rate)) = (limits.homework, facts.homework.and_then(rate))
        && rate < least
    {
        return refused(format!("作业完成率 {}%，要求 {}%", shown(rate), limit(least)));
    }
    if let (Some(most), Some(rate)) = (limits.absence, facts.sessions.and_then(rate))
        && rate > most
    {
        return refused(format!("缺课率 {}%，上限 {}%", shown(rate), limit(most)));
    }
    if limits.fee && facts.arrears {
        return refused("有欠费，须先缴清".to_owned());
    }
    (ExamEligibility::Eligible, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sixty_percent_of_study() {
        let limits = Limits { progress: Some(600), ..Limits::default() };
        let told = judge(&limits, &Facts { progress: 599, ..Facts::default() });
        assert_eq!(told, (ExamEligibility::Disqualified, Some("学习进度 59.9%，要求 60%".to_owned())));
        assert_eq!(judge(&limits, &Facts { progress: 600, ..Facts::default() }).0, ExamEligibility::Eligible);
    }

    #[test]
    fn the_first_that_fails_speaks() {
        let limits = Limits { progress: Some(600), homework: Some(800), absence: Some(330), fee: true };
        let mut facts =
            Facts { progress: 420, homework: Some((3, 4)), sessions: Some((4, 12)), arrears: true, ..Facts::default() };
        let why = |facts: &Facts| judge(&limits, facts).1.unwrap_or_default();
        assert_eq!(why(&facts), "学习进度 42.0%，要求 60%");
        facts.progress = 1_000;
        assert_eq!(why(&facts), "作业完成率 75.0%，要求 80%");
        facts.homework = Some((4, 4));
        assert_eq!(why(&facts), "缺课率 33.3%，上限 33%");
        facts.sessions = Some((0, 0));
        assert_eq!(why(&facts), "有欠费，须先缴清");
        facts.arrears = false;
        assert_eq!(judge(&limits, &facts).0, ExamEligibility::Eligible);
        facts.deferred = true;
        assert_eq!(judge(&limits, &facts).0, ExamEligibility::Deferred);
        facts.exempt = true;
        assert_eq!(judge(&limits, &facts).0, ExamEligibility::Exempt);
    }

    #[test]
    fn without_homework_and_lessons_nothing_fails() {
        let limits = Limits { homework: Some(800), absence: Some(330), ..Limits::default() };
        assert_eq!(judge(&limits, &Facts::default()).0, ExamEligibility::Eligible);
    }
}
