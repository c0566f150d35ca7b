//! The ways of a 毕业成绩 and of an 实习 (part 04 §8.2).

use crate::enums::{GraduationScoreStatus, InternshipStatus};

/// How the score of a thesis goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GradeTurn {
    Enter,
    Submit,
    Review,
    Reject,
    Publish,
    Lock,
}

impl GradeTurn {
    pub const fn zh(self) -> &'static str {
        match self {
            Self::Enter => "录入",
            Self::Submit => "提交",
            Self::Review => "审核",
            Self::Reject => "退回",
            Self::Publish => "发布",
            Self::Lock => "锁定",
        }
    }
}

/// Where it leads.
///
/// # Errors
/// The sentence of a status that does not lead there.
pub fn after(from: GraduationScoreStatus, turn: GradeTurn) -> Result<GraduationScoreStatus, String> {
    use GraduationScoreStatus::{Entering, Locked, Pending, Published, Returned, Reviewed, Submitted};
    Ok(match (from, turn) {
        (Pending | Entering, GradeTurn::Enter) => Entering,
        (Returned, GradeTurn::Enter) => Returned,
        (Entering | Returned, GradeTurn::Submit) => Submitted,
        (Submitted, GradeTurn::Review) => Reviewed,
        (Submitted | Reviewed, GradeTurn::Reject) => Returned,
        (Reviewed, GradeTurn::Publish) => Published,
        (Published, GradeTurn::Lock) => Locked,
        (Published | Locked, GradeTurn::Enter) => return Err("成绩已发布，请走成绩更正".to_owned()),
        (Submitted | Reviewed, GradeTurn::Enter) => return Err("成绩已提交，请先退回".to_owned()),
        _ => return Err(format!("毕业成绩{}，不能{}", from.zh(), turn.zh())),
    })
}

/// How an internship goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InternshipTurn {
    /// What the student writes.
    Write,
    /// What staff enter, scores among it.
    Enter,
    Submit,
    Pass,
    Return,
}

/// Where it leads.
///
/// # Errors
/// The sentence of a status that does not lead there.
pub fn after_internship(from: InternshipStatus, turn: InternshipTurn) -> Result<InternshipStatus, String> {
    use InternshipStatus::{Draft, Passed, Returned, Submitted};
    Ok(match (from, turn) {
        (Draft | Returned, InternshipTurn::Write | InternshipTurn::Enter) | (Submitted, InternshipTurn::Enter) => from,
        (Draft | Returned, InternshipTurn::Submit) => Submitted,
        (Submitted, InternshipTurn::Pass) => Passed,
        (Submitted, InternshipTurn::Return) => Returned,
        (Submitted, InternshipTurn::Write) => return Err("实习待审核，不能修改".to_owned()),
        (Passed, InternshipTurn::Write | InternshipTurn::Enter) => {
            return Err("实习成绩已通过，请走成绩更正".to_owned());
        }
        (Draft | Returned, InternshipTurn::Pass | InternshipTurn::Return) => {
            return Err(format!("实习{}，请先提交", from.zh()));
        }
        (Submitted | Passed, InternshipTurn::Submit) | (Passed, InternshipTurn::Pass | InternshipTurn::Return) => {
            return Err(format!("实习{}，不能再办理", from.zh()));
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_goes_from_hand_to_hand() {
        use GraduationScoreStatus::{Entering, Locked, Pending, Published, Returned, Reviewed, Submitted};
        let way = [GradeTurn::Enter, GradeTurn::Submit, GradeTurn::Review, GradeTurn::Publish, GradeTurn::Lock];
        let end = way.into_iter().try_fold(Pending, after);
        assert_eq!(end, Ok(Locked));
        assert_eq!(after(Reviewed, GradeTurn::Reject), Ok(Returned));
        assert_eq!(
            (after(Returned, GradeTurn::Enter), after(Returned, GradeTurn::Submit)),
            (Ok(Returned), Ok(Submitted))
        );
        assert_eq!(after(Published, GradeTurn::Enter), Err("成绩已发布，请走成绩更正".to_owned()));
        assert_eq!(after(Entering, GradeTurn::Publish), Err("毕业成绩录入中，不能发布".to_owned()));
    }

    #[test]
    fn an_internship_is_submitted_before_it_passes() {
        use InternshipStatus::{Draft, Passed, Returned, Submitted};
        assert_eq!(after_internship(Draft, InternshipTurn::Submit), Ok(Submitted));
        assert_eq!(after_internship(Submitted, InternshipTurn::Enter), Ok(Submitted));
        assert_eq!(after_internship(Submitted, InternshipTurn::Pass), Ok(Passed));
        assert_eq!(after_internship(Submitted, InternshipTurn::Return), Ok(Returned));
        assert_eq!(after_internship(Draft, InternshipTurn::Pass), Err("实习草稿，请先提交".to_owned()));
        assert!(after_internship(Submitted, InternshipTurn::Write).is_err());
        assert!(after_internship(Passed, InternshipTurn::Enter).is_err());
    }
}
