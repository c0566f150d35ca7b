//! Who comes into a class (01 §9.7).

use infra::Error;

use crate::enums::{QuizClassVerify, QuizMemberDecision, QuizMemberState};

/// Of these signs a code is drawn by chance: none looks like another one.
pub const CODE_SIGNS: &[u8] = b"ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
/// Signs of a code.
pub const CODE_LENGTH: usize = 6;

/// A code as somebody types it: in any case, with blanks around it.
pub fn typed_code(text: &str) -> String {
    text.trim().to_uppercase()
}

/// Why somebody does not come in.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("班级人数已满")]
    Full,
    #[error("您已加入该班级")]
    Joined,
    #[error("您已申请加入该班级，请等待审核")]
    Waiting,
    #[error("您已被移出该班级，如需重新加入请联系班级管理员")]
    Removed,
    #[error("该成员已加入班级")]
    Already,
    #[error("该成员已移除")]
    Gone,
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        Self::conflict(refusal.to_string())
    }
}

/// A class as far as this goes: how many are in it, how many may be.
#[derive(Debug, Clone, Copy)]
pub struct Seats {
    pub joined: i64,
    pub most: i32,
}

impl Seats {
    fn are_free(self) -> Result<(), Refusal> {
        if self.joined >= i64::from(self.most) { Err(Refusal::Full) } else { Ok(()) }
    }
}

/// What becomes of somebody who has the code. `before` is what they are of the class already.
///
/// # Errors
/// Why they do not come in.
pub fn joins(
    verify: QuizClassVerify,
    before: Option<QuizMemberState>,
    seats: Seats,
) -> Result<QuizMemberState, Refusal> {
    match before {
        Some(QuizMemberState::Joined) => return Err(Refusal::Joined),
        Some(QuizMemberState::Pending) => return Err(Refusal::Waiting),
        Some(QuizMemberState::Removed) => return Err(Refusal::Removed),
        None => {}
    }
    seats.are_free()?;
    Ok(match verify {
        QuizClassVerify::Free => QuizMemberState::Joined,
        QuizClassVerify::Audit => QuizMemberState::Pending,
    })
}

/// What an operator's decision makes of a member; one who was removed may be let in again.
///
/// # Errors
/// Why it cannot be.
pub fn decided(
    before: QuizMemberState,
    decision: QuizMemberDecision,
    seats: Seats,
) -> Result<QuizMemberState, Refusal> {
    match (before, decision) {
        (QuizMemberState::Joined, _) => Err(Refusal::Already),
        (QuizMemberState::Removed, QuizMemberDecision::Rejected) => Err(Refusal::Gone),
        (QuizMemberState::Pending, QuizMemberDecision::Rejected) => Ok(QuizMemberState::Removed),
        (QuizMemberState::Pending | QuizMemberState::Removed, QuizMemberDecision::Approved) => {
            seats.are_free().map(|()| QuizMemberState::Joined)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FREE: Seats = Seats { joined: 1, most: 2 };
    const FULL: Seats = Seats { joined: 2, most: 2 };

    /// 01 §9.10 Exams (5).
    #[test]
    fn a_full_class_takes_nobody() {
        assert_eq!(joins(QuizClassVerify::Free, None, FULL), Err(Refusal::Full));
        assert_eq!(joins(QuizClassVerify::Audit, None, FULL), Err(Refusal::Full));
        assert_eq!(Refusal::Full.to_string(), "班级人数已满");
        assert_eq!(decided(QuizMemberState::Pending, QuizMemberDecision::Approved, FULL), Err(Refusal::Full));
    }

    #[test]
    fn a_code_lets_in_once() {
        use QuizMemberState::{Joined, Pending, Removed};
        assert_eq!(joins(QuizClassVerify::Free, None, FREE), Ok(Joined));
        assert_eq!(joins(QuizClassVerify::Audit, None, FREE), Ok(Pending));
        assert_eq!(joins(QuizClassVerify::Free, Some(Joined), FREE), Err(Refusal::Joined));
        assert_eq!(joins(QuizClassVerify::Audit, Some(Pending), FREE), Err(Refusal::Waiting));
        assert_eq!(joins(QuizClassVerify::Free, Some(Removed), FREE), Err(Refusal::Removed));
        assert_eq!(decided(Pending, QuizMemberDecision::Rejected, FULL), Ok(Removed));
        assert_eq!(decided(Removed, QuizMemberDecision::Approved, FREE), Ok(Joined));
        assert_eq!(decided(Joined, QuizMemberDecision::Approved, FREE), Err(Refusal::Already));
    }

    #[test]
    fn a_code_is_typed_in_any_case() {
        assert_eq!(typed_code(" ab3k9z "), "AB3K9Z");
        assert_eq!((CODE_SIGNS.len(), CODE_LENGTH), (32, 6));
    }
}
