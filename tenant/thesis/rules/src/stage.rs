//! The way of a thesis, stage by stage (part 04 §8.1).

use chrono::NaiveDate;

use crate::enums::{ReviewOpinion, ThesisDocumentKind, ThesisStage, ThesisStageStatus};

/// Where a thesis is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    pub stage: ThesisStage,
    pub status: ThesisStageStatus,
    pub requires_proposal: bool,
}

/// How it goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ThesisTurn {
    /// A topic was chosen; the adviser has to agree first.
    AskTopic,
    /// A topic and an adviser are there.
    TakeTopic,
    DeclineTopic,
    Submit,
    Pass,
    Return,
    /// The similarity lies within the limit.
    Similar,
    TooSimilar,
    TooSimilarAgain,
    Reviewed,
    /// A reviewer disagreed: back to the draft.
    Rework,
    Fail,
    Arrange,
    Defended,
    DefendAgain,
    Finish,
}

/// Why it does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("论文在{}阶段（{}），不能办理", .0.zh(), .1.zh())]
pub struct Refusal(pub ThesisStage, pub ThesisStageStatus);

/// Where a turn leads.
///
/// # Errors
/// A stage or status that does not lead there.
pub fn after(from: Standing, turn: ThesisTurn) -> Result<Standing, Refusal> {
    use ThesisStage::{Defense, Done, Draft, Final, Proposal, Review, Similarity, Topic};
    use ThesisStageStatus::{Failed, Passed, Pending, Returned, Submitted};
    let first = if from.requires_proposal { Proposal } else { Draft };
    let (stage, status) = match (turn, from.stage, from.status) {
        (ThesisTurn::AskTopic, Topic, Pending | Returned) => (Topic, Submitted),
        (ThesisTurn::TakeTopic, Topic, Pending | Returned | Submitted) => (first, Pending),
        (ThesisTurn::DeclineTopic, Topic, Submitted) => (Topic, Returned),
        (ThesisTurn::Submit, Proposal | Draft | Final, Pending | Returned) => (from.stage, Submitted),
        (ThesisTurn::Pass, Proposal, Submitted) => (Draft, Pending),
        (ThesisTurn::Pass, Draft, Submitted) => (Final, Pending),
        (ThesisTurn::Pass, Final, Submitted) => (Similarity, Pending),
        (ThesisTurn::Return, Proposal | Draft | Final, Submitted) => (from.stage, Returned),
        (ThesisTurn::Similar, Similarity, Pending) => (Review, Pending),
        (ThesisTurn::TooSimilar, Similarity, Pending) => (Final, Returned),
        (ThesisTurn::TooSimilarAgain, Similarity, Pending) => (Similarity, Failed),
        (ThesisTurn::Reviewed, Review, Pending) => (Defense, Pending),
        (ThesisTurn::Rework, Review, Pending) => (Draft, Pending),
        (ThesisTurn::Fail, Review | Defense, Pending | Submitted) => (from.stage, Failed),
        (ThesisTurn::Arrange, Defense, Pending | Submitted) => (Defense, Submitted),
        (ThesisTurn::Defended, Defense, Submitted) => (Defense, Passed),
        (ThesisTurn::DefendAgain, Defense, Submitted) => (Defense, Pending),
        (ThesisTurn::Finish, Defense, Passed) => (Done, Passed),
        _ => return Err(Refusal(from.stage, from.status)),
    };
    Ok(Standing { stage, status, requires_proposal: from.requires_proposal })
}

/// Whether the reviews of a thesis let it go on: all are in, and nobody disagreed. None as long as one is missing.
pub fn reviewed(opinions: &[Option<ReviewOpinion>], least: usize) -> Option<bool> {
    if opinions.len() < least.max(1) || opinions.iter().any(Option::is_none) {
        return None;
    }
    Some(!opinions.contains(&Some(ReviewOpinion::Disagree)))
}

/// Whether a document may be handed in now.
///
/// # Errors
/// The sentence: another stage, or its day is over.
pub fn may_submit(
    kind: ThesisDocumentKind,
    at: Standing,
    due: Option<NaiveDate>,
    extended: Option<NaiveDate>,
    today: NaiveDate,
) -> Result<(), String> {
    let stage = match kind {
        ThesisDocumentKind::Proposal => ThesisStage::Proposal,
        ThesisDocumentKind::Draft => ThesisStage::Draft,
        ThesisDocumentKind::Final => ThesisStage::Final,
        // These stand beside a stage and lead to none.
        ThesisDocumentKind::Midterm | ThesisDocumentKind::Revision | ThesisDocumentKind::Slides => return Ok(()),
        ThesisDocumentKind::SimilarityReport | ThesisDocumentKind::Archived => {
            return Err(format!("{}由系统或教务人员登记", kind.zh()));
        }
    };
    let open = matches!(at.status, ThesisStageStatus::Pending | ThesisStageStatus::Returned);
    if at.stage != stage || !open {
        return Err(format!("论文在{}阶段（{}），不能提交{}", at.stage.zh(), at.status.zh(), kind.zh()));
    }
    match due {
        Some(day) if today > day.max(extended.unwrap_or(day)) => {
            Err(format!("已超过{}提交截止日期（{day}）", kind.zh()))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(stage: ThesisStage, status: ThesisStageStatus) -> Standing {
        Standing { stage, status, requires_proposal: true }
    }

    fn to(from: Standing, turn: ThesisTurn) -> Result<(ThesisStage, ThesisStageStatus), Refusal> {
        after(from, turn).map(|standing| (standing.stage, standing.status))
    }

    #[test]
    fn a_thesis_goes_through_its_stages() {
        use ThesisStage::{Defense, Done, Draft, Final, Proposal, Review, Similarity, Topic};
        use ThesisStageStatus::{Failed, Passed, Pending, Returned, Submitted};
        assert_eq!(to(at(Topic, Pending), ThesisTurn::TakeTopic), Ok((Proposal, Pending)));
        let plain = Standing { requires_proposal: false, ..at(Topic, Pending) };
        assert_eq!(to(plain, ThesisTurn::TakeTopic), Ok((Draft, Pending)));
        assert_eq!(to(at(Topic, Pending), ThesisTurn::AskTopic), Ok((Topic, Submitted)));
        assert_eq!(to(at(Topic, Submitted), ThesisTurn::DeclineTopic), Ok((Topic, Returned)));
        assert_eq!(to(at(Final, Pending), ThesisTurn::Submit), Ok((Final, Submitted)));
        assert_eq!(to(at(Final, Submitted), ThesisTurn::Pass), Ok((Similarity, Pending)));
        assert_eq!(to(at(Similarity, Pending), ThesisTurn::TooSimilar), Ok((Final, Returned)));
        assert_eq!(to(at(Similarity, Pending), ThesisTurn::TooSimilarAgain), Ok((Similarity, Failed)));
        assert_eq!(to(at(Review, Pending), ThesisTurn::Reviewed), Ok((Defense, Pending)));
        assert_eq!(to(at(Defense, Submitted), ThesisTurn::Defended), Ok((Defense, Passed)));
        assert_eq!(to(at(Defense, Passed), ThesisTurn::Finish), Ok((Done, Passed)));
        assert_eq!(to(at(Draft, Pending), ThesisTurn::Pass), Err(Refusal(Draft, Pending)));
    }

    #[test]
    fn reviews_let_it_go_on() {
        use ReviewOpinion::{Agree, Disagree, Revise};
        assert_eq!(reviewed(&[Some(Agree), None], 1), None);
        assert_eq!(reviewed(&[Some(Agree)], 2), None);
        assert_eq!(reviewed(&[Some(Agree), Some(Revise)], 2), Some(true));
        assert_eq!(reviewed(&[Some(Agree), Some(Disagree)], 1), Some(false));
    }

    #[test]
    fn a_document_comes_in_time() {
        let due = NaiveDate::from_ymd_opt(2026, 4, 20);
        let next = NaiveDate::from_ymd_opt(2026, 4, 21).unwrap();
        let at = at(ThesisStage::Final, ThesisStageStatus::Pending);
        let told = |extended| may_submit(ThesisDocumentKind::Final, at, due, extended, next);
        assert_eq!(told(None), Err("已超过终稿提交截止日期（2026-04-20）".to_owned()));
        assert_eq!(told(NaiveDate::from_ymd_opt(2026, 4, 25)), Ok(()));
        assert!(may_submit(ThesisDocumentKind::Draft, at, None, None, next).is_err());
    }
}
